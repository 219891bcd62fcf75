package aggregate

import (
	"context"
	"errors"
	"fmt"

	"analyzer/columnar"
	"analyzer/columnar/spill"
	"analyzer/operators"
)

// States are spilled to a power of two of partitions: as many as give each some
// partitionBytes of a full table, so that blocks on disk are not tiny, within
// bounds.
const (
	partitionBytes  = 32 << 10
	leastPartitions = 16
	mostPartitions  = 128
)

// openSpool prepares for spilling, before the table is emptied for the first
// time.
func (o *Operator) openSpool() {
	if o.spool != nil {
		return
	}
	o.partitions = leastPartitions
	for o.partitions < mostPartitions && o.groups.mem.reserved.Size() > partitionBytes*int64(o.partitions) {
		o.partitions *= 2
	}
	o.spool = spill.New(spill.Config{
		Schema: o.groups.stateSchema, Partitions: o.partitions, Scratch: o.rt.Scratch,
		Budget: o.rt.Budget, Holder: "aggregate",
	})
}

// spill writes all groups as states, by partition of the key hash.
func (o *Operator) spill(ctx context.Context) error {
	o.openSpool()
	order, ends := o.groups.table.byPartition(o.partitions)
	err := o.spool.WriteSegment(func(add func(int, columnar.Rows) error) error {
		lo := 0
		for p, hi := range ends {
			write := func(rows columnar.Rows) error { return add(p, rows) }
			if err := o.groups.emit(order[lo:hi], true, write); err != nil {
				return err
			}
			lo = hi
		}
		return nil
	})
	if err != nil {
		return err
	}
	return o.groups.handBack(ctx, o.spool)
}

// merge puts spilled states together, partition by partition, and emits them.
func (o *Operator) merge(ctx context.Context, emit operators.Emit) (err error) {
	if o.groups.table.count > 0 {
		if err := o.spill(ctx); err != nil {
			return err
		}
	}
	o.groups.free()
	if err := o.spool.Seal(); err != nil {
		return err
	}
	child, err := newOperator(o.rt, o.groups.ofStates(), o.level+1)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, child.Close()) }()
	for p := range o.partitions {
		if o.spool.Rows(p) == 0 {
			continue
		}
		push := func(rows columnar.Rows) error { return child.Push(ctx, 0, rows, emit) }
		if err := o.spool.Each(ctx, p, push); err != nil {
			return err
		}
		if err := child.finish(ctx, emit); err != nil {
			return err
		}
	}
	return o.closeSpool()
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
