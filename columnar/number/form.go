package number

import (
	"bytes"
	"fmt"
	"math/bits"
)

// Form is how people write the numbers of a column: 1.234,50 €. The zero Form is how programs
// write them: 1234.5.
type Form struct {
	Marks    Marks
	Percent  bool   // each number is followed by a per cent sign: 5 % is 0.05
	Currency string // the sign or code that may stand before or behind a number, one of Currencies
}

// Marks are the decimal mark and the thousands mark of numbers. All but Plain allow a number in
// brackets, or before a minus, for a negative one, and numbers of more than three digits without
// thousands marks.
type Marks uint8

// The marks. Space includes spaces that are narrow or do not break.
const (
	Plain           Marks = iota
	Point                 // 1234.5
	PointComma            // 1,234.5
	PointSpace            // 1 234.5
	PointApostrophe       // 1'234.5
	PointIndian           // 12,34,567.5
	Comma                 // 1234,5
	CommaPoint            // 1.234,5
	CommaSpace            // 1 234,5
	CommaApostrophe       // 1'234,5
)

// allMarks is the table of marks. Thousands is 0 where there is no such mark.
var allMarks = [...]struct {
	decimal, thousands byte
	example            string
}{
	Plain:           {'.', 0, ""},
	Point:           {'.', 0, "1234.5"},
	PointComma:      {'.', ',', "1,234.5"},
	PointSpace:      {'.', ' ', "1 234.5"},
	PointApostrophe: {'.', '\'', "1'234.5"},
	PointIndian:     {'.', ',', "12,34,567.5"},
	Comma:           {',', 0, "1234,5"},
	CommaPoint:      {',', '.', "1.234,5"},
	CommaSpace:      {',', ' ', "1 234,5"},
	CommaApostrophe: {',', '\'', "1'234,5"},
}

// Decimal returns the decimal mark.
func (m Marks) Decimal() byte { return allMarks[m].decimal }

// Thousands returns the thousands mark, a space for all kinds of spaces; 0: there is none.
func (m Marks) Thousands() byte { return allMarks[m].thousands }

// MarkSet is a set of Marks, a bit for each.
type MarkSet uint16

// PointMarks and CommaMarks are the Marks with that decimal mark, without Plain.
const (
	PointMarks MarkSet = 1<<Point | 1<<PointComma | 1<<PointSpace | 1<<PointApostrophe | 1<<PointIndian
	CommaMarks MarkSet = 1<<Comma | 1<<CommaPoint | 1<<CommaSpace | 1<<CommaApostrophe
)

// Has reports whether marks are in the set.
func (s MarkSet) Has(m Marks) bool { return s>>m&1 != 0 }

// First returns the first marks of the set, which must not be empty.
func (s MarkSet) First() Marks { return Marks(bits.TrailingZeros16(uint16(s))) }

// Thousands returns the marks with a thousands mark, 0 for those without one.
func Thousands(mark byte) (s MarkSet) {
	for m := Point; int(m) < len(allMarks); m++ {
		if allMarks[m].thousands == mark {
			s |= 1 << m
		}
	}
	return s
}

// currencies are the currencies, each by the sign that stands for it and the other ways of
// writing it, in ASCII letters as they are written. A column must not have two of them.
var currencies = [...][]string{
	{"$", "US$", "USD"},
	{"€", "EUR", "Euro", "EURO", "euro", "eur"},
	{"£", "GBP"},
	{"¥", "JPY", "￥"},
	{"CHF", "SFr.", "Fr.", "chf"},
	{"₹", "INR", "Rs.", "Rs"},
	{"₽", "RUB", "руб.", "руб"},
	{"₺", "TRY", "TL"},
	{"₩", "KRW"},
	{"R$", "BRL"},
	{"zł", "PLN"},
	{"Kč", "CZK"},
	{"Ft", "HUF"},
	{"₪", "ILS"},
	{"kr", "kr."},
	{"SEK"},
	{"NOK"},
	{"DKK"},
	{"CNY", "RMB"},
	{"AUD", "A$", "AU$"},
	{"CAD", "C$", "CA$"},
	{"NZD", "NZ$"},
	{"HKD", "HK$"},
	{"SGD", "S$"},
	{"MXN", "MX$"},
	{"ZAR"},
	{"₫", "VND"},
	{"₱", "PHP"},
	{"฿", "THB"},
	{"₴", "UAH"},
	{"RON", "lei"},
}

