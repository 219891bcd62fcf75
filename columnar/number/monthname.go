package number

import "bytes"

// months are the names of months and their abbreviations in English, German, Spanish, French and
// Portuguese, in small letters. No name stands for two months. It is read only.
var months = func() map[string]int64 {
	all := make(map[string]int64)
	for i, names := range [...][]string{
		{"january", "jan", "januar", "jänner", "jaenner", "jän", "enero", "ene", "janvier", "janv", "janeiro"},
		{"february", "feb", "februar", "febrero", "février", "fevrier", "févr", "fevr", "fév", "fevereiro", "fev"},
		{"march", "mar", "märz", "mär", "mrz", "maerz", "marzo", "mars", "março", "marco"},
		{"april", "apr", "abril", "abr", "avril", "avr"},
		{"may", "mai", "mayo", "maio"},
		{"june", "jun", "juni", "junio", "juin", "junho"},
		{"july", "jul", "juli", "julio", "juillet", "juil", "julho"},
		{"august", "aug", "agosto", "ago", "août", "aout", "aoû"},
		{"september", "sep", "sept", "septiembre", "setiembre", "septembre", "setembro", "set"},
		{"october", "oct", "oktober", "okt", "octubre", "octobre", "outubro", "out"},
		{"november", "nov", "noviembre", "novembre", "novembro"},
		{"december", "dec", "dezember", "dez", "diciembre", "dic", "décembre", "decembre", "déc", "dezembro"},
	} {
		for _, name := range names {
			all[name] = int64(i + 1)
		}
	}
	return all
}()

// ParseNamedDate parses a date whose month is written as a name, in any case, as days since
// 1970-01-01: 1 Jan 2020, 1. Januar 2020, 1 de enero de 2020, Jan 1, 2020, 2020-Jan-01. A year of
// two digits comes last. The name of its day of the week may stand before it. So may signs behind numbers stand for
// names: 2020年1月31日, 2020년 1월 31일.
func ParseNamedDate(cell []byte) (days int64, ok bool) {
	days, _, rest, ok := cutNamed(cell)
	return days, ok && len(rest) == 0
}

// ParseNamedTime is ParseNamedDate for a date that a time of day may follow, also as in 05FEB2010:10:20:30 and
// Fri Feb  5 10:20:30 2010.
func ParseNamedTime(cell []byte) (micros int64, ok bool) {
	var moved [longestMoment]byte
	days, _, rest, ok := cutNamed(cell)
	if !ok && endsWithYear(cell) {
		days, _, rest, ok = cutNamed(moveYear(moved[:0], cell))
	}
	switch {
	case len(rest) > 2 && rest[0] == ',' && rest[1] == ' ':
		rest = rest[1:]
	case len(rest) > 2 && rest[0] == ':': // as programs such as SAS write it
		clock, whole := parseClock(rest[1:], cellPlaces)
		return days*Day + clock, ok && whole
	}
	return withClock(days, rest, ok)
}

// longestMoment is how long a text may be that ends with the year.
const longestMoment = 40

// moveYear appends a text that ends with the year with this before the time of day, as in Feb 5 2010 10:20:30 instead of
// Feb 5 10:20:30 2010; nothing if it is none.
func moveYear(dst, text []byte) []byte {
	colon := bytes.IndexByte(text, ':')
	if colon < 0 || !endsWithYear(text) {
		return dst
	}
	end, clock := len(text)-len(" 2006"), bytes.LastIndexByte(text[:colon], ' ')
	if clock > 0 {
		return append(append(append(dst, text[:clock]...), text[end:]...), text[clock:end]...)
	}
	return dst
}

func endsWithYear(text []byte) bool {
	end := len(text) - len(" 2006")
	return end > 0 && len(text) <= longestMoment && text[end] == ' ' && countDigits(text[end+1:]) == 4
}

// HasFullYear reports whether the year of a date that ParseNamedTime accepts has four digits.
func HasFullYear(cell []byte) bool {
	_, short, _, ok := cutNamed(cell)
	return ok && !short || len(moveYear(nil, cell)) > 0
}

