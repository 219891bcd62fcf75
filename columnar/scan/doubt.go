package scan

import (
	"context"
	"sync/atomic"

	"analyzer/columnar/input"
)

// doubt counts the records of the block whose quotes stand where they should not, and shows the
// first ones of the file.
func (w *cellWorker) doubt(ctx context.Context) error {
	b, ok := w.block.(input.Doubtful)
	if !ok {
		return nil
	}
	for _, some := range []struct {
		why     status
		tally   *atomic.Int64
		records []int
	}{{doubtful, &w.scan.tally.doubts, b.Doubts()}, {mended, &w.scan.tally.mended, b.Mended()}} {
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
