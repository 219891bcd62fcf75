package aggregate

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"

	"analyzer/columnar/budget"
	"analyzer/columnar/spill"
	"analyzer/operators"
)

// Handed passes groups from partial aggregations to final ones, by partition of the key hash.
// Any number of operators hand over concurrently; when they are done, any number take over.
type Handed struct {
	partitions int
	next       atomic.Int64 // the next partition that no operator has taken

	mu     sync.Mutex
	spools []*spill.Spool
}

// mostHanded is the number of partitions over all operators that hand over, where memory
// allows. With more, each partition has few rows, which are copied as more rows come; with
// fewer, their tables do not fit into a processor's cache.
const mostHanded = 256

// NewHanded returns an empty Handed for the given number of operators and a budget.
func NewHanded(b *budget.Budget, operators int) *Handed {
	h := &Handed{partitions: leastPartitions}
	for 2*h.partitions*operators <= mostHanded && (b.Limit() <= 0 || int64(h.partitions)*4*partitionBytes < b.Limit()) {
		h.partitions *= 2
	}
	return h
}

// CanHandOver reports whether an aggregation can hand its groups over. That excludes lists and
// texts that grow with the rows, since their values may be needed in order or one by one.
func (c Config) CanHandOver() bool {
	l, err := newLayout(c)
	return err == nil && c.ToStates && len(l.keys) > 0 && !slices.ContainsFunc(l.stateSchema[len(l.keys):], isBulky)
}

// HandOver makes an aggregation to states give its groups to h, instead of emitting them, when
// its input is finished. The aggregation must not be a streaming one.
func (o *Operator) HandOver(h *Handed) { o.to = h }

// handOver gives away all present groups.
func (o *Operator) handOver(ctx context.Context, to *Handed) error {
	if o.groups.table.count > 0 {
		if err := o.empty(ctx); err != nil {
			return err
		}
	}
	o.groups.free()
	if o.spool == nil {
		return nil
	}
	if err := o.spool.Seal(); err != nil {
		return err
	}
	if to == o.to { // not the Handed that merge makes for its own groups
		for p := range o.partitions {
			o.crossed.Out += o.spool.Rows(p)
		}
	}
	to.mu.Lock()
	defer to.mu.Unlock()
	to.spools = append(to.spools, o.spool)
	o.spool = nil
	return nil
}

// empty moves all groups to the spool. They stay in memory if the budget has room for both
// copies.
func (o *Operator) empty(ctx context.Context) error {
	copied := o.rt.Budget.Reserve("aggregate")
	defer copied.Release()
	if o.spool != nil && o.spool.Spilled() || !copied.TryGrow(o.groups.mem.reserved.Size()) {
		return o.spill(ctx)
	}
	copied.Release()
	return o.setAside(ctx)
}

// TakeOver makes an aggregation of states compute results from h when its input is finished. No
// rows are pushed to it. It takes partitions that no other operator has taken.
func (o *Operator) TakeOver(h *Handed) { o.from = h }

// takeOver emits the groups of partitions until no partition is left.
func (o *Operator) takeOver(ctx context.Context, from *Handed, emit operators.Emit) error {
	next := func() int { return int(from.next.Add(1)) - 1 }
	return o.deeper(func(child *Operator) error {
		for p := next(); p < from.partitions; p = next() {
			for _, s := range from.spools {
				if err := child.takeStored(ctx, s, p, emit); err != nil {
					return err
				}
				if from == o.from {
					o.crossed.In += s.Rows(p)
				}
			}
			from.forget(p)
			if err := child.finish(ctx, emit); err != nil {
				return err
			}
		}
		return nil
	})
}

func (h *Handed) forget(p int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, s := range h.spools {
		s.Forget(p)
	}
}

// Crossed is how many groups an operator has taken over and handed over.
type Crossed struct{ In, Out int64 }

// Crossed returns how many groups have come and gone by handover, without Push or emit.
func (o *Operator) Crossed() Crossed { return o.crossed }

// Close gives back the groups that no operator took.
func (h *Handed) Close() error {
	var err error
	for _, s := range h.spools {
		err = errors.Join(err, s.Close())
	}
	h.spools = nil
	return err
}
