package sniff

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"analyzer/columnar"
)

// longestFlag is the greatest length of a flag, such as km², in bytes.
const longestFlag = 4

// inFlag reports whether a byte may be part of a flag: of a letter, a star, or °, µ, ² or ³.
func inFlag(c byte) bool {
	return c == '*' || c|0x20 >= 'a' && c|0x20 <= 'z' || bytes.IndexByte([]byte("\xc2\xb0\xb2\xb3\xb5"), c) >= 0
}

// flagged divides a text into a number, or a word for null, and the flag that follows it, as offices of
// statistics write them: 12.3 p, 1,234*, : c, or units: 20°C. flag is nil if there is none.
func flagged(text []byte) (bare, flag []byte) {
	at := len(text)
	for at > 0 && len(text)-at <= longestFlag && inFlag(text[at-1]) {
		at--
	}
	bare = bytes.TrimRight(text[:at], " ")
	if n := len(text) - at; n == 0 || n > longestFlag || len(bare) == 0 {
		return text, nil
	}
	if last := bare[len(bare)-1]; !isDigit(last) && !columnar.IsNullWord(bare) {
		return text, nil
	}
	return bare, text[at:]
}

// isFlagged reports whether a text is a number with a flag.
func isFlagged(text []byte) bool {
	bare, flag := flagged(text)
	return flag != nil && kindsAmong(bare, nil) != text0
}

// flags are those behind the numbers of a column.
type flags struct {
	bare  kinds    // what all cells allow without them
	first Misfit   // the first cell with one
	odd   []Misfit // the first of each, in order
}

// add counts a cell that allows k, behind all cells that were counted before.
func (f *flags) add(k kinds, line int64, text []byte, nulls []string) {
	if f.bare == text0 {
		return // they are no numbers
	}
	if bare, flag := flagged(text); k == text0 && flag != nil {
		k = kindsAmong(bare, nulls)
		known := slices.ContainsFunc(f.odd, func(m Misfit) bool { return m.Cell == string(flag) })
		if !known && len(f.odd) < manyCells {
			if f.odd == nil {
				f.first = Misfit{Line: line, Cell: string(text)}
			}
			f.odd = append(f.odd, Misfit{Line: line, Cell: string(flag)})
		}
	}
	f.bare = f.bare.and(k)
}

// meet adds those of another block.
func (f *flags) meet(other *flags) {
	if len(other.odd) > 0 && (f.odd == nil || other.first.Line < f.first.Line) {
		f.first = other.first
	}
	f.odd = firstOdd(append(f.odd, other.odd...))
	f.bare = f.bare.and(other.bare)
}

// misfit returns that of a column of numbers without their flags, which are few; nil if it is none.
func (f *flags) misfit(file *File) *Misfit {
	k := f.bare.and(^file.refused)
	r := k.reading(file.commas())
	if n := len(f.odd); n == 0 || n == manyCells || k == allKinds || !IsNumber(r.Format) {
		return nil
	}
	m := f.first
	m.Format, m.Form, m.doubt = r.Format, r.Form, withFlags
	for _, o := range f.odd {
		m.Flags = append(m.Flags, o.Cell)
	}
	return &m
}

// withFlags says which flags follow numbers.
func (m *Misfit) withFlags() string {
	names := columnar.Each(m.Flags, func(flag string) string { return fmt.Sprintf("%q", flag) })
	return strings.Join(names, ", ") + " behind some is no part of a number"
}
