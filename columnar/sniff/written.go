package sniff

import (
	"fmt"

	"analyzer/columnar"
	"analyzer/columnar/number"
)

// The bits of kinds above those of formats are about numbers as people write them, and about truth
// values in letters. Like formats, a bit is set as long as all cells allow it. So what only some
// cell can show is a bit that says that none has shown it.
const (
	lettersTF kinds = 1 << (30 + iota) // truth values in letters
	lettersYN
	lettersJN
	onlyFalse // no truth value in letters is true
	onlyTrue

	pointAlone // the marks of numbers, in the order of number.Marks
	pointComma
	pointSpace
	pointApostrophe
	pointIndian
	commaAlone
	commaPoint
	commaSpace
	commaApostrophe

	wholePoint // whole numbers of 64 bits, if the decimal mark is a point
	wholeComma
	smallFraction // numbers that a decimal holds
	anyFraction   // numbers that a float holds

	agreeing   // all numbers are the same with the decimal point and with the comma
	onlyMarked // no whole number without marks was seen
	onlyGroups // all might be telephone numbers
	onlyListed // all are whole numbers in brackets, as in lists
	percent    // a per cent sign is behind each number
	noPercent  // it is behind none

	currency // the first of ten bits: those of the number of the currency, and their complements

	anyLetters  = lettersTF | lettersYN | lettersJN
	lettersOnly = onlyFalse | onlyTrue
	truths      = truth | anyLetters | lettersOnly

	pointMarks  = kinds(number.PointMarks) >> number.Point * pointAlone
	commaMarks  = kinds(number.CommaMarks) >> number.Point * pointAlone
	marks       = pointMarks | commaMarks
	numberTypes = wholePoint | wholeComma | smallFraction | anyFraction
	currencies  = 31*currency | 31<<5*currency
	numbers     = marks | numberTypes | agreeing | onlyMarked | onlyGroups | onlyListed | percent | noPercent | currencies

	// wholeKinds are those of every plain whole number that a decimal holds: 17.
	wholeKinds = text0 | plain | marks | numberTypes | agreeing | onlyGroups | noPercent | currencies
)

func currencyOf(k kinds) kinds { return k / currency }

// kindOf returns the kind of numbers with some marks, which are not Plain.
func kindOf(m number.Marks) kinds { return pointAlone << (m - number.Point) }

// and returns the kinds that cells of k and cells of other allow.
func (k kinds) and(other kinds) kinds {
	if k &= other; k == allKinds || k == text0 {
		return k
	}
	return k.settled()
}

// settled drops what no longer matters.
func (k kinds) settled() kinds {
	if k&numbers != 0 {
		rails := currencyOf(k & currencies)
		if k&marks == 0 || k&(percent|noPercent) == 0 || (rails|rails>>5)&31 != 31 {
			k &^= numbers
		}
		if k&pointMarks == 0 {
			k &^= wholePoint
		}
		if k&commaMarks == 0 {
			k &^= wholeComma
		}
		if k&pointMarks == 0 || k&commaMarks == 0 {
			k &^= agreeing | onlyMarked
		}
		if k&numberTypes == 0 {
			k &^= numbers
		}
	}
	if k&anyLetters == 0 {
		k &^= truths
	}
	if k&monthFirst == 0 || k&dayFirst == 0 {
		k &^= pointed
	}
	return k
}

// numberOf returns the kinds of a text as a number as people write it, which may be 0.
func numberOf(cell []byte) kinds {
	n, ok := number.Written(cell)
	if ok && n.Exponent { // it may be too large
		_, ok = number.Form{Marks: n.Marks.First(), Percent: n.Percent}.ParseFloat(cell)
	}
	if !ok {
		return 0
	}
	k := text0 | kinds(n.Marks)>>number.Point*pointAlone | agreeing | onlyMarked | onlyGroups | onlyListed | percent | noPercent | currencies
	if n.Whole <= number.DecimalDigits && n.Places <= number.Scale && !n.Exponent {
		k |= smallFraction
	}
	whole := n.PointInt || n.CommaInt
	if !whole || n.Whole <= number.ExactDigits {
		k |= anyFraction
	}
	if n.Whole < mostDigits {
		if n.PointInt {
			k |= wholePoint
		}
		if n.CommaInt {
			k |= wholeComma
		}
	}
	for _, shown := range [...]struct {
		is  bool
		bit kinds
	}{{!n.Same, agreeing}, {n.Unmarked, onlyMarked}, {n.Shows, onlyGroups}, {!n.Listed, onlyListed}, {n.Percent, noPercent}, {!n.Percent, percent}} {
		if shown.is {
			k &^= shown.bit
		}
	}
	if n.Currency > 0 {
		rails := kinds(n.Currency) | kinds(^n.Currency&31)<<5
		k &^= currencies &^ (rails * currency)
	}
	return k.settled()
}