// cutNamed parses a date with the name of a month at the beginning of a text, and returns the rest.
// short means that the year has two digits.
func cutNamed(text []byte) (days int64, short bool, rest []byte, ok bool) {
	if len(text) > 4 && text[4] >= 0x80 && countDigits(text) == 4 {
		days, rest, ok = cutSigned(text)
		return days, false, rest, ok
	}
	if days, short, rest, ok = cutDayAndMonth(text); ok { // mar. is Tuesday, and March
		return days, short, rest, true
	}
	weekday, date, ok := cutWeekday(text)
	if !ok {
		return 0, false, nil, false
	}
	days, short, rest, ok = cutDayAndMonth(date)
	return days, short, rest, ok && isWeekday(days, weekday)
}

// dateSigns are those behind the year, the month and the day in East Asia.
var dateSigns = [...][3]string{{"年", "月", "日"}, {"년", "월", "일"}}

// cutSigned parses a date with signs behind its numbers at the beginning of a text, and returns the rest.
func cutSigned(text []byte) (days int64, rest []byte, ok bool) {
	for _, signs := range dateSigns {
		var values [3]int64
		rest, ok = text, true
		for i, sign := range signs {
			rest = bytes.TrimPrefix(rest, []byte(" "))
			n := min(countDigits(rest), 4)
			for _, c := range rest[:n] {
				values[i] = values[i]*10 + int64(c-'0')
			}
			ok = ok && n > 0 && (i == 0) == (n == 4) && bytes.HasPrefix(rest[n:], []byte(sign))
			rest = bytes.TrimPrefix(rest[n:], []byte(sign))
		}
		if ok {
			days, ok = CalendarDay(values[0], values[1], values[2])
			return days, rest, ok
		}
	}
	return 0, nil, false
}

// cutDayAndMonth is cutNamed without a day of the week.
func cutDayAndMonth(text []byte) (days int64, short bool, rest []byte, ok bool) {
	var values [2]int64
	var digits [2]int
	month, parts := int64(0), 0
	for part := range 3 {
		if part > 0 {
			text = cutBetween(text)
		}
		if n := min(countDigits(text), 5); n > 0 {
			if parts == 2 || n == 5 {
				return 0, false, nil, false
			}
			for _, c := range text[:n] {
				values[parts] = values[parts]*10 + int64(c-'0')
			}
			digits[parts] = n
			text, parts = text[n:], parts+1
			continue
		}
		if month > 0 {
			return 0, false, nil, false
		}
		if month, text = cutMonth(text); month == 0 {
			return 0, false, nil, false
		}
	}
	year, day := 1, 0
	if digits[0] == 4 {
		year, day = 0, 1
	}
	short = digits[year] == 2
	if parts < 2 || digits[day] > 2 || digits[year] != 4 && !short {
		return 0, false, nil, false
	}
	if short {
		values[year] = fullYear(values[year])
	}
	days, ok = CalendarDay(values[year], month, values[day])
	return days, short, text, ok
}

// cutMonth parses the name of a month at the beginning of a text; 0: there is none.
func cutMonth(text []byte) (month int64, rest []byte) {
	var name [longestName]byte
	n := cutName(&name, text)
	return months[string(name[:n])], text[n:]
}

// longestName is how long the name of a month may be, or of a day of the week.
const longestName = 12

// cutName copies the word at the beginning of a text, in small letters, and returns its length.
func cutName(name *[longestName]byte, text []byte) (n int) {
	for n < len(text) && n < longestName {
		c := text[n]
		switch {
		case c-'A' <= 'Z'-'A':
			c |= 0x20
		case c-'a' <= 'z'-'a' || c == 0xC3:
		case c >= 0x80 && n > 0 && text[n-1] == 0xC3: // the second byte of a letter such as é or É
			c |= 0x20
		default:
			return n
		}
		name[n] = c
		n++
	}
	return n
}

// cutBetween cuts off what may stand between the parts of a date: spaces and marks, the end of an
// ordinal number, and the word de.
func cutBetween(text []byte) []byte {
	for _, end := range [...]string{"st", "nd", "rd", "th", "er", "º", "."} {
		if n := len(end); len(text) > n && string(text[:n]) == end && (end == "." || text[n] == ' ' || text[n] == ',') {
			text = text[n:]
			break
		}
	}
	marks := 0
	for len(text) > 0 && (text[0] == ' ' || text[0] == '-' || text[0] == '/' || text[0] == ',') && marks < 2 {
		text, marks = text[1:], marks+1
	}
	for _, word := range [...]string{"de ", "del "} {
		if n := len(word); marks > 0 && len(text) > n && string(text[:n]) == word {
			return text[n:]
		}
	}
	return text
}
