package bind

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"analyzer/columnar"
	"analyzer/operators/expr"
	"analyzer/operators/sql"
)

// dates binds a calculation with dates: days added to one, or days between two.
func (b *binder) dates(e *sql.Expr, x, y typed) (typed, error) {
	switch {
	case e.Text == "-" && x.t == columnar.Date && (y.t == columnar.Date || y.written) || e.Text == "-" && x.written && y.t == columnar.Date:
		first, err := y.as(columnar.Date, e.Args[1].At)
		if err != nil {
			return typed{}, err
		}
		second, err := x.as(columnar.Date, e.Args[0].At)
		return typed{e: expr.Call(expr.OpDaysBetween, first, second), t: columnar.Int}, err
	case e.Text == "+" && y.t == columnar.Date:
		x, y = y, x
	case (e.Text != "+" && e.Text != "-") || x.t != columnar.Date:
		return typed{}, sql.Wrong(e.At, "", "a date can be moved by days and intervals with + and -, and dates subtracted")
	}
	if y.t != columnar.Int {
		return typed{}, sql.Wrong(e.At, "Next: write a number of days or an INTERVAL.", "a date is moved by BIGINT days, and this is %s", TypeName(y.t))
	}
	return moved(expr.OpAddDays, x.e, y.e, e.Text == "-"), nil
}

// moved is a date that is moved.
func moved(op expr.Op, date, by *expr.Expr, back bool) typed {
	if back {
		by = expr.Sub(expr.Int(0), by)
	}
	return typed{e: expr.Call(op, date, by.Fold()), t: columnar.Date}
}

// unit is a unit of time: so many days or months.
type unit struct {
	name string
	op   expr.Op
	of   int64
}

func units() []unit {
	return []unit{
		{"day", expr.OpAddDays, 1},
		{"week", expr.OpAddDays, 7},
		{"month", expr.OpAddMonths, 1},
		{"quarter", expr.OpAddMonths, 3},
		{"year", expr.OpAddMonths, 12},
	}
}

func unitOf(name string) (unit, bool) {
	name = strings.TrimSuffix(strings.ToLower(name), "s")
	i := slices.IndexFunc(units(), func(u unit) bool { return u.name == name })
	if i < 0 {
		return unit{}, false
	}
	return units()[i], true
}

// shift binds a date with an interval added or subtracted.
func (b *binder) shift(x typed, e *sql.Expr, s *scope) (typed, error) {
	interval := e.Args[1]
	if x.t != columnar.Date {
		return typed{}, sql.Unsupported(interval.At, "Next: add it to a DATE; CAST(… AS DATE) makes one.", "intervals beside anything but dates")
	}
	v, err := b.expr(interval.Args[0], s)
	if err != nil {
		return typed{}, err
	}
	name := interval.Text
	if v.written {
		number, behind, _ := strings.Cut(strings.TrimSpace(v.e.Value.Text), " ")
		if name == "" {
			name = strings.TrimSpace(behind)
			behind = ""
		}
		n, err := strconv.ParseInt(number, 10, 64)
		if err != nil || behind != "" {
			return typed{}, sql.Unsupported(interval.At, "Next: write a number and one unit, such as INTERVAL 3 MONTH.", "intervals of several units")
		}
		v = typed{e: expr.Int(n), t: columnar.Int}
	}
	u, ok := unitOf(name)
	switch {
	case !ok:
		return typed{}, sql.Unsupported(interval.At, "There are day, week, month, quarter, year.", fmt.Sprintf("intervals of %ss", strings.ToLower(strings.TrimSuffix(name, "s"))))
	case v.t != columnar.Int:
		return typed{}, sql.Wrong(interval.Args[0].At, "", "an interval is a whole number of units, and this is %s", TypeName(v.t))
	case u.of > 1:
		v.e = expr.Mul(v.e, expr.Int(u.of))
	}
	return moved(u.op, x.e, v.e, e.Text == "-"), nil
}

// bindDateDiff counts how many beginnings of a month, quarter or year lie between two
// dates, or whole weeks or days.
func bindDateDiff(b *binder, e *sql.Expr, s *scope) (typed, error) {
	name, err := b.literalText(e.Args[0], s, "the unit")
	if err != nil {
		return typed{}, err
	}
	u, ok := unitOf(name)
	if !ok {
		return typed{}, sql.Wrong(e.Args[0].At, "There are day, week, month, quarter, year.", "there is no unit %q of dates here", name)
	}
	var at [2]*expr.Expr
	for i := range at {
		v, err := b.expr(e.Args[1+i], s)
		if err != nil {
			return v, err
		}
		if at[i], err = v.as(columnar.Date, e.Args[1+i].At); err != nil {
			return v, err
		}
	}
	if u.op == expr.OpAddDays {
		days := expr.Call(expr.OpDaysBetween, at[0], at[1])
		return typed{e: expr.IntDiv(days, expr.Int(u.of)), t: columnar.Int}, nil
	}
	for i := range at {
		at[i] = expr.Call(expr.OpDateTrunc, expr.Str(u.name), at[i])
		at[i] = expr.Add(expr.Mul(expr.Call(expr.OpDatePart, expr.Str("year"), at[i]), expr.Int(12)), expr.Call(expr.OpDatePart, expr.Str("month"), at[i]))
	}
	return typed{e: expr.IntDiv(expr.Sub(at[1], at[0]), expr.Int(u.of)), t: columnar.Int}, nil
}

// bindLastDay is the last day of a date's month.
func bindLastDay(b *binder, e *sql.Expr, s *scope) (typed, error) {
	v, err := b.expr(e.Args[0], s)
	if err != nil {
		return v, err
	}
	date, err := v.as(columnar.Date, e.Args[0].At)
	next := expr.Call(expr.OpAddMonths, expr.Call(expr.OpDateTrunc, expr.Str("month"), date), expr.Int(1))
	return typed{e: expr.Call(expr.OpAddDays, next, expr.Int(-1)), t: columnar.Date}, err
}
