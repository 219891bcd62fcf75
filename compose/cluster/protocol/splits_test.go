package protocol

import (
	"fmt"
	"testing"

	"analyzer/columnar"
	"analyzer/operators/query/physical"
)

// TestRanges divides a file: each block is of one range, in order.
func TestRanges(t *testing.T) {
	const block = 1 << 10
	for _, c := range []struct {
		size   int64
		ranged bool
		key    []string
		most   int
		splits int
	}{
		{size: 1 << 30, splits: 1},
		{size: 0, ranged: true, splits: 1},
		{size: 8 * block, ranged: true, splits: 1},
		{size: 8*block + 1, ranged: true, splits: 2},
		{size: 1 << 30, ranged: true, splits: maxSplits},
		{size: 1<<30 + 1, ranged: true, splits: maxSplits},
		{size: 1 << 30, ranged: true, key: []string{"id"}, splits: 1},
		{size: 1 << 30, ranged: true, most: SplitsFor(2), splits: 16},
		{size: 24 * block, ranged: true, most: SplitsFor(2), splits: 3},
		{size: 1 << 30, ranged: true, most: 1 << 30, splits: maxSplits},
		{size: 1 << 30, ranged: true, most: SplitsFor(MaxReplicas), splits: maxSplits},
	} {
		spec := &Spec{
			Block: block, Tables: []*columnar.Table{{Name: "t", Key: c.key}}, Plan: new(physical.Plan),
			Sources: map[string]Source{"t": {SourceFile: SourceFile{Fingerprint: Fingerprint{Size: c.size}}, Ranged: c.ranged, Splits: c.most}},
		}
		splits, next := spec.Splits("t"), int64(0)
		if len(splits) != c.splits {
			t.Errorf("%+v: %d splits", c, len(splits))
		}
		for _, s := range splits {
			if s.Files != 1 || s.First != 0 || s.Begin != next || s.Ranged() != (c.splits > 1) {
				t.Errorf("%+v: split %+v behind block %d", c, s, next)
			}
			next += s.Blocks
		}
		if all := (c.size + block - 1) / block; c.splits > 1 && next != all {
			t.Errorf("%+v: the splits have %d blocks, not %d", c, next, all)
		}
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
