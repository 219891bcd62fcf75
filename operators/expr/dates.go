package expr

import (
	"fmt"

	"analyzer/columnar"
	"analyzer/columnar/number"
)

// The functions of dates.
const (
	OpDatePart    Op = "date_part"
	OpDateTrunc   Op = "date_trunc"
	OpAddDays     Op = "add_days"
	OpAddMonths   Op = "add_months"
	OpDaysBetween Op = "days_between"
)

var dateFunctions = []function{
	{
		op: OpDatePart, takes: "the name of a part and a date", types: []signature{sig(columnar.Int, columnar.Text, columnar.Date)},
		cost: costText, build: buildDatePart,
		help: "the year, quarter, month, day, dow (0 is Sunday), isodow (7 is Sunday) or doy of a date", example: Call(OpDatePart, Str("month"), Date(40)),
	},
	{
		op: OpDateTrunc, takes: "the name of a part and a date", types: []signature{sig(columnar.Date, columnar.Text, columnar.Date)},
		cost: costText, build: buildDateTrunc,
		help: "the first day of the date's year, quarter, month or week, which begins on Monday", example: Call(OpDateTrunc, Str("month"), Date(40)),
	},
}

var dateArithmetic = []function{
	{
		op: OpAddDays, takes: "a date and an int", types: []signature{sig(columnar.Date, columnar.Date, columnar.Int)},
		cost: costFixed, canFail: true, build: buildShift(addDays),
		help: "the date so many days later", example: Call(OpAddDays, Date(40), Int(3)),
	},
	{
		op: OpAddMonths, takes: "a date and an int", types: []signature{sig(columnar.Date, columnar.Date, columnar.Int)},
		cost: costText, canFail: true, build: buildShift(addMonths),
		help: "the same day so many months later, or the last one of that month", example: Call(OpAddMonths, Date(30), Int(1)),
	},
	{
		op: OpDaysBetween, takes: "two dates", types: []signature{sig(columnar.Int, columnar.Date, columnar.Date)},
		cost: costFixed, build: func(b *build) (kernel, error) {
			return func(out *result, args []*columnar.Vector) error {
				each2(out.vec.Ints[:out.vec.Len], args[0].Ints, args[1].Ints, func(x, y int64) int64 { return y - x })
				return nil
			}, nil
		},
		help: "how many days the second date is after the first", example: Call(OpDaysBetween, Date(40), Date(31)),
	},
}

// The days that calculations may come to.
var firstDay, lastDay = number.DayOf(1, 1, 1), number.DayOf(9999, 12, 31)

func isDay(days int64) bool { return days >= firstDay && days <= lastDay }

func addDays(days, n int64) (int64, bool) {
	if n < firstDay-lastDay || n > lastDay-firstDay {
		return 0, false
	}
	return days + n, isDay(days + n)
}

func addMonths(days, n int64) (int64, bool) {
	const most = 12 * 10_000
	if n < -most || n > most {
		return 0, false
	}
	year, month, day := number.DateOf(days)
	months := year*12 + month - 1 + n
	if months < 12 || months >= most {
		return 0, false
	}
	year, month = months/12, months%12+1
	first := number.DayOf(year, month, 1)
	next := first + 31
	if month < 12 {
		next = number.DayOf(year, month+1, 1)
	}
	return min(first+day, next) - 1, true
}

// buildShift makes the kernel of a function that moves dates.
func buildShift(shift func(days, n int64) (int64, bool)) func(*build) (kernel, error) {
	return func(b *build) (kernel, error) {
		return compute(b, ints, func(out, x, y []int64) bool { return each2Fits(out, x, y, shift) }), nil
	}
}

// DateParts are the parts that date_part knows.
func DateParts() []string { return []string{"year", "quarter", "month", "day", "dow", "isodow", "doy"} }

// DateUnits are the units that date_trunc knows.
func DateUnits() []string { return []string{"year", "quarter", "month", "week", "day"} }

// partOf returns the function that computes a part of a date, nil if there is none.
func partOf(name string) func(days int64) int64 {
	switch name {
	case "year":
		return number.DateYear
	case "quarter":
		return func(days int64) int64 { _, m, _ := number.DateOf(days); return (m + 2) / 3 }
	case "month":
		return func(days int64) int64 { _, m, _ := number.DateOf(days); return m }
	case "day":
		return func(days int64) int64 { _, _, d := number.DateOf(days); return d }
	case "dow":
		return func(days int64) int64 { return ((days+4)%7 + 7) % 7 }
	case "isodow":
		return func(days int64) int64 { return ((days+3)%7+7)%7 + 1 }
	case "doy":
		return func(days int64) int64 { return days - number.DayOf(number.DateYear(days), 1, 1) + 1 }
	}
	return nil
}

// unitOf returns the function that computes the first day of a unit, nil if there is
// none.
func unitOf(name string) func(days int64) int64 {
	switch name {
	case "year":
		return func(days int64) int64 { return number.DayOf(number.DateYear(days), 1, 1) }
	case "quarter":
		return func(days int64) int64 { y, m, _ := number.DateOf(days); return number.DayOf(y, (m-1)/3*3+1, 1) }
	case "month":
		return func(days int64) int64 { y, m, _ := number.DateOf(days); return number.DayOf(y, m, 1) }
	case "week":
		return func(days int64) int64 { return days - ((days+3)%7+7)%7 }
	case "day":
		return func(days int64) int64 { return days }
	}
	return nil
}

func buildDatePart(b *build) (kernel, error)  { return buildOfDate(b, partOf) }
func buildDateTrunc(b *build) (kernel, error) { return buildOfDate(b, unitOf) }

func buildOfDate(b *build, find func(string) func(int64) int64) (kernel, error) {
	name, err := b.pattern(0)
	if err != nil {
		return nil, err
	}
	of := find(name)
	if of == nil {
		return nil, fmt.Errorf("compile %s: there is no part %q of a date", b.expr.brief(), name)
	}
	b.keep(1)
	return func(out *result, args []*columnar.Vector) error {
		for i, days := range args[0].Ints[:out.vec.Len] {
			out.vec.Ints[i] = of(days)
		}
		return nil
	}, nil
}
