package expr

import (
	"errors"
	"fmt"
	"slices"

	"analyzer/columnar"
)

// The functions of a list that compute an expression for each of its items. The last argument is
// that expression, and the variables before it stand for an item and its position in it.
const (
	OpListTransform Op = "list_transform" // list, item, position, expression
	OpListFilter    Op = "list_filter"    // list, item, position, condition
	// OpListReduce has another variable, for what was computed from the items so far: list, the
	// first such value or null, that variable, item, position, expression.
	OpListReduce Op = "list_reduce"
)

// OpVariable is a variable, by Name, of an expression that a function computes for each item of a
// list. Value is a null of its type. Names differ between all functions of a tree.
const OpVariable Op = "variable"

// Variable is a variable of a type.
func Variable(name string, t columnar.Type) *Expr {
	return &Expr{Op: OpVariable, Name: name, Value: &Value{Type: t, Null: true}}
}

func init() { functions.Add(lambdaFunctions) }

func lambdaFunctions() []function {
	list := columnar.ListOf(anyOther)
	transforms := only(list, anyList, anyItem, columnar.Int, anyOther)
	filters := only(anyList, anyList, anyItem, columnar.Int, columnar.Bool)
	reductions := only(anyOther, anyList, anyOther, anyOther, anyItem, columnar.Int, anyOther)
	return []function{
		{
			op: OpListTransform, takes: "a list, two variables and an expression of them", types: transforms, cost: costCase, canFail: true,
			check: func(args []*Expr) error { return checkVariables(args[1:3]) }, lambda: (*lambda).transform, variables: 2,
		},
		{
			op: OpListFilter, takes: "a list, two variables and a condition of them", types: filters, cost: costCase, canFail: true,
			check: func(args []*Expr) error { return checkVariables(args[1:3]) }, lambda: (*lambda).filter, variables: 2,
		},
		{
			op: OpListReduce, takes: "a list, a value, three variables and an expression of them", types: reductions, cost: costCase, canFail: true,
			check: func(args []*Expr) error { return checkVariables(args[2:5]) }, lambda: (*lambda).reduce, variables: 3,
		},
	}
}

func checkVariables(args []*Expr) error {
	names := make(map[string]bool)
	for _, a := range args {
		if a.Op != OpVariable || names[a.Name] {
			return errors.New("these arguments must be different variables")
		}
		names[a.Name] = true
	}
	return nil
}

// bound returns e with variables replaced by columns of their names.
func (e *Expr) bound(variables map[string]bool) *Expr {
	if e.Op == OpVariable && variables[e.Name] {
		return Col(e.Name)
	}
	if len(e.Args) == 0 {
		return e
	}
	return e.mapArgs(func(a *Expr) *Expr { return a.bound(variables) })
}

// capture is a part of an expression that does not depend on its variables, and the column that
// stands in its place.
type capture struct {
	of *Expr
	as string
}

// captures returns an expression over columns of its own: its variables, and the parts that are the
// same for all items of a list, which are computed once for each list. A part that may fail is left
// where it is if it is not computed for each item. If it is, perItem makes one that does not fail for
// a list without items; nil leaves all of these where they are.
func captures(e *Expr, variables map[string]bool, perItem func(part *Expr) *Expr) (*Expr, []capture) {
	var found []capture
	known := make(map[string]string)
	var replace func(e *Expr, always bool) *Expr
	replace = func(e *Expr, always bool) *Expr {
		columns := e.Columns()
		if len(columns) == 0 {
			return e
		}
		own := slices.ContainsFunc(columns, func(name string) bool { return variables[name] }) || e.isOpen()
		fails := e.Op != OpColumn && e.CanFail()
		if own || fails && !always {
			if e.Op == OpColumn {
				return e
			}
			always = always && e.Op.find().build != nil
			return e.mapArgs(func(a *Expr) *Expr { return replace(a, always) })
		}
		text := e.String()
		if known[text] == "" {
			for name := fmt.Sprintf("captured %d", len(found)+1); known[text] == "" || variables[known[text]]; name += "'" {
				known[text] = name
			}
			part := e
			if fails {
				part = perItem(e)
			}
			found = append(found, capture{part, known[text]})
		}
		return Col(known[text])
	}
	return replace(e, perItem != nil), found
}

// hasVariable reports whether a variable stands in e, whether a function in e binds it or not.
func (e *Expr) hasVariable() bool {
	found := false
	e.walk(func(n *Expr) { found = found || n.Op == OpVariable })
	return found
}

