package generate

import (
	"fmt"
	"strings"

	"analyzer/datasets/generate/internal/draw"
	"analyzer/datasets/generate/internal/text"
)

// column is one column of a table: its name in the header, whether its cells are
// quoted, and what a cell holds. The cells of a row are made from left to right,
// so that a cell may repeat what an earlier one has drawn.
type column struct {
	name  string // empty: it is missing from the header
	quote text.Quoting
	value any // see row.cell
}

// row is the record that one goroutine is making: its bytes and its choices. The
// functions of a table's columns append to it.
type row struct {
	text.Cells
	draw.Source
	bad fault // of this record
	k   int   // index of the list item being made
}

// cell appends a cell, or a part of one.
type cell func()

// cell makes a cell from a description: text, a number, a list of which one item is drawn
// each time, a variable that an earlier cell has set, or a function.
func (r *row) cell(value any) cell {
	switch v := value.(type) {
	case cell:
		return v
	case func():
		return v
	case func() int:
		return func() { r.Int(v()) }
	case int:
		return func() { r.Int(v) }
	case *int:
		return func() { r.Int(*v) }
	case []int:
		return func() { r.Int(draw.Pick(&r.Source, v)) }
	case string:
		return func() { r.B = append(r.B, v...) }
	case *string:
		return func() { r.B = append(r.B, *v...) }
	case *[]byte:
		return func() { r.B = append(r.B, *v...) }
	case []string:
		return func() { r.B = append(r.B, draw.Pick(&r.Source, v)...) }
	case text.Phrases:
		return func() { r.B = v.Append(r.B, &r.Source) }
	}
	panic(fmt.Sprintf("generate: a cell of %T", value))
}

// compile returns a function that appends the cells of a record.
func (r *row) compile(columns []column) cell {
	steps := make([]cell, len(columns))
	for i, c := range columns {
		steps[i] = r.cell(c.value)
	}
	return func() {
		for i, step := range steps {
			r.Open(columns[i].quote)
			step()
			r.Close()
		}
	}
}

// each is the layout of a table whose units are rows: begin makes the choices that the
// cells of one row share.
func (r *row) each(columns []column, begin func(n int)) ([]column, func(unit int)) {
	cells := r.compile(columns)
	return columns, func(n int) {
		begin(n)
		cells()
		r.End()
	}
}

// all appends parts one after the other.
func (r *row) all(parts ...any) cell {
	steps := make([]cell, len(parts))
	for i, part := range parts {
		steps[i] = r.cell(part)
	}
	return func() {
		for _, step := range steps {
			step()
		}
	}
}

// form appends a pattern, in which parts replace the % signs.
func (r *row) form(pattern string, parts ...any) cell {
	var steps []any
	for _, part := range parts {
		fixed, rest, _ := strings.Cut(pattern, "%")
		if fixed != "" {
			steps = append(steps, fixed)
		}
		steps, pattern = append(steps, part), rest
	}
	return r.all(append(steps, pattern)...)
}

// either appends then if happens returns true, and otherwise otherwise.
func (r *row) either(happens func() bool, then, otherwise any) cell {
	a, b := r.cell(then), r.cell(otherwise)
	return func() {
		if happens() {
			a()
		} else {
			b()
		}
	}
}

// oneIn appends the first part once in n times, and otherwise the second.
func (r *row) oneIn(n int, then, otherwise any) cell {
	return r.either(func() bool { return r.OneIn(n) }, then, otherwise)
}

// percent appends the first part p times in a hundred, and otherwise the second.
func (r *row) percent(p int, then, otherwise any) cell {
	return r.either(func() bool { return r.Percent(p) }, then, otherwise)
}

// faulty appends the part that with has for the record's fault, or else otherwise.
func (r *row) faulty(otherwise any, with map[fault]any) cell {
	var steps [faults]cell
	for bad := range steps {
		steps[bad] = r.cell(otherwise)
	}
	for bad, part := range with {
		steps[bad] = r.cell(part)
	}
	return func() { steps[r.bad]() }
}

// list appends as many items as count says, drawn from a list or by a function,
// with separators between them.
func (r *row) list(separator string, count, item any) cell {
	step := r.cell(item)
	number, drawn := count.(func() int)
	if !drawn {
		number = func() int { return draw.Pick(&r.Source, count.([]int)) }
	}
	return func() {
		n := number()
		for r.k = range n {
			if r.k > 0 {
				r.B = append(r.B, separator...)
			}
			step()
		}
	}
}

// python appends a part as the literal of a Python string.
func (r *row) python(part any) cell {
	step := r.cell(part)
	return func() {
		at := len(r.B)
		step()
		r.Python(at)
	}
}

// number draws from to from+n-1.
func (r *row) number(from, n int) func() int { return func() int { return from + r.Below(n) } }

// padded appends a number with leading zeros.
func (r *row) padded(digits int, n func() int) cell {
	return func() { r.B = text.AppendPadded(r.B, n(), digits) }
}

// fixed appends a number with that many digits after the decimal point.
func (r *row) fixed(digits int, n func() int) cell { return func() { r.Fixed(n(), digits) } }

// letters appends n letters of alphabet, whose length is a power of two and at most 64.
func (r *row) letters(alphabet string, n int) cell {
	mask := uint64(len(alphabet) - 1)
	return func() {
		for left := n; left > 0; left -= 10 {
			bits := r.Bits()
			for range min(left, 10) {
				r.B = append(r.B, alphabet[bits&mask])
				bits >>= 6
			}
		}
	}
}

const (
	hexDigits   = "0123456789abcdef"
	pathLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789Aa"
	isbnLetters = "ABCDEFGHIJKLMNOPQRSTUVWX01234567"
)

// picture appends the path of a picture, "/rhIRbceoE9lR4veEXuwCC2wARtG.jpg".
func (r *row) picture() cell { return r.form("/%.jpg", r.letters(pathLetters, 27)) }

// pythonPicture appends the path of a picture as a Python literal, or None.
func (r *row) pythonPicture() cell { return r.oneIn(4, "None", r.form("'%'", r.picture())) }

// date appends a date as 2004-07-31; its month and day are drawn.
func (r *row) date(year *int) cell {
	return r.form("%-%-%", r.padded(4, func() int { return *year }), r.padded(2, r.number(1, 12)), r.padded(2, r.number(1, 28)))
}
