package segment

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"analyzer/columnar/vfs"
	"analyzer/columnar/vfs/vfstest"
)

// history is what a workload did to a store, as far as it knows.
type history struct {
	safe    state  // of the last commit that succeeded
	pending *state // of the commit that was under way when it failed
}

// may reports whether a store may hold got after a crash.
func (h *history) may(got state) bool {
	return got.String() == h.safe.String() || h.pending != nil && got.String() == h.pending.String()
}

// step tries to commit one state after another.
func (h *history) step(next state, commit func() error) error {
	h.pending = &next
	if err := commit(); err != nil {
		return err
	}
	h.safe, h.pending = next, nil
	return nil
}

// work opens a store and commits to it, until something fails: segments are
// added one by one, compacted, replaced by one, and added to again.
func (h *history) work(fs vfs.FS) error {
	s, err := OpenStore(fs, stateDir)
	if err != nil {
		return err
	}
	add := func(number int64, keep bool) error {
		next := state{payload: fmt.Sprint(number)}
		var remove []*Segment
		if keep {
			next.values = slices.Clone(h.safe.values)
		} else {
			remove = s.segments()
		}
		next.values = append(next.values, number, number)
		slices.Sort(next.values)
		return h.step(next, func() error { return addNumber(s, number, remove...) })
	}
	for _, do := range []func() error{
		func() error { return add(1, true) },
		func() error { return add(2, true) },
		func() error { return h.step(h.safe, func() error { return compact(s) }) },
		func() error { return add(3, false) },
		func() error { return add(4, true) },
		s.Close,
	} {
		if err := do(); err != nil {
			return err
		}
	}
	return nil
}

// The process dies before operation 0, 1, 2 …; with or without the machine.
func TestCrashBeforeEveryOperation(t *testing.T) {
	for n := int64(0); ; n++ {
		mem := vfs.NewMem()
		injector := vfstest.Inject(mem, vfstest.FailFrom(n))
		var h history
		err := h.work(injector)
		if open := injector.OpenFiles(); len(open) > 0 {
			t.Fatalf("operation %d: left open: %q", n, open)
		}
		for seed := range uint64(20) {
			clone := mem.Clone()
			h.checkRecovery(t, clone, rand.New(rand.NewPCG(uint64(n), seed)), fmt.Sprintf("operation %d, seed %d", n, seed))
		}
		if err == nil {
			if n < 60 {
				t.Errorf("the workload ends after %d operations", n)
			}
			return
		}
		if !errors.Is(err, vfstest.ErrInjected) {
			t.Fatalf("operation %d: %v", n, err)
		}
	}
}

// checkRecovery opens what is left after a crash, and checks that the state is
// one it may be, stays it, and can be added to.
func (h *history) checkRecovery(t *testing.T, fs *vfs.Mem, rng *rand.Rand, where string) {
	t.Helper()
	if rng.IntN(3) > 0 {
		fs.Crash(rng)
	}
	s, err := OpenStore(fs, stateDir)
	if err != nil {
		t.Fatalf("%s: %v", where, err)
	}
	got := mustState(t, s)
	if !h.may(got) {
		t.Fatalf("%s: recovered %s, committed was %s, under way %v", where, got, h.safe, h.pending)
	}
	checkFiles(t, s)
	fs.Crash(rng)
	s = openStore(t, fs)
	if again := mustState(t, s); again.String() != got.String() {
		t.Fatalf("%s: recovered %s, and after another crash %s", where, got, again)
	}
	if err := addNumber(s, 9); err != nil {
		t.Fatalf("%s: commit after recovery: %v", where, err)
	}
	fs.Crash(rng)
	s = openStore(t, fs)
	want := state{payload: "9", values: append(slices.Clone(got.values), 9, 9)}
	if again := mustState(t, s); again.String() != want.String() {
		t.Fatalf("%s: committed %s after recovery, read %s", where, want, again)
	}
	checkFiles(t, s)
	if open := fs.OpenFiles(); len(open) > 0 {
		t.Fatalf("%s: left open: %q", where, open)
	}
}

