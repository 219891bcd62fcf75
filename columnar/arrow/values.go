package arrow

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"

	"github.com/apache/arrow/go/v17/arrow/decimal128"

	"analyzer/columnar"
	"analyzer/columnar/input"
	"analyzer/columnar/number"
)

// nulls reads values that are all null.
func nulls(r *reading, _, n int64) error {
	v := r.vector
	r.valid = growTo(r.valid, int(n))
	clear(r.valid)
	v.Valid, v.Offsets = r.valid, growTo(v.Offsets, int(n)+1)
	clear(v.Offsets)
	return nil
}

func bools(r *reading, at, n int64) error {
	v := r.vector
	v.Bools = growTo(v.Bools, int(n))
	if err := r.bits(v.Bools, 1, at); err != nil {
		return err
	}
	for i, ok := range v.Valid {
		v.Bools[i] = v.Bools[i] && ok
	}
	return nil
}

// ints returns the reader of values of some bytes, each of which convert makes an integer. Those of
// nulls are not converted.
func ints(width int, convert func(stored []byte) (int64, error)) reader {
	return func(r *reading, at, n int64) error {
		stored, err := r.bytes(1, int64(width), at, n)
		if err != nil {
			return err
		}
		v := r.vector
		v.Ints = growTo(v.Ints, int(n))
		for i := range v.Ints {
			if v.Ints[i] = 0; v.Valid != nil && !v.Valid[i] {
				continue
			}
			if v.Ints[i], err = convert(stored[i*width : (i+1)*width]); err != nil {
				return err
			}
		}
		return nil
	}
}

// integers returns the reader of integers of a width in bits; nil: there are none of that width.
func integers(bits int, signed bool) reader {
	convert := storedInt(bits/8, signed)
	if bits%8 != 0 || convert == nil {
		return nil
	}
	return ints(bits/8, convert)
}

func storedInt(width int, signed bool) func(stored []byte) (int64, error) {
	switch {
	case width == 1 && signed:
		return func(b []byte) (int64, error) { return int64(int8(b[0])), nil }
	case width == 1:
		return func(b []byte) (int64, error) { return int64(b[0]), nil }
	case width == 2 && signed:
		return func(b []byte) (int64, error) { return int64(int16(binary.LittleEndian.Uint16(b))), nil }
	case width == 2:
		return func(b []byte) (int64, error) { return int64(binary.LittleEndian.Uint16(b)), nil }
	case width == 4 && signed:
		return func(b []byte) (int64, error) { return int64(int32(binary.LittleEndian.Uint32(b))), nil }
	case width == 4:
		return func(b []byte) (int64, error) { return int64(binary.LittleEndian.Uint32(b)), nil }
	case width == 8 && signed:
		return func(b []byte) (int64, error) { return int64(binary.LittleEndian.Uint64(b)), nil }
	case width == 8:
		return func(b []byte) (int64, error) {
			v := binary.LittleEndian.Uint64(b)
			if v > math.MaxInt64 {
				return 0, input.TooLarge(fmt.Sprint(v), input.MostInt)
			}
			return int64(v), nil
		}
	}
	return nil
}

// dates returns the reader of days, or of milliseconds that make days.
func dates(unit int) reader {
	const milliseconds, perDay = 1, 24 * 60 * 60 * 1000
	if unit == milliseconds {
		return ints(8, func(b []byte) (int64, error) { return floor(int64(binary.LittleEndian.Uint64(b)), perDay), nil })
	}
	return integers(32, true)
}

// floor divides and rounds down.
func floor(v, by int64) int64 {
	q := v / by
	if v%by < 0 {
		q--
	}
	return q
}

// perSecond returns how many units of time, by their number in a schema, a second has.
func perSecond(unit int) int64 {
	return [...]int64{1, 1e3, 1e6, 1e9}[min(max(unit, 0), 3)]
}

// timestamps returns the reader of moments, which become microseconds.
func timestamps(unit int) reader {
	n := perSecond(unit)
	return ints(8, func(b []byte) (int64, error) {
		v := int64(binary.LittleEndian.Uint64(b))
		if n > number.Second {
			return floor(v, n/number.Second), nil
		}
		high, low := bits.Mul64(uint64(max(v, -v)), uint64(number.Second/n))
		if high != 0 || int64(low) < 0 {
			return 0, input.LateTime()
		}
		return v * (number.Second / n), nil
	})
}

