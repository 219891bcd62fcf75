package segment

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"analyzer/columnar"
	"analyzer/columnar/vfs"
)

const stateDir = "/state/job/replica"

// state is what a test knows to be committed: the number in the payload, and
// the numbers in the segments, sorted.
type state struct {
	payload string
	values  []int64
}

func (s state) String() string { return fmt.Sprintf("%s %v", s.payload, s.values) }

func readState(s *Store) (state, error) {
	got := state{payload: string(s.Payload())}
	for _, segment := range s.segments() {
		r, err := s.Open(segment)
		if err != nil {
			return got, err
		}
		for i := range segment.Blocks {
			batch, _, err := r.ReadBlock(i, nil)
			if err != nil {
				return got, errors.Join(err, r.Close())
			}
			got.values = append(got.values, batch.Cols[0].Ints...)
		}
		if err := r.Close(); err != nil {
			return got, err
		}
	}
	slices.Sort(got.values)
	return got, nil
}

// addNumber commits one more segment, with two blocks of the number.
func addNumber(s *Store, number int64, remove ...*Segment) error {
	w, err := s.NewWriter(intSchema)
	if err != nil {
		return err
	}
	batch := numbers(number)
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
	old := s.segments()
	if err := copyBlocks(s.fs, w, old); err != nil {
		return errors.Join(err, w.Abort())
	}
	merged, err := w.Finish()
	if err != nil {
		return err
	}
	return s.Commit(Change{Add: []*Segment{merged}, Remove: old, Payload: s.Payload()})
}

// copyBlocks appends the blocks of segments to another one.
func copyBlocks(fs vfs.FS, to *Writer, from []*Segment) error {
	for _, segment := range from {
		r, err := openSegment(fs, segment)
		if err != nil {
			return err
		}
		for i, block := range segment.Blocks {
			batch, _, err := r.ReadBlock(i, nil)
			if err == nil {
				err = to.Append(block.Partition, batch)
			}
			if err != nil {
				return errors.Join(err, r.Close())
			}
		}
		if err := r.Close(); err != nil {
			return err
		}
	}
	return nil
}

func openStore(t testing.TB, fs vfs.FS) *Store {
	t.Helper()
	s, err := OpenStore(fs, stateDir)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func mustState(t testing.TB, s *Store) state {
	t.Helper()
	got, err := readState(s)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// checkFiles checks that a store's directory holds its state and nothing else.
func checkFiles(t testing.TB, s *Store) {
	t.Helper()
	var want []string
	if !s.unwritten {
		want = append(want, manifestName)
	}
	for _, segment := range s.segments() {
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

// segments returns the committed segments in the order in which they were added.
func (s *Store) segments() []*Segment { return slices.Clone(s.committed.Segments) }

// writerOf writes a segment that belongs to nobody.
func writerOf(fs vfs.FS, path string, schema columnar.Schema) (*Writer, error) {
	return newWriter(&Writer{fs: fs, path: path, schema: schema, buffer: bufferSize, advice: "free space there"})
}

// rows returns the number of rows in all blocks.
func (s *Segment) rows() (n int64) {
	for _, block := range s.Blocks {
		n += block.Rows
	}
	return n
}
