//go:build amd64 || arm64

package number

// short parses groups of lanes cells until a cell has another form.
func (c *Cells) short(out []int64, from, lanes int, parse func(out *int64, groups int, data *byte, bounds *int32, stride int) (done int)) int {
	groups := len(out) / lanes
	if groups == 0 {
		return 0
	}
	bounds := c.Bounds[from*c.Stride:]
	_ = bounds[(groups*lanes-1)*c.Stride+1]
	return lanes * parse(&out[0], groups, &c.Data[0], &bounds[0], c.Stride)
}
