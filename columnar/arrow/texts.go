package arrow

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"unicode/utf8"

	"analyzer/columnar"
	"analyzer/columnar/csv"
	"analyzer/columnar/ipc"
)

// texts reads texts whose offsets say where their bytes are.
func texts(r *reading, at, n int64) error {
	width := int64(4)
	if r.part.Kind == ipc.LargeUtf8 {
		width = 8
	}
	ends, data, err := r.varying(width, at, n)
	if err != nil {
		return err
	}
	v := r.vector
	v.Offsets = growTo(v.Offsets, int(n)+1)
	v.Offsets[0] = 0
	plain := utf8.Valid(data)
	for i := range int(n) {
		end := ends[i+1] - ends[0]
		v.Offsets[i+1] = int32(end)
		plain = plain && (end == int64(len(data)) || utf8.RuneStart(data[end])) && (v.Offsets[i+1] == v.Offsets[i] || !v.IsNull(i))
	}
	if plain {
		v.Data = append(v.Data, data...)
		return nil
	}
	return r.texts(func(i int) []byte { return data[ends[i]-ends[0] : ends[i+1]-ends[0]] })
}

// varying reads the bytes of n values that vary in size, and where each ends among them, from ends[0] on,
// by offsets of a width.
func (r *reading) varying(width, at, n int64) (ends []int64, data []byte, err error) {
	if ends, err = r.ends(width, at, n); err == nil {
		data, err = r.bytes(2, 1, ends[0], ends[n]-ends[0])
	}
	return ends, data, err
}

// texts appends a text for each value that is not null. Invalid UTF-8 is replaced as in a CSV file.
func (r *reading) texts(text func(i int) []byte) error {
	v := r.vector
	v.Data, v.Offsets = v.Data[:0], growTo(v.Offsets, v.Len+1)
	v.Offsets[0] = 0
	for i := range v.Len {
		if !v.IsNull(i) {
			if t := text(i); utf8.Valid(t) {
				v.Data = append(v.Data, t...)
			} else {
				v.Data = csv.AppendUTF8(v.Data, t)
			}
		}
		if len(v.Data) > math.MaxInt32 {
			return errors.New("the texts of consecutive rows are too long")
		}
		v.Offsets[i+1] = int32(len(v.Data))
	}
	return nil
}

// A view is 16 bytes: the length of a text and, if that is at most viewInline, the text; otherwise
// its first four bytes, the number of a buffer, and where the text is there.
const (
	viewBytes  = 16
	viewInline = 12
)

// views reads texts, or bytes, that stand in views.
func views(r *reading, at, n int64) error {
	all, err := r.bytes(1, viewBytes, at, n)
	if err != nil {
		return err
	}
	buffers, err := r.body.variadic(r.part.views)
	if err != nil {
		return err
	}
	spans := make([]span, buffers)
	view := func(i int) (length, buffer, from int64) {
		w := all[i*viewBytes:]
		return int64(int32(binary.LittleEndian.Uint32(w))), int64(int32(binary.LittleEndian.Uint32(w[8:]))), int64(int32(binary.LittleEndian.Uint32(w[12:])))
	}
	for i := range int(n) {
		length, buffer, from := view(i)
		switch {
		case r.vector.IsNull(i):
		case length < 0:
			return fmt.Errorf("a text of %d bytes", length)
		case length > viewInline:
			if from < 0 || buffer < 0 || buffer >= int64(len(spans)) {
				return fmt.Errorf("a text at %d of buffer %d of %d", from, buffer, len(spans))
			}
			spans[buffer].add(from, from+length)
		}
	}
	for k := range spans {
		if spans[k].lo == spans[k].hi {
			continue
		}
		if spans[k].data, err = r.bytes(2+k, 1, spans[k].lo, spans[k].hi-spans[k].lo); err != nil {
			return err
		}
	}
	value := func(i int) []byte {
		length, buffer, from := view(i)
		if length <= viewInline {
			return all[i*viewBytes+4:][:length]
		}
		s := &spans[buffer]
		return s.data[from-s.lo:][:length]
	}
	if r.part.typ == columnar.Bytes {
		return r.encode(func(dst []byte, i int) []byte { return append(dst, value(i)...) })
	}
	return r.texts(value)
}

// span is the part of a buffer in which the texts of a block stand.
type span struct {
	lo, hi int64
	data   []byte
}

func (s *span) add(lo, hi int64) {
	if s.lo == s.hi {
		s.lo, s.hi = lo, hi
		return
	}
	s.lo, s.hi = min(s.lo, lo), max(s.hi, hi)
}
