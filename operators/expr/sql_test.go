package expr

import (
	"cmp"
	"errors"
	"math"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
	"time"

	"analyzer/columnar"
)

// constants are expressions and what they print as once they are computed.
func TestConstants(t *testing.T) {
	null := Null(columnar.Text)
	for _, tt := range []struct {
		e    *Expr
		want string
	}{
		{If(Bool(true), Int(1), Int(2)), "1"},
		{If(Null(columnar.Bool), Int(1), Int(2)), "2"},
		{If(Bool(false), Int(1), Null(columnar.Int)), "null::int"},
		{Coalesce(null, Str("a"), Str("b")), "'a'"},
		{Call(OpConcat, Str("a"), Str("né")), "'ané'"},
		{Call(OpConcat, Str("a"), null), "null::text"},
		{Call(OpLength, Str("né日")), "3"},
		{Call(OpSubstr, Str("né日x"), Int(2), Int(2)), "'é日'"},
		{Call(OpSubstr, Str("abc"), Int(-1), Int(3)), "'c'"},
		{Call(OpSubstr, Str("abc"), Int(math.MinInt64+2), Int(3)), "''"},
		{Call(OpSubstr, Str("abc"), Int(9), Int(3)), "''"},
		{Call(OpTrim, Str("  a b ")), "'a b'"},
		{Call(OpLeftTrim, Str(" a ")), "'a '"},
		{Call(OpRightTrim, Str(" a ")), "' a'"},
		{Call("replace", Str("aXbX"), Str("X"), Str("--")), "'a--b--'"},
		{Call("replace", Str("ab"), Str(""), Str("-")), "'ab'"},
		{Call(OpStartsWith, Str("abc"), Str("ab")), "true"},
		{Call(OpEndsWith, Str("abc"), Str("ab")), "false"},
		{Call("abs", Int(-3)), "3"},
		{Call("abs", Float(-0.5)), "5e-01"},
		{Call("%", Int(-7), Int(3)), "-1"},
		{Call("%", Int(math.MinInt64), Int(-1)), "0"},
		{Call("%", Int(7), Int(0)), "null::int"},
		{Call(OpTranslate, Str("aébc"), Str("éc"), Str("ü")), "'aüb'"},
		{Call(OpTranslate, Str("abc"), Str(""), Str("x")), "'abc'"},
		{Call(OpHex, Str("é\n")), "'C3A90A'"},
		{Call("%", Dec(2_500_000), Dec(1_000_000)), "0.5"},
		{Call("%", Float(-7.5), Float(2)), "-1.5e+00"},
		{Call("%", Float(7.5), Float(0)), "null::float"},
		{Call(OpRound, Dec(2_345_000), Int(2)), "2.35"},
		{Call(OpRound, Dec(-2_345_000), Int(2)), "-2.35"},
		{Call(OpRound, Dec(2_344_999), Int(2)), "2.34"},
		{Call(OpRound, Dec(1_500_000), Int(0)), "2.0"},
		{Call(OpRound, Dec(15_000_000), Int(-1)), "20.0"},
		{Call(OpRound, Dec(1), Int(-40)), "0.0"},
		{Call(OpRound, Dec(123), Int(9)), "0.000123"},
		{Call(OpRound, Float(2.5), Int(0)), "3e+00"},
		{Call(OpRound, Float(1e300), Int(20)), "1e+300"},
		{Call(OpFloor, Dec(-1_500_000)), "-2.0"},
		{Call(OpCeil, Dec(-1_500_000)), "-1.0"},
		{Call(OpCeil, Dec(1_000_001)), "2.0"},
		{Call(OpFloor, Float(-1.5)), "-2e+00"},
		{Call("sqrt", Float(6.25)), "2.5e+00"},
		{Call(OpPow, Float(2), Float(-2)), "2.5e-01"},
		{Call("exp", Float(1)), "2.718281828459045e+00"},
		{Call("ln", Float(0.5)), "-6.931471805599453e-01"},
		{Call("log10", Float(0.001)), "-3e+00"},
		{Call(OpToText, Int(-12)), "'-12'"},
		{Call(OpToText, Date(0)), "'1970-01-01'"},
		{Call(OpToText, Bool(true)), "'true'"},
		{Call(OpToInt, Dec(2_500_000)), "3"},
		{Call(OpToInt, Dec(-2_500_000)), "-3"},
		{Call(OpToInt, Float(2.5)), "2"},
		{Call(OpToInt, Bool(true)), "1"},
		{CastText(Str(" 12 "), columnar.Int, false), "12"},
		{Call(OpRegexpReplace, Str("abcabc"), Str("b"), Str("X"), Bool(false)), "'aXcabc'"},
		{Call(OpRegexpReplace, Str("abcabc"), Str("b"), Str(`[\0]`), Bool(true)), "'a[b]ca[b]c'"},
		{Call(OpRegexpReplace, Str("abcabc"), Str("(a)(b)|(x)"), Str(`\2\1\3\\`), Bool(false)), `'ba\cabc'`},
		{Call(OpRegexpReplace, Str("abc"), Str("x*"), Str("-"), Bool(true)), "'-a-b-c-'"},
		{Call(OpRegexpReplace, Str("né"), Str("^$"), Str("-"), Bool(true)), "'né'"},
		{Call(OpRegexpReplace, null, Str("a"), Str(""), Bool(true)), "null::text"},
		{Call(OpRegexpExtract, Str("abc123"), Str("[0-9]+"), Int(0)), "'123'"},
		{Call(OpRegexpExtract, Str("abc123"), Str("([a-z])([0-9])|(x)"), Int(2)), "'1'"},
		{Call(OpRegexpExtract, Str("abc123"), Str("([a-z])([0-9])|(x)"), Int(3)), "''"},
		{Call(OpRegexpExtract, Str("abc"), Str("[0-9]+"), Int(0)), "''"},
		{CastText(Str("12.5"), columnar.Int, false), "13"},
		{CastText(Str("x"), columnar.Int, true), "null::int"},
		{CastText(Str("1e400"), columnar.Float, true), "null::float"},
		{CastText(Str("2021-02-29"), columnar.Date, true), "null::date"},
		{CastText(Str("2020-02-29"), columnar.Date, false), "'2020-02-29'::date"},
		{CastText(Str(" 2020-02-29T07:08:09.1234567Z"), columnar.Timestamp, false), "'2020-02-29 07:08:09.123456'::timestamp"},
		{CastText(Str("2020-02-29 07:08:09+02:00"), columnar.Timestamp, true), "'2020-02-29 07:08:09'::timestamp"},
		{Call(OpToText, Timestamp(-1)), "'1969-12-31 23:59:59.999999'"},
		{Call(OpToDate, Timestamp(-1)), "'1969-12-31'::date"},
		{Call(OpToTimestamp, Date(-1)), "'1969-12-31 00:00:00'::timestamp"},
		{Lt(Date(0), Timestamp(1)), "true"},
		{Eq(Timestamp(0), Date(0)), "true"},
		{Call(OpAddMonths, Timestamp(30*86400_000_000-1), Int(1)), "'1970-02-28 23:59:59.999999'::timestamp"},
		{Call(OpAddMicros, Timestamp(0), Int(-1)), "'1969-12-31 23:59:59.999999'::timestamp"},
		{Call(OpMakeDate, Int(2020), Int(2), Int(29)), "'2020-02-29'::date"},
		{Call(OpMakeTimestamp, Int(1)), "'1970-01-01 00:00:00.000001'::timestamp"},
		{Call(OpEpochMicros, Timestamp(-5)), "-5"},
		{
			Call(OpStrftime, Timestamp(1588748889_500_000), Str("%Y %m %d %H %M %S %f %g %n %j %y %b %B %a %A %p %I %w %u %% %-d %-m %-H %-I %-M %-S %-j %-y|%c|%x|%X|%U %W %V %G")),
			"'2020 05 06 07 08 09 500000 500 500000000 127 20 May May Wed Wednesday AM 07 3 3 % 6 5 7 7 8 9 127 20|2020-05-06 07:08:09|2020-05-06|07:08:09|18 18 19 2020'",
		},
		{Call(OpStrftime, Call(OpToTimestamp, Date(18630)), Str("%U %W %V %G %u %w")), "'01 00 53 2020 7 0'"},
		{Call(OpStrptime, Str(" 6/5/20  7:8 "), Str("%d/%m/%y %H:%M")), "'2020-05-06 07:08:00'::timestamp"},
		{Call(OpStrptime, Str("wed MAY 6, 2020 12:08 PM"), Str("%a %b %d, %Y %I:%M %p")), "'2020-05-06 12:08:00'::timestamp"},
		{Call(OpStrptime, Str("20200506 .5"), Str("%Y%m%d .%f")), "'2020-05-06 00:00:00.5'::timestamp"},
		{Call(OpStrptime, Str("10:00"), Str("%H:%M")), "'1900-01-01 10:00:00'::timestamp"},
		{Call(OpTryStrptime, Str("2020-13-01"), Str("%Y-%m-%d")), "null::timestamp"},
		{Call(OpTryStrptime, Str("2020-05-06 13 PM"), Str("%Y-%m-%d %H %p")), "null::timestamp"},
		{Call(OpTryStrptime, Str("2020-05-06 x"), Str("%Y-%m-%d")), "null::timestamp"},
		{Call(OpTryStrptime, Str("mayo 5"), Str("%B %d")), "null::timestamp"},
		{CastText(Str("TRUE"), columnar.Bool, false), "true"},
		{CastText(Str("Yes"), columnar.Bool, false), "true"},
		{CastText(Str("f"), columnar.Bool, false), "false"},
		{CastText(Str(" true"), columnar.Bool, true), "null::bool"},
		{CastText(Str("on"), columnar.Bool, true), "null::bool"},
		{CastText(Str(".5"), columnar.Decimal, false), "0.5"},
		{CastText(Str("-0.0000025"), columnar.Decimal, false), "-0.000003"},
		{CastText(Str("0.49999999"), columnar.Int, false), "0"},
		{CastText(Str("-2.5"), columnar.Int, false), "-3"},
		{CastText(Str("9223372036854775807.5"), columnar.Int, true), "null::int"},
		{CastText(Str("9223372036854775806.5"), columnar.Int, true), "9223372036854775807"},
		{Call(OpMatch, Str("abc"), Str("b.$")), "true"},
	} {
		v, err := tt.e.compute(nil)
		if err != nil {
			t.Errorf("%s: %v", tt.e, err)
		} else if got := v.String(); got != tt.want {
			t.Errorf("%s is %s, want %s", tt.e, got, tt.want)
		}
	}
}

