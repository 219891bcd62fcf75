package bind

import (
	"analyzer/columnar"
	"analyzer/columnar/number"
	"analyzer/operators/expr"
	"analyzer/operators/query/plan"
	"analyzer/operators/query/scalar"
	"analyzer/operators/query/sql"
	"analyzer/operators/window"
)

// maxTimeOffset is how far ranges of timestamps may reach, in microseconds.
const maxTimeOffset = 10_000 * 366 * number.Day

// windowFrame is a frame with the values that its bounds read, which do not have columns yet.
type windowFrame struct {
	plan.Frame
	reads []scalar.Value
}

// frameOf binds the frame of a window.
func frameOf(s *scope, ast *sql.Window, of *bound) windowFrame {
	whole := plan.Bound{Unit: window.Whole}
	f := ast.Frame
	switch {
	case f == nil && len(of.order) == 0:
		return windowFrame{Frame: plan.Frame{From: whole, To: whole}}
	case f == nil:
		return windowFrame{}
	case f.From.Kind == sql.ToLast || f.To.Kind == sql.FromFirst, f.From.Kind == sql.CurrentRow && f.To.Kind == sql.Preceding,
		f.From.Kind == sql.Following && (f.To.Kind == sql.Preceding || f.To.Kind == sql.CurrentRow):
		panic(sql.Wrong(f.At, "", "the frame ends before it begins"))
	}
	out := windowFrame{Frame: plan.Frame{Exclude: map[string]window.Exclusion{
		"CURRENT ROW": window.ExcludeRow, "GROUP": window.ExcludePeers, "TIES": window.ExcludeTies,
	}[f.Exclude]}}
	bounds := frameBounds{frame: &out, unit: f.Unit, order: ast.Order, of: of, s: s}
	out.From = bounds.frameBound(f.From, "frame begin")
	out.To = bounds.frameBound(f.To, "frame end")
	return out
}

// measured returns the order of a window. Where a range may reach a distance over moments or times of day, these are
// timestamps, of UTC or of one day, which have distances, and over integers, by a fraction, they are fractions too.
func measured(s *scope, ast *sql.Window) []sql.Order {
	if ast.Frame == nil || ast.Frame.Unit != "RANGE" || len(ast.Order) != 1 {
		return ast.Order
	}
	o := ast.Order[0]
	switch at := o.Expr.At; windowKey(s, o.Expr).Type {
	case columnar.Instant:
		o.Expr = at.Call("timezone", at.Text("UTC"), o.Expr)
	case columnar.Time:
		o.Expr = at.Binary("+", at.Cast(at.Text("1970-01-01"), "DATE"), o.Expr)
	case columnar.Int:
		if isFraction(s, ast.Frame.From) || isFraction(s, ast.Frame.To) {
			o.Expr = at.Cast(o.Expr, "DECIMAL")
		}
	}
	return []sql.Order{o}
}

// isFraction reports whether a frame reaches a distance with decimal places.
func isFraction(s *scope, f sql.FrameBound) bool {
	return f.Offset != nil && s.expr(f.Offset).Type == columnar.Decimal
}

// frameBounds is what the bounds of a frame are bound with.
type frameBounds struct {
	frame *windowFrame
	unit  string
	order []sql.Order
	of    *bound
	s     *scope
}

