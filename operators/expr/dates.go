package expr

import (
	"fmt"

	"analyzer/columnar"
	"analyzer/columnar/number"
)

// The functions of dates.
const (
	OpDatePart  Op = "date_part"
	OpDateTrunc Op = "date_trunc"
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
