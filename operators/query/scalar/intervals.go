package scalar

import (
	"slices"
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

func unitNames() string { return "There are " + strings.Join(number.TimeUnits(), ", ") + "." }

func unitOf(word string) (unit, bool) {
	name, one, ok := number.TimeUnit(strings.ToLower(word))
	if !ok {
		return unit{}, false
	}
	step := partsOfInterval(one)[0]
	return unit{name, step.Op, step.By.Literal().Int}, true
}

func init() { Functions.Add(intervalFunctions) }

// intervalFunctions are the functions that make intervals.
func intervalFunctions() []Function {
	times := in(registry.Times)
	of := func(units, value string) Function {
		return times("to_"+units, "(number)", "an interval of so many "+units, "DATE '2024-02-10' + to_"+units+"(2)", value,
			func(s *Scope, e *sql.Expr) Value { return bindInterval(s, e, units) })
	}
	return []Function{
		times("age", "(to[, from])", "the interval between two dates or timestamps in months, days and hours of the calendar, and how old from is today",
			"age(DATE '2024-03-01', DATE '2022-12-31')", "1 year 2 months 1 day", bindAge),
		of("millennia", "4024-02-10 00:00:00"), of("centuries", "2224-02-10 00:00:00"),
		of("decades", "2044-02-10 00:00:00"), of("years", "2026-02-10 00:00:00"),
		of("quarters", "2024-08-10 00:00:00"), of("months", "2024-04-10 00:00:00"),
		of("weeks", "2024-02-24 00:00:00"), of("days", "2024-02-12 00:00:00"),
		of("hours", "2024-02-10 02:00:00"), of("minutes", "2024-02-10 00:02:00"),
		of("seconds", "2024-02-10 00:00:02"), of("milliseconds", "2024-02-10 00:00:00.002"),
		of("microseconds", "2024-02-10 00:00:00.000002"),
	}
}

// bindAge binds age. With one argument it is how long ago that was when today began.
func bindAge(s *Scope, e *sql.Expr) Value {
	to := s.Time(e.Args[0])
	from := to
	if len(e.Args) == 1 {
		to = Value{Expr: DateOf(bindNow(s, e)).Fold(), Type: columnar.Date}
	} else {
		from = s.Time(e.Args[1])
	}
	return Value{Expr: expr.Call(expr.OpAge, TimestampOf(to).Expr, TimestampOf(from).Expr), Type: columnar.Interval, At: e.At}
}

// Step is a part of an interval: a function that moves a time, and how far.
type Step struct {
	Op expr.Op
	By *expr.Expr
}

// interval binds so many units as an interval, or, without a unit, what is cast to one.
func bindInterval(s *Scope, e *sql.Expr, name string) Value {
	v := s.Expr(e.Args[0])
	switch {
	case v.Written && e.Kind == sql.Interval:
		return writtenInterval(e, name, v.Expr.Value.Text)
	case name == "":
		return bindCast(s, &sql.Expr{Kind: sql.Cast, Text: "INTERVAL", Args: e.Args, At: e.At})
	case v.Null:
		v = IntOf(expr.Null(columnar.Int))
	}
	u, _ := unitOf(name)
	if v.Type == columnar.Int && u.of == 1 {
		return IntervalOf([]Step{{u.op, v.Expr}}, e.At)
	}
	return TimesInterval(IntervalOf([]Step{{u.op, expr.Int(u.of)}}, e.At), v, expr.OpIntervalTimes)
}

// Shifts are the operations of steps, in their order.
var Shifts = []expr.Op{expr.OpAddMonths, expr.OpAddDays, expr.OpAddMicros}

// sumOf adds the steps of an interval to those of another, or subtracts them.
func sumOf(x, y []Step, minus bool) []Step {
	var sum []Step
	for _, op := range Shifts {
		by := expr.Int(0)
		for _, p := range x {
			if p.Op == op {
				by = expr.Add(by, p.By).Fold()
			}
		}
		for _, p := range y {
			if p.Op == op {
				by = expr.Add(by, signed(p.By, minus)).Fold()
			}
		}
		if n := by.Literal(); n == nil || n.Int != 0 {
			sum = append(sum, Step{op, by})
		}
	}
	return sum
}

// writtenInterval reads the text of an interval, such as '3 months', '1 day 2 hours' or '1 day
// 02:30:00', or a number whose unit follows the text.
func writtenInterval(e *sql.Expr, unit, text string) Value {
	i, ok := number.ParseInterval([]byte(strings.TrimSpace(text + " " + unit)))
	if !ok {
		panic(sql.Wrong(e.At, "Next: write numbers and units, such as INTERVAL '1 day 12 hours', of less than 699,050 years.", "%s is no INTERVAL", sql.QuoteText(text)))
	}
	return IntervalOf(partsOfInterval(i), e.At)
}

// partsOfInterval returns the parts of a constant that are not 0.
func partsOfInterval(i number.Interval) (steps []Step) {
	for k, n := range []int64{i.Months, i.Days, i.Micros} {
		if n != 0 {
			steps = append(steps, Step{Shifts[k], expr.Int(n)})
		}
	}
	return steps
}

// IntervalOf is the value of an interval in steps.
func IntervalOf(steps []Step, at sql.Span) Value {
	parts := []*expr.Expr{expr.Int(0), expr.Int(0), expr.Int(0)}
	for _, p := range steps {
		parts[slices.Index(Shifts, p.Op)] = p.By
	}
	return Value{Expr: expr.Call(expr.OpMakeInterval, parts...).Fold(), Type: columnar.Interval, At: at}
}

// AsInterval converts a value implicitly to an interval.
func (v Value) AsInterval() Value {
	return Value{Expr: v.As(columnar.Interval), Type: columnar.Interval, At: v.At}
}

// StepsOf are the steps of the value of an interval.
func StepsOf(v Value) (steps []Step) {
	if n := v.Expr.Fold().Literal(); n != nil && !n.Null {
		return partsOfInterval(n.Interval())
	}
	for k, op := range []expr.Op{expr.OpMonthsOf, expr.OpDaysOf, expr.OpMicrosOf} {
		part := expr.Call(op, v.Expr)
		if v.Expr.Op == expr.OpMakeInterval {
			part = v.Expr.Args[k]
		}
		if n := part.Literal(); n == nil || n.Null || n.Int != 0 {
			steps = append(steps, Step{Shifts[k], part})
		}
	}
	return steps
}

// intervals computes with two values of which one is an interval.
func intervals(op string, at sql.Span, x, y Value) Value {
	switch {
	case op == "+" && y.Type != columnar.Interval:
		return shifted(op, at, y, x)
	case op == "+" || op == "-":
		return shifted(op, at, x, y.AsInterval())
	case op == "*" && x.Type == columnar.Interval:
		return TimesInterval(x, y, expr.OpIntervalTimes)
	case op == "*":
		return TimesInterval(y, x, expr.OpIntervalTimes)
	case op == "/" && x.Type == columnar.Interval:
		return TimesInterval(x, y, expr.OpIntervalOver)
	}
	panic(sql.Wrong(at, "", "intervals are added and subtracted, multiplied by numbers and divided by them"))
}

// shifted is a time moved by an interval, or an interval with another one added or subtracted. Texts
// are intervals if they can be.
func shifted(op string, at sql.Span, x, by Value) Value {
	if x.Written {
		if _, err := ParseValue(x.Expr.Value.Text, columnar.Interval); err == nil {
			x = x.AsInterval()
		}
	}
	switch {
	case x.Type == columnar.Interval:
		return IntervalOf(sumOf(StepsOf(x), StepsOf(by), op == "-"), at)
	case x.Null || x.Written:
		x = x.asTime()
	case !IsTime(x.Type) && x.Type != columnar.Time:
		panic(sql.UnsupportedTypes(by.At, "Next: add it to a DATE or TIMESTAMP; CAST(… AS DATE) makes one.", "intervals beside anything but dates and timestamps"))
	}
	return Moved(x, StepsOf(by), op == "-")
}

// TimesInterval is an interval multiplied by a number, or divided by it.
func TimesInterval(of, n Value, op expr.Op) Value {
	n = AsNumber(n)
	if n.Type == columnar.Int && op == expr.OpIntervalTimes {
		steps := columnar.Each(StepsOf(of), func(p Step) Step { return Step{p.Op, expr.Mul(p.By, n.Expr).Fold()} })
		return IntervalOf(steps, of.At)
	}
	return Value{Expr: expr.Call(op, of.Expr, expr.ToFloat(n.Expr)), Type: columnar.Interval, At: of.At}
}

// intervalPart is a part of an interval, of which months, days and the time are apart.
func intervalPart(name string, v Value) Value {
	months, micros := expr.Call(expr.OpMonthsOf, v.Expr), expr.Call(expr.OpMicrosOf, v.Expr)
	rest := func(n *expr.Expr, unit int64) *expr.Expr { return expr.Call("%", n, expr.Int(unit)) }
	_, one, _ := number.TimeUnit(name)
	switch {
	case one.Months >= 12:
		return IntOf(expr.IntDiv(months, expr.Int(one.Months)))
	case name == "quarter":
		return IntOf(expr.Add(expr.IntDiv(rest(months, 12), expr.Int(one.Months)), expr.Int(1)))
	case name == "month":
		return IntOf(rest(months, 12))
	case name == "day":
		return IntOf(expr.Call(expr.OpDaysOf, v.Expr))
	case name == "minute":
		micros = rest(micros, number.Hour)
	case one.Micros > 0 && name != "hour":
		micros = rest(micros, number.Minute)
	}
	if one.Micros == 0 {
		panic(sql.Wrong(v.At, "There are year, quarter, month, day, hour, minute, second, millisecond, microsecond, epoch and more.", "an interval has no %s", name))
	}
	return IntOf(expr.IntDiv(micros, expr.Int(one.Micros)))
}

// truncatedInterval is an interval without what is shorter than a unit. Months, days and the time are
// apart, and do not become each other.
func truncatedInterval(unit string, v Value) Value {
	_, one, _ := number.TimeUnit(unit)
	of := []int64{one.Months, one.Days, one.Micros}
	var steps []Step
	for k, part := range []expr.Op{expr.OpMonthsOf, expr.OpDaysOf, expr.OpMicrosOf} {
		n := expr.Call(part, v.Expr)
		if of[k] > 1 {
			n = expr.Sub(n, expr.Call("%", n, expr.Int(of[k])))
		}
		if steps = append(steps, Step{Shifts[k], n}); of[k] > 0 {
			break
		}
	}
	return IntervalOf(steps, v.At)
}

// epochOf is the length of an interval in seconds, with years of 365.25 days.
func epochOf(v Value) Value {
	months, days, micros := expr.Call(expr.OpMonthsOf, v.Expr), expr.Call(expr.OpDaysOf, v.Expr), expr.Call(expr.OpMicrosOf, v.Expr)
	years, rest := expr.IntDiv(months, expr.Int(12)), expr.Call("%", months, expr.Int(12))
	const quarterDay = int64(6 * 3600)
	seconds := expr.Add(expr.Mul(years, expr.Int(365*24*3600+quarterDay)), expr.Add(expr.Mul(rest, expr.Int(30*24*3600)), expr.Mul(days, expr.Int(24*3600))))
	return FloatOf(expr.Add(expr.ToFloat(seconds), expr.Div(micros, expr.Int(number.Second))))
}

// Moved is a time plus or minus an interval: a timestamp unless it is a time of day.
func Moved(from Value, steps []Step, back bool) Value {
	x := from.asClock()
	for _, step := range steps {
		by := signed(step.By, back)
		switch {
		case x.Type == columnar.Time && step.Op != expr.OpAddMicros: // of whole days
			continue
		case x.Type == columnar.Time:
			x.Expr = expr.Call(expr.OpAddClock, x.Expr, by)
			continue
		case x.Type == columnar.Date && step.Op != expr.OpAddMicros:
			x.Expr = expr.Call(step.Op, x.Expr, by)
			continue
		case step.Op == expr.OpAddDays:
			step.Op, by = expr.OpAddMicros, expr.Mul(by, expr.Int(number.Day)).Fold()
		}
		x = TimestampOf(x)
		x.Expr = expr.Call(step.Op, x.Expr, by)
	}
	return TimestampOf(x).Zoned(from)
}

// constantInterval binds an interval that is known beforehand, as so many months, days and
// microseconds.
func constantInterval(s *Scope, e *sql.Expr) (months, days, micros int64) {
	v := s.Expr(e)
	if v.Type != columnar.Interval {
		panic(sql.Wrong(e.At, "Next: write INTERVAL n DAY.", "an interval is needed"))
	}
	for _, p := range StepsOf(v) {
		n := p.By.Fold().Literal()
		if n == nil {
			panic(sql.Unsupported(e.At, "Next: write INTERVAL n DAY with a number.", "intervals here that are not known beforehand"))
		}
		*map[expr.Op]*int64{expr.OpAddMonths: &months, expr.OpAddDays: &days, expr.OpAddMicros: &micros}[p.Op] = n.Int
	}
	return months, days, micros
}