// affix is a currency as it is written; id is its position in currencies, from 1.
type affix struct {
	text string
	id   uint8
}

// byFirst and byLast find affixes by their first and last bytes, the longest first. They are read
// only.
var byFirst, byLast = func() (first, last [256][]affix) {
	insert := func(to []affix, a affix) []affix {
		at := 0
		for at < len(to) && len(to[at].text) >= len(a.text) {
			at++
		}
		return append(to[:at:at], append([]affix{a}, to[at:]...)...)
	}
	for i, texts := range currencies {
		for _, text := range texts {
			a, f, l := affix{text, uint8(i + 1)}, text[0], text[len(text)-1]
			first[f], last[l] = insert(first[f], a), insert(last[l], a)
		}
	}
	return first, last
}()

// Currency returns the sign of a currency by its number, from 1.
func Currency(id uint8) string { return currencies[id-1][0] }

// pointed reports whether the people who use a currency write a comma for thousands.
func pointed(id uint8) bool {
	switch Currency(id) {
	case "$", "£", "¥", "₹", "HKD", "SGD", "AUD", "NZD":
		return true
	}
	return false
}

// String returns how a number is written in the form, "" for the zero Form.
func (f Form) String() string {
	if f == (Form{}) {
		return ""
	}
	text := allMarks[f.Marks].example
	switch {
	case f.Percent:
		text += " %"
	case f.Currency == "":
	case len(f.Currency) > 1 && f.Currency != "£" && f.Currency != "¥" && f.Currency != "₹":
		text += " " + f.Currency
	default:
		text = f.Currency + text
	}
	return text
}

// MarshalText writes the form as String does.
func (f Form) MarshalText() ([]byte, error) { return []byte(f.String()), nil }

// UnmarshalText reads what MarshalText writes.
func (f *Form) UnmarshalText(text []byte) (err error) {
	*f, err = FormOf(string(text))
	return err
}

// FormOf returns the form of an example of a number, such as those of String: with a decimal mark,
// unless it is the point, and with a thousands mark if the numbers have one.
func FormOf(example string) (f Form, err error) {
	if example == "" {
		return f, nil
	}
	w, ok := Written([]byte(example))
	if !ok || w.Marks&PointMarks != 0 && w.Marks&CommaMarks != 0 && !w.Same {
		return f, fmt.Errorf("%q is no example of a number that shows its marks, such as 1.234,5 or 1,234.5 $", example)
	}
	f = Form{Marks: w.Marks.First(), Percent: w.Percent}
	if w.Currency > 0 {
		f.Currency = Currency(w.Currency)
	}
	return f, nil
}

// Number says how a text writes a number: which forms it allows, and what is known of the
// number in each.
type Number struct {
	Marks MarkSet // in which it may be written
	// Same means that the number is the same with the point and with the comma as the decimal mark.
	Same bool
	// Shows means that it has something that only a number has, unlike 123 456 789, which might
	// be a telephone number.
	Shows    bool
	Listed   bool  // it is a whole number in brackets, as in lists: (1)
	Unmarked bool  // it has no marks
	Percent  bool  // a per cent sign is behind it
	Currency uint8 // the number of its currency, 0: none
	// Whole and Places are how many digits it has before and behind its decimal mark, the most
	// in any form. Places counts a per cent sign as two.
	Whole, Places int
	// PointInt and CommaInt report whether it is a whole number where the decimal mark is a point
	// or a comma.
	PointInt, CommaInt bool
	Exponent           bool

	negative bool
	body     []byte // digits and marks
	exponent []byte
}

// longestNumber is how many bytes the digits and marks of a number have at most.
const longestNumber = 64

// Written finds out how a text writes a number. ok is false if it does not.
func Written(text []byte) (n Number, ok bool) {
	if !n.cutAffixes(text) {
		return n, false
	}
	return n, n.understand()
}

