package number_test

import (
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"analyzer/columnar/number"
)

func anInterval() *rapid.Generator[number.Interval] {
	return rapid.Custom(func(t *rapid.T) number.Interval {
		return number.Interval{
			Months: rapid.Int64Range(-8_388_607, 8_388_607).Draw(t, "months"),
			Days:   rapid.Int64Range(-268_435_455, 268_435_455).Draw(t, "days"),
			Micros: rapid.Int64().Draw(t, "micros"),
		}
	})
}

func lengthOf(i number.Interval) *big.Int {
	days := big.NewInt(30*i.Months + i.Days)
	return days.Mul(days, big.NewInt(number.Day)).Add(days, big.NewInt(i.Micros))
}

// TestIntervalBits: the bits of an interval hold its parts, and have the order of its length.
func TestIntervalBits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := anInterval().Draw(t, "a"), anInterval().Draw(t, "b")
		x, ok := a.Bits()
		y, fits := b.Bits()
		if !ok || !fits || number.IntervalOf(x) != a {
			t.Fatalf("%v is %v, %v", a, number.IntervalOf(x), ok)
		}
		if got := number.BigInt(number.IntervalLength(x)); got.Cmp(lengthOf(a)) != 0 {
			t.Fatalf("the length of %v is %v", a, got)
		}
		if want := lengthOf(a).Cmp(lengthOf(b)); want != 0 && x.Cmp(y) != want {
			t.Fatalf("%v and %v compare as %d", a, b, x.Cmp(y))
		}
		if !number.IsDecimal(x) {
			t.Fatalf("%v has more bits than travel", a)
		}
		text := number.AppendInterval(nil, a)
		if back, ok := number.ParseInterval(text); a.Micros/number.Hour < 1<<31 && a.Micros/number.Hour > -1<<31 && (!ok || back != a) {
			t.Fatalf("%q is read as %v, %v", text, back, ok)
		}
	})
}

func TestIntervalsTooLong(t *testing.T) {
	for _, i := range []number.Interval{{Months: 1 << 23}, {Months: -1 << 23}, {Days: 1 << 28}, {Days: -1 << 28}, {Months: 1 << 62}} {
		if _, ok := i.Bits(); ok {
			t.Errorf("%v", i)
		}
	}
}

func TestParseInterval(t *testing.T) {
	for text, want := range map[string]string{
		"1 year 2 months 3 days 04:05:06.5":     "1 year 2 months 3 days 04:05:06.5",
		"-1 year -2 months 3 days -04:05:06.5":  "-1 year -2 months 3 days -04:05:06.5",
		"100 hours":                             "100:00:00",
		"1 day 25 hours":                        "1 day 25:00:00",
		"0 days":                                "00:00:00",
		"14 mons":                               "1 year 2 months",
		"1.5 days":                              "1 day 12:00:00",
		"1.5 months":                            "1 month 15 days",
		"1 DAY ago":                             "-1 day",
		"3":                                     "00:00:03",
		"2h 30m":                                "02:30:00",
		"-00:00:01.25":                          "-00:00:01.25",
		"1 century 1 decade 1 week 5 ms 7 usec": "110 years 7 days 00:00:00.005007",
		"":                                      "", "day": "", "1 fortnight": "", "x days": "", "1 day 25:61": "", "9999999999 years": "", "1 day 2": "1 day 00:00:02", "99999999999999999999 days": "",
		"9223372036854775807 us 9223372036854775807 us": "", "1e400 days": "", "nan days": "", ":": "", "-": "",
	} {
		got := ""
		if i, ok := number.ParseInterval([]byte(text)); ok {
			got = string(number.AppendInterval(nil, i))
		}
		if got != want {
			t.Errorf("%q is read as %q, want %q", text, got, want)
		}
	}
}

func FuzzParseInterval(f *testing.F) {
	f.Add("1 year 2 months 3 days 04:05:06.5 ago")
	f.Add("1.5 h -3:04")
	f.Fuzz(func(t *testing.T, text string) {
		i, ok := number.ParseInterval([]byte(text))
		if !ok {
			return
		}
		bits, ok := i.Bits()
		if !ok || number.IntervalOf(bits) != i {
			t.Errorf("%q is read as %v", text, i)
		}
	})
}
