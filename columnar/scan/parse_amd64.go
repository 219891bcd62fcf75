package scan

import (
	"golang.org/x/sys/cpu"

	"analyzer/columnar/number"
)

// newParsers returns the fastest parsers that the processor can run, or the
// portable ones.
func newParsers(portable bool) parsers {
	switch x := &cpu.X86; {
	case portable:
	case x.HasAVX512F && x.HasBMI2 && x.HasAVX512BW && x.HasAVX512CD && x.HasAVX512DQ:
		return avx512Parsers
	case x.HasAVX2 && x.HasBMI2:
		return avx2Parsers
	}
	return portableParsers
}

var (
	avx2Parsers = parsers{
		ints: inLanes(4, parseIntsAVX2, parseInts), decimals: inLanes(4, parseTenthsAVX2, plainDecimals), dates: plainDates,
	}
	avx512Parsers = parsers{
		ints: inLanes(8, parseIntsAVX512, parseInts), decimals: inLanes(8, parseDecimalsAVX512, plainDecimals), dates: plainDates,
		texts: copyTexts,
	}

	plainDecimals = mixed(number.ParseDecimals, parseDecimals)
	plainDates    = mixed(number.ParseDates, parseDates)
)

// groupParser parses groups of cells until one has another form, and returns how many
// groups it has parsed. stride is counted in bounds.
type groupParser func(out *int64, groups int, data *byte, bounds *int32, stride int) (done int)

// inLanes makes a parser of one of groups of so many cells, and of one of all cells that
// stand alone. Where the first group is in another form, so will others be: all are
// parsed alone then, until one is in no form at all.
func inLanes(lanes int, group groupParser, alone parser) parser {
	return func(out []int64, data []byte, bounds []int32, stride int) int {
		n := 0
		if groups := len(out) / lanes; groups > 0 {
			_ = bounds[(groups*lanes-1)*stride+1]
			n = lanes * group(&out[0], groups, &data[0], &bounds[0], stride)
		}
		rest := out[n:]
		if n > 0 {
			rest = rest[:min(lanes, len(rest))]
		}
		return n + alone(rest, data, bounds[min(n*stride, len(bounds)):], stride)
	}
}

// Behind a cell of another form so many are read one by one: fewer if those before it were
// many of the common form.
const (
	fewAlone  = 4
	manyAlone = 64
)

// mixed makes a parser of one of the commonest form, and of one of all forms.
func mixed(common, alone parser) parser {
	return func(out []int64, data []byte, bounds []int32, stride int) int {
		for r := 0; r < len(out); {
			n := common(out[r:], data, bounds[r*stride:], stride)
			r += n
			most := manyAlone
			if n > manyAlone {
				most = fewAlone
			}
			rest := out[r:min(r+most, len(out))]
			n = alone(rest, data, bounds[min(r*stride, len(bounds)):], stride)
			if r += n; n < len(rest) {
				return r
			}
		}
		return len(out)
	}
}

// copyTexts is a textCopier of texts of up to 64 bytes.
func copyTexts(out []byte, ends []int32, data []byte, bounds []int32, stride int) int {
	n := len(ends) - 1
	_ = bounds[(n-1)*stride+1]
	return copyTextsAVX512(&out[0], &ends[0], n, &data[0], &bounds[0], stride)
}

//go:noescape
func copyTextsAVX512(out *byte, ends *int32, n int, data *byte, bounds *int32, stride int) (done int)

// parseIntsAVX2 parses 1 to 8 digits.
//
//go:noescape
func parseIntsAVX2(out *int64, groups int, data *byte, bounds *int32, stride int) (done int)

// parseTenthsAVX2 parses numbers like 4.5.
//
//go:noescape
func parseTenthsAVX2(out *int64, groups int, data *byte, bounds *int32, stride int) (done int)

// parseIntsAVX512 parses 1 to 8 digits, or a minus and up to 7.
//
//go:noescape
func parseIntsAVX512(out *int64, groups int, data *byte, bounds *int32, stride int) (done int)

//go:noescape
func parseDecimalsAVX512(out *int64, groups int, data *byte, bounds *int32, stride int) (done int)
