package scan

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

// noQuick and noColumn are for formats without a quick form: they take nothing.
func noQuick([]byte, int) (int64, bool) { return 0, false }

func noColumn(parsers) parser {
	return func([]int64, []byte, []int32, int) int { return 0 }
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
