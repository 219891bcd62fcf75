package scalar

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"analyzer/columnar"
	"analyzer/columnar/number"
	"analyzer/operators/expr"
	"analyzer/operators/query/sql"
	"analyzer/operators/registry"
)

// partFunctions returns the functions of one part of a date or timestamp.
func partFunctions() []Function {
	return []Function{
		partFunction("quarter", "the quarter of the year", "quarter(DATE '2024-02-10')", "1"),
		partFunction("month", "the month of the year", "month(DATE '2024-02-10')", "2"),
		partFunction("day dayofmonth", "the day of the month", "day(DATE '2024-02-10')", "10"),
		partFunction("dayofweek weekday", "the day of the week, from 0 for Sunday", "dayofweek(DATE '2024-02-10')", "6"),
		partFunction("isodow", "the day of the week, from 1 for Monday", "isodow(DATE '2024-02-10')", "6"),
		partFunction("dayofyear", "the day of the year", "dayofyear(DATE '2024-02-10')", "41"),
		partFunction("week weekofyear", "the week of the year as ISO 8601 counts it", "week(DATE '2024-02-10')", "6"),
		partFunction("isoyear", "the year to which ISO 8601 counts the week", "isoyear(DATE '2024-12-31')", "2025"),
		partFunction("yearweek", "the year and week of ISO 8601 as one number", "yearweek(DATE '2024-02-10')", "202406"),
		partFunction("decade", "the year divided by ten", "decade(DATE '2024-02-10')", "202"),
		partFunction("century", "the century", "century(DATE '2024-02-10')", "21"),
		partFunction("millennium", "the millennium", "millennium(DATE '2024-02-10')", "3"),
		partFunction("era", "the era: 1, since Christ", "era(DATE '2024-02-10')", "1"),
		partFunction("julian", "the days since -4713-11-24 by the Gregorian calendar, with the time of day behind the point", "julian(DATE '2024-02-10')", "2460351"),
		partFunction("hour", "the hour of the day", "hour(TIMESTAMP '2024-02-10 17:30:05')", "17"),
		partFunction("minute", "the minute of the hour", "minute(TIMESTAMP '2024-02-10 17:30:05')", "30"),
		partFunction("second", "the second of the minute", "second(TIMESTAMP '2024-02-10 17:30:05')", "5"),
		partFunction("millisecond", "the milliseconds of the minute", "millisecond(TIMESTAMP '2024-02-10 17:30:05')", "5000"),
		partFunction("microsecond", "the microseconds of the minute", "microsecond(TIMESTAMP '2024-02-10 17:30:05')", "5000000"),
	}
}

// partFunction returns the function of a part that is called by one or two names.
func partFunction(names, help, example, value string) Function {
	doc := registry.Times.Doc(names, "(date)", help, example, value)
	return Documented(doc, ofPart(doc.Names[0]))
}

// ofPart binds a function that returns a part of a date or timestamp.
func ofPart(name string) Binding {
	return on(Value.asMoment, func(v Value) Value { return datePart(expr.PartName(name), v) })
}

// julianDay is the Julian day on which 1970 began.
const julianDay = 2_440_588

// datePart is a part of a date, a timestamp or a time of day.
func datePart(name string, v Value) Value {
	if v.Type == columnar.Interval {
		if name == "epoch" {
			return epochOf(v)
		}
		return intervalPart(name, v)
	}
	micros := expr.Call(expr.OpEpochMicros, TimestampOf(v).Expr)
	switch name {
	case "timezone", "timezone_hour", "timezone_minute":
		if v.Type == columnar.Date {
			panic(sql.Wrong(v.At, "", "a DATE has no %s", name))
		}
		return IntOf(expr.Mul(micros, expr.Int(0))) // all clocks are in UTC
	case "epoch":
		return FloatOf(expr.Div(micros, expr.Int(number.Second)))
	case "julian":
		v.ofDay(name)
		return FloatOf(expr.Div(expr.Add(micros, expr.Int(julianDay*number.Day)), expr.Int(number.Day)))
	}
	if !expr.IsTimeOfDay(name) {
		v = v.ofDay(name)
	} else {
		v = TimestampOf(v)
	}
	return IntOf(expr.Call(expr.OpDatePart, expr.Str(name), v.Expr))
}

// bindDatePart binds a part of a date, or a struct of several.
func bindDatePart(s *Scope, e *sql.Expr) Value {
	if e.Args[0].Kind != sql.List {
		v := s.Expr(e.Args[1]).asMoment()
		return partByName(s, e.Args[0], columnar.Int, expr.TimeParts(), func() Value { return datePart(datePartOf(s, e.Args[0]), v) },
			func(name string) Value { return datePart(name, v) })
	}
	v := s.Expr(e.Args[1]).asMoment()
	parts := columnar.Each(e.Args[0].Args, func(name *sql.Expr) Value { return datePart(datePartOf(s, name), v) })
	out := StructOf(e.At, literalTexts(s, e.Args[0], "the part"), parts)
	out.Expr = unlessNull(v.Expr, out.Expr, out.Type)
	return out
}

