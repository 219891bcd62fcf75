package number

import (
	"encoding/binary"
	"math/bits"
)

// plainAhead is how many cells are rewritten at once, and plainBytes how long each may be then.
const (
	plainAhead = 64
	plainBytes = 32
)

// plainCells are cells in the form of programs.
type plainCells struct {
	data   [plainAhead*plainBytes + longestPlain]byte
	bounds [plainAhead + 1]int32
}

// ParseWrittenInts parses cells as Form.ParseInt does.
func (c *Cells) ParseWrittenInts(f Form, out []int64, from int) (done int) {
	var p plainCells
	for done < len(out) {
		n := p.rewrite(c, f, from+done, min(plainAhead, len(out)-done))
		plain := Cells{Data: p.data[:], Bounds: p.bounds[:], Stride: 1}
		did := plain.ParseInts(out[done:done+n], 0)
		if done += did; did < n || n == 0 {
			break
		}
	}
	return done
}

// ParseWrittenDecimals parses cells as Form.ParseDecimal does.
func (c *Cells) ParseWrittenDecimals(f Form, out []int64, from int) (done int) {
	var p plainCells
	for done < len(out) {
		n := p.rewrite(c, f, from+done, min(plainAhead, len(out)-done))
		plain := Cells{Data: p.data[:], Bounds: p.bounds[:], Stride: 1}
		did := plain.ParseDecimals(out[done:done+n], 0)
		if done += did; did < n || n == 0 {
			break
		}
	}
	return done
}

// ParseWrittenFloats parses cells as Form.ParseFloat does.
func (c *Cells) ParseWrittenFloats(f Form, out []float64, from int) (done int) {
	var p plainCells
	for done < len(out) {
		n := p.rewrite(c, f, from+done, min(plainAhead, len(out)-done))
		plain := Cells{Data: p.data[:], Bounds: p.bounds[:], Stride: 1}
		did := plain.ParseFloats(out[done:done+n], 0)
		if done += did; did < n || n == 0 {
			break
		}
	}
	return done
}

// rewrite takes up to n cells in the form, starting at from, up to the first that does not have it
// or is too long.
func (p *plainCells) rewrite(c *Cells, f Form, from, n int) (done int) {
	at := int32(0)
	p.bounds[0] = -1
	comma := f.Marks >= Comma && !f.Percent
	for done < n {
		cell := c.Cell(from + done)
		size, ok := 0, false
		if comma {
			size, ok = commaToPoint(p.data[at:], cell)
		}
		if !ok {
			plain, fits := f.appendPlain(p.data[at:at], cell)
			if !fits || len(plain) > plainBytes-1 {
				break
			}
			size = len(plain)
		}
		at += int32(size)
		p.data[at] = ','
		done++
		p.bounds[done] = at
		at++
	}
	return done
}

// commaToPoint copies a cell of at most 8 digits and one comma between two of them, with a point
// for the comma. ok is false if it has another form.
func commaToPoint(dst, cell []byte) (size int, ok bool) {
	n := len(cell)
	if uint(n-1) >= 8 || cap(cell) < 8 {
		return 0, false
	}
	word := binary.LittleEndian.Uint64(cell[:8])
	binary.LittleEndian.PutUint64(dst, word)
	others := notDigits(word) << (64 - 8*n) >> (64 - 8*n)
	if others == 0 {
		return n, n == 1 || cell[0] != '0'
	}
	mark := bits.TrailingZeros64(others) / 8
	if others&(others-1) != 0 || mark == 0 || mark == n-1 || cell[mark] != ',' || mark > 1 && cell[0] == '0' {
		return 0, false
	}
	dst[mark] = '.'
	return n, true
}
