package aggregate

import (
	"context"
	"errors"

	"analyzer/columnar"
	"analyzer/columnar/spill"
	"analyzer/operators"
)

// Operator groups the rows, or states, of one input. See Config for what it
// emits. Groups come in no particular order.
type Operator struct {
	rt     *operators.Runtime
	groups *groups
	level  int   // how often its rows were split by partition already
	taken  int64 // rows taken since the table was last empty
	direct int64 // rows that are yet to pass the table by
	stored int64 // rows that have passed it by

	spool      *spill.Spool // of states that did not fit
	partitions int          // of the spool

	to, from *Handed // where groups go in place of being emitted, and come from
	crossed  Crossed
}

const (
	// batchRows is the most rows that are taken at once: what is made for them
	// stays in the processor's cache, and room for all of them as new groups is
	// not much.
	batchRows = 1024
	// streamBytes is what a streaming aggregation keeps at first, so that its
	// table stays in the processor's cache. Where that is too little for groups
	// that repeat, it keeps up to mostStreamTimes as much: a state that is sent on and
	// merged costs more than what the cache misses.
	streamBytes = 4 << 20
	// streamShare is the part of the budget that this is at most: a state on its way to be
	// merged is there more than once.
	streamShare = 8
	// mostStreamTimes is how many times as much a streaming aggregation may keep where
	// groups repeat.
	mostStreamTimes = 4
	// firstLook is how many rows a streaming aggregation takes before it may see that next
	// to none repeat, which needs no large table.
	firstLook = 8 << 10
	// directTimes is how many times the rows that it took to find out that groups do not
	// repeat pass the table of a streaming aggregation by before it tries again.
	directTimes = 128
	// tableBytes is what the table of others holds before they look whether groups
	// repeat. Of some that do not, rows are kept by partition: there they take less, and
	// the table of each partition stays in the processor's cache.
	tableBytes = 8 << 20
	// partTableBytes is what it holds of a partition: to split one once more costs more than
	// what a table several times as large misses the cache.
	partTableBytes = 4 * tableBytes
	// maxLevel is how often states are split before memory is overdrawn: by then
	// nothing but equal keys is together.
	maxLevel = 8
)

// New returns an aggregation. It fails when the configuration does not fit the
// input.
func New(rt *operators.Runtime, cfg Config) (*Operator, error) {
	l, err := newLayout(cfg)
	if err != nil {
		return nil, err
	}
	return newOperator(rt, l, 0)
}

// newOperator returns an aggregation of rows that were split so often already.
func newOperator(rt *operators.Runtime, l *layout, level int) (*Operator, error) {
	g, err := newGroups(l, rt.Budget.Reserve("aggregate"))
	if err != nil {
		return nil, err
	}
	g.table.seed += uint64(level)
	o := &Operator{rt: rt, groups: g, level: level}
	g.mem.limit = o.tableLimit()
	return o, nil
}

// Schema returns the columns that are emitted.
func (o *Operator) Schema() columnar.Schema { return o.groups.output() }

// tableLimit is how many bytes a table holds before it is seen whether groups repeat.
func (o *Operator) tableLimit() int64 {
	switch {
	case o.groups.cfg.Streaming:
		return o.streamLimit()
	case o.level > 0:
		return partTableBytes
	}
	return tableBytes
}

// streamLimit is how many bytes a streaming aggregation keeps at first.
func (o *Operator) streamLimit() int64 {
	if limit := o.rt.Budget.Limit(); limit > 0 {
		return min(streamBytes, max(limit/streamShare, LeastBytes))
	}
	return streamBytes
}

// Push takes rows in.
func (o *Operator) Push(ctx context.Context, _ int, rows columnar.Rows, emit operators.Emit) error {
	return o.takeIn(ctx, rows, o.groups.begin, emit)
}

// takeStored takes in what a partition of a spool has.
func (o *Operator) takeStored(ctx context.Context, from *spill.Spool, p int, emit operators.Emit) error {
	return from.Each(ctx, p, func(rows columnar.Rows) error { return o.takeIn(ctx, rows, o.groups.beginStored, emit) })
}

func (o *Operator) takeIn(ctx context.Context, rows columnar.Rows, begin func(columnar.Rows), emit operators.Emit) error {
	for lo := 0; lo < rows.Len; {
		n := min(rows.Len-lo, batchRows)
		if o.direct > 0 {
			n = min(rows.Len-lo, operators.PageRows)
		}
		part := rows
		if n < rows.Len {
			part = rows.Slice(lo, lo+n)
		}
		begin(part)
		if err := o.push(ctx, emit); err != nil {
			return err
		}
		lo += n
	}
	return ctx.Err()
}

// push takes in the batch that was begun with.
func (o *Operator) push(ctx context.Context, emit operators.Emit) error {
	g := o.groups
	if o.direct > 0 {
		return o.pass(ctx, emit)
	}
	batch, stored := g.batch, g.stored
	g.encode()
	for !g.fits(o.mustHold() || g.table.count == 0) {
		if err := o.makeRoom(ctx, emit); err != nil {
			return err
		}
		if stored { // groups that were handed back were a batch since
			g.beginStored(batch)
		} else {
			g.begin(batch)
		}
		if o.direct > 0 {
			return o.pass(ctx, emit)
		}
		g.encode()
	}
	o.taken += int64(g.batch.Len)
	if err := g.take(); err != nil {
		return err
	}
	switch {
	case !g.mem.full && !o.allNew():
		return nil
	case !o.mustHold():
		return o.makeRoom(ctx, emit)
	case g.mem.outgrown:
		g.mem.lift()
		return nil
	}
	return g.putOff(ctx, o.rt)
}

