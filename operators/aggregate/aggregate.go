package aggregate

import (
	"context"
	"errors"
	"fmt"

	"analyzer/columnar"
	"analyzer/columnar/budget"
	"analyzer/columnar/spool"
	"analyzer/operators"
)

// Operator groups the rows, or states, of one input. See Config for what it
// emits.
type Operator struct {
	rt       *operators.Runtime
	cfg      Config
	level    int // how often its rows were split by partition already
	groups   *groups
	reserved *budget.Reservation
	page     columnar.Rows
	hashes   []uint64

	spool   *spool.Spool // of states, once the budget was exceeded
	direct  bool         // rows pass the table by
	taken   int64        // rows taken since the table was last empty
	singles columnar.Rows
	child   *Operator
}

const (
	// batchRows is the most rows that are taken at once: room is made for all of
	// them as new groups.
	batchRows = 2048
	// partitions is how many parts spilled states are split into: the number of
	// values of the hash bits from partitionShift on.
	partitions     = 64
	partitionShift = 58
	// maxLevel is how often states are split before the budget is overdrawn:
	// 64 to that power leaves nothing but equal keys together.
	maxLevel = 6
	// streamGroups is how many groups a streaming aggregation keeps at most, so
	// that its table stays in the processor's cache.
	streamGroups = 32 << 10
)

// New returns an aggregation.
func New(rt *operators.Runtime, cfg Config) (*Operator, error) {
	return newOperator(rt, cfg, 0)
}

func newOperator(rt *operators.Runtime, cfg Config, level int) (*Operator, error) {
	if cfg.Streaming && !cfg.ToStates {
		return nil, errors.New("aggregate: a streaming aggregation emits states")
	}
	if cfg.FromStates && len(cfg.ArgTypes) != len(cfg.Aggs) {
		return nil, errors.New("aggregate: the types of the arguments are missing")
	}
	o := &Operator{rt: rt, cfg: cfg, reserved: rt.Budget.Reserve("aggregate")}
	var err error
	if o.groups, err = newGroups(cfg, o.reserved); err != nil {
		return nil, err
	}
	o.setLevel(level)
	o.page = columnar.NewRows(o.Schema())
	o.singles = columnar.NewRows(o.groups.output)
	return o, nil
}

// Schema returns the columns that are emitted.
func (o *Operator) Schema() columnar.Schema {
	if o.cfg.ToStates {
		return o.groups.output
	}
	return o.groups.values
}

// Push takes rows in.
func (o *Operator) Push(ctx context.Context, _ int, rows columnar.Rows, emit operators.Emit) error {
	if rows.Len <= batchRows {
		if err := o.push(rows, emit); err != nil {
			return err
		}
		return ctx.Err()
	}
	for lo := 0; lo < rows.Len; lo += batchRows {
		if err := o.push(rows.Slice(lo, min(lo+batchRows, rows.Len)), emit); err != nil {
			return err
		}
	}
	return ctx.Err()
}

func (o *Operator) push(in columnar.Rows, emit operators.Emit) error {
	keys := make([]*columnar.Vector, 0, 8)
	for _, k := range o.groups.keyIn {
		keys = append(keys, in.Cols[k])
	}
	o.hashes = columnar.HashRows(o.hashes, keys, in.Len)
	if o.direct {
		return o.pass(in, emit)
	}
	if o.groups.nullKeys(keys) {
		if err := o.groups.widen(); err != nil {
			return err
		}
	}
	full := o.cfg.Streaming && o.groups.table.count+in.Len > streamGroups
	if full || !o.groups.prepare(keys, in, o.level >= maxLevel) {
		if err := o.makeRoom(emit); err != nil {
			return err
		}
		if o.direct {
			return o.pass(in, emit)
		}
		o.groups.prepare(keys, in, true)
	}
	o.taken += int64(in.Len)
	return o.groups.take(in, o.hashes)
}

// makeRoom empties the table, and leaves it out from then on where it found few
// equal keys.
func (o *Operator) makeRoom(emit operators.Emit) error {
	if o.groups.table.count == 0 {
		return nil
	}
	useless := int64(o.groups.table.count)*4 > o.taken*3
	o.taken = 0
	if o.cfg.Streaming {
		err := o.groups.emit(&o.page, emit)
		if o.direct = useless; useless {
			o.groups.free()
		} else {
			o.groups.reset()
		}
		return err
	}
	if err := o.spill(); err != nil {
		return err
	}
	if o.direct = useless; useless {
		o.groups.free()
	}
	return nil
}