func TestWhatDoesNotFit(t *testing.T) {
	for _, tt := range []struct {
		e    *Expr
		want error
	}{
		{Call("abs", Int(math.MinInt64)), ErrOverflow},
		{Call(OpRound, Dec(math.MaxInt64), Int(0)), ErrOverflow},
		{Call(OpCeil, Dec(math.MaxInt64)), ErrOverflow},
		{Call(OpFloor, Dec(math.MinInt64)), ErrOverflow},
		{Call("sqrt", Float(-1)), ErrNoNumber},
		{Call(OpPow, Float(0), Float(-1)), ErrNoNumber},
		{Call(OpPow, Float(-1), Float(0.5)), ErrNoNumber},
		{Call("exp", Float(1000)), ErrNoNumber},
		{Call("ln", Float(0)), ErrNoNumber},
		{Call("log10", Float(-1)), ErrNoNumber},
		{Call(OpToInt, Float(1e19)), ErrOverflow},
		{CastText(Str("x"), columnar.Int, false), ErrCast},
		{CastText(Str(""), columnar.Date, false), ErrCast},
		{Call(OpMakeDate, Int(2021), Int(2), Int(29)), ErrCast},
		{Call(OpMakeDate, Int(5_881_580), Int(7), Int(11)), ErrCast},
		{Call(OpMakeTimestamp, Int(math.MaxInt64)), ErrOverflow},
		{Call(OpAddMicros, Timestamp(0), Int(math.MaxInt64)), ErrOverflow},
		{Call(OpStrptime, Str("2020-02-30"), Str("%Y-%m-%d")), ErrCast},
	} {
		if v, err := tt.e.compute(nil); !errors.Is(err, tt.want) {
			t.Errorf("%s is %s, error %v", tt.e, v, err)
		}
	}
	for _, e := range []*Expr{
		Call(OpLike, Str("a"), Str("a"), Col("s")), Call(OpMatch, Str("a"), Str("(")), Like(Str("a"), "a", "xy"), Like(Str("a"), `a\`, `\`),
		Call(OpDatePart, Str("hour"), Date(0)),
		Call(OpRegexpReplace, Str("a"), Str("a"), Str(`\1`), Bool(true)), Call(OpRegexpReplace, Str("a"), Str("a"), Str(`\x`), Bool(true)),
		Call(OpRegexpReplace, Str("a"), Str("a"), Str("b"), IsNull(Col("s"))), Call(OpRegexpExtract, Str("a"), Str("a"), Int(1)),
		Call(OpStrftime, Timestamp(0), Str("%Q")), Call(OpStrftime, Timestamp(0), Str("50 %")), Call(OpStrptime, Str("1"), Str("%Z")), Call(OpStrptime, Str("1"), Str("%Y %V")),
	} {
		if _, err := Compile(e, columnar.Schema{{Name: "s", Type: columnar.Text}}, nil); err == nil {
			t.Errorf("%s is accepted", e)
		}
	}
}

// TestIfIsLazy does not compute a branch where it is not chosen.
func TestIfIsLazy(t *testing.T) {
	schema := columnar.Schema{{Name: "s", Type: columnar.Text}, {Name: "i", Type: columnar.Int}}
	s := vectorOf(columnar.Text, []datum{"1", "x", nil, "30", ""}, false)
	i := vectorOf(columnar.Int, []datum{num(5), num(6), num(7), nil, num(9)}, false)
	digits := Call(OpMatch, Col("s"), Str("^[0-9]+$"))
	for e, want := range map[*Expr]string{
		If(digits, CastText(Col("s"), columnar.Int, false), Col("i")):                             "1 6 7 30 9",
		If(Not(digits), Str("-"), Call(OpConcat, Col("s"), Str("!"))):                             "1! - null 30! -",
		If(IsNull(Col("i")), Int(0), If(digits, CastText(Col("s"), columnar.Int, false), Int(2))): "1 2 2 0 2",
	} {
		ev := mustCompile(t, e, schema)
		for range 2 {
			v, err := ev.Eval([]*columnar.Vector{s, i}, 5)
			if err != nil {
				t.Fatalf("%s: %v", e, err)
			}
			var got []string
			for r := range v.Len {
				got = append(got, show(datumAt(v, r)))
			}
			if strings.ReplaceAll(strings.Join(got, " "), `"`, "") != want {
				t.Errorf("%s is %s, want %s", e, got, want)
			}
		}
	}
}