// times returns the reader of times of day, which become microseconds.
func times(width, unit int) reader {
	whole := storedInt(width, true)
	if width != 4 && width != 8 {
		return nil
	}
	return ints(width, func(stored []byte) (int64, error) {
		v, _ := whole(stored)
		return input.Clock(v, perSecond(unit))
	})
}

// floats returns the reader of floats of half, single or double precision.
func floats(precision int) reader {
	if precision < 0 || precision > 2 {
		return nil
	}
	return func(r *reading, at, n int64) error {
		width := int64(2) << precision
		stored, err := r.bytes(1, width, at, n)
		if err != nil {
			return err
		}
		v := r.vector
		v.Floats = growTo(v.Floats, int(n))
		for i := range v.Floats {
			switch precision {
			case 0:
				v.Floats[i] = half(binary.LittleEndian.Uint16(stored[2*i:]))
			case 1:
				v.Floats[i] = float64(math.Float32frombits(binary.LittleEndian.Uint32(stored[4*i:])))
			default:
				v.Floats[i] = math.Float64frombits(binary.LittleEndian.Uint64(stored[8*i:]))
			}
		}
		zeroNulls(v.Floats, v.Valid)
		return nil
	}
}

// half returns the value of a float of half precision.
func half(stored uint16) float64 {
	exponent, fraction := int(stored>>10&0x1f), float64(stored&0x3ff)
	var f float64
	switch exponent {
	case 0:
		f = math.Ldexp(fraction, -24)
	case 0x1f:
		if f = math.Inf(1); fraction != 0 {
			f = math.NaN()
		}
	default:
		f = math.Ldexp(fraction+1024, exponent-25)
	}
	if stored>>15 != 0 {
		return -f
	}
	return f
}

func zeroNulls[T any](values []T, valid []bool) {
	var zero T
	for i, ok := range valid {
		if !ok {
			values[i] = zero
		}
	}
}

// decimals returns the reader of decimals of some bytes as a type.
func decimals(t columnar.Type, width int, scale int32) reader {
	if width != 4 && width != 8 && width != 16 && width != 32 {
		return nil
	}
	if !t.IsWide() {
		return ints(width, func(stored []byte) (int64, error) { return exact(t, stored, scale) })
	}
	return wides(t, width)
}

// wides returns the reader of numbers of some bytes as a type of 128 bits. Those of wide decimals must
// have no more digits than the type.
func wides(t columnar.Type, width int) reader {
	return func(r *reading, at, n int64) error {
		stored, err := r.bytes(1, int64(width), at, n)
		if err != nil {
			return err
		}
		v := r.vector
		v.Wides = growTo(v.Wides, int(n))
		for i := range v.Wides {
			if v.IsNull(i) {
				v.Wides[i] = decimal128.Num{}
				continue
			}
			d, err := littleEndian(stored[i*width : (i+1)*width])
			if err == nil && t.IsWide() {
				d, err = input.Wide(d, t)
			}
			if err != nil {
				return err
			}
			v.Wides[i] = d
		}
		return nil
	}
}

// exact returns a decimal as a whole number or in millionths.
func exact(t columnar.Type, stored []byte, scale int32) (int64, error) {
	n, err := littleEndian(stored)
	if err != nil {
		return 0, err
	}
	narrow, ok := number.Narrow(n)
	if t == columnar.Int {
		if !ok {
			return 0, input.TooLarge(n.ToString(scale), input.MostInt)
		}
		return narrow, nil
	}
	factor := millionths[scale]
	if !ok || narrow > math.MaxInt64/factor || narrow < math.MinInt64/factor {
		return 0, input.TooLarge(n.ToString(scale), input.MostDecimal)
	}
	return narrow * factor, nil
}

// millionths has, by scale, how many millionths a unit of the last digit is.
var millionths = [number.Scale + 1]int64{1e6, 1e5, 1e4, 1e3, 100, 10, 1}

// littleEndian reads an integer in two's complement.
func littleEndian(b []byte) (decimal128.Num, error) {
	switch len(b) {
	case 4:
		return decimal128.FromI64(int64(int32(binary.LittleEndian.Uint32(b)))), nil
	case 8:
		return decimal128.FromI64(int64(binary.LittleEndian.Uint64(b))), nil
	}
	n := decimal128.New(int64(binary.LittleEndian.Uint64(b[8:])), binary.LittleEndian.Uint64(b))
	for _, c := range b[16:] {
		if c != byte(n.HighBits()>>63) {
			return n, &input.MissingError{What: "a number has more than 38 digits", Hint: "leave the column out, or have the program that wrote the file write it as DOUBLE or text"}
		}
	}
	return n, nil
}
