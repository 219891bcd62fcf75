package scan

import (
	"context"
	"errors"
	"fmt"

	"analyzer/columnar/csv"
)

// InputError says what is wrong with a file given as input; see csv.InputError.
type InputError = csv.InputError

// Reasons of an InputError that this package gives.
const (
	ReasonMissingColumns = "missing-columns"
	ReasonRepeatedColumn = "repeated-column"
	ReasonDelimiter      = "wrong-delimiter"
	ReasonTooManyRejects = "too-many-rejects"
	ReasonKey            = "key"
)

// ErrTooManyRejects is wrapped by the InputError that ends a scan of which more
// rows were rejected than Options allow.
var ErrTooManyRejects = errors.New("too many rejected rows")

// report tells of the block's rejected records. What has to happen in the order of
// the file waits for the worker's turn.
func (w *csvWorker) report(ctx context.Context) error {
	s := w.scan
	w.counts = growTo(w.counts, len(s.tally.rejected))
	clear(w.counts)
	for _, st := range w.status {
		w.counts[st]++
	}
	rejected := int64(len(w.status)) - w.counts[valid] - w.counts[blank]
	for st, n := range w.counts {
		if n > 0 && status(st) != valid {
			s.tally.rejected[st].Add(n)
		}
	}
	silent := s.opts.OnReject == nil && s.tally.shownAll(w.counts)
	if rejected == 0 || silent && !s.opts.LimitRejects {
		return nil
	}
	if err := s.turns.Await(ctx, w.block.Index()); err != nil {
		return err
	}
	s.rejects += rejected
	if silent && s.rejects <= s.opts.MaxRejects {
		return nil
	}
	if err := w.tellAll(s.rejects - rejected); err != nil {
		return s.turns.fail(fmt.Errorf("scan %s: %w", s.file, err))
	}
	return nil
}

// tellAll tells of every rejected record of the block, before which there were some
// in the file.
func (w *csvWorker) tellAll(before int64) error {
	s := w.scan
	for r, st := range w.status {
		if st == valid || st == blank {
			continue
		}
		before++
		over := s.opts.LimitRejects && before > s.opts.MaxRejects
		if err := w.tell(r, st); err != nil {
			return err
		}
		if over {
			return s.tooManyRejects(before, w.block.Line(r), st)
		}
	}
	return nil
}

// tell tells of one rejected record.
func (w *csvWorker) tell(r int, st status) error {
	s := w.scan
	sample := s.tally.wants(st)
	if !sample && s.opts.OnReject == nil {
		return nil
	}
	reject := Reject{File: s.file, Line: w.block.Line(r)}
	reject.Reason, reject.Column = s.explain(st)
	if st == duplicate {
		reject.Cell = w.keyCells(r)
	} else if i := st.check(); i >= 0 {
		reject.Cell = excerpt(w.text(w.block.Cell(r, s.checks[i].field)))
	}
	if sample {
		s.tally.sample(st, reject)
	}
	if s.opts.OnReject == nil {
		return nil
	}
	reject.Record = w.block.Record(r)
	if err := s.opts.OnReject(reject); err != nil {
		return fmt.Errorf("keep the rejected row of line %d: %w", reject.Line, err)
	}
	return nil
}

func (s *Scan) tooManyRejects(n, line int64, st status) error {
	reason, column := s.explain(st)
	return &InputError{
		File: s.file, Line: line, Column: column, Reason: ReasonTooManyRejects, Err: ErrTooManyRejects,
		Detail: fmt.Sprintf("row %d that is rejected (%s), %d are allowed", n, reason, s.opts.MaxRejects),
	}
}
