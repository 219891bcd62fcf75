package parquet

import (
	"encoding/binary"
	"errors"
	"iter"
	"math/bits"

	"github.com/apache/arrow/go/v17/parquet"
	"github.com/apache/arrow/go/v17/parquet/schema"
)

// enough reports whether runs of levels are as many as values.
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

// run is values that lie together: one that is repeated, or 8 after the other, packed. One
// that ends with its page before its time has no values, only data.
type run struct {
	values uint64
	packed bool
	data   []byte
}

// runs are those of values of so many bits, to the end or the first that is damaged; see
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

// largest returns the largest value, of so many bits, at most 32.
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

// checkDictionary looks for the values of a dictionary.
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

// few is how many values are read without harm that are not there.
const few = 1 << 16

// checkIndices looks at places in a dictionary: their width and then runs of them. Where
// none has to be there, the reader sees itself which are too large, but takes memory up to
// there.
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

// checkDeltas looks at numbers of which the differences are stored, and returns what
// follows them; see "Delta Encoding" in Encodings.md of the format.
func checkDeltas(data []byte, least, most int64) ([]byte, error) {
	var head [4]uint64 // values of a block, parts of it, values in all, the first one
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

// uvarint takes a number from the beginning of data.
func uvarint(data []byte) (_ uint64, rest []byte, ok bool) {
	v, n := binary.Uvarint(data)
	return v, data[max(n, 0):], n > 0
}
