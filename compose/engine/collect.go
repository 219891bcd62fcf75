package engine

import (
	"context"

	"analyzer/columnar"
	"analyzer/columnar/spill"
	"analyzer/operators"
)

// collector keeps the rows of an answer until it is its turn.
type collector struct{ rows *spill.Spool }

func newCollector(rt *operators.Runtime, schema columnar.Schema) *collector {
	return &collector{spill.New(spill.Config{
		Schema: schema, Partitions: 1, Scratch: rt.Scratch, Budget: rt.Budget, Holder: "answer",
	})}
}

// Push takes rows in the order of the answer.
func (c *collector) Push(_ context.Context, rows columnar.Rows) error { return c.rows.AddTo(0, rows) }

// Finish completes the answer.
func (c *collector) Finish(context.Context) error { return c.rows.Seal() }

// each hands the answer to f in pages, which f borrows.
func (c *collector) each(ctx context.Context, f func(columnar.Rows) error) error {
	return c.rows.Each(ctx, 0, func(rows columnar.Rows) error {
		for lo := 0; lo < rows.Len; lo += operators.PageRows {
			if err := f(rows.Slice(lo, min(lo+operators.PageRows, rows.Len))); err != nil {
				return err
			}
		}
		return nil
	})
}

func (c *collector) close() error { return c.rows.Close() }
