package expr

import (
	"fmt"
	"slices"

	"analyzer/columnar"
	"analyzer/columnar/number"
)

// The functions of dates.
const (
	OpDatePart    Op = "date_part"
	OpDateTrunc   Op = "date_trunc"
	OpMakeDate    Op = "make_date"
	OpAddDays     Op = "add_days"
	OpAddMonths   Op = "add_months"
	OpDaysBetween Op = "days_between"
)

var dateFunctions = []function{
	{
		op: OpDatePart, takes: "the name of a part and a date or timestamp",
		types: []signature{sig(columnar.Int, columnar.Text, columnar.Date), sig(columnar.Int, columnar.Text, columnar.Timestamp)},
		cost:  costText, build: buildDatePart,
		help:    "the year, quarter, month, day, dow (0 is Sunday), isodow (7 is Sunday), doy, week, isoyear, yearweek, decade or century; of a timestamp also the hour, minute, second, millisecond or microsecond",
		example: Call(OpDatePart, Str("month"), Date(40)),
	},
	{
		op: OpDateTrunc, takes: "the name of a part and a date or timestamp",
		types: []signature{sig(columnar.Date, columnar.Text, columnar.Date), sig(columnar.Timestamp, columnar.Text, columnar.Timestamp)},
		cost:  costText, build: buildDateTrunc,
		help:    "the beginning of the year, quarter, month, week, which begins on Monday, day, decade or century; of a timestamp also of the hour, minute, second, millisecond or microsecond",
		example: Call(OpDateTrunc, Str("month"), Date(40)),
	},
	{
		op: OpMakeDate, takes: "three ints", types: []signature{sig(columnar.Date, columnar.Int, columnar.Int, columnar.Int)},
		cost: costText, canFail: true, build: just(makeDate),
		help: "the date of a year, month and day", example: Call(OpMakeDate, Int(2020), Int(2), Int(29)),
	},
}