// One operation fails, the process goes on where it may.
func TestOneFaultAtEveryOperation(t *testing.T) {
	fatals, retried := 0, 0
	for n := int64(0); ; n++ {
		mem := vfs.NewMem()
		injector := vfstest.Inject(mem, vfstest.FailNth(n))
		var h history
		err := h.work(injector)
		where := fmt.Sprintf("operation %d (%v)", n, err)
		if open := injector.OpenFiles(); len(open) > 0 {
			t.Fatalf("%s: left open: %q", where, open)
		}
		switch {
		case errors.Is(err, vfs.ErrUnsure):
			fatals++
		case err != nil:
			// Nothing was changed: the same process opens the store again.
			retried++
			s := openStore(t, injector)
			if got := mustState(t, s); got.String() != h.safe.String() {
				t.Fatalf("%s: state is %s, committed was %s", where, got, h.safe)
			}
		}
		for seed := range uint64(5) {
			h.checkRecovery(t, mem.Clone(), rand.New(rand.NewPCG(uint64(n), seed)), fmt.Sprintf("%s, seed %d", where, seed))
		}
		if n > injector.Ops() {
			break
		}
	}
	if fatals < 10 || retried < 10 {
		t.Errorf("%d fatal faults, %d others", fatals, retried)
	}
}

// Whatever is done and whenever it crashes, a commit that returned survives.
func TestCommitsSurvive(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		lives := rapid.IntRange(1, 6).Draw(t, "lives")
		mem := vfs.NewMem()
		var h history
		for range lives {
			injector := vfstest.Inject(mem, vfstest.FailFrom(rng.Int64N(150)))
			s, err := OpenStore(injector, stateDir)
			if err == nil {
				err = h.live(t, s, rng)
			}
			if err != nil && !errors.Is(err, vfstest.ErrInjected) {
				t.Fatalf("%v", err)
			}
			if open := injector.OpenFiles(); len(open) > 0 {
				t.Fatalf("left open: %q", open)
			}
			if rng.IntN(2) == 0 {
				mem.Crash(rng)
			}
		}
	})
}

// live checks what a store holds and makes random commits.
func (h *history) live(t *rapid.T, s *Store, rng *rand.Rand) error {
	got, err := readState(s)
	if err != nil {
		return err
	}
	if !h.may(got) {
		t.Fatalf("recovered %s, committed was %s, under way %v", got, h.safe, h.pending)
	}
	h.safe, h.pending = got, nil
	for range rng.IntN(10) {
		next := state{payload: h.safe.payload, values: h.safe.values}
		commit := func() error { return compact(s) }
		if number := rng.Int64N(100); rng.IntN(3) > 0 {
			next = state{payload: fmt.Sprint(number), values: append(slices.Clone(next.values), number, number)}
			slices.Sort(next.values)
			commit = func() error { return addNumber(s, number) }
		}
		if err := h.step(next, commit); err != nil {
			return err
		}
	}
	if rng.IntN(2) == 0 {
		return s.Close()
	}
	return nil
}

// A store that is removed while its machine crashes is there whole, or not at all.
func TestRemoveIsWholeOrNot(t *testing.T) {
	for n := int64(0); ; n++ {
		mem := vfs.NewMem()
		s := openStore(t, mem)
		for number := range int64(3) {
			if err := addNumber(s, number); err != nil {
				t.Fatal(err)
			}
		}
		if err := mem.SyncDir(filepath.Dir(stateDir)); err != nil {
			t.Fatal(err)
		}
		injector := vfstest.Inject(mem, vfstest.FailFrom(n))
		err := Remove(injector, stateDir)
		for seed := range uint64(20) {
			mem := mem.Clone()
			mem.Crash(rand.New(rand.NewPCG(uint64(n), seed)))
			names, failed := mem.List(filepath.Dir(stateDir))
			if err == nil && (failed != nil || slices.Contains(names, filepath.Base(stateDir))) {
				t.Fatalf("a store that was removed is back: %q, %v", names, failed)
			}
			if there, failed := Exists(mem, stateDir); failed != nil || !there {
				continue
			}
			if _, failed := OpenStore(mem, stateDir); failed != nil {
				t.Fatalf("operation %d, seed %d: %v", n, seed, failed)
			}
		}
		if n > injector.Ops() {
			break
		}
	}
}
