package generate

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"

	"analyzer/datasets/generate/internal/text"
)

// table is one file to write. Its units, which are rows or groups of rows, can
// be made in any order by any goroutine.
type table struct {
	name    string
	header  string
	lineEnd string
	units   int
	perTurn int // units made in one go, to give about a mebibyte
	// maker returns a function that appends one unit. Each goroutine has its
	// own, which may keep scratch space.
	maker func() func(c *text.Cells, unit int)
}

// writeAll writes the tables one after the other.
func writeAll(ctx context.Context, o Options, tables ...table) error {
	var total int64
	count := func(n int) {
		total += int64(n)
		if o.Progress != nil {
			o.Progress(total)
		}
	}
	for _, t := range tables {
		if err := t.create(ctx, o, count); err != nil {
			return fmt.Errorf("generate %s: %w", t.name, err)
		}
	}
	return nil
}

func (t table) create(ctx context.Context, o Options, count func(int)) (err error) {
	file, err := o.Create(t.name)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	return t.write(ctx, file, o.workers(), count)
}

// lane carries finished buffers from one worker to the writer, and empty ones
// back. A worker is never more than two buffers ahead.
type lane struct{ full, empty chan []byte }

// write makes the table and writes it to w. Worker k makes turns k, k+workers,
// k+2*workers, …; the writer takes them from the lanes in the same order, so that
// the file does not depend on who was faster.
func (t table) write(ctx context.Context, w io.Writer, workers int, count func(int)) error {
	ctx, cancel := context.WithCancel(ctx)
	var wg sync.WaitGroup
	defer wg.Wait()
	defer cancel()

	turns := (t.units + t.perTurn - 1) / t.perTurn
	lanes := make([]lane, workers)
	for k := range lanes {
		lanes[k] = lane{full: make(chan []byte, 2), empty: make(chan []byte, 2)}
		lanes[k].empty <- nil
		lanes[k].empty <- nil
		wg.Go(func() { t.work(ctx, lanes[k], k, workers, turns) })
	}
	header := t.header + t.newline()
	if _, err := io.WriteString(w, header); err != nil {
		return err
	}
	count(len(header))
	for turn := range turns {
		from := lanes[turn%workers]
		select {
		case b := <-from.full:
			if _, err := w.Write(b); err != nil {
				return err
			}
			count(len(b))
			from.empty <- b
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	return context.Cause(ctx)
}

func (t table) work(ctx context.Context, out lane, first, step, turns int) {
	cells := text.Cells{LineEnd: t.newline()}
	unit := t.maker()
	for turn := first; turn < turns; turn += step {
		select {
		case b := <-out.empty:
			cells.B = b[:0]
		case <-ctx.Done():
			return
		}
		for i := turn * t.perTurn; i < min(t.units, (turn+1)*t.perTurn); i++ {
			unit(&cells, i)
		}
		out.full <- cells.B // never blocks: the lane has room for every buffer there is
	}
}

func (t table) newline() string {
	if t.lineEnd == "" {
		return "\n"
	}
	return t.lineEnd
}
