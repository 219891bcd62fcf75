package scan

import (
	"golang.org/x/sys/cpu"

	"analyzer/columnar/csv"
	"analyzer/columnar/number"
)

// copiesTexts reports whether the processor supports copyTexts.
var copiesTexts = cpu.X86.HasAVX512F && cpu.X86.HasAVX512BW && cpu.X86.HasBMI2

// unescapesTexts reports whether it also supports leaving escapes out.
var unescapesTexts = copiesTexts && cpu.X86.HasAVX512VBMI2 && cpu.X86.HasBMI1 && cpu.X86.HasPOPCNT

// copyTexts copies the texts of cells, starting with cell number from, to out[ends[0]:]. It
// writes the end of each text to ends[1:]. It stops at the first cell that has more than 64
// bytes, whose text begins with a UTF-8 continuation byte or which has text behind its closing quote. It
// returns how many texts it has copied. out must have room for all cells and textSlack bytes.
func copyTexts(out []byte, ends []int32, c *number.Cells, from int, q csv.Quoting) int {
	n := len(ends) - 1
	if n == 0 || !copiesTexts {
		return 0
	}
	literal := uint64(0) // all bits set if other bytes than quotes may be escaped
	if q.Escapes() {
		literal = ^literal
	}
	bounds := c.Bounds[from*c.Stride:]
	_ = bounds[(n-1)*c.Stride+1]
	return copyTextsAVX512(&out[0], &ends[0], n, &c.Data[0], &bounds[0], c.Stride, q.Quote(), q.Escape(), unescapesTexts, literal)
}

//go:noescape
func copyTextsAVX512(out *byte, ends *int32, n int, data *byte, bounds *int32, stride int, quote, escape byte, unescape bool, literal uint64) (done int)
