package protocol

import (
	"cmp"
	"fmt"
	"slices"
	"testing"

	"analyzer/columnar"
	"analyzer/columnar/input"
	"analyzer/operators/query/physical"
)

// TestRanges divides a file: each block is of one range, in order.
func TestRanges(t *testing.T) {
	const block = 1 << 10
	of := func(size int64) input.Ranges { return input.RangesOf(size, block) }
	for _, c := range []struct {
		at      input.Ranges
		size    int64
		key     []string
		readers int
		splits  int
	}{
		{splits: 1},
		{at: of(8 * block), readers: 2, splits: 1},
		{at: of(8*block + 1), readers: 2, splits: 2},
		{at: of(1 << 30), readers: MaxReplicas, splits: maxSplits},
		{at: of(1<<30 + 1), readers: MaxReplicas, splits: maxSplits},
		{at: of(1 << 30), key: []string{"id"}, readers: 2, splits: 1},
		{at: of(1 << 30), readers: 1, splits: 1},
		{at: of(1 << 30), readers: 2, splits: 16},
		{at: of(24 * block), readers: 2, splits: 3},
		{at: input.Ranges{}, size: 1 << 30, readers: 2, splits: 1},
		{at: input.Ranges{Blocks: 100, Ends: []int64{100}}, readers: 2, splits: 1},
		{at: input.Ranges{Blocks: 100, Ends: []int64{3, 9, 10, 70, 71, 100}}, readers: 2, splits: 3},
		{at: input.Ranges{Blocks: 1000, Ends: []int64{3, 100, 120, 990, 991, 1000}}, readers: 2, splits: 3},
	} {
		source := Source{SourceFile: SourceFile{Fingerprint: Fingerprint{Size: cmp.Or(c.size, c.at.Blocks*block)}}, Splits: SplitsFor(c.readers)}
		if source.Cuttable(block) {
			source.Cut(c.at)
		}
		if err := source.checkEnds(); err != nil {
			t.Errorf("%+v: %v", c, err)
		}
		spec := &Spec{
			Block: block, Tables: []*columnar.Table{{Name: "t", Key: c.key}}, Plan: new(physical.Plan), Sources: map[string]Source{"t": source},
		}
		splits, next := spec.Splits("t"), int64(0)
		if len(splits) != c.splits {
			t.Errorf("%+v: %d splits: %+v", c, len(splits), splits)
		}
		for _, s := range splits {
			if s.Files != 1 || s.First != 0 || s.Begin != next || s.Ranged() != (c.splits > 1) {
				t.Errorf("%+v: split %+v behind block %d", c, s, next)
			}
			next += s.Blocks
		}
		if c.splits > 1 && next != c.at.Blocks {
			t.Errorf("%+v: the splits have %d blocks", c, next)
		}
	}
	for _, ends := range [][]int64{{0, 3}, {3, 3}, {4, 3}, {-1}, make([]int64, maxSplits+1)} {
		if err := (&Source{Ends: ends}).checkEnds(); err == nil {
			t.Errorf("ranges end before blocks %v", ends)
		}
	}
}

// The splits of a job of the version before are those that it had when it was opened.
func TestRangesOfBefore(t *testing.T) {
	source := Source{SourceFile: SourceFile{Fingerprint: Fingerprint{Size: 24 << 10}}, Ranged: true, Splits: SplitsFor(2)}
	spec := &Spec{Block: 1 << 10, Tables: []*columnar.Table{{Name: "t"}}, Plan: new(physical.Plan), Sources: map[string]Source{"t": source}}
	want := []Split{{Files: 1, Blocks: 8}, {Files: 1, Begin: 8, Blocks: 8}, {Files: 1, Begin: 16, Blocks: 8}}
	if got := spec.Splits("t"); !slices.Equal(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
	if spec.Sources = Whole(spec.Sources); len(spec.Splits("t")) != 1 {
		t.Error("a file that is to be read as a whole is not")
	}
}

// TestSplits divides the files of a table: each is of one split, in order, and no split is small but the
// last.
func TestSplits(t *testing.T) {
	const block = 1 << 10
	for _, c := range []struct {
		files, size int
		key         []string
		first       bool
		most        int
		splits      int
	}{
		{files: 1, size: 1 << 30, splits: 1},
		{files: 3, size: 10, splits: 1},
		{files: 100, size: 0, splits: 1},
		{files: 16, size: block, splits: 2},
		{files: 17, size: block, splits: 3},
		{files: 10_000, size: 5 * block, splits: maxSplits},
		{files: 17, size: block, key: []string{"id"}, splits: 1},
		{files: 17, size: block, first: true, splits: 1},
		{files: 10_000, size: 5 * block, most: SplitsFor(1), splits: 8},
	} {
		t.Run(fmt.Sprintf("%d files of %d, key %v, first %v", c.files, c.size, c.key, c.first), func(t *testing.T) {
			several := new(SourceFiles)
			for i := range c.files {
				several.All = append(several.All, PartFile{SourceFile: SourceFile{Name: fmt.Sprint(i), Fingerprint: Fingerprint{Size: int64(c.size)}}})
			}
			spec := &Spec{
				Block: block, Tables: []*columnar.Table{{Name: "t", Key: c.key}, {Name: "u"}},
				Sources: map[string]Source{"t": {Files: several, Splits: c.most}, "u": {SourceFile: SourceFile{Name: "u.csv"}}},
				Plan: &physical.Plan{Stages: []*physical.Stage{
					{ID: 0, Table: "t", Phase: 1}, {ID: 1}, {ID: 2, Table: "u"}, {ID: 3, Table: "t", Phase: 1},
				}},
			}
			if c.first {
				spec.Plan.Stages[3].First = new(int64)
			}
			splits, next := spec.Splits("t"), 0
			if len(splits) != c.splits {
				t.Errorf("%d splits, want %d", len(splits), c.splits)
			}
			for i, s := range splits {
				if s.First != next || s.Files < 1 {
					t.Errorf("split %d is %v, after %d files", i, s, next)
				}
				if small := s.Files*c.size < splitBlocks*block; small && i < len(splits)-1 {
					t.Errorf("split %d is %v", i, s)
				}
				next += s.Files
			}
			if next != c.files {
				t.Errorf("the splits have %d files, not %d", next, c.files)
			}
			phases := spec.Units()
			if len(phases) != 2 || len(phases[0]) != 1 || len(phases[1]) != 2*c.splits || phases[0][0] != (Unit{Stage: 2}) {
				t.Fatalf("units %v", phases)
			}
			for _, u := range phases[1] {
				if !spec.HasUnit(u) {
					t.Errorf("%v is a unit", u)
				}
			}
			for _, u := range []Unit{{Stage: 1}, {Stage: 4}, {Stage: -1}, {Split: c.splits}, {Split: -1}} {
				if spec.HasUnit(u) {
					t.Errorf("%v is no unit", u)
				}
			}
		})
	}
}
