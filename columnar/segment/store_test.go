package segment

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"analyzer/columnar"
	"analyzer/columnar/vfs"
)

const stateDir = "/state/job/replica"

// numbers returns a batch of one column of integers.
func numbers(alloc memory.Allocator, values ...int64) columnar.RecordBatch {
	builder := array.NewRecordBuilder(alloc, intSchema.Arrow())
	defer builder.Release()
	builder.Field(0).(*array.Int64Builder).AppendValues(values, nil)
	return builder.NewRecord()
}

// state is what a test knows to be committed: the number in the payload, and
// the numbers in the segments, sorted.
type state struct {
	payload string
	values  []int64
}

func (s state) String() string { return fmt.Sprintf("%s %v", s.payload, s.values) }

func readState(s *Store, alloc memory.Allocator) (state, error) {
	got := state{payload: string(s.Payload())}
	for _, segment := range s.Segments() {
		r, err := s.Open(segment)
		if err != nil {
			return got, err
		}
		for i := range segment.Blocks {
			batch, err := r.ReadBlock(i, alloc)
			if err != nil {
				return got, errors.Join(err, r.Close())
			}
			got.values = append(got.values, batch.Column(0).(*array.Int64).Int64Values()...)
			batch.Release()
		}
		if err := r.Close(); err != nil {
			return got, err
		}
	}
	slices.Sort(got.values)
	return got, nil
}

// addNumber commits one more segment, with two blocks of the number.
func addNumber(s *Store, alloc memory.Allocator, number int64, remove ...*Segment) error {
	w, err := s.NewWriter(intSchema)
	if err != nil {
		return err
	}
	batch := numbers(alloc, number)
	defer batch.Release()
	for partition := range 2 {
		if err := w.Append(partition, batch); err != nil {
			return errors.Join(err, w.Abort())
		}
	}
	segment, err := w.Finish()
	if err != nil {
		return err
	}
	return s.Commit(Change{Add: []*Segment{segment}, Remove: remove, Payload: []byte(fmt.Sprint(number))})
}

// compact commits one segment in place of all.
func compact(s *Store) error {
	w, err := s.NewWriter(intSchema)
	if err != nil {
		return err
	}
	old := s.Segments()
	if err := Merge(s.fs, old, w); err != nil {
		return errors.Join(err, w.Abort())
	}
	merged, err := w.Finish()
	if err != nil {
		return err
	}
	return s.Commit(Change{Add: []*Segment{merged}, Remove: old, Payload: s.Payload()})
}

