package parquet

import (
	"encoding/binary"
	"math"
	"slices"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/parquet"
	"github.com/apache/arrow/go/v17/parquet/schema"

	"analyzer/columnar"
)

// values are the values of a page that are not null, and have not been read yet.
type values struct {
	column *schema.Column
	data   []byte           // those whose encoding is PLAIN
	behind *content         // has what follows the data; nil: nothing does
	left   int              // at most so many are left
	codes  hybrid           // their places in the dictionary
	coded  bool             // they have such places
	truths hybrid           // truth values
	split  bool             // the bytes of data are apart: the first ones of all values, then the second ones
	summed bool             // they are in DELTA_BINARY_PACKED
	read   *columnar.Vector // those in another encoding, which are read as a whole; nil: another one
	next   int              // the next one of these, or of those that are split
	last   []byte           // the last value of the pages so far, if they are in DELTA_BYTE_ARRAY
	deltas *deltas          // memory
	joined []byte           // memory
}

// begin begins with a page that was loaded.
func (s *values) begin(p *pages) (err error) {
	*s = values{column: p.column, data: p.values, behind: &p.content, left: p.entries, last: s.last, deltas: s.deltas, joined: s.joined}
	kind := p.column.PhysicalType()
	switch p.encoding {
	case parquet.Encodings.Plain:
		s.truths = packedBits(p.values)
	case parquet.Encodings.PlainDict, parquet.Encodings.RLEDict:
		s.coded = true
		if len(p.values) > 0 {
			if p.values[0] > 32 {
				return errValues
			}
			s.codes = hybrid{rest: p.values[1:], width: int(p.values[0])}
		}
	case parquet.Encodings.RLE:
		if kind != parquet.Types.Boolean {
			return otherEncoding(p.encoding, kind)
		}
		if len(p.values) >= 4 {
			s.truths = hybrid{rest: p.values[4:], width: 1}
		}
	case parquet.Encodings.DeltaBinaryPacked, parquet.Encodings.DeltaLengthByteArray, parquet.Encodings.DeltaByteArray:
		return s.beginDeltas(p.encoding, kind)
	case byteStreamSplit:
		if s.split = true; s.size() <= 0 || len(s.data)%s.size() != 0 {
			return errValues
		}
	default:
		err = otherEncoding(p.encoding, kind)
	}
	return err
}

// byteStreamSplit is an encoding that Arrow has no name for.
const byteStreamSplit parquet.Encoding = 9

// beginDeltas reads all values of a page whose encoding makes each depend on the one before.
func (s *values) beginDeltas(e parquet.Encoding, kind parquet.Type) (err error) {
	if s.rest() == 0 {
		s.read = columnar.NewVector(columnar.Text)
		return nil
	}
	if s.deltas == nil {
		s.deltas = new(deltas)
	}
	integers := kind == parquet.Types.Int32 || kind == parquet.Types.Int64
	arrays := kind == parquet.Types.ByteArray || kind == parquet.Types.FixedLenByteArray && e == parquet.Encodings.DeltaByteArray
	switch d := s.deltas; {
	case integers && e == parquet.Encodings.DeltaBinaryPacked:
		s.summed, err = true, d.sums.begin(s, s.left)
	case arrays && e == parquet.Encodings.DeltaLengthByteArray:
		s.read, err = d.readTexts(s.data, s.left)
	case arrays && e == parquet.Encodings.DeltaByteArray:
		s.read, s.last, err = d.readArrays(s.data, s.left, s.last)
	default:
		err = otherEncoding(e, kind)
	}
	return err
}

// size returns how many bytes a value takes; 0: they differ.
func (s *values) size() int {
	switch kind := s.column.PhysicalType(); kind {
	case parquet.Types.ByteArray, parquet.Types.Boolean:
		return 0
	case parquet.Types.FixedLenByteArray:
		return s.column.TypeLength()
	default:
		return kind.ByteSize()
	}
}

// append appends the next n values, as they are stored, to a vector.
func (s *values) append(v *columnar.Vector, n int) error {
	switch {
	case s.summed:
		return s.appendSums(v, n)
	case s.read != nil:
		if n > s.read.Len-s.next {
			return errValues
		}
		v.AppendRange(s.read, s.next, s.next+n)
		s.next += n
		return nil
	case s.column.PhysicalType() == parquet.Types.Boolean:
		from := len(v.Bools)
		v.Bools = slices.Grow(v.Bools, n)[:from+n]
		_, err := s.truths.truths(v.Bools[from:])
		return err
	case s.column.PhysicalType() == parquet.Types.ByteArray:
		return s.appendArrays(v, n)
	}
	for n > 0 {
		part := min(n, takenAtOnce)
		stored, err := s.take(part)
		if err != nil {
			return err
		}
		s.appendFixed(v, stored, part)
		n -= part
	}
	return nil
}

// appendSums appends numbers that are stored as differences.
func (s *values) appendSums(v *columnar.Vector, n int) error {
	numbers, err := s.deltas.sums.append(v.Ints, s, n)
	if err != nil {
		return err
	}
	if s.column.PhysicalType() == parquet.Types.Int32 {
		for i := len(v.Ints); i < len(numbers); i++ {
			numbers[i] = int64(int32(numbers[i]))
		}
	}
	v.Ints = numbers
	return nil
}

// takenAtOnce is how many values of equal size are taken at once, which then are in the processor's cache.
const takenAtOnce = 4 << 10

// need sees to it that the data has n bytes.
func (s *values) need(n int) (err error) {
	switch {
	case n <= len(s.data):
	case s.behind == nil:
		err = errValues
	default:
		s.data, err = s.behind.more(s.data, n)
	}
	return err
}

