package segment

import (
	"slices"
	"testing"

	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"analyzer/columnar"
	"analyzer/columnar/rowtest"
	"analyzer/columnar/vfs"
)

// Small blocks of a partition are joined in order, large ones are not.
func TestMergeKeepsOrder(t *testing.T) {
	rowtest.Checked(t, func(alloc memory.Allocator) {
		fs := vfs.NewMem()
		var segments []*Segment
		for i := range int64(3) {
			a, b := numbers(alloc, 10*i, 10*i+1), numbers(alloc, 100*i)
			segments = append(segments, write(t, fs, "/"+segmentName(int(i)), intSchema, Options{Allocator: alloc}, []columnar.RecordBatch{a, b}))
			a.Release()
			b.Release()
		}
		large := intBatch(alloc, mergedBlock)
		defer large.Release()
		segments = append(segments, write(t, fs, "/large", intSchema, Options{Allocator: alloc}, []columnar.RecordBatch{large}))
		w, err := NewWriter(fs, "/merged", intSchema, Options{Allocator: alloc})
		if err != nil {
			t.Fatal(err)
		}
		if err := Merge(fs, segments, w); err != nil {
			t.Fatal(err)
		}
		merged, err := w.Finish()
		if err != nil {
			t.Fatal(err)
		}
		r := open(t, fs, merged)
		defer r.Close()
		if len(merged.Blocks) != 3 {
			t.Fatalf("blocks %+v", merged.Blocks)
		}
		for i, want := range [][]int64{{0, 1, 10, 11, 20, 21}, nil, {0, 100, 200}} {
			batch, err := r.ReadBlock(i, alloc)
			if err != nil {
				t.Fatal(err)
			}
			if want == nil {
				same(t, batch, large)
			} else if got := batch.Column(0).(*array.Int64).Int64Values(); !slices.Equal(got, want) {
				t.Errorf("block %d: %v, want %v", i, got, want)
			}
			batch.Release()
		}
	})
}
