package aggregate

import (
	"analyzer/columnar"
	"analyzer/columnar/spool"
	"analyzer/operators"
)

// spill writes all groups as states, by partition of the key hash, and empties
// the table.
func (o *Operator) spill() error {
	g := o.groups
	if o.spool == nil {
		o.spool = spool.New(spool.Config{
			Schema: g.output, Partitions: partitions, Scratch: o.rt.Scratch,
			Alloc: o.rt.Alloc, Budget: o.rt.Budget, Holder: "aggregate",
		})
	}
	order, starts := g.table.byPartition()
	page := columnar.NewRows(g.output)
	err := o.spool.WriteSegment(func(add func(int, columnar.Rows) error) error {
		for p := range partitions {
			for _, id := range order[starts[p]:starts[p+1]] {
				g.appendState(id, &page)
				if page.Len < spillRows && !bulky(&page) {
					continue
				}
				if err := flush(&page, func(r columnar.Rows) error { return add(p, r) }); err != nil {
					return err
				}
			}
			if err := flush(&page, func(r columnar.Rows) error { return add(p, r) }); err != nil {
				return err
			}
		}
		return nil
	})
	g.reset()
	return err
}

// spillRows is the most rows of one block of a segment: it is what merging
// holds in memory beside its table.
const spillRows = 2 * operators.PageRows
