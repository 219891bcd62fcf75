package number

import "golang.org/x/sys/cpu"

// inLanes reports whether short numbers are parsed in groups of eight.
var inLanes = cpu.X86.HasAVX512F && cpu.X86.HasBMI2 && cpu.X86.HasAVX512BW && cpu.X86.HasAVX512CD && cpu.X86.HasAVX512DQ

// inGroups reports whether plain numbers are parsed in groups of eight.
var inGroups = cpu.X86.HasAVX512F && cpu.X86.HasAVX512BW && cpu.X86.HasAVX512DQ && cpu.X86.HasAVX512VL &&
	cpu.X86.HasAVX512VBMI && cpu.X86.HasAVX512BITALG

// shortInts parses groups of numbers of 1 to 8 digits and, on some processors, of a minus and
// up to 7 digits.
func (c *Cells) shortInts(out []int64, from int) int {
	switch {
	case inLanes:
		return c.short(out, from, 8, shortIntsAVX512)
	case cpu.X86.HasAVX2 && cpu.X86.HasBMI2:
		return c.short(out, from, 4, shortIntsAVX2)
	}
	return 0
}

// shortDecimals parses groups of numbers of up to 8 characters, digits with an optional point
// between two of them; on some processors, only numbers like 4.5.
func (c *Cells) shortDecimals(out []int64, from int) int {
	switch {
	case inLanes:
		return c.short(out, from, 8, shortDecimalsAVX512)
	case cpu.X86.HasAVX2 && cpu.X86.HasBMI2:
		return c.short(out, from, 4, shortTenthsAVX2)
	}
	return 0
}

//go:noescape
func shortIntsAVX2(out *int64, groups int, data *byte, bounds *int32, stride int) (done int)

//go:noescape
func shortTenthsAVX2(out *int64, groups int, data *byte, bounds *int32, stride int) (done int)

//go:noescape
func shortIntsAVX512(out *int64, groups int, data *byte, bounds *int32, stride int) (done int)

//go:noescape
func shortDecimalsAVX512(out *int64, groups int, data *byte, bounds *int32, stride int) (done int)

// plain parses plain numbers or, without out, skips them.
func (c *Cells) plain(out []int64, from, n int, f *form) (done int) {
	if n == 0 || !cpu.X86.HasAVX2 || !cpu.X86.HasBMI1 {
		return 0
	}
	bounds, stride := c.Bounds[from*c.Stride:], c.Stride
	_ = bounds[(n-1)*stride+1]
	var nowhere int64
	to, step := &nowhere, 0
	for done < n {
		if out != nil {
			to, step = &out[done], 8
		}
		some, did := n-done, 0
		if inGroups && some >= 8 {
			did = 8 * plainAVX512(to, 8*step, some/8, &c.Data[0], &bounds[done*stride], stride, f)
		}
		if done += did; did > 0 {
			continue
		}
		if inGroups { // only one group that plainAVX512 refused, or too few for a group
			some = min(some, 8)
		}
		did = plainAVX2(to, step, some, &c.Data[0], &bounds[done*stride], stride, &f.scales, &plainTables)
		if done += did; did < some {
			break
		}
	}
	return done
}

// plainFloats parses groups of plain numbers.
func (c *Cells) plainFloats(out []float64, from int) int {
	n := len(out) / 8 * 8
	if n == 0 || !inGroups {
		return 0
	}
	bounds := c.Bounds[from*c.Stride:]
	_ = bounds[(n-1)*c.Stride+1]
	return 8 * floatsAVX512(&out[0], 64, n/8, &c.Data[0], &bounds[0], c.Stride, &floats)
}

// dates parses groups of dates, except 29 February and dates in the year 0. Without out it
// skips them.
func (c *Cells) dates(out []int64, from, n int) int {
	if n < 4 || !cpu.X86.HasAVX2 || !cpu.X86.HasBMI1 {
		return 0
	}
	bounds := c.Bounds[from*c.Stride:]
	_ = bounds[(n-1)*c.Stride+1]
	var nowhere [4]int64
	to, step := &nowhere[0], 0
	if out != nil {
		to, step = &out[0], 8
	}
	return 4 * datesAVX2(to, step, n/4, &c.Data[0], &bounds[0], c.Stride, &dateTables)
}

// plainAVX2 parses cells until one is not a plain number, and returns how many it has parsed.
// It stores the values step bytes apart; stride is in elements of bounds.
//
//go:noescape
func plainAVX2(out *int64, step, n int, data *byte, bounds *int32, stride int, scales *[17]int64, t *[19][16]byte) (done int)

// plainAVX512 parses groups of eight cells until one is not a plain number, and returns how
// many groups it has parsed. It stores the values of groups step bytes apart; with 0 it stores
// none.
//
//go:noescape
func plainAVX512(out *int64, step, groups int, data *byte, bounds *int32, stride int, f *form) (done int)

// floatsAVX512 is plainAVX512 for a form that yields floats.
//
//go:noescape
func floatsAVX512(out *float64, step, groups int, data *byte, bounds *int32, stride int, f *form) (done int)

// plainTables is read only. It begins with 16 zero bytes and 16 bytes of 0xFF: the 16 bytes
// from offset n on mask the last n bytes. Then there is one shuffle per position of the point,
// including after the last byte: for each byte, the source byte once the point is removed.
var plainTables = func() (t [19][16]byte) {
	for i := range 16 {
		t[1][i] = 0xFF
	}
	for point := range 17 {
		for i := range 16 {
			from := i
			if i <= point && point < 16 {
				from = i - 1 // the first byte has no source
			}
			t[2+point][i] = byte(from)
		}
	}
	return t
}()

// datesAVX2 parses groups of four cells until one is not a date, and returns how many groups
// it has parsed.
//
//go:noescape
func datesAVX2(out *int64, step, groups int, data *byte, bounds *int32, stride int, t *[15][4]uint64) (done int)

// dateTables is read only.
var dateTables = func() (t [15][4]uint64) {
	const (
		digits   = 8                                                                  // in two of four words
		lastDays = "\x00\x1F\x1C\x1F\x1E\x1F\x1E\x1F\x1F\x1E\x1F\x1E\x1F\x00\x00\x00" // by month
	)
	twice := func(text string) (t [4]uint64) {
		for i := range 32 {
			t[i/digits] |= uint64(text[i%16]) << (i % digits * 8)
		}
		return t
	}
	each := func(v uint64) [4]uint64 { return [4]uint64{v, v, v, v} }
	return [15][4]uint64{
		twice("0000-00-00\x00\x00\x00\x00\x00\x00"),
		twice("\x09\x09\x09\x09\x00\x09\x09\x00\x09\x09\xFF\xFF\xFF\xFF\xFF\xFF"), // the largest differences from that
		twice("\x00\x01\x02\x03\x05\x06\x08\x09\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF"), // positions of the digits
		each(0x010A010A010A010A), // combines pairs of digits into numbers
		each(100 | 1<<16),        // combines the first two of these into the year
		each(0xFF),
		each(0x70), // added to months, so that those over 15 become negative
		twice(lastDays),
		each(3), each(12), each(5243), each(365), each(979), each(2919), each(marchDays + 1),
	}
}()
