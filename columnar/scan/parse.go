package scan

import (
	"encoding/binary"

	"analyzer/columnar/number"
)

// parser parses the cells of a column into out, as far as package number takes them as
// they stand. It returns how many it has parsed. The cell of out[r] is
//
//	data[bounds[r*stride]+1 : bounds[r*stride+1]]
//
// and data has csv.Behind bytes more than all cells.
type parser func(out []int64, data []byte, bounds []int32, stride int) int

// parsers are in the form that suits the processor.
type parsers struct {
	ints, decimals, dates parser
	texts                 textCopier // nil: there is none
}

// textCopier copies the texts of a column to out, from ends[0] on, and writes behind that
// where each ends, as far as they are short, begin with the beginning of a UTF-8 sequence and
// have no quotes but those around them. It returns how many it has copied. There are textSlack
// bytes in out behind what all cells have.
type textCopier func(out []byte, ends []int32, data []byte, bounds []int32, stride int) int

var portableParsers = parsers{ints: parseInts, decimals: parseDecimals, dates: parseDates}

// parseInts, as parseDecimals, has the commonest forms in line: a call for each cell
// costs as much as the cell.
func parseInts(out []int64, data []byte, bounds []int32, stride int) int {
	at := 0
	for r := range out {
		cell := data[bounds[at]+1 : bounds[at+1]]
		at += stride
		v, ok := quickDigits(binary.LittleEndian.Uint64(cell[:8]), len(cell))
		if !ok {
			if v, ok = number.ParseInt(cell); !ok {
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
		n, p, v, ok := int(end-begin), data[begin:][:9], int64(0), false
		switch word := binary.LittleEndian.Uint64(p); {
		case n == 3:
			v, ok = tenths(word)
		case n <= 9:
			point, isPoint := pointOf(word)
			places := n - point - 1
			if isPoint && uint(places-1) < number.Scale {
				v, ok = eightDigits(digits(withoutPoint(word, binary.LittleEndian.Uint64(p[1:]), point), n-1))
				v *= powers[places]
			}
		}
		if !ok {
			if v, ok = number.ParseDecimal(data[begin:end]); !ok {
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
