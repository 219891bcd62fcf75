package client

import (
	"context"
	"fmt"
	"slices"

	"analyzer/columnar/csv"
	"analyzer/columnar/scan"
	"analyzer/compose/cluster/protocol"
)

// ranges is what is known of the ranges of a file: between which edges each was read; nil: it was not yet.
type ranges []*csv.Passage

// before returns what precedes a range, nil if it is not known, since a range before it was not read.
func (r ranges) before(split int) *csv.Edge {
	edge := csv.Edge{Line: 1}
	for _, p := range r[:split] {
		if p == nil {
			return nil
		}
		edge = p.From(edge.Line)
	}
	return &edge
}

// add notes between which edges a range was read, and reports whether they may meet those of the ranges beside it.
// nil, which a gateway of another release says, does not.
func (r ranges) add(split int, p *csv.Passage) bool {
	if r[split] = p; p == nil {
		return false
	}
	for i := max(split, 1); i <= split+1 && i < len(r); i++ {
		before, after := r[i-1], r[i]
		if before != nil && after != nil && before.After.Inside != after.Before.Inside {
			return false
		}
	}
	return true
}

// misled reports whether an error may be one of a range that was taken for what it is not: of its cells, of what
// is computed from them, or of their sizes. If it is not, whoever reads the file as a whole has it again.
func misled(err error) bool {
	switch protocol.CodeOf(err) {
	case protocol.TooLarge, protocol.BadBatch:
		return true
	case "":
		cause := protocol.CauseOf(err)
		return scan.IsInput(err) || cause != "" && cause != protocol.Lost
	}
	return false
}

// cutWrongly returns the error of a range that was, perhaps, taken for what it is not.
func (f *feeding) cutWrongly(u protocol.Unit) error {
	return fmt.Errorf("read range %d of %s: %w", u.Split, f.job.Spec.Sources[f.table(u)].Name, ErrWithinQuotes)
}

// number gives the rows that are shown of a range their lines in the file, since a reader that guessed what
// precedes the range counts from there.
func (r ranges) number(split int, s *scan.Stats) {
	first := r.before(split).Line - r[split].Before.Line
	s.Samples = slices.Clone(s.Samples)
	for i := range s.Samples {
		s.Samples[i].Line += first
	}
}

// rangesLocked returns the ranges of a stage, nil if it reads a table as a whole.
func (f *feeding) rangesLocked(stage int) ranges {
	r, known := f.ranges[stage]
	if splits := f.job.Spec.Splits(f.table(protocol.Unit{Stage: stage})); !known && splits[0].Ranged() {
		r = make(ranges, len(splits))
		f.ranges[stage] = r
	}
	return r
}

// endRanges tells the cluster how many batches each range of the table of a stage has, and what was read of it.
func (j *Job) endRanges(ctx context.Context, stage int, read []scan.Stats) error {
	table := j.Spec.Plan.Stages[stage].Table
	var ends []protocol.TableEnd
	for i, split := range j.Spec.Splits(table) {
		s := &read[i]
		for _, n := range j.Spec.Scans(stage) {
			ends = append(ends, protocol.TableEnd{Node: n.ID, Split: i, Batches: uint64(split.Blocks), Read: &protocol.TableRead{
				Table: table, Split: i, Rows: s.Rows, Rejected: first(s.Rejected), Warnings: first(s.Warnings),
			}})
		}
	}
	return j.endTables(ctx, ends)
}