// frameBound binds a bound. If how far it is differs by row, that becomes a column of a name.
func (in frameBounds) frameBound(f sql.FrameBound, column string) plan.Bound {
	unit := map[string]window.Unit{"ROWS": window.Rows, "GROUPS": window.Groups, "RANGE": window.Range}[in.unit]
	side := int64(1)
	if f.Kind == sql.Preceding {
		side = -1
	}
	switch {
	case f.Kind == sql.FromFirst || f.Kind == sql.ToLast:
		return plan.Bound{Unit: window.Whole}
	case f.Kind == sql.CurrentRow && unit != window.Rows:
		return plan.Bound{Unit: window.Peers}
	case f.Kind == sql.CurrentRow:
		return plan.Bound{Unit: unit}
	case unit == window.Range && len(in.of.order) != 1:
		panic(sql.Wrong(f.At, "", "a range of values needs one key in ORDER BY, and there are %d", len(in.of.order)))
	case unit == window.Range:
		out, ok := rangeDistance(in.s, f.Offset, in.of.types[0])
		if !ok {
			in.frame.reads = append(in.frame.reads, in.reached(f.Offset, side))
			return plan.Bound{Unit: unit, Offset: side, Column: column}
		}
		out.Offset, out.Months = side*out.Offset, side*out.Months
		return out
	case in.s.expr(f.Offset).Expr.Fold().Literal() == nil:
		in.frame.reads = append(in.frame.reads, scalar.IntOf(in.s.row().ValueOf(f.Offset, columnar.Int)))
		return plan.Bound{Unit: unit, Offset: side, Column: column}
	}
	least := int64(0)
	if unit == window.Rows { // it may be on the other side
		least = -window.MostOffset
	}
	n := min(in.s.b.constant("a frame").LiteralInt(f.Offset, least, "the number of rows or groups"), window.MostOffset)
	return plan.Bound{Unit: unit, Offset: side * n}
}

// reached binds the key that a range reaches to.
func (in frameBounds) reached(offset *sql.Expr, side int64) scalar.Value {
	t, key := in.of.types[0], in.s.expr(in.order[0].Expr)
	if in.order[0].Desc {
		side = -side
	}
	if scalar.IsTime(t) {
		if key = scalar.Moved(key, scalar.StepsOf(in.s.expr(offset).AsInterval()), side < 0); t == columnar.Date {
			return scalar.Value{Expr: scalar.DateOf(key), Type: t}
		}
		return key
	}
	by := in.s.row().ValueOf(offset, t)
	if side < 0 {
		return scalar.Value{Expr: expr.Sub(key.Expr, by), Type: t}
	}
	return scalar.Value{Expr: expr.Add(key.Expr, by), Type: t}
}

// rangeDistance reads how far a range reaches from a value of a type, in the units of package
// window: months and days for dates, months and microseconds for timestamps, integers for
// integers, and millionths for other numbers. ok is false if that differs by row.
func rangeDistance(s *scope, e *sql.Expr, t columnar.Type) (out plan.Bound, ok bool) {
	want := t
	switch {
	case scalar.IsTime(t):
		return timeDistance(s, e, t)
	case t == columnar.Float:
		want = columnar.Decimal
	case t != columnar.Int && t != columnar.Decimal:
		panic(sql.UnsupportedTypes(e.At, "", "ranges of "+scalar.TypeName(t)))
	}
	v := s.expr(e)
	if v.Expr.Fold().Literal() == nil {
		return out, false
	}
	n := v.As(want).Fold().Literal()
	if n == nil {
		return out, false
	}
	return plan.Bound{Unit: window.Range, Offset: inReach(n.Int, window.MostOffset, e)}, true
}

// timeDistance reads how far a range of dates or timestamps reaches.
func timeDistance(s *scope, e *sql.Expr, t columnar.Type) (out plan.Bound, ok bool) {
	v := s.expr(e)
	if v.Type != columnar.Interval {
		panic(sql.Wrong(e.At, "Next: write INTERVAL 7 DAY.", "a range of dates is an interval"))
	}
	out.Unit = window.Range
	for _, step := range scalar.StepsOf(v) {
		n := step.By.Fold().Literal()
		switch {
		case step.Op == expr.OpAddMicros && t == columnar.Date:
			panic(sql.Wrong(e.At, "Next: write days.", "dates have no time of day"))
		case n == nil:
			return out, false
		case step.Op == expr.OpAddMonths:
			out.Months = inReach(n.Int, number.MostMonths, e)
		case step.Op == expr.OpAddDays && t == columnar.Timestamp:
			out.Offset += inReach(n.Int, maxTimeOffset/number.Day, e) * number.Day
		default:
			out.Offset += inReach(n.Int, maxTimeOffset, e)
		}
	}
	out.Offset = inReach(out.Offset, maxTimeOffset, e)
	return out, true
}

func inReach(n, most int64, e *sql.Expr) int64 {
	if n < 0 || n > most {
		panic(sql.Wrong(e.At, "", "a range reaches from 0 to %d", most))
	}
	return n
}
