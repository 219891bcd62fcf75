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

// dates binds arithmetic with dates: adding days to a date, or the days between two.
func dates(op string, at sql.Span, x, y Value) Value {
	switch {
	case op == "+" && x.Type == columnar.Date && y.Type == columnar.Time:
		return Value{Expr: expr.Call(expr.OpAddMicros, TimestampOf(x).Expr, expr.Call(expr.OpEpochMicros, y.Expr)), Type: columnar.Timestamp}
	case op == "+" && x.Type == columnar.Time && y.Type == columnar.Date:
		return dates(op, at, y, x)
	case x.Type == columnar.Time || y.Type == columnar.Time:
		panic(sql.Wrong(at, "Next: write INTERVAL 3 HOUR, or date_diff('second', from, to).", "a time is moved by an interval, with + and -, and added to a date"))
	case op == "-" && areDates(x, y):
		first := y.As(columnar.Date)
		second := x.As(columnar.Date)
		return IntOf(expr.Call(expr.OpDaysBetween, first, second))
	case op == "-" && areTimes(x, y):
		later, earlier := x.asTime(), y.asTime()
		return Value{Expr: expr.Call(expr.OpBetweenTimes, TimestampOf(later).Expr, TimestampOf(earlier).Expr), Type: columnar.Interval, At: at}
	case x.Type == columnar.Instant || y.Type == columnar.Instant:
		return dates(op, at, x.asClock(), y.asClock()).Zoned(Value{Type: columnar.Instant})
	case x.Type == columnar.Timestamp || y.Type == columnar.Timestamp:
		panic(sql.Wrong(at, "Next: write INTERVAL 3 HOUR.", "a timestamp is moved by an interval, with + and -"))
	case op == "+" && y.Type == columnar.Date:
		x, y = y, x
	case (op != "+" && op != "-") || x.Type != columnar.Date:
		panic(sql.Wrong(at, "", "a date can be moved by days and intervals with + and -, and dates subtracted"))
	}
	if y.Type != columnar.Int {
		panic(sql.Wrong(at, "Next: write a number of days or an INTERVAL.", "a date is moved by BIGINT days, and this is %s", TypeName(y.Type)))
	}
	return Value{Expr: expr.Call(expr.OpAddDays, x.Expr, signed(y.Expr, op == "-")), Type: columnar.Date}
}

// areDates reports whether two values are dates, of which one may be written as a text.
func areDates(x, y Value) bool {
	return x.Type == columnar.Date && (y.Type == columnar.Date || y.Written) || x.Written && y.Type == columnar.Date
}

// areTimes reports whether two values are dates or times, of which one may be written as a text, or is NULL beside
// another than a date, from which days may be taken.
func areTimes(x, y Value) bool {
	besideNull := x.Type != columnar.Date && y.Null || y.Type != columnar.Date && x.Null
	return besideNull || IsTime(x.Type) && (IsTime(y.Type) || y.Written) || IsTime(y.Type) && x.Written
}

func signed(n *expr.Expr, negative bool) *expr.Expr {
	if negative {
		n = expr.Sub(expr.Int(0), n)
	}
	return n.Fold()
}

// TimestampOf converts a date to a timestamp, and a moment to the one that clocks in UTC show.
func TimestampOf(v Value) Value {
	if v.Type == columnar.Date || v.Type == columnar.Instant {
		return Value{Expr: expr.Call(expr.OpToTimestamp, v.Expr).Fold(), Type: columnar.Timestamp, At: v.At}
	}
	return v
}

// asClock converts a moment to the timestamp that clocks in UTC show.
func (v Value) asClock() Value {
	if v.Type == columnar.Instant && !v.Null {
		return TimestampOf(v)
	}
	return v
}

// Zoned converts a timestamp to the moment at which clocks in UTC show it, if like is a moment.
func (v Value) Zoned(like Value) Value {
	if like.Type == columnar.Instant && v.Type == columnar.Timestamp {
		return Value{Expr: expr.Call(expr.OpToInstant, v.Expr), Type: columnar.Instant, At: v.At}
	}
	return v
}

