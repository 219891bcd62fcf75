package sniff

import (
	"slices"

	"analyzer/columnar"
	"analyzer/columnar/csv"
	"analyzer/columnar/number"
)

// kinds is the set of formats that a cell, or all cells of a column, allow, one bit for each.
// Every cell allows text.
type kinds uint32

const (
	text0   kinds = 1 << columnar.FormatOptional
	texts   kinds = 1 << columnar.FormatTexts // only where quotes say what cells are
	boolean kinds = 1 << columnar.FormatBool
	day     kinds = 1 << columnar.FormatDay
	moment  kinds = 1 << columnar.FormatTimestamp
	utc     kinds = 1 << columnar.FormatUTC
	dayYMD  kinds = 1 << columnar.FormatDayYMD
	dayMDY  kinds = 1 << columnar.FormatDayMDY
	dayDMY  kinds = 1 << columnar.FormatDayDMY
	timeYMD kinds = 1 << columnar.FormatTimeYMD
	timeMDY kinds = 1 << columnar.FormatTimeMDY
	timeDMY kinds = 1 << columnar.FormatTimeDMY
	integer kinds = 1 << columnar.FormatInt
	decimal kinds = 1 << columnar.FormatDecimal
	float   kinds = 1 << columnar.FormatFloat

	moments  = day | moment | utc | dayYMD | dayMDY | dayDMY | timeYMD | timeMDY | timeDMY
	allKinds = text0 | texts | boolean | moments | integer | decimal | float
)

// ordered lists the kinds of dates, and of dates with a time of day, by the order of the
// parts.
var ordered = [...]struct{ day, time kinds }{
	number.YearFirst:  {dayYMD, timeYMD},
	number.MonthFirst: {dayMDY, timeMDY},
	number.DayFirst:   {dayDMY, timeDMY},
}

func newKinds(n int) []kinds { return slices.Repeat([]kinds{allKinds}, n) }

// formats are the formats that columns can have, the narrowest first.
var formats = []columnar.Format{
	columnar.FormatBool,
	columnar.FormatDay, columnar.FormatDayYMD, columnar.FormatDayMDY, columnar.FormatDayDMY,
	columnar.FormatTimestamp, columnar.FormatUTC, columnar.FormatTimeYMD, columnar.FormatTimeMDY, columnar.FormatTimeDMY,
	columnar.FormatInt, columnar.FormatDecimal, columnar.FormatFloat, columnar.FormatOptional,
}

// format returns the narrowest format in the set. A column without any cell is text, and so is
// a column of dates that are all valid with the month first and with the day first.
func (k kinds) format() columnar.Format {
	if k == allKinds {
		return columnar.FormatOptional
	}
	for _, either := range []kinds{dayMDY | dayDMY, timeMDY | timeDMY} {
		if k&either == either {
			k &^= either
		}
	}
	if k&texts != 0 {
		return columnar.FormatTexts
	}
	for _, f := range formats {
		if k.allow(f) {
			return f
		}
	}
	return columnar.FormatOptional
}

// formatOf returns the narrowest format that a column of the file can have.
func (f *File) formatOf(k kinds) columnar.Format {
	if k == allKinds {
		return k.format()
	}
	return (k &^ f.refused).format()
}

// FormatOf returns the usual format of a type, if it has one.
func FormatOf(t columnar.Type) (format columnar.Format, ok bool) {
	for _, f := range formats {
		if f.Type() == t {
			return f, true
		}
	}
	return 0, false
}

// TypeOf returns the narrowest type whose usual format all texts fit. Empty texts fit any.
func TypeOf(texts []string) columnar.Type {
	k := allKinds
	for _, text := range texts {
		if text != "" {
			k &= kindsOf([]byte(text))
		}
	}
	t := k.format().Type()
	if format, _ := FormatOf(t); format != k.format() {
		return columnar.Text
	}
	return t
}

// allow reports whether cells can be read in a format without loss.
func (k kinds) allow(format columnar.Format) bool { return k>>format&1 != 0 }

// kindsOf returns the kinds that a text, which must not be empty, allows without losing more
// than space around it and zeros at the end of a fraction.
func kindsOf(cell []byte) kinds {
	given := len(cell)
	for cell[0] == ' ' && len(cell) > 1 {
		cell = cell[1:]
	}
	for cell[len(cell)-1] == ' ' && len(cell) > 1 {
		cell = cell[:len(cell)-1]
	}
	if k := kindsOfWord(cell); len(cell) == given || k&moments == 0 {
		return k
	}
	return text0 // dates and timestamps allow no space around them
}

