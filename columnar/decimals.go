package columnar

import (
	"fmt"
	"strconv"
	"strings"

	"analyzer/columnar/number"
)

// There are two kinds of decimals. A Decimal is 64 bits with six places, which is what most cells of
// files need and what is quick to compute with. All others are wide: 128 bits, and their type says how
// many digits they may have.

// DecimalOf returns the type of wide decimals with at most so many digits, of which so many stand behind
// the point; Invalid if there is none. Values keep within the digits.
func DecimalOf(digits, places int) Type {
	if digits < 1 || digits > number.MaxPlaces || places < 0 || places > digits {
		return Invalid
	}
	return Type{base: wide, digits: uint8(digits), places: uint8(places)}
}

// IsWide reports whether values are wide decimals.
func (t Type) IsWide() bool { return t.base == wide && t.lists == 0 }

// Digits returns how many digits the values of an exact number type may have, those behind the point
// counted; 0 for other types.
func (t Type) Digits() int {
	switch {
	case t.lists > 0:
		return 0
	case t.base == wide:
		return int(t.digits)
	}
	return types[t.base].digits
}

// sizeName is what stands behind the name of a wide decimal's type.
func (t Type) sizeName() string {
	if t.digits == Wide.digits && t.places == Wide.places {
		return ""
	}
	return fmt.Sprintf("(%d,%d)", t.digits, t.places)
}

// readSize reads what sizeName writes.
func readSize(text string) (t Type, rest string) {
	inside, found := strings.CutPrefix(text, "(")
	if !found {
		return Wide, text
	}
	inside, rest, found = strings.Cut(inside, ")")
	digits, places, _ := strings.Cut(inside, ",")
	n, err := strconv.Atoi(digits)
	m, errPlaces := strconv.Atoi(places)
	if !found || err != nil || errPlaces != nil {
		return Invalid, text
	}
	return DecimalOf(n, m), rest
}
