package window

import (
	"slices"

	"analyzer/columnar"
	"analyzer/operators/registry"
)

func init() { functions.Add(valueFunctions) }

// rowsAway is the number of lag and lead, nth1 that of nth_value.
var (
	rowsAway = &Number{What: "the number of rows", Default: 1, Least: -MostOffset}
	nth1     = &Number{What: "n", Needed: true, Least: 1}
)

// valueFunctions take the value of another row.
func valueFunctions() []Function {
	return []Function{
		{
			Doc: registry.Windows.Doc("lag", "(value[, rows[, otherwise]])", "the value of the row so many rows before, 1 by default; otherwise NULL, or what is given",
				"lag(n) OVER (ORDER BY n)", "NULL, 1, 2, 4"),
			Func: Lag, Within: lagWithin, ByOrder: RowNumber, Takes: true, Number: rowsAway, Far: true, otherwise: true, present: true, make: newValues,
			frame: func(c Call) Frame { return neighbour(c, -c.N) },
		},
		{
			Doc: registry.Windows.Doc("lead", "(value[, rows[, otherwise]])", "the value of the row so many rows after, 1 by default; otherwise NULL, or what is given",
				"lead(n) OVER (ORDER BY n)", "2, 4, NULL, NULL"),
			Func: Lead, Within: leadWithin, ByOrder: RowNumber, Takes: true, Number: rowsAway, Far: true, otherwise: true, present: true, make: newValues,
			frame: func(c Call) Frame { return neighbour(c, c.N) },
		},
		{
			Doc: registry.Windows.Doc("first_value first", "(value)", "the value of the first row of the frame",
				"first_value(n) OVER (ORDER BY n)", "1, 1, 1, 1"),
			Func: FirstValue, Within: firstValueWithin, ByOrder: RowNumber, Takes: true, present: true, make: newValues,
		},
		{
			Doc: registry.Windows.Doc("last_value last", "(value)", "the value of the last row of the frame",
				"last_value(n) OVER (ORDER BY n)", "1, 2, 4, NULL"),
			Func: LastValue, Within: lastValueWithin, ByOrder: RowNumber, Takes: true, present: true, make: newValues,
		},
		{
			Doc: registry.Windows.Doc("nth_value", "(value, n)", "the value of the n-th row of the frame; NULL if it has none",
				"nth_value(n, 2) OVER (ORDER BY n)", "NULL, 2, 2, 2"),
			Func: NthValue, Within: nthValueWithin, ByOrder: RowNumber, Takes: true, Far: true, Number: nth1, present: true, make: newValues,
		},
	}
}

// neighbour returns the frame of a call for the row n rows after its own. If rows without a value
// do not count, all rows on that side are looked at.
func neighbour(c Call, n int64) Frame {
	switch {
	case c.Far != "":
		b := Bound{Unit: Rows, Offset: 1, Column: c.Far}
		if c.Func == Lag {
			b.Offset = -1
		}
		return Frame{From: b, To: b}
	case !c.Present || n == 0:
		return Frame{From: Bound{Unit: Rows, Offset: n}, To: Bound{Unit: Rows, Offset: n}}
	case n < 0:
		return Frame{From: Bound{Unit: Whole}, To: Bound{Unit: Rows, Offset: -1}}
	}
	return Frame{From: Bound{Unit: Rows, Offset: 1}, To: Bound{Unit: Whole}}
}

// values takes the value of one row of each frame.
type values struct {
	call   *call
	cursor *cursor
	last   bool  // n counts from the end of the frame instead of its beginning
	n      int64 // position from 0 on
	far    int   // position of the column that has the call's number, -1 for none
	spans  []span
	// fixed says that the row is the same for all rows of a partition. Its value is kept when
	// the row is dropped.
	fixed   bool
	kept    *columnar.Vector // the kept value
	row     int64            // its row, -1 for none
	present *present         // set if rows without a value do not count
	sel     []int32
}

func newValues(o *Operator, c *call) evaluator {
	e := &values{call: c, cursor: o.tape.cursor(), last: c.Func == LastValue, far: c.far, row: -1}
	if c.Func == NthValue {
		e.n = c.N - 1
	}
	if neighbour := c.Func == Lag || c.Func == Lead; c.Present && (!neighbour || c.N != 0) {
		if neighbour {
			e.last, e.n = (c.Func == Lag) == (c.N > 0), max(c.N, -c.N)-1
		}
		e.present = &present{cursor: o.tape.cursor(), column: c.arg, where: o.schema.Index(c.Where), last: e.last, n: e.n}
	}
	e.fixed = !e.last && c.frame.From.Unit == Whole && c.frame.Exclude == "" && !c.frame.jumps && e.far < 0 && e.present == nil
	e.kept = columnar.NewVector(o.schema[c.arg].Type)
	return e
}

// noNumber stands for no row: the number of the call is null there, and so is its value.
const noNumber = -2

