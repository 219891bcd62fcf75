package expr

import (
	"fmt"
	"slices"

	"analyzer/columnar"
	"analyzer/columnar/number"
	"analyzer/operators/registry"
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

func init() { functions.Add(dateFunctions) }

func dateFunctions() []function {
	return []function{
		{
			op: OpDatePart, takes: "the name of a part and a date, timestamp or time",
			types: []registry.Signature{sig(columnar.Int, columnar.Text, columnar.Date), sig(columnar.Int, columnar.Text, columnar.Timestamp), sig(columnar.Int, columnar.Text, columnar.Time)},
			cost:  costText, build: dateParts.build,
		},
		{
			op: OpDateTrunc, takes: "the name of a part and a date or timestamp",
			types: []registry.Signature{sig(columnar.Date, columnar.Text, columnar.Date), sig(columnar.Timestamp, columnar.Text, columnar.Timestamp)},
			cost:  costText, build: dateUnits.build,
		},
		{
			op: OpMakeDate, takes: "three ints", types: only(columnar.Date, columnar.Int, columnar.Int, columnar.Int),
			cost: costText, canFail: true, build: just(makeDate),
		},
	}
}

func init() { functions.Add(dateArithmetic) }

func dateArithmetic() []function {
	return []function{
		{
			op: OpAddDays, takes: "a date and an int", types: only(columnar.Date, columnar.Date, columnar.Int),
			cost: costFixed, canFail: true, build: buildShift(addDays),
		},
		{
			op: OpAddMonths, takes: "a date or timestamp and an int",
			types: []registry.Signature{sig(columnar.Date, columnar.Date, columnar.Int), sig(columnar.Timestamp, columnar.Timestamp, columnar.Int)},
			cost:  costText, canFail: true, build: buildAddMonths,
		},
		{
			op: OpDaysBetween, takes: "two dates", types: only(columnar.Int, columnar.Date, columnar.Date),
			cost: costFixed, build: just(func(out *result, args []*columnar.Vector) error {
				each2(out.Ints, args[0].Ints, args[1].Ints, func(x, y int64) int64 { return y - x })
				out.nullOfInfinite(number.InfiniteDay, args...)
				return nil
			}),
		},
	}
}

// addDays moves a day, but not an infinite one.
func addDays(days, n int64) (int64, bool) {
	const most = 2 * number.InfiniteDay
	switch {
	case !number.IsFiniteDay(days):
		return days, true
	case n < -most || n > most:
		return 0, false
	}
	return days + n, number.IsFiniteDay(days + n)
}

func addMonths(days, n int64) (int64, bool) {
	moved := number.AddMonths(days, n)
	return moved, moved == days || number.IsFiniteDay(moved)
}

// nullOfInfinite makes values of which an argument is infinite null: of dates and of timestamps, each of which has
// its infinity.
func (r *result) nullOfInfinite(infinite int64, args ...*columnar.Vector) {
	for _, arg := range args {
		for i, n := range arg.Ints[:r.Len] {
			if (n >= infinite || n <= -infinite) && !r.IsNull(i) {
				r.setNull(i)
			}
		}
	}
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
		days, ok := number.AnyDay(y, m, d)
		if !ok {
			return fmt.Errorf("the calendar has no day %d-%d-%d: %w", y, m, d, ErrCast)
		}
		out.Ints[i] = days
	}
	return nil
}

// part is a part of a date or timestamp, such as its month, or a unit of time to truncate
// to. For dates, of computes the part, or the unit's first day, from days since 1970-01-01.
// For the time of day, unit is the length of the unit, and in that of the larger unit within
// which the part is counted: a second is counted within its minute, and so is a millisecond.
type part struct {
	name     string
	of       func(days int64) int64
	unit, in int64
}

var clockParts = []part{
	{name: "hour", unit: number.Hour, in: number.Day},
	{name: "minute", unit: number.Minute, in: number.Hour},
	{name: "second", unit: number.Second, in: number.Minute},
	{name: "millisecond", unit: number.Second / 1000, in: number.Minute},
	{name: "microsecond", unit: 1, in: number.Minute},
}

// parts are the parts that a function knows, and how it applies them to timestamps: ofDay
// converts what part.of computed from the day, and ofClock computes a part of the time of day,
// which dates do not have.
type parts struct {
	all     []part
	keeps   bool // infinite values stay; otherwise they have no part
	ofDay   func(n int64) int64
	ofClock func(micros int64, p part) int64
}

