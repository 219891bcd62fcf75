package scan

import "golang.org/x/sys/cpu"

// newParsers returns the fastest parsers that the processor can run, or the
// portable ones.
func newParsers(portable bool) parsers {
	x := &cpu.X86
	if portable || !x.HasAVX512F || !x.HasAVX512BW || !x.HasAVX512CD || !x.HasAVX512DQ {
		return portableParsers
	}
	return parsers{ints: parseIntLanes, decimals: parseDecimalLanes}
}

// lanes is how many cells are parsed at once.
const lanes = 8

func parseIntLanes(out []int64, data []byte, bounds []int32, stride int) int {
	n := 0
	if groups := len(out) / lanes; groups > 0 {
		_ = bounds[(groups*lanes-1)*stride+1]
		n = lanes * parseIntsAVX512(&out[0], groups, &data[0], &bounds[0], stride)
	}
	return n + parseInts(out[n:min(n+lanes, len(out))], data, bounds[min(n*stride, len(bounds)):], stride)
}

func parseDecimalLanes(out []int64, data []byte, bounds []int32, stride int) int {
	n := 0
	if groups := len(out) / lanes; groups > 0 {
		_ = bounds[(groups*lanes-1)*stride+1]
		n = lanes * parseDecimalsAVX512(&out[0], groups, &data[0], &bounds[0], stride)
	}
	return n + parseDecimals(out[n:min(n+lanes, len(out))], data, bounds[min(n*stride, len(bounds)):], stride)
}

// parseIntsAVX512 parses groups of eight cells until one has another form, and
// returns how many groups it has parsed. stride is counted in bounds.
//
//go:noescape
func parseIntsAVX512(out *int64, groups int, data *byte, bounds *int32, stride int) (done int)

//go:noescape
func parseDecimalsAVX512(out *int64, groups int, data *byte, bounds *int32, stride int) (done int)
