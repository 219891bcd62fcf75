package protocol

import (
	"slices"

	"analyzer/columnar"
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

// Splits returns the splits of a table. There is one unless gateways read several files of it, or a file
// that can be read from any block on, that make enough batches; so there is of a table with a key, since a
// row can repeat any other one, and of one of which the first rows suffice, since nobody should look for
// them far behind.
func (s *Spec) Splits(table string) []Split {
	source := s.Sources[table]
	files := source.Files
	ends := func(st *physical.Stage) bool { return st.Table == table && st.First != nil }
	if files == nil && !source.Ranged {
		return []Split{{Files: 1}}
	}
	if len(s.Table(table).Key) > 0 || slices.ContainsFunc(s.Plan.Stages, ends) {
		return []Split{{Files: len(source.All())}}
	}
	most := int64(maxSplits)
	if source.Splits > 0 {
		most = min(most, int64(source.Splits))
	}
	if files == nil {
		return ranges(source.Size, int64(s.Block), most)
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

// ranges returns the splits of a file of some bytes, of which there are at most so many.
func ranges(size, block, most int64) (splits []Split) {
	blocks := (size + block - 1) / block
	each := max(splitBlocks, (blocks+most-1)/most)
	for begin := int64(0); begin < blocks; begin += each {
		splits = append(splits, Split{Files: 1, Begin: begin, Blocks: min(each, blocks-begin)})
	}
	if len(splits) < 2 {
		return []Split{{Files: 1}}
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