// rest returns how many bytes the data has, with those behind it.
func (s *values) rest() int {
	if s.behind == nil {
		return len(s.data)
	}
	return len(s.data) + s.behind.size
}

// uvarint takes a number from the beginning of the data.
func (s *values) uvarint() (uint64, error) {
	if err := s.need(min(binary.MaxVarintLen64, s.rest())); err != nil {
		return 0, err
	}
	n, rest, ok := uvarint(s.data)
	if !ok {
		return 0, errValues
	}
	s.data = rest
	return n, nil
}

// take returns the bytes of the next n values of equal size.
func (s *values) take(n int) ([]byte, error) {
	size := s.size()
	if size <= 0 || s.split && n > len(s.data)/size-s.next {
		return nil, errValues
	}
	if s.split {
		s.joined = joined(s.joined, s.data, size, s.next, n)
		s.next += n
		return s.joined, nil
	}
	if err := s.need(n * size); err != nil {
		return nil, err
	}
	stored := s.data[:n*size]
	s.data = s.data[n*size:]
	return stored, nil
}

// appendFixed appends n values that take equally many bytes.
func (s *values) appendFixed(v *columnar.Vector, stored []byte, n int) {
	switch s.column.PhysicalType() {
	case parquet.Types.Int32:
		v.Ints = slices.Grow(v.Ints, n)
		for ; len(stored) >= 4; stored = stored[4:] {
			v.Ints = append(v.Ints, int64(int32(binary.LittleEndian.Uint32(stored))))
		}
	case parquet.Types.Int64:
		from := len(v.Ints)
		v.Ints = slices.Grow(v.Ints, n)[:from+n]
		copy(arrow.Int64Traits.CastToBytes(v.Ints[from:]), stored)
	case parquet.Types.Int96:
		for ; len(stored) >= parquet.Int96SizeBytes; stored = stored[parquet.Int96SizeBytes:] {
			v.Ints = append(v.Ints, parquet.Int96(stored[:parquet.Int96SizeBytes]).ToTime().UnixMicro())
		}
	case parquet.Types.Float:
		v.Floats = slices.Grow(v.Floats, n)
		for ; len(stored) >= 4; stored = stored[4:] {
			v.Floats = append(v.Floats, float64(math.Float32frombits(binary.LittleEndian.Uint32(stored))))
		}
	case parquet.Types.Double:
		from := len(v.Floats)
		v.Floats = slices.Grow(v.Floats, n)[:from+n]
		copy(arrow.Float64Traits.CastToBytes(v.Floats[from:]), stored)
	case parquet.Types.FixedLenByteArray:
		v.Offsets = slices.Grow(v.Offsets, n)
		size, end := s.size(), len(v.Data)
		for range n {
			end += size
			v.Offsets = append(v.Offsets, int32(end))
		}
		v.Data = append(v.Data, stored...)
	}
}

// Byte arrays are appended in pieces of so many bytes, for which there is memory at once. One of up to mostWide bytes
// is copied wideCopy bytes at a time: more than it has, but without a call.
const (
	pieceBytes = 16 << 10
	wideCopy   = 16
	mostWide   = 96
)

// appendArrays appends byte arrays of any length.
func (s *values) appendArrays(v *columnar.Vector, n int) error {
	text, offsets := v.Data, slices.Grow(v.Offsets, n)
	for n > 0 {
		size, err := s.arraySize()
		if err != nil {
			return err
		}
		piece := s.data[:min(len(s.data), max(4+size, pieceBytes))]
		data := piece
		for text = slices.Grow(text, len(data)+wideCopy); n > 0 && len(data) >= 4; n-- {
			size := int(binary.LittleEndian.Uint32(data))
			if size > len(data)-4 {
				break
			}
			end := len(text) + size
			if size <= mostWide && len(data) >= 4+size+wideCopy {
				for at := 0; at < size; at += wideCopy {
					*(*[wideCopy]byte)(text[len(text)+at : len(text)+at+wideCopy]) = [wideCopy]byte(data[4+at:])
				}
			} else {
				copy(text[len(text):end], data[4:])
			}
			text, data, offsets = text[:end], data[4+size:], append(offsets, int32(end))
		}
		if s.data = s.data[len(piece)-len(data):]; len(text) > math.MaxInt32 {
			return errLong
		}
	}
	v.Data, v.Offsets = text, offsets
	return nil
}

// arraySize returns the length of the byte array that the data begins with, and sees to it that it holds that.
func (s *values) arraySize() (int, error) {
	if err := s.need(4); err != nil {
		return 0, err
	}
	size := int64(binary.LittleEndian.Uint32(s.data))
	if size > math.MaxInt32 {
		return 0, errValues
	}
	return int(size), s.need(4 + int(size))
}

// skip passes over n values.
func (s *values) skip(n int) error {
	switch {
	case s.coded:
		return s.codes.skip(n)
	case s.summed:
		return s.deltas.sums.skip(s, n)
	case s.read != nil:
		s.next += min(n, s.read.Len-s.next)
		return nil
	case s.split:
		s.next += min(n, len(s.data)/s.size()-s.next)
		return nil
	case s.column.PhysicalType() == parquet.Types.Boolean:
		return s.truths.skip(n)
	case s.column.PhysicalType() != parquet.Types.ByteArray:
		for ; n > 0; n -= min(n, takenAtOnce) {
			if _, err := s.take(min(n, takenAtOnce)); err != nil {
				return err
			}
		}
		return nil
	}
	for range n {
		size, err := s.arraySize()
		if err != nil {
			return err
		}
		s.data = s.data[4+size:]
	}
	return nil
}
