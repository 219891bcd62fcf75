package join

import (
	"context"

	"analyzer/columnar"
	"analyzer/operators"
)

const (
	// maxLevel is how often rows are split: 64 to that power leaves nothing but
	// equal keys together.
	maxLevel = 6
	// maxPasses is how often probe rows are read again before it is better to
	// write and read both sides once more.
	maxPasses = 4
)

// partition is where the operator of a partition finds its rows.
type partition struct {
	grace  *grace
	number int
	build  int64 // rows
	single bool  // splitting it would make it no smaller
	passes bool  // decided: its build side is joined part by part
}

// inPasses decides how the build side of a partition is joined that does not
// fit: part by part, or split again. loaded is how many rows of it do fit.
func (p *partition) inPasses(loaded int) bool {
	p.passes = p.passes || p.single || p.build <= maxPasses*int64(loaded)
	return p.passes
}

// pass joins the build rows at hand with all probe rows of the partition and
// forgets them.
func (o *Operator) pass(ctx context.Context, emit operators.Emit) error {
	// The rows are here already, so their directory must be.
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

// rewind begins another pass over the probe rows of the partition, whose marks stay
// from one to the next.
func (o *Operator) rewind() {
	rows := o.from.grace.probe.Rows(o.from.number)
	if o.cfg.Kind.KeepsProbe() && o.marked.Size() == 0 {
		o.marked.Grow(marksBytes(rows))
		o.prober.markProbe(rows)
	}
	o.prober.first = 0
}
