package scalar

import (
	"analyzer/columnar"
	"analyzer/columnar/number"
	"analyzer/operators/expr"
	"analyzer/operators/query/sql"
)

// bindRange binds range and generate_series, which are lists of integers or timestamps. Only
// generate_series includes the end.
func bindRange(s *Scope, e *sql.Expr) Value {
	if by, ok := StrideOf(s, e); ok {
		return timesList(s, e, by)
	}
	return Value{Expr: expr.Call(expr.OpRange, s.RangeOf(e)...), Type: columnar.IntList}
}

// RangeOf returns the begin, the exclusive end and the step of a range.
func (s *Scope) RangeOf(e *sql.Expr) []*expr.Expr {
	args := []*expr.Expr{expr.Int(0), nil, expr.Int(1)}
	if len(e.Args) == 1 {
		args[1] = rangeEnd(s, e.Args[0])
	} else {
		for i, a := range e.Args {
			args[i] = rangeEnd(s, a)
		}
	}
	if n := args[2].Literal(); n != nil && n.Int == 0 {
		panic(sql.Wrong(e.Args[2].At, "", "a step is no 0"))
	}
	if e.Text == "generate_series" {
		one := expr.If(expr.Lt(args[2], expr.Int(0)), expr.Int(-1), expr.Int(1))
		args[1] = expr.Add(args[1], one)
	}
	return args
}

func rangeEnd(s *Scope, e *sql.Expr) *expr.Expr {
	v := s.Expr(e)
	if v.Type == columnar.Date || v.Type == columnar.Timestamp || v.Type == columnar.Interval {
		panic(sql.UnsupportedTypes(e.At, "Next: give a step too, as range(DATE '2020-01-01', DATE '2021-01-01', INTERVAL 1 MONTH).", "ranges of "+TypeName(v.Type)))
	}
	return v.As(columnar.Int)
}

// Stride is how far the times of a range lie apart: so many months, or so many microseconds.
type Stride struct{ Months, Micros int64 }

// IsDown reports whether the times fall.
func (s Stride) IsDown() bool { return s.Months < 0 || s.Micros < 0 }

// StrideOf binds the third argument of a range; ok is false unless it is an interval.
func StrideOf(sc *Scope, call *sql.Expr) (by Stride, ok bool) {
	if len(call.Args) < 3 {
		return Stride{}, false
	}
	v := sc.Expr(call.Args[2])
	if v.Type != columnar.Interval {
		return Stride{}, false
	}
	at, n := call.Args[2].At, v.Expr.Fold().Literal()
	if n == nil || n.Null {
		panic(sql.Unsupported(at, "Next: write a constant interval.", "steps of a range that are not known beforehand"))
	}
	switch i := n.Interval(); {
	case i == number.Interval{}:
		panic(sql.Wrong(at, "", "a step is no 0"))
	case i.Months != 0 && (i.Days != 0 || i.Micros != 0):
		panic(sql.Unsupported(at, "Next: write it in months, or without them.", "steps of a range of months and days"))
	case max(i.Days, -i.Days) > MostDays || i.Days != 0 && max(i.Micros, -i.Micros) > MostDays*number.Day:
		panic(sql.Unsupported(at, "", "such steps of a range"))
	default:
		return Stride{i.Months, i.Days*number.Day + i.Micros}, true
	}
}

// MostDays bounds the days of a step: more than there are between any two dates.
const MostDays = 4_000_000

// timesList is a list of the times between two, an interval apart.
func timesList(sc *Scope, call *sql.Expr, by Stride) Value {
	one, before := int64(1), "<"
	if by.IsDown() {
		one, before = -1, ">"
	}
	beyond := int64(0) // how far the last number of microseconds lies behind the last one of the list
	if call.Text == "generate_series" {
		beyond, before = one, before+"="
	}
	begin := sc.Expr(call.Args[0])
	values := []Value{TimestampOf(begin.asTime()), TimestampOf(sc.Time(call.Args[1]))}
	for _, n := range []int64{by.Months + by.Micros, beyond, 2 * one} {
		values = append(values, Value{Expr: expr.Int(n), Type: columnar.Int, At: call.At})
	}
	list := timesApart
	if by.Months != 0 {
		list = monthsApart[before]
	}
	times := list.Value(sc.Statement, call.At, values)
	if begin.Type == columnar.Instant {
		return moments.Value(sc.Statement, call.At, []Value{times})
	}
	return times
}

// Lists of timestamps from a to b: so many microseconds apart, and so many months, by how the last one
// compares with b.
var (
	timesApart  = NewFormula("a, b, step, beyond", "list_transform(range(epoch_us(a), epoch_us(b) + beyond, step), lambda t: make_timestamp(t))")
	moments     = NewFormula("times", "CAST(times AS TIMESTAMPTZ[])")
	monthsApart = map[string]Formula{"<": inMonths("<"), "<=": inMonths("<="), ">": inMonths(">"), ">=": inMonths(">=")}
)

func inMonths(before string) Formula {
	return NewFormula("a, b, step, beyond, more", "list_filter(list_transform(range(0, date_diff('month', a, b) + more, step), lambda n: a + to_months(n)), lambda t: t "+before+" b)")
}
