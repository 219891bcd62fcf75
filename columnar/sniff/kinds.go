package sniff

import (
	"bytes"
	"slices"

	"analyzer/columnar"
	"analyzer/columnar/csv"
	"analyzer/columnar/number"
)

// kinds is the set of formats that a cell, or all cells of a column, allow, one bit for each, and
// what is not known yet about the column (see written.go). Every cell allows text.
type kinds uint64

const (
	text0   kinds = 1 << columnar.FormatOptional
	arrays  kinds = 1 << columnar.FormatTexts // only where quotes say what cells are
	boolean kinds = 1 << columnar.FormatBool
	day     kinds = 1 << columnar.FormatDay
	moment  kinds = 1 << columnar.FormatTimestamp
	utc     kinds = 1 << columnar.FormatUTC
	clock   kinds = 1 << columnar.FormatClock
	dayYMD  kinds = 1 << columnar.FormatDayYMD
	dayMDY  kinds = 1 << columnar.FormatDayMDY
	dayDMY  kinds = 1 << columnar.FormatDayDMY
	timeYMD kinds = 1 << columnar.FormatTimeYMD
	timeMDY kinds = 1 << columnar.FormatTimeMDY
	timeDMY kinds = 1 << columnar.FormatTimeDMY
	integer kinds = 1 << columnar.FormatInt
	decimal kinds = 1 << columnar.FormatDecimal
	float   kinds = 1 << columnar.FormatFloat
	huge    kinds = 1 << columnar.FormatHuge

	truth     kinds = 1 << columnar.FormatTruth
	shortYMD  kinds = 1 << columnar.FormatShortYMD
	shortMDY  kinds = 1 << columnar.FormatShortMDY
	shortDMY  kinds = 1 << columnar.FormatShortDMY
	shortYMDT kinds = 1 << columnar.FormatShortYMDTime
	shortMDYT kinds = 1 << columnar.FormatShortMDYTime
	shortDMYT kinds = 1 << columnar.FormatShortDMYTime
	named     kinds = 1 << columnar.FormatNamed
	namedTime kinds = 1 << columnar.FormatNamedTime

	usual    = day | moment | utc | clock | dayYMD | dayMDY | dayDMY | timeYMD | timeMDY | timeDMY | pointed
	rare     = shortYMD | shortMDY | shortDMY | shortYMDT | shortMDYT | shortDMYT | named | namedTime
	moments  = usual | rare
	plain    = integer | huge | decimal | float
	allKinds = text0 | arrays | boolean | moments | plain | truths | numbers | onlyNames

	// onlyNames says that each number was one that has a name: nan, inf. It is the bit of a format
	// that no column is found to have.
	onlyNames kinds = 1 << columnar.FormatText

	// pointed says that all dates have points between their parts, as where people write the day
	// first. It is the bit of another such format.
	pointed kinds = 1 << columnar.FormatDate

	monthFirst = dayMDY | timeMDY | shortMDY | shortMDYT
	dayFirst   = dayDMY | timeDMY | shortDMY | shortDMYT
	shortYear  = shortYMD | shortYMDT // of two digits, before the month
)

// ordered lists the kinds of dates, and of dates with a time of day, by the order of the
// parts.
var ordered = [...]struct{ day, time, short, shortTime kinds }{
	number.YearFirst:  {dayYMD, timeYMD, shortYMD, shortYMDT},
	number.MonthFirst: {dayMDY, timeMDY, shortMDY, shortMDYT},
	number.DayFirst:   {dayDMY, timeDMY, shortDMY, shortDMYT},
}

func newKinds(n int) []kinds { return slices.Repeat([]kinds{allKinds}, n) }

// formats are the formats that columns can have, the narrowest first.
var formats = []columnar.Format{
	columnar.FormatBool,
	columnar.FormatDay, columnar.FormatDayYMD, columnar.FormatDayMDY, columnar.FormatDayDMY,
	columnar.FormatShortYMD, columnar.FormatShortMDY, columnar.FormatShortDMY, columnar.FormatNamed,
	columnar.FormatTimestamp, columnar.FormatUTC, columnar.FormatTimeYMD, columnar.FormatTimeMDY, columnar.FormatTimeDMY,
	columnar.FormatShortYMDTime, columnar.FormatShortMDYTime, columnar.FormatShortDMYTime, columnar.FormatNamedTime, columnar.FormatClock,
	columnar.FormatInt, columnar.FormatHuge, columnar.FormatDecimal, columnar.FormatFloat, columnar.FormatTruth, columnar.FormatOptional,
}

