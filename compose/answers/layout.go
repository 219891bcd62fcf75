package answers

import (
	"slices"

	"analyzer/columnar"
)

// The least widths that columns are cut to: narrow if the table fits the terminal that way,
// otherwise narrowest.
const (
	narrow    = 8
	narrowest = 4
)

// hidden is the range of columns in the middle of a table that are not shown. One column of
// dots stands for them.
type hidden struct{ begin, end int }

func (h hidden) count() int { return h.end - h.begin }

// fold returns the items of the columns that are shown, with dots in place of hidden ones.
func fold[T any](h hidden, all []T, dots T) []T {
	if h.count() == 0 {
		return all
	}
	return append(append(slices.Clone(all[:h.begin]), dots), all[h.end:]...)
}

// layOut decides which columns are shown and how wide they are, from the rows held back.
func (e *tableEncoder) layOut() {
	e.widths = e.widest(e.held)
	if e.limit == 0 {
		return
	}
	full := e.widest(e.held[1:]) // the widths that cut no value
	least, readable := slices.Clone(full), make([]int, len(full))
	for j, c := range e.columns {
		switch {
		case isText(c.Type):
			full[j], least[j] = narrow, narrowest
		case hasPoint(c.Type):
			least[j] = min(full[j], narrow)
		}
		readable[j] = max(least[j], min(e.widths[j], narrow))
		e.widths[j] = min(e.widths[j], max(e.limit, narrow))
	}
	e.hidden = e.hide(readable)
	e.columns = fold(e.hidden, e.columns, columnar.Field{Name: "…", Type: columnar.Text})
	for i, row := range e.held {
		e.held[i] = fold(e.hidden, row, "…")
	}
	e.widths = fold(e.hidden, e.widths, 1)
	e.narrow(fold(e.hidden, full, 1))
	e.narrow(fold(e.hidden, least, 1))
}

// widest returns the width of each column of some rows.
func (e *tableEncoder) widest(rows [][]string) []int {
	widths := make([]int, len(e.columns))
	for _, row := range rows {
		for j, cell := range row {
			widths[j] = max(widths[j], e.width(cell))
		}
	}
	return widths
}

// hide hides columns, from the middle outward, until the others fit the terminal or two are
// left.
func (e *tableEncoder) hide(widths []int) hidden {
	h := hidden{(len(widths) + 1) / 2, (len(widths) + 1) / 2}
	for left := len(widths); left > 2 && rowWidth(fold(h, widths, 1)) > e.limit; left-- {
		if h.begin > len(widths)-h.end {
			h.begin--
		} else {
			h.end++
		}
	}
	return h
}

func rowWidth(widths []int) int {
	total := gap * (len(widths) - 1)
	for _, w := range widths {
		total += w
	}
	return total
}

// narrow shrinks the widest column above its least width, again and again, until a row fits:
// first text and the names of numbers and, if that is not enough, digits after the point.
func (e *tableEncoder) narrow(least []int) {
	for total := rowWidth(e.widths); total > e.limit; total-- {
		widest := -1
		for j, w := range e.widths {
			if w > least[j] && (widest < 0 || w > e.widths[widest]) {
				widest = j
			}
		}
		if widest < 0 {
			return
		}
		e.widths[widest]--
	}
}

// cut returns as much of a text as fits into a column.
func (e *tableEncoder) cut(text string, column int) string {
	if e.limit == 0 || e.width(text) <= e.widths[column] {
		return text
	}
	return e.measure.Truncate(text, e.widths[column], "…")
}

// isText reports whether a cut value of a type is still useful.
func isText(t columnar.Type) bool {
	return t.Kind() == columnar.KindBytes || t.Kind() == columnar.KindList
}

// hasPoint reports whether values of a type have digits after a point, which matter less.
func hasPoint(t columnar.Type) bool {
	return t == columnar.Float || t.Scale() > 0
}

func isNumber(t columnar.Type) bool { return isWhole(t) || hasPoint(t) }

// isWhole reports whether values of a type are whole numbers. Cut, they would be others.
func isWhole(t columnar.Type) bool { return t.Digits() > 0 && t.Scale() == 0 }
