package segment

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"analyzer/columnar"
	"analyzer/columnar/vfs"
	"analyzer/columnar/vfs/vfstest"
)

// spill writes a segment of count batches.
func spill(s *Scratch, count int, batch columnar.Rows) (*Segment, error) {
	w, err := s.NewWriter(intSchema)
	if err != nil {
		return nil, err
	}
	for range count {
		if err := w.Append(0, batch); err != nil {
			return nil, errors.Join(err, w.Abort())
		}
	}
	return w.Finish()
}

func TestScratchGoesAway(t *testing.T) {
	parent := t.TempDir()
	s := NewScratch(vfs.OS(), parent)
	if names, err := os.ReadDir(parent); err != nil || len(names) > 0 || s.dir != "" {
		t.Errorf("made before it is needed: %v, %v", names, err)
	}
	batch := intBatch(1 << 10)
	var segments [8]*Segment
	var wait sync.WaitGroup
	for i := range segments {
		wait.Go(func() {
			segment, err := spill(s, i, batch)
			if err != nil {
				t.Error(err)
			}
			segments[i] = segment
		})
	}
	wait.Wait()
	if t.Failed() {
		return
	}
	paths := map[string]bool{}
	var bytes int64
	for i, segment := range segments {
		paths[segment.Path] = true
		bytes += segment.Size
		r, err := s.Open(segment)
		if err != nil {
			t.Fatal(err)
		}
		if rows := segment.rows(); rows != int64(i)*int64(batch.Len) || r.Segment() != segment {
			t.Errorf("segment %d holds %d rows", i, rows)
		}
		if err := r.Close(); err != nil {
			t.Error(err)
		}
		if !strings.HasPrefix(segment.Path, filepath.Join(parent, "analyzer-spill-")) {
			t.Errorf("segment at %s", segment.Path)
		}
	}
	if stats := s.Stats(); len(paths) != 8 || stats.Files != 8 || stats.Bytes != bytes {
		t.Errorf("%d paths, %+v, %d bytes", len(paths), stats, bytes)
	}
	if err := s.Remove(segments[0]); err != nil {
		t.Error(err)
	}
	if err := errors.Join(s.Close(), s.Close()); err != nil {
		t.Error(err)
	}
	if names, err := os.ReadDir(parent); err != nil || len(names) > 0 {
		t.Errorf("left behind: %v, %v", names, err)
	}
	if _, err := s.NewWriter(intSchema); err == nil {
		t.Error("wrote after Close")
	}
}

func TestScratchNeverSyncs(t *testing.T) {
	fs := vfstest.Inject(vfs.NewMem(), vfstest.FailFrom(0, vfs.OpSync, vfs.OpSyncDir))
	s := NewScratch(fs, "/")
	if _, err := spill(s, 3, intBatch(1<<10)); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if syncs := fs.Ops(vfs.OpSync, vfs.OpSyncDir); syncs > 0 {
		t.Errorf("%d syncs", syncs)
	}
}

func TestAFullDiskSaysWhatToDo(t *testing.T) {
	batch := intBatch(1 << 10)
	whole := -1
	for room := 0; whole < 0; room += 500 {
		mem := vfs.NewMem()
		if err := mem.MkdirAll("/spill"); err != nil {
			t.Fatal(err)
		}
		s := NewScratch(vfstest.Inject(mem, vfstest.FillDisk(room)), "/spill")
		s.buffer = 100
		segment, err := spill(s, 10, batch)
		switch {
		case err == nil:
			whole = room
			if int64(room) < segment.Size {
				t.Errorf("%d bytes fit into %d", segment.Size, room)
			}
		case !errors.Is(err, ErrDiskFull) || !errors.Is(err, syscall.ENOSPC) ||
			!strings.Contains(err.Error(), s.dir) || !strings.Contains(err.Error(), "--spill-dir"):
			t.Errorf("room for %d bytes: %v", room, err)
		default:
			if names, err := mem.List(s.dir); err != nil || len(names) > 0 {
				t.Errorf("room for %d bytes: left %q, %v", room, names, err)
			}
			if stats := s.Stats(); stats != (Stats{}) {
				t.Errorf("counted %+v", stats)
			}
		}
		if open := mem.OpenFiles(); len(open) > 0 {
			t.Errorf("room for %d bytes: left open: %q", room, open)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
	if whole == 0 {
		t.Error("a segment fits on a full disk")
	}
}

func TestScratchCannotBeMade(t *testing.T) {
	missing := filepath.Join(t.TempDir(), "none")
	s := NewScratch(vfs.OS(), missing)
	if _, err := s.NewWriter(intSchema); !errors.Is(err, os.ErrNotExist) || !strings.Contains(err.Error(), missing) {
		t.Errorf("error %v", err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}

// Writing, reading and copying fail at every operation without leaving anything.
func TestFaultsLeaveNothingBehind(t *testing.T) {
	batch := intBatch(1 << 10)
	for n := int64(0); ; n++ {
		mem := vfs.NewMem()
		fs := vfstest.Inject(mem, vfstest.FailNth(n))
		s := NewScratch(fs, "/")
		s.buffer = 100
		err := spillAndCopy(fs, s, batch)
		closeErr := s.Close()
		done := err == nil && closeErr == nil
		if err := errors.Join(err, closeErr); err != nil && (!errors.Is(err, vfstest.ErrInjected) || !strings.Contains(err.Error(), "/")) {
			t.Fatalf("operation %d: %v", n, err)
		}
		if open := append(mem.OpenFiles(), fs.OpenFiles()...); len(open) > 0 {
			t.Errorf("operation %d (%v): left open: %q", n, err, open)
		}
		if names, listErr := mem.List("/"); listErr != nil || closeErr == nil && len(names) > 0 {
			t.Errorf("operation %d (%v): left %q, %v", n, err, names, listErr)
		}
		if done {
			if n < 20 {
				t.Errorf("only %d operations", n)
			}
			return
		}
	}
}

// spillAndCopy writes two segments, copies them to one and reads it.
func spillAndCopy(fs vfs.FS, s *Scratch, batch columnar.Rows) error {
	var segments []*Segment
	for range 2 {
		segment, err := spill(s, 2, batch)
		if err != nil {
			return err
		}
		segments = append(segments, segment)
	}
	w, err := s.NewWriter(intSchema)
	if err != nil {
		return err
	}
	if err := copyBlocks(fs, w, segments); err != nil {
		return errors.Join(err, w.Abort())
	}
	whole, err := w.Finish()
	if err != nil {
		return err
	}
	r, err := s.Open(whole)
	if err != nil {
		return err
	}
	rows := int64(0)
	for batch, err := range r.Partition(0, new([]byte)) {
		if err != nil {
			return errors.Join(err, r.Close())
		}
		rows += int64(batch.Len)
	}
	if rows != 4*int64(batch.Len) || len(whole.Blocks) != 4 {
		return errors.Join(errors.New("rows were lost"), r.Close())
	}
	return errors.Join(r.Close(), s.Remove(segments[0]))
}
