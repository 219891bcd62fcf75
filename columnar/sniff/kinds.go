package sniff

import (
	"slices"

	"analyzer/columnar"
	"analyzer/columnar/csv"
	"analyzer/columnar/number"
)

// kinds are the formats that a cell, or all cells of a column, could have, a bit for each.
// Every cell could be a text.
type kinds uint32

const (
	text0   kinds = 1 << columnar.FormatOptional
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
	allKinds = text0 | boolean | moments | integer | decimal | float
)

// ordered are the kinds of dates, and of dates with a time of day, by the order of their
// parts.
var ordered = [...]struct{ day, time kinds }{
	number.YearFirst:  {dayYMD, timeYMD},
	number.MonthFirst: {dayMDY, timeMDY},
	number.DayFirst:   {dayDMY, timeDMY},
}

func newKinds(n int) []kinds { return slices.Repeat([]kinds{allKinds}, n) }

// formats are those that columns can have, the narrowest first.
var formats = []columnar.Format{
	columnar.FormatBool,
	columnar.FormatDay, columnar.FormatDayYMD, columnar.FormatDayMDY, columnar.FormatDayDMY,
	columnar.FormatTimestamp, columnar.FormatUTC, columnar.FormatTimeYMD, columnar.FormatTimeMDY, columnar.FormatTimeDMY,
	columnar.FormatInt, columnar.FormatDecimal, columnar.FormatFloat, columnar.FormatOptional,
}

// format returns the narrowest type. A column without any cell is text, and so is one of
// dates of which each could begin with its month or with its day.
func (k kinds) format() columnar.Format {
	if k == allKinds {
		return columnar.FormatOptional
	}
	for _, either := range []kinds{dayMDY | dayDMY, timeMDY | timeDMY} {
		if k&either == either {
			k &^= either
		}
	}
	for _, f := range formats {
		if k.allow(f) {
			return f
		}
	}
	return columnar.FormatOptional
}

// formatOf returns the narrowest type that a column of the file can have.
func (f *File) formatOf(k kinds) columnar.Format {
	if k == allKinds {
		return k.format()
	}
	return (k &^ f.refused).format()
}

// FormatOf returns how cells of a type are read, if there is a usual way.
func FormatOf(t columnar.Type) (format columnar.Format, ok bool) {
	for _, f := range formats {
		if f.Type() == t {
			return f, true
		}
	}
	return 0, false
}

// TypeOf returns the narrowest type that all texts fit in its usual form; empty ones fit any.
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

// allow reports whether cells can be read so without losing anything.
func (k kinds) allow(format columnar.Format) bool { return k>>format&1 != 0 }

// kindsOf returns the types that a text, which is not empty, could be of without
// anything being lost but space around it and zeros at the end of a fraction.
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
	return text0 // a date has no space around it, nor has a timestamp
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

// The digits that a number may have before the point: as a decimal, which has six
// behind it in 64 bits, and as an integer that a float is equal to.
const (
	decimalDigits = 12
	exactDigits   = 15
)

// kindsOfNumber is kindsOf for what begins like a number.
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

// skipPlain returns the first cell from number i on, of n, that is not as most numbers,
// dates and timestamps are, or does not allow all of k: those before it change nothing.
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

// allows reports whether a cell is a date or a timestamp of all of k, which has one of both.
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

// momentOf is kindsOf for what might be a date or a timestamp, which every date is.
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
