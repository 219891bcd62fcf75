package segment

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/ipc"
	"github.com/apache/arrow/go/v17/arrow/memory"
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
		rowtest.Checked(t, func(alloc memory.Allocator) {
			batches := make([]columnar.RecordBatch, count)
			for i := range batches {
				batches[i] = randomSlice(alloc, rng, everyType)
				defer batches[i].Release()
			}
			segment := write(t, vfs.OS(), path, everyType, batches)
			checkBlocks(t, vfs.OS(), alloc, segment, batches)
			checkPartitions(t, vfs.OS(), alloc, segment, batches)
			checkArrowFile(t, alloc, segment, batches)
		})
	})
}

// randomSlice returns a random batch, or a part of one, of at least one row.
func randomSlice(alloc memory.Allocator, rng *rand.Rand, schema columnar.Schema) columnar.RecordBatch {
	batch := randomBatch(alloc, rng, schema, 1+rng.IntN(100))
	if rng.IntN(2) == 0 {
		return batch
	}
	defer batch.Release()
	from := rng.Int64N(batch.NumRows())
	return batch.NewSlice(from, from+1+rng.Int64N(batch.NumRows()-from))
}

// fatalfer is what helpers need of a test.
type fatalfer interface {
	Helper()
	Fatalf(string, ...any)
}

