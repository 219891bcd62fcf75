package aggregate

import (
	"bytes"
	"encoding/binary"
	"errors"

	"github.com/apache/arrow/go/v17/arrow/decimal128"

	"analyzer/columnar"
	"analyzer/columnar/number"
)

// rowCode encodes rows of the columns of a call as bytes that sort as the rows do: by keys, then
// by the value, which can be decoded again. The state of a function whose result depends on the
// order of rows is made of such rows.
type rowCode struct {
	keys  []rowPart
	value rowPart
}

// rowPart is a column of encoded rows. If it may be null, a byte says so ahead of each value: it
// is 0 or 1, in the order in which nulls and values are. A number is its bits, made to sort as
// unsigned big-endian bytes. A text ends with two zero bytes, and a zero byte within it is followed
// by a one; as the value, which ends a row, it needs no end. Ahead of each item of a list is a one,
// or a two if the item is null, and behind the last one is a zero. All bytes of a descending key
// are inverted, but for the first.
type rowPart struct {
	at               int // of the call's columns
	typ              columnar.Type
	desc, nullsFirst bool
	nulls            bool // it may be null; otherwise rows in which it is null do not count
}

// orderedRows says which rows a form encodes: those of its first argument, ordered by ORDER BY,
// or by the second argument.
type orderedRows struct {
	nulls    bool // rows whose first argument is null count too
	bySecond bool
}

// code returns the code of the rows of a call.
func (o orderedRows) code(a Agg, f form) rowCode {
	c := rowCode{value: rowPart{typ: f.takes[0], nulls: o.nulls}}
	if o.bySecond {
		c.keys = append(c.keys, rowPart{at: 1, typ: f.takes[1]})
	}
	for i, k := range a.Order {
		c.keys = append(c.keys, rowPart{at: len(a.Args) + i, typ: f.orderTypes[i], desc: k.Desc, nullsFirst: k.NullsFirst, nulls: true})
	}
	return c
}

// encode appends the encoded rows to an empty column of Bytes.
func (c rowCode) encode(out *columnar.Vector, cols []*columnar.Vector) error {
	for i := range cols[0].Len {
		if !c.counts(cols, i) {
			out.AppendNull()
			continue
		}
		for _, k := range c.keys {
			out.Data = k.append(out.Data, cols[k.at], i)
		}
		if out.Data = c.value.appendLast(out.Data, cols[0], i); len(out.Data) > columnar.MaxVectorBytes {
			return tooLong(len(out.Data))
		}
		out.AppendBytes(nil)
	}
	return nil
}

// counts reports whether a row has all values that it needs.
func (c rowCode) counts(cols []*columnar.Vector, i int) bool {
	if !c.value.nulls && cols[0].IsNull(i) {
		return false
	}
	for _, k := range c.keys {
		if !k.nulls && cols[k.at].IsNull(i) {
			return false
		}
	}
	return true
}

// append appends the value of a key.
func (p rowPart) append(dst []byte, v *columnar.Vector, i int) []byte {
	if p.nulls {
		null := v.IsNull(i)
		if dst = append(dst, flag(null != p.nullsFirst)); null {
			return dst
		}
	}
	start := len(dst)
	dst = appendOrdered(dst, v, i)
	if p.desc {
		for j := range dst[start:] {
			dst[start+j] = ^dst[start+j]
		}
	}
	return dst
}

// appendLast appends the value that ends a row.
func (p rowPart) appendLast(dst []byte, v *columnar.Vector, i int) []byte {
	if p.nulls {
		null := v.IsNull(i)
		if dst = append(dst, flag(null)); null {
			return dst
		}
	}
	if v.Type.Kind() == columnar.KindBytes {
		return append(dst, v.Bytes(i)...)
	}
	return appendOrdered(dst, v, i)
}

func flag(b bool) byte {
	if b {
		return 1
	}
	return 0
}

// The bytes ahead of the items of a list, and behind the last one.
const (
	endOfList byte = iota
	itemOfList
	nullOfList
)

// appendOrdered appends a value with an end.
func appendOrdered(dst []byte, v *columnar.Vector, i int) []byte {
	switch v.Type.Kind() {
	case columnar.KindBytes:
		return appendEnded(dst, v.Bytes(i))
	case columnar.KindList:
		for j := int(v.Offsets[i]); j < int(v.Offsets[i+1]); j++ {
			if v.Child.IsNull(j) {
				dst = append(dst, nullOfList)
			} else {
				dst = appendOrdered(append(dst, itemOfList), v.Child, j)
			}
		}
		return append(dst, endOfList)
	case columnar.KindBool:
		return append(dst, flag(v.Bools[i]))
	case columnar.KindFloat64:
		return binary.BigEndian.AppendUint64(dst, number.FloatWord(v.Floats[i]))
	case columnar.KindInt128:
		dst = binary.BigEndian.AppendUint64(dst, uint64(v.Wides[i].HighBits())^signBit)
		return binary.BigEndian.AppendUint64(dst, v.Wides[i].LowBits())
	}
	return binary.BigEndian.AppendUint64(dst, uint64(v.Ints[i])^signBit)
}

