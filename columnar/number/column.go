package number

import (
	"encoding/binary"
	"math/bits"
)

// Cells are a column of cells as they stand in a file: cell i is
//
//	Data[Bounds[i*Stride]+1 : Bounds[i*Stride+1]]
//
// Behind all cells, Data has at least Behind bytes more, which may be read and mean nothing.
//
// The methods read cells from number from on, up to the first that they do not take, and return
// how many came before it. They take most cells in groups, where the processor can, and
// others one by one.
type Cells struct {
	Data   []byte
	Bounds []int32
	Stride int
}

// Behind is how many bytes may be read behind each cell.
const Behind = 16

// Cell returns cell i.
func (c *Cells) Cell(i int) []byte {
	at := i * c.Stride
	return c.Data[c.Bounds[at]+1 : c.Bounds[at+1]]
}

// ParseInts does what ParseInt does.
func (c *Cells) ParseInts(out []int64, from int) int {
	return mixed(len(out), func(at, _ int) int { return c.shortInts(out[at:], from+at) }, func(at, n int) int {
		return ParseEach(c, out[at:at+n], from+at, ParseInt)
	})
}

// ParseDecimals does what ParseDecimal does.
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

// plainAtOnce is how many plain decimals are read before short ones are looked for again.
const plainAtOnce = 1 << 10

// ParseFloats does what ParseFloat does.
func (c *Cells) ParseFloats(out []float64, from int) int {
	return mixed(len(out), func(at, _ int) int { return c.plainFloats(out[at:], from+at) }, func(at, n int) int {
		return ParseEach(c, out[at:at+n], from+at, ParseFloat)
	})
}

// ParseDates does what ParseDate does.
func (c *Cells) ParseDates(out []int64, from int) int {
	return mixed(len(out), func(at, n int) int { return c.dates(out[at:], from+at, n) }, func(at, n int) int {
		return ParseEach(c, out[at:at+n], from+at, ParseDate)
	})
}

// ParseEach does what one does, to one cell after the other.
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

// SkipInts takes plain numbers without a point: digits, perhaps with a minus, of which a zero
// stands before no other.
func (c *Cells) SkipInts(from, n int) int { return c.skipNumbers(from, n, &anyInts, -1) }

// SkipDecimals takes plain numbers with or without a point, behind which there are at most Scale
// digits.
func (c *Cells) SkipDecimals(from, n int) int { return c.skipNumbers(from, n, &decimals, Scale) }

// SkipNumbers takes plain numbers with or without a point.
func (c *Cells) SkipNumbers(from, n int) int { return c.skipNumbers(from, n, &anyNumbers, maxPlain) }

func (c *Cells) skipNumbers(from, n int, f *form, places int) int {
	return mixed(n, func(at, n int) int { return c.plain(nil, from+at, n, f) }, func(at, n int) int {
		return c.SkipEach(from+at, n, func(cell []byte) bool { return isPlain(cell, places) })
	})
}

// SkipDates takes what ParseDates takes.
func (c *Cells) SkipDates(from, n int) int {
	return mixed(n, func(at, n int) int { return c.dates(nil, from+at, n) }, func(at, n int) int {
		return c.SkipEach(from+at, n, IsDay)
	})
}

// SkipEach takes cells of n that are as is says, one after the other.
func (c *Cells) SkipEach(from, n int, is func([]byte) bool) int {
	for i := range n {
		if !is(c.Cell(from + i)) {
			return i
		}
	}
	return n
}

// Behind a cell that is not of the commonest forms so many are read one by one: fewer if those
// before it were many of these forms.
const (
	fewAlone  = 4
	manyAlone = 64
)

// mixed reads n cells by common, as far as they have the commonest forms, and by alone what it
// leaves. Both are told the first cell and how many there are, and return how many they take.
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

// maxPlain is how long a plain number can be, the minus aside, and plainWhole how many digits
// it has at most before the point: a decimal has Scale behind it in 64 bits.
const (
	maxPlain   = 16
	plainWhole = 12
)

// isPlain reports whether a cell is digits, perhaps with a minus and with a point between
// two of them that has at most so many places behind it; with -1 there is no point. A zero
// stands before no other digit: 007 is not 7.
func isPlain(cell []byte, places int) bool {
	n, p := len(cell), cell[:len(cell)+Behind]
	if p[0] == '-' {
		n, p = n-1, p[1:]
	}
	if uint(n-1) >= maxPlain || n > 1 && p[0] == '0' && p[1]-'0' <= 9 {
		return false
	}
	// A bit for each byte that is no digit.
	const gather = 0x0002040810204081 // makes the top bits of eight bytes the uppermost byte
	low, high := binary.LittleEndian.Uint64(p), binary.LittleEndian.Uint64(p[8:])
	others := (notDigits(low)*gather>>56 | notDigits(high)*gather>>56<<8) & (1<<n - 1)
	if others == 0 {
		return n <= plainWhole
	}
	whole := bits.TrailingZeros64(others)
	return others&(others-1) == 0 && p[whole] == '.' && whole > 0 && whole <= plainWhole && n-whole-1 <= places
}

// form is which plain numbers are read in groups, and how. These have 1 to 12 characters or,
// on some processors, 16. The assembly knows its layout.
type form struct {
	scales [17]int64 // of 12 characters at most, see below

	// Of 16 characters at most, in groups: how many digits there may be before and behind the
	// point, and to which of 16 digits they are brought, counted from the point.
	whole, places uint16
	digits        [16]byte
	one           float64 // divides what has become a float64; 0: nothing has
}

// They are read only.
var (
	decimals   = form{scales: decimalScales, whole: 16 - Scale, places: Scale, digits: around(16 - Scale)}
	floats     = form{whole: 15 - Scale, places: Scale, digits: around(16 - Scale), one: One} // below maxMantissa
	anyInts    = form{scales: intScales, whole: plainWhole}
	anyNumbers = form{scales: anyScales, whole: plainWhole, places: 14}
)

// around counts 16 digits from a point, so many of which stand before it.
func around(whole int) (digits [16]byte) {
	for i := range digits {
		if digits[i] = byte(i - whole); i >= whole {
			digits[i]++
		}
	}
	return digits
}

// scales are what plain numbers are multiplied with when the point was taken out, by where it
// stands among the last 16 bytes; 16: there is none. 0: they are not taken. They are read only.
var (
	intScales     = [17]int64{16: 1}
	decimalScales = [17]int64{9: 1, 10: 1e1, 11: 1e2, 12: 1e3, 13: 1e4, 14: 1e5, 16: One}
	anyScales     = [17]int64{5: 1, 6: 1, 7: 1, 8: 1, 9: 1, 10: 1, 11: 1, 12: 1, 13: 1, 14: 1, 16: 1}
)
