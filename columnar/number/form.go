package number

import (
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
	{"¥", "JPY", "￥", "円"},
	{"CHF", "SFr.", "Fr.", "chf"},
	{"₹", "INR", "Rs.", "Rs"},
	{"₽", "RUB", "руб.", "руб"},
	{"₺", "TRY", "TL"},
	{"₩", "KRW", "원"},
	{"R$", "BRL"},
	{"zł", "PLN"},
	{"Kč", "CZK"},
	{"Ft", "HUF"},
	{"₪", "ILS"},
	{"kr", "kr."},
	{"SEK"},
	{"NOK"},
	{"DKK"},
	{"CNY", "RMB", "元"},
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
	case "$", "£", "¥", "₹", "₩", "₪", "₱", "฿", "CNY", "HKD", "SGD", "MXN", "AUD", "NZD":
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