// mostDigits is how many digits are too many for each whole number of 64 bits.
const mostDigits = 19

// truthOf returns the kinds of a text as a truth value in words or letters, which may be 0.
func truthOf(cell []byte) (k kinds) {
	value, words, ok := number.ParseTruth(cell)
	switch {
	case !ok:
		return 0
	case words == number.Words:
		return text0 | truth | anyLetters
	case value:
		k = text0 | truth | onlyTrue
	default:
		k = text0 | truth | onlyFalse
	}
	for words, bit := words/number.LettersTF, lettersTF; words > 0; words, bit = words>>1, bit<<1 {
		if words&1 != 0 {
			k |= bit
		}
	}
	return k
}

// doubt is why cells are texts although all of them may be numbers or dates.
type doubt uint8

const (
	sure       doubt = iota
	whichMark        // 1,234 may be 1234 or 1.234
	whichOrder       // 1/2/2020 may be in January or in February; 1.2.2020 has the day first

	telephone // 123 456 789 may be a number that is called
	listed    // (1) may be -1 or the first of a list
	withFlags // 12.3 p is a number and a flag
)

// doubt returns what is in doubt about a column of numbers as people write them. commas means that
// the file separates its fields by commas. Whoever wrote it has the decimal point, if whole numbers
// stand among 1,234 and the like.
func (k kinds) doubt(commas bool) doubt {
	shown := commas && k&(onlyMarked|pointAlone) == 0
	switch {
	case k&pointMarks != 0 && k&commaMarks != 0 && k&agreeing == 0 && !shown:
		return whichMark
	case k&onlyGroups != 0 && k&(pointAlone|commaAlone) == 0:
		return telephone
	case k&onlyListed != 0:
		return listed
	}
	return sure
}

// written returns the reading of numbers as people write them, of which none is in doubt.
func (k kinds) written() (r reading) {
	whole, of := wholePoint, k&pointMarks
	if of == 0 {
		whole, of = wholeComma, k&commaMarks
	}
	r.Form.Marks = number.MarkSet(of / pointAlone << number.Point).First()
	r.Form.Percent = k&percent != 0
	if rails := currencyOf(k & currencies); rails&31&^(rails>>5) != 0 || rails>>5&^rails&31 != 0 {
		r.Form.Currency = number.Currency(uint8(rails & 31))
	}
	switch {
	case k&whole != 0:
		r.Format = columnar.FormatInt
	case k&smallFraction != 0:
		r.Format = columnar.FormatDecimal
	case k&anyFraction != 0:
		r.Format = columnar.FormatFloat
	default:
		r = reading{Format: columnar.FormatOptional}
	}
	return r
}

// allows reports whether cells that allow k can be read so without loss.
func (k kinds) allows(r reading) bool {
	if r.Form == (number.Form{}) {
		return k.allow(r.Format)
	}
	of := kindOf(r.Form.Marks)
	whole := wholePoint
	if of&commaMarks != 0 {
		whole = wholeComma
	}
	typed := map[columnar.Format]kinds{columnar.FormatInt: whole, columnar.FormatDecimal: smallFraction, columnar.FormatFloat: anyFraction}
	with := noPercent
	if r.Form.Percent {
		with = percent
	}
	only := k.written()
	return k&of != 0 && k&typed[r.Format] != 0 && k&with != 0 && (only.Currency == r.Form.Currency || only.Currency == "")
}

// formOf returns the form of the numbers of a column whose format is declared: that of its cells, as
// far as they were seen, or else the given one.
func (f *File) formOf(format columnar.Format, seen kinds) number.Form {
	if format == columnar.FormatWide { // which no column is found to have, and which is written as floats are
		format = columnar.FormatFloat
	}
	if seen = seen.and(^f.refused); !IsNumber(format) || seen.allow(format) {
		return number.Form{}
	}
	if r := (reading{Format: format, Form: seen.reading(f.commas()).Form}); r.Form != (number.Form{}) && seen.allows(r) {
		return r.Form
	}
	return f.form
}

// IsNumber reports whether a format is one of numbers, which people write in several forms.
func IsNumber(format columnar.Format) bool {
	return format == columnar.FormatInt || format == columnar.FormatDecimal || format == columnar.FormatFloat || format == columnar.FormatWide
}

// habitOf returns the kinds that no column of the file has: those of numbers with the other decimal mark,
// and those of dates with the other order of month and day.
func (f *File) habitOf() kinds { return f.markHabit() | f.orderHabit() }

// orderHabit returns the kinds of dates with the order of month and day that no column of the file has, if
// the beginning of some columns allows only one order; 0 if it shows none, or both.
func (f *File) orderHabit() kinds {
	var month, day bool
	for c, k := range f.seen {
		if k = f.yearBehind(c, k.and(^f.refused)); f.typed[c] {
			month = month || k&monthFirst != 0 && k&dayFirst == 0
			day = day || k&monthFirst == 0 && k&dayFirst != 0 && k&shortYear == 0
		}
	}
	switch {
	case month && !day:
		return dayFirst
	case day && !month:
		return monthFirst
	}
	return 0
}

