package ipc

import (
	"encoding/binary"
	"errors"
)

var errFlatbuffer = errors.New("metadata is not a well-formed flatbuffer")

// table is a table of a flatbuffer. Reads outside the bytes are errors, and no length in the
// bytes causes an allocation.
// Format: https://flatbuffers.dev/internals/
type table struct {
	data   []byte
	pos    int // position of the table
	vtable int // position of its vtable, the positions of its fields
	fields int // size of the vtable in bytes
}

// vector is a vector of values of equal size, structs or offsets.
type vector struct {
	data  []byte // the whole flatbuffer
	pos   int    // position of the first value
	count int
}

// rootTable returns the root table of a flatbuffer.
func rootTable(data []byte) (table, error) { return tableAt(data, 0) }

// tableAt follows the offset stored at pos to a table.
func tableAt(data []byte, pos int) (table, error) {
	start, err := follow(data, pos)
	if err != nil {
		return table{}, err
	}
	back, err := uintAt(data, start, 4)
	if err != nil {
		return table{}, err
	}
	vtable := start - int(int32(back))
	size, err := uintAt(data, vtable, 2)
	if err != nil || size < 4 || vtable+int(size) > len(data) {
		return table{}, errFlatbuffer
	}
	return table{data: data, pos: start, vtable: vtable, fields: int(size)}, nil
}

// field returns the position of the slot-th field, 0 if it is absent.
func (t table) field(slot int) int {
	entry := 4 + 2*slot
	if entry+2 > t.fields {
		return 0
	}
	offset := int(binary.LittleEndian.Uint16(t.data[t.vtable+entry:]))
	if offset == 0 {
		return 0
	}
	return t.pos + offset
}

func (t table) has(slot int) bool { return t.field(slot) != 0 }

// number is a field of 1, 2, 4 or 8 bytes.
type number struct {
	slot, size int
	absent     uint64 // the value of an absent field
}

func (t table) number(n number) (uint64, error) {
	pos := t.field(n.slot)
	if pos == 0 {
		return n.absent, nil
	}
	return uintAt(t.data, pos, n.size)
}

// table returns the table of a field, which must be present.
func (t table) table(slot int) (table, error) {
	pos := t.field(slot)
	if pos == 0 {
		return table{}, errFlatbuffer
	}
	return tableAt(t.data, pos)
}

// vector returns the vector of a field with values of size bytes, an empty one if the field
// is absent.
func (t table) vector(slot, size int) (vector, error) {
	pos := t.field(slot)
	if pos == 0 {
		return vector{}, nil
	}
	start, err := follow(t.data, pos)
	if err != nil {
		return vector{}, err
	}
	count, err := uintAt(t.data, start, 4)
	if err != nil || count*uint64(size) > uint64(len(t.data)-start-4) {
		return vector{}, errFlatbuffer
	}
	return vector{t.data, start + 4, int(count)}, nil
}

// bytes returns the bytes of a vector with values of size bytes.
func (v vector) bytes(size int) []byte { return v.data[v.pos : v.pos+v.count*size] }

// table returns the i-th table of a vector of offsets to tables.
func (v vector) table(i int) (table, error) { return tableAt(v.data, v.pos+offsetSize*i) }

const offsetSize = 4

// pairs is the unread rest of a vector of structs of two int64.
type pairs []byte

const pairSize = 16

func (t table) pairs(slot int) (pairs, error) {
	v, err := t.vector(slot, pairSize)
	return v.bytes(pairSize), err
}

// next removes and returns the first pair.
func (p *pairs) next() (a, b int64, ok bool) {
	data := *p
	if len(data) < pairSize {
		return 0, 0, false
	}
	*p = data[pairSize:]
	return int64(binary.LittleEndian.Uint64(data)), int64(binary.LittleEndian.Uint64(data[8:])), true
}

// follow adds the offset stored at pos to pos.
func follow(data []byte, pos int) (int, error) {
	offset, err := uintAt(data, pos, offsetSize)
	if err != nil || offset > uint64(len(data)-pos) {
		return 0, errFlatbuffer
	}
	return pos + int(offset), nil
}

// uintAt reads a number of 1, 2, 4 or 8 bytes.
func uintAt(data []byte, pos, size int) (uint64, error) {
	if pos < 0 || pos > len(data)-size {
		return 0, errFlatbuffer
	}
	switch data = data[pos:]; size {
	case 1:
		return uint64(data[0]), nil
	case 2:
		return uint64(binary.LittleEndian.Uint16(data)), nil
	case 4:
		return uint64(binary.LittleEndian.Uint32(data)), nil
	}
	return binary.LittleEndian.Uint64(data), nil
}
