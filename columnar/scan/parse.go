package scan

import "analyzer/columnar"

// parser parses the cells of a column into out, as far as they are in the common
// forms of quickInt or quickDecimal. It returns how many it has parsed: at least
// one unless the first is in another form. The cell of out[r] is
//
//	data[bounds[r*stride]+1 : bounds[r*stride+1]]
//
// and data has 8 bytes more than all cells.
type parser func(out []int64, data []byte, bounds []int32, stride int) int

// parsers are in the form that suits the processor.
type parsers struct{ ints, decimals parser }

// of returns the parser of a format; of FormatBool it parses nothing.
func (p parsers) of(f columnar.Format) parser {
	switch f {
	case columnar.FormatInt:
		return p.ints
	case columnar.FormatDecimal:
		return p.decimals
	}
	return func([]int64, []byte, []int32, int) int { return 0 }
}

// quickOf returns quickInt or quickDecimal; of FormatBool it takes nothing.
func quickOf(f columnar.Format) func(p []byte, n int) (int64, bool) {
	switch f {
	case columnar.FormatInt:
		return quickInt
	case columnar.FormatDecimal:
		return quickDecimal
	}
	return func([]byte, int) (int64, bool) { return 0, false }
}

var portableParsers = parsers{ints: parseInts, decimals: parseDecimals}

func parseInts(out []int64, data []byte, bounds []int32, stride int) int {
	for r := range out {
		at := bounds[r*stride:][:2]
		v, ok := quickInt(data[at[0]+1:], int(at[1]-at[0]-1))
		if !ok {
			return r
		}
		out[r] = v
	}
	return len(out)
}

func parseDecimals(out []int64, data []byte, bounds []int32, stride int) int {
	for r := range out {
		at := bounds[r*stride:][:2]
		v, ok := quickDecimal(data[at[0]+1:], int(at[1]-at[0]-1))
		if !ok {
			return r
		}
		out[r] = v
	}
	return len(out)
}