// write writes a segment whose i-th batch belongs to partition i modulo partitions.
func write(t fatalfer, fs vfs.FS, path string, schema columnar.Schema, batches []columnar.RecordBatch) *Segment {
	t.Helper()
	w, err := NewWriter(fs, path, schema)
	if err != nil {
		t.Fatalf("create: %v", err)
	}
	for i, batch := range batches {
		if err := w.Append(i%partitions, columnar.View(schema, batch)); err != nil {
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
func checkBlocks(t fatalfer, fs vfs.FS, alloc memory.Allocator, segment *Segment, batches []columnar.RecordBatch) {
	t.Helper()
	r := open(t, fs, segment)
	defer r.Close()
	if len(segment.Blocks) != len(batches) {
		t.Fatalf("%d blocks of %d batches", len(segment.Blocks), len(batches))
	}
	for i := len(batches) - 1; i >= 0; i-- {
		batch, err := r.ReadBlock(i, alloc)
		if err != nil {
			t.Fatalf("read block %d: %v", i, err)
		}
		same(t, batch, batches[i])
		batch.Release()
	}
}

func checkPartitions(t fatalfer, fs vfs.FS, alloc memory.Allocator, segment *Segment, batches []columnar.RecordBatch) {
	t.Helper()
	r := open(t, fs, segment)
	defer r.Close()
	seen := 0
	for p := range partitions {
		next := p
		for batch, err := range r.Partition(p, alloc) {
			if err != nil {
				t.Fatalf("read partition %d: %v", p, err)
			}
			same(t, batch, batches[next])
			batch.Release()
			next += partitions
			seen++
		}
	}
	if seen != len(batches) {
		t.Fatalf("partitions hold %d of %d batches", seen, len(batches))
	}
}

// checkArrowFile reads the segment with Arrow's own reader.
func checkArrowFile(t fatalfer, alloc memory.Allocator, segment *Segment, batches []columnar.RecordBatch) {
	t.Helper()
	file, err := vfs.OS().Open(segment.Path)
	if err != nil {
		t.Fatalf("open: %v", err)
	}
	defer file.Close()
	r, err := ipc.NewFileReader(file.(ipc.ReadAtSeeker), ipc.WithAllocator(alloc))
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
		same(t, batch, batches[i])
		batch.Release()
	}
}

func open(t fatalfer, fs vfs.FS, segment *Segment) *Reader {
	t.Helper()
	r, err := Open(fs, segment)
	if err != nil {
		t.Fatalf("open: %v", err)
	}
	return r
}

func same(t fatalfer, got, want columnar.RecordBatch) {
	t.Helper()
	if !array.RecordEqual(got, want) {
		t.Fatalf("read %v\nwrote %v", got, want)
	}
}

// Arrays may have value offsets that begin anywhere, as when a buffer is shared.
func TestOffsetsThatDoNotBeginAtZero(t *testing.T) {
	rowtest.Checked(t, func(alloc memory.Allocator) {
		text := array.NewData(arrow.BinaryTypes.String, 2, []*memory.Buffer{
			nil, memory.NewBufferBytes(arrow.Int32Traits.CastToBytes([]int32{2, 4, 6})), memory.NewBufferBytes([]byte("aabbcc")),
		}, nil, 0, 0)
		lists := array.NewData(arrow.ListOf(arrow.BinaryTypes.String), 2, []*memory.Buffer{
			nil, memory.NewBufferBytes(arrow.Int32Traits.CastToBytes([]int32{1, 1, 2})),
		}, []arrow.ArrayData{text}, 0, 0)
		whole := array.NewData(arrow.ListOf(arrow.BinaryTypes.String), 2, []*memory.Buffer{
			nil, memory.NewBufferBytes(arrow.Int32Traits.CastToBytes([]int32{0, 1, 2})),
		}, []arrow.ArrayData{text}, 0, 0)
		schema := columnar.Schema{
			{Name: "text", Type: columnar.Text},
			{Name: "lists", Type: columnar.TextList},
			{Name: "whole", Type: columnar.TextList},
		}
		var columns []arrow.Array
		for _, data := range []arrow.ArrayData{text, lists, whole} {
			columns = append(columns, array.MakeFromData(data))
		}
		batch := array.NewRecord(schema.Arrow(), columns, 2)
		defer batch.Release()
		path := filepath.Join(t.TempDir(), "s.arrow")
		segment := write(t, vfs.OS(), path, schema, []columnar.RecordBatch{batch})
		checkBlocks(t, vfs.OS(), alloc, segment, []columnar.RecordBatch{batch})
		checkArrowFile(t, alloc, segment, []columnar.RecordBatch{batch})
		r := open(t, vfs.OS(), segment)
		defer r.Close()
		got, err := r.ReadBlock(0, alloc)
		if err != nil {
			t.Fatal(err)
		}
		defer got.Release()
		if s := fmt.Sprint(got.Column(0), got.Column(1), got.Column(2)); s != `["bb" "cc"] [[] ["cc"]] [["bb"] ["cc"]]` {
			t.Fatalf("read %s", s)
		}
	})
}

func TestNoRowsAreNoBlock(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	rowtest.Checked(t, func(alloc memory.Allocator) {
		empty, batch := randomBatch(alloc, rng, everyType, 0), randomBatch(alloc, rng, everyType, 3)
		defer empty.Release()
		defer batch.Release()
		path := filepath.Join(t.TempDir(), "s.arrow")
		segment := write(t, vfs.OS(), path, everyType, []columnar.RecordBatch{empty, batch, empty})
		if len(segment.Blocks) != 1 || segment.Blocks[0].Partition != 1 {
			t.Errorf("blocks %+v", segment.Blocks)
		}
		checkArrowFile(t, alloc, segment, []columnar.RecordBatch{batch})
	})
}

// Messages are written as they are: a block of one is the block it was read from, and
// one of several is read batch by batch.
func TestMessagesAreBlocks(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	rowtest.Checked(t, func(alloc memory.Allocator) {
		var batches []columnar.RecordBatch
		for range 4 {
			batch := randomBatch(alloc, rng, everyType, 20)
			defer batch.Release()
			batches = append(batches, batch)
		}
		segment := write(t, vfs.OS(), filepath.Join(t.TempDir(), "s.arrow"), everyType, batches)
		copied := writeMessages(t, alloc, segment, 1)
		if !slices.Equal(copied.Blocks, segment.Blocks) {
			t.Errorf("blocks %+v, were %+v", copied.Blocks, segment.Blocks)
		}
		checkBlocks(t, vfs.OS(), alloc, copied, batches)

		joined := writeMessages(t, alloc, segment, 2)
		if len(joined.Blocks) != 2 || joined.Blocks[0].Rows != 40 {
			t.Errorf("blocks %+v", joined.Blocks)
		}
		checkArrowFile(t, alloc, joined, batches)
		if got, err := readPartitions(t, alloc, joined, batches[:2], batches[2:]); got != 4 || err != nil {
			t.Errorf("%d batches of 4, %v", got, err)
		}
		joined.Blocks[0].Rows++
		if got, err := readPartitions(t, alloc, joined, batches[:2]); got != 2 || !errors.Is(err, ErrCorrupt) {
			t.Errorf("of a block of another number of rows: %d batches, %v", got, err)
		}
		joined.Blocks[0].Rows, joined.Schema = 40, everyType[1:]
		if got, err := readPartitions(t, alloc, joined, batches[:2]); got != 0 || !errors.Is(err, ErrCorrupt) {
			t.Errorf("of a block of other columns: %d batches, %v", got, err)
		}
	})
}

// writeMessages copies a segment's blocks, joined by so many to a partition of its own.
func writeMessages(t *testing.T, alloc memory.Allocator, segment *Segment, joined int) *Segment {
	t.Helper()
	r := open(t, vfs.OS(), segment)
	defer r.Close()
	w, err := NewWriter(vfs.OS(), filepath.Join(t.TempDir(), "copy.arrow"), everyType)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(segment.Blocks); i += joined {
		var messages [][]byte
		var rows int64
		for k, block := range segment.Blocks[i : i+joined] {
			message, err := r.ReadMessage(i+k, alloc)
			if err != nil {
				t.Fatal(err)
			}
			defer message.Release()
			messages, rows = append(messages, message.Bytes()), rows+block.Rows
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

// readPartitions reads as many partitions as there are lists of batches, which they
// hold, and returns how many batches it came to.
func readPartitions(t *testing.T, alloc memory.Allocator, segment *Segment, partitions ...[]columnar.RecordBatch) (count int, err error) {
	t.Helper()
	r := open(t, vfs.OS(), segment)
	defer r.Close()
	for p, want := range partitions {
		for batch, err := range r.Partition(p, alloc) {
			if err != nil {
				return count, err
			}
			same(t, batch, want[0])
			batch.Release()
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
		rowtest.Checked(t, func(alloc memory.Allocator) {
			path := filepath.Join(t.TempDir(), "s.arrow")
			w, err := NewWriter(vfs.OS(), path, intSchema)
			if err != nil {
				t.Fatal(err)
			}
			batch := randomBatch(alloc, rng, other, 3)
			defer batch.Release()
			if err := w.Append(0, columnar.View(other, batch)); err == nil || !strings.Contains(err.Error(), path) {
				t.Errorf("append of %s: %v", other, err)
			}
			if _, err := w.Finish(); err == nil {
				t.Error("finished after a refused batch")
			}
			if _, err := vfs.OS().Size(path); err == nil {
				t.Error("the partial file is left")
			}
		})
	}
}
