package expr

import "analyzer/columnar"

// newCompare makes the node of a comparison: a plain loop if the two types are
// the same or one side is a literal that can be brought to the other's type,
// and otherwise one over values converted to a type that holds both exactly.
func newCompare(op Op, a, b operand) node {
	if a.value != nil && b.value == nil {
		a, b, op = b, a, mirrored(op)
	}
	if a.typ == columnar.Bool {
		a, b = boolsAsInts(a), boolsAsInts(b)
	}
	if n := compareLiteral(op, a, b); n != nil {
		return n
	}
	switch t := commonType(a.typ, b.typ); t {
	case columnar.Text:
		return &compareText{op: op, a: a.node, b: b.node}
	case columnar.Float:
		return &compare[float64]{op: op, a: convert(a, t, nil).node, b: convert(b, t, nil).node, values: floats}
	case columnar.Wide:
		return &compareWide{op: op, a: convert(a, t, nil).node, b: convert(b, t, nil).node}
	}
	return &compare[int64]{op: op, a: a.node, b: b.node, values: ints}
}

// mirrored is the comparison with its sides exchanged.
func mirrored(op Op) Op {
	switch op {
	case OpLt:
		return OpGt
	case OpLe:
		return OpGe
	case OpGt:
		return OpLt
	case OpGe:
		return OpLe
	}
	return op
}

// commonType is the type to compare two others in. Int and Decimal meet in Wide,
// since not every Int fits a Decimal.
func commonType(a, b columnar.Type) columnar.Type {
	if a == b {
		return a
	}
	if a == columnar.Float || b == columnar.Float {
		return columnar.Float
	}
	return columnar.Wide
}

// compareLiteral makes the node of a comparison with a literal, or nil if b is
// none or only meets a in Wide.
func compareLiteral(op Op, a, b operand) node {
	if b.value == nil {
		return nil
	}
	n := b.value.Int
	switch {
	case a.typ == columnar.Text:
		return &compareTextLiteral{op: op, text: a.node, literal: b.value.Text}
	case a.typ == columnar.Wide && b.typ != columnar.Float:
		return nil
	case a.typ == columnar.Float || b.typ == columnar.Float:
		return &compareTo[float64]{op: op, a: convert(a, columnar.Float, nil).node, literal: b.value.float(), values: floats}
	case a.typ == columnar.Decimal && b.typ == columnar.Int:
		op, n = decimalBound(op, n)
	case a.typ == columnar.Int && b.typ == columnar.Decimal:
		op, n = intBound(op, n)
	}
	return &compareTo[int64]{op: op, a: a.node, literal: n, values: ints}
}

func ints(v *columnar.Vector) []int64     { return v.Ints }
func floats(v *columnar.Vector) []float64 { return v.Floats }

// compare compares two vectors of numbers.
type compare[T int64 | float64] struct {
	result
	op     Op
	a, b   node
	values func(*columnar.Vector) []T
}

func (c *compare[T]) eval(in *input) (*columnar.Vector, error) {
	a, b, err := eval2(in, c.a, c.b)
	if err != nil {
		return nil, err
	}
	out := c.start(columnar.Bool, in.rows)
	c.nullsOf(a, b)
	compareSlices(c.op, out.Bools, c.values(a), c.values(b))
	zeroNulls(out.Bools, out.Valid)
	return out, nil
}

func eval2(in *input, x, y node) (a, b *columnar.Vector, err error) {
	if a, err = x.eval(in); err != nil {
		return nil, nil, err
	}
	b, err = y.eval(in)
	return a, b, err
}

func compareSlices[T int64 | float64](op Op, out []bool, a, b []T) {
	a, b = a[:len(out)], b[:len(out)]
	switch op {
	case OpEq:
		for i := range out {
			out[i] = a[i] == b[i]
		}
	case OpNe:
		for i := range out {
			out[i] = a[i] != b[i]
		}
	case OpLt:
		for i := range out {
			out[i] = a[i] < b[i]
		}
	case OpLe:
		for i := range out {
			out[i] = a[i] <= b[i]
		}
	case OpGt:
		for i := range out {
			out[i] = a[i] > b[i]
		}
	case OpGe:
		for i := range out {
			out[i] = a[i] >= b[i]
		}
	}
}

// compareTo compares a vector of numbers with a literal.
type compareTo[T int64 | float64] struct {
	result
	op      Op
	a       node
	literal T
	values  func(*columnar.Vector) []T
}

func (c *compareTo[T]) eval(in *input) (*columnar.Vector, error) {
	a, err := c.a.eval(in)
	if err != nil {
		return nil, err
	}
	out := c.start(columnar.Bool, in.rows)
	c.nullsOf1(a)
	compareSlice(c.op, out.Bools, c.values(a), c.literal)
	zeroNulls(out.Bools, out.Valid)
	return out, nil
}

func compareSlice[T int64 | float64](op Op, out []bool, a []T, b T) {
	a = a[:len(out)]
	switch op {
	case OpEq:
		for i, x := range a {
			out[i] = x == b
		}
	case OpNe:
		for i, x := range a {
			out[i] = x != b
		}
	case OpLt:
		for i, x := range a {
			out[i] = x < b
		}
	case OpLe:
		for i, x := range a {
			out[i] = x <= b
		}
	case OpGt:
		for i, x := range a {
			out[i] = x > b
		}
	case OpGe:
		for i, x := range a {
			out[i] = x >= b
		}
	}
}

// compareWide compares two vectors of Wides.
type compareWide struct {
	result
	op   Op
	a, b node
}

func (c *compareWide) eval(in *input) (*columnar.Vector, error) {
	a, b, err := eval2(in, c.a, c.b)
	if err != nil {
		return nil, err
	}
	out := c.start(columnar.Bool, in.rows)
	c.nullsOf(a, b)
	x, y := a.Wides[:in.rows], b.Wides[:in.rows]
	for i := range out.Bools {
		out.Bools[i] = holds(c.op, x[i].Cmp(y[i]))
	}
	zeroNulls(out.Bools, out.Valid)
	return out, nil
}

// holds reports whether a comparison is true of values in the given order, as
// bytes.Compare returns it.
func holds(op Op, order int) bool {
	switch op {
	case OpEq:
		return order == 0
	case OpNe:
		return order != 0
	case OpLt:
		return order < 0
	case OpLe:
		return order <= 0
	case OpGt:
		return order > 0
	}
	return order >= 0
}