// DateOf converts a timestamp to a date.
func DateOf(v Value) *expr.Expr {
	if v.Type == columnar.Timestamp || v.Type == columnar.Instant {
		return expr.Call(expr.OpToDate, v.Expr)
	}
	return v.Expr
}

// Time binds an expression that must be a date or a timestamp.
func (s *Scope) Time(e *sql.Expr) Value {
	return s.Expr(e).asTime()
}

// asMoment converts a value implicitly to a date, a timestamp or a time of day.
func (v Value) asMoment() Value {
	if v.Type == columnar.Time || v.Type == columnar.Interval {
		return v
	}
	return v.asTime()
}

// ofDay panics if a value is a time of day, of which there is no such unit or part.
func (v Value) ofDay(name string) Value {
	if v.Type == columnar.Time {
		panic(sql.Wrong(v.At, "", "a time of day has no %s", name))
	}
	return v
}

// asTime converts a value implicitly to a date or a timestamp.
func (v Value) asTime() Value {
	switch {
	case IsTime(v.Type) && !v.Null:
		return v.asClock()
	case v.Written:
		if day, err := ParseValue(v.Expr.Value.Text, columnar.Date); err == nil {
			return Value{Expr: day, Type: columnar.Date}
		}
	}
	return Value{Expr: v.As(columnar.Timestamp), Type: columnar.Timestamp}
}

func init() { Functions.Add(dateFunctions) }

func dateFunctions() []Function {
	times := in(registry.Times)
	return append([]Function{
		times("date_diff datediff", "(unit, from, to)", "how many boundaries of a unit lie between two dates or timestamps",
			"date_diff('month', DATE '2024-01-31', DATE '2024-03-01')", "2", bindDateDiff),
		times("last_day", "(date)", "the last day of the month",
			"last_day(DATE '2024-02-10')", "2024-02-29", onTime(lastDay)),
		times("date_part datepart", "(part, date)", "a part of a date or timestamp, such as 'year' or 'hour'",
			"date_part('year', DATE '2024-02-10')", "2024", bindDatePart),
		times("date_trunc datetrunc", "(part, date)", "the beginning of the unit in which a date or timestamp lies",
			"date_trunc('month', DATE '2024-02-10')", "2024-02-01 00:00:00", bindDateTrunc),
		times("strftime", "(timestamp, form)", "a timestamp as a text of a form; %Y, %m, %d, %H, %M and %S are among its parts",
			"strftime(DATE '2024-02-10', '%d.%m.%Y')", "10.02.2024", bindStrftime),
		times("timezone", "([zone, ]timestamp)", "what clocks of a zone show at a moment, or the moment at which they show a timestamp: AT TIME ZONE; without a zone, the seconds of its offset",
			"timezone('Europe/Berlin', TIMESTAMP '2024-07-01 12:00:00')", "2024-07-01 10:00:00+00", bindZone),
		times("strptime", "(text, form)", "the timestamp in a text of a form; another text is an error",
			"strptime('10.02.2024', '%d.%m.%Y')", "2024-02-10 00:00:00", bindStrptime(expr.OpStrptime)),
		times("try_strptime", "(text, form)", "the timestamp in a text of a form; NULL for another text",
			"try_strptime('soon', '%Y')", "NULL", bindStrptime(expr.OpTryStrptime)),
		times("epoch", "(timestamp)", "the seconds since 1970 began",
			"epoch(TIMESTAMP '1970-01-01 00:01:00')", "60", ofPart("epoch")),
		times("epoch_ms", "(timestamp or interval)", "the milliseconds since 1970 began; of an integer, the timestamp",
			"epoch_ms(TIMESTAMP '1970-01-01 00:00:01')", "1000", rewritten(func(c rowCall) Value { return epochMillis(c.args[0]) })),
		times("epoch_us", "(timestamp or interval)", "the microseconds since 1970 began",
			"epoch_us(TIMESTAMP '1970-01-01 00:00:01')", "1000000", on(Value.asMoment, func(v Value) Value { return IntOf(microsOf(v)) })),
		times("epoch_ns", "(timestamp or interval)", "the nanoseconds since 1970 began",
			"epoch_ns(TIMESTAMP '1970-01-01 00:00:01')", "1000000000", on(Value.asMoment, func(v Value) Value {
				return IntOf(expr.Mul(microsOf(v), expr.Int(1000)))
			})),
		times("dayname", "(date)", "the day of the week in English",
			"dayname(DATE '2024-02-10')", "Saturday", inForm("%A")),
		times("monthname", "(date)", "the month in English",
			"monthname(DATE '2024-02-10')", "February", inForm("%B")),
		times("year", "(date)", "the year; of a column of texts, the first four digits",
			"year(DATE '2024-02-10')", "2024", rewritten(func(c rowCall) Value { return yearOf(c.args[0]) })),
		times("date_add", "(date, INTERVAL n DAY)", "a date or timestamp moved by an interval, or a date by so many days",
			"date_add(DATE '2024-02-10', INTERVAL 1 MONTH)", "2024-03-10 00:00:00", bindDateAdd),
		times("now current_timestamp get_current_timestamp transaction_timestamp", "()", "the moment at which the statement began",
			"now()", "", bindMoment),
		times("current_localtimestamp localtimestamp", "()", "the time at which the statement began, in UTC, without time zone",
			"current_localtimestamp()", "", bindNow),
		times("current_time get_current_time localtime current_localtime", "()", "the time of day at which the statement began, in UTC",
			"current_time()", "", func(s *Scope, e *sql.Expr) Value {
				return Value{Expr: expr.Call(expr.OpToTime, bindNow(s, e).Expr).Fold(), Type: columnar.Time}
			}),
		times("today current_date", "()", "the day on which the statement began, in UTC",
			"today()", "", func(s *Scope, e *sql.Expr) Value {
				return Value{Expr: DateOf(bindNow(s, e)).Fold(), Type: columnar.Date}
			}),
	}, partFunctions()...)
}

