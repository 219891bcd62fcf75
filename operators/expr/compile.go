package expr

import (
	"fmt"
	"slices"

	"analyzer/columnar"
)

// Compile makes an evaluator of e for batches of schema s. It takes from env the
// text models that e needs. Its errors are those of Validate and TypeOf, and
// that a model is unknown or not given as a literal.
func Compile(e *Expr, s columnar.Schema, env *Env) (*Evaluator, error) {
	if err := e.Validate(); err != nil {
		return nil, err
	}
	t, err := e.TypeOf(s)
	if err != nil {
		return nil, err
	}
	return newEvaluator(e.Fold(), s, t, env)
}

func newEvaluator(e *Expr, s columnar.Schema, t columnar.Type, env *Env) (*Evaluator, error) {
	c := &compiler{schema: s, env: env, ids: make(map[string]int), known: make(map[*Expr]int), scope: newScope()}
	root, err := c.compile(e)
	if err != nil {
		return nil, err
	}
	return &Evaluator{root: root.node, typ: t, schema: s, reads: c.scope.columns()}, nil
}

// compiler turns a checked tree into nodes. Equal parts of the tree become one
// node within a scope, so that they are computed once.
type compiler struct {
	schema columnar.Schema
	env    *Env
	ids    map[string]int
	known  map[*Expr]int
	scope  *scope
}

// scope is the part of a tree that is computed for the same rows.
type scope struct {
	made  map[int]operand
	reads map[int]bool
}

func newScope() *scope { return &scope{made: make(map[int]operand), reads: make(map[int]bool)} }

func (s *scope) columns() []int {
	columns := make([]int, 0, len(s.reads))
	for i := range s.reads {
		columns = append(columns, i)
	}
	slices.Sort(columns)
	return columns
}

// operand is a compiled expression as an argument of another.
type operand struct {
	node  node
	typ   columnar.Type
	value *Value // of a literal that is not null
	expr  *Expr
}

// id numbers expressions so that equal ones have the same number.
func (c *compiler) id(e *Expr) int {
	if id, ok := c.known[e]; ok {
		return id
	}
	key := string(e.Op)
	if len(e.Args) == 0 {
		key = e.String()
	}
	for _, a := range e.Args {
		key += fmt.Sprintf(" %d", c.id(a))
	}
	id, ok := c.ids[key]
	if !ok {
		id = len(c.ids)
		c.ids[key] = id
	}
	c.known[e] = id
	return id
}

func (c *compiler) compile(e *Expr) (operand, error) {
	id := c.id(e)
	if o, ok := c.scope.made[id]; ok {
		return o, nil
	}
	o, err := c.make(e)
	if err != nil {
		return operand{}, err
	}
	o.expr = e
	c.scope.made[id] = o
	return o, nil
}

func (c *compiler) make(e *Expr) (operand, error) {
	switch e.Op {
	case OpColumn:
		i := c.schema.Index(e.Name)
		c.scope.reads[i] = true
		return operand{node: column(i), typ: c.schema[i].Type}, nil
	case OpLiteral:
		return operand{node: &constant{value: e.Value}, typ: e.Value.Type, value: e.literal()}, nil
	case OpAnd, OpOr:
		n, err := c.logic(e)
		return operand{node: &once{node: n}, typ: columnar.Bool}, err
	}
	args := make([]operand, len(e.Args))
	types := make([]columnar.Type, len(e.Args))
	for i, a := range e.Args {
		var err error
		if args[i], err = c.compile(a); err != nil {
			return operand{}, err
		}
		types[i] = args[i].typ
	}
	n, err := c.call(e, args)
	return operand{node: &once{node: n}, typ: resultType(e.Op, types)}, err
}

// call makes the node of an operation with compiled arguments.
func (c *compiler) call(e *Expr, args []operand) (node, error) {
	switch e.Op {
	case OpNot:
		return &not{arg: args[0].node}, nil
	case OpIsNull:
		return &isNull{arg: args[0].node}, nil
	case OpEq, OpNe, OpLt, OpLe, OpGt, OpGe:
		return newCompare(e.Op, args[0], args[1]), nil
	case OpAdd, OpSub, OpMul, OpIntDiv:
		return newArithmetic(e, args[0], args[1]), nil
	case OpDiv:
		return newDivision(e, args[0], args[1]), nil
	case OpToDecimal:
		return convert(args[0], columnar.Decimal, e).node, nil
	case OpToFloat:
		return convert(args[0], columnar.Float, e).node, nil
	case OpYear:
		return &year{text: args[0].node}, nil
	case OpLower:
		return &lower{text: args[0].node}, nil
	case OpContains:
		return newContains(args[0], args[1]), nil
	case OpListContains:
		return newListContains(args[0], args[1]), nil
	case OpListContainsAll:
		return newListContainsAll(args[0], args[1]), nil
	case OpLen:
		return &length{list: args[0].node}, nil
	case OpElement:
		return &element{list: args[0].node, index: args[1].node}, nil
	}
	return c.model(e, args)
}

// column is a column of the batch.
type column int

func (c column) eval(in *input) (*columnar.Vector, error) { return in.cols[c], nil }

// once computes a node that stands in several places once for each batch.
type once struct {
	node node
	pass uint64
	vec  *columnar.Vector
}

func (o *once) eval(in *input) (*columnar.Vector, error) {
	if o.pass == in.pass {
		return o.vec, nil
	}
	v, err := o.node.eval(in)
	if err != nil {
		return nil, err
	}
	o.pass, o.vec = in.pass, v
	return v, nil
}
