package ipc

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"slices"

	"github.com/apache/arrow/go/v17/arrow"

	"analyzer/columnar"
)

// ErrUnencodable is wrapped by the error for rows that do not match the schema, or are too
// many for a message.
var ErrUnencodable = errors.New("rows cannot be encoded")

// Append appends rows as a message to dst and returns the longer slice. It appends nothing
// if there are no rows. The rows are borrowed; their columns must be those of schema, in its
// order.
//
// If the message begins at a multiple of 8 bytes in memory, Decode can use it in place;
// otherwise Decode copies the body.
func Append(dst []byte, schema columnar.Schema, rows columnar.Rows) ([]byte, error) {
	e := encoder{out: dst}
	err := e.message(schema, rows)
	return e.out, err
}

func check(schema columnar.Schema, rows columnar.Rows) error {
	if len(rows.Cols) != len(schema) {
		return fmt.Errorf("%d columns, the schema has %d", len(rows.Cols), len(schema))
	}
	if rows.Len < 0 || rows.Len >= math.MaxInt32 {
		return fmt.Errorf("%d rows", rows.Len)
	}
	for i, c := range rows.Cols {
		if c.Type != schema[i].Type || !c.Type.Known() {
			return fmt.Errorf("column %q is %s, the schema has %s", schema[i].Name, c.Type, schema[i].Type)
		}
		if c.Len != rows.Len {
			return fmt.Errorf("column %q has %d values in %d rows", schema[i].Name, c.Len, rows.Len)
		}
	}
	return nil
}

// encoder appends columns to a message and writes the positions of their buffers to its
// metadata.
type encoder struct {
	public       bool // encode values in their public form
	long         int  // buffers of texts that have as many bytes are not copied, but left apart; 0: none
	out          []byte
	apart        []apart
	left         int   // bytes of them
	body         int   // where the body begins, see at
	err          error // of a value that has no public form
	node, buffer int   // positions in out of the next node and buffer of the metadata
}

// apart is a buffer of a message that belongs at a position of what was encoded.
type apart struct {
	at   int
	data []byte
}

// message appends rows as a message, or nothing if there are none, or they cannot be encoded.
func (e *encoder) message(schema columnar.Schema, rows columnar.Rows) error {
	if err := check(schema, rows); err != nil {
		return fmt.Errorf("%w: %w", ErrUnencodable, err)
	}
	if rows.Len == 0 {
		return nil
	}
	s, start := shapeOf(schema, e.public), len(e.out)
	need := prefixSize + s.metadata() + e.sizeHint(s, rows)
	if start == 0 && cap(e.out) < need {
		e.out = nil // what an earlier message left there is not copied
	}
	e.out = slices.Grow(e.out, need)
	metadata := start + prefixSize
	e.out = s.appendMetadata(e.out, rows.Len)
	e.body, e.node, e.buffer = e.at(), metadata+s.firstNode(), metadata+s.firstBuffer()
	for _, c := range rows.Cols {
		e.column(c, 0, c.Len)
	}
	if e.err != nil {
		e.out = e.out[:start]
		return fmt.Errorf("%w: %w", ErrUnencodable, e.err)
	}
	binary.LittleEndian.PutUint64(e.out[metadata+bodyLengthAt:], uint64(e.at()-e.body))
	return nil
}

// at returns how many bytes were encoded, with those left apart.
func (e *encoder) at() int { return len(e.out) + e.left }

// sizeHint estimates the size of the body without what is left apart. It is rarely too low.
func (e *encoder) sizeHint(s shape, rows columnar.Rows) int {
	n := int(rows.ValueBytes()) + s.buffers*alignment + s.nodes*(rows.Len/8+arrow.Int32SizeBytes)
	for _, v := range rows.Cols {
		n -= e.longIn(v, 0, v.Len)
	}
	return n
}

// longIn returns how many bytes of a column are left apart, unless it has another public form.
func (e *encoder) longIn(v *columnar.Vector, lo, hi int) int {
	if !v.Type.Kind().Varies() || e.public && (v.Type.IsStruct() || v.Type.IsMap()) {
		return 0
	}
	from, to := int(v.Offsets[lo]), int(v.Offsets[hi])
	switch {
	case v.Child != nil:
		return e.longIn(v.Child, from, to)
	case e.isLong(to - from):
		return to - from
	}
	return 0
}

// isLong reports whether so many bytes of texts are left apart.
func (e *encoder) isLong(bytes int) bool { return e.long > 0 && bytes >= e.long }

// texts appends the bytes of texts, or leaves them apart.
func (e *encoder) texts(data []byte) {
	if !e.isLong(len(data)) {
		e.out = append(e.out, data...)
		return
	}
	e.apart = append(e.apart, apart{len(e.out), data})
	e.left += len(data)
}

