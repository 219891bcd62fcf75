package bind

import (
	"cmp"
	"slices"
	"strings"

	"analyzer/columnar"
	"analyzer/columnar/number"
	"analyzer/operators/expr"
	"analyzer/operators/query/plan"
	"analyzer/operators/query/sql"
	"analyzer/operators/registry"
)

// unit is a unit of time: so many days, months or microseconds.
type unit struct {
	name string
	op   expr.Op
	of   int64
}

// otherParts are other words for parts of dates that are no units.
var otherParts = map[string]string{"dayofweek": "dow", "weekday": "dow", "dayofyear": "doy"}

// unitWord returns the usual word for a unit or part of a date, in small letters.
func unitWord(name string) string {
	name = strings.ToLower(name)
	if unit, _, ok := number.TimeUnit(name); ok {
		return unit
	}
	return cmp.Or(otherParts[name], name)
}

func unitNames() string { return "There are " + strings.Join(number.TimeUnits(), ", ") + "." }

func unitOf(word string) (unit, bool) {
	name, one, ok := number.TimeUnit(strings.ToLower(word))
	if !ok {
		return unit{}, false
	}
	step := partsOfInterval(one)[0]
	return unit{name, step.op, step.by.Literal().Int}, true
}

// unitFunctions are the functions that make an interval of a number.
var unitFunctions = map[string]string{
	"to_millennia": "millennium", "to_centuries": "century", "to_decades": "decade", "to_years": "year", "to_quarters": "quarter", "to_months": "month",
	"to_weeks": "week", "to_days": "day", "to_hours": "hour", "to_minutes": "minute", "to_seconds": "second",
	"to_milliseconds": "millisecond", "to_microseconds": "microsecond",
}

func init() { functions.Add(intervalFunctions) }

// intervalFunctions are the functions that make intervals.
func intervalFunctions() []function {
	documented := func(name, value string) function {
		unit := strings.TrimPrefix(name, "to_")
		return function{
			Doc: registry.Doc{
				Group: registry.Times, Names: []string{name}, Usage: name + "(number)",
				Help:    "an interval of so many " + unit,
				Example: "DATE '2024-02-10' + " + name + "(2)", Value: value,
			},
			least: 1, most: 1, bind: func(s *scope, e *sql.Expr) typed { return s.interval(e, unitFunctions[e.Text]) },
		}
	}
	return []function{
		{
			Doc: registry.Doc{
				Group: registry.Times, Names: []string{"age"}, Usage: "age(to[, from])",
				Help:    "the interval between two dates or timestamps in months, days and hours of the calendar, and how old from is today",
				Example: "age(DATE '2024-03-01', DATE '2022-12-31')", Value: "1 year 2 months 1 day",
			},
			least: 1, most: 2, bind: bindAge,
		},
		documented("to_millennia", "4024-02-10 00:00:00"), documented("to_centuries", "2224-02-10 00:00:00"),
		documented("to_decades", "2044-02-10 00:00:00"), documented("to_years", "2026-02-10 00:00:00"),
		documented("to_quarters", "2024-08-10 00:00:00"), documented("to_months", "2024-04-10 00:00:00"),
		documented("to_weeks", "2024-02-24 00:00:00"), documented("to_days", "2024-02-12 00:00:00"),
		documented("to_hours", "2024-02-10 02:00:00"), documented("to_minutes", "2024-02-10 00:02:00"),
		documented("to_seconds", "2024-02-10 00:00:02"), documented("to_milliseconds", "2024-02-10 00:00:00.002"),
		documented("to_microseconds", "2024-02-10 00:00:00.000002"),
	}
}

// bindAge binds age. With one argument it is how long ago that was when today began.
func bindAge(s *scope, e *sql.Expr) typed {
	to := s.time(e.Args[0])
	from := to
	if len(e.Args) == 1 {
		to = typed{e: dateOf(bindNow(s, e)).Fold(), t: columnar.Date}
	} else {
		from = s.time(e.Args[1])
	}
	return typed{e: expr.Call(expr.OpAge, timestampOf(to).e, timestampOf(from).e), t: columnar.Interval, at: e.At}
}

// step is a part of an interval: a function that moves a time, and how far.
type step struct {
	op expr.Op
	by *expr.Expr
}

