package number

import (
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/apache/arrow/go/v17/arrow/decimal128"
)

// Interval is a span of time as people say it: so many months, days and microseconds. How long a month
// is depends on where it begins, and how long a day is on the clock, so the parts stay apart.
type Interval struct {
	Months, Days, Micros int64
}

// An interval is stored in 128 bits whose order is that of intervals: its length in microseconds, of
// months of 30 days and days of 24 hours, above its months and days, which tell apart intervals of one
// length. Bits of 0 are no time at all. So '1 month' and '30 days' are equal in length and different in their bits.
const (
	monthBits = 24
	dayBits   = 29
	partBits  = monthBits + dayBits

	// The bounds of months and days are some 700,000 years.
	mostIntervalMonths = 1<<(monthBits-1) - 1
	mostIntervalDays   = 1<<(dayBits-1) - 1

	daysOfMonth = 30
)

// Bits returns the stored form of an interval. ok is false if it has too many months or days.
func (i Interval) Bits() (bits Int128, ok bool) {
	if i.Months < -mostIntervalMonths || i.Months > mostIntervalMonths || i.Days < -mostIntervalDays || i.Days > mostIntervalDays {
		return bits, false
	}
	n := i.length()
	parts := uint64(i.Months)<<dayBits&(1<<partBits-1) | uint64(i.Days)&(1<<dayBits-1)
	return decimal128.New(n.HighBits()<<partBits|int64(n.LowBits()>>(64-partBits)), n.LowBits()<<partBits|parts), true
}

// length is that of the interval in microseconds.
func (i Interval) length() Int128 {
	return Product(i.Days+daysOfMonth*i.Months, Day).Add(decimal128.FromI64(i.Micros))
}

// IntervalLength returns the length of a stored interval in microseconds, with months of 30 days and
// days of 24 hours: intervals compare by it.
func IntervalLength(bits Int128) Int128 {
	return decimal128.New(bits.HighBits()>>partBits, uint64(bits.HighBits())<<(64-partBits)|bits.LowBits()>>partBits)
}

// IntervalOf returns the interval that is stored as bits.
func IntervalOf(bits Int128) Interval {
	parts := int64(bits.LowBits())
	i := Interval{Months: parts << (64 - partBits) >> (64 - monthBits), Days: parts << (64 - dayBits) >> (64 - dayBits)}
	i.Micros = int64(IntervalLength(bits).Sub(i.length()).LowBits())
	return i
}

// Times returns the interval with each part multiplied. What is left of a month is so many days of
// 30 to the month, and what is left of a day so many microseconds. ok is false if it is too long.
func (i Interval) Times(f float64) (out Interval, ok bool) {
	months := float64(float64(i.Months) * f)
	days := float64(float64(i.Days)*f) + float64((months-math.Trunc(months))*daysOfMonth)
	micros := float64(float64(i.Micros)*f) + float64((days-math.Trunc(days))*float64(Day))
	if !(math.Abs(months) <= mostIntervalMonths && math.Abs(days) <= mostIntervalDays && math.Abs(micros) < 1<<62) {
		return out, false
	}
	return Interval{int64(months), int64(days), int64(math.Round(micros))}, true
}

// AppendInterval appends an interval as DuckDB writes it: 1 year 2 months 3 days 04:05:06.5.
func AppendInterval(dst []byte, i Interval) []byte {
	start := len(dst)
	part := func(n int64, unit string) {
		if n == 0 {
			return
		}
		if len(dst) > start {
			dst = append(dst, ' ')
		}
		dst = append(append(strconv.AppendInt(dst, n, 10), ' '), unit...)
		if n != 1 && n != -1 {
			dst = append(dst, 's')
		}
	}
	part(i.Months/12, "year")
	part(i.Months%12, "month")
	part(i.Days, "day")
	if i.Micros == 0 && len(dst) > start {
		return dst
	}
	if len(dst) > start {
		dst = append(dst, ' ')
	}
	return appendDuration(dst, i.Micros)
}

// appendDuration appends microseconds as hours, of which there may be any number, minutes and seconds.
func appendDuration(dst []byte, micros int64) []byte {
	const hour, minute, second = uint64(Hour), uint64(Minute), uint64(Second)
	n := uint64(micros)
	if micros < 0 {
		dst, n = append(dst, '-'), -n
	}
	two := func(n uint64) {
		if n < 10 {
			dst = append(dst, '0')
		}
		dst = strconv.AppendUint(dst, n, 10)
	}
	two(n / hour)
	dst = append(dst, ':')
	two(n % hour / minute)
	dst = append(dst, ':')
	two(n % minute / second)
	if rest := n % second; rest > 0 {
		fraction := strconv.AppendUint([]byte{}, rest+second, 10)
		fraction[0] = '.'
		dst = append(dst, strings.TrimRight(string(fraction), "0")...)
	}
	return dst
}

// Between returns the days and the rest of a day from one timestamp to a later one.
func Between(later, earlier int64) Interval {
	last, lastClock := DayAndClock(later)
	first, firstClock := DayAndClock(earlier)
	i := Interval{Days: last - first, Micros: lastClock - firstClock}
	switch {
	case i.Days > 0 && i.Micros < 0:
		return Interval{Days: i.Days - 1, Micros: i.Micros + Day}
	case i.Days < 0 && i.Micros > 0:
		return Interval{Days: i.Days + 1, Micros: i.Micros - Day}
	}
	return i
}

// Nanos returns the microseconds of an interval in nanoseconds. ok is false if they do not fit.
func (i Interval) Nanos() (nanos int64, ok bool) {
	return i.Micros * 1000, i.Micros <= math.MaxInt64/1000 && i.Micros >= math.MinInt64/1000
}

