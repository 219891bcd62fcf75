package order_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"analyzer/columnar"
	"analyzer/columnar/input"
	"analyzer/operators"
	"analyzer/operators/optest"
	"analyzer/operators/order"
)

// leaving is two sorts with a limit that take rows in turn, but those that need not be read, and one of what they emit.
type leaving struct {
	parts   [2]*order.Sort
	firsts  [2]*order.First
	whole   *order.Sort
	schema  columnar.Schema
	by      order.Key
	batches int
	left    *int // rows that were left out
}

func newLeaving(rt *operators.Runtime, schema columnar.Schema, by order.Key, limit int64, left *int) (*leaving, error) {
	l, shared, cfg := &leaving{schema: schema, by: by, left: left}, new(order.Shared), order.SortConfig{Order: []order.Key{by}, Limit: limit}
	var errs [3]error
	for i := range l.parts {
		l.parts[i], errs[i] = order.NewSort(rt, schema, cfg)
		l.firsts[i] = l.parts[i].First(shared)
	}
	l.whole, errs[2] = order.NewSort(rt, schema, cfg)
	return l, errors.Join(errs[:]...)
}

func (l *leaving) Push(ctx context.Context, _ int, rows columnar.Rows, emit operators.Emit) error {
	l.batches++
	first := l.firsts[l.batches%2]
	if first.Exclude(l.bounds(rows)) {
		*l.left += rows.Len
		return ctx.Err()
	}
	keep := first.Keep(rows.Cols[first.Column()], nil)
	*l.left += rows.Len - len(keep)
	kept := columnar.NewRows(l.schema)
	kept.AppendGather(rows, keep)
	return l.parts[l.batches%2].Push(ctx, 0, kept, emit)
}

// bounds returns the bounds of the key's values.
func (l *leaving) bounds(rows columnar.Rows) (b input.Bounds) {
	v := rows.Cols[l.schema.Index(l.by.Column)]
	least, greatest := -1, -1
	b.NoNulls = true
	for i := range v.Len {
		if v.IsNull(i) {
			b.NoNulls = false
			continue
		}
		if least < 0 || naiveCompare(v, i, least, order.Key{}) < 0 {
			least = i
		}
		if greatest < 0 || naiveCompare(v, i, greatest, order.Key{}) > 0 {
			greatest = i
		}
	}
	if least >= 0 {
		b.Least, b.Greatest = v.Slice(least, least+1), v.Slice(greatest, greatest+1)
	}
	return b
}

func (l *leaving) Finish(ctx context.Context, _ int, emit operators.Emit) error {
	for _, s := range l.parts {
		if err := s.Finish(ctx, 0, func(rows columnar.Rows) error { return l.whole.Push(ctx, 0, rows, emit) }); err != nil {
			return err
		}
	}
	return l.whole.Finish(ctx, 0, emit)
}

func (l *leaving) Close() error {
	return errors.Join(l.parts[0].Close(), l.parts[1].Close(), l.whole.Close())
}

// Rows that a sort with a limit says it does not need change nothing if they are left out.
func TestRowsLeftOut(t *testing.T) {
	skipShort(t)
	for c, f := range optest.EveryType() {
		schema := columnar.Schema{{Name: "other", Type: columnar.Text}, f}
		left := 0
		for _, by := range []order.Key{{}, {Desc: true}, {NullsFirst: true}, {Desc: true, NullsFirst: true}} {
			by.Column = f.Name
			for _, distinct := range []int{5000, 3} {
				rows := optest.Random(rand.New(rand.NewPCG(uint64(c), uint64(distinct))), schema, 2000, optest.Shape{Distinct: distinct, Nulls: distinct % 3})
				for _, limit := range []int64{1, 300} {
					of := sorted(schema, rows, []order.Key{by}, limit)
					of.New = func(rt *operators.Runtime) (operators.Operator, error) {
						return newLeaving(rt, schema, by, limit, &left)
					}
					t.Run(fmt.Sprintf("%s %+v of %d, limit %d", f.Name, by, distinct, limit), func(t *testing.T) {
						of.Check(t, []int64{0, 1}, []int{90})
					})
				}
			}
		}
		if left == 0 {
			t.Errorf("no row was left out by %s", f.Name)
		}
	}
}

// TestFirstOfWideRows keeps one row of a thousand columns in little memory, however many rows fit on a page.
func TestFirstOfWideRows(t *testing.T) {
	skipShort(t)
	const columns, rows, pushes = 1000, 500, 40
	var schema columnar.Schema
	for c := range columns {
		schema = append(schema, columnar.Field{Name: fmt.Sprint("c", c), Type: columnar.Int})
	}
	w := optest.NewWorld(0, nil)
	sort, err := order.NewSort(w.Runtime, schema, order.SortConfig{Order: []order.Key{{Column: "c0"}}, Limit: 1})
	if err != nil {
		t.Fatal(err)
	}
	for n := range pushes {
		in := columnar.NewRows(schema)
		for c, v := range in.Cols {
			for i := range rows {
				v.AppendInt(int64((pushes-n)*rows - i + c)) // each is less than those before
			}
		}
		in.Len = rows
		if err := sort.Push(t.Context(), 0, in, nil); err != nil {
			t.Fatal(err)
		}
	}
	first := int64(-1)
	if err := sort.Finish(t.Context(), 0, func(page columnar.Rows) error {
		first = page.Cols[0].Ints[0]
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if peak := w.Budget.Peak(); first != 1 || peak > 16<<20 {
		t.Errorf("the first row is %d, in %d MiB", first, peak>>20)
	}
}
