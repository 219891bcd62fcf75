package expr

import (
	"math/rand/v2"
	"testing"

	"analyzer/columnar/number"
)

// TestWholeMonths compares with counting months one by one, as DuckDB does: the last day of a month
// ends one that began on a day which this month does not have.
func TestWholeMonths(t *testing.T) {
	slow := func(from, to int64) int64 {
		days, clock := number.DayAndClock(from)
		n := int64(0)
		for number.AddMonths(days, n+1)*number.Day+clock <= to {
			n++
		}
		last, lastClock := number.DayAndClock(to)
		next := number.AddMonths(days, n+1)
		if _, _, d := number.DateOf(last + 1); d == 1 && next == last && lastClock >= clock {
			n++
		}
		return n
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		from := rng.Int64N(2000)*number.Day + rng.Int64N(3)*number.Hour
		to := from + rng.Int64N(800)*number.Day + rng.Int64N(3)*number.Hour
		if got, want := wholeMonths(from, to), slow(from, to); got != want || wholeMonths(to, from) != -got {
			t.Fatalf("%s to %s: %d months, not %d", number.AppendTimestamp(nil, from), number.AppendTimestamp(nil, to), got, want)
		}
	}
}

func TestSpans(t *testing.T) {
	for _, tt := range []struct {
		e    *Expr
		want string
	}{
		{Call(OpTimeBucket, Timestamp(-1), Int(0), Int(number.Day), Timestamp(0)), "'1969-12-31 00:00:00'::timestamp"},
		{Call(OpTimeBucket, Timestamp(-1), Int(12), Int(0), Timestamp(31*number.Day)), "'1969-02-01 00:00:00'::timestamp"},
		{Call(OpMakeTimestampOf, Int(2020), Int(2), Int(29), Int(23), Int(59), Float(5.25)), "'2020-02-29 23:59:05.25'::timestamp"},
		{Call(OpStrptime, Str("2020 60"), Str("%Y %j")), "'2020-02-29 00:00:00'::timestamp"},
		{Call(OpStrptime, Str("2020-01-01 01:00-0130"), Str("%Y-%m-%d %H:%M%z")), "'2020-01-01 02:30:00'::timestamp"},
		{Call(OpTryStrptime, Str("2020-01-01 01:00+1"), Str("%Y-%m-%d %H:%M%z")), "null::timestamp"},
		{Call(OpFormatted, Int(-1234567), Str(",d")), "'-1,234,567'"},
		{Call(OpFormatted, Int(-7), Str("05d")), "'-0007'"},
		{Call(OpFormatted, Int(255), Str("#X")), "'0XFF'"},
		{Call(OpFormatted, Float(2.345), Str("*^9.2f")), "'**2.35***'"},
		{Call(OpFormatted, Str("né"), Str(">4.1")), "'   n'"},
		{Call(OpSubGrapheme, Str("ne\u0301x"), Int(2), Int(1)), "'e\u0301'"},
		{Call(OpRegexpSplit, Str("ab"), Str("")), "['a', 'b']"},
		{Call(OpRegexpAll, Str("a1b2"), Str("([a-z])([0-9])"), Int(2)), "['1', '2']"},
		{Call(OpBar, Float(1), Float(0), Float(4), Float(2)), "'▌ '"},
		{Call(OpBar, Float(1), Float(1), Float(1), Float(2)), "'  '"},
		{Call(OpFormatBytes, Int(-1<<63), Int(1024)), "'-8192.0 PiB'"},
		{Call("gcd", Int(-1<<63), Int(-1)), "1"},
		{Call("url_decode", Str("%zz%C3")), "'%zz%C3'"},
		{Call("factorial", Int(33)), "'8683317618811886495518194401280000000'::huge"},
		{Call(OpFileName, Str(`a\b.c.gz`), Bool(true), Str(`/\`)), "'b.c'"},
	} {
		got, err := tt.e.compute(nil)
		if err != nil || got.String() != tt.want {
			t.Errorf("%s is %s (%v), not %s", tt.e, got, err, tt.want)
		}
	}
	for _, e := range []*Expr{Call("gcd", Int(-1<<63), Int(0)), Call("factorial", Int(34)), Call("factorial", Int(-1)), Call(OpToBase, Int(1), Int(99), Int(0)), Call(OpFormatted, Int(1), Str("2000d"))} {
		if got, err := e.compute(nil); err == nil {
			t.Errorf("%s is %s", e, got)
		}
	}
}
