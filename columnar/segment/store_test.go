package segment

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"analyzer/columnar/vfs"
	"analyzer/columnar/vfs/vfstest"
)

func TestStateIsThereWhenOpenedAgain(t *testing.T) {
	fs := vfs.NewMem()
	s := openStore(t, fs)
	if got := mustState(t, s); got.String() != " []" || s.committed.Generation != 0 {
		t.Fatalf("a new store holds %s, generation %d", got, s.committed.Generation)
	}
	var want state
	for number := range int64(5) {
		if err := addNumber(s, number); err != nil {
			t.Fatal(err)
		}
		want.payload = fmt.Sprint(number)
		want.values = append(want.values, number, number)
		again := openStore(t, fs)
		if got := mustState(t, again); got.String() != want.String() || again.committed.Generation != uint64(number)+1 {
			t.Fatalf("generation %d: read %s, want %s", again.committed.Generation, got, want)
		}
	}
	if err := compact(s); err != nil {
		t.Fatal(err)
	}
	if got := mustState(t, s); got.String() != want.String() || len(s.segments()) != 1 || len(s.segments()[0].Blocks) != 10 {
		t.Errorf("compacted to %s in %d segments", got, len(s.segments()))
	}
	checkFiles(t, s)
	last := s.segments()[0]
	if err := addNumber(s, 7, last); err != nil {
		t.Fatal(err)
	}
	again := openStore(t, fs)
	if got := mustState(t, again); got.String() != "7 [7 7]" {
		t.Errorf("read %s", got)
	}
	checkFiles(t, again)
	if open := fs.OpenFiles(); len(open) > 0 {
		t.Errorf("left open: %q", open)
	}
}

func TestWhatIsNotCommittedIsDeleted(t *testing.T) {
	fs := vfs.NewMem()
	s := openStore(t, fs)
	if err := addNumber(s, 1); err != nil {
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
	if err := errors.Join(vfs.Replace(fs, filepath.Join(stateDir, "MANIFEST.tmp"), []byte("torn")), vfs.Replace(fs, filepath.Join(stateDir, "MANIFEST.new"), []byte("of an older version"))); err != nil {
		t.Fatal(err)
	}
	foreign := filepath.Join(stateDir, "notes.txt")
	if err := vfs.Replace(fs, foreign, []byte("not ours")); err != nil {
		t.Fatal(err)
	}
	s = openStore(t, fs)
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
}

// A segment that is removed can be opened as long as there is a pin.
func TestPinsKeepSegments(t *testing.T) {
	s := openStore(t, vfs.NewMem())
	if err := addNumber(s, 1); err != nil {
		t.Fatal(err)
	}
	segment, err := s.Segment(segmentName(0))
	if err != nil {
		t.Fatal(err)
	}
	first, second := s.Pin(), s.Pin()
	if err := s.Commit(Change{Remove: []*Segment{segment}}); err != nil {
		t.Fatal(err)
	}
	first()
	r, err := s.Open(segment)
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Close(); err != nil {
		t.Error(err)
	}
	second()
	if _, err := s.Open(segment); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("without a pin the segment opens: %v", err)
	}
	checkFiles(t, s)
}

func TestChangesThatCannotBe(t *testing.T) {
	fs := vfs.NewMem()
	s := openStore(t, fs)
	if err := addNumber(s, 1); err != nil {
		t.Fatal(err)
	}
	scratch, err := writerOf(fs, "/s.arrow", intSchema)
	if err != nil {
		t.Fatal(err)
	}
	foreign, err := scratch.Finish()
	if err != nil {
		t.Fatal(err)
	}
	own := s.segments()[0]
	for name, change := range map[string]Change{
		"add what was not synced":     {Add: []*Segment{foreign}},
		"add what is there":           {Add: []*Segment{own}},
		"remove what is not there":    {Remove: []*Segment{foreign}},
		"remove twice":                {Remove: []*Segment{own, own}},
		"add one and a foreign one":   {Add: []*Segment{foreign}, Remove: []*Segment{own}},
		"replace the payload as well": {Add: []*Segment{foreign}, Payload: []byte("x")},
	} {
		if err := s.Commit(change); err == nil || errors.Is(err, vfs.ErrUnsure) {
			t.Errorf("%s: %v", name, err)
		}
		if got := mustState(t, s); got.String() != "1 [1 1]" {
			t.Errorf("%s: state is %s", name, got)
		}
	}
}

func TestDamageIsFound(t *testing.T) {
	manifest := filepath.Join(stateDir, manifestName)
	first := filepath.Join(stateDir, segmentName(0))
	for name, c := range map[string]struct {
		damage func(fs *vfs.Mem) error
		path   string // that the error names
	}{
		"no manifest":       {func(fs *vfs.Mem) error { return fs.Remove(manifest) }, manifest},
		"empty manifest":    {func(fs *vfs.Mem) error { return vfs.Replace(fs, manifest, nil) }, manifest},
		"manifest of words": {func(fs *vfs.Mem) error { return vfs.Replace(fs, manifest, make([]byte, 500)) }, manifest},
		"no segment":        {func(fs *vfs.Mem) error { return fs.Remove(first) }, first},
		"short segment":     {func(fs *vfs.Mem) error { return vfs.Replace(fs, first, []byte("ARROW1")) }, first},
	} {
		t.Run(name, func(t *testing.T) {
			fs := vfs.NewMem()
			s := openStore(t, fs)
			if err := addNumber(s, 1); err != nil {
				t.Fatal(err)
			}
			if err := c.damage(fs); err != nil {
				t.Fatal(err)
			}
			_, err := OpenStore(fs, stateDir)
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

// A parent that belongs to somebody else, and cannot be synced, is no obstacle.
func TestDirectoriesOfAStore(t *testing.T) {
	mem := vfs.NewMem()
	if err := mem.MkdirAll("/state"); err != nil {
		t.Fatal(err)
	}
	foreign := vfstest.Inject(mem, func(op vfs.Op) error {
		if op.Kind == vfs.OpSyncDir && op.Name == "/" {
			return fs.ErrPermission
		}
		return nil
	})
	if err := addNumber(openStore(t, foreign), 1); err != nil {
		t.Error(err)
	}
	put(t, mem, "/file", nil)
	for _, dir := range []string{"/file", "/file/below"} {
		if _, err := OpenStore(mem, dir); err == nil || !strings.Contains(err.Error(), dir) {
			t.Errorf("store in %s: %v", dir, err)
		}
	}
}
