package segment

import (
	"errors"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow/ipc"
	"pgregory.net/rapid"

	"analyzer/columnar"
	"analyzer/columnar/rowtest"
	"analyzer/columnar/vfs"
)

const partitions = 3

func TestBatchesComeBackAsTheyWere(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.arrow")
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		count := rapid.IntRange(0, 5).Draw(t, "batches")
		batches := make([]columnar.Rows, count)
		for i := range batches {
			batches[i] = randomSlice(rng, everyType)
		}
		segment := write(t, vfs.OS(), path, everyType, batches)
		checkBlocks(t, vfs.OS(), segment, batches)
		checkPartitions(t, vfs.OS(), segment, batches)
		checkArrowFile(t, segment, batches)
	})
}

// randomSlice returns a random batch, or a part of one, of at least one row.
func randomSlice(rng *rand.Rand, schema columnar.Schema) columnar.Rows {
	batch := randomBatch(rng, schema, 1+rng.IntN(100))
	if rng.IntN(2) == 0 {
		return batch
	}
	from := rng.IntN(batch.Len)
	return batch.Slice(from, from+1+rng.IntN(batch.Len-from))
}

// fatalfer is what helpers need of a test.
type fatalfer interface {
	Helper()
	Fatalf(string, ...any)
}

// write writes a segment whose i-th batch belongs to partition i modulo partitions.
func write(t fatalfer, fs vfs.FS, path string, schema columnar.Schema, batches []columnar.Rows) *Segment {
	t.Helper()
	w, err := writerOf(fs, path, schema)
	if err != nil {
		t.Fatalf("create: %v", err)
	}
	for i, batch := range batches {
		if err := w.Append(i%partitions, batch); err != nil {
			t.Fatalf("append batch %d: %v", i, err)
		}
	}
	segment, err := w.Finish()
	if err != nil {
		t.Fatalf("finish: %v", err)
	}
	return segment
}

// checkBlocks reads the blocks last to first.
func checkBlocks(t fatalfer, fs vfs.FS, segment *Segment, batches []columnar.Rows) {
	t.Helper()
	r := open(t, fs, segment)
	defer r.Close()
	if len(segment.Blocks) != len(batches) {
		t.Fatalf("%d blocks of %d batches", len(segment.Blocks), len(batches))
	}
	for i := len(batches) - 1; i >= 0; i-- {
		batch, _, err := r.ReadBlock(i, nil)
		if err != nil {
			t.Fatalf("read block %d: %v", i, err)
		}
		rowtest.Same(t, batch, batches[i])
	}
}

func checkPartitions(t fatalfer, fs vfs.FS, segment *Segment, batches []columnar.Rows) {
	t.Helper()
	r := open(t, fs, segment)
	defer r.Close()
	seen := 0
	for p := range partitions {
		next := p
		for batch, err := range r.Partition(p, new([]byte)) {
			if err != nil {
				t.Fatalf("read partition %d: %v", p, err)
			}
			rowtest.Same(t, batch, batches[next])
			next += partitions
			seen++
		}
	}
	if seen != len(batches) {
		t.Fatalf("partitions hold %d of %d batches", seen, len(batches))
	}
}

// checkArrowFile reads the segment with Arrow's own reader.
func checkArrowFile(t fatalfer, segment *Segment, batches []columnar.Rows) {
	t.Helper()
	file, err := vfs.OS().Open(segment.Path)
	if err != nil {
		t.Fatalf("open: %v", err)
	}
	defer file.Close()
	r, err := ipc.NewFileReader(file.(ipc.ReadAtSeeker))
	if err != nil {
		t.Fatalf("not an Arrow file: %v", err)
	}
	defer r.Close()
	if r.NumRecords() != len(batches) {
		t.Fatalf("Arrow finds %d of %d batches", r.NumRecords(), len(batches))
	}
	for i := range batches {
		batch, err := r.RecordAt(i)
		if err != nil {
			t.Fatalf("Arrow reads batch %d: %v", i, err)
		}
		rowtest.Same(t, rowtest.FromArrow(segment.Schema, batch), batches[i])
		batch.Release()
	}
}

func open(t fatalfer, fs vfs.FS, segment *Segment) *Reader {
	t.Helper()
	r, err := openSegment(fs, segment)
	if err != nil {
		t.Fatalf("open: %v", err)
	}
	return r
}

