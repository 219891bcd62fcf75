package scan

import (
	"encoding/binary"

	"analyzer/columnar/number"
)

// parser parses the cells of a column into out, as far as they are in its common
// forms, those of quickInt for instance. It returns how many it has parsed: at least
// one unless the first is in another form. The cell of out[r] is
//
//	data[bounds[r*stride]+1 : bounds[r*stride+1]]
//
// and data has 8 bytes more than all cells.
type parser func(out []int64, data []byte, bounds []int32, stride int) int

// parsers are in the form that suits the processor.
type parsers struct{ ints, decimals parser }

var portableParsers = parsers{ints: parseInts, decimals: parseDecimals}

// parseInts, as parseDecimals, has the commonest form in line: a call for each cell
// costs as much as the cell.
func parseInts(out []int64, data []byte, bounds []int32, stride int) int {
	at := 0
	for r := range out {
		begin, end := bounds[at]+1, bounds[at+1]
		at += stride
		p, n := data[begin:], int(end-begin)
		v, ok := quickDigits(p, n)
		if !ok {
			if v, ok = quickInt(p, n); !ok {
				return r
			}
		}
		out[r] = v
	}
	return len(out)
}

func parseDecimals(out []int64, data []byte, bounds []int32, stride int) int {
	at := 0
	for r := range out {
		begin, end := bounds[at]+1, bounds[at+1]
		at += stride
		p, n := data[begin:], int(end-begin)
		v, ok := tenths(binary.LittleEndian.Uint64(p), n)
		if !ok {
			if v, ok = quickDecimal(p, n); !ok {
				return r
			}
		}
		out[r] = v
	}
	return len(out)
}

func parseDates(out []int64, data []byte, bounds []int32, stride int) int {
	return parseEach(number.ParseDate, out, data, bounds, stride)
}

func parseTimestamps(out []int64, data []byte, bounds []int32, stride int) int {
	return parseEach(number.ParseTimestamp, out, data, bounds, stride)
}

// parseEach is a parser for forms of which one call is not much beside the work.
func parseEach(one func([]byte) (int64, bool), out []int64, data []byte, bounds []int32, stride int) int {
	at := 0
	for r := range out {
		v, ok := one(data[bounds[at]+1 : bounds[at+1]])
		if !ok {
			return r
		}
		out[r] = v
		at += stride
	}
	return len(out)
}
