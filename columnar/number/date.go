package number

// Year is the first run of exactly four ASCII digits in a date of any form:
// 1980 in "1980*", 2008 in "Oct 21, 2008", 1999 in "12345 1999". ok is false
// where there is none, as in "197?".
func Year(cell []byte) (year int, ok bool) {
	run := 0
	for i, c := range cell {
		if c-'0' <= 9 {
			run++
			continue
		}
		if run == 4 {
			return fourDigits(cell[i-4:]), true
		}
		run = 0
	}
	if run == 4 {
		return fourDigits(cell[len(cell)-4:]), true
	}
	return 0, false
}

func fourDigits(d []byte) int {
	return int(d[0]-'0')*1000 + int(d[1]-'0')*100 + int(d[2]-'0')*10 + int(d[3]-'0')
}

// IsDate says whether cell has the form of an ISO 8601 calendar date, four, two
// and two ASCII digits with hyphens between; the month and day are not checked.
func IsDate(cell []byte) bool {
	if len(cell) != len("2006-01-02") {
		return false
	}
	for i, c := range cell {
		if i == 4 || i == 7 {
			if c != '-' {
				return false
			}
		} else if c-'0' > 9 {
			return false
		}
	}
	return true
}
