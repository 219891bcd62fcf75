package workbook

import (
	"strconv"
	"strings"
	"time"
)

// cellFormat is what the format of a number says that it is.
type cellFormat uint8

const (
	asNumber cellFormat = iota
	asDate
	asMoment  // date and time of day
	asTime    // time of day
	asElapsed // hours, which may be more than 24
)

// builtIn are the formats that have numbers of their own. Those from 27 on are dates and times of
// East Asia.
func builtIn(id int) cellFormat {
	switch {
	case id >= 14 && id <= 17, id >= 27 && id <= 31, id == 36, id >= 50 && id <= 54, id >= 57 && id <= 58:
		return asDate
	case id >= 18 && id <= 21, id >= 32 && id <= 35, id == 45, id == 47, id >= 55 && id <= 56:
		return asTime
	case id == 22:
		return asMoment
	case id == 46:
		return asElapsed
	}
	return asNumber
}

// maxFormats is how many formats a workbook may have; Excel has 65,490.
const maxFormats = 1 << 17

// readFormats reads which numbers are dates.
func (b *book) readFormats(name string) error {
	custom := make(map[int]cellFormat)
	cells := false
	return b.scan(name, func(s *scanner) error {
		switch {
		case s.begins("numFmt") && len(custom) < maxFormats:
			if id, err := strconv.Atoi(string(s.attr("numFmtId"))); err == nil {
				custom[id] = formatOf(string(s.attr("formatCode")))
			}
		case string(s.name) == "cellXfs":
			cells = !s.end
		case cells && s.begins("xf") && len(b.formats) < maxFormats:
			id, _ := strconv.Atoi(string(s.attr("numFmtId")))
			f, ok := custom[id]
			if !ok {
				f = builtIn(id)
			}
			b.formats = append(b.formats, f)
		}
		return nil
	})
}

// formatOf tells from the text of a format, such as dd/mm/yyyy hh:mm, what its numbers are.
func formatOf(code string) cellFormat {
	code, _, _ = strings.Cut(code, ";") // other forms for negative numbers and zeros
	if strings.EqualFold(code, "General") {
		return asNumber
	}
	date, clock, elapsed, month := false, false, false, false
	for i := 0; i < len(code); i++ {
		switch c := code[i] | 0x20; {
		case code[i] == '"':
			end := strings.IndexByte(code[i+1:], '"')
			if end < 0 {
				end = len(code)
			}
			i += end + 1
		case code[i] == '\\' || code[i] == '_' || code[i] == '*':
			i++
		case code[i] == '[':
			end := strings.IndexByte(code[i:], ']')
			if end < 0 {
				return asNumber
			}
			elapsed = elapsed || strings.Trim(code[i+1:i+end], "hmsHMS") == "" // [h], unlike [Red]
			i += end
		case c == 'y' || c == 'd':
			date = true
		case c == 'h' || c == 's':
			clock = true
		case c == 'm':
			month = true // or minutes
		case code[i] == '0' && !clock && !elapsed, code[i] == '#', code[i] == '?':
			return asNumber
		}
	}
	switch {
	case elapsed:
		return asElapsed
	case date && clock:
		return asMoment
	case date, month && !clock:
		return asDate
	case clock:
		return asTime
	}
	return asNumber
}

const (
	dayMillis = 24 * 60 * 60 * 1000
	// lastDay is the number of the day 9999-12-31, counted from 1900.
	lastDay = 2_958_465
)

// appendSerial appends a number of days as what the format says. It reports whether there is such a
// date.
func appendSerial(dst []byte, days float64, f cellFormat, from int) ([]byte, bool) {
	if !(days >= 0 && days < lastDay+1) {
		return dst, false
	}
	millis := int64(float64(days*dayMillis) + 0.5)
	clock := time.UnixMilli(millis % dayMillis).UTC()
	switch {
	case f == asElapsed:
		dst = strconv.AppendInt(dst, millis/(60*60*1000), 10)
		return clock.AppendFormat(dst, ":04:05.999"), true
	case f == asTime && millis < dayMillis:
		return clock.AppendFormat(dst, "15:04:05.999"), true
	}
	day := millis / dayMillis
	base := time.Date(1904, 1, 1, 0, 0, 0, 0, time.UTC)
	if from == 1900 {
		base = time.Date(1899, 12, 30, 0, 0, 0, 0, time.UTC)
		switch {
		case day == 0 || day == 60: // 29 February 1900, which Excel has and the calendar has not
			return dst, false
		case day < 60:
			day++
		}
	}
	moment := base.AddDate(0, 0, int(day)).Add(time.Duration(millis%dayMillis) * time.Millisecond)
	if f == asDate && millis%dayMillis == 0 {
		return moment.AppendFormat(dst, time.DateOnly), true
	}
	return moment.AppendFormat(dst, "2006-01-02 15:04:05.999"), true
}
