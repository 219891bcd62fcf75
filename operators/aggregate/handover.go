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

// Handed is the groups of aggregations to states, by partition of their keys' hashes, for
// those that make values of them. Any number of operators hand over at a time, and when they
// are done any number take over.
type Handed struct {
	partitions int
	next       atomic.Int64 // partition that nobody has taken

	mu     sync.Mutex
	spools []*spill.Spool
}

// mostHanded is the number of partitions of all who hand over, where memory allows: more of
// them have few rows each, which are moved when there are more, and fewer have tables that do
// not fit into a processor's cache.
const mostHanded = 256

// NewHanded returns a place for groups of so many operators with a budget.
func NewHanded(b *budget.Budget, operators int) *Handed {
	h := &Handed{partitions: leastPartitions}
	for 2*h.partitions*operators <= mostHanded && (b.Limit() <= 0 || int64(h.partitions)*4*partitionBytes < b.Limit()) {
		h.partitions *= 2
	}
	return h
}

// CanHandOver reports whether an aggregation can hand its groups over. It must not need the
// values of one group in order, or one by one: lists and texts that grow with the rows.
func (c Config) CanHandOver() bool {
	l, err := newLayout(c)
	return err == nil && c.ToStates && len(l.keys) > 0 && !slices.ContainsFunc(l.stateSchema[len(l.keys):], isBulky)
}

// HandOver has an aggregation to states, which is not a streaming one, give its groups to h
// instead of emitting them when its input is finished.
func (o *Operator) HandOver(h *Handed) { o.to = h }

// handOver gives away all groups there are.
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
	if to == o.to { // and not its own, which it merges
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

// empty puts all groups into the spool: in memory, if that has room for both.
func (o *Operator) empty(ctx context.Context) error {
	copied := o.rt.Budget.Reserve("aggregate")
	defer copied.Release()
	if o.spool != nil && o.spool.Spilled() || !copied.TryGrow(o.groups.mem.reserved.Size()) {
		return o.spill(ctx)
	}
	copied.Release()
	return o.setAside()
}

// TakeOver has an aggregation of states, to which none are pushed, make values of what was
// handed over to h when its input is finished: it takes partitions that nobody else has.
func (o *Operator) TakeOver(h *Handed) { o.from = h }

// takeOver emits the groups of partitions until none is left.
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

// Crossed is how many groups an operator has taken over, and handed over.
type Crossed struct{ In, Out int64 }

// Crossed returns how many groups have come and gone without being pushed or emitted.
func (o *Operator) Crossed() Crossed { return o.crossed }

// Close gives back what nobody took.
func (h *Handed) Close() error {
	var err error
	for _, s := range h.spools {
		err = errors.Join(err, s.Close())
	}
	h.spools = nil
	return err
}
