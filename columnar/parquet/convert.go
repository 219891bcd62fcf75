package parquet

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
	"unicode/utf8"

	"github.com/apache/arrow/go/v17/arrow/decimal128"

	"analyzer/columnar"
	"analyzer/columnar/csv"
	"analyzer/columnar/input"
	"analyzer/columnar/number"
)

// conversion turns values as they are stored, those of raw from first on, into those of a column. If
// both kinds are the same, to is raw, and the values are changed in place. Otherwise they are appended.
type conversion func(to, raw *columnar.Vector, first int) error

// multiples multiplies by a factor. failed returns the error of a number that is too large.
func multiples(factor int64, failed func(int64) error) conversion {
	if factor == 1 {
		return nil
	}
	return func(to, _ *columnar.Vector, first int) error {
		numbers, most := to.Ints[first:], math.MaxInt64/factor
		for i, v := range numbers {
			if v > most || v < -most {
				return failed(v)
			}
			numbers[i] = v * factor
		}
		return nil
	}
}

// parts divides by a divisor and rounds down. It reduces nanoseconds to microseconds.
func parts(divisor int64) conversion {
	return func(to, _ *columnar.Vector, first int) error {
		for i, v := range to.Ints[first:] {
			q := v / divisor
			if v%divisor < 0 {
				q--
			}
			to.Ints[first+i] = q
		}
		return nil
	}
}

// integersOf converts integers that are units of the last place of wide decimals.
func integersOf(to, raw *columnar.Vector, first int) error {
	for _, v := range raw.Ints[first:] {
		n, err := input.Wide(decimal128.FromI64(v), to.Type)
		if err != nil {
			return err
		}
		to.Wides = append(to.Wides, n)
	}
	return nil
}

// unsigned converts unsigned numbers, which take 32 or 64 bits in the file.
func unsigned(stored int) conversion {
	return func(to, _ *columnar.Vector, first int) error {
		for i, v := range to.Ints[first:] {
			switch {
			case v >= 0:
			case stored == 32:
				to.Ints[first+i] = v + 1<<32
			default:
				return input.TooLarge(fmt.Sprint(uint64(v)), input.MostInt)
			}
		}
		return nil
	}
}

// validTexts replaces invalid UTF-8 as in a CSV file.
func validTexts(to, _ *columnar.Vector, first int) error {
	begin := to.Offsets[first]
	if columnar.IsASCII(to.Data[begin:]) {
		return nil
	}
	valid := utf8.Valid(to.Data[begin:])
	for i := first; i < to.Len && valid; i++ { // A text may end within a character.
		at := to.Offsets[i]
		valid = int(at) == len(to.Data) || utf8.RuneStart(to.Data[at])
	}
	if valid {
		return nil
	}
	stored, from := slices.Clone(to.Data[begin:]), begin
	to.Data = to.Data[:begin]
	for i := first; i < to.Len; i++ {
		text := stored[from-begin : to.Offsets[i+1]-begin]
		from = to.Offsets[i+1]
		if utf8.Valid(text) {
			to.Data = append(to.Data, text...)
		} else {
			to.Data = csv.AppendUTF8(to.Data, text)
		}
		if len(to.Data) > math.MaxInt32 {
			return errLong
		}
		to.Offsets[i+1] = int32(len(to.Data))
	}
	return nil
}

// uuidsOf reads the bytes of UUIDs.
func uuidsOf(to, raw *columnar.Vector, first int) error {
	for i := first; i < raw.Len; i++ {
		b := raw.Bytes(i)
		if len(b) != number.UUIDBytes {
			return fmt.Errorf("a UUID has %d bytes, not %d", len(b), number.UUIDBytes)
		}
		to.Wides = append(to.Wides, number.UUIDOf(b))
	}
	return nil
}

// times converts times of day to microseconds.
func times(perSecond int64) conversion {
	return func(to, _ *columnar.Vector, first int) (err error) {
		for i, v := range to.Ints[first:] {
			if to.Ints[first+i], err = input.Clock(v, perSecond); err != nil {
				return err
			}
		}
		return nil
	}
}

// wideInts converts decimals of scale 0 to whole numbers, wideDecimals those of the given scale to
// millionths, and wideBytes to wide decimals. The decimals are big-endian integers in two's complement.
func wideInts(to, raw *columnar.Vector, first int) error {
	return eachNarrow(to, raw, first, 1, func(n decimal128.Num) error {
		return input.TooLarge(n.ToString(0), input.MostInt)
	})
}

func wideDecimals(scale int32) conversion {
	factor := pow10(number.Scale - scale)
	return func(to, raw *columnar.Vector, first int) error {
		return eachNarrow(to, raw, first, factor, func(n decimal128.Num) error {
			return input.TooLarge(n.ToString(scale), input.MostDecimal)
		})
	}
}

// eachNarrow appends decimals, multiplied by a factor. failed returns the error of one that is too large then.
func eachNarrow(to, raw *columnar.Vector, first int, factor int64, failed func(decimal128.Num) error) error {
	to.Ints = slices.Grow(to.Ints, raw.Len-first)
	least, most := math.MinInt64/factor, math.MaxInt64/factor
	begin := int(raw.Offsets[first])
	for _, next := range raw.Offsets[first+1 : raw.Len+1] {
		end := int(next)
		v, ok := narrow(raw.Data, begin, end)
		if !ok || v > most || v < least {
			n, err := bigEndian(raw.Data[begin:end])
			if v, ok = number.Narrow(n); err == nil && (!ok || v > most || v < least) {
				err = failed(n)
			}
			if err != nil {
				return err
			}
		}
		to.Ints, begin = append(to.Ints, v*factor), end
	}
	return nil
}

// narrow returns the big-endian integer in two's complement that is data[begin:end] if that has up to 9 bytes, as
// programs write what fits into 64 bits, and the number does. Otherwise it may say that it does not.
func narrow(data []byte, begin, end int) (_ int64, ok bool) {
	const size = 8
	if end < size {
		return 0, false
	}
	v := int64(binary.BigEndian.Uint64(data[end-size : end]))
	switch n := end - begin; {
	case n == size+1:
		return v, int64(int8(data[begin])) == v>>63
	case n > size || n == 0:
		return 0, false
	default:
		unused := 8 * (size - n)
		return v << unused >> unused, true
	}
}

func wideBytes(to, raw *columnar.Vector, first int) error {
	for i := first; i < raw.Len; i++ {
		n, err := bigEndian(raw.Bytes(i))
		if err == nil {
			n, err = input.Wide(n, to.Type)
		}
		if err != nil {
			return err
		}
		to.Wides = append(to.Wides, n)
	}
	return nil
}

// bigEndian reads a big-endian integer in two's complement.
func bigEndian(b []byte) (decimal128.Num, error) {
	switch {
	case len(b) == 16:
		return decimal128.New(int64(binary.BigEndian.Uint64(b)), binary.BigEndian.Uint64(b[8:])), nil
	case len(b) == 0:
		return decimal128.Num{}, errors.New("a decimal has no bytes")
	case len(b) > 16:
		return decimal128.Num{}, otherWay("a decimal has %d bytes, and up to 16 are read", len(b))
	}
	high := int64(int8(b[0])) >> 7
	low := uint64(high)
	for _, c := range b {
		high, low = high<<8|int64(low>>56), low<<8|uint64(c)
	}
	return decimal128.New(high, low), nil
}