// understand finds out about the digits and marks.
func (n *Number) understand() bool {
	at := bytes.IndexByte(n.body, 'e')
	if at < 0 {
		at = bytes.IndexByte(n.body, 'E')
	}
	if at >= 0 {
		if _, rest, ok := cutExponent(n.body[at+1:]); !ok || len(rest) > 0 {
			return false
		}
		n.body, n.exponent, n.Exponent = n.body[:at], n.body[at:], true
	}
	return len(n.body) > 0 && n.divide() && n.Marks != 0
}

// cutAffixes finds the sign, currency and per cent sign around the digits.
func (n *Number) cutAffixes(text []byte) bool {
	open := false
	for len(text) > 0 && text[0]-'0' > 9 && text[0] != '.' && text[0] != ',' {
		if size := spaceAt(text); size > 0 {
			text = text[size:]
			continue
		}
		switch size := minusAt(text); {
		case size > 0:
			if n.negative {
				return false
			}
			n.negative, text = true, text[size:]
			if len(text) > 0 && spaceAt(text) > 0 { // - 1 may be a line of a list
				return false
			}
		case text[0] == '(':
			if n.negative {
				return false
			}
			n.negative, n.Listed, open, text = true, true, true, text[1:]
		default:
			a := affixBefore(text)
			if a == nil || n.Currency > 0 {
				return false
			}
			n.Currency, text = a.id, text[len(a.text):]
		}
	}
cut:
	for len(text) > 0 {
		last := text[len(text)-1]
		if last-'0' <= 9 {
			break
		}
		if size := spaceBefore(text); size > 0 {
			text = text[:len(text)-size]
			continue
		}
		switch {
		case last == ')' && open:
			open, text = false, text[:len(text)-1]
		case last == '-' && len(text) > 1 && (text[len(text)-2] == '.' || text[len(text)-2] == ','): // 12.- is 12 francs
			text = text[:len(text)-2]
		case last == '-':
			if n.negative {
				return false
			}
			n.negative, text = true, text[:len(text)-1]
		case last == '%':
			if n.Percent || n.Currency > 0 {
				return false
			}
			n.Percent, text = true, text[:len(text)-1]
		default:
			a := affixBehind(text)
			if a == nil && last == '.' {
				break cut
			}
			if a == nil || n.Currency > 0 || n.Percent {
				return false
			}
			n.Currency, text = a.id, text[:len(text)-len(a.text)]
		}
	}
	n.body = text
	return !open && len(text) > 0 && len(text) <= longestNumber
}

func affixBefore(text []byte) *affix {
	for i, a := range byFirst[text[0]] {
		if len(text) >= len(a.text) && string(text[:len(a.text)]) == a.text {
			return &byFirst[text[0]][i]
		}
	}
	return nil
}

func affixBehind(text []byte) *affix {
	last := text[len(text)-1]
	for i, a := range byLast[last] {
		if len(text) >= len(a.text) && string(text[len(text)-len(a.text):]) == a.text {
			return &byLast[last][i]
		}
	}
	return nil
}

// spaceAt returns the length of the space at the beginning of a text, which may be one that is
// narrow or does not break; 0: there is none.
func spaceAt(text []byte) int {
	switch {
	case text[0] == ' ':
		return 1
	case text[0] == 0xC2 && len(text) > 1 && text[1] == 0xA0: // U+00A0
		return 2
	case text[0] == 0xE2 && len(text) > 2 && text[1] == 0x80 && (text[2] == 0xAF || text[2] == 0x89): // U+202F, U+2009
		return 3
	}
	return 0
}

func spaceBefore(text []byte) int {
	for size := 1; size <= min(3, len(text)); size++ {
		if spaceAt(text[len(text)-size:]) == size {
			return size
		}
	}
	return 0
}

// minusAt is spaceAt for a minus, which may be U+2212.
func minusAt(text []byte) int {
	switch {
	case text[0] == '-':
		return 1
	case text[0] == 0xE2 && len(text) > 2 && text[1] == 0x88 && text[2] == 0x92:
		return 3
	}
	return 0
}

// markAt returns the mark at the beginning of a text, with a space for all kinds of spaces, and its
// length; 0: there is none.
func markAt(text []byte) (mark byte, size int) {
	switch c := text[0]; {
	case c == '.' || c == ',' || c == '\'' || c == ' ':
		return c, 1
	case c == 0xE2 && len(text) > 2 && text[1] == 0x80 && text[2] == 0x99: // U+2019
		return '\'', 3
	}
	return ' ', spaceAt(text)
}

