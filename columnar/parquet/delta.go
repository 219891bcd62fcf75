package parquet

import (
	"encoding/binary"
	"slices"

	"analyzer/columnar"
)

// sums are numbers of which each is stored as the difference from the one before; see "Delta Encoding" in Encodings.md of
// the format. They are read in the order of the data.
type sums struct {
	left   int     // numbers that were not taken
	last   int64   // the one read last
	each   int     // numbers of a part of a block
	parts  int     // of a block
	widths []byte  // of the numbers in the parts of the block that were not read
	least  int64   // is added to the numbers of the block
	ready  []int64 // numbers that were read and not taken
	memory []int64
	bytes  []byte // memory for widths
}

// begin begins with numbers in the data, at most as many as most says.
func (d *sums) begin(from *values, most int) (err error) {
	var head [4]uint64 // values per block, parts per block, total number of values, first value
	for i := range head {
		if head[i], err = from.uvarint(); err != nil {
			return err
		}
	}
	block, parts, total := head[0], head[1], head[2]
	if parts == 0 || parts > block || block > 1<<16 || total > uint64(most) {
		return errValues
	}
	d.left, d.last, d.each, d.parts, d.widths, d.ready = int(total), zigzag(head[3]), int(block/parts), int(parts), nil, nil
	d.memory = growTo(d.memory, max(d.each, 1))
	if total > 0 {
		d.memory[0] = d.last
		d.ready = d.memory[:1]
	}
	return nil
}

// append appends the next n numbers.
func (d *sums) append(dst []int64, from *values, n int) ([]int64, error) {
	if n > d.left {
		return nil, errValues
	}
	dst = slices.Grow(dst, n)
	for n > 0 {
		if len(d.ready) == 0 && n >= d.each {
			part := dst[len(dst) : len(dst)+d.each]
			if err := d.read(part, from); err != nil {
				return nil, err
			}
			dst, n, d.left = dst[:len(dst)+d.each], n-d.each, d.left-d.each
			continue
		}
		some, err := d.take(from, n)
		if err != nil {
			return nil, err
		}
		dst, n = append(dst, some...), n-len(some)
	}
	return dst, nil
}

// skip passes over n numbers, or those that are left.
func (d *sums) skip(from *values, n int) error {
	for n = min(n, d.left); n > 0; {
		some, err := d.take(from, n)
		if err != nil {
			return err
		}
		n -= len(some)
	}
	return nil
}

// take takes up to n of the numbers that are ready, which others are made if there are none.
func (d *sums) take(from *values, n int) (some []int64, err error) {
	if len(d.ready) == 0 {
		d.ready = d.memory[:min(d.each, d.left)]
		if err := d.read(d.ready, from); err != nil {
			return nil, err
		}
	}
	n = min(n, len(d.ready))
	some, d.ready = d.ready[:n], d.ready[n:]
	d.left -= n
	return some, nil
}

// read reads numbers of a part, at least one.
func (d *sums) read(dst []int64, from *values) error {
	if len(d.widths) == 0 {
		least, err := from.uvarint()
		if err == nil {
			err = from.need(d.parts)
		}
		if err != nil {
			return err
		}
		d.bytes = append(d.bytes[:0], from.data[:d.parts]...)
		d.least, d.widths, from.data = zigzag(least), d.bytes, from.data[d.parts:]
	}
	width := int(d.widths[0])
	d.widths = d.widths[1:]
	used := (len(dst)*width + 7) / 8
	whole := min(d.each*width/8, from.rest()) // the last part may be cut
	if width > 64 || used > from.rest() {
		return errValues
	}
	if err := from.need(max(used, whole)); err != nil {
		return err
	}
	d.last = addDeltas(dst, from.data, width, d.last, d.least)
	from.data = from.data[whole:]
	return nil
}

// readAll reads all numbers at the beginning of data, and returns the bytes after them. There are at most as many as
// most says.
func (d *sums) readAll(dst []int64, data []byte, most int) (numbers []int64, rest []byte, err error) {
	from := values{data: data}
	if err := d.begin(&from, most); err != nil {
		return nil, nil, err
	}
	numbers, err = d.append(dst, &from, d.left)
	return numbers, from.data, err
}

// addDeltas reads numbers of which each is greater by least, and by a number of width bits, than the one before,
// and returns the last of them.
func addDeltas(dst []int64, packed []byte, width int, last, least int64) int64 {
	const widest = 57 // and 7 bits before it fit into a word
	mask, i := uint64(1)<<width-1, 0
	switch {
	case width == 0:
		for i := range dst {
			last += least
			dst[i] = last
		}
		return last
	case width <= widest:
		for bit := 0; i < len(dst) && bit>>3+8 <= len(packed); i, bit = i+1, bit+width {
			last += least + int64(binary.LittleEndian.Uint64(packed[bit>>3:])>>(bit&7)&mask)
			dst[i] = last
		}
	}
	for ; i < len(dst); i++ {
		last += least + int64(bitsAt(packed, i*width, width))
		dst[i] = last
	}
	return last
}