// appendEnded appends a text.
func appendEnded(dst, text []byte) []byte {
	for {
		before, behind, found := bytes.Cut(text, []byte{0})
		dst = append(append(dst, before...), 0)
		if !found {
			return append(dst, 0)
		}
		dst, text = append(dst, 1), behind
	}
}

// widthOf is how many bytes a value of fixed width takes; 0 for texts and lists.
func widthOf(t columnar.Type) int {
	switch t.Kind() {
	case columnar.KindBytes, columnar.KindList:
		return 0
	case columnar.KindBool:
		return 1
	case columnar.KindInt128:
		return 16
	}
	return 8
}

// behind returns what follows the key in a row, or nil if the row is malformed.
func (p rowPart) behind(row []byte) []byte {
	if p.nulls {
		if len(row) == 0 {
			return nil
		}
		null := row[0] == flag(!p.nullsFirst)
		if row = row[1:]; null {
			return row
		}
	}
	inverted := byte(0)
	if p.desc {
		inverted = 0xff
	}
	return behindValue(row, p.typ, inverted)
}

// behindValue returns what follows a value, of which all bytes are inverted by xor, or nil if it
// is malformed.
func behindValue(row []byte, t columnar.Type, inverted byte) []byte {
	if n := widthOf(t); n > 0 {
		return row[min(n, len(row)):]
	}
	if t.Kind() == columnar.KindList {
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

func behindList(row []byte, item columnar.Type, inverted byte) []byte {
	for len(row) > 0 {
		next := row[0] ^ inverted
		switch row = row[1:]; next {
		case endOfList:
			return row
		case itemOfList:
			row = behindValue(row, item, inverted)
		}
	}
	return nil
}

// last returns the encoded value of a row; ok is false for null.
func (c rowCode) last(row []byte) (value []byte, ok bool) {
	for _, k := range c.keys {
		row = k.behind(row)
	}
	if !c.value.nulls {
		return row, true
	}
	if len(row) == 0 || row[0] == 1 {
		return nil, false
	}
	return row[1:], true
}

// appendValue appends the value of a row.
func (c rowCode) appendValue(out *columnar.Vector, row []byte) error {
	value, ok := c.last(row)
	if !ok {
		out.AppendNull()
		return nil
	}
	if c.value.typ.Kind() == columnar.KindBytes {
		out.AppendBytes(value)
		return nil
	}
	if rest, err := takeOrdered(value, out); err != nil || len(rest) > 0 {
		return errState
	}
	return nil
}

var errState = errors.New("comes in a state that cannot be read")

// takeOrdered appends the value that an encoding begins with, and returns what follows it.
func takeOrdered(from []byte, out *columnar.Vector) ([]byte, error) {
	width := widthOf(out.Type)
	switch kind := out.Type.Kind(); {
	case kind == columnar.KindList:
		return takeList(from, out)
	case kind == columnar.KindBytes:
		return takeEnded(from, out)
	case len(from) < width:
		return nil, errState
	case width == 1:
		out.AppendBool(from[0] == 1)
	case width == 16:
		out.AppendWide(decimal128.New(int64(binary.BigEndian.Uint64(from)^signBit), binary.BigEndian.Uint64(from[8:])))
	case kind == columnar.KindFloat64:
		out.AppendFloat(number.FloatOfWord(binary.BigEndian.Uint64(from)))
	default:
		out.AppendInt(int64(binary.BigEndian.Uint64(from) ^ signBit))
	}
	return from[width:], nil
}

func takeList(from []byte, out *columnar.Vector) (rest []byte, err error) {
	for len(from) > 0 && err == nil {
		next := from[0]
		switch from = from[1:]; next {
		case endOfList:
			out.EndList()
			return from, nil
		case nullOfList:
			out.Child.AppendNull()
		default:
			from, err = takeOrdered(from, out.Child)
		}
	}
	return nil, errState
}

func takeEnded(from []byte, out *columnar.Vector) ([]byte, error) {
	for {
		at := bytes.IndexByte(from, 0)
		if at < 0 || at+1 == len(from) {
			return nil, errState
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
