package number

import (
	"encoding/binary"
	"math/bits"
)

// Cells is a column of raw cells in the bytes of a file. Cell i is
//
//	Data[Bounds[i*Stride]+1 : Bounds[i*Stride+1]]
//
// After the last cell, Data must have at least Behind more readable bytes of any value.
//
// The methods process cells starting at index from, stop at the first cell that they do not
// accept, and return the number of cells before it. They process cells in common forms in
// groups, where the processor supports it, and others one by one.
type Cells struct {
	Data   []byte
	Bounds []int32
	Stride int
}

// Behind is how many bytes after each cell may be read.
const Behind = 16

// Cell returns cell i.
func (c *Cells) Cell(i int) []byte {
	at := i * c.Stride
	return c.Data[c.Bounds[at]+1 : c.Bounds[at+1]]
}

// ParseInts parses cells as ParseInt does.
func (c *Cells) ParseInts(out []int64, from int) int {
	return mixed(len(out), func(at, _ int) int { return c.shortInts(out[at:], from+at) }, func(at, n int) int {
		return ParseEach(c, out[at:at+n], from+at, ParseInt)
	})
}

// ParseDecimals parses cells as ParseDecimal does.
func (c *Cells) ParseDecimals(out []int64, from int) int {
	return mixed(len(out), func(at, n int) int {
		if did := c.shortDecimals(out[at:], from+at); did > 0 {
			return did
		}
		return c.plain(out[at:], from+at, min(n, plainAtOnce), &decimals)
	}, func(at, n int) int {
		return ParseEach(c, out[at:at+n], from+at, ParseDecimal)
	})
}

// plainAtOnce is how many plain decimals are parsed before short ones are tried again.
const plainAtOnce = 1 << 10

// ParseFloats parses cells as ParseFloatCell does.
func (c *Cells) ParseFloats(out []float64, from int) int {
	return mixed(len(out), func(at, _ int) int { return c.plainFloats(out[at:], from+at) }, func(at, n int) int {
		return ParseEach(c, out[at:at+n], from+at, ParseFloatCell)
	})
}

// ParseDates parses cells as ParseDate does.
func (c *Cells) ParseDates(out []int64, from int) int {
	return mixed(len(out), func(at, n int) int { return c.dates(out[at:], from+at, n) }, func(at, n int) int {
		return ParseEach(c, out[at:at+n], from+at, ParseDate)
	})
}

// ParseTimestamps parses cells as ParseTimestamp does.
func (c *Cells) ParseTimestamps(out []int64, from int) int {
	return mixed(len(out), func(at, n int) int { return c.timestamps(out[at:], from+at, n) }, func(at, n int) int {
		return ParseEach(c, out[at:at+n], from+at, ParseTimestamp)
	})
}

// SkipTimestamps accepts what ParseTimestamps accepts.
func (c *Cells) SkipTimestamps(from, n int) int {
	return mixed(n, func(at, n int) int { return c.timestamps(nil, from+at, n) }, func(at, n int) int {
		return c.SkipEach(from+at, n, func(cell []byte) bool { _, ok := ParseTimestamp(cell); return ok })
	})
}

// timestampsAtOnce is how many timestamps are parsed at once, at most.
const timestampsAtOnce = 64

// timestamps parses cells such as 2006-01-02 15:04:05: first their dates, together, then their clocks.
// Without out it skips them.
func (c *Cells) timestamps(out []int64, from, n int) int {
	const date, whole = len("2006-01-02"), len("2006-01-02 15:04:05")
	var (
		pairs [2 * timestampsAtOnce]int32
		days  [timestampsAtOnce]int64
	)
	n = min(n, timestampsAtOnce)
	bounds := c.Bounds[from*c.Stride:]
	for i := range n {
		before, end := bounds[i*c.Stride], bounds[i*c.Stride+1]
		if end-before != int32(whole)+1 {
			n = i
			break
		}
		pairs[2*i], pairs[2*i+1] = before, before+int32(date)+1
	}
	dates := Cells{Data: c.Data, Bounds: pairs[:], Stride: 2}
	n = dates.dates(days[:], 0, n)
	for i := range n {
		rest := c.Data[pairs[2*i+1]:][:whole-date]
		clock, ok := parseClock(rest[1:], 0)
		if !ok || rest[0] != ' ' && rest[0] != 'T' {
			return i
		}
		if out != nil {
			out[i] = days[i]*Day + clock
		}
	}
	return n
}

// ParseEach parses cells one by one with the given function.
func ParseEach[T any](c *Cells, out []T, from int, one func([]byte) (T, bool)) int {
	at := from * c.Stride
	for i := range out {
		v, ok := one(c.Data[c.Bounds[at]+1 : c.Bounds[at+1]])
		if !ok {
			return i
		}
		out[i] = v
		at += c.Stride
	}
	return len(out)
}

// SkipInts accepts plain numbers without a point: digits, optionally after a minus, with no
// leading zero before another digit.
func (c *Cells) SkipInts(from, n int) int { return c.skipNumbers(from, n, &anyInts, -1) }

// SkipDecimals accepts plain numbers with or without a point and at most Scale digits after it.
func (c *Cells) SkipDecimals(from, n int) int { return c.skipNumbers(from, n, &decimals, Scale) }

