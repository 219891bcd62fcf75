package scan

import (
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
)

// Count is how often something happened in a column.
type Count struct {
	What   string `json:"what"`             // the reason of a rejection or the kind of a warning
	Column string `json:"column,omitempty"` // name in the header, or "" if it is about the whole record
	Count  int64  `json:"count"`
}

// Stats is what a scan has found. Once the scan is complete, it is the same for every scan of
// the file, except for warnings about cells: these are counted once for each cell that was
// materialised.
type Stats struct {
	File string `json:"file"`
	Progress
	Rejected []Count  `json:"rejected,omitempty"` // ordered by reason and column
	Warnings []Count  `json:"warnings,omitempty"` // ordered by kind and column
	Samples  []Reject `json:"samples,omitempty"`  // the first rejected or doubtful records of each reason and column, in the order of the file, without Record
	Notices  []string `json:"notices,omitempty"`  // what was mended in the header
}

// RejectedRows returns how many records were rejected, without blank lines.
func (s *Stats) RejectedRows() int64 {
	n := int64(0)
	for _, c := range s.Rejected {
		if c.What != RejectBlank {
			n += c.Count
		}
	}
	return n
}

// Lossy reports whether rows were rejected, or cells left out.
func (s *Stats) Lossy() bool { return s.RejectedRows() > 0 || len(s.Warnings) > 0 }

// AllButOne is the default limit for the share of rejected rows, just below 1: if no row is
// valid, it is the wrong file.
const AllButOne = 1 - 0x1p-53

// CheckRejects returns an InputError that wraps ErrTooManyRejects if more than most rows were
// rejected, or more than the given share of all. A negative most means no limit.
func (s *Stats) CheckRejects(most int64, share float64) error {
	bad := s.RejectedRows()
	all := s.Rows + bad
	if (most < 0 || bad <= most) && float64(bad) <= share*float64(all) {
		return nil
	}
	return &InputError{
		File: s.File, Reason: ReasonTooManyRejects, Err: ErrTooManyRejects,
		Detail: fmt.Sprintf("%d of %d rows are rejected", bad, all),
	}
}

// tally holds the counts of all workers. Safe for concurrent use.
type tally struct {
	rejected  []atomic.Int64 // by status
	extra     atomic.Int64
	doubts    atomic.Int64
	mended    atomic.Int64
	repeated  atomic.Int64
	malformed []atomic.Int64 // by output
	invalid   []atomic.Int64 // by output
	notices   []string

	limit   int            // maximum number of samples per status
	shown   []atomic.Int64 // number of samples by status
	mu      sync.Mutex
	samples []Reject
}

func newTally(s *Scan, notices []string) *tally {
	statuses := int(firstCheck) + 2*len(s.checks)
	return &tally{
		rejected: make([]atomic.Int64, statuses), malformed: make([]atomic.Int64, len(s.outputs)),
		invalid: make([]atomic.Int64, len(s.outputs)), notices: notices,
		limit: s.opts.Samples, shown: make([]atomic.Int64, statuses),
	}
}

// wants reports whether a status may get more samples.
func (t *tally) wants(st status) bool { return t.shown[st].Load() < int64(t.limit) }

// shownAll reports whether no status with a count may get more samples.
func (t *tally) shownAll(counts []int64) bool {
	for st, n := range counts {
		if n > 0 && status(st) != blank && t.wants(status(st)) {
			return false
		}
	}
	return true
}

// sample keeps a rejected record, without its text.
func (t *tally) sample(st status, r Reject) {
	r.Record = nil
	t.shown[st].Add(1)
	t.mu.Lock()
	t.samples = append(t.samples, r)
	t.mu.Unlock()
}

// Stats returns what the scan has found so far.
func (s *Scan) Stats() Stats {
	out := Stats{File: s.file, Progress: s.Progress(), Notices: slices.Clone(s.tally.notices)}
	for i := range s.tally.rejected {
		if n := s.tally.rejected[i].Load(); n > 0 {
			reason, column := s.explain(status(i))
			out.Rejected = append(out.Rejected, Count{reason, column, n})
		}
	}
	warn := func(kind, column string, n *atomic.Int64) {
		if n.Load() > 0 {
			out.Warnings = append(out.Warnings, Count{kind, column, n.Load()})
		}
	}
	warn(WarnExtraFields, "", &s.tally.extra)
	warn(WarnBehindQuote, "", &s.tally.doubts)
	warn(WarnOpenQuote, "", &s.tally.mended)
	warn(WarnHeader, "", &s.tally.repeated)
	for i := range s.outputs {
		warn(WarnMalformedList, s.outputs[i].Header, &s.tally.malformed[i])
		warn(WarnInvalidUTF8, s.outputs[i].Header, &s.tally.invalid[i])
	}
	slices.SortStableFunc(out.Rejected, inOrder)
	slices.SortStableFunc(out.Warnings, inOrder)
	s.tally.mu.Lock()
	out.Samples = slices.Clone(s.tally.samples)
	s.tally.mu.Unlock()
	return out
}
