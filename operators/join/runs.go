package join

import (
	"context"
	"slices"

	"analyzer/columnar"
	"analyzer/operators"
)

// inRun is set in next of the first row of a chain that is a run: the other bits are where in runs that begins, with the
// number of its rows. Next of the other rows is one more than the first one.
const inRun = 1 << 31

// leastLinks is how many rows chains must have behind their first ones, in the mean, to become runs: to go through short
// chains takes less time than to make runs of them.
const leastLinks = 8

// runsOf returns how many numbers are in the runs of so many rows, at most: the rows, and how many each run has.
func runsOf(rows int) int64 { return int64(rows) + int64(rows)/leastLinks }

// group makes runs of all chains, so that a probe row need only compare the key of a first row. It reports whether it did.
func (d *directory) group() bool {
	if d.links < leastLinks*d.chains || d.chains == 0 || d.ids >= inRun {
		return false
	}
	d.runs = slices.Grow(d.runs, d.links+2*d.chains)
	for _, e := range d.slots {
		if e&entryMore != 0 {
			d.groupChain(uint32(e))
		}
	}
	for _, e := range d.byKey {
		if e != 0 && d.next[e-1] != 0 {
			d.groupChain(e - 1)
		}
	}
	return true
}

func (d *directory) groupChain(first uint32) {
	begin := len(d.runs)
	d.runs = append(d.runs, 1, first)
	for id := d.next[first]; id != 0; {
		d.runs = append(d.runs, id)
		id, d.next[id] = d.next[id], first+1
	}
	d.runs[begin], d.next[first] = uint32(len(d.runs)-begin-1), inRun|uint32(begin)
}

// dissolve makes a chain again of the run with a first row, if it is not one already.
func (d *directory) dissolve(first uint32) {
	run := d.run(first)
	for i, id := range run {
		d.next[id] = 0
		if i+1 < len(run) {
			d.next[id] = run[i+1]
		}
	}
}

// after returns the row behind one in its chain; ok is false if it is the last one, or in a run.
func (d *directory) after(id uint32) (next uint32, ok bool) {
	next = d.next[id]
	return next, next != 0 && (next&inRun == 0 || len(d.runs) == 0)
}

// run returns the rows of the run with a first row; nil if there is none.
func (d *directory) run(first uint32) []uint32 {
	next := d.next[first]
	if next&inRun == 0 || len(d.runs) == 0 {
		return nil
	}
	at := next &^ inRun
	return d.runs[at+1:][:d.runs[at]]
}

// group makes runs of the chains of the directory whose rows all have one key.
func (p *prober) group(rows *columnar.Pages) {
	if !p.directory.group() || p.directory.byKey != nil {
		return
	}
	var mixed []uint32 // the first rows of runs of several keys
	for i := range rows.Count() {
		mixed = p.compareRuns(rows, i, mixed)
	}
	for _, first := range mixed {
		p.directory.dissolve(first)
	}
}

// compareRuns compares the keys of the rows of a page with those of the first rows of their runs. It appends these where
// they differ.
func (p *prober) compareRuns(rows *columnar.Pages, page int, mixed []uint32) []uint32 {
	all, of := &p.all, rows.Page(page)
	firstOf := func(row int) (first uint32, ok bool) {
		next := p.directory.next[columnar.RowID(page, row)]
		return next - 1, next != 0 && next&inRun == 0
	}
	for row := range of.Len {
		if first, ok := firstOf(row); ok {
			all.pos, all.ids = append(all.pos, int32(row)), append(all.ids, first)
		}
	}
	n := len(all.pos)
	for _, k := range p.buildKeys {
		n = rows.Match(k, of.Cols[k], all.pos[:n], all.ids[:n])
	}
	if n < len(all.pos) {
		for row := range of.Len {
			if _, equal := slices.BinarySearch(all.pos[:n], int32(row)); !equal {
				if first, ok := firstOf(row); ok {
					mixed = append(mixed, first)
				}
			}
		}
	}
	all.pos, all.ids = all.pos[:0], all.ids[:0]
	return mixed
}

// withRuns emits the pairs of probe rows with all rows of the runs of build rows whose keys they have.
func (p *prober) withRuns(ctx context.Context, rows columnar.Rows, pos []int32, ids []uint32, emit operators.Emit) error {
	out := &p.all
	for i, id := range ids {
		run := p.directory.run(id)
		if run == nil {
			run = ids[i : i+1]
		}
		for len(run) > 0 {
			n := min(len(run), operators.PageRows-len(out.pos))
			out.add(pos[i], run[:n])
			if run = run[n:]; len(out.pos) == operators.PageRows {
				if err := p.emitPairs(ctx, rows, out, emit); err != nil {
					return err
				}
			}
		}
	}
	return p.emitPairs(ctx, rows, out, emit)
}