func kindsOfWord(cell []byte) kinds {
	switch c := cell[0]; {
	case c-'0' <= 9 || c == '-' || c == '.':
		return kindsOfNumber(cell)
	case c|0x20 == 't' || c|0x20 == 'f':
		if len(cell) >= 4 {
			if _, ok := number.ParseBool(cell); ok {
				return text0 | boolean
			}
		}
	}
	return text0
}

// The number of digits before the point that fit a decimal, which has six more after it in
// 64 bits, and those that an integer may have to be exact as a float.
const (
	decimalDigits = 12
	exactDigits   = 15
)

// kindsOfNumber is kindsOf for a text that begins like a number.
func kindsOfNumber(cell []byte) kinds {
	digits := cell
	if digits[0] == '-' {
		digits = digits[1:]
	}
	whole := leadingDigits(digits)
	if whole > 1 && digits[0] == '0' { // 007 is not 7
		return momentOf(cell)
	}
	if whole == len(digits) {
		return kindsOfInteger(cell, whole)
	}
	rest := digits[whole:]
	fraction := 0
	if rest[0] == '.' {
		fraction = leadingDigits(rest[1:])
		rest = rest[1+fraction:]
	}
	if len(rest) > 0 && (rest[0] == '-' || rest[0] == '/' || rest[0] == '.') {
		return momentOf(cell)
	}
	if whole+fraction == 0 {
		return text0
	}
	if len(rest) == 0 && fraction <= number.Scale && whole <= decimalDigits {
		return text0 | decimal | float
	}
	if _, ok := number.ParseFloat(cell); ok {
		return text0 | float
	}
	return text0
}

// skipPlain returns the index of the first cell in [i, n) that is not in a common form of
// numbers, dates or timestamps, or does not allow all of k. The cells before it do not change k.
func skipPlain(k kinds, column *csv.Column, i, n int) int {
	dates, numbers := k&^(text0|moments) == 0, k&^(text0|integer|decimal|float) == 0
	switch n -= i; {
	case dates && k&day != 0:
		return i + column.SkipDates(i, n)
	case dates:
		return i + column.SkipEach(i, n, func(cell []byte) bool { return allows(k, cell) })
	case !numbers:
		return i
	case k&integer != 0:
		return i + column.SkipInts(i, n)
	case k&decimal != 0:
		return i + column.SkipDecimals(i, n)
	}
	return i + column.SkipNumbers(i, n)
}

func kindsOfInteger(cell []byte, digits int) kinds {
	switch {
	case digits == 0:
		return text0
	case digits <= decimalDigits:
		return text0 | integer | decimal | float
	case digits <= exactDigits:
		return text0 | integer | float
	}
	if _, ok := number.ParseInt(cell); ok {
		return text0 | integer
	}
	return text0
}

// allows reports whether a cell allows all of k, which holds kinds of dates or of timestamps.
func allows(k kinds, cell []byte) (ok bool) {
	switch {
	case k&moment != 0:
		_, ok = number.ParseTimestamp(cell)
		return ok
	case k&utc != 0:
		_, ok = number.ParseUTC(cell)
		return ok
	}
	for i, of := range ordered {
		if order := number.DateOrder(i); k&of.day != 0 {
			_, ok = order.ParseDate(cell)
		} else if k&of.time != 0 {
			_, ok = order.ParseTimestamp(cell)
		} else {
			continue
		}
		if !ok {
			return false
		}
	}
	return ok
}

// momentOf is kindsOf for a text that may be a date or a timestamp; every date is also a
// timestamp.
func momentOf(cell []byte) kinds {
	if number.IsDay(cell) {
		return text0 | day | moment | dayYMD | timeYMD
	}
	if _, ok := number.ParseTimestamp(cell); ok {
		return text0 | moment | timeYMD
	}
	if _, ok := number.ParseUTC(cell); ok {
		return text0 | utc
	}
	k := text0
	for i, of := range ordered {
		order := number.DateOrder(i)
		if _, ok := order.ParseDate(cell); ok {
			k |= of.day | of.time
		} else if _, ok := order.ParseTimestamp(cell); ok {
			k |= of.time
		}
	}
	return k
}

func leadingDigits(s []byte) int {
	for i, c := range s {
		if c-'0' > 9 {
			return i
		}
	}
	return len(s)
}
