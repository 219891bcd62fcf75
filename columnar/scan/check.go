package scan

import (
	"analyzer/columnar/csv"
)

// check decides of every record whether it is valid, and keeps the numbers met on
// the way. It returns how many records are not.
func (w *csvWorker) check() int {
	s, n := w.scan, w.block.Len()
	w.status, w.rejected = growTo(w.status, n), 0
	clear(w.status)
	uniform := w.block.Uniform(s.fields) && !w.block.Unclosed()
	if !uniform {
		w.checkShape()
	}
	whole := w.listValid()
	for i := range s.checks {
		c := &s.checks[i]
		if c.vector < 0 {
			w.checkTexts(i, whole)
			continue
		}
		out := growTo(w.vectors[c.vector], n)
		w.vectors[c.vector] = out
		// The last field of a record may have a CR behind it.
		if uniform && (!w.block.Returns() || c.field < s.fields-1) {
			w.checkColumn(i, out)
		} else {
			w.checkNumbers(i, whole, out)
		}
	}
	w.valid = whole
	if w.rejected > n-len(whole) {
		w.valid = w.listValid()
	}
	return w.rejected
}

// reject notes why record r is not valid.
func (w *csvWorker) reject(r int, why status) {
	w.status[r] = why
	w.rejected++
}

// checkShape looks at the number of fields.
func (w *csvWorker) checkShape() {
	b, want := &w.block, w.scan.fields
	extra := int64(0)
	for r := range b.Len() {
		switch n := b.Fields(r); {
		case b.Unclosed() && r == b.Len()-1:
			w.reject(r, unclosed)
		case n == 0:
			w.reject(r, blank)
		case n < want:
			w.reject(r, tooFew)
		case n > want:
			extra++
		}
	}
	w.scan.tally.extra.Add(extra)
}

// checkColumn applies check i to a column of numbers of a block in which all records
// have the same fields. What is not in a common form is left to checkCell.
func (w *csvWorker) checkColumn(i int, out []int64) {
	c, stride := &w.scan.checks[i], w.scan.fields
	data, bounds := w.block.Column(c.field)
	parse := c.parse(w.scan.parsers)
	for r := 0; r < len(out); {
		n := parse(out[r:], data, bounds[r*stride:], stride)
		if n == 0 {
			w.checkCell(i, r, out)
			n = 1
		}
		r += n
	}
}

// checkNumbers applies check i to a column of numbers in the records that are whole.
func (w *csvWorker) checkNumbers(i int, whole []int32, out []int64) {
	c, data := &w.scan.checks[i], w.block.Data()
	data = data[:len(data)+8] // which Data allows
	w.spans = w.block.Spans(w.spans, c.field, whole)
	for j, s := range w.spans {
		v, ok := c.quick(data[s.Begin:], int(s.End-s.Begin))
		out[whole[j]] = v
		if !ok {
			w.checkCell(i, int(whole[j]), out)
		}
	}
}

// checkTexts applies check i to a column of which nothing is kept.
func (w *csvWorker) checkTexts(i int, whole []int32) {
	c := &w.scan.checks[i]
	w.spans = w.block.Spans(w.spans, c.field, whole)
	for j, s := range w.spans {
		// Two quotes are empty, which may be right in a strict column.
		if c.fits != nil || c.null != nil || s.End-s.Begin <= 2 {
			w.checkCell(i, int(whole[j]), nil)
		}
	}
}

// checkCell applies check i to record r, unless the record is rejected already.
func (w *csvWorker) checkCell(i, r int, out []int64) {
	if w.status[r] != valid {
		return
	}
	c := &w.scan.checks[i]
	cell := w.block.Cell(r, c.field)
	if c.null == nil && csv.IsEmpty(cell) || c.null != nil && c.null(w.text(cell)) {
		if c.Required {
			w.reject(r, emptyIn(i))
		}
		return
	}
	ok := true
	switch text := w.text(cell); {
	case out != nil:
		out[r], ok = c.number(text)
	case c.fits != nil:
		ok = c.fits(text)
	}
	if !ok {
		w.reject(r, unfitIn(i))
	}
}

// listValid lists the records that are not rejected so far.
func (w *csvWorker) listValid() []int32 {
	n := len(w.status)
	if w.rejected == 0 {
		for i := len(w.all); i < n; i++ {
			w.all = append(w.all, int32(i))
		}
		return w.all[:n]
	}
	w.some = growTo(w.some, n)[:0]
	for r, st := range w.status {
		if st == valid {
			w.some = append(w.some, int32(r))
		}
	}
	return w.some
}

// text returns the text of a cell; it is valid until the next call.
func (w *csvWorker) text(cell []byte) []byte {
	if text, ok := csv.Text(cell); ok {
		return text
	}
	w.scratch = csv.AppendUnquoted(w.scratch[:0], cell)
	return w.scratch
}