// isOpen reports whether a variable stands in e that no function in e binds.
func (e *Expr) isOpen() bool {
	bound, open := make(map[string]bool), false
	e.walk(func(n *Expr) {
		if f := n.Op.find(); f != nil && f.lambda != nil {
			last := len(n.Args) - 1
			for _, v := range n.Args[last-f.variables : last] {
				bound[v.Name] = true
			}
		}
	})
	e.walk(func(n *Expr) { open = open || n.Op == OpVariable && !bound[n.Name] })
	return open
}

// lambdaRows is for how many items an expression is computed at once.
const lambdaRows = 2048

// lambda computes an expression over items of lists. The columns of the expression are its
// variables, and the columns of the rows that it reads.
type lambda struct {
	body      *Evaluator
	variables int                // how many of the columns are variables
	cols      []*columnar.Vector // what the expression is computed over
	places    columnar.Vector    // positions within their lists
	items     columnar.Vector
	rows      []int32            // the row of each item
	captured  []*columnar.Vector // the columns of the rows, for each item
	copied    []bool             // which of these repeat a value for each item
	typ       columnar.Type      // of the result
}

// lambda compiles a function that computes an expression for each item of a list. Its arguments
// are the list, what else stands before the variables, and then the columns that the expression
// reads.
func (c *compiler) lambda(e *Expr, f *function) (operand, error) {
	n := len(e.Args)
	first := n - 1 - f.variables
	names := make(map[string]bool)
	var schema columnar.Schema
	types := make([]columnar.Type, n)
	for i, a := range e.Args[first : n-1] {
		names[a.Name] = true
		schema, types[first+i] = append(schema, columnar.Field{Name: a.Name, Type: a.Value.Type}), a.Value.Type
	}
	body := e.Args[n-1].bound(names)
	l := &lambda{variables: len(schema)}
	var args []operand
	for i, a := range e.Args[:first] {
		o, err := c.compile(a)
		if err != nil {
			return operand{}, err
		}
		args, types[i] = append(args, o), o.typ
	}
	var (
		perItem func(part *Expr) *Expr
		err     error
	)
	if e.Op != OpListReduce { // which computes nothing for the only item of a list
		perItem = func(part *Expr) *Expr {
			t, typeErr := part.TypeOf(c.schema)
			err = errors.Join(err, typeErr)
			return If(Gt(Len(e.Args[0]), Int(0)), part, Null(t))
		}
	}
	body, captured := captures(body, names, perItem)
	if err != nil {
		return operand{}, err
	}
	coded := make(map[int]bool)
	for _, one := range captured {
		o, err := c.captured(one.of)
		if err != nil {
			return operand{}, err
		}
		coded[len(schema)] = o.typ.Kind() == columnar.KindList
		args, schema = append(args, o), append(schema, columnar.Field{Name: one.as, Type: o.typ})
		l.captured = append(l.captured, columnar.NewVector(o.typ))
	}
	t, err := body.TypeOf(schema)
	if err != nil {
		return operand{}, err
	}
	types[n-1] = t
	if l.body, err = newEvaluator(body, schema, t, c.env, coded); err != nil {
		return operand{}, err
	}
	for k, v := range l.captured {
		l.copied = append(l.copied, v.Type.Kind() != columnar.KindList || l.body.decoded[l.variables+k])
	}
	l.typ, l.cols = f.result(e.Args, types), make([]*columnar.Vector, len(schema))
	l.places = columnar.Vector{Type: columnar.Int}
	run := newCall(l.typ, func(out *result, args []*columnar.Vector) error { return f.lambda(l, out, args) }, e, args...)
	run.seesNulls = true
	return operand{node: &once{node: run}, typ: l.typ}, nil
}

// captured compiles what an expression captures, coded if it is a column that is.
func (c *compiler) captured(e *Expr) (operand, error) {
	if e.Op == OpColumn {
		return c.column(e), nil
	}
	return c.compile(e)
}

