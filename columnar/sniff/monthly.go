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

	// firsts and lasts are the numbers that the first and the last part were, of dates that may begin with a year
	// of two digits, a bit for each: none is greater than 31, for the other one is the year then.
	firsts, lasts uint32
}

// leastMonths is how many months must be seen before it is no chance that all days are the first.
const leastMonths = 3

// add adds a date that allows k.
func (m *monthly) add(text []byte, k kinds) {
	first, rest := cutPart(bytes.TrimLeft(text, " "))
	second, rest := cutPart(rest)
	year, _ := cutPart(rest)
	if k&shortYear != 0 && k&(monthFirst|dayFirst) != 0 {
		m.firsts |= 1 << first
		m.lasts |= 1 << year
	}
	if k&(dayMDY|shortMDY) == 0 || k&(dayDMY|shortDMY) == 0 {
		return
	}
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
// not so. Within one year they may be the first days of January. Nor do years of two digits stand before the month
// where those would differ more than the days.
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
		if bits.OnesCount32(m.firsts) > bits.OnesCount32(m.lasts) {
			others[c] |= shortYear
		}
	}
	return others
}

// yearBehind returns what the cells of a column allow without years before the month, if its dates show that.
func (f *File) yearBehind(c int, k kinds) kinds {
	if c < len(f.orders) && k != allKinds && k&(monthFirst|dayFirst) != 0 {
		return k.and(^(f.orders[c] & shortYear))
	}
	return k
}

// inMonths reports whether a column has dates of which only their being a series of months shows the order.
func (f *File) inMonths(c int, k kinds) bool {
	return c < len(f.orders) && f.orders[c]&^shortYear != 0 && k != allKinds && k&pointed == 0 && k&monthFirst != 0 && k&dayFirst != 0
}
