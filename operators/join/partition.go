package join

import (
	"context"

	"analyzer/columnar"
	"analyzer/operators"
)

const (
	// maxLevel is how often rows are split. 64 to that power leaves only equal keys together.
	maxLevel = 6
	// maxPasses is how often probe rows are read again before it is cheaper to write and read
	// both sides once more.
	maxPasses = 4
)

// partition says where the operator of a partition finds its rows.
type partition struct {
	grace  *grace
	number int
	build  int64 // rows
	single bool  // splitting would not make it smaller
	passes bool  // the build side is joined in passes; once set, it stays set
}

// inPasses decides how to join a partition whose build side does not fit: in passes, or split
// again. loaded is the number of build rows that fit.
func (p *partition) inPasses(loaded int) bool {
	p.passes = p.passes || p.single || p.build <= maxPasses*int64(loaded)
	return p.passes
}

// pass joins the build rows in memory with all probe rows of the partition, and forgets them.
func (o *Operator) pass(ctx context.Context, emit operators.Emit) error {
	// The rows are in memory already, so their directory must be too.
	over := max(0, o.rows.Size()+o.directoryBytes()-o.reserved.Size())
	o.reserved.Grow(over)
	o.readied()
	o.rewind()
	probe := func(rows columnar.Rows) error {
		err := o.prober.probe(ctx, rows, emit)
		o.prober.first += rows.Len
		return err
	}
	if err := o.from.grace.probe.Each(ctx, o.from.number, probe); err != nil {
		return err
	}
	if err := o.emitLeft(ctx, emit); err != nil {
		return err
	}
	o.empty()
	o.reserved.Shrink(over)
	return nil
}

// rewind begins another pass over the probe rows of the partition. Their marks persist between
// passes.
func (o *Operator) rewind() {
	rows := o.from.grace.probe.Rows(o.from.number)
	if o.cfg.Kind.KeepsProbe() && o.marked.Size() == 0 {
		o.marked.Grow(marksBytes(rows))
		o.prober.markProbe(rows)
	}
	o.prober.first = 0
}