func openStore(t testing.TB, fs vfs.FS, alloc memory.Allocator) *Store {
	t.Helper()
	s, err := OpenStore(fs, stateDir, Options{Allocator: alloc})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func mustState(t testing.TB, s *Store, alloc memory.Allocator) state {
	t.Helper()
	got, err := readState(s, alloc)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// checkFiles checks that a store's directory holds its state and nothing else.
func checkFiles(t testing.TB, s *Store) {
	t.Helper()
	want := []string{manifestName}
	for _, segment := range s.Segments() {
		want = append(want, filepath.Base(segment.Path))
	}
	slices.Sort(want)
	names, err := s.fs.List(s.dir)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(names, want) {
		t.Errorf("the directory holds %q, the state %q", names, want)
	}
}

func TestStateIsThereWhenOpenedAgain(t *testing.T) {
	checked(t, func(alloc memory.Allocator) {
		fs := vfs.NewMem()
		s := openStore(t, fs, alloc)
		if got := mustState(t, s, alloc); got.String() != " []" || s.Generation() != 0 {
			t.Fatalf("a new store holds %s, generation %d", got, s.Generation())
		}
		var want state
		for number := range int64(5) {
			if err := addNumber(s, alloc, number); err != nil {
				t.Fatal(err)
			}
			want.payload = fmt.Sprint(number)
			want.values = append(want.values, number, number)
			again := openStore(t, fs, alloc)
			if got := mustState(t, again, alloc); got.String() != want.String() || again.Generation() != uint64(number)+1 {
				t.Fatalf("generation %d: read %s, want %s", again.Generation(), got, want)
			}
		}
		if err := compact(s); err != nil {
			t.Fatal(err)
		}
		if got := mustState(t, s, alloc); got.String() != want.String() || len(s.Segments()) != 1 || len(s.Segments()[0].Blocks) != 2 {
			t.Errorf("compacted to %s in %d segments", got, len(s.Segments()))
		}
		checkFiles(t, s)
		last := s.Segments()[0]
		if err := addNumber(s, alloc, 7, last); err != nil {
			t.Fatal(err)
		}
		again := openStore(t, fs, alloc)
		if got := mustState(t, again, alloc); got.String() != "7 [7 7]" {
			t.Errorf("read %s", got)
		}
		checkFiles(t, again)
		if open := fs.OpenFiles(); len(open) > 0 {
			t.Errorf("left open: %q", open)
		}
	})
}

func TestWhatIsNotCommittedIsDeleted(t *testing.T) {
	checked(t, func(alloc memory.Allocator) {
		fs := vfs.NewMem()
		s := openStore(t, fs, alloc)
		if err := addNumber(s, alloc, 1); err != nil {
			t.Fatal(err)
		}
		finish := func() {
			w, err := s.NewWriter(intSchema)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := w.Finish(); err != nil {
				t.Fatal(err)
			}
		}
		finish()
		if err := writeDurably(fs, filepath.Join(stateDir, manifestNew), []byte("torn")); err != nil {
			t.Fatal(err)
		}
		foreign := filepath.Join(stateDir, "notes.txt")
		if err := writeDurably(fs, foreign, []byte("not ours")); err != nil {
			t.Fatal(err)
		}
		s = openStore(t, fs, alloc)
		if err := fs.Remove(foreign); err != nil {
			t.Errorf("a file that is not the store's: %v", err)
		}
		checkFiles(t, s)
		finish()
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		checkFiles(t, s)
		if _, err := s.NewWriter(intSchema); err == nil {
			t.Error("wrote to a closed store")
		}
		if err := errors.Join(s.Close(), s.Close()); err != nil {
			t.Error(err)
		}
	})
}

func TestChangesThatCannotBe(t *testing.T) {
	checked(t, func(alloc memory.Allocator) {
		fs := vfs.NewMem()
		s := openStore(t, fs, alloc)
		if err := addNumber(s, alloc, 1); err != nil {
			t.Fatal(err)
		}
		scratch, err := NewWriter(fs, "/s.arrow", intSchema, Options{})
		if err != nil {
			t.Fatal(err)
		}
		foreign, err := scratch.Finish()
		if err != nil {
			t.Fatal(err)
		}
		own := s.Segments()[0]
		for name, change := range map[string]Change{
			"add what was not synced":     {Add: []*Segment{foreign}},
			"add what is there":           {Add: []*Segment{own}},
			"remove what is not there":    {Remove: []*Segment{foreign}},
			"remove twice":                {Remove: []*Segment{own, own}},
			"add one and a foreign one":   {Add: []*Segment{foreign}, Remove: []*Segment{own}},
			"replace the payload as well": {Add: []*Segment{foreign}, Payload: []byte("x")},
		} {
			if err := s.Commit(change); err == nil || errors.Is(err, ErrFatal) {
				t.Errorf("%s: %v", name, err)
			}
			if got := mustState(t, s, alloc); got.String() != "1 [1 1]" {
				t.Errorf("%s: state is %s", name, got)
			}
		}
	})
}

// damage is something that happens to a store's files behind its back.
func TestDamageIsFound(t *testing.T) {
	manifest := filepath.Join(stateDir, manifestName)
	first := filepath.Join(stateDir, segmentName(0))
	for name, c := range map[string]struct {
		damage func(fs *vfs.Mem) error
		path   string // that the error names
	}{
		"no manifest":       {func(fs *vfs.Mem) error { return fs.Remove(manifest) }, manifest},
		"empty manifest":    {func(fs *vfs.Mem) error { return writeDurably(fs, manifest, nil) }, manifest},
		"manifest of words": {func(fs *vfs.Mem) error { return writeDurably(fs, manifest, make([]byte, 500)) }, manifest},
		"no segment":        {func(fs *vfs.Mem) error { return fs.Remove(first) }, first},
		"short segment":     {func(fs *vfs.Mem) error { return writeDurably(fs, first, []byte("ARROW1")) }, first},
	} {
		t.Run(name, func(t *testing.T) {
			fs := vfs.NewMem()
			s := openStore(t, fs, memory.DefaultAllocator)
			if err := addNumber(s, memory.DefaultAllocator, 1); err != nil {
				t.Fatal(err)
			}
			if err := c.damage(fs); err != nil {
				t.Fatal(err)
			}
			_, err := OpenStore(fs, stateDir, Options{})
			var corrupt *CorruptError
			if !errors.Is(err, ErrCorrupt) || !errors.As(err, &corrupt) || corrupt.Path != c.path || !strings.Contains(err.Error(), c.path) {
				t.Errorf("error %v, want ErrCorrupt in %s", err, c.path)
			}
			if open := fs.OpenFiles(); len(open) > 0 {
				t.Errorf("left open: %q", open)
			}
		})
	}
}

func BenchmarkCommit(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 1))
	batch := randomBatch(memory.DefaultAllocator, rng, everyType, 1000)
	s, err := OpenStore(vfs.OS(), b.TempDir(), Options{})
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		w, err := s.NewWriter(everyType)
		if err != nil {
			b.Fatal(err)
		}
		for partition := range 16 {
			if err := w.Append(partition, batch); err != nil {
				b.Fatal(err)
			}
		}
		segment, err := w.Finish()
		if err != nil {
			b.Fatal(err)
		}
		b.SetBytes(segment.Size)
		if err := s.Commit(Change{Add: []*Segment{segment}, Remove: s.Segments(), Payload: make([]byte, 1<<10)}); err != nil {
			b.Fatal(err)
		}
	}
}