// reading is how the cells of a column become values.
type reading struct {
	columnar.Format
	number.Form
	Stored columnar.Type // see columnar.TableColumn
}

// Type returns the type of the values.
func (r reading) Type() columnar.Type {
	return columnar.TableColumn{Format: r.Format, Stored: r.Stored}.Type()
}

// reading returns the narrowest reading of cells that allow k. commas is as in doubt. A column without any cell is text,
// and so is one of which the cells can be read in two ways: dates without points that are all valid with the month
// first and with the day first, and numbers of which no cell shows the decimal mark.
func (k kinds) reading(commas bool) reading {
	if k == allKinds {
		return reading{Format: columnar.FormatOptional}
	}
	if k&pointed != 0 {
		k &^= monthFirst
	}
	for _, either := range [...]kinds{dayMDY | dayDMY, timeMDY | timeDMY, shortYMD | shortMDY | shortDMY, shortYMDT | shortMDYT | shortDMYT} {
		if some := k & either; some&(some-1) != 0 {
			k &^= either
		}
	}
	if k&arrays != 0 {
		return reading{Format: columnar.FormatTexts}
	}
	if k&lettersOnly != 0 {
		k &^= truth
	}
	if k&onlyNames != 0 {
		k &^= float
	}
	for _, f := range formats {
		switch {
		case f == columnar.FormatTruth && k&numberTypes != 0 && k.doubt(commas) == sure:
			return k.written()
		case k.allow(f):
			return reading{Format: f}
		}
	}
	return reading{Format: columnar.FormatOptional}
}

// format returns the format of the reading.
func (k kinds) format() columnar.Format { return k.reading(false).Format }

// readingOf returns the narrowest reading of column c of the file, whose cells allow k.
func (f *File) readingOf(c int, k kinds) reading {
	if k != allKinds {
		k = k.and(^f.refused)
	}
	if k = f.yearBehind(c, k); f.swayed(k) {
		k = k.and(^f.habit)
	} else if f.inMonths(c, k) {
		k = k.and(^f.orders[c])
	}
	r := k.reading(f.commas())
	if t := f.Columns[c].array.Type(); r.Format == columnar.FormatTexts && t.Kind() == columnar.KindList && t != columnar.TextList {
		r.Format, r.Stored = columnar.FormatStored, t
	}
	if r.Format == columnar.FormatOptional && c < len(f.around) && f.around[c] != 0 {
		r.Format = f.around[c]
	}
	return r
}

// FormatOf returns the usual format of a type, if it has one.
func FormatOf(t columnar.Type) (format columnar.Format, ok bool) {
	switch { // those that no column is found to have
	case t == columnar.Instant:
		return columnar.FormatInstant, true
	case t == columnar.UUID:
		return columnar.FormatUUID, true
	case t == columnar.Bytes:
		return columnar.FormatBytes, true
	case t.IsWide():
		return columnar.FormatWide, true
	}
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
			k = k.and(kindsOf([]byte(text)))
		}
	}
	r := k.reading(false)
	if format, _ := FormatOf(r.Type()); r != (reading{Format: format}) {
		return columnar.Text
	}
	return r.Type()
}

// allow reports whether cells can be read in a format without loss.
func (k kinds) allow(format columnar.Format) bool {
	if format == columnar.FormatTrimmed || format == columnar.FormatFormula {
		format = columnar.FormatOptional
	}
	if format == columnar.FormatStored {
		return k&arrays != 0
	}
	return k>>format&1 != 0
}

// kindsOf returns the kinds that a text, which must not be empty, allows without losing more
// than space around it and zeros at the end of a fraction.
func kindsOf(cell []byte) kinds {
	for cell[0] == ' ' && len(cell) > 1 {
		cell = cell[1:]
	}
	for cell[len(cell)-1] == ' ' && len(cell) > 1 {
		cell = cell[:len(cell)-1]
	}
	return kindsOfWord(cell)
}

func kindsOfWord(cell []byte) (k kinds) {
	c, last := cell[0], cell[len(cell)-1]
	switch {
	case c-'0' <= 9 || c == '-' || c == '.':
		return kindsOfNumber(cell)
	case c|0x20 >= 'a' && c|0x20 <= 'z' || c == 0xC3: // which begins é and the like
		if len(cell) <= 10 {
			k = truthOf(cell)
			if _, ok := number.ParseBool(cell); ok {
				k |= text0 | boolean
			}
			k |= kindsOfName(cell)
		}
		if last-'0' <= 9 || last|0x20 == 'm' || last == 'T' || last == 'C' { // GMT, UTC
			k |= namedOf(cell)
		}
		if last-'0' <= 9 || last == '-' || last == ')' || last == '.' {
			k |= numberOf(cell)
		}
	case c == '+':
		k = kindsOfSigned(cell)
	case c == '(' || c == ',' || c == '$' || c >= 0x80:
		k = numberOf(cell)
	}
	return text0 | k
}

