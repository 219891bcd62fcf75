package parquet

import (
	"errors"
	"math"

	"analyzer/columnar"
)

// nested is a worker's state of reading a column that has parts.
type nested struct {
	root    *part
	leaves  []*leaf
	vectors map[*part]*columnar.Vector // memory for the parts of structs and maps
}

var errParts = errors.New("the levels of a nested column contradict each other")

func newNested(c *Column, compressed *[]byte) *nested {
	if c.root == nil {
		return nil
	}
	n := &nested{root: c.root, vectors: make(map[*part]*columnar.Vector)}
	for i := range c.leaves {
		l := &c.leaves[i]
		n.leaves = append(n.leaves, &leaf{chunk: newChunk(l, compressed), values: columnar.NewVector(l.Type)})
	}
	return n
}

func (n *nested) open(f *File, group int) error {
	for _, l := range n.leaves {
		if err := l.open(f, group); err != nil {
			return err
		}
	}
	return nil
}

// take reads the next rows, into a vector of them unless that is nil.
func (n *nested) take(rows int, into *columnar.Vector) error {
	for _, l := range n.leaves {
		if err := l.take(rows); err != nil {
			return err
		}
	}
	if into == nil {
		return nil
	}
	if err := n.append(into, n.root, 0, 0); err != nil {
		return err
	}
	if into.Len != rows {
		return errParts
	}
	return nil
}

// append appends a part's values in the rows taken last to an empty vector. What they stand in is there
// from a definition level on, and has one value for each entry up to a repetition level.
func (n *nested) append(v *columnar.Vector, p *part, exists, repetition uint8) error {
	switch {
	case p.typ.IsStruct():
		return n.structs(v, p, exists, repetition)
	case p.typ.IsMap():
		return n.maps(v, p, exists, repetition)
	case p.parts != nil:
		return n.lists(v, p, exists)
	}
	l, next, from := n.leaves[p.leaf], 0, 0
	for k, definition := range l.definition {
		switch {
		case definition >= p.present:
			next++
		case definition >= exists:
			v.AppendRange(l.values, from, next)
			v.AppendNull()
			from = next
		}
		if l.repetition[k] > repetition { // not a value of its own
			return errParts
		}
	}
	v.AppendRange(l.values, from, next)
	return nil
}

func (n *nested) lists(v *columnar.Vector, p *part, exists uint8) error {
	l, items, open := n.leaves[p.leaf], int32(0), false
	for k, again := range l.repetition {
		definition := l.definition[k]
		switch {
		case again > p.further: // of a list within this one
		case again == p.further:
			if !open || definition <= p.present {
				return errParts
			}
			items++
			v.Offsets[v.Len] = items
		default:
			if open = definition > p.present; open {
				items++
			}
			if definition < exists {
				continue
			}
			if v.Valid != nil || definition < p.present {
				v.AppendNull()
				v.Valid[v.Len-1] = definition >= p.present
			} else {
				v.Len++
				v.Offsets = append(v.Offsets, 0)
			}
			v.Offsets[v.Len] = items
		}
	}
	if err := n.append(v.Child, p.parts[0], p.present+1, p.further); err != nil {
		return err
	}
	if v.Child.Len != int(items) {
		return errParts
	}
	return nil
}

// scratch returns an empty vector for a part of a struct or a map.
func (n *nested) scratch(p *part) *columnar.Vector {
	v := n.vectors[p]
	if v == nil {
		v = columnar.NewVector(p.typ)
		n.vectors[p] = v
	}
	v.Reset()
	return v
}

func (n *nested) structs(v *columnar.Vector, p *part, exists, repetition uint8) error {
	fields, count := make([]*columnar.Vector, len(p.parts)), 0
	for i, field := range p.parts {
		fields[i] = n.scratch(field)
		if err := n.append(fields[i], field, p.present, repetition); err != nil {
			return err
		}
		if count = fields[i].Len; count != fields[0].Len {
			return errParts
		}
	}
	return n.each(v, p, exists, repetition, count, func(dst []byte, i int) []byte {
		for _, field := range fields {
			dst = field.AppendField(dst, i)
		}
		return dst
	})
}

func (n *nested) maps(v *columnar.Vector, p *part, exists, repetition uint8) error {
	entries := n.scratch(p.parts[0])
	if err := n.append(entries, p.parts[0], p.present, repetition); err != nil {
		return err
	}
	return n.each(v, p, exists, repetition, entries.Len, func(dst []byte, i int) []byte {
		return columnar.AppendOrdered(dst, entries, i)
	})
}

// each appends a part's values, of which there must be count that are not null. value appends the bytes of
// the i-th of these.
func (n *nested) each(v *columnar.Vector, p *part, exists, repetition uint8, count int, value func(dst []byte, i int) []byte) error {
	l, i := n.leaves[p.leaf], 0
	for k, definition := range l.definition {
		switch {
		case l.repetition[k] > repetition || definition < exists:
		case definition < p.present:
			v.AppendNull()
		case i == count:
			return errParts
		default:
			v.Data = value(v.Data, i)
			if len(v.Data) > math.MaxInt32 {
				return errLong
			}
			v.AppendBytes(nil)
			i++
		}
	}
	if i < count {
		return errParts
	}
	return nil
}
