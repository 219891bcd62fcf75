package expr

import (
	"fmt"

	"analyzer/columnar"
	"analyzer/columnar/number"
)

// constant is the node of a literal whose operation has no fast path for literals. Its
// vector repeats the literal, and grows only when a batch is longer than all before it.
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
	c.out.View(c.whole, 0, in.rows)
	return &c.out, nil
}

func (v *Value) size() int {
	n := len(v.Text)
	for _, t := range v.Texts {
		n += len(t) + 1
	}
	return n
}

// repeat returns a vector that holds the value rows times.
func (v *Value) repeat(rows int) (*columnar.Vector, error) {
	if size := v.size(); rows > 0 && size > 2*maxMade/rows {
		return nil, fmt.Errorf("a literal of %d bytes is too large to repeat for %d rows", size, rows)
	}
	out := columnar.NewVector(v.Type)
	for range rows {
		v.appendTo(out)
	}
	return out, nil
}

// Vector returns a vector of one value.
func (v *Value) Vector() *columnar.Vector {
	out := columnar.NewVector(v.Type)
	v.appendTo(out)
	return out
}

func (v *Value) appendTo(out *columnar.Vector) {
	if v.Null {
		out.AppendNull()
		return
	}
	switch v.Type.Kind() {
	case columnar.KindBool:
		out.AppendBool(v.Bool)
	case columnar.KindInt64:
		out.AppendInt(v.Int)
	case columnar.KindFloat64:
		out.AppendFloat(v.Float)
	case columnar.KindInt128:
		out.AppendWide(v.wide())
	case columnar.KindBytes:
		out.AppendBytes(v.bytes())
	default:
		for _, t := range v.Texts {
			out.Child.AppendBytes([]byte(t))
		}
		out.EndList()
	}
}

// bytes returns the bytes of a Text or of Bytes.
func (v *Value) bytes() []byte {
	if v.Type == columnar.Bytes {
		b, _ := number.AppendUnescaped(nil, []byte(v.Text)) // check saw that they are such
		return b
	}
	return []byte(v.Text)
}

// literalAt returns value i of a vector as a literal, or an error if its type has no
// literals or the value is too large for one.
func literalAt(v *columnar.Vector, i int) (*Expr, error) {
	null := v.IsNull(i)
	switch v.Type.Kind() {
	case columnar.KindBool:
		return lit(Value{Type: v.Type, Null: null, Bool: v.Bools[i]}), nil
	case columnar.KindInt64:
		return lit(Value{Type: v.Type, Null: null, Int: v.Ints[i]}), nil
	case columnar.KindFloat64:
		if f := v.Floats[i]; isFinite(f) {
			return lit(Value{Type: v.Type, Null: null, Float: f}), nil
		}
	case columnar.KindInt128:
		l := wideValue(v.Type, v.Wides[i])
		l.Null = null
		return lit(l), nil
	case columnar.KindBytes:
		if null || !v.Type.IsNested() {
			return lit(Value{Type: v.Type, Null: null, Text: string(v.Printed(i))}), nil
		}
	case columnar.KindList:
		if l, ok := listAt(v, i); ok {
			return lit(l), nil
		}
	}
	return nil, fmt.Errorf("there is no literal of value %d of type %s", i, v.Type)
}

// listAt returns list i of a vector as a literal; ok is false unless the list is null, or is
// a list of texts of which none is null.
func listAt(v *columnar.Vector, i int) (l Value, ok bool) {
	l = Value{Type: v.Type, Null: v.IsNull(i)}
	if l.Null {
		return l, true
	}
	if v.Type != columnar.TextList {
		return l, false
	}
	for j := int(v.Offsets[i]); j < int(v.Offsets[i+1]); j++ {
		if v.Child.IsNull(j) {
			return l, false
		}
		l.Texts = append(l.Texts, string(v.Child.Bytes(j)))
	}
	return l, true
}
