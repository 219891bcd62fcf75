package scalar

import (
	"analyzer/columnar"
	"analyzer/columnar/number"
	"analyzer/operators/expr"
	"analyzer/operators/query/sql"
	"analyzer/operators/registry"
)

func init() { Functions.Add(bucketFunctions) }

func bucketFunctions() []Function {
	times := in(registry.Times)
	return []Function{
		times("date_sub datesub", "(unit, from, to)", "how many whole units lie between two dates or timestamps",
			"date_sub('month', DATE '2024-01-31', DATE '2024-03-01')", "1", bindWholeUnits),
		times("time_bucket", "(INTERVAL n DAY, date[, origin])", "the beginning of the bucket of that width in which a date or timestamp lies; buckets begin on Mondays, or at the origin, or later by an interval; an origin such as 'Europe/Berlin' is a zone whose clocks count",
			"time_bucket(INTERVAL 2 WEEK, DATE '2024-02-10')", "2024-01-29", bindTimeBucket),
		times("to_timestamp", "(seconds)", "the moment so many seconds after 1970 began",
			"to_timestamp(1.5)", "1970-01-01 00:00:01.5+00", onNumber(ofSeconds)),
		times("make_timestamp", "(microseconds), make_timestamp(year, month, day, hour, minute, seconds)", "the timestamp so many microseconds after 1970 began, or of a day and a time",
			"make_timestamp(2024, 2, 10, 17, 30, 5.25)", "2024-02-10 17:30:05.25", rewritten(madeTimestamp)).Taking(1, 6),
		times("make_date", "(days), make_date(year, month, day)", "the date so many days after 1970 began, or of a year, month and day, or of a struct of these",
			"make_date(2024, 2, 10)", "2024-02-10", madeDate).Taking(1, 3),
		times("make_timestamptz", "(microseconds), make_timestamptz(year, month, day, hour, minute, seconds[, zone])", "the moment so many microseconds after 1970 began, or of a day and a time in a zone, in UTC if none is given",
			"make_timestamptz(2024, 2, 10, 17, 30, 5.25, 'Europe/Berlin')", "2024-02-10 16:30:05.25+00", bindMadeMoment).Taking(1, 7),
	}
}

// bindWholeUnits binds date_sub.
func bindWholeUnits(s *Scope, e *sql.Expr) Value {
	u, ok := unitOf(s.LiteralText(e.Args[0], "the unit"))
	if !ok {
		panic(sql.Wrong(e.Args[0].At, unitNames(), "there is no unit %q of dates here", e.Args[0].Text))
	}
	x, y := s.Expr(e.Args[1]).asMoment(), s.Expr(e.Args[2]).asMoment()
	switch times := x.Type == columnar.Time; {
	case times != (y.Type == columnar.Time):
		panic(sql.Wrong(e.At, "", "a time of day is compared with another one"))
	case times && u.op != expr.OpAddMicros:
		x.ofDay(u.name)
	}
	from, to := TimestampOf(x).Expr, TimestampOf(y).Expr
	if u.op == expr.OpAddMonths {
		return IntOf(expr.IntDiv(expr.Call(expr.OpWholeMonths, from, to), expr.Int(u.of)))
	}
	width := u.of
	if u.op == expr.OpAddDays {
		width *= number.Day
	}
	return IntOf(expr.IntDiv(expr.Sub(expr.Call(expr.OpEpochMicros, to), expr.Call(expr.OpEpochMicros, from)), expr.Int(width)))
}

// The origins of buckets of months, and of other buckets: a Monday.
const monthOrigin, weekOrigin = "2000-01-01", "2000-01-03"

