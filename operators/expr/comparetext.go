package expr

import (
	"bytes"

	"analyzer/columnar"
)

// compareText compares two vectors of texts.
type compareText struct {
	result
	op   Op
	a, b node
}

func (c *compareText) eval(in *input) (*columnar.Vector, error) {
	a, b, err := eval2(in, c.a, c.b)
	if err != nil {
		return nil, err
	}
	out := c.start(columnar.Bool, in.rows)
	c.nullsOf(a, b)
	for i := range out.Bools {
		out.Bools[i] = holds(c.op, bytes.Compare(a.Bytes(i), b.Bytes(i)))
	}
	zeroNulls(out.Bools, out.Valid)
	return out, nil
}

// compareTextLiteral compares a vector of texts with a literal.
type compareTextLiteral struct {
	result
	op      Op
	text    node
	literal string
}

func (c *compareTextLiteral) eval(in *input) (*columnar.Vector, error) {
	a, err := c.text.eval(in)
	if err != nil {
		return nil, err
	}
	out := c.start(columnar.Bool, in.rows)
	c.nullsOf1(a)
	if c.op == OpEq || c.op == OpNe {
		equalTexts(out.Bools, a, c.literal, c.op == OpEq)
	} else {
		literal := []byte(c.literal)
		for i := range out.Bools {
			out.Bools[i] = holds(c.op, bytes.Compare(a.Bytes(i), literal))
		}
	}
	zeroNulls(out.Bools, out.Valid)
	return out, nil
}

// equalTexts sets out to yes where a text equals the literal and to the opposite
// elsewhere. Most texts differ in length already.
func equalTexts(out []bool, texts *columnar.Vector, literal string, yes bool) {
	offsets, data := texts.Offsets[:len(out)+1], texts.Data
	for i := range out {
		lo, hi := offsets[i], offsets[i+1]
		equal := int(hi-lo) == len(literal) && string(data[lo:hi]) == literal
		out[i] = equal == yes
	}
}