// pass sends rows on, or to their partitions, as states of single rows.
func (o *Operator) pass(in columnar.Rows, emit operators.Emit) error {
	o.groups.single(in, &o.singles)
	if o.cfg.Streaming {
		return flush(&o.singles, emit)
	}
	err := o.spool.Add(o.singles, o.hashes, o.groups.table.seed)
	o.singles.Reset()
	return err
}

// setLevel sets how often the rows were split already; the operator is empty.
func (o *Operator) setLevel(level int) {
	o.level = level
	o.groups.table.seed = columnar.SeedTable + uint64(level)
}

// Finish emits what was not emitted yet.
func (o *Operator) Finish(ctx context.Context, _ int, emit operators.Emit) error {
	defer o.reset()
	if o.spool == nil {
		if err := o.emptyGroup(); err != nil {
			return err
		}
		return o.groups.emit(&o.page, emit)
	}
	if o.groups.table.count > 0 {
		if err := o.spill(); err != nil {
			return err
		}
	}
	o.groups.free()
	if err := o.spool.Seal(); err != nil {
		return err
	}
	return o.merge(ctx, emit)
}

// emptyGroup makes the one group of an aggregation without keys over no rows.
func (o *Operator) emptyGroup() error {
	if len(o.cfg.Keys) > 0 || o.cfg.ToStates || o.groups.table.count > 0 {
		return nil
	}
	none := columnar.NewRows(o.cfg.Input)
	o.groups.prepare(nil, columnar.Rows{Len: 1, Cols: none.Cols}, true)
	o.groups.ids = o.groups.table.lookup(o.groups.ids, make([]uint64, 1), 1)
	return nil
}

// merge puts the spilled states together, partition by partition.
func (o *Operator) merge(ctx context.Context, emit operators.Emit) error {
	if o.child == nil {
		cfg := Config{
			Input: o.groups.output, Keys: o.cfg.Keys, Aggs: o.cfg.Aggs,
			FromStates: true, ArgTypes: o.argTypes(), ToStates: o.cfg.ToStates,
		}
		child, err := newOperator(o.rt, cfg, o.level+1)
		if err != nil {
			return err
		}
		o.child = child
	}
	var all int64
	for p := range partitions {
		all += o.spool.Rows(p)
	}
	for p := range partitions {
		rows := o.spool.Rows(p)
		if rows == 0 {
			continue
		}
		o.child.setLevel(o.level + 1)
		if rows > all/10*9 {
			o.child.setLevel(maxLevel) // one key's states, which no seed takes apart
		}
		push := func(rows columnar.Rows) error { return o.child.Push(ctx, 0, rows, emit) }
		if err := o.spool.Each(ctx, p, push); err != nil {
			return err
		}
		if err := o.child.Finish(ctx, 0, emit); err != nil {
			return err
		}
	}
	return o.child.Close()
}

func (o *Operator) argTypes() []columnar.Type {
	if o.cfg.FromStates {
		return o.cfg.ArgTypes
	}
	types := make([]columnar.Type, len(o.cfg.Aggs))
	for i, at := range o.groups.args {
		if at >= 0 {
			types[i] = o.cfg.Input[at].Type
		}
	}
	return types
}

// reset makes the operator ready for another epoch. The table keeps its memory
// where the next epoch is likely to be of the same size.
func (o *Operator) reset() {
	o.taken, o.direct = 0, false
	o.page.Reset()
	o.singles.Reset()
	if o.spool != nil {
		o.groups.free()
	} else {
		o.groups.reset()
	}
	o.closeSpool()
}

func (o *Operator) closeSpool() error {
	if o.spool == nil {
		return nil
	}
	s := o.spool
	o.spool = nil
	if err := s.Close(); err != nil {
		return fmt.Errorf("aggregate: %w", err)
	}
	return nil
}

// Close gives back memory and files.
func (o *Operator) Close() error {
	err := o.closeSpool()
	if o.child != nil {
		err = errors.Join(err, o.child.Close())
	}
	o.groups.free()
	o.reserved.Release()
	return err
}
