package scan

// check decides for every record whether it is valid, and keeps the numbers that it
// parses. It returns how many records are rejected.
func (w *cellWorker) check() int {
	s, n := w.scan, w.block.Len()
	w.status, w.rejected = growTo(w.status, n), 0
	clear(w.status)
	w.counts = growTo(w.counts, len(s.tally.rejected))
	clear(w.counts)
	if !w.block.Uniform(s.fields) || w.block.Unclosed() {
		w.checkShape()
	}
	whole := w.listValid()
	for i := range s.checks {
		c := &s.checks[i]
		if c.vector < 0 {
			w.checkTexts(i, whole)
			continue
		}
		w.vectors[c.vector] = growTo(w.vectors[c.vector], n)
		w.checkNumbers(i, whole, w.vectors[c.vector])
	}
	w.valid = whole
	if w.rejected > n-len(whole) {
		w.valid = w.listValid()
	}
	return w.rejected
}

// reject records why record r is not valid.
func (w *cellWorker) reject(r int, why status) {
	w.status[r] = why
	w.counts[why]++
	w.rejected++
}

// checkShape rejects records that are unclosed, blank or have too few fields.
func (w *cellWorker) checkShape() {
	b, want := w.block, w.scan.fields
	extra := int64(0)
	last := b.Len()
	if b.Unclosed() {
		last--
		w.reject(last, unclosed)
	}
	for r := 0; r < last; r++ {
		switch n := b.Fields(r); {
		case n == want:
			r += b.Alike(r) - 1
		case n == 0:
			w.reject(r, blank)
		case n < want:
			w.reject(r, tooFew)
		case n > want && w.isExtra(r, want, n):
			extra++
		}
	}
	w.scan.tally.extra.Add(extra)
}

// isExtra reports whether one of the fields from first up to n of a record is not empty. Empty ones
// are delimiters that end a line.
func (w *cellWorker) isExtra(r, first, n int) bool {
	q := w.block.Quoting()
	for c := first; c < n; c++ {
		if !q.IsEmpty(w.block.Cell(r, c)) {
			return true
		}
	}
	return false
}

// checkNumbers applies check i to a column of numbers in the whole records, and keeps the
// numbers by record in out.
func (w *cellWorker) checkNumbers(i int, whole []int32, out []int64) {
	c, values := &w.scan.checks[i], out
	if len(whole) < len(out) {
		w.numbers = growTo(w.numbers, len(whole))
		values = w.numbers
	}
	w.parse(c, whole, values, func(j int, cell []byte) { w.checkCell(i, int(whole[j]), cell, &values[j]) })
	if len(whole) < len(out) {
		for j, r := range whole {
			out[r] = values[j]
		}
	}
}

// parse parses the numbers of a column in the given records into out. For a cell that is
// not in a common form it calls other with the cell's index in out.
func (w *cellWorker) parse(c *column, records []int32, out []int64, other func(j int, cell []byte)) {
	w.each(c, records, c.parse != nil, func(at, from, n int) int { return c.parse(&w.column.Cells, out[at:][:n], from) }, other)
}

// each reads the values of a column in the given records. It calls quick, if it may, for n cells of the column
// being read from the given one on, which is number at of all, as far as it takes them. Others it hands to other.
func (w *cellWorker) each(c *column, records []int32, may bool, quick func(at, from, n int) int, other func(j int, cell []byte)) {
	for at, part := range w.block.Parts(records) {
		w.block.Values(&w.column, c.field, part)
		for j := 0; j < len(part); j++ {
			if may {
				if j += quick(at+j, j, len(part)-j); j == len(part) {
					break
				}
			}
			other(at+j, w.column.Cell(j))
		}
	}
}

// checkTexts applies check i to a column whose values are not kept.
func (w *cellWorker) checkTexts(i int, whole []int32) {
	c := &w.scan.checks[i]
	other := func(j int, cell []byte) { w.checkCell(i, int(whole[j]), cell, nil) }
	switch {
	case c.skip != nil:
		w.each(c, whole, true, func(_, from, n int) int { return c.skip(&w.column.Cells, from, n) }, other)
		return
	case c.parse != nil:
		w.numbers = growTo(w.numbers, len(whole))
		w.parse(c, whole, w.numbers, other)
		return
	}
	w.block.Column(&w.column, c.field, whole)
	for j, r := range whole {
		// A cell of two quotes is empty, which is allowed in a strict column.
		if cell := w.column.Cell(j); c.fits != nil || c.null != nil || len(cell) <= 2 {
			w.checkCell(i, int(r), cell, nil)
		}
	}
}

// checkCell applies check i to the cell of record r, unless the record is already rejected.
func (w *cellWorker) checkCell(i, r int, cell []byte, out *int64) {
	if w.status[r] != valid {
		return
	}
	c := &w.scan.checks[i]
	if c.null == nil && w.block.Quoting().IsEmpty(cell) || c.null != nil && c.null(w.text(cell)) {
		if c.Required {
			w.reject(r, emptyIn(i))
		}
		return
	}
	ok := true
	switch text := w.text(cell); {
	case out != nil:
		*out, ok = c.number(text)
	case c.fits != nil:
		ok = c.fits(text)
	}
	if !ok {
		w.reject(r, unfitIn(i))
	}
}

// listValid returns the records that are not rejected so far.
func (w *cellWorker) listValid() []int32 {
	n := len(w.status)
	if w.rejected == 0 {
		return w.all.First(n)
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
func (w *cellWorker) text(cell []byte) []byte {
	q := w.block.Quoting()
	if text, ok := q.Text(cell); ok {
		return text
	}
	w.scratch = q.Append(w.scratch[:0], cell)
	return w.scratch
}
