package columnar

// Rows is a batch: columns of equal length, borrowed for the duration of one call.
// Between processes and on disk, a batch is a message of package ipc.
type Rows struct {
	Len  int
	Cols []*Vector
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

// Reset removes all rows and keeps their memory for the next ones.
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

// Slice returns the rows from position lo up to, not including, hi; they borrow
// the memory of r.
func (r Rows) Slice(lo, hi int) Rows {
	var out Rows
	out.View(r, lo, hi)
	return out
}

// View makes r what of.Slice returns, in the memory of an earlier view, which is r if it has columns.
func (r *Rows) View(of Rows, lo, hi int) {
	if n := len(of.Cols); len(r.Cols) != n {
		views := make([]Vector, n)
		r.Cols = make([]*Vector, n)
		for i := range views {
			r.Cols[i] = &views[i]
		}
	}
	r.Len = hi - lo
	for i, c := range of.Cols {
		r.Cols[i].View(c, lo, hi)
	}
}

// Chosen returns the rows at some positions: borrowed if they follow each other, and copied otherwise, into a batch of the
// same columns.
func (r Rows) Chosen(sel []int32, copied *Rows) Rows {
	if n := len(sel); consecutive(sel) {
		return r.Slice(int(sel[0]), int(sel[0])+n)
	}
	copied.Reset()
	copied.AppendGather(r, sel)
	return *copied
}

// InParts hands rows to f in equal parts of at most so many rows, borrowed. If that is all of them, it is r itself.
func (r Rows) InParts(most int, f func(Rows) error) error {
	if r.Len <= most {
		if r.Len == 0 {
			return nil
		}
		return f(r)
	}
	parts := (r.Len + most - 1) / most
	step := (r.Len + parts - 1) / parts
	for lo := 0; lo < r.Len; lo += step {
		if err := f(r.Slice(lo, min(lo+step, r.Len))); err != nil {
			return err
		}
	}
	return nil
}

// Project returns the columns at the given positions, borrowed.
func (r Rows) Project(columns []int) Rows {
	out := Rows{Len: r.Len, Cols: make([]*Vector, len(columns))}
	for i, c := range columns {
		out.Cols[i] = r.Cols[c]
	}
	return out
}

// ValueBytes returns about how many bytes the values themselves take, without spare
// capacity.
func (r Rows) ValueBytes() int64 { return r.ValueBytesOf(0, r.Len) }

// ValueBytesOf is ValueBytes of the rows from position lo up to, not including, hi.
func (r Rows) ValueBytesOf(lo, hi int) int64 {
	var n int64
	for _, c := range r.Cols {
		n += c.valueBytes(lo, hi)
	}
	return n
}

// Fitting returns how many rows to take at once so that they have about the given bytes of values. Of very many columns
// these are as many bytes as the vectors take that hold them.
func (r Rows) Fitting(bytes int64) int {
	each := r.ValueBytes()/int64(max(r.Len, 1)) + 1
	return int(max(1, max(bytes, Overhead(len(r.Cols)))/each))
}

// Overhead returns how many bytes so many vectors take without values, which is most of what a few rows of very many
// columns take.
func Overhead(columns int) int64 { return int64(columns) * vectorBytes }

// ValueBytes returns about how many bytes the values themselves take, without spare capacity.
func (v *Vector) ValueBytes() int64 { return v.valueBytes(0, v.Len) }

func (v *Vector) valueBytes(lo, hi int) int64 {
	n := int64(hi - lo)
	switch v.Type.Kind() {
	case KindBool:
		return n
	case KindInt128:
		return 16 * n
	case KindBytes:
		return 4*n + int64(v.Offsets[hi]-v.Offsets[lo])
	case KindList:
		return 4*n + v.Child.valueBytes(int(v.Offsets[lo]), int(v.Offsets[hi]))
	}
	return 8 * n
}

// VaryingBytes returns about how many bytes value i takes beyond the fixed size of its
// kind: those of a text, or of a list's items.
func (v *Vector) VaryingBytes(i int) int64 {
	if v.Dictionary != nil {
		return v.Dictionary.VaryingBytes(int(v.Places[i]))
	}
	if v.Offsets == nil {
		return 0
	}
	lo, hi := v.Offsets[i], v.Offsets[i+1]
	if v.Child == nil {
		return int64(hi - lo)
	}
	return v.Child.valueBytes(int(lo), int(hi))
}

// LongestVarying returns the maximum of VaryingBytes over all values.
func (v *Vector) LongestVarying() int64 {
	var most int64
	if v.Type.Kind().Varies() {
		for i := range v.Len {
			most = max(most, v.VaryingBytes(i))
		}
	}
	return most
}
