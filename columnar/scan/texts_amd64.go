package scan

import (
	"golang.org/x/sys/cpu"

	"analyzer/columnar/number"
)

// copiesTexts reports whether copyTexts copies any.
var copiesTexts = cpu.X86.HasAVX512F && cpu.X86.HasAVX512BW && cpu.X86.HasBMI2

// copyTexts copies texts of cells from number from on to out, from ends[0] on, and writes behind
// that where each ends, as far as they have up to 64 bytes, begin with the beginning of a UTF-8
// sequence and have no quotes but those around them. It returns how many it has copied. There
// are textSlack bytes in out behind what all cells have.
func copyTexts(out []byte, ends []int32, c *number.Cells, from int) int {
	n := len(ends) - 1
	if n == 0 || !copiesTexts {
		return 0
	}
	bounds := c.Bounds[from*c.Stride:]
	_ = bounds[(n-1)*c.Stride+1]
	return copyTextsAVX512(&out[0], &ends[0], n, &c.Data[0], &bounds[0], c.Stride)
}

//go:noescape
func copyTextsAVX512(out *byte, ends *int32, n int, data *byte, bounds *int32, stride int) (done int)
