package number

import "bytes"

const infinity = "infinity"

// castFar reads what casts take as a date beyond those of four digits: infinity, -infinity, years of more digits,
// and those before the year 1, as -0043-03-15 or 0044-03-15 (BC). It returns what stands behind it.
func castFar(text []byte) (days int64, rest []byte, ok bool) {
	sign := int64(1)
	if len(text) > 0 && text[0] == '-' {
		sign, text = -1, text[1:]
	}
	if len(text) >= len(infinity) && bytes.EqualFold(text[:len(infinity)], []byte(infinity)) {
		return sign * InfiniteDay, text[len(infinity):], true
	}
	var parts [3]int64
	for i, most := range [...]int{7, 2, 2} {
		if i > 0 {
			if len(text) == 0 || text[0] != '-' {
				return 0, nil, false
			}
			text = text[1:]
		}
		n := 0
		for ; n < min(most, len(text)) && text[n]-'0' <= 9; n++ {
			parts[i] = parts[i]*10 + int64(text[n]-'0')
		}
		if n == 0 || i == 0 && n < 4 {
			return 0, nil, false
		}
		text = text[n:]
	}
	year := sign * parts[0]
	if after, found := bytes.CutPrefix(text, []byte(beforeChrist)); found {
		if year, text = 1-year, after; year > 0 {
			return 0, nil, false
		}
	}
	days, ok = AnyDay(year, parts[1], parts[2])
	return days, text, ok
}

// castFarTime is castFar for timestamps.
func castFarTime(text []byte) (micros int64, ok bool) {
	days, rest, ok := castFar(text)
	switch {
	case !ok:
		return 0, false
	case !IsFiniteDay(days):
		return TimestampOf(days), len(rest) == 0
	case len(rest) == 0:
		return TimestampAt(days, 0)
	case rest[0] != ' ' && rest[0] != 'T':
		return 0, false
	}
	clock, ok := parseParts(rest[1:], 1, len(rest))
	if !ok {
		return 0, false
	}
	return TimestampAt(days, clock)
}
