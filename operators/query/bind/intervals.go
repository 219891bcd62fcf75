package bind

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"analyzer/columnar"
	"analyzer/columnar/number"
	"analyzer/operators/expr"
	"analyzer/operators/query/sql"
	"analyzer/operators/registry"
)

// unit is a unit of time: so many days, months or microseconds.
type unit struct {
	name string
	op   expr.Op
	of   int64
}

// units are the units of time, in the order in which those of one interval are added.
var units = []unit{
	{"month", expr.OpAddMonths, 1},
	{"quarter", expr.OpAddMonths, 3},
	{"year", expr.OpAddMonths, 12},
	{"decade", expr.OpAddMonths, 120},
	{"century", expr.OpAddMonths, 1200},
	{"millennium", expr.OpAddMonths, 12000},
	{"day", expr.OpAddDays, 1},
	{"week", expr.OpAddDays, 7},
	{"hour", expr.OpAddMicros, number.Hour},
	{"minute", expr.OpAddMicros, number.Minute},
	{"second", expr.OpAddMicros, number.Second},
	{"millisecond", expr.OpAddMicros, number.Second / 1000},
	{"microsecond", expr.OpAddMicros, 1},
}

// otherUnits are the other words for units and parts of dates, of which DuckDB knows so many.
var otherUnits = map[string]string{
	"y": "year", "yr": "year", "yrs": "year", "mon": "month", "mons": "month", "d": "day", "dayofmonth": "day",
	"dec": "decade", "decs": "decade", "cent": "century", "c": "century", "mil": "millennium", "mils": "millennium",
	"w": "week", "weekofyear": "week", "dayofweek": "dow", "weekday": "dow", "dayofyear": "doy",
	"h": "hour", "hr": "hour", "hrs": "hour", "m": "minute", "min": "minute", "mins": "minute", "s": "second", "sec": "second", "secs": "second",
	"ms": "millisecond", "msec": "millisecond", "msecs": "millisecond", "us": "microsecond", "usec": "microsecond", "usecs": "microsecond",
}

// unitWord returns the usual word for a unit or part of a date, in small letters.
func unitWord(name string) string {
	name = strings.ToLower(name)
	if other := otherUnits[name]; other != "" {
		return other
	}
	if known := sql.UnitNamed(name); known != "" {
		return strings.ToLower(known)
	}
	return name
}

func unitNames() string {
	return "There are " + strings.Join(each(units, func(u unit) string { return u.name }), ", ") + "."
}

func unitOf(name string) (unit, bool) {
	name = unitWord(name)
	i := slices.IndexFunc(units, func(u unit) bool { return u.name == name })
	if i < 0 {
		return unit{}, false
	}
	return units[i], true
}

// unitFunctions are the functions that make an interval of a number.
var unitFunctions = map[string]string{
	"to_millennia": "millennium", "to_centuries": "century", "to_decades": "decade", "to_years": "year", "to_quarters": "quarter", "to_months": "month",
	"to_weeks": "week", "to_days": "day", "to_hours": "hour", "to_minutes": "minute", "to_seconds": "second",
	"to_milliseconds": "millisecond", "to_microseconds": "microsecond",
}

func init() { functions.Add(intervalFunctions) }

// intervalFunctions documents the functions that make intervals. Where intervals may stand, they are
// never called as values.
func intervalFunctions() []function {
	documented := func(name, value string) function {
		unit := strings.TrimPrefix(name, "to_")
		return function{
			Doc: registry.Doc{
				Group: registry.Times, Names: []string{name}, Usage: name + "(number)",
				Help:    "an interval of so many " + unit + ", to be added to a date or timestamp",
				Example: "DATE '2024-02-10' + " + name + "(2)", Value: value,
			},
			least: 1, most: 1, bind: func(_ *binder, e *sql.Expr, _ *scope) typed { panic(intervalHere(e)) },
		}
	}
	return []function{
		documented("to_millennia", "4024-02-10 00:00:00"), documented("to_centuries", "2224-02-10 00:00:00"),
		documented("to_decades", "2044-02-10 00:00:00"), documented("to_years", "2026-02-10 00:00:00"),
		documented("to_quarters", "2024-08-10 00:00:00"), documented("to_months", "2024-04-10 00:00:00"),
		documented("to_weeks", "2024-02-24 00:00:00"), documented("to_days", "2024-02-12 00:00:00"),
		documented("to_hours", "2024-02-10 02:00:00"), documented("to_minutes", "2024-02-10 00:02:00"),
		documented("to_seconds", "2024-02-10 00:00:02"), documented("to_milliseconds", "2024-02-10 00:00:00.002"),
		documented("to_microseconds", "2024-02-10 00:00:00.000002"),
	}
}

