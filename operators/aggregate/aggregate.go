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

	spool      *spill.Spool // of states that did not fit
	partitions int          // of the spool
}

const (
	// batchRows is the most rows that are taken at once: what is made for them
	// stays in the processor's cache, and room for all of them as new groups is
	// not much.
	batchRows = 1024
	// streamBytes is what a streaming aggregation keeps at first, so that its
	// table stays in the processor's cache. Where that is too little for groups
	// that repeat, it keeps up to mostStreamBytes: a state that is sent on and
	// merged costs more than what the cache misses.
	streamBytes     = 4 << 20
	mostStreamBytes = 4 * streamBytes
	// directRows is how many rows pass the table of a streaming aggregation by
	// before it tries again whether groups repeat: some hundred times as many as
	// it took to find out that they do not. Others do not try again.
	directRows = 8 << 20
	// maxLevel is how often states are split before memory is overdrawn: by then
	// nothing but equal keys is together.
	maxLevel = 8
)

// New returns an aggregation. It fails when the configuration does not fit the
// input.
func New(rt *operators.Runtime, cfg Config) (*Operator, error) { return newOperator(rt, cfg, 0) }

func newOperator(rt *operators.Runtime, cfg Config, level int) (*Operator, error) {
	l, err := newLayout(cfg)
	if err != nil {
		return nil, err
	}
	g, err := newGroups(l, rt.Budget.Reserve("aggregate"))
	if err != nil {
		return nil, err
	}
	if cfg.Streaming {
		g.mem.limit = streamBytes
	}
	g.table.seed += uint64(level)
	return &Operator{rt: rt, groups: g, level: level}, nil
}

// Schema returns the columns that are emitted.
func (o *Operator) Schema() columnar.Schema { return o.groups.output() }

// Push takes rows in.
func (o *Operator) Push(ctx context.Context, _ int, rows columnar.Rows, emit operators.Emit) error {
	for lo := 0; lo < rows.Len; {
		n := min(rows.Len-lo, batchRows)
		if o.direct > 0 {
			n = min(rows.Len-lo, operators.PageRows)
		}
		part := rows
		if n < rows.Len {
			part = rows.Slice(lo, lo+n)
		}
		if err := o.push(ctx, part, emit); err != nil {
			return err
		}
		lo += n
	}
	return ctx.Err()
}

func (o *Operator) push(ctx context.Context, in columnar.Rows, emit operators.Emit) error {
	o.groups.begin(in)
	if o.direct > 0 {
		return o.pass(emit)
	}
	o.groups.encode()
	if !o.groups.fits(o.mustHold()) {
		if err := o.makeRoom(ctx, emit); err != nil {
			return err
		}
		if o.direct > 0 {
			return o.pass(emit)
		}
		o.groups.encode() // again: groups that were handed back were encoded since
		o.groups.fits(true)
	}
	o.taken += int64(in.Len)
	if err := o.groups.take(); err != nil {
		return err
	}
	switch {
	case !o.groups.mem.full:
		return nil
	case !o.mustHold():
		return o.makeRoom(ctx, emit)
	}
	return o.groups.putOff(ctx, o.rt)
}

// mustHold reports whether the groups there are must stay in memory: where
// splitting them has come to an end, or would not take them apart.
func (o *Operator) mustHold() bool {
	return o.level >= maxLevel || o.groups.table.count <= 1 && !o.groups.cfg.Streaming
}

// makeRoom empties the table, and leaves it out from then on where it found few
// equal keys.
func (o *Operator) makeRoom(ctx context.Context, emit operators.Emit) error {
	g := o.groups
	useless := int64(g.table.count)*4 > o.taken*3
	if g.cfg.Streaming && !useless && int64(g.table.count)*8 > o.taken {
		g.mem.limit = min(2*g.mem.limit, mostStreamBytes)
	}
	o.taken = 0
	var err error
	if g.cfg.Streaming {
		err = g.emit(g.all(), true, emit)
	} else {
		err = o.spill(ctx)
	}
	if useless {
		o.direct = directRows
		g.free()
	} else {
		g.reset()
	}
	return err
}

// pass sends the batch on, or to its partitions, as states of single rows.
func (o *Operator) pass(emit operators.Emit) error {
	states := o.groups.singles()
	if o.groups.cfg.Streaming {
		o.direct -= int64(states.Len)
		return emit(states)
	}
	o.groups.encode()
	return o.spool.Add(states, o.groups.hashes, o.groups.table.seed)
}

// Finish emits what was not emitted yet.
func (o *Operator) Finish(ctx context.Context, _ int, emit operators.Emit) error {
	err := o.finish(ctx, emit)
	return errors.Join(err, o.Close())
}

// finish leaves the operator empty, with the memory of its table.
func (o *Operator) finish(ctx context.Context, emit operators.Emit) error {
	o.taken, o.direct = 0, 0
	if o.groups.cfg.Streaming {
		o.groups.mem.limit = streamBytes
	}
	if o.spool != nil {
		return o.merge(ctx, emit)
	}
	g := o.groups
	o.emptyGroup()
	if err := g.settle(ctx); err != nil {
		return err
	}
	err := g.emit(g.all(), g.cfg.ToStates, func(rows columnar.Rows) error {
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