// bindTimeBucket binds time_bucket, which keeps the type of its second argument.
func bindTimeBucket(s *Scope, e *sql.Expr) Value {
	if len(e.Args) == 3 && e.Args[2].Kind == sql.String && expr.CheckZone(e.Args[2].Text) == nil {
		return s.Expr(bucketInZone(e))
	}
	months, days, micros := constantInterval(s, e.Args[0])
	width := days*number.Day + micros
	if days > MostDays || months != 0 && width != 0 || months+width <= 0 {
		panic(sql.Wrong(e.Args[0].At, "Next: write INTERVAL 1 MONTH or INTERVAL 1 WEEK.", "a bucket is months wide, or days and hours, and wider than nothing"))
	}
	given := s.Expr(e.Args[1])
	v := given.asTime()
	origin := map[bool]string{true: monthOrigin, false: weekOrigin}[months != 0]
	from, at := Value{Expr: expr.Str(origin)}.read(columnar.Timestamp), TimestampOf(v)
	var offset []Step
	if len(e.Args) == 3 {
		if third := s.Expr(e.Args[2]); third.Type == columnar.Interval {
			offset = StepsOf(third)
			at = Moved(at, offset, true)
		} else {
			from = TimestampOf(third.asTime()).Expr
		}
	}
	out := Value{Expr: expr.Call(expr.OpTimeBucket, at.Expr, expr.Int(months), expr.Int(width), from), Type: columnar.Timestamp}
	if offset != nil {
		out = Moved(out, offset, false)
	}
	if v.Type == columnar.Date {
		return Value{Expr: DateOf(out), Type: columnar.Date}
	}
	return out.Zoned(given)
}

// bucketInZone is time_bucket of what the clocks of a zone, its third argument, show.
func bucketInZone(e *sql.Expr) *sql.Expr {
	zoned := func(of *sql.Expr) *sql.Expr {
		return e.At.Call("timezone", e.Args[2], of)
	}
	return zoned(e.At.Call(e.Text, e.Args[0], zoned(e.Args[1])))
}

// ofSeconds is the timestamp so many seconds after 1970 began.
func ofSeconds(seconds Value) Value {
	micros := seconds.Expr
	if seconds.Type != columnar.Int {
		micros = expr.ToFloat(micros)
	}
	if micros = expr.Mul(micros, expr.Int(number.Second)); seconds.Type != columnar.Int {
		micros = expr.Call(expr.OpToInt, micros)
	}
	return Value{Expr: expr.Call(expr.OpMakeTimestamp, micros), Type: columnar.Timestamp}.Zoned(Value{Type: columnar.Instant})
}

func madeTimestamp(c rowCall) Value {
	switch len(c.args) {
	case 1:
		return c.as(expr.OpMakeTimestamp)
	case 6:
		return c.as(expr.OpMakeTimestampOf)
	}
	panic(sql.Wrong(c.at, "", "it is make_timestamp(microseconds) or make_timestamp(year, month, day, hour, minute, seconds)"))
}

// dateOfFields is a date of a struct, such as date_part(['year', 'month', 'day'], date) makes.
var dateOfFields = NewFormula("fields", "make_date(fields.year, fields.month, fields.day)")

func madeDate(s *Scope, e *sql.Expr) Value {
	c := rowCall{e.Text, e.At, s.values(e.Args)}
	switch len(c.args) {
	case 1:
		if HasFields(c.args[0].Type) {
			return dateOfFields.Value(s.Statement, e.At, c.args)
		}
		days := expr.Call(expr.OpAddDays, expr.Date(0), c.args[0].As(columnar.Int))
		return Value{Expr: days, Type: columnar.Date}
	case 3:
		return c.as(expr.OpMakeDate)
	}
	panic(sql.Wrong(c.at, "", "it is make_date(days) or make_date(year, month, day)"))
}

// bindMadeMoment binds make_timestamptz.
func bindMadeMoment(s *Scope, e *sql.Expr) Value {
	made := *e
	if made.Text = "make_timestamp"; len(e.Args) < 7 {
		return s.Expr(&made).Zoned(Value{Type: columnar.Instant})
	}
	made.Args = e.Args[:6]
	return bindZone(s, e.At.Call("timezone", e.Args[6], &made))
}

// bindStrptimes binds strptime or try_strptime with several forms, of which the first that a text
// has counts.
func bindStrptimes(s *Scope, op expr.Op, text *expr.Expr, forms *sql.Expr) Value {
	if len(forms.Args) == 0 {
		panic(sql.Wrong(forms.At, "", "a form must be a text in quotes"))
	}
	last := len(forms.Args) - 1
	each, read := make([]*expr.Expr, len(forms.Args)), make([]*expr.Expr, len(forms.Args))
	for i, form := range forms.Args {
		how := expr.OpTryStrptime
		if i == last {
			how = op
		}
		read[i] = formOf(s, form, true)
		each[i] = expr.Call(how, text, read[i])
	}
	return Value{Expr: expr.Coalesce(each[0], each[1:]...), Type: columnar.Timestamp}.Zoned(Value{Type: readBy(read...)})
}