// interval binds so many units as an interval, or, without a unit, what is cast to one.
func (s *scope) interval(e *sql.Expr, name string) typed {
	v := s.expr(e.Args[0])
	switch {
	case v.written && e.Kind == sql.Interval:
		return writtenInterval(e, name, v.e.Value.Text)
	case name == "":
		return s.cast(&sql.Expr{Kind: sql.Cast, Text: "INTERVAL", Args: e.Args, At: e.At})
	case v.null:
		v = intOf(expr.Null(columnar.Int))
	}
	u, _ := unitOf(name)
	if v.t == columnar.Int && u.of == 1 {
		return intervalOf([]step{{u.op, v.e}}, e.At)
	}
	return timesInterval(intervalOf([]step{{u.op, expr.Int(u.of)}}, e.At), v, expr.OpIntervalTimes)
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

// writtenInterval reads the text of an interval, such as '3 months', '1 day 2 hours' or '1 day
// 02:30:00', or a number whose unit follows the text.
func writtenInterval(e *sql.Expr, unit, text string) typed {
	i, ok := number.ParseInterval([]byte(strings.TrimSpace(text + " " + unit)))
	if !ok {
		panic(sql.Wrong(e.At, "Next: write numbers and units, such as INTERVAL '1 day 12 hours', of less than 699,050 years.", "%s is no INTERVAL", sql.QuoteText(text)))
	}
	return intervalOf(partsOfInterval(i), e.At)
}

// partsOfInterval returns the parts of a constant that are not 0.
func partsOfInterval(i number.Interval) (steps []step) {
	for k, n := range []int64{i.Months, i.Days, i.Micros} {
		if n != 0 {
			steps = append(steps, step{shifts[k], expr.Int(n)})
		}
	}
	return steps
}

// intervalOf is the value of an interval in steps.
func intervalOf(steps []step, at sql.Span) typed {
	parts := []*expr.Expr{expr.Int(0), expr.Int(0), expr.Int(0)}
	for _, p := range steps {
		parts[slices.Index(shifts, p.op)] = p.by
	}
	return typed{e: expr.Call(expr.OpMakeInterval, parts...).Fold(), t: columnar.Interval, at: at}
}

// asInterval converts a value implicitly to an interval.
func (v typed) asInterval() typed {
	return typed{e: v.as(columnar.Interval), t: columnar.Interval, at: v.at}
}

// stepsOf are the steps of the value of an interval.
func stepsOf(v typed) (steps []step) {
	if n := v.e.Fold().Literal(); n != nil && !n.Null {
		return partsOfInterval(n.Interval())
	}
	for k, op := range []expr.Op{expr.OpMonthsOf, expr.OpDaysOf, expr.OpMicrosOf} {
		part := expr.Call(op, v.e)
		if v.e.Op == expr.OpMakeInterval {
			part = v.e.Args[k]
		}
		if n := part.Literal(); n == nil || n.Null || n.Int != 0 {
			steps = append(steps, step{shifts[k], part})
		}
	}
	return steps
}

// intervals computes with two values of which one is an interval.
func intervals(op string, at sql.Span, x, y typed) typed {
	switch {
	case op == "+" && y.t != columnar.Interval:
		return shifted(op, at, y, x)
	case op == "+" || op == "-":
		return shifted(op, at, x, y.asInterval())
	case op == "*" && x.t == columnar.Interval:
		return timesInterval(x, y, expr.OpIntervalTimes)
	case op == "*":
		return timesInterval(y, x, expr.OpIntervalTimes)
	case op == "/" && x.t == columnar.Interval:
		return timesInterval(x, y, expr.OpIntervalOver)
	}
	panic(sql.Wrong(at, "", "intervals are added and subtracted, multiplied by numbers and divided by them"))
}

// shifted is a time moved by an interval, or an interval with another one added or subtracted. Texts
// are intervals if they can be.
func shifted(op string, at sql.Span, x, by typed) typed {
	if x.written {
		if _, err := parseValue(x.e.Value.Text, columnar.Interval); err == nil {
			x = x.asInterval()
		}
	}
	switch {
	case x.t == columnar.Interval:
		return intervalOf(sumOf(stepsOf(x), stepsOf(by), op == "-"), at)
	case x.null || x.written:
		x = x.asTime()
	case !isTime(x.t) && x.t != columnar.Time:
		panic(sql.Unsupported(by.at, "Next: add it to a DATE or TIMESTAMP; CAST(… AS DATE) makes one.", "intervals beside anything but dates and timestamps"))
	}
	return moved(x, stepsOf(by), op == "-")
}

// timesInterval is an interval multiplied by a number, or divided by it.
func timesInterval(of, n typed, op expr.Op) typed {
	n = asNumber(n)
	if n.t == columnar.Int && op == expr.OpIntervalTimes {
		steps := each(stepsOf(of), func(p step) step { return step{p.op, expr.Mul(p.by, n.e).Fold()} })
		return intervalOf(steps, of.at)
	}
	return typed{e: expr.Call(op, of.e, expr.ToFloat(n.e)), t: columnar.Interval, at: of.at}
}

// sumOfIntervals binds the sum of intervals, part by part.
func sumOfIntervals(g *groups, c aggregateCall) typed {
	switch {
	case g.window:
		panic(sql.Unsupported(c.e.At, "Next: compute with epoch(…), in seconds.", "sums and means of intervals in windows"))
	case c.e.Distinct:
		panic(sql.Unsupported(c.e.At, "Next: make the values distinct in a query within FROM.", "DISTINCT sums and means of intervals"))
	}
	var steps []step
	for k, op := range []expr.Op{expr.OpMonthsOf, expr.OpDaysOf, expr.OpMicrosOf} {
		part := g.agg(plan.Agg{Func: plan.Sum}, c, intOf(expr.Call(op, c.v.e)))
		steps = append(steps, step{shifts[k], part.e})
	}
	return intervalOf(steps, c.e.At)
}

// meanInterval binds the mean of intervals, part by part: what is left of a month is days.
func meanInterval(g *groups, c aggregateCall) typed {
	sum, count := sumOfIntervals(g, c), g.agg(plan.Agg{Func: plan.Count}, c, c.v)
	return timesInterval(sum, count, expr.OpIntervalOver)
}

// intervalPart is a part of an interval, of which months, days and the time are apart.
func intervalPart(name string, v typed) typed {
	months, micros := expr.Call(expr.OpMonthsOf, v.e), expr.Call(expr.OpMicrosOf, v.e)
	rest := func(n *expr.Expr, unit int64) *expr.Expr { return expr.Call("%", n, expr.Int(unit)) }
	_, one, _ := number.TimeUnit(name)
	switch {
	case one.Months >= 12:
		return intOf(expr.IntDiv(months, expr.Int(one.Months)))
	case name == "quarter":
		return intOf(expr.Add(expr.IntDiv(rest(months, 12), expr.Int(one.Months)), expr.Int(1)))
	case name == "month":
		return intOf(rest(months, 12))
	case name == "day":
		return intOf(expr.Call(expr.OpDaysOf, v.e))
	case name == "minute":
		micros = rest(micros, number.Hour)
	case one.Micros > 0 && name != "hour":
		micros = rest(micros, number.Minute)
	}
	if one.Micros == 0 {
		panic(sql.Wrong(v.at, "There are year, quarter, month, day, hour, minute, second, millisecond, microsecond, epoch and more.", "an interval has no %s", name))
	}
	return intOf(expr.IntDiv(micros, expr.Int(one.Micros)))
}

// truncatedInterval is an interval without what is shorter than a unit. Months, days and the time are
// apart, and do not become each other.
func truncatedInterval(unit string, v typed) typed {
	_, one, _ := number.TimeUnit(unit)
	of := []int64{one.Months, one.Days, one.Micros}
	var steps []step
	for k, part := range []expr.Op{expr.OpMonthsOf, expr.OpDaysOf, expr.OpMicrosOf} {
		n := expr.Call(part, v.e)
		if of[k] > 1 {
			n = expr.Sub(n, expr.Call("%", n, expr.Int(of[k])))
		}
		if steps = append(steps, step{shifts[k], n}); of[k] > 0 {
			break
		}
	}
	return intervalOf(steps, v.at)
}

// epochOf is the length of an interval in seconds, with years of 365.25 days.
func epochOf(v typed) typed {
	months, days, micros := expr.Call(expr.OpMonthsOf, v.e), expr.Call(expr.OpDaysOf, v.e), expr.Call(expr.OpMicrosOf, v.e)
	years, rest := expr.IntDiv(months, expr.Int(12)), expr.Call("%", months, expr.Int(12))
	const quarterDay = int64(6 * 3600)
	seconds := expr.Add(expr.Mul(years, expr.Int(365*24*3600+quarterDay)), expr.Add(expr.Mul(rest, expr.Int(30*24*3600)), expr.Mul(days, expr.Int(24*3600))))
	return typed{e: expr.Add(expr.ToFloat(seconds), expr.Div(micros, expr.Int(number.Second))), t: columnar.Float}
}

// moved is a time plus or minus an interval: a timestamp unless it is a time of day.
func moved(from typed, steps []step, back bool) typed {
	x := from.asClock()
	for _, step := range steps {
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
func (s *scope) constantInterval(e *sql.Expr) (months, days, micros int64) {
	v := s.expr(e)
	if v.t != columnar.Interval {
		panic(sql.Wrong(e.At, "Next: write INTERVAL n DAY.", "an interval is needed"))
	}
	for _, p := range stepsOf(v) {
		n := p.by.Fold().Literal()
		if n == nil {
			panic(sql.Unsupported(e.At, "Next: write INTERVAL n DAY with a number.", "intervals here that are not known beforehand"))
		}
		*map[expr.Op]*int64{expr.OpAddMonths: &months, expr.OpAddDays: &days, expr.OpAddMicros: &micros}[p.op] = n.Int
	}
	return months, days, micros
}