// mustHold reports whether the groups there are must stay in memory: where
// splitting them has come to an end, or would not take them apart.
func (o *Operator) mustHold() bool {
	return o.level >= maxLevel || o.groups.table.count <= 1 && !o.groups.cfg.Streaming
}

// allNew reports whether a streaming aggregation has seen enough rows to tell that next to
// all of them are groups of their own.
func (o *Operator) allNew() bool {
	return o.groups.cfg.Streaming && o.taken >= firstLook && int64(o.groups.table.count)*32 > o.taken*31
}

// makeRoom empties the table, and leaves it out from then on where it found few
// equal keys. Where it found more, it may be as large as the budget allows.
func (o *Operator) makeRoom(ctx context.Context, emit operators.Emit) error {
	g := o.groups
	useless := int64(g.table.count)*4 > o.taken*3
	streaming, outgrown := g.cfg.Streaming, g.mem.outgrown
	if outgrown && !useless && !streaming {
		g.mem.lift()
		return nil
	}
	if streaming && !useless && int64(g.table.count)*8 > o.taken {
		g.mem.limit = min(2*g.mem.limit, mostStreamTimes*o.streamLimit())
	}
	taken := o.taken
	o.taken = 0
	var err error
	switch {
	case streaming:
		err = g.emit(emit)
	case outgrown:
		err = o.setAside()
	default:
		err = o.spill(ctx)
	}
	if !useless {
		g.reset()
		return err
	}
	g.free()
	switch {
	case streaming:
		o.direct = directTimes * taken
	default:
		o.direct, o.stored = taken, taken
	}
	return err
}

// pass sends the batch on, or to its partitions, as states of single rows.
func (o *Operator) pass(ctx context.Context, emit operators.Emit) error {
	g, n := o.groups, int64(o.groups.batch.Len)
	o.direct -= n
	if g.cfg.Streaming {
		return emit(g.singles())
	}
	g.encode()
	if err := o.spool.Add(g.storedSingles(), g.hashes, g.table.seed); err != nil {
		return err
	}
	if o.stored += n; o.direct > 0 {
		return nil
	}
	return o.lookAgain(ctx, emit)
}

// lookAgain finds out whether groups repeat after all, now that twice as many rows have
// passed the table by. Groups of one partition tell it of all.
func (o *Operator) lookAgain(ctx context.Context, emit operators.Emit) error {
	o.direct = o.stored
	if o.spool.Spilled() {
		return nil
	}
	useless := false
	err := o.deeper(func(child *Operator) error {
		err := child.takeStored(ctx, o.spool, 0, nil)
		useless = child.spool != nil || int64(child.groups.table.count)*4 > o.spool.Rows(0)*3
		return err
	})
	if err != nil || useless {
		return err
	}
	return o.takeBack(ctx, emit)
}

// takeBack makes groups of the rows that have passed the table by.
func (o *Operator) takeBack(ctx context.Context, emit operators.Emit) error {
	from, partitions := o.spool, o.partitions
	o.spool, o.direct = nil, 0
	o.groups.mem.lift()
	for p := range partitions {
		if err := o.takeStored(ctx, from, p, emit); err != nil {
			return errors.Join(err, from.Close())
		}
		from.Forget(p)
	}
	return from.Close()
}

// Finish emits what was not emitted yet.
func (o *Operator) Finish(ctx context.Context, _ int, emit operators.Emit) error {
	err := o.finish(ctx, emit)
	return errors.Join(err, o.Close())
}

// finish leaves the operator empty, with the memory of its table.
func (o *Operator) finish(ctx context.Context, emit operators.Emit) error {
	o.taken, o.direct = 0, 0
	o.groups.mem.limit = o.tableLimit()
	switch {
	case o.to != nil:
		return o.handOver(ctx, o.to)
	case o.from != nil:
		return o.takeOver(ctx, o.from, emit)
	case o.spool != nil:
		return o.merge(ctx, emit)
	}
	g := o.groups
	o.emptyGroup()
	if err := g.settle(ctx); err != nil {
		return err
	}
	err := g.emit(func(rows columnar.Rows) error {
		if err := emit(rows); err != nil {
			return err
		}
		return ctx.Err()
	})
	g.reset()
	return err
}

// emptyGroup makes the one group of an aggregation without keys over no rows.
func (o *Operator) emptyGroup() {
	g := o.groups
	if len(g.keys) > 0 || g.cfg.ToStates || g.table.count > 0 {
		return
	}
	g.table.fits(1, true)
	g.table.lookup(g.table.keys.encode(nil, 1), g.refs)
}

// Close gives back memory and files.
func (o *Operator) Close() error {
	o.taken, o.direct = 0, 0
	err := o.groups.drop()
	o.groups.free()
	return errors.Join(err, o.closeSpool())
}
