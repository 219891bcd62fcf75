package rowwise

import (
	"context"
	"fmt"

	"analyzer/columnar"
	"analyzer/operators"
)

// Unnest makes one row per item of a list, with the other columns repeated. An
// empty list or a null makes no row; a null item makes a row with a null.
type Unnest struct {
	stateless
	list  int
	out   columnar.Rows
	rows  []int32 // of the input, for each item of a page
	items []int32
	bytes int // bytes of variable-size values that the page repeats
}

// pageBytes is roughly the most bytes of repeated values on a page of several
// rows.
const pageBytes = 1 << 20

// NewUnnest returns an unnest of a column of rows with the columns in. The
// items are in column as, which takes the place of the list. It fails when the
// column is not a list.
func NewUnnest(in columnar.Schema, column, as string) (*Unnest, error) {
	at := in.Index(column)
	if at < 0 {
		return nil, fmt.Errorf("unnest: there is no column %q", column)
	}
	schema := append(columnar.Schema{}, in...)
	item := schema[at].Type.Item()
	if item == columnar.Invalid {
		return nil, fmt.Errorf("unnest: column %q is %s, not a list", column, schema[at].Type)
	}
	schema[at] = columnar.Field{Name: as, Type: item}
	return &Unnest{list: at, out: columnar.NewRows(schema)}, nil
}

// Push emits a row for each item, in pages.
func (u *Unnest) Push(ctx context.Context, _ int, rows columnar.Rows, emit operators.Emit) error {
	u.clear()
	lists := rows.Cols[u.list]
	for i := range rows.Len {
		if lists.IsNull(i) || lists.Offsets[i] == lists.Offsets[i+1] {
			continue
		}
		size := u.size(rows, i)
		for at, end := lists.Offsets[i], lists.Offsets[i+1]; at < end; {
			n := min(end-at, int32(u.room(size)))
			if n == 0 {
				if err := u.flush(ctx, rows, emit); err != nil {
					return err
				}
				continue
			}
			u.add(i, at, at+n, size)
			at += n
		}
	}
	return u.flush(ctx, rows, emit)
}

// size returns how many bytes of a row each of its items repeats.
func (u *Unnest) size(rows columnar.Rows, i int) int {
	n := 0
	for c, v := range rows.Cols {
		if c != u.list && v.Offsets != nil {
			n += int(v.Offsets[i+1] - v.Offsets[i])
		}
	}
	return n
}

// room returns how many more items fit on the page if each repeats size bytes.
// On an empty page, at least one fits.
func (u *Unnest) room(size int) int {
	n := operators.PageRows - len(u.rows)
	if size > 0 {
		n = min(n, (pageBytes-u.bytes)/size)
	}
	if n <= 0 && len(u.rows) == 0 {
		return 1
	}
	return max(n, 0)
}

// add puts the items of a row from position from up to, not including, to on the page.
func (u *Unnest) add(row int, from, to int32, size int) {
	for item := from; item < to; item++ {
		u.rows = append(u.rows, int32(row))
		u.items = append(u.items, item)
	}
	u.bytes += int(to-from) * size
}

func (u *Unnest) clear() { u.rows, u.items, u.bytes = u.rows[:0], u.items[:0], 0 }

func (u *Unnest) flush(ctx context.Context, rows columnar.Rows, emit operators.Emit) error {
	if err := ctx.Err(); err != nil || len(u.rows) == 0 {
		return err
	}
	u.out.Reset()
	for c, v := range u.out.Cols {
		if c == u.list {
			v.AppendGather(rows.Cols[c].Child, u.items)
		} else {
			v.AppendGather(rows.Cols[c], u.rows)
		}
	}
	u.out.Len = len(u.rows)
	u.clear()
	return emit(u.out)
}