// markHabit returns the kinds of numbers with the decimal mark that no column of the file has, if the
// beginning of some columns allows only one mark; 0 if it shows none, or both. Whoever separates fields by commas
// and has several columns of 1,234 and the like has the decimal point.
func (f *File) markHabit() kinds {
	var marks [2]bool // a comma, a point
	open := 0         // columns that show none
	for c, k := range f.seen {
		if k = k.and(^f.refused); !f.typed[c] || k&numberTypes == 0 || k&moments != 0 {
			continue
		}
		marks[0] = marks[0] || k&commaMarks != 0 && k&pointMarks == 0
		marks[1] = marks[1] || k&commaMarks == 0 && k&pointMarks != 0
		if k&commaMarks != 0 && k&pointMarks != 0 && k.doubt(f.commas()) == whichMark {
			open++
		}
	}
	f.thousands = marks == [2]bool{} && f.commas() && open > 1
	switch {
	case marks == [2]bool{true, false}:
		return (&Given{Decimal: ','}).refusedMarks()
	case marks == [2]bool{false, true} || f.thousands:
		return (&Given{Decimal: '.'}).refusedMarks()
	}
	return 0
}

// swayed reports whether numbers that allow k are other ones with a point for decimal mark than with a
// comma, and other columns of the file show which it has; likewise for dates without points, with the month or
// the day first.
func (f *File) swayed(k kinds) bool {
	if f.habit == 0 || k == allKinds {
		return false
	}
	if k&moments != 0 {
		return k&pointed == 0 && k&monthFirst != 0 && k&dayFirst != 0 && f.habit&(monthFirst|dayFirst) != 0
	}
	return k&agreeing == 0 && k&pointMarks != 0 && k&commaMarks != 0 && k.and(^f.habit)&numberTypes != 0
}

// mayHaveThousands reports whether plain numbers might have points between their thousands: those with a point
// have three digits behind it, and whole ones stand among them, or no column of the file shows which mark it has.
func (f *File) mayHaveThousands(k kinds) bool {
	return k != allKinds && k&agreeing == 0 && k&commaPoint != 0 && (k&onlyMarked == 0 || !f.swayed(k))
}

// noteHabit says which columns are read so, of which dates points say the order, and which numbers
// might be a thousand times as large.
func (f *File) noteHabit() {
	var ways []string
	columns := make(map[string][]string) // by the way in which they are read
	for c, k := range f.seen {
		if f.Columns[c].Declared && !IsNumber(f.Columns[c].Format) {
			continue
		}
		k = k.and(^f.refused)
		how := ""
		switch r := f.readingOf(c, k); {
		case f.swayed(k) && k.reading(f.commas()) != r:
			how = f.habitual(r)
		case f.inMonths(c, k) && f.orders[c]&dayFirst != 0:
			how = "the month before the day, as all days are the first of a month then"
		case f.inMonths(c, k):
			how = "the day before the month, as all days are the first of a month then"
		case k&pointed != 0 && dayFirst.allow(r.Format):
			how = "the day before the month, as points stand between them"
		case f.yearBehind(c, k) != k && r.Format != columnar.FormatOptional:
			how = "the year behind the month and the day, as the numbers before these differ more"
		case f.mayHaveThousands(k) && r.Form == (number.Form{}) && IsNumber(r.Format) && !f.commas():
			how = "decimal points; if they stand between thousands, write read_csv(…, thousands = '.')"
		default:
			continue
		}
		if columns[how] == nil {
			ways = append(ways, how)
		}
		columns[how] = append(columns[how], f.Columns[c].Name)
	}
	for _, how := range ways {
		names := columns[how]
		if len(names) > mostNamed {
			f.notes = append(f.notes, Note{Text: fmt.Sprintf("%s are read with %s", namesOf(names), how)})
			continue
		}
		for _, name := range names {
			f.notes = append(f.notes, Note{Text: fmt.Sprintf("%q is read with %s", name, how)})
		}
	}
}

// habitual says how a column with a reading by habit is read.
func (f *File) habitual(r reading) string {
	switch {
	case !IsNumber(r.Format) && f.habit&monthFirst != 0:
		return "the day before the month, which other columns have"
	case !IsNumber(r.Format):
		return "the month before the day, which other columns have"
	case f.thousands:
		return "commas between thousands, as commas separate the columns too"
	case f.habit&commaMarks == 0:
		return "decimal commas, which other columns have"
	}
	return "decimal points, which other columns have"
}

// commas reports whether the fields of the file are separated by commas.
func (f *File) commas() bool { return f.Delimiter == "" || f.Delimiter == "," }
