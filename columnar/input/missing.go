package input

import (
	"fmt"
	"math"

	"github.com/apache/arrow/go/v17/arrow/decimal128"

	"analyzer/columnar"
	"analyzer/columnar/number"
)

// ReasonMissing is the reason of an InputError about a file that is well, and has something that
// is not read.
const ReasonMissing = "not-supported"

// MissingError is the cause of such an error.
type MissingError struct {
	What string
	Hint string // what to do about it
}

func (e *MissingError) Error() string { return e.What }

// TooLarge is the error of a number whose type the program has only with fewer digits. most is
// the largest number that fits.
func TooLarge(value, most string) error {
	return &MissingError{
		What: fmt.Sprintf("the number %s is too large: numbers of this type end at %s here", value, most),
		Hint: "leave the column out, or have the program that wrote the file write it as DOUBLE or text",
	}
}

// The largest numbers of the types.
var (
	MostInt     = fmt.Sprint(math.MaxInt64)
	MostDecimal = decimal128.FromI64(math.MaxInt64).ToString(number.Scale)
)

// LateTime is the error of a timestamp that has no number of microseconds.
func LateTime() error {
	return &MissingError{What: "a timestamp is too far away: timestamps are those of the years -290307 to 294246 here", Hint: "leave the column out"}
}

// Clock converts a time of day from parts of a second to microseconds; smaller parts are dropped.
func Clock(parts, perSecond int64) (micros int64, err error) {
	if parts < 0 || parts/perSecond > number.Day/number.Second {
		return 0, &MissingError{What: fmt.Sprintf("a time of day is %d parts after midnight, and a second has %d of them", parts, perSecond), Hint: "leave the column out"}
	}
	return parts/perSecond*number.Second + parts%perSecond*number.Second/perSecond, nil
}

// DecimalType returns the type in which decimals of a file are read, Invalid if there is none. Decimals of 64 bits are
// quick, and so also take those that may have one digit more before the point than always fits. Decimals without
// places are whole numbers where these have their digits, as keys often are.
func DecimalType(precision, scale int32) columnar.Type {
	const before, whole = 19 - number.Scale, 18
	switch {
	case scale == 0 && precision >= before && precision <= whole:
		return columnar.Int
	case scale >= 0 && scale <= number.Scale && precision-scale <= before:
		return columnar.Decimal
	}
	return columnar.DecimalOf(int(min(precision, number.MaxPlaces)), int(scale))
}

// Wide returns an integer in units of the last place of a wide decimal, or the error of one with too many digits.
func Wide(n number.Int128, t columnar.Type) (number.Int128, error) {
	if number.HasDigits(n, t.Digits()) {
		return n, nil
	}
	return n, &MissingError{
		What: fmt.Sprintf("the number %s has more digits than its type %s", number.AppendScaled(nil, n, t.Scale()), t.SQL()),
		Hint: "leave the column out, or have the program that wrote the file give its type more digits",
	}
}