func datePartOf(s *Scope, name *sql.Expr) string {
	return partOf(s, name, append(expr.TimeParts(), "epoch", "julian", "timezone", "timezone_hour", "timezone_minute"))
}

// partByName binds a function of a part of a date by its name: of a literal, and otherwise as a choice
// among the parts that there are.
func partByName(s *Scope, part *sql.Expr, gives columnar.Type, names []string, literal func() Value, of func(name string) Value) Value {
	s.checkUnit(part)
	text := s.text(part).Fold()
	switch {
	case text.Literal() != nil:
		return literal()
	case text.Op == expr.OpLiteral:
		return Value{Expr: expr.Null(gives), Type: gives}
	}
	name := expr.Call(expr.OpPartName, text)
	var conditions []*expr.Expr
	var values []Value
	for _, one := range names {
		conditions, values = append(conditions, expr.Eq(name, expr.Str(one))), append(values, of(one))
	}
	return choose(conditions, append(values, Value{Expr: expr.Null(gives), Type: gives}))
}

// checkUnit refuses a date where a unit stands, which other dialects have last.
func (s *Scope) checkUnit(e *sql.Expr) {
	if v := s.Expr(e); IsTime(v.Type) {
		panic(sql.Wrong(e.At, "Next: write the unit first, in single quotes, as in date_diff('day', from, to).", "%s stands where a unit is needed", TypeName(v.Type)))
	}
}

// partOf binds the name of a part, which must be a known one.
func partOf(s *Scope, e *sql.Expr, known []string) string {
	name := expr.PartName(s.LiteralText(e, "the part"))
	if !slices.Contains(known, name) {
		panic(sql.Wrong(e.At, fmt.Sprintf("There are %s.", strings.Join(known, ", ")), "there is no part %q of a date here", name))
	}
	return name
}

// bindDateTrunc binds truncation to a unit, which is a timestamp, or an interval if it is of one.
func bindDateTrunc(s *Scope, e *sql.Expr) Value {
	v := s.Expr(e.Args[1])
	if v.Type == columnar.Interval {
		return truncatedInterval(partOf(s, e.Args[0], number.TimeUnits()), v)
	}
	to := func(name string) Value {
		return TimestampOf(truncated(cmp.Or(truncations[name], name), v.asTime())).Zoned(v)
	}
	names := append(slices.Sorted(maps.Keys(truncations)), expr.TimeUnits()...)
	return partByName(s, e.Args[0], columnar.Timestamp, names, func() Value { return to(partOf(s, e.Args[0], names)) }, to)
}

// truncations are the units to which date_trunc truncates for parts that are no units.
var truncations = map[string]string{"dow": "day", "isodow": "day", "doy": "day", "julian": "day", "yearweek": "week", "epoch": "second"}

// truncated is the beginning of the unit in which a date or timestamp lies.
func truncated(unit string, v Value) Value {
	if expr.IsTimeOfDay(unit) {
		v = TimestampOf(v)
	}
	return Value{Expr: expr.Call(expr.OpDateTrunc, expr.Str(unit), v.Expr), Type: v.Type}
}

// bindDateDiff binds the number of boundaries of a unit between two dates or timestamps; for
// weeks it is the number of whole weeks.
func bindDateDiff(s *Scope, e *sql.Expr) Value {
	s.checkUnit(e.Args[0])
	name := s.LiteralText(e.Args[0], "the unit")
	u, ok := unitOf(name)
	if !ok {
		panic(sql.Wrong(e.Args[0].At, unitNames(), "there is no unit %q of dates here", name))
	}
	var at [2]*expr.Expr
	times := 0 // of day
	for i := range at {
		v := s.Expr(e.Args[1+i]).asMoment()
		if u.op != expr.OpAddMicros {
			v = v.ofDay(u.name)
		}
		switch {
		case v.Type == columnar.Time:
			times++
			at[i] = expr.IntDiv(expr.Call(expr.OpEpochMicros, v.Expr), expr.Int(u.of))
		case u.op == expr.OpAddMicros:
			at[i] = expr.Call(expr.OpEpochMicros, truncated(u.name, v).Expr)
		case u.op == expr.OpAddDays:
			at[i] = DateOf(v)
		default:
			first := truncated(u.name, v).Expr
			years := expr.Call(expr.OpDatePart, expr.Str("year"), first)
			at[i] = expr.Add(expr.Mul(years, expr.Int(12)), expr.Call(expr.OpDatePart, expr.Str("month"), first))
		}
	}
	between := expr.Sub(at[1], at[0])
	if times == 1 {
		panic(sql.Wrong(e.At, "", "a time of day is compared with another one"))
	}
	if times == 2 {
		return IntOf(between)
	}
	if u.op == expr.OpAddDays {
		between = expr.Call(expr.OpDaysBetween, at[0], at[1])
	}
	return IntOf(expr.IntDiv(between, expr.Int(u.of)))
}