func intervalHere(e *sql.Expr) error {
	return sql.Unsupported(e.At, "Next: add it to a DATE or TIMESTAMP, or give it to date_add, time_bucket or generate_series.", "intervals as values")
}

// isInterval reports whether an expression is an interval by the way it is written: there are no
// columns of them.
func isInterval(e *sql.Expr) bool {
	switch {
	case e.Kind == sql.Interval, e.Kind == sql.Cast && e.Text == "INTERVAL", e.Kind == sql.Call && unitFunctions[e.Text] != "":
		return true
	case e.Kind == sql.Unary && e.Text == "-":
		return isInterval(e.Args[0])
	case e.Kind == sql.Binary && (e.Text == "+" || e.Text == "-"):
		return isInterval(e.Args[0]) && isInterval(e.Args[1])
	case e.Kind == sql.Binary && e.Text == "*":
		return isInterval(e.Args[0]) != isInterval(e.Args[1])
	}
	return false
}

// step is a part of an interval: a function that moves a time, and how far.
type step struct {
	op expr.Op
	by *expr.Expr
}

// interval binds an interval as steps of months, days and microseconds, in this order.
func (b *binder) interval(e *sql.Expr, s *scope) []step {
	switch {
	case e.Kind == sql.Unary:
		return each(b.interval(e.Args[0], s), func(p step) step { return step{p.op, signed(p.by, true)} })
	case e.Kind == sql.Binary && e.Text == "*":
		of, times := e.Args[0], e.Args[1]
		if isInterval(times) {
			of, times = times, of
		}
		n := b.valueOf(times, columnar.Int, s)
		return each(b.interval(of, s), func(p step) step { return step{p.op, expr.Mul(p.by, n).Fold()} })
	case e.Kind == sql.Binary:
		return sumOf(b.interval(e.Args[0], s), b.interval(e.Args[1], s), e.Text == "-")
	case e.Kind == sql.Call:
		functions.Find(e.Text).checkCount(e)
	}
	name := e.Text
	switch e.Kind {
	case sql.Call:
		name = unitFunctions[e.Text]
	case sql.Cast:
		name = ""
	}
	v := b.expr(e.Args[0], s)
	if v.written && e.Kind != sql.Call {
		return writtenInterval(e, name, v.e.Value.Text)
	}
	u, ok := unitOf(name)
	switch {
	case !ok:
		panic(unknownUnit(e, name))
	case v.t != columnar.Int:
		panic(sql.Wrong(e.Args[0].At, "", "an interval is a whole number of units, and this is %s", TypeName(v.t)))
	case u.of > 1:
		v.e = expr.Mul(v.e, expr.Int(u.of))
	}
	return []step{{u.op, v.e}}
}

// shifts are the operations of steps, in their order.
var shifts = []expr.Op{expr.OpAddMonths, expr.OpAddDays, expr.OpAddMicros}

// sumOf adds the steps of an interval to those of another, or subtracts them.
func sumOf(x, y []step, minus bool) []step {
	var sum []step
	for _, op := range shifts {
		by := expr.Int(0)
		for _, p := range x {
			if p.op == op {
				by = expr.Add(by, p.by).Fold()
			}
		}
		for _, p := range y {
			if p.op == op {
				by = expr.Add(by, signed(p.by, minus)).Fold()
			}
		}
		if n := by.Literal(); n == nil || n.Int != 0 {
			sum = append(sum, step{op, by})
		}
	}
	return sum
}

func unknownUnit(e *sql.Expr, name string) error {
	return sql.Unsupported(e.At, unitNames(), fmt.Sprintf("intervals of %ss", strings.ToLower(strings.TrimSuffix(name, "s"))))
}

