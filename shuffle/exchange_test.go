package shuffle_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"
	"pgregory.net/rapid"

	"analyzer/columnar"
	"analyzer/columnar/segment"
	"analyzer/columnar/vfs"
	"analyzer/columnar/vfs/vfstest"
	"analyzer/shuffle"
)

func TestEveryRowArrivesOnceWhereItBelongs(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		senders, receivers := rapid.IntRange(1, 3).Draw(r, "senders"), rapid.IntRange(1, 5).Draw(r, "receivers")
		keys := rapid.SampledFrom([][]int{{}, {0}, {1}, {0, 2}}).Draw(r, "keys")
		l := newLink(t, schema(), senders, receivers, rapid.SampledFrom([]int64{0, 1, 1 << 16}).Draw(r, "budget"), nil)
		defer l.close()
		var rows []columnar.Rows
		for s := range senders {
			rows = append(rows, makeRows(1000*s, 1000*s+rapid.IntRange(0, 900).Draw(r, "rows")))
		}
		l.hold = rapid.SampledFrom([]int64{1, 5000, 1 << 30}).Draw(r, "hold")
		got := l.exchange(rows, rapid.IntRange(1, 400).Draw(r, "size"), keys...)
		for i, want := range routed(rows, receivers, keys...) {
			if !slices.Equal(got[i], want) {
				r.Fatalf("receiver %d has\n%s\nnot\n%s", i, strings.Join(got[i], "\n"), strings.Join(want, "\n"))
			}
		}
	})
}

// TestNobodyListens sends all rows before anybody receives: rows beyond the budget go to
// disk, and no sender waits.
func TestNobodyListens(t *testing.T) {
	for _, limit := range []int64{0, 1} {
		l := newLink(t, schema(), 2, 3, limit, nil)
		rows := []columnar.Rows{makeRows(0, 60_000), makeRows(60_000, 100_000)}
		for _, part := range rows {
			if err := send(t.Context(), l.outbox(0), part, 5000); err != nil {
				t.Fatal(err)
			}
		}
		want := routed(rows, 3, 0)
		for r, q := range l.receivers {
			got, err := receive(t.Context(), q)
			if err != nil {
				t.Fatal(err)
			}
			slices.Sort(got)
			if !slices.Equal(got, want[r]) {
				t.Errorf("receiver %d has %d rows, not the %d it should", r, len(got), len(want[r]))
			}
		}
		if spilled := l.scratch.Stats().Bytes; (spilled > 0) != (limit > 0) {
			t.Errorf("with a budget of %d, %d bytes were written to disk", limit, spilled)
		}
		l.close()
	}
}

// TestBusyReceiverHoldsSendersBack stops a receiver at its first rows, and waits until the
// sender blocks.
func TestBusyReceiverHoldsSendersBack(t *testing.T) {
	l := newLink(t, schema(), 1, 1, 0, nil)
	defer l.close()
	rows := []columnar.Rows{makeRows(0, 100_000)}
	resume, sent, received := make(chan struct{}), make(chan error, 1), make(chan error, 1)
	var got []string
	started := make(chan struct{})
	go func() {
		received <- l.receivers[0].Each(t.Context(), func(rows columnar.Rows) error {
			if got == nil {
				close(started)
				<-resume
			}
			got = append(got, texts(rows)...)
			return nil
		})
	}()
	out := l.outbox(0)
	if err := out.Push(t.Context(), rows[0].Slice(0, 20_000)); err != nil {
		t.Fatal(err)
	}
	<-started
	go func() { sent <- send(t.Context(), out, rows[0].Slice(20_000, rows[0].Len), 1000) }()
	for last := int64(-1); last != l.budget.Used() || last < 1<<20; time.Sleep(20 * time.Millisecond) {
		last = l.budget.Used()
	}
	select {
	case err := <-sent:
		t.Fatalf("the sender did not wait: %v", err)
	default:
	}
	if held := l.budget.Used(); held > 3<<20 {
		t.Errorf("%d bytes wait in memory", held)
	}
	close(resume)
	if err := errors.Join(<-sent, <-received); err != nil {
		t.Fatal(err)
	}
	slices.Sort(got)
	if want := routed(rows, 1, 0)[0]; !slices.Equal(got, want) {
		t.Errorf("%d rows came, not the %d that were sent", len(got), len(want))
	}
	if l.scratch.Stats().Bytes > 0 {
		t.Error("rows went to disk though the receiver listens")
	}
}

