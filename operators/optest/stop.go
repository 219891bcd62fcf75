package optest

import (
	"context"
	"errors"
	"testing"

	"analyzer/columnar"
	"analyzer/columnar/vfs/vfstest"
	"analyzer/operators"
)

// Faults runs the operator while the n-th file operation fails. n starts at 0
// and grows in steps of about n/25, until a run has fewer operations than that.
// Each run must return the injected error or the right answer.
func (c Case) Faults(t *testing.T, limit int64, batch int) {
	t.Helper()
	for n := int64(0); ; n += 1 + n/int64(share(25)) {
		w := NewWorld(limit, vfstest.FailNth(n))
		op, err := c.New(w.Runtime)
		if err != nil {
			t.Fatal(err)
		}
		got, err := c.Run(op, batch)
		err = errors.Join(err, op.Close())
		switch {
		case err != nil && !errors.Is(err, vfstest.ErrInjected):
			t.Errorf("error %v", err)
		case err == nil && c.compare(got) != "":
			t.Error(c.compare(got))
		}
		w.CheckReleased(t)
		hit := w.Files.Ops() > n
		if err := w.Scratch.Close(); err != nil && !errors.Is(err, vfstest.ErrInjected) {
			t.Error(err)
		}
		if t.Failed() {
			t.Fatalf("when operation %d fails, with a budget of %d bytes", n, limit)
		}
		if !hit {
			if n == 0 {
				t.Fatal("no file was touched")
			}
			return
		}
	}
}

// share is the share of the steps so far by which the next one is further: 1/n, and more in short tests.
func share(n int) int {
	if testing.Short() {
		return n / 5
	}
	return n
}

var errStop = errors.New("stop")

// Close runs the operator until the n-th call of it or of emit, and closes it
// there. n starts at 0 and grows in steps of about n/10.
func (c Case) Close(t *testing.T, limit int64, batch int) {
	t.Helper()
	c.stop(t, limit, batch, func(context.CancelFunc) error { return errStop }, errStop)
}

// Cancel is like Close, but cancels the context instead. The operator must
// notice it by itself, at the latest in the second call after.
func (c Case) Cancel(t *testing.T, limit int64, batch int) {
	t.Helper()
	c.stop(t, limit, batch, func(cancel context.CancelFunc) error {
		cancel()
		return nil
	}, context.Canceled)
}

// stop runs the operator until each of its steps and expects an error there.
func (c Case) stop(t *testing.T, limit int64, batch int, act func(context.CancelFunc) error, want error) {
	t.Helper()
	for n := 0; ; n += 1 + n/share(10) {
		w := NewWorld(limit, nil)
		op, err := c.New(w.Runtime)
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(context.Background())
		steps := 0
		step := func() error {
			if steps++; steps > n {
				return act(cancel)
			}
			return nil
		}
		emit := func(columnar.Rows) error { return step() }
		err = c.drive(ctx, stepping{op, step}, batch, emit)
		cancel()
		if stopped := steps > n; stopped && !errors.Is(err, want) && steps > n+2 || err != nil && !errors.Is(err, want) {
			t.Errorf("stopped at step %d of %d: error %v", n, steps, err)
		}
		if err := errors.Join(op.Close(), op.Close()); err != nil {
			t.Error(err)
		}
		w.CheckEmpty(t)
		if t.Failed() {
			t.Fatalf("stopped at step %d, with a budget of %d bytes", n, limit)
		}
		if steps <= n {
			return
		}
	}
}

// stepping is an operator that runs step before each call.
type stepping struct {
	operators.Operator
	step func() error
}

func (s stepping) Push(ctx context.Context, input int, rows columnar.Rows, emit operators.Emit) error {
	if err := s.step(); err != nil {
		return err
	}
	return s.Operator.Push(ctx, input, rows, emit)
}

func (s stepping) Finish(ctx context.Context, input int, emit operators.Emit) error {
	if err := s.step(); err != nil {
		return err
	}
	return s.Operator.Finish(ctx, input, emit)
}