// kindsOfSigned is kindsOf for a text that begins with a plus. Without a fraction, an exponent or what stands
// behind amounts it may be a telephone number, or another text whose sign matters.
func kindsOfSigned(cell []byte) kinds {
	k := numberOf(cell)
	if len(cell) > 1 && (isDigit(cell[1]) || cell[1] == '.') && leadingDigits(cell[1:]) < len(cell)-1 {
		k |= kindsOfNumber(cell[1:]) & (decimal | float)
	}
	return k
}

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
	switch {
	case len(rest) > 0 && (rest[0] == '-' || rest[0] == '/' || rest[0] == '.' || rest[0] == ' ' || rest[0] == ':'):
		return momentOf(cell) | numberOf(cell)
	case len(rest) == 0 && whole+fraction > 0 && len(digits) <= longest:
		return kindsOfPlain(cell, digits, whole, fraction)
	}
	if _, ok := number.ParseFloat(cell); ok {
		return text0 | float | numberOf(cell)
	}
	if len(rest) > 0 && rest[0]|0x20 == 'd' {
		if _, ok := number.ParseFortran(cell); ok {
			return text0 | float
		}
	}
	return text0 | numberOf(cell) | namedOf(cell) | kindsOfName(cell) // 1er janvier 2020, 01JAN2020
}

// kindsOfName returns the kinds of a number that has a name, which may be 0.
func kindsOfName(cell []byte) kinds {
	if last := cell[len(cell)-1] | 0x20; last != 'n' && last != 'f' && last != 'y' { // most words
		return 0
	}
	if _, ok := number.ParseAnyFloat(cell); !ok {
		return 0
	}
	return float | onlyNames
}

// longest is the longest number whose kinds kindsOfPlain knows.
const longest = 40

// kindsOfPlain is kindsOf for digits with a point. It is what numberOf finds, and more.
func kindsOfPlain(cell, digits []byte, whole, fraction int) kinds {
	k := text0 | float | pointMarks | anyFraction | noPercent | currencies
	if fraction <= number.Scale && whole <= number.DecimalDigits {
		k |= decimal | smallFraction
	}
	if fraction == 3 && whole > 0 && whole <= 3 && digits[0] != '0' { // it may be a thousand times as much
		if k |= commaPoint | wholeComma | onlyMarked; whole == 3 && len(cell) == len(digits) {
			k |= onlyGroups
		}
	}
	return k
}

// These are the kinds of plain numbers with a point, and of those of which 1.234 is one, once all kinds that
// depend on the cell are dropped. Those of whole numbers are wholeKinds.
const (
	pointKinds    = text0 | decimal | float | pointMarks | smallFraction | anyFraction | noPercent | currencies
	thousandKinds = pointKinds | commaPoint | wholeComma | onlyMarked
	commaKinds    = text0 | commaMarks | smallFraction | anyFraction | noPercent | currencies // of 1,5
)

// skipPlain returns the index of the first cell in [i, n) that is not in a common form of
// numbers, dates or timestamps, or does not allow all of k. The cells before it do not change k.
func skipPlain(k kinds, column *csv.Column, i, n int) int {
	n -= i
	switch {
	case k&^(text0|moments) == 0 && k&day != 0:
		return i + column.SkipDates(i, n)
	case k&^(text0|moment|timeYMD) == 0 && k&moment != 0:
		return i + column.SkipTimestamps(i, n)
	case k&^(text0|moments) == 0:
		return i + column.SkipEach(i, n, func(cell []byte) bool { return allows(k, cell) })
	case k&integer != 0 && k&^wholeKinds == 0:
		return i + column.SkipInts(i, n)
	case k&decimal != 0 && k&^pointKinds == 0:
		return i + column.SkipDecimals(i, n)
	case k&decimal != 0 && k&^thousandKinds == 0:
		return i + column.SkipEach(i, n, func(cell []byte) bool { return isThousand(cell) || k&onlyMarked == 0 && isWhole(cell) })
	case k&float != 0 && k&^pointKinds == 0:
		return i + column.SkipNumbers(i, n)
	case k&^(text0|huge) == 0:
		return i + column.SkipEach(i, n, func(cell []byte) bool { return len(cell) > 0 && kindsOf(cell)&k == k })
	case k&plain == 0 && k&^commaKinds == 0:
		return i + column.SkipEach(i, n, func(cell []byte) bool { return number.IsCommaDecimal(cell) || len(cell) > 0 && numberOf(cell)&k == k })
	case k&plain == 0 && k&^(text0|numbers) == 0:
		return i + column.SkipEach(i, n, func(cell []byte) bool { return len(cell) > 0 && numberOf(cell)&k == k })
	}
	return i
}

