package rowwise

import (
	"context"
	"fmt"
	"slices"

	"analyzer/columnar"
	"analyzer/operators"
	"analyzer/operators/query/plan"
)

// Unnest makes as many rows of each row as the longest of its lists has items, with the other
// columns repeated. Shorter lists give nulls behind their end. A row whose lists are all empty or
// null makes no row; a null item makes a row with a null.
type Unnest struct {
	stateless
	lists  []int // columns
	list   []int // index in lists, for each column, or -1
	out    columnar.Rows
	rows   []int32   // of the input, for each row of a page
	items  [][]int32 // for each list, and each row of a page; -1 behind its end
	uneven []bool    // lists that end early somewhere on the page
	bytes  int       // bytes of variable-size values that the page repeats
}

// pageBytes is roughly the most bytes of repeated values on a page of several
// rows.
const pageBytes = 1 << 20

// NewUnnest returns an unnest of lists of rows with the columns in. It fails when a column is not
// a list.
func NewUnnest(in columnar.Schema, lists []plan.Unnested) (*Unnest, error) {
	schema := slices.Clone(in)
	u := &Unnest{list: slices.Repeat([]int{-1}, len(in)), items: make([][]int32, len(lists)), uneven: make([]bool, len(lists))}
	for i, l := range lists {
		at := in.Index(l.Column)
		if at < 0 {
			return nil, fmt.Errorf("unnest: there is no column %q", l.Column)
		}
		item := in[at].Type.Item()
		if item == columnar.Invalid {
			return nil, fmt.Errorf("unnest: column %q is %s, not a list", l.Column, in[at].Type)
		}
		schema[at] = columnar.Field{Name: l.As, Type: item}
		u.lists, u.list[at] = append(u.lists, at), i
	}
	u.out = columnar.NewRows(schema)
	return u, nil
}

// Push emits a row for each item, in pages.
func (u *Unnest) Push(ctx context.Context, _ int, rows columnar.Rows, emit operators.Emit) error {
	u.clear()
	for i := range rows.Len {
		longest := int32(0)
		for _, c := range u.lists {
			longest = max(longest, length(rows.Cols[c], i))
		}
		if longest == 0 {
			continue
		}
		size := u.size(rows, i)
		for at := int32(0); at < longest; {
			n := min(longest-at, int32(u.room(size)))
			if n == 0 {
				if err := u.flush(ctx, rows, emit); err != nil {
					return err
				}
				continue
			}
			u.add(rows, i, at, at+n, size)
			at += n
		}
	}
	return u.flush(ctx, rows, emit)
}

func length(list *columnar.Vector, i int) int32 {
	if list.IsNull(i) {
		return 0
	}
	return list.Offsets[i+1] - list.Offsets[i]
}

// size returns how many bytes of a row each of its items repeats.
func (u *Unnest) size(rows columnar.Rows, i int) int {
	n := 0
	for c, v := range rows.Cols {
		if u.list[c] < 0 && v.Offsets != nil {
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
func (u *Unnest) add(rows columnar.Rows, row int, from, to int32, size int) {
	for range to - from {
		u.rows = append(u.rows, int32(row))
	}
	for i, c := range u.lists {
		begin, n := rows.Cols[c].Offsets[row], length(rows.Cols[c], row)
		for at := from; at < min(to, n); at++ {
			u.items[i] = append(u.items[i], begin+at)
		}
		for range to - max(from, n) {
			u.items[i], u.uneven[i] = append(u.items[i], -1), true
		}
	}
	u.bytes += int(to-from) * size
}

func (u *Unnest) clear() {
	u.rows, u.bytes = u.rows[:0], 0
	for i := range u.items {
		u.items[i], u.uneven[i] = u.items[i][:0], false
	}
}

func (u *Unnest) flush(ctx context.Context, rows columnar.Rows, emit operators.Emit) error {
	if err := ctx.Err(); err != nil || len(u.rows) == 0 {
		return err
	}
	u.out.Reset()
	for c, v := range u.out.Cols {
		switch i := u.list[c]; {
		case i < 0:
			v.AppendGather(rows.Cols[c], u.rows)
		case u.uneven[i]:
			appendUneven(v, rows.Cols[c].Child, u.items[i])
		default:
			v.AppendGather(rows.Cols[c].Child, u.items[i])
		}
	}
	u.out.Len = len(u.rows)
	u.clear()
	return emit(u.out)
}

// appendUneven appends items, and a null for each that is -1.
func appendUneven(v, from *columnar.Vector, items []int32) {
	for _, item := range items {
		if item < 0 {
			v.AppendNull()
		} else {
			v.AppendRange(from, int(item), int(item)+1)
		}
	}
}