// TestLike holds patterns against regular expressions.
func TestLike(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	word := func(letters []string, n int) string {
		var b strings.Builder
		for range rng.IntN(n) {
			b.WriteString(pick(rng, letters))
		}
		return b.String()
	}
	for range 20_000 {
		text := word([]string{"a", "b", "é", "\n", "%"}, 8)
		pattern := word([]string{"a", "b", "é", "%", "%", "_", `\%`, `\_`, `\\`}, 7)
		var re strings.Builder
		re.WriteString("(?s)^")
		for i := 0; i < len(pattern); i++ {
			switch c := pattern[i]; c {
			case '%':
				re.WriteString(".*")
			case '_':
				re.WriteString(".")
			case '\\':
				i++
				re.WriteString(regexp.QuoteMeta(pattern[i : i+1]))
			default:
				re.WriteString(regexp.QuoteMeta(string([]rune(pattern[i:])[0])))
				i += len(string([]rune(pattern[i:])[0])) - 1
			}
		}
		re.WriteString("$")
		want := regexp.MustCompile(re.String()).MatchString(text)
		parts, _, err := likeParts(pattern, `\`)
		if err != nil {
			t.Fatal(err)
		}
		if got := parts.fit([]byte(text)); got != want {
			t.Fatalf("%q like %q is %v", text, pattern, got)
		}
	}
}

// TestDateParts holds the parts of dates against package time.
func TestDateParts(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 3))
	for range 2000 {
		days := rng.Int64N(400_000) - 200_000
		d := time.Unix(days*86400, 0).UTC()
		monday := d.AddDate(0, 0, -(int(d.Weekday())+6)%7)
		first := func(d time.Time) int64 {
			return time.Date(d.Year(), d.Month(), d.Day(), 0, 0, 0, 0, time.UTC).Unix() / 86400
		}
		isoYear, week := d.ISOWeek()
		for name, want := range map[string]int64{
			"year": int64(d.Year()), "quarter": int64(d.Month()+2) / 3, "month": int64(d.Month()), "day": int64(d.Day()),
			"dow": int64(d.Weekday()), "isodow": int64(d.Weekday()+6)%7 + 1, "doy": int64(d.YearDay()),
			"week": int64(week), "isoyear": int64(isoYear), "yearweek": int64(isoYear*100 + week),
			"decade": int64(d.Year() / 10), "century": int64((d.Year()-1)/100 + 1),
		} {
			if got := dateParts.named(name, columnar.Date)(days); got != want {
				t.Fatalf("%s of %s is %d, want %d", name, d, got, want)
			}
		}
		for name, want := range map[string]int64{
			"year": first(d.AddDate(0, 0, 1-d.YearDay())), "month": first(d.AddDate(0, 0, 1-d.Day())), "week": first(monday), "day": days,
			"quarter": first(time.Date(d.Year(), (d.Month()-1)/3*3+1, 1, 0, 0, 0, 0, time.UTC)),
		} {
			if got := dateUnits.named(name, columnar.Date)(days); got != want {
				t.Fatalf("the %s of %s begins on %d, want %d", name, d, got, want)
			}
		}
	}
}

// TestTimeParts holds the parts and units of timestamps against package time.
func TestTimeParts(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 4))
	for range 2000 {
		micros := rng.Int64N(800_000*86400_000_000) - 400_000*86400_000_000
		at := time.UnixMicro(micros).UTC()
		inMinute := int64(at.Second())*1_000_000 + int64(at.Nanosecond())/1000
		for name, want := range map[string]int64{
			"hour": int64(at.Hour()), "minute": int64(at.Minute()), "second": int64(at.Second()),
			"millisecond": inMinute / 1000, "microsecond": inMinute, "year": int64(at.Year()), "dow": int64(at.Weekday()),
		} {
			if got := dateParts.named(name, columnar.Timestamp)(micros); got != want {
				t.Fatalf("%s of %s is %d, want %d", name, at, got, want)
			}
		}
		date := time.Date(at.Year(), at.Month(), at.Day(), 0, 0, 0, 0, time.UTC)
		for name, want := range map[string]time.Time{
			"year": time.Date(at.Year(), 1, 1, 0, 0, 0, 0, time.UTC), "day": date, "hour": date.Add(time.Duration(at.Hour()) * time.Hour),
			"minute": date.Add(at.Sub(date).Truncate(time.Minute)), "second": date.Add(at.Sub(date).Truncate(time.Second)),
			"millisecond": date.Add(at.Sub(date).Truncate(time.Millisecond)), "microsecond": at,
		} {
			if got := time.UnixMicro(dateUnits.named(name, columnar.Timestamp)(micros)).UTC(); !got.Equal(want) {
				t.Fatalf("the %s of %s begins at %s, want %s", name, at, got, want)
			}
		}
	}
}

// TestDatesBesideTimestamps compares each with the other, columns and literals.
func TestDatesBesideTimestamps(t *testing.T) {
	const day = 86400_000_000
	s := columnar.Schema{{Name: "d", Type: columnar.Date}, {Name: "t", Type: columnar.Timestamp}}
	dates, times := []int64{-1, 0, 1, 1, 0, 9}, []int64{-day, -1, day, day + 1, 1, 8 * day}
	d, at := columnar.NewVector(columnar.Date), columnar.NewVector(columnar.Timestamp)
	for i := range dates {
		d.AppendInt(dates[i])
		at.AppendInt(times[i])
	}
	for _, op := range []Op{OpEq, OpNe, OpLt, OpLe, OpGt, OpGe} {
		for k := range dates {
			for _, c := range []struct {
				e     *Expr
				order func(i int) int
			}{
				{Call(op, Col("d"), Col("t")), func(i int) int { return cmp.Compare(dates[i]*day, times[i]) }},
				{Call(op, Col("t"), Col("d")), func(i int) int { return cmp.Compare(times[i], dates[i]*day) }},
				{Call(op, Col("d"), Timestamp(times[k])), func(i int) int { return cmp.Compare(dates[i]*day, times[k]) }},
				{Call(op, Timestamp(times[k]), Col("d")), func(i int) int { return cmp.Compare(times[k], dates[i]*day) }},
				{Call(op, Col("t"), Date(dates[k])), func(i int) int { return cmp.Compare(times[i], dates[k]*day) }},
			} {
				ev, err := Compile(c.e, s, nil)
				if err != nil {
					t.Fatal(err)
				}
				out, err := ev.Eval([]*columnar.Vector{d, at}, len(dates))
				if err != nil {
					t.Fatal(err)
				}
				for i, got := range out.Bools {
					if want := holds(op, c.order(i)); got != want {
						t.Errorf("%s in row %d is %v", c.e, i, got)
					}
				}
			}
		}
	}
}