// TestLongRowsMakeSmallBatches holds batches of long texts to a size that fits
// memory, whatever their number of rows.
func TestLongRowsMakeSmallBatches(t *testing.T) {
	l := newLink(t, schema()[:2], 1, 1, 0, nil)
	defer l.close()
	long := columnar.NewRows(l.schema)
	long.Cols[0].AppendInt(1)
	long.Cols[1].AppendBytes([]byte(strings.Repeat("long ", 100_000)))
	long.Len = 1
	out := l.outbox(0)
	for range 10 {
		if err := out.Push(t.Context(), long); err != nil {
			t.Fatal(err)
		}
	}
	if err := out.Finish(t.Context()); err != nil {
		t.Fatal(err)
	}
	rows := 0
	err := l.receivers[0].Each(t.Context(), func(b columnar.Rows) error {
		rows += b.Len
		if n := b.ValueBytes(); n > 1<<20 {
			t.Errorf("a batch has %d bytes", n)
		}
		return nil
	})
	if err != nil || rows != 10 {
		t.Errorf("%d rows of 10, %v", rows, err)
	}
}

// The memory of batches is reused, except that of batches with a few long values, which are copied one after the other.
func TestLongRowsAreNotKept(t *testing.T) {
	const senders, long = 8, 4 << 20
	l := newLink(t, schema()[:2], senders+1, 1, 0, nil)
	defer l.close()
	q := l.receivers[0]
	rowOf := func(n int) columnar.Rows {
		row := columnar.NewRows(l.schema)
		row.Cols[0].AppendInt(int64(n))
		row.Cols[1].AppendBytes(make([]byte, n))
		row.Len = 1
		return row
	}
	held := func() int64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	large, small := rowOf(long), rowOf(1)
	before := held()
	var g errgroup.Group
	received, listens := 0, make(chan struct{})
	g.Go(func() error {
		return q.Each(t.Context(), func(b columnar.Rows) error {
			switch received++; received {
			case 1:
				close(listens)
			case 2:
				time.Sleep(100 * time.Millisecond) // until all senders wait
				if more := held() - before; more > 3*long/2 {
					t.Errorf("while senders wait with values of %d bytes, %d bytes more are held", long, more)
				}
			case senders + 2:
				if more := held() - before; more > 3*long/2 {
					t.Errorf("after %d values of %d bytes were received, %d bytes more are held", senders, long, more)
				}
			}
			return nil
		})
	})
	g.Go(func() error {
		defer q.Done()
		if err := q.Send(t.Context(), small); err != nil {
			return err
		}
		<-listens
		var others errgroup.Group
		for range senders { // which wait while the queue is full
			others.Go(func() error {
				defer q.Done()
				return q.Send(t.Context(), large)
			})
		}
		return errors.Join(others.Wait(), q.Send(t.Context(), small))
	})
	if err := g.Wait(); err != nil {
		t.Error(err)
	}
	runtime.KeepAlive(large)
}

// TestRowsWithoutColumns counts, which is all that such rows are good for.
func TestRowsWithoutColumns(t *testing.T) {
	l := newLink(t, columnar.Schema{}, 1, 2, 1, nil)
	defer l.close()
	out := l.outbox()
	for range 3 {
		if err := out.Push(t.Context(), columnar.Rows{Len: 10_000}); err != nil {
			t.Fatal(err)
		}
	}
	if err := out.Finish(t.Context()); err != nil {
		t.Fatal(err)
	}
	for r, want := range []int{30_000, 0} {
		rows := 0
		err := l.receivers[r].Each(t.Context(), func(b columnar.Rows) error { rows += b.Len; return nil })
		if err != nil || rows != want {
			t.Errorf("receiver %d has %d rows, %v, not %d", r, rows, err, want)
		}
	}
}

func TestCancelEndsWhoWaits(t *testing.T) {
	stopped := errors.New("stopped")
	t.Run("receiver", func(t *testing.T) {
		l := newLink(t, schema(), 1, 1, 0, nil)
		defer l.close()
		ctx, cancel := context.WithCancelCause(t.Context())
		time.AfterFunc(10*time.Millisecond, func() { cancel(stopped) })
		if _, err := receive(ctx, l.receivers[0]); !errors.Is(err, stopped) {
			t.Errorf("the receiver ends with %v", err)
		}
	})
	t.Run("sender", func(t *testing.T) {
		l := newLink(t, schema(), 1, 1, 0, nil)
		defer l.close()
		ctx, cancel := context.WithCancelCause(t.Context())
		received := make(chan error, 1)
		go func() {
			received <- l.receivers[0].Each(ctx, func(columnar.Rows) error {
				<-ctx.Done() // at work until it is told
				return context.Cause(ctx)
			})
		}()
		time.AfterFunc(20*time.Millisecond, func() { cancel(stopped) })
		err := send(ctx, l.outbox(0), makeRows(0, 100_000), 1000)
		if !errors.Is(err, stopped) {
			t.Errorf("the sender ends with %v", err)
		}
		if err := <-received; !errors.Is(err, stopped) {
			t.Errorf("the receiver ends with %v", err)
		}
	})
}

