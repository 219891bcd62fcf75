package parquet

import (
	"encoding/hex"
	"errors"
	"math"
	"time"
	"unicode/utf8"

	"github.com/apache/arrow/go/v17/arrow/decimal128"

	"analyzer/columnar"
	"analyzer/columnar/csv"
	"analyzer/columnar/number"
)

// texts appends n texts, made of the values that are not null.
func texts[T any](r *reading, n int, stored []T, appendText func(dst []byte, v T) ([]byte, error)) (err error) {
	v := r.vector
	v.Offsets = growTo(v.Offsets, n+1)
	v.Offsets[0] = 0
	next := 0
	for i := range n {
		if v.Valid == nil || v.Valid[i] {
			if v.Data, err = appendText(v.Data, stored[next]); err != nil {
				return err
			}
			next++
		}
		if len(v.Data) > math.MaxInt32 {
			return errors.New("texts of consecutive rows are too long")
		}
		v.Offsets[i+1] = int32(len(v.Data))
	}
	return nil
}

// convert makes a value of stored bytes: of a text column it appends to the text, of
// others it appends to the numbers.
type convert struct {
	text    func(dst, stored []byte) ([]byte, error)
	decimal func(stored []byte) (int64, error)
	float   func(stored []byte) (float64, error)
}

func byteArrays(c convert) appender {
	return func(r *reading, n int) error {
		stored, err := batch(r, n, &r.arrays)
		if err != nil {
			return err
		}
		return converted(r, n, stored, c)
	}
}

func fixedArrays(c convert) appender {
	return func(r *reading, n int) error {
		stored, err := batch(r, n, &r.fixed)
		if err != nil {
			return err
		}
		return converted(r, n, stored, c)
	}
}

// converted appends n values, of which those that are not null are stored.
func converted[T ~[]byte](r *reading, n int, stored []T, c convert) (err error) {
	switch v := r.vector; v.Type {
	case columnar.Text:
		return texts(r, n, stored, func(dst []byte, b T) ([]byte, error) { return c.text(dst, b) })
	case columnar.Decimal:
		v.Ints, err = numbers(v.Ints, n, stored, v.Valid, c.decimal)
	default:
		v.Floats, err = numbers(v.Floats, n, stored, v.Valid, c.float)
	}
	return err
}

func numbers[N int64 | float64, T ~[]byte](dst []N, n int, stored []T, valid []bool, convert func([]byte) (N, error)) (_ []N, err error) {
	dst = growTo(dst, n)
	for i, b := range stored {
		if dst[i], err = convert(b); err != nil {
			return dst, err
		}
	}
	spread(dst, valid)
	return dst, nil
}

// asText takes bytes for text.
func asText() convert {
	return convert{text: func(dst, stored []byte) ([]byte, error) { return append(dst, validText(stored)...), nil }}
}

// validText returns a text; what is not UTF-8 in it becomes what it does in a CSV file.
func validText(stored []byte) []byte {
	if utf8.Valid(stored) {
		return stored
	}
	return csv.AppendUTF8(nil, stored)
}

func appendUUID(dst, stored []byte) ([]byte, error) {
	if len(stored) != 16 {
		return nil, errors.New("a UUID has not 16 bytes")
	}
	for i, end := range []int{4, 6, 8, 10, 16} {
		begin := []int{0, 4, 6, 8, 10}[i]
		if i > 0 {
			dst = append(dst, '-')
		}
		dst = hex.AppendEncode(dst, stored[begin:end])
	}
	return dst, nil
}

// wideDecimal reads decimals with so many places as millionths, wideFloat as floats.
func wideDecimal(scale int32) convert {
	return convert{decimal: func(stored []byte) (int64, error) {
		n, err := bigEndian(stored)
		if err != nil {
			return 0, err
		}
		scaled, err := n.Rescale(scale, number.Scale)
		if narrow, ok := number.Narrow(scaled); ok && err == nil {
			return narrow, nil
		}
		return 0, errTooLarge
	}}
}

func wideFloat(scale int32) convert {
	return convert{float: func(stored []byte) (float64, error) {
		n, err := bigEndian(stored)
		return n.ToFloat64(scale), err
	}}
}

// bigEndian reads an integer in two's complement.
func bigEndian(b []byte) (decimal128.Num, error) {
	if len(b) == 0 || len(b) > 16 {
		return decimal128.Num{}, errTooLarge
	}
	high := int64(int8(b[0])) >> 7
	low := uint64(high)
	for _, c := range b {
		high, low = high<<8|int64(low>>56), low<<8|uint64(c)
	}
	return decimal128.New(high, low), nil
}

func timeOfDay(perSecond int64) func(dst []byte, v int64) []byte {
	return func(dst []byte, v int64) []byte {
		return time.Unix(v/perSecond, v%perSecond*(1e9/perSecond)).UTC().AppendFormat(dst, time.TimeOnly+".999999999")
	}
}
