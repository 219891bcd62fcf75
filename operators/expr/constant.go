package expr

import (
	"fmt"

	"analyzer/columnar"
)

// constant is a literal where an operation has no shorter way for one: a vector
// that repeats it, made again only when a batch is longer than those before.
type constant struct {
	value *Value
	out   columnar.Vector
	whole *columnar.Vector // as long as the longest batch
}

func (c *constant) eval(in *input) (*columnar.Vector, error) {
	if c.whole == nil || c.whole.Len < in.rows {
		v, err := c.value.repeat(in.rows)
		if err != nil {
			return nil, err
		}
		c.whole = v
	}
	c.out = *c.whole
	truncate(&c.out, in.rows)
	return &c.out, nil
}

// truncate shortens a vector to its first n values.
func truncate(v *columnar.Vector, n int) {
	v.Len = n
	if v.Valid != nil {
		v.Valid = v.Valid[:n]
	}
	switch v.Type {
	case columnar.Bool:
		v.Bools = v.Bools[:n]
	case columnar.Int, columnar.Decimal:
		v.Ints = v.Ints[:n]
	case columnar.Float:
		v.Floats = v.Floats[:n]
	case columnar.Text, columnar.TextList:
		v.Offsets = v.Offsets[:n+1]
	}
}

func (v *Value) size() int {
	n := len(v.Text)
	for _, t := range v.Texts {
		n += len(t) + 1
	}
	return n
}

// repeat returns a vector of rows times the value.
func (v *Value) repeat(rows int) (*columnar.Vector, error) {
	if size := v.size(); rows > 0 && size > columnar.MaxVectorBytes/rows {
		return nil, fmt.Errorf("a literal of %d bytes is too large to repeat for %d rows", size, rows)
	}
	out := columnar.NewVector(v.Type)
	for range rows {
		v.appendTo(out)
	}
	return out, nil
}

func (v *Value) appendTo(out *columnar.Vector) {
	if v.Null {
		out.AppendNull()
		return
	}
	switch v.Type {
	case columnar.Bool:
		out.Bools = append(out.Bools, v.Bool)
		out.Len++
	case columnar.Int, columnar.Decimal:
		out.AppendInt(v.Int)
	case columnar.Float:
		out.AppendFloat(v.Float)
	case columnar.Text:
		out.AppendBytes([]byte(v.Text))
	case columnar.TextList:
		for _, t := range v.Texts {
			out.Child.AppendBytes([]byte(t))
		}
		out.EndList()
	}
}

// literalAt returns value i of a vector as a literal, or nil if there are no
// literals of its type.
func literalAt(v *columnar.Vector, i int) *Expr {
	null := v.IsNull(i)
	switch v.Type {
	case columnar.Bool:
		return lit(Value{Type: v.Type, Null: null, Bool: !null && v.Bools[i]})
	case columnar.Int, columnar.Decimal:
		return lit(Value{Type: v.Type, Null: null, Int: v.Ints[i]})
	case columnar.Float:
		return lit(Value{Type: v.Type, Null: null, Float: v.Floats[i]})
	case columnar.Text:
		return lit(Value{Type: v.Type, Null: null, Text: string(v.Bytes(i))})
	}
	return nil
}
