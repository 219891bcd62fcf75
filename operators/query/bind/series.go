package bind

import (
	"cmp"
	"fmt"
	"math"
	"time"

	"analyzer/columnar"
	"analyzer/operators/expr"
	"analyzer/operators/query/plan"
	"analyzer/operators/query/scalar"
	"analyzer/operators/query/sql"
)

// seriesBlock is how many numbers of a series are made at a time.
const seriesBlock = 1024

// series binds range or generate_series of integers, dates or timestamps as rows.
func (w around) series(call *sql.Expr) *relation {
	scalar.Functions.Find(call.Text).CheckCount(call)
	column, sc := w.b.Unique(call.Text), w.scope("FROM", nil)
	made := field{name: call.Text, column: column, typ: columnar.Int}
	var rel *relation
	if by, ok := scalar.StrideOf(sc.row(), call); ok {
		rel, made.typ = w.b.times(call, by, column, sc)
	} else {
		rel = w.b.integers(call.At, column, sc.row().RangeOf(call))
	}
	rel.fields = []field{made}
	return rel
}

// integers returns a column of the integers from args[0] to args[1], exclusive, in steps of
// args[2]. They are made block by block, so that a long range needs little memory.
func (b *binder) integers(at sql.Span, column string, args []*expr.Expr) *relation {
	refuseLonger(at, args)
	rel, block := b.nothing(at), b.Unique("block")
	begin, end, step, numbers := expr.Col(block), args[1], args[2], int64(seriesBlock)
	items := plan.Unnested{Column: column, As: column}
	if by := step.Fold().Literal(); by != nil && !by.Null {
		if b.catalog.Nothing != nil { // which has one row
			items.Step = int8(cmp.Compare(by.Int, 0))
			rel.order = []plan.Order{{Column: column, Desc: by.Int < 0}}
		}
		if most := int64(math.MaxInt64 / seriesBlock); by.Int > most || by.Int < -most {
			numbers = 1
		}
	}
	reach := expr.Mul(step, expr.Int(numbers))
	rest := expr.Sub(expr.ToHuge(end), expr.ToHuge(begin)) // which 64 bits need not hold
	more := expr.If(expr.Lt(step, expr.Int(0)), expr.Lt(rest, reach), expr.Lt(reach, rest))
	next := expr.If(more, expr.Add(begin, reach), end)
	rel.node = rel.node.
		Project(plan.As(block, expr.Call(expr.OpRange, args[0], end, reach))).Unnest(block, block).
		Project(plan.As(column, expr.Call(expr.OpRange, begin, next, step))).UnnestAll(items)
	return rel
}

// mostNumbers bounds a series: the numbers that its blocks begin with are a list of half the text that a function may make.
const mostNumbers = seriesBlock << 22

// refuseLonger refuses a series of constants that is too long to be made.
func refuseLonger(at sql.Span, args []*expr.Expr) {
	begin, end, step := args[0].Fold().Literal(), args[1].Fold().Literal(), args[2].Fold().Literal()
	if begin == nil || end == nil || step == nil || begin.Null || end.Null || step.Null {
		return
	}
	if n := (float64(end.Int) - float64(begin.Int)) / float64(step.Int); n > mostNumbers {
		panic(sql.Unsupported(at, "Next: write a nearer end; LIMIT does not shorten a range.", fmt.Sprintf("ranges of more than %d numbers", int64(mostNumbers))))
	}
}

// times returns a column of the times between two constant ones, an interval apart, and its type.
func (b *binder) times(call *sql.Expr, by scalar.Stride, column string, sc *scope) (*relation, columnar.Type) {
	begin, end := constantTime(sc, call.Args[0]), constantTime(sc, call.Args[1])
	first, last := begin.Expr.Value.Int, end.Expr.Value.Int
	one := int64(1)
	if by.IsDown() {
		one = -1
	}
	behind := last // the first number of microseconds that no time of the range is
	if call.Text == "generate_series" {
		behind += one
	}
	var rel *relation
	if by.Months == 0 {
		rel = b.integers(call.At, column, []*expr.Expr{expr.Int(first), expr.Int(behind), expr.Int(by.Micros)})
		rel.node = rel.node.Project(plan.As(column, expr.Call(expr.OpMakeTimestamp, expr.Col(column))))
	} else {
		from, to := time.UnixMicro(first).UTC(), time.UnixMicro(last).UTC()
		months := int64(to.Year()-from.Year())*12 + int64(to.Month()-from.Month())
		rel = b.integers(call.At, column, []*expr.Expr{expr.Int(0), expr.Int(months + 2*one), expr.Int(by.Months)})
		within := map[int64]expr.Op{1: expr.OpLt, -1: expr.OpGt}[one]
		rel.node = rel.node.Project(plan.As(column, expr.Call(expr.OpAddMonths, expr.Timestamp(first), expr.Col(column)))).
			Filter(expr.Call(within, expr.Col(column), expr.Timestamp(behind)))
	}
	made := scalar.Value{Expr: expr.Col(column), Type: columnar.Timestamp}.Zoned(sc.row().Expr(call.Args[0]))
	if made.Type == columnar.Instant {
		rel.node = rel.node.Project(plan.As(column, made.Expr))
	}
	return rel, made.Type
}

// constantTime binds an end of a range of times as a timestamp that is known beforehand.
func constantTime(sc *scope, e *sql.Expr) scalar.Value {
	v := scalar.TimestampOf(sc.row().Time(e))
	if v.Expr = v.Expr.Fold(); v.Expr.Literal() == nil {
		panic(sql.Unsupported(e.At, "Next: write a DATE or TIMESTAMP.", "ranges of times that are not known beforehand"))
	}
	return v
}
