package columnar

import (
	"bytes"
	"encoding/binary"
	"errors"

	"github.com/apache/arrow/go/v17/arrow/decimal128"

	"analyzer/columnar/number"
)

// An ordered value is bytes that sort as values of its type do, and whose end can be seen. A number, a
// day or a moment is its bits, made to sort as unsigned big-endian bytes. A text ends with two zero
// bytes, and a zero byte within it is followed by a one. Ahead of each item of a list is a one, or a
// two if the item is null, and behind the last one is a zero.

const signBit = 1 << 63

// ErrOrdered means that bytes are no ordered value.
var ErrOrdered = errors.New("the value is damaged")

// The bytes ahead of the items of a list, and behind the last one.
const (
	endOfList byte = iota
	itemOfList
	nullOfList
)

// AppendOrdered appends a value with an end.
func AppendOrdered(dst []byte, v *Vector, i int) []byte {
	switch v.Type.Kind() {
	case KindBytes:
		return appendEnded(dst, v.Bytes(i))
	case KindList:
		for j := int(v.Offsets[i]); j < int(v.Offsets[i+1]); j++ {
			dst = v.Child.AppendField(dst, j)
		}
		return append(dst, endOfList)
	case KindBool:
		return append(dst, bit(v.Bools[i]))
	case KindFloat64:
		return binary.BigEndian.AppendUint64(dst, number.FloatWord(v.Floats[i]))
	case KindInt128:
		dst = binary.BigEndian.AppendUint64(dst, uint64(v.Wides[i].HighBits())^signBit)
		return binary.BigEndian.AppendUint64(dst, v.Wides[i].LowBits())
	}
	return binary.BigEndian.AppendUint64(dst, uint64(v.Ints[i])^signBit)
}

// appendEnded appends a text.
func appendEnded(dst, text []byte) []byte {
	for {
		at := bytes.IndexByte(text, 0)
		if at < 0 {
			return append(append(dst, text...), 0, 0)
		}
		dst, text = append(append(dst, text[:at]...), 0, 1), text[at+1:]
	}
}

// widthOf is how many bytes a value of fixed width takes; 0 for texts and lists.
func widthOf(t Type) int {
	switch t.Kind() {
	case KindBytes, KindList:
		return 0
	case KindBool:
		return 1
	case KindInt128:
		return 16
	}
	return 8
}

// BehindOrdered returns what follows a value, of which all bytes are inverted by xor, or nil if it
// is malformed.
func BehindOrdered(row []byte, t Type, inverted byte) []byte {
	if n := widthOf(t); n > 0 {
		return row[min(n, len(row)):]
	}
	if t.Kind() == KindList {
		return behindList(row, t.Item(), inverted)
	}
	for {
		at := bytes.IndexByte(row, inverted)
		if at < 0 || at+1 == len(row) {
			return nil
		}
		last := row[at+1] == inverted
		if row = row[at+2:]; last {
			return row
		}
	}
}

func behindList(row []byte, item Type, inverted byte) []byte {
	for len(row) > 0 && row[0]^inverted != endOfList {
		row = behindItem(row, item, inverted)
	}
	if len(row) == 0 {
		return nil
	}
	return row[1:]
}

// behindItem returns what follows an item of a list or a field of a struct, or nil if it is malformed.
func behindItem(row []byte, item Type, inverted byte) []byte {
	switch {
	case len(row) == 0:
		return nil
	case row[0]^inverted == nullOfList:
		return row[1:]
	}
	return BehindOrdered(row[1:], item, inverted)
}

// TakeOrdered appends the value that an encoding begins with, and returns what follows it.
func TakeOrdered(from []byte, out *Vector) ([]byte, error) {
	width := widthOf(out.Type)
	switch kind := out.Type.Kind(); {
	case kind == KindList:
		return takeList(from, out)
	case kind == KindBytes:
		return takeEnded(from, out)
	case len(from) < width:
		return nil, ErrOrdered
	case width == 1:
		out.AppendBool(from[0] == 1)
	case width == 16:
		out.AppendWide(decimal128.New(int64(binary.BigEndian.Uint64(from)^signBit), binary.BigEndian.Uint64(from[8:])))
	case kind == KindFloat64:
		out.AppendFloat(number.FloatOfWord(binary.BigEndian.Uint64(from)))
	default:
		out.AppendInt(int64(binary.BigEndian.Uint64(from) ^ signBit))
	}
	return from[width:], nil
}

func takeList(from []byte, out *Vector) (rest []byte, err error) {
	for len(from) > 0 && from[0] != endOfList && err == nil {
		from, err = out.Child.TakeField(from)
	}
	if err != nil || len(from) == 0 {
		return nil, ErrOrdered
	}
	out.EndList()
	return from[1:], nil
}

func takeEnded(from []byte, out *Vector) ([]byte, error) {
	for {
		at := bytes.IndexByte(from, 0)
		if at < 0 || at+1 == len(from) {
			return nil, ErrOrdered
		}
		last := from[at+1] == 0
		out.Data = append(out.Data, from[:at]...)
		if from = from[at+2:]; last {
			out.AppendBytes(nil)
			return from, nil
		}
		out.Data = append(out.Data, 0)
	}
}

func bit(b bool) byte {
	if b {
		return 1
	}
	return 0
}

// TextWord returns the first eight bytes of a text as a word, with zeros behind a shorter one. Where the words of two
// texts differ, they order as the texts do.
func TextWord(text []byte) uint64 {
	switch n := len(text); {
	case n >= 8:
		return binary.BigEndian.Uint64(text)
	case n >= 4:
		first, last := binary.BigEndian.Uint32(text), binary.BigEndian.Uint32(text[n-4:])
		return uint64(first)<<32 | uint64(last)<<(8*(8-n))&(1<<32-1)
	}
	var word uint64
	for i, c := range text {
		word |= uint64(c) << (56 - 8*i)
	}
	return word
}
