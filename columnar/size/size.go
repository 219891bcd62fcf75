// Package size parses and formats numbers of bytes for people.
package size

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// units maps lower-case units to factors. A single letter is a power of 1024, as in most
// programs that accept one.
var units = map[string]float64{
	"": 1, "b": 1,
	"kb": 1e3, "mb": 1e6, "gb": 1e9, "tb": 1e12,
	"k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "t": 1 << 40,
	"kib": 1 << 10, "mib": 1 << 20, "gib": 1 << 30, "tib": 1 << 40,
}

// Parse parses a number of bytes, such as 256MiB, 1.5 GB, 64m or plain bytes, in any case. MB
// and the like are powers of 1000; MiB and m are powers of 1024.
func Parse(text string) (int64, error) {
	trimmed := strings.ToLower(strings.TrimSpace(text))
	digits := strings.TrimRight(trimmed, "abcdefghijklmnopqrstuvwxyz ")
	factor, ok := units[strings.TrimSpace(trimmed[len(digits):])]
	number, err := strconv.ParseFloat(digits, 64)
	if !ok || err != nil || strings.ContainsAny(digits, "+-_xp") {
		return 0, fmt.Errorf("%q is not a number of bytes: expected one such as 256MiB, 1GB or 65536", text)
	}
	bytes := math.Round(number * factor)
	if bytes >= math.MaxInt64 {
		return 0, fmt.Errorf("%q is more bytes than there can be", text)
	}
	return int64(bytes), nil
}

// Binary formats a number of bytes in powers of 1024, as memory is measured.
func Binary(n int64) string { return write(n, 1024, "B", "KiB", "MiB", "GiB", "TiB") }

// Decimal formats a number of bytes in powers of 1000, as files are measured.
func Decimal(n int64) string { return write(n, 1000, "B", "kB", "MB", "GB", "TB") }

// write formats three significant digits or the whole number.
func write(n int64, step float64, units ...string) string {
	value, i := float64(n), 0
	for value >= step && i < len(units)-1 {
		value /= step
		i++
	}
	places := 0
	if i > 0 {
		switch {
		case value < 9.995:
			places = 2
		case value < 99.95:
			places = 1
		}
	}
	return strconv.FormatFloat(value, 'f', places, 64) + " " + units[i]
}

// Count formats a number with commas between groups of three digits.
func Count(n int64) string {
	digits := strconv.FormatInt(n, 10)
	sign := ""
	if n < 0 {
		sign, digits = "-", digits[1:]
	}
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return sign + digits
}

// Plural formats a number of things: 1 row, 2,000 rows.
func Plural(n int64, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return Count(n) + " " + thing + "s"
}
