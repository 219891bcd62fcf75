package generate

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"sync"

	"analyzer/datasets/generate/internal/text"
)

// table is one file to write. Its units, which are rows or groups of rows, can
// be made in any order by any goroutine.
type table struct {
	name    string
	units   int
	perTurn int // units made at a time, about a mebibyte
	// layout returns the columns, and a function that makes one unit in r. Each
	// goroutine has its own, which may keep scratch space. Missing words are
	// reported when the header is made.
	layout func(r *row) ([]column, func(unit int))
}

// write checks the options and writes the tables one after the other.
func write(ctx context.Context, o Options, tables func(words *text.Lexicon) []table) error {
	if err := o.validate(); err != nil {
		return err
	}
	words := text.Load()
	all := tables(words)
	headers := make([][]byte, len(all))
	for i, t := range all {
		headers[i] = t.header()
	}
	if err := words.Err(); err != nil {
		return err
	}
	var bytes, turns, turn int64
	for _, t := range all {
		turns += int64(t.turns())
	}
	wrote := func(n int) {
		bytes, turn = bytes+int64(n), turn+1
		if o.Progress != nil {
			o.Progress(bytes, bytes*turns/turn)
		}
	}
	for i, t := range all {
		if err := t.create(ctx, o, headers[i], wrote); err != nil {
			return fmt.Errorf("generate %s: %w", t.name, err)
		}
	}
	return nil
}

func (t table) create(ctx context.Context, o Options, header []byte, wrote func(int)) (err error) {
	file, err := o.Create(t.name)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	return t.write(ctx, file, header, cmp.Or(o.Workers, runtime.GOMAXPROCS(0)), wrote)
}

func (t table) turns() int { return (t.units + t.perTurn - 1) / t.perTurn }

// lane carries finished buffers from one worker to the writer, and empty ones
// back. A worker is never more than two buffers ahead.
type lane struct{ full, empty chan []byte }

// write makes the table and writes it to w. Worker k makes turns k, k+workers,
// k+2*workers, …; the writer takes the turns from the lanes in order, so that the
// file does not depend on which worker was faster. wrote is called with the bytes of
// each turn.
func (t table) write(ctx context.Context, w io.Writer, header []byte, workers int, wrote func(int)) error {
	ctx, cancel := context.WithCancel(ctx)
	var wg sync.WaitGroup
	defer wg.Wait()
	defer cancel()

	turns := t.turns()
	lanes := make([]lane, workers)
	for k := range lanes {
		lanes[k] = lane{full: make(chan []byte, 2), empty: make(chan []byte, 2)}
		lanes[k].empty <- nil
		lanes[k].empty <- nil
		wg.Go(func() { t.work(ctx, lanes[k], k, workers, turns) })
	}
	if _, err := w.Write(header); err != nil {
		return err
	}
	for turn := range turns {
		from := lanes[turn%workers]
		select {
		case b := <-from.full:
			if _, err := w.Write(b); err != nil {
				return err
			}
			wrote(len(header) + len(b))
			header = nil
			from.empty <- b
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	return context.Cause(ctx)
}

func (t table) work(ctx context.Context, out lane, first, step, turns int) {
	r := new(row)
	_, unit := t.layout(r)
	for turn := first; turn < turns; turn += step {
		select {
		case b := <-out.empty:
			r.B = b[:0]
		case <-ctx.Done():
			return
		}
		for i := turn * t.perTurn; i < min(t.units, (turn+1)*t.perTurn); i++ {
			unit(i)
		}
		out.full <- r.B // never blocks: the lane has room for all of the worker's buffers
	}
}

func (t table) header() []byte {
	var r row
	columns, _ := t.layout(&r)
	var names text.Cells
	for _, c := range columns {
		if c.name != "" {
			names.B = append(append(names.B, c.name...), ',')
		}
	}
	names.End()
	return names.B
}
