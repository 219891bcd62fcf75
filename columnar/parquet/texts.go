package parquet

import (
	"errors"
	"fmt"
	"math"
	"time"
	"unicode/utf8"

	"github.com/apache/arrow/go/v17/arrow/decimal128"

	"analyzer/columnar/csv"
	"analyzer/columnar/input"
	"analyzer/columnar/number"
)

// texts returns an appender of texts. from selects the scratch memory for stored values, and
// appendText appends the text of one of them.
func texts[S any](from func(*scratch) *[]S, appendText func(dst []byte, stored S) ([]byte, error)) appender {
	return func(r *reading, n int) error {
		stored, err := batch(r, n, from(&r.scratch))
		if err != nil {
			return err
		}
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
}

// appendText appends bytes as text.
func appendText[S ~[]byte](dst []byte, stored S) ([]byte, error) {
	return append(dst, validText(stored)...), nil
}

// validText returns a text with invalid UTF-8 replaced as in a CSV file.
func validText(stored []byte) []byte {
	if utf8.Valid(stored) {
		return stored
	}
	return csv.AppendUTF8(nil, stored)
}

func appendUUID[S ~[]byte](dst []byte, stored S) ([]byte, error) {
	if len(stored) != 16 {
		return nil, errors.New("a UUID has not 16 bytes")
	}
	return fmt.Appendf(dst, "%x-%x-%x-%x-%x", []byte(stored[:4]), []byte(stored[4:6]), []byte(stored[6:8]), []byte(stored[8:10]), []byte(stored[10:])), nil
}

// wideInt converts decimals of scale 0 to whole numbers, wideDecimal those of the given scale to
// millionths, and wideFloat to floats.
func wideInt[S ~[]byte](stored S) (int64, error) {
	n, err := bigEndian(stored)
	if narrow, ok := number.Narrow(n); ok || err != nil {
		return narrow, err
	}
	return 0, input.TooLarge(n.ToString(0), input.MostInt)
}

func wideDecimal[S ~[]byte](scale int32) func(S) (int64, error) {
	return func(stored S) (int64, error) {
		n, err := bigEndian(stored)
		if err != nil {
			return 0, err
		}
		scaled, err := n.Rescale(scale, number.Scale)
		if narrow, ok := number.Narrow(scaled); ok && err == nil {
			return narrow, nil
		}
		return 0, input.TooLarge(n.ToString(scale), input.MostDecimal)
	}
}

func wideFloat[S ~[]byte](scale int32) func(S) (float64, error) {
	return func(stored S) (float64, error) {
		n, err := bigEndian(stored)
		return n.ToFloat64(scale), err
	}
}

// bigEndian reads a big-endian integer in two's complement.
func bigEndian(b []byte) (decimal128.Num, error) {
	if len(b) == 0 {
		return decimal128.Num{}, errors.New("a decimal has no bytes")
	}
	if len(b) > 16 {
		return decimal128.Num{}, otherWay("a decimal has %d bytes, and up to 16 are read", len(b))
	}
	high := int64(int8(b[0])) >> 7
	low := uint64(high)
	for _, c := range b {
		high, low = high<<8|int64(low>>56), low<<8|uint64(c)
	}
	return decimal128.New(high, low), nil
}

func timeOfDay[S int32 | int64](perSecond int64) func(dst []byte, stored S) ([]byte, error) {
	return func(dst []byte, stored S) ([]byte, error) {
		v := int64(stored)
		return time.Unix(v/perSecond, v%perSecond*(1e9/perSecond)).UTC().AppendFormat(dst, time.TimeOnly+".999999999"), nil
	}
}
