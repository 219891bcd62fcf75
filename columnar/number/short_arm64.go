package number

// shortInts parses groups of numbers of 1 to 8 digits.
func (c *Cells) shortInts(out []int64, from int) int { return c.short(out, from, 4, shortIntsNEON) }

// shortDecimals parses groups of numbers of up to 8 characters, digits with an optional point before
// one of them, and at most Scale of them behind it.
func (c *Cells) shortDecimals(out []int64, from int) int {
	return c.short(out, from, 4, shortDecimalsNEON)
}

//go:noescape
func shortIntsNEON(out *int64, groups int, data *byte, bounds *int32, stride int) (done int)

//go:noescape
func shortDecimalsNEON(out *int64, groups int, data *byte, bounds *int32, stride int) (done int)
