package scan

import (
	"context"
	"errors"
	"fmt"

	"analyzer/columnar/csv"
)

// InputError says what is wrong with a file given as input; see csv.InputError.
type InputError = csv.InputError

// IsInput reports whether an error is the fault of a file given as input.
func IsInput(err error) bool {
	var fault *InputError
	return errors.As(err, &fault)
}

// Reasons of an InputError that this package gives.
const (
	ReasonMissingColumns = "missing-columns"
	ReasonRepeatedColumn = "repeated-column"
	ReasonDelimiter      = "wrong-delimiter"
	ReasonTooManyRejects = "too-many-rejects"
	ReasonKey            = "key"
)

// ErrTooManyRejects is wrapped by the InputError that ends a scan with more rejected rows
// than Options allow.
var ErrTooManyRejects = errors.New("too many rejected rows")

// report counts and reports the rejected records of the block. The steps that must happen
// in the order of the file wait for the block's turn.
func (w *cellWorker) report(ctx context.Context) error {
	s := w.scan
	rejected := int64(w.rejected) - w.counts[blank]
	for st, n := range w.counts {
		if n > 0 {
			s.tally.rejected[st].Add(n)
		}
	}
	w.rejects = int(rejected)
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

// tellAll calls tell for every rejected record of the block. before is the number of
// rejected records in the file before the block.
func (w *cellWorker) tellAll(before int64) error {
	for r, st := range w.status {
		if st == valid || st == blank {
			continue
		}
		before++
		err := w.scan.tell(before, w.block.Line(r), st, func(reject *Reject) error {
			reject.Record = w.block.Record(r)
			if st == duplicate {
				reject.Cell = w.keyCells(r)
			} else if i := st.check(); i >= 0 {
				reject.Cell = excerpt(w.text(w.block.Cell(r, w.scan.checks[i].field)))
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// tell reports rejected record n of the file, as a sample and to OnReject, if either is
// wanted. It returns an error, which ends the scan, if n exceeds the limit. show fills in
// the content of the Reject.
func (s *Scan) tell(n, line int64, st status, show func(*Reject) error) error {
	reason, column := s.explain(st)
	if sample := s.tally.wants(st); sample || s.opts.OnReject != nil {
		reject := Reject{File: s.file, Line: line, Reason: reason, Column: column}
		if err := show(&reject); err != nil {
			return err
		}
		if sample {
			s.tally.sample(st, reject)
		}
		if s.opts.OnReject != nil {
			if err := s.opts.OnReject(reject); err != nil {
				return fmt.Errorf("keep the rejected row of line %d: %w", line, err)
			}
		}
	}
	if !s.opts.LimitRejects || n <= s.opts.MaxRejects {
		return nil
	}
	return &InputError{
		File: s.file, Line: line, Column: column, Reason: ReasonTooManyRejects, Err: ErrTooManyRejects,
		Detail: fmt.Sprintf("row %d that is rejected (%s), %d are allowed", n, reason, s.opts.MaxRejects),
	}
}