// target returns the row of the frame of row i of a piece whose value is taken, or -1 if there is
// none, or noNumber.
func (e *values) target(p *piece, i int) (int64, error) {
	f := e.call.frame
	e.spans = f.spans(e.spans[:0], p, i)
	n := e.n
	if e.far >= 0 {
		v := p.rows.Cols[e.far]
		switch {
		case v.IsNull(i):
			return noNumber, nil
		case e.call.Func == NthValue:
			n = v.Ints[i] - 1
		}
		if n < 0 {
			return -1, nil
		}
	}
	switch {
	case e.present != nil && (f.jumps || f.Exclude != ""):
		return e.present.among(e.spans)
	case e.present != nil:
		return e.present.find(f.begin[i], f.end[i])
	case e.last:
		n = rowsOf(e.spans) - 1
		if n < 0 {
			return -1, nil
		}
	}
	return nth(e.spans, n), nil
}

func (e *values) append(p *piece, out *columnar.Vector) error {
	f := e.call.frame
	var from *columnar.Vector
	flush := func() {
		if len(e.sel) > 0 {
			out.AppendGather(from, e.sel)
			e.sel = e.sel[:0]
		}
	}
	take := func(v *columnar.Vector, i int) {
		if v != from {
			flush()
			from = v
		}
		e.sel = append(e.sel, int32(i))
	}
	for i := range f.begin {
		row, err := e.target(p, i)
		switch {
		case err != nil:
			return err
		case row == -1 && e.call.other >= 0:
			take(p.rows.Cols[e.call.other], i)
		case row < 0:
			flush()
			out.AppendNull()
		case row == e.row:
			take(e.kept, 0)
		default:
			at, err := e.seek(row, flush)
			if err != nil {
				return err
			}
			take(e.cursor.rows.Cols[e.call.arg], at)
		}
	}
	flush()
	if e.fixed {
		return e.hold(p)
	}
	return nil
}

// seek moves the cursor. Before it leaves a block, it calls flush to copy the values taken from
// it.
func (e *values) seek(row int64, flush func()) (int, error) {
	if row < e.cursor.from || row >= e.cursor.to {
		flush()
	}
	return e.cursor.seek(row)
}

// hold keeps the value that rows after the piece take, if its row is before them.
func (e *values) hold(p *piece) error {
	n := p.rows.Len
	row := p.partition[n-1] + e.n
	if row == e.row || row >= p.lo+int64(n) || row >= p.whole[n-1] {
		return nil
	}
	at, err := e.cursor.seek(row)
	if err != nil {
		return err
	}
	e.kept.Reset()
	e.kept.AppendRange(e.cursor.rows.Cols[e.call.arg], at, at+1)
	e.row = row
	return nil
}

func (e *values) keep(next int64) int64 {
	if e.fixed {
		return next
	}
	least := e.call.frame.reads(next)
	if f := e.call.frame; e.far >= 0 && f.From.Unit == Whole {
		return min(least, f.start)
	}
	if e.present != nil {
		return min(least, e.present.keep())
	}
	return least
}

func (e *values) close() {
	e.kept.Reset()
	e.row = -1
	if e.present != nil {
		e.present.rows, e.present.begin, e.present.next = nil, 0, 0
	}
}

// present finds the n-th row of a frame that has a value, from the beginning or the end of the
// frame.
type present struct {
	cursor *cursor
	column int
	where  int // position of a condition that says which rows count instead, -1 for none
	last   bool
	n      int64

	rows        []int64 // the rows from begin to next that have a value, no more of them than are needed
	begin, next int64   // beginning of the frame, and the first row not yet searched
}

// find returns that row of a frame, or -1 if there is none.
func (p *present) find(begin, end int64) (int64, error) {
	if begin < p.begin || end < p.next {
		p.rows, p.next = p.rows[:0], begin
	}
	p.begin, p.next = begin, max(p.next, begin)
	for len(p.rows) > 0 && p.rows[0] < begin {
		p.rows = slices.Delete(p.rows, 0, 1)
	}
	for p.next < end && (p.last || int64(len(p.rows)) <= p.n) {
		at, err := p.cursor.seek(p.next)
		if err != nil {
			return -1, err
		}
		if p.counts(at) {
			if p.last && int64(len(p.rows)) > p.n {
				p.rows = slices.Delete(p.rows, 0, 1)
			}
			p.rows = append(p.rows, p.next)
		}
		p.next++
	}
	switch {
	case int64(len(p.rows)) <= p.n:
		return -1, nil
	case p.last:
		return p.rows[0], nil
	}
	return p.rows[p.n], nil
}

// among returns that row of some rows, or -1 if there is none.
func (p *present) among(spans []span) (int64, error) {
	all, left := rowsOf(spans), p.n
	for i := range all {
		if p.last {
			i = all - 1 - i
		}
		row := nth(spans, i)
		at, err := p.cursor.seek(row)
		if err != nil {
			return -1, err
		}
		if !p.counts(at) {
			continue
		}
		if left--; left < 0 {
			return row, nil
		}
	}
	return -1, nil
}

// counts reports whether a row of the block under the cursor counts.
func (p *present) counts(at int) bool {
	if p.where >= 0 {
		v := p.cursor.rows.Cols[p.where]
		return !v.IsNull(at) && v.Bools[at]
	}
	return !p.cursor.rows.Cols[p.column].IsNull(at)
}

// keep returns the first row that may be read again.
func (p *present) keep() int64 {
	if len(p.rows) > 0 {
		return min(p.rows[0], p.next)
	}
	return p.next
}