// Age returns how much older a later timestamp is than an earlier one in whole months and days of the
// calendar, and the rest of a day; all parts are negative if later is the earlier one. A month that is
// broken up has as many days as that of the earlier timestamp.
func Age(later, earlier int64) Interval {
	if later < earlier {
		i := Age(earlier, later)
		return Interval{-i.Months, -i.Days, -i.Micros}
	}
	last, lastClock := DayAndClock(later)
	first, firstClock := DayAndClock(earlier)
	y2, m2, d2 := DateOf(last)
	y1, m1, d1 := DateOf(first)
	i := Interval{Months: (y2-y1)*12 + m2 - m1, Days: d2 - d1, Micros: lastClock - firstClock}
	if i.Micros < 0 {
		i.Micros += Day
		i.Days--
	}
	for i.Days < 0 {
		i.Days += int64(time.Date(int(y1), time.Month(m1)+1, 0, 0, 0, 0, 0, time.UTC).Day())
		i.Months--
	}
	return i
}

// timeUnits are the units of time, each with the other words for it that DuckDB knows.
var timeUnits = []struct {
	name   string
	one    Interval
	others string
}{
	{"month", Interval{Months: 1}, "mon mons"},
	{"quarter", Interval{Months: 3}, ""},
	{"year", Interval{Months: 12}, "y yr yrs"},
	{"decade", Interval{Months: 120}, "dec decs"},
	{"century", Interval{Months: 1200}, "centuries cent c"},
	{"millennium", Interval{Months: 12000}, "millennia mil mils"},
	{"day", Interval{Days: 1}, "d dayofmonth"},
	{"week", Interval{Days: 7}, "w weekofyear"},
	{"hour", Interval{Micros: Hour}, "h hr hrs"},
	{"minute", Interval{Micros: Minute}, "m min mins"},
	{"second", Interval{Micros: Second}, "s sec secs"},
	{"millisecond", Interval{Micros: Second / 1000}, "ms msec msecs"},
	{"microsecond", Interval{Micros: 1}, "us usec usecs"},
}

var unitsByWord = func() map[string]int {
	all := make(map[string]int)
	for i, u := range timeUnits {
		all[u.name], all[u.name+"s"] = i, i
		for word := range strings.FieldsSeq(u.others) {
			all[word] = i
		}
	}
	return all
}()

// TimeUnits returns the names of the units of time.
func TimeUnits() (names []string) {
	for _, u := range timeUnits {
		names = append(names, u.name)
	}
	return names
}

// TimeUnit returns the name of a unit of time for which there is such a word, in small letters, and how
// long one is. ok is false if there is none.
func TimeUnit(word string) (name string, one Interval, ok bool) {
	i, ok := unitsByWord[word]
	if !ok {
		return "", one, false
	}
	return timeUnits[i].name, timeUnits[i].one, true
}

// ParseInterval reads an interval as DuckDB does: numbers with units, of which parts of a unit go on in
// the next smaller one, and times of day, in any order; ago at the end turns the sign. A number
// without a unit is one of seconds.
func ParseInterval(text []byte) (i Interval, ok bool) {
	words := strings.Fields(strings.ToLower(string(text)))
	if len(words) > 0 && words[len(words)-1] == "ago" {
		i, ok = ParseInterval([]byte(strings.Join(words[:len(words)-1], " ")))
		return Interval{-i.Months, -i.Days, -i.Micros}, ok
	}
	for n := 0; n < len(words); n++ {
		if micros, ok := parseDuration(words[n]); ok {
			i.Micros += micros
			continue
		}
		number, unit := splitNumber(words[n])
		one := Interval{Micros: Second}
		if unit == "" && n+1 < len(words) {
			n++
			unit = words[n]
		}
		if unit != "" {
			if _, one, ok = TimeUnit(unit); !ok {
				return i, false
			}
		}
		if !i.add(number, one) {
			return i, false
		}
	}
	_, fits := i.Bits()
	return i, fits && len(words) > 0
}

// splitNumber separates a number from a unit that follows without a space.
func splitNumber(word string) (number, unit string) {
	end := strings.IndexFunc(word, func(r rune) bool { return r >= 'a' && r <= 'z' })
	if end < 0 {
		return word, ""
	}
	return word[:end], word[end:]
}

// add adds a number of units, and reports whether the number is one.
func (i *Interval) add(text string, one Interval) bool {
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		const most = 1 << 62
		if size := one.Months + one.Days + one.Micros; n > most/size || n < -most/size {
			return false
		}
		i.Months, i.Days, i.Micros = i.Months+n*one.Months, i.Days+n*one.Days, i.Micros+n*one.Micros
		return max(i.Micros, -i.Micros) < most && max(i.Months, -i.Months) < most && max(i.Days, -i.Days) < most
	}
	f, ok := ParseFloat([]byte(text))
	if !ok {
		return false
	}
	part, ok := one.Times(f)
	i.Months, i.Days, i.Micros = i.Months+part.Months, i.Days+part.Days, i.Micros+part.Micros
	return ok
}

// parseDuration reads hours and minutes, and perhaps seconds, such as 02:30:00.5 or -100:30.
func parseDuration(word string) (micros int64, ok bool) {
	digits, negative := strings.CutPrefix(word, "-")
	hours, rest, ok := strings.Cut(digits, ":")
	n, err := strconv.ParseUint(hours, 10, 31)
	if !ok || err != nil {
		return 0, false
	}
	if micros, ok = parseParts([]byte("0:"+rest), 2, len(rest)); !ok {
		return 0, false
	}
	if micros += int64(n) * Hour; negative {
		micros = -micros
	}
	return micros, true
}
