package expr

import (
	"fmt"
	"slices"
	"strconv"

	"analyzer/columnar"
)

// Compile returns an evaluator of e for batches of schema s. It takes the text models
// that e needs from env. Besides the errors of Validate and TypeOf, it returns those of
// functions that cannot be built, as when a model is unknown or not named by a literal.
func Compile(e *Expr, s columnar.Schema, env *Env) (*Evaluator, error) {
	if err := e.Validate(); err != nil {
		return nil, err
	}
	t, err := e.TypeOf(s)
	if err != nil {
		return nil, err
	}
	return newEvaluator(e.Fold(), s, t, env, nil)
}

// newEvaluator is Compile for an expression that was checked, of type t. Some columns of the batches, which are lists,
// are coded vectors.
func newEvaluator(e *Expr, s columnar.Schema, t columnar.Type, env *Env, coded map[int]bool) (*Evaluator, error) {
	c := &compiler{schema: s, env: env, coded: coded, decoded: make(map[int]bool), ids: make(map[string]int), known: make(map[*Expr]int), scope: newScope()}
	root, err := c.compile(e)
	if err != nil {
		return nil, err
	}
	reads := c.scope.columns()
	ev := &Evaluator{root: root.node, typ: t, schema: s, reads: reads, parts: len(c.ids) - len(reads), varies: c.varies, decoded: c.decoded}
	ev.pieces = PiecesOf(ev)
	return ev, nil
}

// compiler turns a checked tree into nodes. Within a scope, equal parts of the tree
// share one node, so that they are computed once.
type compiler struct {
	schema columnar.Schema
	env    *Env
	coded  map[int]bool // the columns that are coded vectors
	// decoded are those of them whose values a function needs row by row.
	decoded map[int]bool
	ids     map[string]int
	known   map[*Expr]int
	scope   *scope
	varies  bool // whether a function makes texts or lists
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
	value *Value           // of a literal that is not null
	list  *columnar.Vector // of one list, which is that of all rows; nil: it is none, or differs
	expr  *Expr
}

// id returns the number of an expression. Equal expressions have the same number.
func (c *compiler) id(e *Expr) int {
	if id, ok := c.known[e]; ok {
		return id
	}
	key := []byte(e.Op)
	if len(e.Args) == 0 {
		key = []byte(e.String())
	}
	for _, a := range e.Args {
		key = strconv.AppendInt(append(key, ' '), int64(c.id(a)), 10)
	}
	id, ok := c.ids[string(key)]
	if !ok {
		id = len(c.ids)
		c.ids[string(key)] = id
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
		o := c.column(e)
		if i := o.node.(column); c.coded[int(i)] {
			c.decoded[int(i)] = true
			o.node = &once{node: &decoded{column: i}}
		}
		return o, nil
	case OpLiteral:
		return operand{node: &constant{value: e.Value}, typ: e.Value.Type, value: e.Literal()}, nil
	case OpVariable:
		return operand{}, unbound(e)
	case OpAnd, OpOr:
		n, err := c.logic(e)
		return operand{node: &once{node: n}, typ: columnar.Bool}, err
	case OpIf:
		return c.choice(e)
	case OpTry:
		return c.attempt(e)
	}
	f := e.Op.find()
	if f.lambda != nil {
		return c.lambda(e, f)
	}
	args := make([]operand, len(e.Args))
	types := make([]columnar.Type, len(e.Args))
	for i := range e.Args {
		var err error
		if args[i], err = c.argument(e, f, i); err != nil {
			return operand{}, err
		}
		types[i] = args[i].typ
	}
	if f.cost >= Expensive && c.env == nil {
		return operand{}, fmt.Errorf("compile %s: no text models are at hand", e.brief())
	}
	b := &build{expr: e, typ: f.result(e.Args, types), args: args, env: c.env}
	o := operand{typ: b.typ, node: args[0].node}
	run, err := f.build(b)
	if err != nil {
		return operand{}, fmt.Errorf("compile %s: %w", e.brief(), err)
	}
	if run != nil {
		call := newCall(b.typ, run, e, b.args...)
		call.seesNulls = f.seesNulls
		c.varies = c.varies || call.varies
		o.node = &once{node: call}
	}
	return o, nil
}

// argument compiles argument i of a call of a function, as a coded vector if it can be one.
func (c *compiler) argument(call *Expr, f *function, i int) (operand, error) {
	a := call.Args[i]
	if i == 0 && f.coded {
		if a.Op == OpColumn && !call.Args[1].isLiteral() {
			return c.column(a), nil
		}
		if list, ok := c.fixed(a); ok {
			return list, nil
		}
	}
	return c.compile(a)
}

// column is a column of the batch.
type column int

func (c column) eval(in *input) (*columnar.Vector, error) { return in.cols[c], nil }

// column compiles a column as it is in the batch, coded or not.
func (c *compiler) column(e *Expr) operand {
	i := c.schema.Index(e.Name)
	c.scope.reads[i] = true
	return operand{node: column(i), typ: c.schema[i].Type, expr: e}
}

// decoded is the values of a column that is a coded vector.
type decoded struct {
	column column
	vec    *columnar.Vector
}

func (d *decoded) eval(in *input) (*columnar.Vector, error) {
	coded := in.cols[d.column]
	if d.vec == nil {
		d.vec = columnar.NewVector(coded.Type)
	}
	d.vec.Reset()
	d.vec.AppendGather(coded.Dictionary, coded.Places)
	return d.vec, nil
}

// once computes a node that several nodes share only once per batch.
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
