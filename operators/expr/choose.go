package expr

import (
	"math"

	"analyzer/columnar"
)

// OpIf chooses between two values.
const OpIf Op = "if"

// If is then where the condition is true, and otherwise where it is false or null.
// Each branch is computed only in the rows that need it, so that it cannot fail in
// others.
func If(condition, then, otherwise *Expr) *Expr { return Call(OpIf, condition, then, otherwise) }

// Coalesce is the first value that is not null.
func Coalesce(first *Expr, others ...*Expr) *Expr {
	if len(others) == 0 {
		return first
	}
	return If(IsNull(first), Coalesce(others[0], others[1:]...), first)
}

func init() { functions.Add(chooseFunctions) }

func chooseFunctions() []function {
	return []function{
		{
			op: OpIf, takes: "a bool and two values of one type", types: only(anyItem, columnar.Bool, anyItem, anyItem),
			cost: costFixed, seesNulls: true, byValue: true,
		},
	}
}

// choice is the node of an if.
type choice struct {
	result
	typ       columnar.Type
	condition node
	branches  [2]argument
}

// filled is values of which those that are null are zero, or empty: that is what their slots hold.
type filled struct {
	values node
	vec    columnar.Vector
}

func (f *filled) eval(in *input) (*columnar.Vector, error) {
	v, err := f.values.eval(in)
	if err != nil {
		return nil, err
	}
	f.vec = *v
	f.vec.Valid = nil
	return &f.vec, nil
}

// fills reports whether an if is Coalesce(x, Zero(t)), for which no value of x need be copied.
func (c *compiler) fills(e *Expr) bool {
	zero, isNull := e.Args[1].Literal(), e.Args[0].Op == OpIsNull
	flat := zero != nil && zero.Type.Kind() != columnar.KindList && zero.empty() && !math.Signbit(zero.Float)
	return flat && isNull && c.id(e.Args[0].Args[0]) == c.id(e.Args[2])
}

// choice compiles an if. Its branches are scopes of their own.
func (c *compiler) choice(e *Expr) (operand, error) {
	if c.fills(e) {
		x, err := c.compile(e.Args[2])
		return operand{node: &once{node: &filled{values: x.node}}, typ: x.typ}, err
	}
	condition, err := c.compile(e.Args[0])
	if err != nil {
		return operand{}, err
	}
	n := &choice{condition: condition.node}
	for i := range n.branches {
		branch, g, err := c.guarded(e.Args[1+i])
		if err != nil {
			return operand{}, err
		}
		n.branches[i], n.typ = argument{node: branch.node, guard: g}, branch.typ
	}
	return operand{node: &once{node: n}, typ: n.typ}, nil
}

// guarded compiles a part of a tree as a scope of its own.
func (c *compiler) guarded(e *Expr) (operand, *guard, error) {
	outer := c.scope
	c.scope = newScope()
	defer func() { c.scope = outer }()
	o, err := c.compile(e)
	if err != nil {
		return operand{}, nil, err
	}
	return o, c.newGuard(outer), nil
}

// newGuard returns the guard of the compiler's current scope, which is nested in outer.
func (c *compiler) newGuard(outer *scope) *guard {
	g := &guard{cols: c.scope.columns()}
	for _, i := range g.cols {
		outer.reads[i] = true
		g.gathered = append(g.gathered, gathered{vec: columnar.NewVector(c.schema[i].Type)})
	}
	g.in.cols = make([]*columnar.Vector, len(c.schema))
	return g
}

func (n *choice) eval(in *input) (*columnar.Vector, error) {
	condition, err := n.condition.eval(in)
	if err != nil {
		return nil, err
	}
	first, second := n.branches[0].guard, n.branches[1].guard
	first.rows, second.rows = first.rows[:0], second.rows[:0]
	for i, b := range condition.Bools[:in.rows] {
		if b && !condition.IsNull(i) {
			first.rows = append(first.rows, int32(i))
		} else {
			second.rows = append(second.rows, int32(i))
		}
	}
	var values [2]*columnar.Vector
	for i, b := range n.branches {
		switch {
		case len(b.guard.rows) == 0:
			continue
		case len(b.guard.rows) == in.rows:
			b.guard.pass(in)
			return b.node.eval(&b.guard.in)
		}
		b.guard.gather(in)
		if values[i], err = b.node.eval(&b.guard.in); err != nil {
			return nil, err
		}
	}
	n.start(n.typ, in.rows)
	if in.rows == 0 {
		return &n.Vector, nil
	}
	n.scatter(first.rows, values[0], second.rows, values[1])
	return &n.Vector, nil
}

// scatter puts the values of both branches into their rows.
func (n *choice) scatter(first []int32, a *columnar.Vector, second []int32, b *columnar.Vector) {
	switch n.kind {
	case columnar.KindBytes:
		n.interleave(first, a, b)
	case columnar.KindList:
		n.interleaveLists(first, a, b)
	default:
		n.put(first, a)
		n.put(second, b)
	}
	if a.Valid == nil && b.Valid == nil {
		return
	}
	valid := n.validity()
	for k, i := range first {
		valid[i] = !a.IsNull(k)
	}
	for k, i := range second {
		valid[i] = !b.IsNull(k)
	}
}

// put sets the values of rows.
func (n *choice) put(rows []int32, from *columnar.Vector) {
	switch n.kind {
	case columnar.KindBool:
		put(n.Bools, rows, from.Bools)
	case columnar.KindInt64:
		put(n.Ints, rows, from.Ints)
	case columnar.KindFloat64:
		put(n.Floats, rows, from.Floats)
	case columnar.KindInt128:
		put(n.Wides, rows, from.Wides)
	}
}

func put[T any](out []T, rows []int32, values []T) {
	for k, i := range rows {
		out[i] = values[k]
	}
}

// interleave writes texts in row order: those of a in the rows first, those of b in all
// others.
func (n *choice) interleave(first []int32, a, b *columnar.Vector) {
	out, j := &n.Vector, 0
	for i := range out.Len {
		if j < len(first) && int(first[j]) == i {
			out.Data = append(out.Data, a.Bytes(j)...)
			j++
		} else {
			out.Data = append(out.Data, b.Bytes(i-j)...)
		}
		out.Offsets[i+1] = int32(len(out.Data))
	}
}

// interleaveLists is interleave for lists.
func (n *choice) interleaveLists(first []int32, a, b *columnar.Vector) {
	out, j := &n.Vector, 0
	for i := range out.Len {
		from, at := b, i-j
		if j < len(first) && int(first[j]) == i {
			from, at = a, j
			j++
		}
		out.Child.AppendRange(from.Child, int(from.Offsets[at]), int(from.Offsets[at+1]))
		out.Offsets[i+1] = int32(out.Child.Len)
	}
}
