package sniff

import (
	"encoding/binary"
	"math/bits"
	"slices"

	"analyzer/columnar"
	"analyzer/columnar/csv"
	"analyzer/columnar/number"
)

// kinds are the types that a cell, or all cells of a column, could have. Every cell
// could be a text.
type kinds uint16

const (
	text0 kinds = 1 << iota
	boolean
	day
	moment
	utc
	dayYMD
	dayMDY
	dayDMY
	timeYMD
	timeMDY
	timeDMY
	integer
	decimal
	float
	beyond // no kind

	allKinds = beyond - 1
	moments  = day | moment | utc | dayYMD | dayMDY | dayDMY | timeYMD | timeMDY | timeDMY
)

// ordered are the kinds of dates, and of dates with a time of day, by the order of their
// parts.
var ordered = [...]struct{ day, time kinds }{
	number.YearFirst:  {dayYMD, timeYMD},
	number.MonthFirst: {dayMDY, timeMDY},
	number.DayFirst:   {dayDMY, timeDMY},
}

func newKinds(n int) []kinds { return slices.Repeat([]kinds{allKinds}, n) }

// formats are how cells of a kind are read, the narrowest first.
var formats = []struct {
	kinds  kinds
	format columnar.Format
}{
	{boolean, columnar.FormatBool},
	{day, columnar.FormatDay},
	{dayYMD, columnar.FormatDayYMD},
	{dayMDY, columnar.FormatDayMDY},
	{dayDMY, columnar.FormatDayDMY},
	{moment, columnar.FormatTimestamp},
	{utc, columnar.FormatUTC},
	{timeYMD, columnar.FormatTimeYMD},
	{timeMDY, columnar.FormatTimeMDY},
	{timeDMY, columnar.FormatTimeDMY},
	{integer, columnar.FormatInt},
	{decimal, columnar.FormatDecimal},
	{float, columnar.FormatFloat},
	{text0, columnar.FormatOptional},
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
		if k&f.kinds != 0 {
			return f.format
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
		if f.format.Type() == t {
			return f.format, true
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
func (k kinds) allow(format columnar.Format) bool {
	for _, f := range formats {
		if f.format == format {
			return k&f.kinds != 0
		}
	}
	return false
}

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
	skip := skipperOf(k)
	if skip == nil {
		return skipEach(k, column, i, n)
	}
	for i < n {
		i += skip(n-i, column.Data, column.Bounds[i*column.Stride:], column.Stride)
		end := min(i+skipAlone, n)
		if i = skipEach(k, column, i, end); i < end {
			break
		}
	}
	return i
}

// skipAlone is how many cells are looked at alone behind one that is not skipped otherwise.
const skipAlone = 16

// skipperOf returns what skips cells of the commonest forms that allow all of k.
func skipperOf(k kinds) func(n int, data []byte, bounds []int32, stride int) int {
	switch {
	case k&^(text0|moments) == 0 && k&day != 0:
		return number.SkipDates
	case k&^(text0|integer|decimal|float) != 0:
		return nil
	case k&integer != 0:
		return number.SkipInts
	case k&decimal != 0:
		return number.SkipDecimals
	case k&float != 0:
		return number.SkipNumbers
	}
	return nil
}

// skipEach is skipPlain for cells one by one.
func skipEach(k kinds, column *csv.Column, i, n int) int {
	switch {
	case k&^(text0|moments) == 0 && k&day != 0:
		for i < n && number.IsDay(column.Cell(i)) {
			i++
		}
	case k&^(text0|moments) == 0:
		for i < n && allows(k, column.Cell(i)) {
			i++
		}
	case k&^(text0|integer|decimal|float) != 0:
	case k&integer != 0:
		for i < n && (isShortInteger(column.Cell(i)) || isPlainNumber(column.Cell(i), -1)) {
			i++
		}
	default:
		places := number.Scale
		if k&decimal == 0 {
			places = maxPlain
		}
		for ; i < n; i++ {
			cell := column.Cell(i)
			if (len(cell) > 8 || !isShortDecimal(cell)) && !isPlainNumber(cell, places) {
				return i
			}
		}
	}
	return i
}

// Behind the cells that follow, within their capacity, csv.Behind bytes may be read.

// isShortInteger reports whether a cell is digits that stand for an integer, at most 8. It
// is small enough to be inlined.
func isShortInteger(cell []byte) bool {
	n := len(cell)
	if uint(n-1) >= 8 {
		return false
	}
	word := binary.LittleEndian.Uint64(cell[:8])
	return notDigits(word)<<(-8*n&63) == 0 && (n == 1 || byte(word) != '0')
}

// isShortDecimal reports whether a cell is digits with a point behind the first or a
// later one, at most 8 bytes.
func isShortDecimal(cell []byte) bool {
	n := len(cell)
	if uint(n-1) >= 8 {
		return false
	}
	word := binary.LittleEndian.Uint64(cell[:8])
	others := notDigits(word) << (-8 * n & 63) >> (-8 * n & 63)
	point := others >> 7 // its lowest bit, if it is the only one that is no digit
	return others&(others-1) == 0 && point > 1 && word&(point*0xFF) == point*'.' && (byte(word) != '0' || point == 1<<8)
}

// maxPlain is how long a plain number can be, the minus aside.
const maxPlain = 16

// isPlainNumber reports whether a cell is digits, perhaps with a minus and with a point
// that has at most so many places behind it; with -1 there is no point.
func isPlainNumber(cell []byte, places int) bool {
	n, p := len(cell), cell[:len(cell)+csv.Behind]
	if p[0] == '-' {
		n, p = n-1, p[1:]
	}
	if uint(n-1) >= maxPlain || n > 1 && p[0] == '0' && p[1]-'0' <= 9 { // 007 is not 7
		return false
	}
	// A bit for each byte that is no digit.
	const gather = 0x0002040810204081 // makes the top bits of eight bytes the uppermost byte
	low, high := binary.LittleEndian.Uint64(p), binary.LittleEndian.Uint64(p[8:])
	others := (notDigits(low)*gather>>56 | notDigits(high)*gather>>56<<8) & (1<<n - 1)
	if others == 0 {
		return n <= decimalDigits
	}
	whole := bits.TrailingZeros64(others)
	return others&(others-1) == 0 && p[whole] == '.' && whole > 0 && whole <= decimalDigits && n-whole-1 <= places
}

// notDigits has the top bit of each of eight bytes that is no digit.
func notDigits(word uint64) uint64 {
	const (
		zeros = 0x3030303030303030
		tops  = 0x8080808080808080
	)
	x := word ^ zeros
	return (x + 0x7676767676767676 | x) & tops
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