// bindNow binds the current time as a constant in UTC: the same for all rows, replicas and
// attempts.
func bindNow(s *Scope, e *sql.Expr) Value {
	if s.now.IsZero() {
		panic(sql.Unsupported(e.At, "Next: declare a parameter for it, such as -- $day DATE = 2020-01-31.", "queries of a data set that depend on the present moment"))
	}
	return Value{Expr: expr.Timestamp(s.now.UnixMicro()), Type: columnar.Timestamp}
}

// bindMoment is bindNow with a time zone.
func bindMoment(s *Scope, e *sql.Expr) Value {
	now := bindNow(s, e).Zoned(Value{Type: columnar.Instant})
	now.Expr = now.Expr.Fold()
	return now
}

func bindDateAdd(s *Scope, e *sql.Expr) Value {
	by := s.Expr(e.Args[1])
	if by.Type == columnar.Int && !by.Null {
		return arithmetic("+", e.At, s.Expr(e.Args[0]), by)
	}
	return shifted("+", e.At, s.Expr(e.Args[0]), by.AsInterval())
}

// yearOf is the year of a date or timestamp, or the year found in a column of texts.
func yearOf(v Value) Value {
	if v.Type == columnar.Text && !v.Written {
		return IntOf(expr.Year(v.Expr))
	}
	if v.Type == columnar.Interval {
		return datePart("year", v)
	}
	return datePart("year", v.asTime())
}

// lastDay is the last day of a date's month.
func lastDay(v Value) Value {
	month := expr.Call(expr.OpDateTrunc, expr.Str("month"), DateOf(v))
	next := expr.Call(expr.OpAddMonths, month, expr.Int(1))
	return v.whereFinite(Value{Expr: expr.Call(expr.OpAddDays, next, expr.Int(-1)), Type: columnar.Date})
}

// whereFinite is what is made of a date or timestamp, NULL where that is infinite.
func (v Value) whereFinite(made Value) Value {
	made.Expr = expr.If(expr.Call(expr.OpIsFinite, v.Expr), made.Expr, expr.Null(made.Type))
	return made
}

