package join

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"

	"analyzer/columnar"
	"analyzer/columnar/vfs/vfstest"
	"analyzer/operators"
	"analyzer/operators/optest"
)

// spilling is an input that exceeds LeastBytes. With a budget of one byte both
// sides are spilled, and some partitions are joined in passes.
func spilling() input {
	in := pairInput(rand.New(rand.NewPCG(3, 3)), 6000, 50, 2)
	in.cfg.Kind = Full
	return in
}

func TestEveryFileSystemFaultIsAnError(t *testing.T) {
	in := spilling()
	ctx := context.Background()
	quiet := optest.NewWorld(1, nil)
	op, err := New(quiet.Runtime, in.cfg)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := in.run(ctx, op, 1000); err != nil {
		t.Fatal(err)
	}
	operations := quiet.Files.Ops()
	if operations < 300 {
		t.Fatalf("only %d operations", operations)
	}
	rng := rand.New(rand.NewPCG(4, 4))
	for n := int64(0); n < operations; n += 1 + rng.Int64N(max(1, n/20)) {
		w := optest.NewWorld(1, vfstest.FailNth(n))
		op, err := New(w.Runtime, in.cfg)
		if err != nil {
			t.Fatal(err)
		}
		_, err = in.run(ctx, op, 1000)
		if err = errors.Join(err, op.Close()); !errors.Is(err, vfstest.ErrInjected) {
			t.Fatalf("fault at operation %d of %d: error %v", n, operations, err)
		}
		if err := w.Scratch.Close(); err != nil && !errors.Is(err, vfstest.ErrInjected) {
			t.Fatal(err)
		}
		if used, open := w.Budget.Used(), w.Files.OpenFiles(); used != 0 || len(open) > 0 {
			t.Fatalf("fault at operation %d: %d bytes reserved, open files %q", n, used, open)
		}
	}
}

func TestFullDisk(t *testing.T) {
	in := spilling()
	w := optest.NewWorld(1, vfstest.FillDisk(200_000))
	op, err := New(w.Runtime, in.cfg)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := in.run(context.Background(), op, 1000); err == nil {
		t.Error("joined 700 kB on a disk of 200 kB")
	}
	if err := op.Close(); err != nil {
		t.Fatal(err)
	}
	w.CheckEmpty(t)
}

var errStop = errors.New("stop")

// stopped pushes an input and stops at the n-th call of the operator or of
// emit. It reports whether the run got that far.
func stopped(ctx context.Context, op operators.Operator, in input, n int, stop func() error) (bool, error) {
	step := func() error {
		if n--; n < 0 {
			return stop()
		}
		return nil
	}
	emit := func(columnar.Rows) error { return step() }
	for side, rows := range []columnar.Rows{in.build, in.probe} {
		for lo := 0; lo < rows.Len; lo += 1000 {
			if err := step(); err != nil {
				return true, err
			}
			if err := op.Push(ctx, side, rows.Slice(lo, min(lo+1000, rows.Len)), emit); err != nil {
				return true, err
			}
		}
		if err := step(); err != nil {
			return true, err
		}
		if err := op.Finish(ctx, side, emit); err != nil {
			return true, err
		}
	}
	return n < 0, nil
}

func TestCloseAtAnyPoint(t *testing.T) {
	in := spilling()
	for _, limit := range []int64{0, 1} {
		for n := 0; ; n++ {
			w := optest.NewWorld(limit, nil)
			op, err := New(w.Runtime, in.cfg)
			if err != nil {
				t.Fatal(err)
			}
			more, err := stopped(context.Background(), op, in, n, func() error { return errStop })
			if more && !errors.Is(err, errStop) {
				t.Fatalf("budget %d, stopped at %d: error %v", limit, n, err)
			}
			if err := errors.Join(op.Close(), op.Close()); err != nil {
				t.Fatal(err)
			}
			w.CheckEmpty(t)
			if t.Failed() {
				t.Fatalf("budget %d, stopped at %d", limit, n)
			}
			if !more {
				break
			}
		}
	}
}

func TestCancelAtAnyPoint(t *testing.T) {
	in := spilling()
	for _, limit := range []int64{0, 1} {
		for n := 0; ; n += 1 + n/10 {
			w := optest.NewWorld(limit, nil)
			op, err := New(w.Runtime, in.cfg)
			if err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithCancel(context.Background())
			after := 0
			more, err := stopped(ctx, op, in, n, func() error {
				cancel()
				after++
				return nil
			})
			cancel()
			if err != nil && !errors.Is(err, context.Canceled) || err == nil && after > 2 {
				t.Fatalf("budget %d, cancelled at %d, went on for %d: error %v", limit, n, after, err)
			}
			if err := op.Close(); err != nil {
				t.Fatal(err)
			}
			w.CheckEmpty(t)
			if !more {
				break
			}
		}
	}
	w := optest.NewWorld(0, nil)
	op, err := New(w.Runtime, in.cfg)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := in.run(ctx, op, 1000); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}
