package sniff

import (
	"bytes"
	"math/bits"
)

// monthly is what the dates of a column have been, of which each may have the day or the month first.
type monthly struct {
	first, second uint16 // the numbers from 1 to 12 that these parts were, a bit for each
	year          int    // the last two digits of the first year
	years         bool   // there are others
}

// leastMonths is how many months must be seen before it is no chance that all days are the first.
const leastMonths = 3

// add adds a date, neither of whose first two parts is greater than 12.
func (m *monthly) add(text []byte) {
	first, rest := cutPart(bytes.TrimLeft(text, " "))
	second, rest := cutPart(rest)
	year, _ := cutPart(rest)
	if m.first == 0 {
		m.year = year
	}
	m.years = m.years || year != m.year
	m.first |= 1 << first
	m.second |= 1 << second
}

// cutPart returns the number at the beginning of a text and what follows the byte behind it.
func cutPart(text []byte) (n int, rest []byte) {
	digits := leadingDigits(text)
	for _, c := range text[:digits] {
		n = (10*n + int(c-'0')) % 100
	}
	return n, text[min(len(text), digits+1):]
}

// orders returns for each column the kinds of dates with the order of month and day that it has not, since all its
// days are the first of a month in the other order, as in series of months over more than one year; 0 if that is
// not so. Within one year they may be the first days of January.
func (l *looked) orders() []kinds {
	others := make([]kinds, len(l.columns))
	for c := range min(len(others), len(l.values)) {
		const one = 1 << 1
		m := &l.values[c].months
		switch {
		case !m.years:
		case m.second == one && bits.OnesCount16(m.first) >= leastMonths:
			others[c] = dayFirst
		case m.first == one && bits.OnesCount16(m.second) >= leastMonths:
			others[c] = monthFirst
		}
	}
	return others
}

// inMonths reports whether a column has dates of which only their being a series of months shows the order.
func (f *File) inMonths(c int, k kinds) bool {
	return c < len(f.orders) && f.orders[c] != 0 && k != allKinds && k&pointed == 0 && k&monthFirst != 0 && k&dayFirst != 0
}