// SkipNumbers accepts plain numbers with or without a point.
func (c *Cells) SkipNumbers(from, n int) int { return c.skipNumbers(from, n, &anyNumbers, maxPlain) }

func (c *Cells) skipNumbers(from, n int, f *form, places int) int {
	return mixed(n, func(at, n int) int { return c.plain(nil, from+at, n, f) }, func(at, n int) int {
		return c.SkipEach(from+at, n, func(cell []byte) bool { return isPlain(cell, places, '.') })
	})
}

// IsCommaDecimal reports whether a cell is what SkipDecimals accepts, with a comma between two digits
// for the point. After the cell, Behind bytes must be readable.
func IsCommaDecimal(cell []byte) bool {
	return isPlain(cell, Scale, ',') && cell[len(cell)-1] != ','
}

// SkipDates accepts what ParseDates accepts.
func (c *Cells) SkipDates(from, n int) int {
	return mixed(n, func(at, n int) int { return c.dates(nil, from+at, n) }, func(at, n int) int {
		return c.SkipEach(from+at, n, IsDay)
	})
}

// SkipEach checks up to n cells one by one with the given function.
func (c *Cells) SkipEach(from, n int, is func([]byte) bool) int {
	for i := range n {
		if !is(c.Cell(from + i)) {
			return i
		}
	}
	return n
}

// After a cell that is not in a common form, this many cells are parsed one by one: few if a
// long run of cells in common forms preceded it, many otherwise.
const (
	fewAlone  = 4
	manyAlone = 64
)

// mixed processes n cells with common, as far as they have common forms, and with alone where
// common stops. Both get the first cell and a number of cells, and return how many of them
// they accepted.
func mixed(n int, common, alone func(at, n int) int) int {
	for at := 0; at < n; {
		some, before := manyAlone, at
		for did := 1; did > 0 && at < n; at += did {
			did = common(at, n-at)
		}
		if at-before > manyAlone {
			some = fewAlone
		}
		some = min(some, n-at)
		did := alone(at, some)
		if at += did; did < some {
			return at
		}
	}
	return n
}

// maxPlain is the maximum length of a plain number without its minus. plainWhole is the
// maximum number of digits before the point: a decimal must fit in 64 bits with Scale digits
// after it.
const (
	maxPlain   = 16
	plainWhole = 12
)

// isPlain reports whether a cell consists of digits, optionally after a minus, and optionally
// with a mark, such as a point, between two of them that at most places digits follow; -1 means no
// mark. A leading zero before another digit is not accepted: 007 is not 7.
func isPlain(cell []byte, places int, mark byte) bool {
	n, p := len(cell), cell[:len(cell)+Behind]
	if p[0] == '-' {
		n, p = n-1, p[1:]
	}
	if uint(n-1) >= maxPlain || n > 1 && p[0] == '0' && p[1]-'0' <= 9 {
		return false
	}
	// One bit for each byte that is not a digit.
	const gather = 0x0002040810204081 // moves the top bits of eight bytes into the highest byte
	low, high := binary.LittleEndian.Uint64(p), binary.LittleEndian.Uint64(p[8:])
	others := (notDigits(low)*gather>>56 | notDigits(high)*gather>>56<<8) & (1<<n - 1)
	if others == 0 {
		return n <= plainWhole
	}
	whole := bits.TrailingZeros64(others)
	return others&(others-1) == 0 && p[whole] == mark && whole > 0 && whole <= plainWhole && n-whole-1 <= places
}

// form says which plain numbers are parsed in groups, and how. They have up to 12 characters
// or, on some processors, up to 16. The assembly depends on the layout.
type form struct {
	scales [17]int64 // for up to 12 characters, see below

	// For up to 16 characters, in groups: how many digits there may be before and after the
	// point, and which byte becomes each of 16 digits, counted from the point.
	whole, places uint16
	digits        [16]byte
	one           float64 // divisor of the result as a float64; 0: the result is an integer
}

// These variables are read only.
var (
	decimals   = form{scales: decimalScales, whole: 16 - Scale, places: Scale, digits: around(16 - Scale)}
	floats     = form{whole: 15 - Scale, places: Scale, digits: around(16 - Scale), one: One} // below maxMantissa
	anyInts    = form{scales: intScales, whole: plainWhole}
	anyNumbers = form{scales: anyScales, whole: plainWhole, places: 14}
)

// around returns the positions, relative to the point, of 16 digits of which whole come
// before it.
func around(whole int) (digits [16]byte) {
	for i := range digits {
		if digits[i] = byte(i - whole); i >= whole {
			digits[i]++
		}
	}
	return digits
}

// The scales multiply a plain number once its point is removed. The index is the position of
// the point in the last 16 bytes, 16 if there is none. A scale of 0 means that the number is not
// accepted. They are read only.
var (
	intScales     = [17]int64{16: 1}
	decimalScales = [17]int64{9: 1, 10: 1e1, 11: 1e2, 12: 1e3, 13: 1e4, 14: 1e5, 16: One}
	anyScales     = [17]int64{5: 1, 6: 1, 7: 1, 8: 1, 9: 1, 10: 1, 11: 1, 12: 1, 13: 1, 14: 1, 16: 1}
)
