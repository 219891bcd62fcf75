package window

import (
	"math"
	"slices"

	"analyzer/columnar"
	"analyzer/operators/registry"
)

// Fill replaces nulls by what lies between the values around them. It draws a line through the
// nearest values before and after a row, over the keys of the order, or through the two nearest
// ones if all are on one side.
const Fill Func = "fill"

func init() { functions.Add(fillFunctions) }

func fillFunctions() []Function {
	whole := Bound{Unit: Whole}
	return []Function{{
		Func: Fill, Takes: true, Types: valueTypes, byValue: true, Reorders: true, frame: always(Frame{From: whole, To: whole}), make: newFill,
		Doc: registry.Windows.Doc("fill", "(value)", "the value, or where it is NULL, what lies on a line through the nearest values, by the key of the window's order",
			"fill(CASE WHEN n <> 2 THEN n * 10 END) OVER (ORDER BY n)", "10, 20, 40, NULL"),
	}}
}

// fill keeps the last two points before a row and the next ones after it.
type fill struct {
	arg, key      int
	cursor        *cursor
	partition     int64   // of the points, -1 for none
	before, after []point // in order
	next          int64   // the first row that was not searched for points
	points        []point // memory for those on both sides
}

// point is a row whose value and key are finite numbers.
type point struct {
	row int64
	x   float64 // the key
	y   float64 // the value
	n   int64   // the value, if its type is one of integers
}

func newFill(o *Operator, c *call) evaluator {
	return &fill{arg: c.arg, key: o.schema.Index(o.order[0].Column), cursor: o.tape.cursor(), partition: -1}
}

func (f *fill) append(p *piece, out *columnar.Vector) error {
	v, keys := p.rows.Cols[f.arg], p.rows.Cols[f.key]
	for i := range p.rows.Len {
		row := p.lo + int64(i)
		if p.partition[i] != f.partition {
			f.close()
			f.partition, f.next = p.partition[i], row
		}
		if row >= f.next {
			f.look(p.rows, i, row)
		}
		f.pass(row)
		x, ok := finite(keys, i)
		if !v.IsNull(i) || !ok {
			out.AppendRange(v, i, i+1)
			continue
		}
		if err := f.search(p.whole[i]); err != nil {
			return err
		}
		f.line(x, out)
	}
	return nil
}

// look takes in a row that was not searched yet.
func (f *fill) look(rows columnar.Rows, i int, row int64) {
	f.next = row + 1
	v := rows.Cols[f.arg]
	x, ok := finite(rows.Cols[f.key], i)
	y, found := finite(v, i)
	if !ok || !found {
		return
	}
	p := point{row: row, x: x, y: y}
	if v.Type != columnar.Float {
		p.n = v.Ints[i]
	}
	f.after = append(f.after, p)
}

// pass moves points up to a row from after it to before it.
func (f *fill) pass(row int64) {
	for len(f.after) > 0 && f.after[0].row <= row {
		if f.before = append(f.before, f.after[0]); len(f.before) > 2 {
			f.before = slices.Delete(f.before, 0, 1)
		}
		f.after = slices.Delete(f.after, 0, 1)
	}
}

// search looks ahead until there are as many points as a line needs.
func (f *fill) search(end int64) error {
	for need := max(1, 2-len(f.before)); f.next < end && len(f.after) < need; {
		at, err := f.cursor.seek(f.next)
		if err != nil {
			return err
		}
		f.look(f.cursor.rows, at, f.next)
	}
	return nil
}

// line appends the value of a key: of the line through the points on both sides or, if there are
// none on one side, through two on the other. A single point has its value everywhere.
func (f *fill) line(x float64, out *columnar.Vector) {
	f.points = append(append(f.points[:0], f.before...), f.after...)
	points := f.points
	switch {
	case len(f.before) > 0 && len(f.after) > 0:
		points = points[len(f.before)-1:]
	case len(points) == 0:
		out.AppendNull()
		return
	case len(points) == 1:
		points = append(points, points[0])
	}
	a, b := points[0], points[1]
	part := 0.0 // of the way from a to b
	if a.x != b.x {
		part = (x - a.x) / (b.x - a.x)
	}
	if out.Type == columnar.Float {
		out.AppendFloat(float64(a.y*(1-part)) + float64(b.y*part))
		return
	}
	if n, ok := between(a.n, b.n, part); ok {
		out.AppendInt(n)
	} else {
		out.AppendNull()
	}
}

// between returns the integer a part of the way from one to another. Between them it is rounded
// towards the first; beyond, to the nearest. ok is false if it does not fit.
func between(from, to int64, part float64) (n int64, ok bool) {
	way := float64(uint64(to) - uint64(from))
	if to < from {
		way = -float64(uint64(from) - uint64(to))
	}
	if way *= part; part < 0 || part > 1 {
		way = math.RoundToEven(way)
	}
	if math.Abs(way) >= 1<<63 {
		return 0, false
	}
	n = from + int64(way)
	return n, way < 0 == (n < from) || n == from
}

// finite returns a value as a float; ok is false if it is null, infinite or NaN.
func finite(v *columnar.Vector, i int) (x float64, ok bool) {
	switch {
	case v.IsNull(i):
		return 0, false
	case v.Type != columnar.Float:
		return float64(v.Ints[i]), true
	}
	return v.Floats[i], !math.IsInf(v.Floats[i], 0) && !math.IsNaN(v.Floats[i])
}

// keep says that no rows before next are read again: points are copies.
func (*fill) keep(next int64) int64 { return next }

func (f *fill) close() { f.partition, f.before, f.after = -1, f.before[:0], f.after[:0] }
