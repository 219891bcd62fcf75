package arrow

import (
	"encoding/binary"
	"errors"
	"math"

	"github.com/apache/arrow/go/v17/arrow/decimal128"

	"analyzer/columnar"
	"analyzer/columnar/ipc"
)

// own makes a part one of values of t that our own program wrote in the form of its batches, if the
// part has that form. So values of every type come back as they were, also of types that Arrow does
// not have.
func (p *part) own(t columnar.Type) bool {
	var read reader
	switch f := &p.Field; t.Kind() {
	case columnar.KindBool:
		if f.Kind == ipc.Bool {
			read = bools
		}
	case columnar.KindInt64:
		if f.Kind == ipc.Integer && f.Signed {
			read = integers(f.Bits, true)
		}
	case columnar.KindFloat64:
		if f.Kind == ipc.FloatingPoint {
			read = floats(f.Unit)
		}
	case columnar.KindInt128:
		if f.Kind == ipc.Decimal && f.Bits == 8*wideBytes {
			read = wides
		}
	case columnar.KindBytes:
		switch f.Kind {
		case ipc.Utf8:
			read = texts
		case ipc.Binary:
			read = blobs
		}
	case columnar.KindList:
		if f.Kind == ipc.List && p.items != nil && p.items.own(t.Item()) {
			read = lists
		}
	}
	if read == nil || !t.Writable() || p.Dictionary != nil {
		return false
	}
	p.typ, p.read = t, read
	return true
}

const wideBytes = 16

// wides reads numbers of 128 bits.
func wides(r *reading, at, n int64) error {
	stored, err := r.bytes(1, wideBytes, at, n)
	if err != nil {
		return err
	}
	v := r.vector
	v.Wides = growTo(v.Wides, int(n))
	for i := range v.Wides {
		low, high := binary.LittleEndian.Uint64(stored[wideBytes*i:]), binary.LittleEndian.Uint64(stored[wideBytes*i+wideBytes/2:])
		v.Wides[i] = decimal128.New(int64(high), low)
	}
	zeroNulls(v.Wides, v.Valid)
	return nil
}

// blobs reads bytes whose offsets say where they are.
func blobs(r *reading, at, n int64) error {
	const offsetBytes = 4
	ends, err := r.ends(offsetBytes, at, n)
	if err != nil {
		return err
	}
	data, err := r.bytes(2, 1, ends[0], ends[n]-ends[0])
	if err != nil {
		return err
	}
	if len(data) > math.MaxInt32 {
		return errors.New("the values of consecutive rows are too long")
	}
	v := r.vector
	v.Data, v.Offsets = v.Data[:0], growTo(v.Offsets, v.Len+1)
	v.Offsets[0] = 0
	for i := range v.Len {
		if !v.IsNull(i) {
			v.Data = append(v.Data, data[ends[i]-ends[0]:ends[i+1]-ends[0]]...)
		}
		v.Offsets[i+1] = int32(len(v.Data))
	}
	return nil
}
