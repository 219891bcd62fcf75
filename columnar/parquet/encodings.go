package parquet

import (
	"encoding/binary"
	"errors"
	"iter"
	"math/bits"

	"github.com/apache/arrow/go/v17/parquet"
	"github.com/apache/arrow/go/v17/parquet/schema"
)

// enough reports whether there is a level for each value.
func enough(levels []byte, values int32, most int16) bool {
	left := int64(values)
	for r := range runs(levels, bits.Len16(uint16(most))) {
		if left <= 0 {
			break
		}
		left -= int64(r.values)
	}
	return left <= 0 || most == 0
}

// run is one run of values: either one repeated value, or a multiple of 8 packed values. A
// truncated run at the end of a page has no values, only data.
type run struct {
	values uint64
	packed bool
	data   []byte
}

// runs yields the runs of values of width bits, up to the end or the first damaged one; see
// "Run Length Encoding / Bit-Packing Hybrid" in Encodings.md of the format.
func runs(data []byte, width int) iter.Seq[run] {
	return func(yield func(run) bool) {
		for {
			header, rest, ok := uvarint(data)
			r := run{values: header >> 1, packed: header&1 == 1}
			if data = rest; !ok || r.values == 0 || header > 1<<32 {
				return
			}
			size := uint64(width+7) / 8
			if r.packed {
				size, r.values = r.values*uint64(width), 8*r.values
			}
			if size > uint64(len(data)) {
				size, r.values = uint64(len(data)), 0
			}
			if r.data, data = data[:size], data[size:]; !yield(r) {
				return
			}
		}
	}
}

// largest returns the largest value of a run; width is the number of bits of a value, at most
// 32.
func (r run) largest(width int) (most uint64) {
	if !r.packed {
		for i, b := range r.data {
			most |= uint64(b) << (8 * i)
		}
		return most
	}
	var waiting uint64
	have := 0
	for _, b := range r.data {
		waiting |= uint64(b) << have
		for have += 8; have >= width; have -= width {
			most = max(most, waiting&(1<<width-1))
			waiting >>= width
		}
	}
	return most
}

var errDictionary = errors.New("a dictionary has fewer values than it should")

// checkDictionary checks that a dictionary has all of its values.
func checkDictionary(data []byte, values int, column *schema.Column) error {
	size := column.PhysicalType().ByteSize()
	switch column.PhysicalType() {
	case parquet.Types.ByteArray:
		for range values {
			if len(data) < 4 || int64(binary.LittleEndian.Uint32(data)) > int64(len(data)-4) {
				return errDictionary
			}
			data = data[4+binary.LittleEndian.Uint32(data):]
		}
		return nil
	case parquet.Types.FixedLenByteArray:
		size = column.TypeLength()
	}
	if values > len(data)/max(size, 1) {
		return errDictionary
	}
	return nil
}

// few is a number of values that may be read or allocated without harm, even if missing.
const few = 1 << 16

// checkIndices checks indices into a dictionary: their width, followed by runs. If least is 0,
// the reader itself detects an index that is too large, but may first allocate memory up to
// that index.
func checkIndices(data []byte, least int64, dictionary int) error {
	if len(data) == 0 || data[0] > 32 {
		return errValues
	}
	width, all := int(data[0]), least == 0
	if all && 1<<width <= few {
		return nil
	}
	for r := range runs(data[1:], width) {
		if !all && least <= 0 {
			break
		}
		if 1<<width > dictionary && r.largest(width) >= uint64(dictionary) {
			return errDictionary
		}
		least -= int64(r.values)
	}
	if least > 0 {
		return errValues
	}
	return nil
}

var errValues = errors.New("a page has not as many values as it should")

// checkDeltas checks delta-encoded numbers and returns the bytes after them; see "Delta
// Encoding" in Encodings.md of the format.
func checkDeltas(data []byte, least, most int64) ([]byte, error) {
	var head [4]uint64 // values per block, parts per block, total number of values, first value
	var ok bool
	for i := range head {
		if head[i], data, ok = uvarint(data); !ok {
			return nil, errValues
		}
	}
	block, parts, values := head[0], head[1], int64(head[2])
	if block > few || parts == 0 || parts > block || values < least || values > most {
		return nil, errValues
	}
	for left := values - 1; left > 0; {
		if _, data, ok = uvarint(data); !ok || uint64(len(data)) < parts {
			return nil, errValues
		}
		widths := data[:parts]
		data = data[parts:]
		for _, width := range widths {
			if left <= 0 {
				break
			}
			size := min(block/parts*uint64(width)/8, uint64(len(data)))
			data, left = data[size:], left-int64(block/parts)
		}
	}
	return data, nil
}

// uvarint reads a number at the beginning of data.
func uvarint(data []byte) (_ uint64, rest []byte, ok bool) {
	v, n := binary.Uvarint(data)
	return v, data[max(n, 0):], n > 0
}