// groups are the digits of a number, divided by its marks.
type groups struct {
	marks         int
	before, last  byte // the mark before the last one, which all before it equal; the last mark
	first, behind int  // lengths of the first group, and of the one behind the last mark
	between       int  // length of the group before the last mark, unless it is the first
	digits        int
	threes        bool // all groups between marks have three digits
	twos          bool // all groups between marks have two digits, except the one before the last mark
	bytes         bool // no group is more than 255
}

// groupsOf divides digits by marks. ok is false if there is something else, or no digit between
// two marks, or if different marks precede the last one.
func groupsOf(body []byte) (g groups, ok bool) {
	length, value := 0, 0
	g.threes, g.twos, g.bytes = true, true, true
	for at := 0; at < len(body); {
		if digit := body[at] - '0'; digit <= 9 {
			length, value, at = length+1, value*10+int(digit), at+1
			g.bytes = g.bytes && value <= 255
			continue
		}
		mark, size := markAt(body[at:])
		if size == 0 {
			return g, false
		}
		switch at += size; {
		case g.marks == 0:
			g.first = length
		case length == 0 || g.marks > 1 && g.last != g.before:
			return g, false
		default:
			g.twos = g.twos && (g.marks == 1 || g.between == 2)
			g.threes = g.threes && length == 3
			g.between, g.before = length, g.last
		}
		g.digits += length
		g.last, length, value = mark, 0, 0
		g.marks++
	}
	if g.marks == 0 {
		g.first = length
	}
	g.behind, g.digits = length, g.digits+length
	return g, g.digits > 0 && (length > 0 || g.marks == 1 && g.last == '.')
}

// divide finds the marks that the digits and marks of a text allow.
func (n *Number) divide() bool {
	g, ok := groupsOf(n.body)
	if !ok || g.first > 1 && n.body[0] == '0' { // 007 is not 7
		return false
	}
	thousands, decimal := g.thousands(), g.decimal()
	if n.body[0] == '0' && g.marks > 0 {
		thousands = 0
		if g.marks > 1 {
			return false
		}
	}
	switch {
	case g.marks == 0:
		thousands = PointMarks | CommaMarks
	case thousands != 0 && decimal != 0 && g.last == ',' && n.Currency > 0 && pointed(n.Currency):
		decimal = 0 // nobody writes thousandths of a dollar
	}
	n.Marks, n.Same = thousands|decimal, thousands == 0 || decimal == 0
	n.PointInt, n.CommaInt = thousands&PointMarks != 0, thousands&CommaMarks != 0
	if n.Whole = g.digits; thousands == 0 {
		n.Whole -= g.behind
	}
	if decimal != 0 {
		n.Places = g.behind
	}
	n.Unmarked, n.Listed = g.marks == 0, n.Listed && g.marks == 0 && n.Currency == 0 && !n.Percent
	n.Shows = n.Currency > 0 || n.Percent || thousands == 0 || g.marks > 0 && (g.first < 3 || n.negative)
	if n.Percent {
		n.Places += 2
	}
	if n.Percent || n.Exponent {
		n.PointInt, n.CommaInt = false, false
	}
	return true
}

// thousands returns the marks with which all marks in a number divide thousands.
func (g *groups) thousands() (s MarkSet) {
	switch {
	case g.marks == 0 || g.first == 0 || g.first > 3 || g.behind != 3 || g.marks > 1 && g.before != g.last:
		return 0
	case g.last == '.' && g.marks == 3 && g.bytes:
		return 0 // an address of a computer
	}
	if g.threes {
		s = Thousands(g.last) &^ (1 << PointIndian)
	}
	if g.last == ',' && g.first < 3 && g.twos && (g.marks == 1 || g.between == 2) {
		s |= 1 << PointIndian
	}
	return s
}

