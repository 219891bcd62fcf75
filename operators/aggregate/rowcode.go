package aggregate

import (
	"errors"

	"analyzer/columnar"
)

// rowCode encodes rows of the columns of a call as bytes that sort as the rows do: by keys, then
// by the value, which can be decoded again. The state of a function whose result depends on the
// order of rows is made of such rows.
type rowCode struct {
	keys  []rowPart
	value rowPart
}

// rowPart is a column of encoded rows. If it may be null, a byte says so ahead of each value: it
// is 0 or 1, in the order in which nulls and values are. A value is as columnar.AppendOrdered writes
// it; bytes as the value, which ends a row, need no end. All bytes of a descending key are inverted,
// but for the first.
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
		if len(c.keys) == 0 && !c.value.nulls && c.value.typ.Kind() == columnar.KindBytes {
			out.Lend(cols[0].Bytes(i))
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
	dst = columnar.AppendOrdered(dst, v, i)
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
	return columnar.AppendOrdered(dst, v, i)
}

func flag(b bool) byte {
	if b {
		return 1
	}
	return 0
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
	return columnar.BehindOrdered(row, p.typ, inverted)
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
	return c.valueInto(out, row, (*columnar.Vector).AppendBytes)
}

// lendValue is appendValue of a row that lasts as long as what is appended to.
func (c rowCode) lendValue(out *columnar.Vector, row []byte) error {
	return c.valueInto(out, row, (*columnar.Vector).Lend)
}

func (c rowCode) valueInto(out *columnar.Vector, row []byte, add func(out *columnar.Vector, text []byte)) error {
	value, ok := c.last(row)
	if !ok {
		out.AppendNull()
		return nil
	}
	if c.value.typ.Kind() == columnar.KindBytes {
		add(out, value)
		return nil
	}
	if rest, err := columnar.TakeOrdered(value, out); err != nil || len(rest) > 0 {
		return errState
	}
	return nil
}

var errState = errors.New("comes in a state that cannot be read")
