package expr

import (
	"bytes"
	"encoding/binary"
	"slices"
	"unicode"
	"unicode/utf8"

	"analyzer/columnar"
)

// year finds years in texts.
type year struct {
	result
	text node
}

func (n *year) eval(in *input) (*columnar.Vector, error) {
	a, err := n.text.eval(in)
	if err != nil {
		return nil, err
	}
	out := n.start(columnar.Int, in.rows)
	valid := n.validity()
	all := true
	for i := range out.Ints {
		y, ok := yearOf(a.Bytes(i))
		ok = ok && !a.IsNull(i)
		out.Ints[i], valid[i] = y, ok
		all = all && ok
	}
	if all {
		out.Valid = nil
	}
	zeroNulls(out.Ints, out.Valid)
	return out, nil
}

// yearOf returns the first run of exactly four digits.
func yearOf(text []byte) (int64, bool) {
	if len(text) == 4 || len(text) > 4 && text[4]-'0' > 9 { // as in 2004-05-01
		a, b, c, d := text[0]-'0', text[1]-'0', text[2]-'0', text[3]-'0'
		if a <= 9 && b <= 9 && c <= 9 && d <= 9 {
			return int64(a)*1000 + int64(b)*100 + int64(c)*10 + int64(d), true
		}
	}
	run, value := 0, int64(0)
	for _, c := range text {
		if digit := c - '0'; digit <= 9 {
			run, value = run+1, value*10+int64(digit)
			continue
		}
		if run == 4 {
			return value, true
		}
		run, value = 0, 0
	}
	return value, run == 4
}

// lower maps texts to lower case.
type lower struct {
	result
	text node
}

func (n *lower) eval(in *input) (*columnar.Vector, error) {
	a, err := n.text.eval(in)
	if err != nil {
		return nil, err
	}
	out := n.start(columnar.Text, in.rows)
	n.nullsOf1(a)
	offsets := a.Offsets[:in.rows+1]
	texts := a.Data[offsets[0]:offsets[in.rows]]
	data := resize(out.Data, len(texts))
	if lowerASCII(data, texts) {
		for i, o := range offsets {
			out.Offsets[i] = o - offsets[0]
		}
		out.Data = data
		return out, nil
	}
	data = data[:0]
	for i := range in.rows {
		data = appendLower(data, a.Data[offsets[i]:offsets[i+1]])
		out.Offsets[i+1] = int32(len(data))
	}
	out.Data = data
	return out, nil
}

// lowerASCII puts src in lower case into dst, which is as long, and reports
// whether it was all ASCII; if not, dst is of no use.
func lowerASCII(dst, src []byte) bool {
	const (
		high  = 0x8080808080808080 // the top bit of each of eight bytes
		ones  = 0x0101010101010101
		fromA = ones * (0x80 - 'A') // carries into the top bit from 'A' on
		pastZ = ones * (0x7f - 'Z') // carries into the top bit after 'Z'
	)
	seen := uint64(0)
	dst = dst[:len(src)]
	for len(src) >= 8 {
		x := binary.LittleEndian.Uint64(src)
		seen |= x
		low := x &^ high
		upper := ((low + fromA) ^ (low + pastZ)) & high
		binary.LittleEndian.PutUint64(dst, x|upper>>2) // 0x20 makes a letter small
		src, dst = src[8:], dst[8:]
	}
	for i, c := range src {
		seen |= uint64(c)
		if c >= 'A' && c <= 'Z' {
			c += 'a' - 'A'
		}
		dst[i] = c
	}
	return seen&high == 0
}

func appendLower(dst, text []byte) []byte {
	n := len(dst)
	dst = resizeKeep(dst, n+len(text))
	if lowerASCII(dst[n:], text) {
		return dst
	}
	dst = dst[:n]
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRune(text[i:])
		dst = utf8.AppendRune(dst, unicode.ToLower(r))
		i += size
	}
	return dst
}

// contains looks for texts in texts.
type contains struct {
	result
	text, part node
}

func newContains(text, part operand) node {
	if part.value != nil && part.value.Text != "" {
		return &containsLiteral{text: text.node, part: []byte(part.value.Text)}
	}
	return &contains{text: text.node, part: part.node}
}

func (n *contains) eval(in *input) (*columnar.Vector, error) {
	a, b, err := eval2(in, n.text, n.part)
	if err != nil {
		return nil, err
	}
	out := n.start(columnar.Bool, in.rows)
	n.nullsOf(a, b)
	for i := range out.Bools {
		out.Bools[i] = bytes.Contains(a.Bytes(i), b.Bytes(i))
	}
	zeroNulls(out.Bools, out.Valid)
	return out, nil
}

// containsLiteral looks for a literal that is not empty.
type containsLiteral struct {
	result
	text node
	part []byte
}

// eval looks through the texts of the batch at once, for calls on short texts
// cost more than the search, and then for the text a find lies in.
func (n *containsLiteral) eval(in *input) (*columnar.Vector, error) {
	a, err := n.text.eval(in)
	if err != nil {
		return nil, err
	}
	out := n.start(columnar.Bool, in.rows)
	n.nullsOf1(a)
	clear(out.Bools)
	offsets := a.Offsets[:in.rows+1]
	data := a.Data[:offsets[in.rows]]
	row, at := 0, int(offsets[0])
	for {
		found := bytes.Index(data[at:], n.part)
		if found < 0 {
			break
		}
		at += found
		row = rowAt(offsets, row, int32(at))
		if end := int(offsets[row+1]); at+len(n.part) <= end {
			out.Bools[row] = true
			at = end
		} else {
			at++
		}
	}
	zeroNulls(out.Bools, out.Valid)
	return out, nil
}

// rowAt returns the row, from row on, whose text holds the byte at a position.
// It takes steps that double and then bisects, as finds may be near or far.
func rowAt(offsets []int32, row int, at int32) int {
	step := 1
	for row+step < len(offsets) && offsets[row+step] <= at {
		row += step
		step *= 2
	}
	last := min(row+step, len(offsets)-1)
	past, _ := slices.BinarySearch(offsets[row+1:last+1], at+1)
	return row + past
}