// column appends the values of v from position lo up to, not including, hi.
func (e *encoder) column(v *columnar.Vector, lo, hi int) {
	e.validity(v, lo, hi)
	switch {
	case e.public && v.Type.IsStruct():
		e.fields(v, lo, hi)
		return
	case e.public && v.Type.IsMap():
		lists, err := v.Entries(lo, hi)
		if e.err = cmp.Or(e.err, err); err == nil {
			_, to := e.offsets(lists.Offsets)
			e.column(lists.Child, 0, int(to))
		}
		return
	}
	start := e.at()
	switch v.Type.Kind() {
	case columnar.KindBool:
		e.out = appendBitmap(e.out, v.Bools[lo:hi])
	case columnar.KindInt64:
		e.ints(v.Type, v.Ints[lo:hi])
	case columnar.KindFloat64:
		e.out = append(e.out, arrow.Float64Traits.CastToBytes(v.Floats[lo:hi])...)
	case columnar.KindInt128:
		e.wides(v.Type, v.Wides[lo:hi])
	case columnar.KindBytes:
		from, to := e.offsets(v.Offsets[lo : hi+1])
		start = e.at()
		e.texts(v.Data[from:to])
	case columnar.KindList:
		from, to := e.offsets(v.Offsets[lo : hi+1])
		e.column(v.Child, int(from), int(to))
		return
	}
	e.endBuffer(start)
}

// fields appends the fields of structs as columns.
func (e *encoder) fields(v *columnar.Vector, lo, hi int) {
	columns, err := v.StructColumns(lo, hi)
	e.err = cmp.Or(e.err, err)
	for _, c := range columns {
		e.column(c, 0, c.Len)
	}
}

// ints appends integers as their Arrow type, whose public form may have another width.
func (e *encoder) ints(t columnar.Type, values []int64) {
	form := t.Arrow().ID()
	if e.public {
		form = t.Public().ID()
	}
	switch form {
	case arrow.DECIMAL128:
		for _, n := range values {
			e.out = binary.LittleEndian.AppendUint64(e.out, uint64(n))
			e.out = binary.LittleEndian.AppendUint64(e.out, uint64(n>>63))
		}
	case arrow.DATE32:
		for _, n := range values {
			e.out = binary.LittleEndian.AppendUint32(e.out, uint32(n))
		}
	default:
		e.out = append(e.out, arrow.Int64Traits.CastToBytes(values)...)
	}
}

// validity appends the validity bitmap, or nothing if there are no nulls, and writes the
// column's node.
func (e *encoder) validity(v *columnar.Vector, lo, hi int) {
	nulls, start, from := 0, e.at(), len(e.out)
	if v.Valid != nil {
		e.out = appendBitmap(e.out, v.Valid[lo:hi])
		if nulls = hi - lo - ones(e.out[from:]); nulls == 0 {
			e.out = e.out[:from]
		}
	}
	e.node = e.pair(e.node, hi-lo, nulls)
	e.endBuffer(start)
}

// offsets appends positions as a buffer, shifted to begin at zero. It returns the first and
// the last position, not shifted.
func (e *encoder) offsets(positions []int32) (first, last int32) {
	start, from := e.at(), len(e.out)
	first, last = positions[0], positions[len(positions)-1]
	e.out = append(e.out, arrow.Int32Traits.CastToBytes(positions)...)
	if first != 0 {
		raw := e.out[from:]
		for i, p := range positions {
			binary.LittleEndian.PutUint32(raw[4*i:], uint32(p-first))
		}
	}
	e.endBuffer(start)
	return first, last
}

// endBuffer pads the buffer that begins at start and writes its position to the metadata.
func (e *encoder) endBuffer(start int) {
	size := e.at() - start
	e.buffer = e.pair(e.buffer, start-e.body, size)
	const zeros = "\x00\x00\x00\x00\x00\x00\x00"
	e.out = append(e.out, zeros[:-size&(alignment-1)]...)
}

// pair writes two numbers into the metadata and returns the position of the next pair.
func (e *encoder) pair(at, a, b int) int {
	binary.LittleEndian.PutUint64(e.out[at:], uint64(a))
	binary.LittleEndian.PutUint64(e.out[at+8:], uint64(b))
	return at + pairSize
}

// appendBitmap appends bits, eight to a byte, the first lowest.
func appendBitmap(dst []byte, values []bool) []byte {
	for ; len(values) >= 8; values = values[8:] {
		b := values[:8]
		dst = append(dst, bit(b[0])|bit(b[1])<<1|bit(b[2])<<2|bit(b[3])<<3|
			bit(b[4])<<4|bit(b[5])<<5|bit(b[6])<<6|bit(b[7])<<7)
	}
	if len(values) == 0 {
		return dst
	}
	last := byte(0)
	for i, b := range values {
		last |= bit(b) << i
	}
	return append(dst, last)
}

// bit is compiled without a branch.
func bit(b bool) byte {
	if b {
		return 1
	}
	return 0
}

// ones returns the number of bits that are set.
func ones(bitmap []byte) int {
	n := 0
	for ; len(bitmap) >= 8; bitmap = bitmap[8:] {
		n += bits.OnesCount64(binary.LittleEndian.Uint64(bitmap))
	}
	for _, b := range bitmap {
		n += bits.OnesCount8(b)
	}
	return n
}
