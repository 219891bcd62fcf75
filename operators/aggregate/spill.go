package aggregate

import (
	"context"
	"errors"
	"fmt"

	"analyzer/columnar"
	"analyzer/columnar/spill"
	"analyzer/operators"
)

// The number of partitions of a spill is a power of two. It is chosen, within
// bounds, so that each partition gets about partitionBytes of a full table and
// blocks on disk are not tiny.
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
	if o.to != nil {
		o.partitions = o.to.partitions
	}
	o.spool = spill.New(spill.Config{
		Schema: o.groups.storedSchema, Partitions: o.partitions, Scratch: o.rt.Scratch,
		Budget: o.rt.Budget, Holder: "aggregate",
	})
}

// spill writes all groups to disk as states, by partition of the key hash.
func (o *Operator) spill(ctx context.Context) error {
	o.openSpool()
	if err := o.spool.WriteSegment(o.storeAll); err != nil {
		return err
	}
	return o.handBack(ctx)
}

// handBack adds the items that were put off to the spool, whose groups went there when another one came.
func (o *Operator) handBack(ctx context.Context) error {
	g := o.groups
	return g.handBack(ctx, g.asStored(), func(row columnar.Rows) error {
		g.beginStored(row)
		g.encode()
		return o.spool.Add(row, g.hashes, g.table.seed)
	})
}

// setAside is like spill, but keeps the states in memory as far as the budget
// allows.
func (o *Operator) setAside(ctx context.Context) error {
	o.openSpool()
	if err := o.storeAll(o.spool.AddTo); err != nil {
		return err
	}
	return o.handBack(ctx)
}

// storeAll adds all groups to the partitions of their hashes.
func (o *Operator) storeAll(add func(p int, rows columnar.Rows) error) error {
	order, ends := o.groups.table.byPartition(o.partitions)
	lo := 0
	for p, hi := range ends {
		if err := o.groups.store(order[lo:hi], func(rows columnar.Rows) error { return add(p, rows) }); err != nil {
			return err
		}
		lo = hi
	}
	return nil
}

// merge merges states partition by partition, those that were spilled and those of the table, and emits the groups.
func (o *Operator) merge(ctx context.Context, emit operators.Emit) error {
	o.openSpool()
	own := &Handed{partitions: o.partitions}
	err := o.handOver(ctx, own)
	if err == nil {
		err = o.takeOver(ctx, own, emit)
	}
	return errors.Join(err, own.Close())
}

// deeper lends f an operator of the next level, which serves one partition
// after the other.
func (o *Operator) deeper(f func(child *Operator) error) error {
	child, err := newOperator(o.rt, o.groups.layout, o.level+1)
	if err != nil {
		return err
	}
	return errors.Join(f(child), child.Close())
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
