package arrow

import (
	"errors"
	"fmt"
	"math"

	"analyzer/columnar"
	"analyzer/columnar/ipc"
)

// lists reads lists whose offsets say where their items are.
func lists(r *reading, at, n int64) error {
	width := int64(4)
	if r.part.Kind == ipc.LargeList {
		width = 8
	}
	return r.listsIn(r.vector, width, at, n)
}

func (r *reading) listsIn(v *columnar.Vector, width, at, n int64) error {
	ends, err := r.ends(width, at, n)
	if err != nil {
		return err
	}
	return r.list(v, ends[0], ends[n]-ends[0], func(i int) int64 { return ends[i] - ends[0] })
}

// fixedLists reads lists that all have the same number of items.
func fixedLists(r *reading, at, n int64) error {
	width := r.part.Width
	if width < 0 || n*width > math.MaxInt32 || at > math.MaxInt64/max(width, 1) {
		return errors.New("the lists of consecutive rows are too long")
	}
	return r.list(r.vector, at*width, n*width, func(i int) int64 { return int64(i) * width })
}

// list reads the items of lists into a vector whose nulls are known. Of the lists end returns where those before the i-th list end. Nulls
// have none.
func (r *reading) list(v *columnar.Vector, from, items int64, end func(i int) int64) error {
	if err := r.items.take(from, items); err != nil {
		return fmt.Errorf("items: %w", err)
	}
	v.Child, v.Offsets = r.items.vector, growTo(v.Offsets, v.Len+1)
	v.Offsets[0] = 0
	hidden := false
	for i := range v.Len {
		v.Offsets[i+1] = int32(end(i + 1))
		hidden = hidden || v.IsNull(i) && v.Offsets[i+1] > v.Offsets[i]
	}
	if hidden {
		dropItems(v)
	}
	return nil
}

// dropItems drops the items of nulls.
func dropItems(v *columnar.Vector) {
	all := v.Child
	v.Child = columnar.NewVector(all.Type)
	from := int32(0)
	for i := range v.Len {
		to := v.Offsets[i+1]
		if !v.IsNull(i) {
			v.Child.AppendRange(all, int(from), int(to))
		}
		from, v.Offsets[i+1] = to, int32(v.Child.Len)
	}
}

// structs reads structs, whose fields are stored apart.
func structs(r *reading, at, n int64) error {
	for _, field := range r.fields {
		if err := field.take(at, n); err != nil {
			return fmt.Errorf("fields: %w", err)
		}
	}
	return r.encode(func(dst []byte, i int) []byte {
		for _, field := range r.fields {
			dst = field.vector.AppendField(dst, i)
		}
		return dst
	})
}

// maps reads maps, which are stored as lists of their entries.
func maps(r *reading, at, n int64) error {
	entries := columnar.NewVector(columnar.ListOf(r.items.part.typ))
	entries.Len, entries.Valid = r.vector.Len, r.vector.Valid
	if err := r.listsIn(entries, 4, at, n); err != nil {
		return err
	}
	return r.encode(func(dst []byte, i int) []byte { return columnar.AppendOrdered(dst, entries, i) })
}

// encode makes the vector one of bytes, of which value appends those of what is not null.
func (r *reading) encode(value func(dst []byte, i int) []byte) error {
	v := r.vector
	v.Data, v.Offsets = v.Data[:0], growTo(v.Offsets, v.Len+1)
	v.Offsets[0] = 0
	for i := range v.Len {
		if !v.IsNull(i) {
			v.Data = value(v.Data, i)
		}
		if len(v.Data) > math.MaxInt32 {
			return errors.New("the values of consecutive rows are too long")
		}
		v.Offsets[i+1] = int32(len(v.Data))
	}
	return nil
}
