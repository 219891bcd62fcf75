package known_test

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"slices"
	"testing"
	"testing/fstest"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	arrowipc "github.com/apache/arrow/go/v17/arrow/ipc"
	"github.com/apache/arrow/go/v17/arrow/memory"
	arrowparquet "github.com/apache/arrow/go/v17/parquet"
	"github.com/apache/arrow/go/v17/parquet/pqarrow"

	"analyzer/columnar"
	ours "analyzer/columnar/arrow"
	"analyzer/columnar/csv"
	"analyzer/columnar/input"
	"analyzer/columnar/parquet"
	"analyzer/columnar/vfs"
)

// TestRanges cuts files of the formats that contain their types wherever they can be cut: workers get each block of a
// range, and no other.
func TestRanges(t *testing.T) {
	for name, of := range map[string]struct {
		format *input.Format
		write  func(t *testing.T, numbers arrow.Record, group int64) []byte
	}{
		"Parquet": {parquet.Format(), writeParquet},
		"Arrow":   {ours.Format(), writeArrow},
	} {
		t.Run(name, func(t *testing.T) {
			const rounds = 20
			cut := 0
			for seed := range uint64(rounds) {
				rng := rand.New(rand.NewPCG(seed, 5))
				content := of.write(t, numbers(t, 1+rng.IntN(2000)), 1+rng.Int64N(300))
				c := cutter{t, of.format, file(t, content), 64 << rng.IntN(6)}
				at, err := c.format.Ranges(t.Context(), c.file, new(columnar.Table), c.size)
				if err != nil {
					t.Fatalf("seed %d: %v", seed, err)
				}
				cut += c.compare(rng, seed, at)
				c.refuse(seed, at)
			}
			if cut < 3*rounds {
				t.Errorf("%d ranges of %d files are too few", cut, rounds)
			}
		})
	}
}

// cutter reads ranges of a file, in blocks of a size.
type cutter struct {
	*testing.T
	format *input.Format
	file   vfs.File
	size   int
}

// compare cuts the file at random and returns in how many ranges.
func (c cutter) compare(rng *rand.Rand, seed uint64, at input.Ranges) (ranges int) {
	want, got := c.blocks(0, 0), []int64(nil)
	for first := int64(0); first < at.Blocks; ranges++ {
		end := at.End(first + 1 + rng.Int64N(1+at.Blocks/4))
		got = append(got, c.blocks(first, end)...)
		first = end
	}
	if !slices.Equal(got, want) || int64(len(want)) != at.Blocks {
		c.Fatalf("seed %d: cut at %v of %d: blocks %v, want %v", seed, at.Ends, at.Blocks, got, want)
	}
	return ranges
}

// refuse tries to read from each block on.
func (c cutter) refuse(seed uint64, at input.Ranges) {
	for k := range at.Blocks {
		_, err := c.open(k, 0)
		if can := k == 0 || slices.Contains(at.Ends, k); (err == nil) != can {
			c.Fatalf("seed %d: cut at %v: read from block %d on: %v", seed, at.Ends, k, err)
		}
	}
}

func (c cutter) open(first, end int64) (input.Reader, error) {
	return c.format.Open(c.Context(), c.file, new(columnar.Table), input.Options{Options: csv.Options{BlockSize: c.size, First: first, Blocks: end}})
}

// blocks returns the numbers of the blocks of a range, in order.
func (c cutter) blocks(first, end int64) (all []int64) {
	c.Helper()
	r, err := c.open(first, end)
	if err != nil {
		c.Fatal(err)
	}
	if p := r.(input.Ranged).Passage(); p.From(7).Line != 7 {
		c.Errorf("lines are counted from one range to the next: %+v", p)
	}
	w := r.(input.VectorReader).NewWorker()
	for err = w.Next(); err == nil; err = w.Next() {
		all = append(all, w.Index())
	}
	if !errors.Is(err, io.EOF) {
		c.Fatal(err)
	}
	slices.Sort(all)
	return all
}

// numbers returns a record of one column of rows.
func numbers(t *testing.T, rows int) arrow.Record {
	t.Helper()
	b := array.NewRecordBuilder(memory.DefaultAllocator, arrow.NewSchema([]arrow.Field{{Name: "n", Type: arrow.PrimitiveTypes.Int64}}, nil))
	defer b.Release()
	for i := range rows {
		b.Field(0).(*array.Int64Builder).Append(int64(i))
	}
	record := b.NewRecord()
	t.Cleanup(record.Release)
	return record
}

func writeParquet(t *testing.T, numbers arrow.Record, group int64) []byte {
	t.Helper()
	var out bytes.Buffer
	w, err := pqarrow.NewFileWriter(numbers.Schema(), &out, arrowparquet.NewWriterProperties(arrowparquet.WithMaxRowGroupLength(group)), pqarrow.DefaultWriterProps())
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(w.WriteBuffered(numbers), w.Close()); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func writeArrow(t *testing.T, numbers arrow.Record, batch int64) []byte {
	t.Helper()
	var out bytes.Buffer
	w := arrowipc.NewWriter(&out, arrowipc.WithSchema(numbers.Schema()))
	for at := int64(0); at < numbers.NumRows(); at += batch {
		part := numbers.NewSlice(at, min(at+batch, numbers.NumRows()))
		if err := w.Write(part); err != nil {
			t.Fatal(err)
		}
		part.Release()
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func file(t *testing.T, content []byte) vfs.File {
	t.Helper()
	f, err := vfs.ReadOnly(fstest.MapFS{"t": {Data: content}}).Open("t")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Close() })
	return f
}
