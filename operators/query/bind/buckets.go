package bind

import (
	"analyzer/columnar"
	"analyzer/columnar/number"
	"analyzer/operators/expr"
	"analyzer/operators/query/sql"
	"analyzer/operators/registry"
)

func init() { functions.Add(bucketFunctions) }

func bucketFunctions() []function {
	return []function{
		{
			Doc: registry.Doc{
				Group: registry.Times, Names: []string{"date_sub", "datesub"}, Usage: "date_sub(unit, from, to)",
				Help:    "how many whole units lie between two dates or timestamps",
				Example: "date_sub('month', DATE '2024-01-31', DATE '2024-03-01')", Value: "1",
			},
			least: 3, most: 3, bind: bindWholeUnits,
		},
		{
			Doc: registry.Doc{
				Group: registry.Times, Names: []string{"time_bucket"}, Usage: "time_bucket(INTERVAL n DAY, date[, origin])",
				Help:    "the beginning of the bucket of that width in which a date or timestamp lies; buckets begin on Mondays, or at the origin, or later by an interval",
				Example: "time_bucket(INTERVAL 2 WEEK, DATE '2024-02-10')", Value: "2024-01-29",
			},
			least: 2, most: 3, bind: bindTimeBucket,
		},
		{
			Doc: registry.Doc{
				Group: registry.Times, Names: []string{"to_timestamp"}, Usage: "to_timestamp(seconds)",
				Help:    "the moment so many seconds after 1970 began",
				Example: "to_timestamp(1.5)", Value: "1970-01-01 00:00:01.5+00",
			},
			least: 1, most: 1, bind: onNumber(ofSeconds),
		},
		{
			Doc: registry.Doc{
				Group: registry.Times, Names: []string{"make_timestamp"}, Usage: "make_timestamp(microseconds), make_timestamp(year, month, day, hour, minute, seconds)",
				Help:    "the timestamp so many microseconds after 1970 began, or of a day and a time",
				Example: "make_timestamp(2024, 2, 10, 17, 30, 5.25)", Value: "2024-02-10 17:30:05.25",
			},
			least: 1, most: 6, bind: rewritten(madeTimestamp),
		},
	}
}

// bindWholeUnits binds date_sub.
func bindWholeUnits(s *scope, e *sql.Expr) typed {
	u, ok := unitOf(s.literalText(e.Args[0], "the unit"))
	if !ok {
		panic(sql.Wrong(e.Args[0].At, unitNames(), "there is no unit %q of dates here", e.Args[0].Text))
	}
	x, y := s.expr(e.Args[1]).asMoment(), s.expr(e.Args[2]).asMoment()
	switch times := x.t == columnar.Time; {
	case times != (y.t == columnar.Time):
		panic(sql.Wrong(e.At, "", "a time of day is compared with another one"))
	case times && u.op != expr.OpAddMicros:
		x.ofDay(u.name)
	}
	from, to := timestampOf(x).e, timestampOf(y).e
	if u.op == expr.OpAddMonths {
		return intOf(expr.IntDiv(expr.Call(expr.OpWholeMonths, from, to), expr.Int(u.of)))
	}
	width := u.of
	if u.op == expr.OpAddDays {
		width *= number.Day
	}
	return intOf(expr.IntDiv(expr.Sub(expr.Call(expr.OpEpochMicros, to), expr.Call(expr.OpEpochMicros, from)), expr.Int(width)))
}

// The origins of buckets of months, and of other buckets: a Monday.
const monthOrigin, weekOrigin = "2000-01-01", "2000-01-03"

// bindTimeBucket binds time_bucket, which keeps the type of its second argument.
func bindTimeBucket(s *scope, e *sql.Expr) typed {
	months, days, micros := s.constantInterval(e.Args[0])
	width := days*number.Day + micros
	if days > mostDays || months != 0 && width != 0 || months+width <= 0 {
		panic(sql.Wrong(e.Args[0].At, "Next: write INTERVAL 1 MONTH or INTERVAL 1 WEEK.", "a bucket is months wide, or days and hours, and wider than nothing"))
	}
	given := s.expr(e.Args[1])
	v := given.asTime()
	origin := map[bool]string{true: monthOrigin, false: weekOrigin}[months != 0]
	from, at := typed{e: expr.Str(origin)}.read(columnar.Timestamp), timestampOf(v)
	var offset []step
	if len(e.Args) == 3 {
		if third := s.expr(e.Args[2]); third.t == columnar.Interval {
			offset = stepsOf(third)
			at = moved(at, offset, true)
		} else {
			from = timestampOf(third.asTime()).e
		}
	}
	out := typed{e: expr.Call(expr.OpTimeBucket, at.e, expr.Int(months), expr.Int(width), from), t: columnar.Timestamp}
	if offset != nil {
		out = moved(out, offset, false)
	}
	if v.t == columnar.Date {
		return typed{e: dateOf(out), t: columnar.Date}
	}
	return out.zoned(given)
}

// ofSeconds is the timestamp so many seconds after 1970 began.
func ofSeconds(seconds typed) typed {
	micros := expr.Mul(seconds.floatOfWide().e, expr.Int(number.Second))
	if seconds.t != columnar.Int {
		micros = expr.Call(expr.OpToInt, micros)
	}
	return typed{e: expr.Call(expr.OpMakeTimestamp, micros), t: columnar.Timestamp}.zoned(typed{t: columnar.Instant})
}

func madeTimestamp(c rowCall) typed {
	switch len(c.args) {
	case 1:
		return c.as(expr.OpMakeTimestamp)
	case 6:
		return c.as(expr.OpMakeTimestampOf)
	}
	panic(sql.Wrong(c.at, "", "it is make_timestamp(microseconds) or make_timestamp(year, month, day, hour, minute, seconds)"))
}

// bindStrptimes binds strptime or try_strptime with several forms, of which the first that a text
// has counts.
func bindStrptimes(s *scope, op expr.Op, text *expr.Expr, forms *sql.Expr) typed {
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
		read[i] = s.formOf(form, true)
		each[i] = expr.Call(how, text, read[i])
	}
	return typed{e: expr.Coalesce(each[0], each[1:]...), t: columnar.Timestamp}.zoned(typed{t: readBy(read...)})
}