// TestEarlyEnd closes exchanges that still hold rows, in memory and on disk.
func TestEarlyEnd(t *testing.T) {
	failed := errors.New("failed")
	for _, limit := range []int64{0, 1} {
		l := newLink(t, schema(), 2, 2, limit, nil)
		out := l.outbox(0)
		for range 20 {
			if err := out.Push(t.Context(), makeRows(0, 20_000)); err != nil {
				t.Fatal(err)
			}
		}
		err := l.receivers[0].Each(t.Context(), func(columnar.Rows) error { return failed })
		if !errors.Is(err, failed) {
			t.Errorf("the receiver ends with %v", err)
		}
		l.close()
		if err := l.receivers[0].Send(t.Context(), makeRows(0, 3)); err == nil || !strings.Contains(err.Error(), "closed") {
			t.Errorf("sending to a closed queue: %v", err)
		}
	}
}

// TestDiskFaults lets each operation on the disk fail once.
func TestDiskFaults(t *testing.T) {
	rows := []columnar.Rows{makeRows(0, 30_000)}
	run := func(l *link) error {
		if err := send(t.Context(), l.outbox(0), rows[0], 3000); err != nil {
			return err
		}
		for r, want := range routed(rows, 2, 0) {
			got, err := receive(t.Context(), l.receivers[r])
			if err != nil {
				return err
			}
			if slices.Sort(got); !slices.Equal(got, want) {
				return fmt.Errorf("receiver %d has wrong rows", r)
			}
		}
		return nil
	}
	faults := 0
	for n := int64(0); ; n++ {
		var failed bool
		nth := vfstest.FailNth(n, vfs.OpCreate, vfs.OpMkdirTemp, vfs.OpOpen, vfs.OpRead, vfs.OpReadAt, vfs.OpWrite, vfs.OpFileSize)
		l := newLink(t, schema(), 1, 2, 1, func(op vfs.Op) error {
			err := nth(op)
			failed = failed || err != nil
			return err
		})
		err := run(l)
		l.close()
		if !failed {
			if err != nil {
				t.Fatal(err)
			}
			break
		}
		faults++
		if !errors.Is(err, vfstest.ErrInjected) {
			t.Errorf("fault %d: %v", n, err)
		}
	}
	if faults < 10 {
		t.Errorf("only %d faults were possible", faults)
	}
}

func TestFullDiskIsAClearError(t *testing.T) {
	l := newLink(t, schema(), 1, 1, 1, vfstest.FillDisk(50_000))
	defer l.close()
	err := send(t.Context(), l.outbox(0), makeRows(0, 60_000), 3000)
	if !errors.Is(err, segment.ErrDiskFull) || !strings.Contains(err.Error(), "spill exchange") {
		t.Errorf("sending ends with %v", err)
	}
}

// TestFinishedQueuesHoldNothing: a run keeps all its queues until it ends, although most
// are done long before.
func TestFinishedQueuesHoldNothing(t *testing.T) {
	const queues = 16
	l := newLink(t, schema(), 1, queues, 0, nil)
	defer l.close()
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	l.exchange([]columnar.Rows{makeRows(0, 100_000)}, 100_000, 0)
	runtime.GC()
	runtime.ReadMemStats(&after)
	if held := int64(after.HeapAlloc) - int64(before.HeapAlloc); held > 1<<20 {
		t.Errorf("%d queues that are done hold %d bytes", queues, held)
	}
	runtime.KeepAlive(l)
}

// TestManySendersOfManyColumns makes senders that have not sent anything: they hold no vectors yet.
func TestManySendersOfManyColumns(t *testing.T) {
	wide := make(columnar.Schema, 1000)
	for i := range wide {
		wide[i] = columnar.Field{Name: fmt.Sprint("c", i), Type: columnar.Text}
	}
	if n := testing.AllocsPerRun(10, func() { _ = shuffle.NewOutbox(wide, []int{0}, make([]shuffle.Receiver, 2)) }); n > 10 {
		t.Errorf("%.0f allocations", n)
	}
}
