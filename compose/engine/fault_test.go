package engine_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"analyzer/columnar/segment"
	"analyzer/columnar/vfs"
	"analyzer/columnar/vfs/vfstest"
	"analyzer/compose/engine"
)

// faulty runs the queries with tables and spill in memory, makes the operations fail that
// decide selects, and checks that either the answers are right or there is an error.
func (c *spillingCase) faulty(t *testing.T, ctx context.Context, o engine.Options, decide func(vfs.Op) error) (*vfstest.Injector, error) {
	t.Helper()
	disk := vfs.NewMem()
	j := c.on(t, disk)
	var unremoved bool
	fs := vfstest.Inject(disk, func(op vfs.Op) error {
		err := decide(op)
		unremoved = unremoved || err != nil && (op.Kind == vfs.OpRemove || op.Kind == vfs.OpRemoveAll)
		return err
	})
	j.open = func(table string) (vfs.File, error) { return fs.Open("/" + table) }
	o.FS = fs
	got := j.run(t, ctx, o)
	if got.err == nil && got.json != c.want {
		t.Error("there is no error, and the answers are wrong")
	}
	if files := fs.OpenFiles(); len(files) > 0 {
		t.Errorf("files are open: %q", files)
	}
	names, listed := disk.List("/")
	if listed != nil {
		t.Fatal(listed)
	}
	if !slices.Equal(names, []string{"a", "b"}) && !unremoved {
		t.Errorf("files are left: %q", names)
	}
	return fs, got.err
}

