package number

import "math"

// ParseSerialDay parses a date as spreadsheets count them: 1 is 1900-01-01, and 60 a day that the calendar
// has not, 1900-02-29. It returns days since 1970-01-01. The number is whole; the last day is in the year 9999.
func ParseSerialDay(cell []byte) (days int64, ok bool) {
	serial, ok := ParseInt(cell)
	if !ok {
		return 0, false
	}
	return serialDay(serial)
}

// ParseSerialTime is ParseSerialDay for a date with a time of day, which is the fraction of the number,
// rounded to milliseconds, as spreadsheets do. It returns microseconds since 1970-01-01.
func ParseSerialTime(cell []byte) (micros int64, ok bool) {
	serial, ok := ParseFloat(cell)
	whole, part := math.Modf(serial)
	if !ok || whole < 1 || whole > lastSerial {
		return 0, false
	}
	days, ok := serialDay(int64(whole))
	const millisecond = Second / 1000
	return days*Day + int64(math.Round(part*float64(Day/millisecond)))*millisecond, ok
}

// lastSerial is 9999-12-31.
const lastSerial = 2_958_465

func serialDay(serial int64) (days int64, ok bool) {
	const (
		epoch = -25_569 // 1899-12-30, from which days are counted behind the one that is not there
		fake  = 60
	)
	switch {
	case serial < 1 || serial == fake || serial > lastSerial:
		return 0, false
	case serial < fake:
		serial++
	}
	return serial + epoch, true
}