func TestNoRowsAreNoBlock(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	empty, batch := randomBatch(rng, everyType, 0), randomBatch(rng, everyType, 3)
	path := filepath.Join(t.TempDir(), "s.arrow")
	segment := write(t, vfs.OS(), path, everyType, []columnar.Rows{empty, batch, empty})
	if len(segment.Blocks) != 1 || segment.Blocks[0].Partition != 1 {
		t.Errorf("blocks %+v", segment.Blocks)
	}
	checkArrowFile(t, segment, []columnar.Rows{batch})
}

// Messages are written as they are: a block of one is the block it was read from, and
// one of several is read batch by batch.
func TestMessagesAreBlocks(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	var batches []columnar.Rows
	for range 4 {
		batch := randomBatch(rng, everyType, 20)
		batches = append(batches, batch)
	}
	segment := write(t, vfs.OS(), filepath.Join(t.TempDir(), "s.arrow"), everyType, batches)
	copied := writeMessages(t, segment, 1)
	if !slices.Equal(copied.Blocks, segment.Blocks) {
		t.Errorf("blocks %+v, were %+v", copied.Blocks, segment.Blocks)
	}
	checkBlocks(t, vfs.OS(), copied, batches)

	joined := writeMessages(t, segment, 2)
	if len(joined.Blocks) != 2 || joined.Blocks[0].Rows != 40 {
		t.Errorf("blocks %+v", joined.Blocks)
	}
	checkArrowFile(t, joined, batches)
	if got, err := readPartitions(t, joined, batches[:2], batches[2:]); got != 4 || err != nil {
		t.Errorf("%d batches of 4, %v", got, err)
	}
	joined.Blocks[0].Rows++
	if got, err := readPartitions(t, joined, batches[:2]); got != 2 || !errors.Is(err, ErrCorrupt) {
		t.Errorf("of a block of another number of rows: %d batches, %v", got, err)
	}
	joined.Blocks[0].Rows, joined.Schema = 40, everyType[1:]
	if got, err := readPartitions(t, joined, batches[:2]); got != 0 || !errors.Is(err, ErrCorrupt) {
		t.Errorf("of a block of other columns: %d batches, %v", got, err)
	}
}

// writeMessages copies a segment's blocks, joined by so many to a partition of its own.
func writeMessages(t *testing.T, segment *Segment, joined int) *Segment {
	t.Helper()
	r := open(t, vfs.OS(), segment)
	defer r.Close()
	w, err := writerOf(vfs.OS(), filepath.Join(t.TempDir(), "copy.arrow"), everyType)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(segment.Blocks); i += joined {
		var messages [][]byte
		var rows int64
		for k, block := range segment.Blocks[i : i+joined] {
			message, err := r.ReadMessage(i+k, nil)
			if err != nil {
				t.Fatal(err)
			}
			messages, rows = append(messages, message), rows+block.Rows
		}
		partition := segment.Blocks[i].Partition
		if joined > 1 {
			partition = i / joined
		}
		if err := w.AppendMessages(partition, messages, rows); err != nil {
			t.Fatal(err)
		}
	}
	copied, err := w.Finish()
	if err != nil {
		t.Fatal(err)
	}
	return copied
}

// readPartitions reads the partitions, compares each with its list of batches, and returns how
// many batches it has read.
func readPartitions(t *testing.T, segment *Segment, partitions ...[]columnar.Rows) (count int, err error) {
	t.Helper()
	r := open(t, vfs.OS(), segment)
	defer r.Close()
	for p, want := range partitions {
		for batch, err := range r.Partition(p, new([]byte)) {
			if err != nil {
				return count, err
			}
			rowtest.Same(t, batch, want[0])
			want, count = want[1:], count+1
		}
	}
	return count, nil
}

func TestBatchesOfOtherColumnsAreRefused(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for _, other := range []columnar.Schema{
		{{Name: "value", Type: columnar.Text}},
		{{Name: "value", Type: columnar.Int}, {Name: "more", Type: columnar.Int}},
	} {
		path := filepath.Join(t.TempDir(), "s.arrow")
		w, err := writerOf(vfs.OS(), path, intSchema)
		if err != nil {
			t.Fatal(err)
		}
		batch := randomBatch(rng, other, 3)
		if err := w.Append(0, batch); err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("append of %s: %v", other, err)
		}
		if _, err := w.Finish(); err == nil {
			t.Error("finished after a refused batch")
		}
		if _, err := vfs.OS().Size(path); err == nil {
			t.Error("the partial file is left")
		}
	}
}