// TestEveryOperationFails makes operations on tables and spill files fail, one per run: the
// first of each kind on every seventh file, and every hundredth of all.
func TestEveryOperationFails(t *testing.T) {
	c := newSpillingCase(t)
	o := engine.Options{Replicas: 1, Memory: 1, BlockSize: 64 << 10}
	type what struct {
		kind vfs.Kind
		name string
	}
	var mu sync.Mutex
	var ops, failed int64
	var chosen []int64
	seen, files := make(map[what]bool), make(map[vfs.Kind]int)
	_, err := c.faulty(t, t.Context(), o, func(op vfs.Op) error {
		mu.Lock()
		defer mu.Unlock()
		first := !seen[what{op.Kind, op.Name}]
		if first {
			seen[what{op.Kind, op.Name}] = true
			files[op.Kind]++
		}
		if first && files[op.Kind]%7 == 1 || ops%200 == 0 {
			chosen = append(chosen, ops)
		}
		ops++
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d of %d operations", len(chosen), ops)
	for i, n := range chosen {
		if testing.Short() && i%17 != 0 {
			continue
		}
		var which vfs.Op
		nth := vfstest.FailNth(n)
		_, err := c.faulty(t, t.Context(), o, func(op vfs.Op) error {
			err := nth(op)
			if err != nil {
				which = op
			}
			return err
		})
		if err != nil {
			failed++
			if !errors.Is(err, vfstest.ErrInjected) || !strings.Contains(err.Error(), which.Name) {
				t.Errorf("operation %d, %s of %s, failed; the error is %v", n, which.Kind, which.Name, err)
			}
		}
		if t.Failed() {
			t.Fatalf("after operation %d, %s of %s, failed", n, which.Kind, which.Name)
		}
	}
	if failed == 0 {
		t.Error("no run failed")
	}
}

// TestDiskDies makes one operation and all later ones fail.
func TestDiskDies(t *testing.T) {
	c := newSpillingCase(t)
	o := engine.Options{Replicas: 3, Memory: 1}
	for n := int64(0); ; n += 1 + n/2 {
		disk := vfs.NewMem()
		j := c.on(t, disk)
		o.FS = vfstest.Inject(disk, vfstest.FailFrom(n))
		got := j.run(t, t.Context(), o)
		if got.err == nil {
			if got.json != c.want {
				t.Errorf("the disk dies at operation %d, and the answers are wrong", n)
			}
			break
		}
		if !errors.Is(got.err, vfstest.ErrInjected) {
			t.Errorf("the disk dies at operation %d; the error is %v", n, got.err)
		}
	}
}

// TestFullDisk limits the space on disk.
func TestFullDisk(t *testing.T) {
	c, full := newSpillingCase(t), 0
	for room := 0; ; room += 1 + room {
		_, err := c.faulty(t, t.Context(), engine.Options{Replicas: 2, Memory: 1}, vfstest.FillDisk(room))
		if err == nil {
			break
		}
		full++
		if !errors.Is(err, segment.ErrDiskFull) || !strings.Contains(err.Error(), "--spill-dir") {
			t.Fatalf("with room for %d bytes the error is %v", room, err)
		}
	}
	if full < 10 {
		t.Errorf("the disk was full only %d times", full)
	}
}

// TestCancelAtEveryMoment cancels runs, each at a different operation on the file system;
// these are spread over a whole run.
func TestCancelAtEveryMoment(t *testing.T) {
	c := newSpillingCase(t)
	o := engine.Options{Replicas: 3, Memory: 1, BlockSize: 64 << 10}
	all, err := c.faulty(t, t.Context(), o, func(vfs.Op) error { return nil })
	if err != nil {
		t.Fatal(err)
	}
	canceled, times := 0, int64(25)
	if testing.Short() {
		times = 5
	}
	for n := int64(0); n < all.Ops(); n += 1 + all.Ops()/times {
		ctx, cancel := context.WithCancel(t.Context())
		var at time.Time
		nth := vfstest.FailNth(n)
		_, err := c.faulty(t, ctx, o, func(op vfs.Op) error {
			if nth(op) != nil {
				at = time.Now()
				cancel()
			}
			return nil
		})
		if took := time.Since(at); !at.IsZero() && took > time.Minute {
			t.Errorf("canceled at operation %d, the run took %v to end", n, took)
		}
		if err != nil {
			canceled++
			if !errors.Is(err, context.Canceled) {
				t.Errorf("canceled at operation %d, the run ends with %v", n, err)
			}
		}
		cancel()
	}
	if canceled < int(times/3) {
		t.Errorf("only %d runs ended early", canceled)
	}
}

// TestCancelAtAnyTime cancels runs of all queries of a data set at times spread over a run.
// The runs spend their time in text models, joins and answers.
func TestCancelAtAnyTime(t *testing.T) {
	times, scale := 25, 0.02
	if testing.Short() {
		times, scale = 5, 0.002
	}
	d := small(t, "books")
	j := ofDataset(d, vfs.OS(), generated(t, d, scale), "")
	began := time.Now()
	want := j.answer(t, engine.Options{Replicas: 4}).json
	whole := time.Since(began) // of the fastest run that has come to its end, since others may take the processor
	canceled := 0
	for i := range times {
		ctx, cancel := context.WithTimeout(t.Context(), whole*time.Duration(i)/time.Duration(times))
		began := time.Now()
		got := j.run(t, ctx, engine.Options{Replicas: 4})
		deadline, _ := ctx.Deadline()
		if late := time.Since(deadline); late > time.Minute {
			t.Errorf("the run ended %v after it was canceled", late)
		}
		switch {
		case got.err == nil && got.json != want:
			t.Errorf("after %v there is no error, and the answers are wrong", time.Since(began))
		case got.err == nil:
			whole = min(whole, time.Since(began))
		default:
			canceled++
			if !errors.Is(got.err, context.DeadlineExceeded) {
				t.Errorf("the run ends with %v", got.err)
			}
		}
		cancel()
	}
	if canceled < times/4 {
		t.Errorf("only %d runs were canceled", canceled)
	}
}

// TestCanceledBeforeItBegins checks that a run with an ended context does nothing.
func TestCanceledBeforeItBegins(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	c := newSpillingCase(t)
	if _, err := c.faulty(t, ctx, engine.Options{Replicas: 2}, func(vfs.Op) error { return nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("the run ends with %v", err)
	}
}
