package join

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"analyzer/columnar"
	"analyzer/operators/optest"
)

var kinds = []Kind{Inner, Left, Right, Full}

// drawInput draws a join of few rows of any shape.
func drawInput(t *rapid.T) input {
	rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "rows"), 0))
	var cfg Config
	column := func(s *columnar.Schema, typ columnar.Type) int {
		*s = append(*s, columnar.Field{Name: fmt.Sprintf("c%d", len(*s)), Type: typ})
		return len(*s) - 1
	}
	for range rapid.IntRange(0, 2).Draw(t, "other build columns") {
		column(&cfg.Build, rapid.SampledFrom(everyType).Draw(t, "type"))
	}
	for range rapid.IntRange(0, 3).Draw(t, "keys") {
		typ := rapid.SampledFrom(everyType).Draw(t, "key type")
		cfg.BuildKeys = append(cfg.BuildKeys, column(&cfg.Build, typ))
		cfg.ProbeKeys = append(cfg.ProbeKeys, column(&cfg.Probe, typ))
	}
	var bounds []Bound
	for range rapid.IntRange(0, 3).Draw(t, "bounds") {
		typ := rapid.SampledFrom(boundable).Draw(t, "bound type")
		b := Bound{Probe: column(&cfg.Probe, typ), Least: rapid.Bool().Draw(t, "least"), Strict: rapid.Bool().Draw(t, "strict")}
		if last := len(bounds) - 1; last >= 0 && cfg.Build[bounds[last].Build].Type == typ {
			b.Build = bounds[last].Build
		} else {
			b.Build = column(&cfg.Build, typ)
		}
		bounds = append(bounds, b)
	}
	cfg.Bounds = bounds
	for range rapid.IntRange(0, 2).Draw(t, "other probe columns") {
		column(&cfg.Probe, rapid.SampledFrom(everyType).Draw(t, "type"))
	}
	some := func(s columnar.Schema, label string) []int {
		if len(s) == 0 {
			return nil
		}
		return rapid.SliceOfN(rapid.IntRange(0, len(s)-1), 0, 4).Draw(t, label)
	}
	cfg.BuildOut, cfg.ProbeOut = some(cfg.Build, "build out"), some(cfg.Probe, "probe out")
	cfg.Kind = rapid.SampledFrom(kinds).Draw(t, "kind")
	distinct := rapid.IntRange(1, 40).Draw(t, "distinct")
	nulls := rapid.IntRange(0, 2).Draw(t, "nulls")
	return input{
		cfg:   cfg,
		build: randomRows(rng, cfg.Build, rapid.IntRange(0, 120).Draw(t, "build rows"), distinct, nulls),
		probe: randomRows(rng, cfg.Probe, rapid.IntRange(0, 120).Draw(t, "probe rows"), distinct, nulls),
	}
}

func TestJoinIsEveryPairOfEqualKeys(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := drawInput(t)
		want := in.want()
		w := optest.NewWorld(rapid.SampledFrom([]int64{0, 1, 3000}).Draw(t, "budget"), nil)
		op, err := New(w.Runtime, in.cfg)
		if err != nil {
			t.Fatal(err)
		}
		op.floor = 0
		for range 2 { // epochs
			got, err := in.run(context.Background(), op, rapid.SampledFrom([]int{1, 7, 1000}).Draw(t, "batch"))
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(got, want) {
				t.Fatalf("got %d rows %q\nwant %d rows %q", len(got), got, len(want), want)
			}
			if used := w.Budget.Used(); used != 0 {
				t.Fatalf("%d bytes are reserved after the last Finish", used)
			}
		}
		if err := op.Close(); err != nil {
			t.Fatal(err)
		}
	})
}