// isThousand reports whether a cell is a number such as 1.234 or -123.456, which may have a decimal
// point or a point behind its thousands.
func isThousand(cell []byte) bool {
	if len(cell) > 0 && cell[0] == '-' {
		cell = cell[1:]
	}
	whole := len(cell) - len(".234")
	return whole > 0 && whole <= 3 && cell[whole] == '.' && cell[0] != '0' && leadingDigits(cell) == whole && leadingDigits(cell[whole+1:]) == 3
}

// isWhole reports whether a cell has only digits, as many as a decimal may have.
func isWhole(cell []byte) bool {
	n := leadingDigits(cell)
	return n == len(cell) && n > 0 && n <= number.DecimalDigits && (cell[0] != '0' || n == 1)
}

func kindsOfInteger(cell []byte, digits int) kinds {
	switch {
	case digits == 0:
		return text0
	case digits <= number.DecimalDigits:
		return wholeKinds
	case digits <= number.ExactDigits:
		return wholeKinds &^ (decimal | smallFraction)
	}
	if v, ok := number.ParseInt(cell); ok {
		k := text0 | integer | huge | numberOf(cell)
		if number.IsFloat(v) { // as programs print floats
			k |= float
		}
		return k
	}
	if _, ok := number.ParseHuge(cell); ok {
		return text0 | huge
	}
	return text0
}

// allows reports whether a cell allows all of k, which holds kinds of dates or of timestamps.
func allows(k kinds, cell []byte) (ok bool) {
	switch {
	case k&pointed != 0 && !hasPoints(cell):
		return false
	case k&rare != 0:
		return momentOf(cell)&k == k
	case k&moment != 0:
		_, ok = number.ParseTimestamp(cell)
		return ok
	case k&utc != 0:
		_, ok = number.ParseUTC(cell)
		return ok
	case k&clock != 0:
		_, ok = number.ParseClock(cell)
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
	if _, ok := number.ParseClock(cell); ok {
		return text0 | clock
	}
	k := text0 | namedOf(cell)
	for i, of := range ordered {
		order := number.DateOrder(i)
		if _, ok := order.ParseDate(cell); ok {
			k |= of.day | of.time
		} else if _, ok := order.ParseTimestamp(cell); ok {
			k |= of.time
		}
		if micros, ok := order.ParseShortTime(cell); ok && isNear(micros) {
			k |= of.shortTime
			if _, ok := order.ParseShort(cell); ok {
				k |= of.short
			}
		}
	}
	if k&monthFirst != 0 && k&dayFirst != 0 && hasPoints(cell) {
		k |= pointed
	}
	return k
}

// hasPoints reports whether a point is behind the first part of a date, which is no year.
func hasPoints(cell []byte) bool { return len(cell) > 2 && (cell[1] == '.' || cell[2] == '.') }

// namedOf is momentOf for the name of a month.
func namedOf(cell []byte) kinds {
	micros, ok := number.ParseNamedTime(cell)
	if !ok && bytes.IndexByte(cell, ':') > 0 {
		if _, ok := number.ParseUTC(cell); ok {
			return text0 | utc
		}
	}
	if !ok {
		return 0
	}
	if !isNear(micros) && !number.HasFullYear(cell) {
		return 0
	}
	if _, ok := number.ParseNamedDate(cell); ok {
		return text0 | named | namedTime
	}
	return text0 | namedTime
}

// isNear reports whether nobody doubts the century of a year of two digits: 1970 to 2039. In 45 a
// person may have been born, or a loan end.
func isNear(micros int64) bool {
	days, _ := number.DayAndClock(micros)
	year := number.DateYear(days)
	return year >= 1970 && year < 2040
}

func leadingDigits(s []byte) int {
	for i, c := range s {
		if c-'0' > 9 {
			return i
		}
	}
	return len(s)
}
