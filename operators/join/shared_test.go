package join

import (
	"context"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"analyzer/columnar"
	"analyzer/columnar/rowtest"
	"analyzer/operators/optest"
)

// If several operators probe the build sides of several replicas as one, they emit the same
// rows as one join.
func TestSharedBuildSide(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := drawInput(t)
		w := optest.NewWorld(rapid.SampledFrom([]int64{0, 1, 3000}).Draw(t, "budget"), nil)
		replicas := builtReplicas(t, in, w, rapid.IntRange(1, 3).Draw(t, "replicas"))
		last := replicas[len(replicas)-1]
		spilled := slices.ContainsFunc(replicas, func(o *Operator) bool { return o.grace != nil })
		switch shared := last.Share(replicas, 100); {
		case shared == nil:
			if !spilled && !in.cfg.Kind.KeepsBuild() && w.Budget.Limit() <= 0 {
				t.Fatal("a build side in memory is not shared")
			}
		case spilled || in.cfg.Kind.KeepsBuild():
			t.Fatal("a build side is shared that was spilled, or that is marked")
		default:
			if got, want := probeShared(t, in, w, shared), in.want(); !slices.Equal(got, want) {
				t.Fatalf("got %d rows %q\nwant %d rows %q", len(got), got, len(want), want)
			}
		}
		for _, o := range replicas {
			if err := o.Close(); err != nil {
				t.Fatal(err)
			}
		}
		if used := w.Budget.Used(); used != 0 {
			t.Fatalf("%d bytes are reserved after the last Close", used)
		}
	})
}

// builtReplicas returns operators whose build sides are complete: each has the rows of its keys.
func builtReplicas(t *rapid.T, in input, w *optest.World, n int) []*Operator {
	hashes := keyHashes(nil, in.build, in.cfg.BuildKeys)
	replicas := make([]*Operator, n)
	for r := range replicas {
		o, err := New(w.Runtime, in.cfg)
		if err != nil {
			t.Fatal(err)
		}
		own := columnar.NewRows(in.cfg.Build)
		for i, h := range hashes {
			if h%uint64(n) == uint64(r) {
				own.AppendRange(in.build, i, i+1)
			}
		}
		none := func(columnar.Rows) error { return nil } // build rows that nothing equals, which are not looked at
		if err := o.Push(context.Background(), 0, own, none); err != nil {
			t.Fatal(err)
		}
		if err := o.Finish(context.Background(), 0, none); err != nil {
			t.Fatal(err)
		}
		replicas[r] = o
	}
	return replicas
}

// probeShared returns the rows that several operators emit, each of which gets a part of the
// probe side.
func probeShared(t *rapid.T, in input, w *optest.World, shared *Shared) (got []string) {
	emit := func(rows columnar.Rows) error {
		got = append(got, rowtest.Lines(rows)...)
		return nil
	}
	cut := rapid.IntRange(0, in.probe.Len).Draw(t, "cut")
	for _, part := range []columnar.Rows{in.probe.Slice(0, cut), in.probe.Slice(cut, in.probe.Len)} {
		o, err := New(w.Runtime, in.cfg)
		if err != nil {
			t.Fatal(err)
		}
		o.Probe(shared)
		if err := o.Push(context.Background(), 1, part, emit); err != nil {
			t.Fatal(err)
		}
		if err := o.Finish(context.Background(), 1, emit); err != nil {
			t.Fatal(err)
		}
	}
	slices.Sort(got)
	return got
}
