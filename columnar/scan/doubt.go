package scan

import (
	"context"
	"sync/atomic"

	"analyzer/columnar/input"
)

// doubt counts the records of the block whose quotes stand where they should not, and those that repeat the header, and
// shows the first ones of the file.
func (w *cellWorker) doubt(ctx context.Context) error {
	b, ok := w.block.(input.Doubtful)
	if !ok {
		return nil
	}
	if w.scan.strict {
		return w.refuseDoubts(ctx, b)
	}
	for _, some := range []struct {
		why     status
		tally   *atomic.Int64
		records []int
	}{{doubtful, &w.scan.tally.doubts, b.Doubts()}, {mended, &w.scan.tally.mended, b.Mended()}, {repeated, &w.scan.tally.repeated, b.Repeats()}} {
		some.tally.Add(int64(len(some.records)))
		if len(some.records) == 0 || !w.scan.tally.wants(some.why) {
			continue
		}
		if err := w.showDoubts(ctx, some.why, some.records); err != nil {
			return err
		}
	}
	return nil
}

// ReasonQuotes is the reason of an InputError about quotes that do not stand where they should.
const ReasonQuotes = "wrong-quotes"

// refuseDoubts returns the error of the first record of the block whose quotes stand where they should
// not.
func (w *cellWorker) refuseDoubts(ctx context.Context, b input.Doubtful) error {
	first, what := w.block.Len(), ""
	if w.block.Unclosed() {
		first, what = first-1, "the file ends within quotes that begin in this record"
	}
	for text, records := range map[string][]int{"text follows a closing quote": b.Doubts(), "a quote is not closed": b.Mended()} {
		if len(records) > 0 && records[0] < first {
			first, what = records[0], text
		}
	}
	if what == "" {
		return nil
	}
	return w.scan.fail(ctx, w.block.Index(), &InputError{
		File: w.scan.file, Line: w.block.Line(first), Reason: ReasonQuotes, Detail: what + ": " + excerpt(w.block.Record(first)),
		Hint: "mend the file, or leave strict_mode out: such records are then read as they most probably are meant, and counted",
	})
}

func (w *cellWorker) showDoubts(ctx context.Context, why status, records []int) error {
	s := w.scan
	if err := s.turns.Await(ctx, w.block.Index()); err != nil {
		return err
	}
	reason, _ := s.explain(why)
	for _, r := range records {
		if s.tally.wants(why) {
			s.tally.sample(why, Reject{File: s.file, Line: w.block.Line(r), Reason: reason, Cell: excerpt(w.block.Record(r))})
		}
	}
	return nil
}
