package parquet

import (
	"encoding/binary"
	"math/bits"
)

// hybrid reads small numbers of width bits: runs of one repeated value, and runs of packed values;
// see "Run Length Encoding / Bit-Packing Hybrid" in Encodings.md of the format. Levels, indexes into
// dictionaries and truth values are stored so. It allocates nothing and trusts nothing.
type hybrid struct {
	rest   []byte // after the current run
	width  int    // at most 32
	left   int    // how many values the current run still has
	value  int32  // the value of a run of one
	packed []byte // the values of a run of packed ones
	bit    int    // where the next one begins
	packs  bool   // the current run is one of packed values
	layout layout // of values of this width
}

// packedBits returns a hybrid that is one run of packed truth values.
func packedBits(data []byte) hybrid {
	return hybrid{width: 1, packs: true, packed: data, left: 8 * len(data)}
}

// begin goes on to a run that has values.
func (h *hybrid) begin() error {
	for h.left == 0 {
		header, rest, ok := uvarint(h.rest)
		if !ok || header > 1<<32 {
			return errValues
		}
		if h.packs = header&1 == 1; h.packs {
			h.beginPacked(header>>1, rest)
			continue
		}
		size := (h.width + 7) / 8
		if size > len(rest) {
			return errValues
		}
		h.value = 0
		for i, b := range rest[:size] {
			h.value |= int32(b) << (8 * i)
		}
		h.left, h.rest = int(header>>1), rest[size:]
	}
	return nil
}

// beginPacked begins a run of packed values in groups of 8. The last run of a page may be cut.
func (h *hybrid) beginPacked(groups uint64, rest []byte) {
	size, values := groups*uint64(h.width), 8*groups
	if size > uint64(len(rest)) {
		size = uint64(len(rest))
		values = size * 8 / uint64(h.width)
	}
	h.packed, h.rest, h.bit, h.left = rest[:size], rest[size:], 0, int(values)
}

// read reads as many values as dst has room for, and returns the greatest of them.
func (h *hybrid) read(dst []int32) (most uint32, err error) {
	for len(dst) > 0 {
		if err := h.begin(); err != nil {
			return 0, err
		}
		part := dst[:min(len(dst), h.left)]
		switch {
		case h.packs:
			most = max(most, unpack(part, h.packed, h.bit, h.width, &h.layout))
			h.bit += len(part) * h.width
		default:
			for i := range part {
				part[i] = h.value
			}
			most = max(most, uint32(h.value))
		}
		h.left -= len(part)
		dst = dst[len(part):]
	}
	return most, nil
}

// allTrue passes over n values of one bit if they belong to a run of ones, and reports whether they do.
func (h *hybrid) allTrue(n int) (bool, error) {
	if n == 0 {
		return true, nil
	}
	if err := h.begin(); err != nil {
		return false, err
	}
	if h.packs || h.value == 0 || h.left < n {
		return false, nil
	}
	h.left -= n
	return true, nil
}

// truths reads values of one bit, and returns how many are true.
func (h *hybrid) truths(dst []bool) (n int, err error) {
	for len(dst) > 0 {
		if err := h.begin(); err != nil {
			return 0, err
		}
		part := dst[:min(len(dst), h.left)]
		switch {
		case h.packs:
			n += truths(part, h.packed, h.bit)
			h.bit += len(part)
		default:
			for i := range part {
				part[i] = h.value != 0
			}
			if h.value != 0 {
				n += len(part)
			}
		}
		h.left -= len(part)
		dst = dst[len(part):]
	}
	return n, nil
}

// truths reads bits from one of packed on, of which there must be enough, and returns how many are set.
func truths(dst []bool, packed []byte, bit int) (n int) {
	for len(dst) >= 8 && bit&7 == 0 {
		b := packed[bit>>3]
		*(*[8]bool)(dst) = truthsOf[b]
		n += bits.OnesCount8(b)
		dst, bit = dst[8:], bit+8
	}
	for i := range dst {
		b := packed[bit>>3] >> (bit & 7) & 1
		dst[i] = b != 0
		n += int(b)
		bit++
	}
	return n
}

// truthsOf are the bits of each byte. It is read only.
var truthsOf = func() (all [256][8]bool) {
	for b := range all {
		for i := range all[b] {
			all[b][i] = b>>i&1 != 0
		}
	}
	return all
}()

// skip leaves values out.
func (h *hybrid) skip(n int) error {
	for n > 0 {
		if err := h.begin(); err != nil {
			return err
		}
		part := min(n, h.left)
		if h.packs {
			h.bit += part * h.width
		}
		h.left -= part
		n -= part
	}
	return nil
}

// uvarint reads a number at the beginning of data.
func uvarint(data []byte) (_ uint64, rest []byte, ok bool) {
	v, n := binary.Uvarint(data)
	return v, data[max(n, 0):], n > 0
}
