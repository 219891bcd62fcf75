package join

import (
	"context"
	"slices"
	"testing"

	"analyzer/columnar"
	"analyzer/columnar/rowtest"
	"analyzer/operators/optest"
)

// TestRunsOfOneKey joins rows of few keys, two of which agree in their hashes: they are in one chain, which is no run.
func TestRunsOfOneKey(t *testing.T) {
	flood := rowtest.CollidingTexts(2)
	build, probe := columnar.NewVector(columnar.Text), columnar.NewVector(columnar.Text)
	for i := range 5000 {
		switch {
		case i%5 == 0:
			build.AppendBytes(flood.Bytes(i / 3000))
		case i%7 == 0:
			build.AppendNull()
		default:
			build.AppendBytes([]byte{'a', byte(i % 11)})
		}
	}
	for _, key := range []string{"a\x00", "a\x0a", "b", string(flood.Bytes(1)), string(flood.Bytes(0)), "a\x0a"} {
		probe.AppendBytes([]byte(key))
	}
	p := filled([]*columnar.Vector{build})
	mixed := 0
	for _, e := range p.directory.slots {
		if e&entryMore != 0 && p.directory.run(uint32(e)) == nil {
			mixed++
		}
	}
	if mixed == 0 || mixed > 2 || len(p.directory.runs) < 3000 || p.directory.secret != nil {
		t.Fatalf("%d chains are no runs, %d rows are in runs", mixed, len(p.directory.runs))
	}
	text := columnar.Schema{{Name: "key", Type: columnar.Text}}
	for _, kind := range []Kind{Inner, Left, Right, Full} {
		in := input{
			cfg:   Config{Kind: kind, Build: text, Probe: text, BuildKeys: []int{0}, ProbeKeys: []int{0}, BuildOut: []int{0}, ProbeOut: []int{0}},
			build: columnar.Rows{Len: build.Len, Cols: []*columnar.Vector{build}}, probe: columnar.Rows{Len: probe.Len, Cols: []*columnar.Vector{probe}},
		}
		op, err := New(optest.NewWorld(0, nil).Runtime, in.cfg)
		if err != nil {
			t.Fatal(err)
		}
		got, err := in.run(context.Background(), op, 1000)
		if err != nil {
			t.Fatal(err)
		}
		if want := in.want(); !slices.Equal(got, want) {
			t.Errorf("%s: %d rows instead of %d", kind, len(got), len(want))
		}
		if err := op.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// BenchmarkManyToMany joins rows of which thirty have each key, such as the ratings of users with themselves.
func BenchmarkManyToMany(b *testing.B) {
	const rows, each = 1 << 17, 30
	texts := columnar.NewVector(columnar.Text)
	for i := range rows {
		key := i % (rows / each)
		texts.AppendBytes([]byte{'u', 's', 'e', 'r', byte(key), byte(key >> 8)})
	}
	schema := columnar.Schema{{Name: "user", Type: columnar.Text}}
	cfg := Config{Build: schema, Probe: schema, BuildKeys: []int{0}, ProbeKeys: []int{0}, BuildOut: []int{0}}
	batches, pairs := batchesOf(columnar.Rows{Len: rows, Cols: []*columnar.Vector{texts}}), 0
	for b.Loop() {
		pairs = joinOnce(b, 0, cfg, batches, batches)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*pairs), "ns/pair")
}