// writtenInterval reads the text of an interval, such as '3 months', '1 day 2 hours' or '1 day
// 02:30:00', or a number whose unit follows the text.
func writtenInterval(e *sql.Expr, unit, text string) []step {
	words := strings.Fields(text)
	if unit != "" {
		words = append(words, unit)
	}
	sums := make(map[expr.Op]int64)
	for i := 0; i < len(words); i += 2 {
		if micros, ok := clockOf(words[i]); ok {
			sums[expr.OpAddMicros] += micros
			i--
			continue
		}
		n, err := strconv.ParseInt(words[i], 10, 64)
		if err != nil || i+1 == len(words) {
			panic(sql.Unsupported(e.At, "Next: write whole numbers and units, such as INTERVAL '1 day 12 hours'.", "other intervals"))
		}
		u, ok := unitOf(words[i+1])
		if !ok {
			panic(unknownUnit(e, words[i+1]))
		}
		const most = 1 << 62
		if n > most/u.of || n < -most/u.of || max(sums[u.op], -sums[u.op]) > most-max(n, -n)*u.of {
			panic(sql.Wrong(e.At, "", "the interval is too long"))
		}
		sums[u.op] += n * u.of
	}
	var steps []step
	for _, op := range shifts {
		if n, ok := sums[op]; ok {
			steps = append(steps, step{op, expr.Int(n)})
		}
	}
	if len(steps) == 0 {
		panic(sql.Wrong(e.At, "", "an interval has a number and a unit"))
	}
	return steps
}

// clockOf reads hours, minutes and seconds, such as 02:30:00 or -0:30, as microseconds.
func clockOf(word string) (micros int64, ok bool) {
	digits, negative := strings.CutPrefix(word, "-")
	hours, minutes, ok := strings.Cut(digits, ":")
	n, err := strconv.ParseInt(hours, 10, 32)
	if !ok || err != nil || n < 0 {
		return 0, false
	}
	if micros, ok = number.CastTimestamp([]byte("1970-01-01 00:" + minutes)); !strings.Contains(minutes, ":") {
		micros, ok = number.CastTimestamp([]byte("1970-01-01 00:" + minutes + ":00"))
	}
	if micros += n * number.Hour; negative {
		micros = -micros
	}
	return micros, ok
}

// shift binds a date or timestamp plus or minus an interval, which is a timestamp.
func (b *binder) shift(from, interval *sql.Expr, back bool, s *scope) typed {
	x := b.expr(from, s)
	if x.null || x.written {
		x = x.asTime()
	}
	if !isTime(x.t) && x.t != columnar.Time {
		panic(sql.Unsupported(interval.At, "Next: add it to a DATE or TIMESTAMP; CAST(… AS DATE) makes one.", "intervals beside anything but dates and timestamps"))
	}
	return b.moved(x, interval, back, s)
}

// moved is a time plus or minus an interval: a timestamp unless it is a time of day.
func (b *binder) moved(from typed, interval *sql.Expr, back bool, s *scope) typed {
	x := from.asClock()
	for _, step := range b.interval(interval, s) {
		by := signed(step.by, back)
		switch {
		case x.t == columnar.Time && step.op != expr.OpAddMicros: // of whole days
			continue
		case x.t == columnar.Time:
			x.e = expr.Call(expr.OpAddClock, x.e, by)
			continue
		case x.t == columnar.Date && step.op != expr.OpAddMicros:
			x.e = expr.Call(step.op, x.e, by)
			continue
		case step.op == expr.OpAddDays:
			step.op, by = expr.OpAddMicros, expr.Mul(by, expr.Int(number.Day)).Fold()
		}
		x = timestampOf(x)
		x.e = expr.Call(step.op, x.e, by)
	}
	return timestampOf(x).zoned(from)
}

// constantInterval binds an interval that is known beforehand, as so many months, days and
// microseconds.
func (b *binder) constantInterval(e *sql.Expr, s *scope) (months, days, micros int64) {
	if !isInterval(e) {
		panic(sql.Wrong(e.At, "Next: write INTERVAL n DAY.", "an interval is needed"))
	}
	for _, p := range b.interval(e, s) {
		n := p.by.Fold().Literal()
		if n == nil {
			panic(sql.Unsupported(e.At, "Next: write INTERVAL n DAY with a number.", "intervals here that are not known beforehand"))
		}
		*map[expr.Op]*int64{expr.OpAddMonths: &months, expr.OpAddDays: &days, expr.OpAddMicros: &micros}[p.op] = n.Int
	}
	return months, days, micros
}
