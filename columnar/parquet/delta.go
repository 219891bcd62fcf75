package parquet

import (
	"encoding/binary"

	"analyzer/columnar"
)

// readDeltas reads numbers of which each is stored as the difference from the one before, and
// returns the bytes after them; see "Delta Encoding" in Encodings.md of the format. There are at
// most as many as most says.
func readDeltas(dst []int64, data []byte, most int) (numbers []int64, rest []byte, err error) {
	var head [4]uint64 // values per block, parts per block, total number of values, first value
	var ok bool
	for i := range head {
		if head[i], data, ok = uvarint(data); !ok {
			return nil, nil, errValues
		}
	}
	block, parts, total := head[0], head[1], head[2]
	if parts == 0 || parts > block || block > 1<<16 || total > uint64(most) {
		return nil, nil, errValues
	}
	if total == 0 {
		return dst, data, nil
	}
	last, each := zigzag(head[3]), int(block/parts)
	dst = append(dst, last)
	for left := int(total) - 1; left > 0; {
		var least uint64
		if least, data, ok = uvarint(data); !ok || uint64(len(data)) < parts {
			return nil, nil, errValues
		}
		widths := data[:parts]
		data = data[parts:]
		for _, width := range widths {
			if left <= 0 {
				break
			}
			n, size := min(each, left), each*int(width)/8
			if width > 64 || (n*int(width)+7)/8 > len(data) {
				return nil, nil, errValues
			}
			size = min(size, len(data))
			for i := range n {
				last += zigzag(least) + int64(bitsAt(data[:size], i*int(width), int(width)))
				dst = append(dst, last)
			}
			data, left = data[size:], left-n
		}
	}
	return dst, data, nil
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

// readDeltaTexts reads texts whose lengths are stored first, as deltas.
func readDeltaTexts(v *columnar.Vector, data []byte, most int) error {
	lengths, data, err := readDeltas(nil, data, most)
	if err != nil {
		return err
	}
	for _, n := range lengths {
		if n < 0 || n > int64(len(data)) {
			return errValues
		}
		v.AppendBytes(data[:n])
		data = data[n:]
	}
	return nil
}

// readDeltaArrays reads byte arrays of which each is stored as the number of bytes that it has in
// common with the beginning of the one before, and the rest. It returns the last one in the memory of
// last, which is that of the page before: Arrow for Go, and old versions of parquet-mr (PARQUET-246),
// begin a page with what it has in common with that one.
func readDeltaArrays(v *columnar.Vector, data []byte, most int, last []byte) ([]byte, error) {
	common, data, err := readDeltas(nil, data, most)
	if err != nil {
		return last, err
	}
	rests := columnar.NewVector(columnar.Text)
	if err := readDeltaTexts(rests, data, most); err != nil {
		return last, err
	}
	if rests.Len != len(common) {
		return last, errValues
	}
	for i, n := range common {
		if n < 0 || n > int64(len(last)) {
			return last, errValues
		}
		last = append(last[:n], rests.Bytes(i)...)
		if v.AppendBytes(last); len(v.Data) > columnar.MaxVectorBytes {
			return last, errLong
		}
	}
	return last, nil
}

// joined puts values together that are stored as streams of bytes: the first bytes of all, then the
// second ones, and so on.
func joined(data []byte, size int) ([]byte, error) {
	if size <= 0 || len(data)%size != 0 {
		return nil, errValues
	}
	n := len(data) / size
	out := make([]byte, len(data))
	for k := range size {
		stream := data[k*n : (k+1)*n]
		for i, b := range stream {
			out[i*size+k] = b
		}
	}
	return out, nil
}