// decimal returns the marks of which the last one in a number is the decimal mark.
func (g *groups) decimal() (s MarkSet) {
	switch g.last {
	case '.':
		s = PointMarks
	case ',':
		s = CommaMarks
	}
	switch {
	case g.marks < 2:
		return s
	case g.before == g.last || g.first == 0 || g.first > 3:
		return 0
	}
	grouped := MarkSet(0)
	if g.threes {
		grouped = Thousands(g.before) &^ (1 << PointIndian)
	}
	if g.before == ',' && g.first < 3 && g.twos && g.between == 3 {
		grouped |= 1 << PointIndian
	}
	return s & grouped
}

// appendPlain appends a number as programs write it, if it has the form.
func (f Form) appendPlain(dst, text []byte) (plain []byte, ok bool) {
	var n Number
	if !n.cutAffixes(text) || n.Percent != f.Percent || n.Currency > 0 && Currency(n.Currency) != f.Currency {
		return dst, false
	}
	if n.negative {
		dst = append(dst, '-')
	}
	if n.Currency == 0 || !pointed(n.Currency) {
		if plain, ok := f.Marks.appendSimple(dst, n.body); ok {
			if f.Percent {
				plain = append(plain, "e-2"...)
			}
			return plain, true
		}
	}
	if !n.understand() || !n.Marks.Has(f.Marks) {
		return dst, false
	}
	decimal := f.Marks.Decimal()
	for _, c := range n.body {
		if c-'0' <= 9 {
			dst = append(dst, c)
		} else if c == decimal {
			dst = append(dst, '.')
		}
	}
	dst = append(dst, n.exponent...)
	if f.Percent {
		dst = append(dst, "e-2"...)
	}
	return dst, true
}

// appendSimple appends digits with a decimal point instead of their decimal mark, and without
// thousands marks. ok is false for what takes a closer look.
func (m Marks) appendSimple(dst, body []byte) (plain []byte, ok bool) {
	decimal, thousands := allMarks[m].decimal, allMarks[m].thousands
	plain, run, marks, fraction := dst, 0, 0, false
	for i := 0; i < len(body); i++ {
		c := body[i]
		switch {
		case c-'0' <= 9:
			plain = append(plain, c)
			run++
			continue
		case c == decimal && run > 0 && !fraction && (marks == 0 || run == 3):
			plain = append(plain, '.')
			run, fraction = 0, true
			continue
		case c == 0xC2 && thousands == ' ' && i+1 < len(body) && body[i+1] == 0xA0:
			i++
		case c != thousands || c == 0:
			return dst, false
		}
		if fraction || run == 0 || run > 3 || marks > 0 && run < 3 {
			return dst, false
		}
		run, marks = 0, marks+1
	}
	zero := len(body) > 1 && body[0] == '0' && body[1] != decimal
	simple := run > 0 && !zero && (marks == 0 || fraction || run == 3) && m != PointIndian && (marks != 3 || thousands != '.')
	return plain, simple
}

// longestPlain is how many bytes appendPlain appends at most, and those that the parsers of numbers
// may load behind them.
const longestPlain = longestNumber + 8 + Behind

// ParseInt parses a whole number in the form, as the function ParseInt does.
func (f Form) ParseInt(text []byte) (v int64, ok bool) {
	var buffer [longestPlain]byte
	if plain, ok := f.appendPlain(buffer[:0], text); ok {
		return ParseInt(plain)
	}
	return 0, false
}

// ParseDecimal parses a decimal number in the form, as the function ParseDecimal does.
func (f Form) ParseDecimal(text []byte) (scaled int64, ok bool) {
	var buffer [longestPlain]byte
	if plain, ok := f.appendPlain(buffer[:0], text); ok {
		return ParseDecimal(plain)
	}
	return 0, false
}

// Parse128 parses a decimal number in the form, as the function Parse128 does.
func (f Form) Parse128(text []byte, places int) (n Int128, ok bool) {
	var buffer [longestPlain]byte
	if plain, ok := f.appendPlain(buffer[:0], text); ok {
		return Parse128(plain, places)
	}
	return n, false
}

// ParseFloat parses a number in the form, as the function ParseFloat does.
func (f Form) ParseFloat(text []byte) (v float64, ok bool) {
	var buffer [longestPlain]byte
	if plain, ok := f.appendPlain(buffer[:0], text); ok {
		return ParseFloat(plain)
	}
	return 0, false
}
