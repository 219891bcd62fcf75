package gateway

import (
	"encoding/binary"
	"errors"
)

var errFlatbuffer = errors.New("the bytes are no flatbuffer")

// fbTable is a table of a flatbuffer from outside: reads beyond the bytes are
// errors, absent fields have their default.
// Format: https://flatbuffers.dev/internals/
type fbTable struct {
	data   []byte
	at     int
	vtable int
	fields int // bytes of the vtable
}

// fbVector is a vector of offsets.
type fbVector struct {
	data  []byte
	at    int // of the first
	count int
}

func rootTable(data []byte) (fbTable, error) { return tableAt(data, 0) }

// tableAt follows the offset at pos to a table.
func tableAt(data []byte, pos int) (fbTable, error) {
	at, err := follow(data, pos)
	if err != nil {
		return fbTable{}, err
	}
	back, err := uintAt(data, at, 4)
	if err != nil {
		return fbTable{}, err
	}
	vtable := at - int(int32(back))
	size, err := uintAt(data, vtable, 2)
	if err != nil || size < 4 || vtable+int(size) > len(data) {
		return fbTable{}, errFlatbuffer
	}
	return fbTable{data, at, vtable, int(size)}, nil
}

// field returns where a field is, 0 if it is absent.
func (t fbTable) field(slot int) int {
	entry := 4 + 2*slot
	if entry+2 > t.fields {
		return 0
	}
	offset := int(binary.LittleEndian.Uint16(t.data[t.vtable+entry:]))
	if offset == 0 {
		return 0
	}
	return t.at + offset
}

func (t fbTable) has(slot int) bool { return t.field(slot) != 0 }

// number returns a field of so many bytes, 0 if it is absent.
func (t fbTable) number(slot, size int) (uint64, error) {
	at := t.field(slot)
	if at == 0 {
		return 0, nil
	}
	return uintAt(t.data, at, size)
}

func (t fbTable) byteAt(slot int) (byte, error) {
	n, err := t.number(slot, 1)
	return byte(n), err
}

// fbNumber is a field of so many bytes with a value.
type fbNumber struct {
	slot, size int
	value      uint64
}

// are reports whether fields have values; absent ones have 0.
func (t fbTable) are(want ...fbNumber) (bool, error) {
	for _, w := range want {
		if n, err := t.number(w.slot, w.size); err != nil || n != w.value {
			return false, err
		}
	}
	return true, nil
}

func (t fbTable) table(slot int) (fbTable, error) {
	at := t.field(slot)
	if at == 0 {
		return fbTable{}, errFlatbuffer
	}
	return tableAt(t.data, at)
}

func (t fbTable) text(slot int) (string, error) {
	at := t.field(slot)
	if at == 0 {
		return "", nil
	}
	start, err := follow(t.data, at)
	if err != nil {
		return "", err
	}
	n, err := uintAt(t.data, start, 4)
	if err != nil || n > uint64(len(t.data)-start-4) {
		return "", errFlatbuffer
	}
	return string(t.data[start+4 : start+4+int(n)]), nil
}

func (t fbTable) vector(slot int) (fbVector, error) {
	at := t.field(slot)
	if at == 0 {
		return fbVector{}, nil
	}
	start, err := follow(t.data, at)
	if err != nil {
		return fbVector{}, err
	}
	n, err := uintAt(t.data, start, 4)
	if err != nil || 4*n > uint64(len(t.data)-start-4) {
		return fbVector{}, errFlatbuffer
	}
	return fbVector{t.data, start + 4, int(n)}, nil
}

func (v fbVector) table(i int) (fbTable, error) { return tableAt(v.data, v.at+4*i) }

// follow adds the offset at pos to it.
func follow(data []byte, pos int) (int, error) {
	n, err := uintAt(data, pos, 4)
	if err != nil || n > uint64(len(data)-pos) {
		return 0, errFlatbuffer
	}
	return pos + int(n), nil
}

// uintAt reads a number of 1, 2, 4 or 8 bytes.
func uintAt(data []byte, pos, size int) (uint64, error) {
	if pos < 0 || pos > len(data)-size {
		return 0, errFlatbuffer
	}
	switch size {
	case 1:
		return uint64(data[pos]), nil
	case 2:
		return uint64(binary.LittleEndian.Uint16(data[pos:])), nil
	case 4:
		return uint64(binary.LittleEndian.Uint32(data[pos:])), nil
	}
	return binary.LittleEndian.Uint64(data[pos:]), nil
}
