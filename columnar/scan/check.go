package scan

import (
	"analyzer/columnar"
	"analyzer/columnar/csv"
	"analyzer/columnar/number"
)

// check decides of every record whether it is valid, keeps the numbers met on the
// way, and returns how many are rejected.
func (w *Worker) check() int {
	s, n := w.scan, w.block.Len()
	w.status = growTo(w.status, n)
	clear(w.status)
	if !w.block.Uniform(s.fields) {
		w.checkShape()
	}
	for i := range s.checks {
		c := &s.checks[i]
		if c.vector < 0 {
			w.checkTexts(i, c)
			continue
		}
		w.vectors[c.vector] = growTo(w.vectors[c.vector], n)
		w.checkNumbers(i, c, w.vectors[c.vector])
	}
	w.valid = w.valid[:0]
	for r, st := range w.status {
		if st == valid {
			w.valid = append(w.valid, int32(r))
		}
	}
	return n - len(w.valid)
}

// checkShape looks at the number of fields.
func (w *Worker) checkShape() {
	b, want := &w.block, w.scan.fields
	extra := int64(0)
	for r := range b.Len() {
		switch n := b.Fields(r); {
		case n == 0:
			w.status[r] = blank
		case n > want:
			extra++
		case n < want:
			w.status[r] = tooFew
		}
	}
	if b.Unclosed() {
		w.status[b.Len()-1] = unclosed
	}
	w.scan.tally.extra.Add(extra)
}

// checkNumbers parses a required column.
func (w *Worker) checkNumbers(check int, c *column, out []int64) {
	for r := range out {
		if w.status[r] != valid {
			continue
		}
		cell := w.block.Cell(r, c.field)
		v, ok := w.number(c.Format, cell)
		out[r] = v
		if !ok {
			w.status[r] = fault(check, cell)
		}
	}
}

// checkTexts tests a required column of which nothing is kept.
func (w *Worker) checkTexts(check int, c *column) {
	for r := range w.status {
		if w.status[r] != valid {
			continue
		}
		cell := w.block.Cell(r, c.field)
		if csv.IsEmpty(cell) || !w.fits(c.Format, cell) {
			w.status[r] = fault(check, cell)
		}
	}
}

func fault(check int, cell []byte) status {
	if csv.IsEmpty(cell) {
		return emptyIn(check)
	}
	return unfitIn(check)
}

// number returns the value of a cell of a format that keepsNumbers.
func (w *Worker) number(f columnar.Format, cell []byte) (int64, bool) {
	text := w.text(cell)
	switch f {
	case columnar.FormatInt:
		return number.ParseInt(text)
	case columnar.FormatDecimal:
		return number.ParseDecimal(text)
	}
	v, ok := number.ParseBool(text)
	if v {
		return 1, ok
	}
	return 0, ok
}

// fits reports whether a cell that is not empty fits a format of text.
func (w *Worker) fits(f columnar.Format, cell []byte) bool {
	switch f {
	case columnar.FormatDate:
		return number.IsDate(w.text(cell))
	case columnar.FormatYear:
		_, ok := number.Year(w.text(cell))
		return ok
	}
	return true
}

// text returns the text of a cell; it is valid until the next call.
func (w *Worker) text(cell []byte) []byte {
	if text, ok := csv.Text(cell); ok {
		return text
	}
	w.scratch = csv.AppendUnquoted(w.scratch[:0], cell)
	return w.scratch
}
