package protocol

import (
	"slices"

	"analyzer/operators/query/physical"
)

// Split is a run of the files of a table. Its batches are numbered from 0 on, so that gateways read
// splits side by side without knowing how many batches the others have.
type Split struct{ First, Files int }

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
)

// Splits returns the splits of a table. There is one unless gateways read several files of it that make
// enough batches; so there is of a table with a key, since a row can repeat one of any file, and of one of
// which the first rows suffice, since nobody should look for them in files far behind.
func (s *Spec) Splits(table string) []Split {
	files := s.Sources[table].Files
	ends := func(st *physical.Stage) bool { return st.Table == table && st.First != nil }
	if files == nil {
		return []Split{{Files: 1}}
	}
	if len(s.Table(table).Key) > 0 || slices.ContainsFunc(s.Plan.Stages, ends) {
		return []Split{{Files: len(files.All)}}
	}
	var all int64
	for _, f := range files.All {
		all += f.Size
	}
	least := max(int64(s.Block)*splitBlocks, (all+maxSplits-1)/maxSplits)
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

// Units returns what gateways read for the job, in phases: a unit needs keys of units of earlier
// phases only.
func (s *Spec) Units() (phases [][]Unit) {
	stages := slices.DeleteFunc(slices.Clone(s.Plan.Stages), func(st *physical.Stage) bool { return st.Table == "" })
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

// HasUnit reports whether a unit is one of the job.
func (s *Spec) HasUnit(u Unit) bool {
	if u.Stage < 0 || u.Stage >= len(s.Plan.Stages) {
		return false
	}
	table := s.Plan.Stages[u.Stage].Table
	return table != "" && u.Split >= 0 && u.Split < len(s.Splits(table))
}
