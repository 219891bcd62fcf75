package columnar

// Rows is a batch inside a stage: columns of equal length, borrowed for the
// time of one call. Between stages rows travel as record batches.
type Rows struct {
	Len  int
	Cols []*Vector
}

// View returns the rows of a batch; they borrow its memory.
func View(s Schema, b RecordBatch) Rows {
	return Rows{Len: int(b.NumRows()), Cols: Vectors(s, b)}
}

// NewRows returns empty vectors for a schema, to append to.
func NewRows(s Schema) Rows {
	r := Rows{Cols: make([]*Vector, len(s))}
	for i, f := range s {
		r.Cols[i] = NewVector(f.Type)
	}
	return r
}

// AppendGather appends the rows of src at the given positions.
func (r *Rows) AppendGather(src Rows, sel []int32) {
	for i, c := range r.Cols {
		c.AppendGather(src.Cols[i], sel)
	}
	r.Len += len(sel)
}

// AppendRange appends the rows of src from position lo up to, not including, hi.
func (r *Rows) AppendRange(src Rows, lo, hi int) {
	for i, c := range r.Cols {
		c.AppendRange(src.Cols[i], lo, hi)
	}
	r.Len += hi - lo
}

// Reset empties the rows and keeps their memory for what is appended next.
func (r *Rows) Reset() {
	for _, c := range r.Cols {
		c.Reset()
	}
	r.Len = 0
}

// Size returns about how many bytes of memory the rows take.
func (r *Rows) Size() int64 {
	var n int64
	for _, c := range r.Cols {
		n += c.Size()
	}
	return n
}

// Project returns the columns at the given positions, borrowed.
func (r Rows) Project(columns []int) Rows {
	out := Rows{Len: r.Len, Cols: make([]*Vector, len(columns))}
	for i, c := range columns {
		out.Cols[i] = r.Cols[c]
	}
	return out
}
