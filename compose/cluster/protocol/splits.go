package protocol

import (
	"cmp"
	"slices"

	"analyzer/columnar"
	"analyzer/columnar/input"
	"analyzer/operators/query/physical"
)

// Split is a run of the files of a table, or a range of its only file. Its batches are numbered from 0
// on, so that gateways read splits side by side without knowing how many batches the others have.
type Split struct {
	First, Files int
	// Begin is the first block of a range, which has so many Blocks; 0: the split is no range.
	Begin, Blocks int64
}

// Ranged reports whether the split is a range of a file.
func (s Split) Ranged() bool { return s.Blocks > 0 }

// Unit is what a gateway reads in one call: a split of a table, for the scans of a stage.
type Unit struct {
	Stage int `json:"stage"`
	Split int `json:"split"`
}

const (
	// splitBlocks is how many blocks a split has at least, as stored, since each split costs a message
	// to every receiver.
	splitBlocks = 8
	// maxSplits is the most splits of a table: enough to keep many gateways busy to the end.
	maxSplits = 64
	// splitsPerReader is how many splits each gateway reads if all are equally fast: when there are no
	// more, the others wait for less than an eighth of what each has read.
	splitsPerReader = 8
)

// SplitsFor returns how many splits of a table serve some gateways, as Source.Splits.
func SplitsFor(readers int) int { return min(splitsPerReader*max(readers, 1), maxSplits) }

// Splits returns the splits of a table. There is one unless gateways read several files of it that make enough
// batches, or ranges of a file; so there is of a table with a key, since a
// row can repeat any other one, and of one of which the first rows suffice, since nobody should look for
// them far behind.
func (s *Spec) Splits(table string) []Split {
	source := s.Sources[table]
	files := source.Files
	few := func(st *physical.Stage) bool { return st.Table == table && st.First != nil }
	if files == nil && !source.Ranged && source.Ends == nil {
		return []Split{{Files: 1}}
	}
	if len(s.Table(table).Key) > 0 || slices.ContainsFunc(s.Plan.Stages, few) {
		return []Split{{Files: len(source.All())}}
	}
	most := int64(maxSplits)
	if source.Splits > 0 {
		most = min(most, int64(source.Splits))
	}
	switch {
	case files == nil && source.Ranged:
		return ranges(ends(input.RangesOf(source.Size, s.Block), most))
	case files == nil:
		return ranges(source.Ends)
	}
	var all int64
	for _, f := range files.All {
		all += f.Size
	}
	least := max(int64(s.Block)*splitBlocks, (all+most-1)/most)
	var splits []Split
	size := least
	for i, f := range files.All {
		if size >= least {
			splits, size = append(splits, Split{First: i}), 0
		}
		splits[len(splits)-1].Files++
		size += f.Size
	}
	return splits
}

// Cuttable reports whether the source has a file that is large, in blocks of some bytes, and splits for several gateways.
func (s *Source) Cuttable(block int) bool {
	return s.Files == nil && s.Size > splitBlocks*int64(block) && (s.Splits == 0 || s.Splits > splitsPerReader)
}

// Cut has the file of the source read in ranges, as far as it can be cut.
func (s *Source) Cut(at input.Ranges) {
	s.Ends, s.Ranged = ends(at, int64(min(cmp.Or(s.Splits, maxSplits), maxSplits))), false
}

// ends returns where at most so many ranges end.
func ends(at input.Ranges, most int64) (all []int64) {
	each := max(splitBlocks, (at.Blocks+most-1)/most)
	for end := int64(0); end < at.Blocks; {
		end = at.End(end + each)
		all = append(all, end)
	}
	if len(all) < 2 {
		return nil
	}
	return all
}

// ranges returns the splits that end before some blocks.
func ranges(ends []int64) (splits []Split) {
	if ends == nil {
		return []Split{{Files: 1}}
	}
	begin := int64(0)
	for _, end := range ends {
		splits = append(splits, Split{Files: 1, Begin: begin, Blocks: end - begin})
		begin = end
	}
	return splits
}

// Units returns what gateways read for the job, in phases: a unit needs keys of units of earlier
// phases only.
func (s *Spec) Units() (phases [][]Unit) {
	stages := columnar.Only(s.Plan.Stages, func(st *physical.Stage) bool { return st.Table != "" })
	slices.SortFunc(stages, physical.InReadingOrder)
	for i, st := range stages {
		if i == 0 || st.Phase != stages[i-1].Phase {
			phases = append(phases, nil)
		}
		for split := range s.Splits(st.Table) {
			phases[len(phases)-1] = append(phases[len(phases)-1], Unit{Stage: st.ID, Split: split})
		}
	}
	return phases
}

// SplitOf returns the split that a unit of the job reads.
func (s *Spec) SplitOf(u Unit) Split { return s.Splits(s.Plan.Stages[u.Stage].Table)[u.Split] }

// HasUnit reports whether a unit is one of the job.
func (s *Spec) HasUnit(u Unit) bool {
	if u.Stage < 0 || u.Stage >= len(s.Plan.Stages) {
		return false
	}
	table := s.Plan.Stages[u.Stage].Table
	return table != "" && u.Split >= 0 && u.Split < len(s.Splits(table))
}
