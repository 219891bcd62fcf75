package sniff

import (
	"encoding/binary"
	"slices"

	"analyzer/columnar"
	"analyzer/columnar/number"
)

// kinds are the types that a cell, or all cells of a column, could have. Every cell
// could be a text.
type kinds uint8

const (
	text0 kinds = 1 << iota
	boolean
	day
	moment
	integer
	decimal
	float

	numbers  = text0 | integer | decimal | float // what a short integer can be
	allKinds = text0 | boolean | day | moment | integer | decimal | float
)

func newKinds(n int) []kinds { return slices.Repeat([]kinds{allKinds}, n) }

// formats are how cells of a kind are read, the narrowest first.
var formats = []struct {
	kinds  kinds
	format columnar.Format
}{
	{boolean, columnar.FormatBool},
	{day, columnar.FormatDay},
	{moment, columnar.FormatTimestamp},
	{integer, columnar.FormatInt},
	{decimal, columnar.FormatDecimal},
	{float, columnar.FormatFloat},
	{text0, columnar.FormatOptional},
}

// format returns the narrowest type. A column without any cell is text.
func (k kinds) format() columnar.Format {
	if k == allKinds {
		return columnar.FormatOptional
	}
	for _, f := range formats {
		if k&f.kinds != 0 {
			return f.format
		}
	}
	return columnar.FormatOptional
}

// FormatOf returns how cells of a type are read, if there is one way.
func FormatOf(t columnar.Type) (format columnar.Format, ok bool) {
	for _, f := range formats {
		if f.format.Type() == t {
			return f.format, true
		}
	}
	return 0, false
}

// TypeOf returns the narrowest type that all texts fit; empty ones fit any.
func TypeOf(texts []string) columnar.Type {
	k := allKinds
	for _, text := range texts {
		if text != "" {
			k &= kindsOf([]byte(text))
		}
	}
	return k.format().Type()
}

// allow reports whether cells can be read so without losing anything.
func (k kinds) allow(format columnar.Format) bool {
	for _, f := range formats {
		if f.format == format {
			return k&f.kinds != 0
		}
	}
	return false
}

// kindsOf returns the types that a text, which is not empty, could be of without
// anything being lost but space around it and zeros at the end of a fraction.
func kindsOf(cell []byte) kinds {
	given := len(cell)
	for cell[0] == ' ' && len(cell) > 1 {
		cell = cell[1:]
	}
	for cell[len(cell)-1] == ' ' && len(cell) > 1 {
		cell = cell[:len(cell)-1]
	}
	if k := kindsOfWord(cell); len(cell) == given || k&moment == 0 {
		return k
	}
	return text0 // a date has no space around it, nor has a timestamp
}

func kindsOfWord(cell []byte) kinds {
	switch c := cell[0]; {
	case c-'0' <= 9 || c == '-' || c == '.':
		return kindsOfNumber(cell)
	case c|0x20 == 't' || c|0x20 == 'f':
		if len(cell) >= 4 {
			if _, ok := number.ParseBool(cell); ok {
				return text0 | boolean
			}
		}
	}
	return text0
}

// The digits that a number may have before the point: as a decimal, which has six
// behind it in 64 bits, and as an integer that a float is equal to.
const (
	decimalDigits = 12
	exactDigits   = 15
)

// kindsOfNumber is kindsOf for what begins like a number.
func kindsOfNumber(cell []byte) kinds {
	digits := cell
	if digits[0] == '-' {
		digits = digits[1:]
	}
	whole := leadingDigits(digits)
	if whole > 1 && digits[0] == '0' { // 007 is not 7
		return momentOf(cell)
	}
	if whole == len(digits) {
		return kindsOfInteger(cell, whole)
	}
	if digits[whole] == '-' {
		return momentOf(cell)
	}
	rest := digits[whole:]
	fraction := 0
	if rest[0] == '.' {
		fraction = leadingDigits(rest[1:])
		rest = rest[1+fraction:]
	}
	if whole+fraction == 0 {
		return text0
	}
	if len(rest) == 0 && fraction <= number.Scale && whole <= decimalDigits {
		return text0 | decimal | float
	}
	if _, ok := number.ParseFloat(cell); ok {
		return text0 | float
	}
	return text0
}

// isShortInteger reports whether n bytes at the beginning of p are digits that stand
// for an integer, at most 8. There are 8 bytes at least, of which more may be read.
func isShortInteger(p []byte, n int) bool {
	const (
		zeros = 0x3030303030303030
		tops  = 0x8080808080808080
	)
	if uint(n-1) >= 8 || p[0] == '0' && n > 1 {
		return false
	}
	digits := (binary.LittleEndian.Uint64(p) ^ zeros) << (64 - 8*n)
	return (digits+0x7676767676767676|digits)&tops == 0
}

func kindsOfInteger(cell []byte, digits int) kinds {
	switch {
	case digits == 0:
		return text0
	case digits <= decimalDigits:
		return text0 | integer | decimal | float
	case digits <= exactDigits:
		return text0 | integer | float
	}
	if _, ok := number.ParseInt(cell); ok {
		return text0 | integer
	}
	return text0
}

// momentOf is kindsOf for what might be a date or a timestamp, which every date is.
func momentOf(cell []byte) kinds {
	if _, ok := number.ParseTimestamp(cell); !ok {
		return text0
	}
	if len(cell) == len("2006-01-02") {
		return text0 | day | moment
	}
	return text0 | moment
}

func leadingDigits(s []byte) int {
	for i, c := range s {
		if c-'0' > 9 {
			return i
		}
	}
	return len(s)
}