var dateArithmetic = []function{
	{
		op: OpAddDays, takes: "a date and an int", types: []signature{sig(columnar.Date, columnar.Date, columnar.Int)},
		cost: costFixed, canFail: true, build: buildShift(addDays),
		help: "the date so many days later", example: Call(OpAddDays, Date(40), Int(3)),
	},
	{
		op: OpAddMonths, takes: "a date or timestamp and an int",
		types: []signature{sig(columnar.Date, columnar.Date, columnar.Int), sig(columnar.Timestamp, columnar.Timestamp, columnar.Int)},
		cost:  costText, canFail: true, build: buildAddMonths,
		help: "the same day so many months later, or the last one of that month", example: Call(OpAddMonths, Date(30), Int(1)),
	},
	{
		op: OpDaysBetween, takes: "two dates", types: []signature{sig(columnar.Int, columnar.Date, columnar.Date)},
		cost: costFixed, build: just(func(out *result, args []*columnar.Vector) error {
			each2(out.Ints, args[0].Ints, args[1].Ints, func(x, y int64) int64 { return y - x })
			return nil
		}),
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
	days = number.AddMonths(days, n)
	return days, isDay(days)
}

// buildShift makes the kernel of a function that moves dates or timestamps.
func buildShift(shift func(at, n int64) (int64, bool)) func(*build) (kernel, error) {
	return func(b *build) (kernel, error) {
		return compute(b, ints, func(out, x, y []int64) bool { return each2Fits(out, x, y, shift) }), nil
	}
}

func buildAddMonths(b *build) (kernel, error) {
	if b.typ == columnar.Timestamp {
		return buildShift(addMonthsTo)(b)
	}
	return buildShift(addMonths)(b)
}

func makeDate(out *result, args []*columnar.Vector) error {
	for i := range out.rows() {
		y, m, d := args[0].Ints[i], args[1].Ints[i], args[2].Ints[i]
		days, ok := number.CalendarDay(y, m, d)
		if !ok || !isDay(days) {
			return fmt.Errorf("the calendar has no day %d-%d-%d: %w", y, m, d, ErrCast)
		}
		out.Ints[i] = days
	}
	return nil
}

// ofDay is what is computed of a day since 1970-01-01.
type ofDay struct {
	name string
	of   func(days int64) int64
}

// dateParts are the parts of a date that date_part knows, and dateUnits the units of which
// date_trunc finds the first day.
var (
	dateParts = []ofDay{
		{"year", number.DateYear},
		{"quarter", func(days int64) int64 { _, m, _ := number.DateOf(days); return (m + 2) / 3 }},
		{"month", func(days int64) int64 { _, m, _ := number.DateOf(days); return m }},
		{"day", func(days int64) int64 { _, _, d := number.DateOf(days); return d }},
		{"dow", func(days int64) int64 { return (isoDay(days) + 1) % 7 }},
		{"isodow", func(days int64) int64 { return isoDay(days) + 1 }},
		{"doy", func(days int64) int64 { return days - number.DayOf(number.DateYear(days), 1, 1) + 1 }},
		{"week", func(days int64) int64 { _, week := isoWeek(days); return week }},
		{"isoyear", func(days int64) int64 { year, _ := isoWeek(days); return year }},
		{"yearweek", func(days int64) int64 { year, week := isoWeek(days); return year*100 + week }},
		{"decade", func(days int64) int64 { return number.DateYear(days) / 10 }},
		{"century", func(days int64) int64 { return (number.DateYear(days)-1)/100 + 1 }},
	}
	dateUnits = []ofDay{
		{"year", func(days int64) int64 { return number.DayOf(number.DateYear(days), 1, 1) }},
		{"quarter", func(days int64) int64 { y, m, _ := number.DateOf(days); return number.DayOf(y, (m-1)/3*3+1, 1) }},
		{"month", func(days int64) int64 { y, m, _ := number.DateOf(days); return number.DayOf(y, m, 1) }},
		{"week", func(days int64) int64 { return days - isoDay(days) }},
		{"day", func(days int64) int64 { return days }},
		{"decade", func(days int64) int64 { return number.DayOf(number.DateYear(days)/10*10, 1, 1) }},
		{"century", func(days int64) int64 { return number.DayOf(number.DateYear(days)/100*100, 1, 1) }},
	}
)

// DateParts are the parts of a date that date_part knows.
func DateParts() []string { return namesOf(dateParts) }

// DateUnits are the units of dates that date_trunc knows.
func DateUnits() []string { return namesOf(dateUnits) }

func namesOf(all []ofDay) []string {
	names := make([]string, len(all))
	for i, one := range all {
		names[i] = one.name
	}
	return names
}

// partOf returns the function that computes a part of a date, nil if there is none.
func partOf(name string) func(days int64) int64 { return named(dateParts, name) }

// unitOf returns the function that computes the first day of a unit, nil if there is
// none.
func unitOf(name string) func(days int64) int64 { return named(dateUnits, name) }

func named(all []ofDay, name string) func(days int64) int64 {
	if i := slices.IndexFunc(all, func(one ofDay) bool { return one.name == name }); i >= 0 {
		return all[i].of
	}
	return nil
}

// isoDay is the day of the week, of which Monday is 0.
func isoDay(days int64) int64 { return ((days+3)%7 + 7) % 7 }

// isoWeek returns the week of a day by ISO 8601, and the year that it counts to, which
// is that of its Thursday.
func isoWeek(days int64) (year, week int64) {
	thursday := days - isoDay(days) + 3
	year = number.DateYear(thursday)
	return year, (thursday-number.DayOf(year, 1, 1))/7 + 1
}

func buildDatePart(b *build) (kernel, error)  { return buildOfDate(b, partOf, partOfTime) }
func buildDateTrunc(b *build) (kernel, error) { return buildOfDate(b, unitOf, unitOfTime) }

func buildOfDate(b *build, ofDate, ofTime func(string) func(int64) int64) (kernel, error) {
	name, err := b.pattern(0)
	if err != nil {
		return nil, err
	}
	of := ofDate(name)
	if b.args[1].typ == columnar.Timestamp {
		of = ofTime(name)
	}
	if of == nil {
		return nil, fmt.Errorf("compile %s: there is no part %q of a %s", b.expr.brief(), name, b.args[1].typ)
	}
	b.keep(1)
	return mapInts(of), nil
}

// mapInts is the kernel of a function of integers, or of what is kept as such.
func mapInts(f func(int64) int64) kernel {
	return func(out *result, args []*columnar.Vector) error {
		for i, n := range args[0].Ints[:out.Len] {
			out.Ints[i] = f(n)
		}
		return nil
	}
}

func eachInt(f func(int64) int64) func(*build) (kernel, error) { return just(mapInts(f)) }
