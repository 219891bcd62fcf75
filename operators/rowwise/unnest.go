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
	lists  []int              // columns
	list   []int              // index in lists, for each column, or -1
	takes  []bool             // which columns of the output whoever reads them takes coded
	from   []*columnar.Vector // the columns that are repeated; those of takes as dictionaries
	made   []gathered
	out    columnar.Rows
	rows   []int32   // of the input, for each row of a page
	items  [][]int32 // for each list, and each row of a page; -1 behind its end
	uneven []bool    // lists that end early somewhere on the page
	bytes  int       // bytes of variable-size values that the page copies
}

// pageBytes is roughly the most bytes of copied values on a page of several
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
	u.takes, u.from, u.made = make([]bool, len(in)), make([]*columnar.Vector, len(in)), make([]gathered, len(in))
	for c, v := range u.out.Cols {
		u.made[c].values = v
	}
	return u, nil
}

// TakeCoded says which columns of the output may be coded. They are if one of them has values of any size, which
// then are not copied: the items of a list that carry the list would take the square of its length.
func (u *Unnest) TakeCoded(columns []bool) {
	for c, takes := range columns {
		if takes && u.list[c] < 0 && u.made[c].values.Offsets != nil {
			u.takes = columns
		}
	}
}

// HandsOn returns the column of the output that is a column of the input, if that is not taken apart. It is coded
// then if that one is.
func (u *Unnest) HandsOn(column int) (as []int, whole bool) {
	return []int{column}, u.list[column] < 0
}

// begin takes the columns that are repeated. Whoever reads coded columns knows a dictionary by its address, so each
// batch has its own.
func (u *Unnest) begin(rows columnar.Rows) {
	u.clear()
	copy(u.from, rows.Cols)
	for c, v := range u.from {
		if u.codes(c) && v.Dictionary == nil {
			dictionary := *v
			u.from[c] = &dictionary
		}
	}
}

// codes reports whether values of a column of the input are repeated as a coded column.
func (u *Unnest) codes(column int) bool {
	return u.list[column] < 0 && (u.takes[column] || u.from[column].Dictionary != nil)
}

// Push emits a row for each item, in pages.
func (u *Unnest) Push(ctx context.Context, _ int, rows columnar.Rows, emit operators.Emit) error {
	u.begin(rows)
	for i := range rows.Len {
		longest := int32(0)
		for _, c := range u.lists {
			longest = max(longest, length(rows.Cols[c], i))
		}
		if longest == 0 {
			continue
		}
		size := u.size(i)
		for at := int32(0); at < longest; {
			n := min(longest-at, int32(u.room(size)))
			if n == 0 {
				if err := u.flush(ctx, emit); err != nil {
					return err
				}
				continue
			}
			u.add(i, at, at+n, size)
			at += n
		}
	}
	return u.flush(ctx, emit)
}

func length(list *columnar.Vector, i int) int32 {
	if list.IsNull(i) {
		return 0
	}
	return list.Offsets[i+1] - list.Offsets[i]
}

// size returns how many bytes of a row each of its items copies.
func (u *Unnest) size(i int) int {
	n := 0
	for c, v := range u.from {
		if u.list[c] < 0 && v.Offsets != nil && !u.codes(c) {
			n += int(v.Offsets[i+1] - v.Offsets[i])
		}
	}
	return n
}

// room returns how many more items fit on the page if each copies size bytes.
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
	for range to - from {
		u.rows = append(u.rows, int32(row))
	}
	for i, c := range u.lists {
		begin, n := u.from[c].Offsets[row], length(u.from[c], row)
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

func (u *Unnest) flush(ctx context.Context, emit operators.Emit) error {
	if err := ctx.Err(); err != nil || len(u.rows) == 0 {
		return err
	}
	for c, from := range u.from {
		switch i := u.list[c]; {
		case i < 0:
			u.out.Cols[c] = u.repeated(c)
		case u.uneven[i]:
			u.out.Cols[c].Reset()
			appendUneven(u.out.Cols[c], from.Child, u.items[i])
		default:
			u.out.Cols[c] = u.made[c].of(from.Child, u.items[i])
		}
	}
	u.out.Len = len(u.rows)
	u.clear()
	return emit(u.out)
}

// repeated makes a column of the page that has the values of a column of the input.
func (u *Unnest) repeated(column int) *columnar.Vector {
	if u.codes(column) {
		return u.made[column].code(u.from[column], u.rows)
	}
	return u.made[column].of(u.from[column], u.rows)
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