func zigzag(v uint64) int64 { return int64(v>>1) ^ -int64(v&1) }

// bitsAt returns the number of width bits, at most 64, that begins at a bit.
func bitsAt(data []byte, bit, width int) uint64 {
	if width == 0 {
		return 0
	}
	var word [9]byte
	copy(word[:], data[bit>>3:])
	low := binary.LittleEndian.Uint64(word[:]) >> (bit & 7)
	if over := bit&7 + width - 64; over > 0 {
		low |= uint64(word[8]) << (64 - bit&7)
	}
	return low & (1<<width - 1) // 1<<64 is 0
}

// deltas is memory for what pages hold in deltas.
type deltas struct {
	sums            sums
	numbers, common []int64
	texts, whole    *columnar.Vector
}

// readTexts reads texts whose lengths are stored first, as deltas. They stay in data.
func (d *deltas) readTexts(data []byte, most int) (v *columnar.Vector, err error) {
	if d.numbers, data, err = d.sums.readAll(d.numbers[:0], data, most); err != nil {
		return nil, err
	}
	if d.texts == nil {
		d.texts = columnar.NewVector(columnar.Text)
	}
	v, end := d.texts, int64(0)
	v.Len, v.Offsets = len(d.numbers), slices.Grow(v.Offsets[:0], len(d.numbers)+1)
	v.Offsets = append(v.Offsets, 0)
	for _, n := range d.numbers {
		if n < 0 || n > int64(len(data))-end {
			return nil, errValues
		}
		end += n
		v.Offsets = append(v.Offsets, int32(end))
	}
	v.Data = data[:end:end]
	return v, nil
}

// readArrays reads byte arrays of which each is stored as the number of bytes that it has in
// common with the beginning of the one before, and the rest. It returns the last one in the memory of
// last, which is that of the page before: Arrow for Go, and old versions of parquet-mr (PARQUET-246),
// begin a page with what it has in common with that one.
func (d *deltas) readArrays(data []byte, most int, last []byte) (v *columnar.Vector, _ []byte, err error) {
	if d.common, data, err = d.sums.readAll(d.common[:0], data, most); err != nil {
		return nil, last, err
	}
	rests, err := d.readTexts(data, most)
	if err != nil {
		return nil, last, err
	}
	if rests.Len != len(d.common) {
		return nil, last, errValues
	}
	if d.whole == nil {
		d.whole = columnar.NewVector(columnar.Text)
	}
	v = d.whole
	v.Reset()
	for i, n := range d.common {
		if n < 0 || n > int64(len(last)) {
			return nil, last, errValues
		}
		last = append(last[:n], rests.Bytes(i)...)
		if v.AppendBytes(last); len(v.Data) > columnar.MaxVectorBytes {
			return nil, last, errLong
		}
	}
	return v, last, nil
}

// joined puts n values together, from one on, that are stored as streams of bytes: the first bytes of all, then
// the second ones, and so on.
func joined(dst, streams []byte, size, from, n int) []byte {
	dst = slices.Grow(dst[:0], n*size)[:n*size]
	all := len(streams) / size
	stream := func(k int) []byte { return streams[k*all+from:][:n] }
	switch size {
	case 4:
		s0, s1, s2, s3 := stream(0), stream(1), stream(2), stream(3)
		for i := range n {
			binary.LittleEndian.PutUint32(dst[4*i:], uint32(s0[i])|uint32(s1[i])<<8|uint32(s2[i])<<16|uint32(s3[i])<<24)
		}
	case 8:
		s0, s1, s2, s3, s4, s5, s6, s7 := stream(0), stream(1), stream(2), stream(3), stream(4), stream(5), stream(6), stream(7)
		for i := range n {
			low := uint32(s0[i]) | uint32(s1[i])<<8 | uint32(s2[i])<<16 | uint32(s3[i])<<24
			high := uint32(s4[i]) | uint32(s5[i])<<8 | uint32(s6[i])<<16 | uint32(s7[i])<<24
			binary.LittleEndian.PutUint64(dst[8*i:], uint64(low)|uint64(high)<<32)
		}
	default:
		for k := range size {
			for i, b := range stream(k) {
				dst[i*size+k] = b
			}
		}
	}
	return dst
}