// dateParts are the parts that date_part computes, and dateUnits the units that date_trunc
// truncates to.
var (
	dateParts = &parts{all: append([]part{
		{name: "year", of: number.DateYear},
		{name: "quarter", of: func(days int64) int64 { _, m, _ := number.DateOf(days); return (m + 2) / 3 }},
		{name: "month", of: func(days int64) int64 { _, m, _ := number.DateOf(days); return m }},
		{name: "day", of: func(days int64) int64 { _, _, d := number.DateOf(days); return d }},
		{name: "dow", of: func(days int64) int64 { return (isoDay(days) + 1) % 7 }},
		{name: "isodow", of: func(days int64) int64 { return isoDay(days) + 1 }},
		{name: "doy", of: func(days int64) int64 { return days - number.DayOf(number.DateYear(days), 1, 1) + 1 }},
		{name: "week", of: func(days int64) int64 { _, week := isoWeek(days); return week }},
		{name: "isoyear", of: func(days int64) int64 { year, _ := isoWeek(days); return year }},
		{name: "yearweek", of: func(days int64) int64 {
			year, week := isoWeek(days)
			if year <= 0 {
				week = -week
			}
			return year*100 + week
		}},
		{name: "decade", of: func(days int64) int64 { return number.DateYear(days) / 10 }},
		{name: "century", of: func(days int64) int64 { return yearsOf(days, 100) }},
		{name: "millennium", of: func(days int64) int64 { return yearsOf(days, 1000) }},
		{name: "era", of: func(days int64) int64 { return min(max(number.DateYear(days), 0), 1) }},
	}, clockParts...), ofDay: func(n int64) int64 { return n }, ofClock: func(micros int64, p part) int64 {
		_, clock := number.DayAndClock(micros)
		return clock % p.in / p.unit
	}}
	dateUnits = &parts{all: append([]part{
		{name: "year", of: func(days int64) int64 { return number.DayOf(number.DateYear(days), 1, 1) }},
		{name: "quarter", of: func(days int64) int64 { y, m, _ := number.DateOf(days); return number.DayOf(y, (m-1)/3*3+1, 1) }},
		{name: "month", of: func(days int64) int64 { y, m, _ := number.DateOf(days); return number.DayOf(y, m, 1) }},
		{name: "week", of: func(days int64) int64 { return days - isoDay(days) }},
		{name: "isoyear", of: func(days int64) int64 {
			year, _ := isoWeek(days)
			jan4 := number.DayOf(year, 1, 4)
			return jan4 - isoDay(jan4)
		}},
		{name: "day", of: func(days int64) int64 { return days }},
		{name: "decade", of: func(days int64) int64 { return number.DayOf(number.DateYear(days)/10*10, 1, 1) }},
		{name: "century", of: func(days int64) int64 { return number.DayOf(number.DateYear(days)/100*100, 1, 1) }},
		{name: "millennium", of: func(days int64) int64 { return number.DayOf(number.DateYear(days)/1000*1000, 1, 1) }},
	}, clockParts...), keeps: true, ofDay: number.TimestampOf, ofClock: func(micros int64, p part) int64 {
		_, clock := number.DayAndClock(micros)
		return micros - clock%p.unit
	}}
)

// yearsOf counts spans of years, of which the first begins with the year 1, and the one before it is -1.
func yearsOf(days, length int64) int64 {
	year := number.DateYear(days)
	if year < 1 {
		return year/length - 1
	}
	return (year-1)/length + 1
}

// TimeParts returns the parts of timestamps that date_part knows: those of dates and those
// of the time of day.
func TimeParts() []string { return namesOf(dateParts.all) }

// TimeUnits returns the units of timestamps that date_trunc knows.
func TimeUnits() []string { return namesOf(dateUnits.all) }

func namesOf(all []part) []string {
	return columnar.Each(all, func(one part) string { return one.name })
}

// IsTimeOfDay reports whether a part or unit is of the time of day.
func IsTimeOfDay(name string) bool { return slices.Contains(namesOf(clockParts), name) }

// isoDay is the day of the week; Monday is 0.
func isoDay(days int64) int64 { return ((days+3)%7 + 7) % 7 }

// isoWeek returns the ISO 8601 week of a day, and the year that the week belongs to, which
// is the year of its Thursday.
func isoWeek(days int64) (year, week int64) {
	thursday := days - isoDay(days) + 3
	year = number.DateYear(thursday)
	return year, (thursday-number.DayOf(year, 1, 1))/7 + 1
}

// named returns the function that computes the part of that name from a date or timestamp,
// or nil if values of the type have no such part.
func (p *parts) named(name string, t columnar.Type) func(int64) int64 {
	stamps := t == columnar.Timestamp
	for _, one := range p.all {
		switch {
		case one.name != name:
		case one.of == nil && t != columnar.Date:
			return func(micros int64) int64 { return p.ofClock(micros, one) }
		case stamps:
			return func(micros int64) int64 { days, _ := number.DayAndClock(micros); return p.ofDay(one.of(days)) }
		case t == columnar.Date:
			return one.of
		}
	}
	return nil
}

func (p *parts) build(b *build) (kernel, error) {
	name, err := b.pattern(0)
	if err != nil {
		return nil, err
	}
	of := p.named(name, b.args[1].typ)
	if of == nil {
		return nil, fmt.Errorf("there is no part %q of a %s", name, b.args[1].typ)
	}
	b.keep(1)
	infinite := infinityOf(b.args[0].typ)
	return func(out *result, args []*columnar.Vector) error {
		some := false
		for i, n := range args[0].Ints[:out.Len] {
			if n >= infinite || n <= -infinite {
				out.Ints[i], some = n, true
				continue
			}
			out.Ints[i] = of(n)
		}
		if some && !p.keeps {
			out.nullOfInfinite(infinite, args...)
		}
		return nil
	}, nil
}

// infinityOf is the infinite value of a type of times. Times of day have none that they reach.
func infinityOf(t columnar.Type) int64 {
	if t == columnar.Date {
		return number.InfiniteDay
	}
	return number.InfiniteTime
}
