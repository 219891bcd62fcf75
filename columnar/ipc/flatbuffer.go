package ipc

import (
	"encoding/binary"
	"errors"
)

var errMetadata = errors.New("metadata is not a well-formed flatbuffer")

// table is a table of a flatbuffer. Reads outside the bytes are errors, fields
// that are absent have their default, zero.
// Format: https://flatbuffers.dev/internals/
type table struct {
	data   []byte
	pos    int // of the table
	vtable int // of its field positions
	fields int // bytes of the vtable
}

// rootTable returns the table a flatbuffer begins with.
func rootTable(data []byte) (table, error) { return tableAt(data, 0) }

// tableAt follows the offset stored at pos to a table.
func tableAt(data []byte, pos int) (table, error) {
	start, err := follow(data, pos)
	if err != nil {
		return table{}, err
	}
	back, err := uint32At(data, start)
	if err != nil {
		return table{}, err
	}
	vtable := start - int(int32(back))
	fields, err := uint16At(data, vtable)
	if err != nil {
		return table{}, err
	}
	if fields < 4 || vtable+int(fields) > len(data) {
		return table{}, errMetadata
	}
	return table{data: data, pos: start, vtable: vtable, fields: int(fields)}, nil
}

// field returns the position of the slot-th field, 0 when it is absent.
func (t table) field(slot int) int {
	at := 4 + 2*slot
	if at+2 > t.fields {
		return 0
	}
	offset := binary.LittleEndian.Uint16(t.data[t.vtable+at:])
	if offset == 0 {
		return 0
	}
	return t.pos + int(offset)
}

func (t table) uint8(slot int) (byte, error) {
	pos := t.field(slot)
	if pos == 0 {
		return 0, nil
	}
	if pos >= len(t.data) {
		return 0, errMetadata
	}
	return t.data[pos], nil
}

func (t table) int64(slot int) (int64, error) {
	pos := t.field(slot)
	if pos == 0 {
		return 0, nil
	}
	if pos+8 > len(t.data) {
		return 0, errMetadata
	}
	return int64(binary.LittleEndian.Uint64(t.data[pos:])), nil
}

func (t table) table(slot int) (child table, present bool, err error) {
	pos := t.field(slot)
	if pos == 0 {
		return table{}, false, nil
	}
	child, err = tableAt(t.data, pos)
	return child, err == nil, err
}

// pairs is a vector of structs of two int64.
type pairs struct{ data []byte }

const pairSize = 16

func (t table) pairs(slot int) (pairs, error) {
	pos := t.field(slot)
	if pos == 0 {
		return pairs{}, nil
	}
	start, err := follow(t.data, pos)
	if err != nil {
		return pairs{}, err
	}
	count, err := uint32At(t.data, start)
	if err != nil {
		return pairs{}, err
	}
	first := start + 4
	if int64(count)*pairSize > int64(len(t.data)-first) {
		return pairs{}, errMetadata
	}
	return pairs{t.data[first : first+int(count)*pairSize]}, nil
}

// next takes the first pair off the vector.
func (p *pairs) next() (a, b int64, ok bool) {
	if len(p.data) < pairSize {
		return 0, 0, false
	}
	a = int64(binary.LittleEndian.Uint64(p.data))
	b = int64(binary.LittleEndian.Uint64(p.data[8:]))
	p.data = p.data[pairSize:]
	return a, b, true
}

// follow adds the offset stored at pos to pos.
func follow(data []byte, pos int) (int, error) {
	offset, err := uint32At(data, pos)
	if err != nil {
		return 0, err
	}
	if int64(pos)+int64(offset) > int64(len(data)) {
		return 0, errMetadata
	}
	return pos + int(offset), nil
}

func uint32At(data []byte, pos int) (uint32, error) {
	if pos < 0 || pos+4 > len(data) {
		return 0, errMetadata
	}
	return binary.LittleEndian.Uint32(data[pos:]), nil
}

func uint16At(data []byte, pos int) (uint16, error) {
	if pos < 0 || pos+2 > len(data) {
		return 0, errMetadata
	}
	return binary.LittleEndian.Uint16(data[pos:]), nil
}
