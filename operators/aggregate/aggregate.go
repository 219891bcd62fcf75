package aggregate

import (
	"context"
	"errors"
	"slices"

	"analyzer/columnar"
	"analyzer/columnar/spill"
	"analyzer/operators"
)

// Operator groups the rows, or states, of one input. Config says what it emits. Groups come in
// no particular order.
type Operator struct {
	rt     *operators.Runtime
	groups *groups
	level  int   // how often its rows were already split by partition
	taken  int64 // rows taken since the table was last empty
	direct int64 // rows that will still bypass the table
	stored int64 // rows that have bypassed it

	spool      *spill.Spool // holds states that did not fit
	partitions int          // of the spool

	to, from *Handed // where Finish hands its groups over instead of emitting them, or takes them over from
	crossed  Crossed
}

const (
	// batchRows is the most rows that are taken at once. A batch's intermediate results then
	// stay in the processor's cache, and room for a new group per row costs little.
	batchRows = 1024
	// streamBytes is how much a streaming aggregation keeps at first, so that its table stays
	// in the processor's cache. If that is too little although groups repeat, it keeps up to
	// mostStreamTimes as much: sending a state on and merging it costs more than the cache
	// misses.
	streamBytes = 4 << 20
	// streamShare limits streamBytes to one part in streamShare of the budget: a state on its
	// way to be merged exists more than once.
	streamShare = 8
	// mostStreamTimes is the factor by which a streaming aggregation may exceed its first limit
	// where groups repeat.
	mostStreamTimes = 4
	// decodedBytes is how many bytes keys may take that are decoded at once.
	decodedBytes = 1 << 20
	// longBytes is how many bytes rows have on average that bypass the table where they would have to leave it soon: each
	// time they are copied takes as much memory again.
	longBytes = 1 << 20
	// firstLook is how many rows a streaming aggregation takes before it may conclude that
	// hardly any repeat. It then needs no large table.
	firstLook = 8 << 10
	// directTimes says how long rows bypass the table of a streaming aggregation before it
	// tries again, as a multiple of the rows it took to find out that groups do not repeat.
	directTimes = 128
	// tableBytes is how much the table of any other aggregation holds before the operator
	// checks whether groups repeat. If they do not, it keeps rows by partition: they take less
	// memory there, and the table of each partition stays in the processor's cache.
	tableBytes = 8 << 20
	// partTableBytes is the same limit for the table of a partition: splitting a partition
	// again costs more than the cache misses of a table several times as large.
	partTableBytes = 4 * tableBytes
	// aloneShare is the part of the budget of which a group that has collected more is alone in the table while its
	// result is made: one part in aloneShare.
	aloneShare = 8
	// maxLevel is how often states are split before memory is overdrawn. By then only equal
	// keys are still together.
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

// newOperator returns an aggregation of rows that were already split level times.
func newOperator(rt *operators.Runtime, l *layout, level int) (*Operator, error) {
	g, err := newGroups(l, rt.Budget)
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

// tableLimit is how many bytes a table holds before the operator checks whether groups repeat.
func (o *Operator) tableLimit() int64 {
	switch {
	case o.groups.cfg.Streaming:
		return o.streamLimit()
	case o.level > 0:
		return partTableBytes
	}
	return tableBytes
}

// streamLimit is how many bytes a streaming aggregation keeps at first. Of a single group only what it
// collects takes bytes, and that does not become less by being kept.
func (o *Operator) streamLimit() int64 {
	if len(o.groups.keys) == 0 {
		return LeastBytes
	}
	if limit := o.rt.Budget.Limit(); limit > 0 {
		return min(streamBytes, max(limit/streamShare, LeastBytes))
	}
	return streamBytes
}

// TakesCoded reports whether a column of the input may be coded: it is a key and nothing else.
func (o *Operator) TakesCoded(column int) bool {
	g := o.groups
	return slices.Contains(g.keys, column) &&
		!slices.ContainsFunc(g.inputs, func(reads []int) bool { return slices.Contains(reads, column) })
}

// Push takes rows in.
func (o *Operator) Push(ctx context.Context, _ int, rows columnar.Rows, emit operators.Emit) error {
	return o.takeIn(ctx, rows, o.groups.begin, emit)
}

// takeStored takes in one partition of a spool.
func (o *Operator) takeStored(ctx context.Context, from *spill.Spool, p int, emit operators.Emit) error {
	return from.Each(ctx, p, func(rows columnar.Rows) error { return o.takeIn(ctx, rows, o.groups.beginStored, emit) })
}

func (o *Operator) takeIn(ctx context.Context, rows columnar.Rows, begin func(columnar.Rows), emit operators.Emit) error {
	var view columnar.Rows // of one part after the other
	for lo := 0; lo < rows.Len; {
		n := min(rows.Len-lo, batchRows)
		if o.direct > 0 {
			n = min(rows.Len-lo, operators.PageRows)
		}
		part := rows
		if n < rows.Len {
			view.View(rows, lo, lo+n)
			part = view
		}
		begin(part)
		if o.direct > 0 || !o.groups.coded {
			if most := o.groups.decodable(); most < n {
				n = most
				view.View(rows, lo, lo+n)
				begin(view)
			}
		}
		if err := o.push(ctx, begin, emit); err != nil {
			return err
		}
		lo += n
	}
	return ctx.Err()
}

// push takes in the current batch, which begin has begun.
func (o *Operator) push(ctx context.Context, begin func(columnar.Rows), emit operators.Emit) error {
	g := o.groups
	switch {
	case o.direct > 0:
		return o.pass(ctx, emit)
	case o.tooLong():
		return o.bypass(emit)
	}
	batch := g.batch
	if g.encode(); !g.fits(o.mustHold() || g.table.count == 0) {
		if err := o.makeRoom(ctx, emit); err != nil {
			return err
		}
		return o.takeIn(ctx, batch, begin, emit) // groups that were handed back have been the current batch since
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

// mustHold reports whether the present groups must stay in memory: they were split as often as
// allowed, or splitting would not separate them.
func (o *Operator) mustHold() bool {
	return o.level >= maxLevel || o.groups.table.count <= 1 && !o.groups.cfg.Streaming
}

// allNew reports whether a streaming aggregation has seen enough rows to tell that nearly all
// of them are groups of their own.
func (o *Operator) allNew() bool {
	return o.groups.cfg.Streaming && o.taken >= firstLook && int64(o.groups.table.count)*32 > o.taken*31
}

// makeRoom empties the table. If few keys were equal, rows bypass the table from then on. If
// more were, the table may grow as large as the budget allows.
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
		err = g.emit(ctx, o.rt, emit)
	case outgrown:
		err = o.setAside(ctx)
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

// tooLong reports whether the rows of the batch are so long that they are better not put into the table: there is no room
// for them, or they leave it at once.
func (o *Operator) tooLong() bool {
	g, bytes := o.groups, int64(0)
	for _, c := range g.batch.Cols {
		if c.Dictionary == nil {
			bytes += c.ValueBytes()
		}
	}
	if len(g.keys) == 0 || bytes < longBytes*int64(g.batch.Len) || o.mustHold() {
		return false
	}
	if !g.cfg.Streaming && g.mem.reserved.TryGrow(bytes) {
		g.mem.reserved.Shrink(bytes)
		return false
	}
	return true
}

// pass has the rows of the batch bypass the table, and checks from time to time whether they should.
func (o *Operator) pass(ctx context.Context, emit operators.Emit) error {
	n := int64(o.groups.batch.Len)
	o.direct -= n
	if err := o.bypass(emit); err != nil || o.groups.cfg.Streaming {
		return err
	}
	if o.stored += n; o.direct > 0 {
		return nil
	}
	return o.lookAgain(ctx, emit)
}

// bypass sends the rows of the batch on, or adds them to their partitions, each as its own state.
func (o *Operator) bypass(emit operators.Emit) error {
	g := o.groups
	g.decode()
	if g.cfg.Streaming {
		rows, err := g.singles()
		if err != nil {
			return err
		}
		return emit(rows)
	}
	g.encode()
	rows, err := g.storedSingles()
	if err != nil {
		return err
	}
	o.openSpool()
	return o.spool.Add(rows, g.hashes, g.table.seed)
}

// lookAgain checks whether groups repeat after all, after the number of rows that bypassed the
// table has doubled. It looks at one partition, which stands for all.
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

// takeBack groups the rows that have bypassed the table.
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

// Finish emits whatever was not emitted yet.
func (o *Operator) Finish(ctx context.Context, _ int, emit operators.Emit) error {
	err := o.finish(ctx, emit)
	return errors.Join(err, o.Close())
}

// finish leaves the operator empty but keeps the memory of its table.
func (o *Operator) finish(ctx context.Context, emit operators.Emit) error {
	o.taken, o.direct = 0, 0
	o.groups.mem.limit = o.tableLimit()
	switch {
	case o.to != nil:
		return o.handOver(ctx, o.to)
	case o.from != nil:
		return o.takeOver(ctx, o.from, emit)
	case o.spool != nil || o.mustSplit():
		return o.merge(ctx, emit)
	}
	g := o.groups
	o.emptyGroup()
	err := g.emit(ctx, o.rt, func(rows columnar.Rows) error {
		if err := emit(rows); err != nil {
			return err
		}
		return ctx.Err()
	})
	if err == nil {
		g.reset()
	}
	return err
}

// mustSplit reports whether groups have collected so much that each is better alone in the table while its result is
// made, so that memory can be freed on the way.
func (o *Operator) mustSplit() bool {
	g := o.groups
	if !g.collects || g.cfg.ToStates || o.mustHold() {
		return false
	}
	most := o.rt.Budget.Limit() / aloneShare
	return most > 0 && g.mem.reserved.Size() > most && slices.ContainsFunc(g.all(), func(ref uint32) bool { return g.collected(ref) > most })
}

// emptyGroup makes the single group of an aggregation without keys if there were no rows.
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