// each computes the expression for the items of all lists, some at a time, and hands over its
// values with the items from lo on.
func (l *lambda) each(lists *columnar.Vector, captured []*columnar.Vector, take func(values *columnar.Vector, lo int)) error {
	row, at, end := 0, 0, 0
	if lists.Len > 0 {
		at, end = int(lists.Offsets[0]), int(lists.Offsets[lists.Len])
	}
	for at < end {
		n, bytes := 0, int64(0)
		l.rows, l.places.Ints = l.rows[:0], l.places.Ints[:0]
		for ; n < min(end-at, lambdaRows) && bytes < pieceBytes; n++ {
			j := at + n
			for j >= int(lists.Offsets[row+1]) {
				row++
			}
			for k, c := range captured {
				if l.copied[k] {
					bytes += c.VaryingBytes(row)
				}
			}
			l.rows = append(l.rows, int32(row))
			l.places.Ints = append(l.places.Ints, int64(j)-int64(lists.Offsets[row])+1)
		}
		l.places.Len = n
		l.items.View(lists.Child, at, at+n)
		l.cols[0], l.cols[1] = &l.items, &l.places
		values, err := l.compute(captured)
		if err != nil {
			return err
		}
		take(values, at)
		at += n
	}
	return nil
}

// compute computes the expression over the variables, for the rows in l.rows.
func (l *lambda) compute(captured []*columnar.Vector) (*columnar.Vector, error) {
	for i, column := range captured {
		into := l.captured[i]
		if l.cols[l.variables+i] = into; into.Type.Kind() == columnar.KindList {
			into.Code(column, l.rows) // a copy for each item would take the square of a list's length
			continue
		}
		into.Reset()
		into.AppendGather(column, l.rows)
	}
	return l.body.Eval(l.cols, len(l.rows))
}

func (l *lambda) transform(out *result, args []*columnar.Vector) error {
	lists := args[0]
	out.nullsOf(args[:1])
	for i := range out.Len {
		out.Offsets[i+1] = lists.Offsets[i+1] - lists.Offsets[0]
	}
	return l.each(lists, args[1:], func(values *columnar.Vector, _ int) { out.Child.AppendRange(values, 0, values.Len) })
}

func (l *lambda) filter(out *result, args []*columnar.Vector) error {
	lists, row := args[0], 0
	out.nullsOf(args[:1])
	err := l.each(lists, args[1:], func(kept *columnar.Vector, lo int) {
		for j, keep := range kept.Bools[:kept.Len] {
			for ; lo+j >= int(lists.Offsets[row+1]); row++ {
				out.Offsets[row+1] = int32(out.Child.Len)
			}
			if keep && !kept.IsNull(j) {
				out.Child.AppendRange(lists.Child, lo+j, lo+j+1)
			}
		}
	})
	for ; row < out.Len; row++ {
		out.Offsets[row+1] = int32(out.Child.Len)
	}
	return err
}

// reduce computes the expression for the first items of all lists, then for the second ones, and
// so on.
func (l *lambda) reduce(out *result, args []*columnar.Vector) error {
	lists, first := args[0], args[1]
	out.nullsOf(args[:1])
	last, done := columnar.NewVector(l.typ), columnar.NewVector(l.typ)
	at := make([]int, out.Len) // where the value of a row is in done
	var going, sel []int32
	for i := range out.Len {
		if !out.IsNull(i) {
			going = append(going, int32(i))
		}
	}
	last.AppendGather(first, going)
	for place := 0; len(going) > 0; place++ {
		l.rows, sel, l.places.Ints = l.rows[:0], sel[:0], l.places.Ints[:0]
		item := columnar.NewVector(lists.Type.Item())
		for k, i := range going {
			j := int(lists.Offsets[i]) + place
			if j >= int(lists.Offsets[i+1]) {
				at[i] = done.Len
				done.AppendRange(last, k, k+1)
				continue
			}
			l.rows, sel = append(l.rows, i), append(sel, int32(k))
			l.places.Ints = append(l.places.Ints, int64(place)+1)
			item.AppendRange(lists.Child, j, j+1)
		}
		sum := columnar.NewVector(l.typ)
		sum.AppendGather(last, sel)
		l.places.Len = len(l.rows)
		l.cols[0], l.cols[1], l.cols[2] = sum, item, &l.places
		values, err := l.compute(args[2:])
		if err != nil {
			return err
		}
		last = columnar.NewVector(l.typ)
		last.AppendRange(values, 0, values.Len)
		if going = append(going[:0], l.rows...); len(last.Data) > maxMade {
			return ErrMuchText
		}
	}
	for i := range out.rows() {
		if done.IsNull(at[i]) {
			out.setNull(i)
		} else {
			out.set(i, done, at[i])
		}
	}
	return nil
}

// unbound is the error for a variable that no function binds.
func unbound(e *Expr) error {
	return fmt.Errorf("there is no variable %q here", e.Name)
}