// formOf binds an argument that is a form for strftime or, if read is set, for strptime. It is a literal if
// it is known beforehand.
func formOf(s *Scope, e *sql.Expr, read bool) *expr.Expr {
	form := s.text(e).Fold()
	if literal := form.Literal(); literal != nil {
		if err := expr.CheckForm(literal.Text, read); err != nil {
			panic(sql.Wrong(e.At, "", "%v", err))
		}
	}
	return form
}

// bindZone binds timezone, as which AT TIME ZONE is read.
func bindZone(s *Scope, e *sql.Expr) Value {
	if len(e.Args) == 1 {
		return offsetOf.Value(s.Statement, e.At, s.values(e.Args))
	}
	zone := s.LiteralText(e.Args[0], "the zone")
	if err := expr.CheckZone(zone); err != nil {
		panic(sql.Wrong(e.Args[0].At, "", "%v", err))
	}
	v, gives := s.Expr(e.Args[1]), columnar.Timestamp
	if v.Type != columnar.Instant {
		v, gives = Value{Expr: v.As(columnar.Timestamp)}, columnar.Instant
	}
	return Value{Expr: expr.Call(expr.OpZone, expr.Str(zone), v.Expr), Type: gives}
}

// offsetOf is how many seconds the time in which a moment is shown, that of UTC, is ahead of UTC.
var offsetOf = NewFormula("moment", "CASE WHEN moment IS NOT NULL THEN date_part('timezone', moment) END")

// bindStrftime binds strftime, whose arguments may come in either order.
func bindStrftime(s *Scope, e *sql.Expr) Value {
	if s.IsNull(e.Args[0]) || s.IsNull(e.Args[1]) {
		return TextOf(expr.Null(columnar.Text))
	}
	at, written := e.Args[0], e.Args[1]
	if at.Kind == sql.String && written.Kind != sql.String {
		at, written = written, at
	}
	form, v := formOf(s, written, false), s.Expr(at)
	if v.Type == columnar.Instant { // which has a zone, whose name %Z is
		form = expr.Str(strings.NewReplacer("%%", "%%", "%Z", "UTC").Replace(s.LiteralText(written, "a form for a moment")))
	}
	return TextOf(expr.Call(expr.OpStrftime, TimestampOf(v.asTime()).Expr, form))
}

// inForm binds a function that formats its argument by a form.
func inForm(form string) Binding {
	return onTime(func(v Value) Value {
		return v.whereFinite(TextOf(expr.Call(expr.OpStrftime, TimestampOf(v).Expr, expr.Str(form))))
	})
}

func bindStrptime(op expr.Op) Binding {
	return func(s *Scope, e *sql.Expr) Value {
		text := s.text(e.Args[0])
		if e.Args[1].Kind == sql.List {
			return bindStrptimes(s, op, text, e.Args[1])
		}
		form := formOf(s, e.Args[1], true)
		return Value{Expr: expr.Call(op, text, form), Type: columnar.Timestamp}.Zoned(Value{Type: readBy(form)})
	}
}

// readBy is the type of what strptime reads by forms.
func readBy(forms ...*expr.Expr) columnar.Type {
	zoned := func(form *expr.Expr) bool { l := form.Literal(); return l != nil && expr.IsZoned(l.Text) }
	if slices.ContainsFunc(forms, zoned) {
		return columnar.Instant
	}
	return columnar.Timestamp
}

// epochMillis converts a timestamp to milliseconds, and milliseconds to a timestamp.
func epochMillis(v Value) Value {
	unit := expr.Int(number.Second / 1000)
	if v.Type == columnar.Int && !v.Null {
		return Value{Expr: expr.Call(expr.OpMakeTimestamp, expr.Mul(v.Expr, unit)), Type: columnar.Timestamp}
	}
	return IntOf(expr.IntDiv(microsOf(v.asMoment()), unit))
}

// microsOf is how many microseconds a time is behind 1970, or midnight, or an interval is long.
func microsOf(v Value) *expr.Expr {
	if v.Type == columnar.Interval {
		return expr.Call(expr.OpToInt, expr.Call(expr.OpIntervalMicros, v.Expr))
	}
	return expr.Call(expr.OpEpochMicros, TimestampOf(v).Expr)
}
