package bind

import (
	"cmp"
	"slices"
	"strings"

	"analyzer/columnar"
	"analyzer/operators/expr"
	"analyzer/operators/query/plan"
	"analyzer/operators/query/scalar"
	"analyzer/operators/query/sql"
	"analyzer/operators/registry"
	"analyzer/operators/window"
)

// windows are the window functions of a SELECT, grouped by window.
type windows struct {
	b      *binder
	named  []sql.NamedWindow
	all    []*bound
	places []*bound // those whose functions number rows for others
	inputs computed // their arguments, keys and sort keys, where they are no columns
}

// bound is a window: its partition and order, and the functions that use it.
type bound struct {
	keys  []string
	order []plan.Order
	ties  []plan.Order    // order rows that agree in order
	types []columnar.Type // of the sort keys
	calls []plan.Call
}

// hasWindow reports whether an expression has a window function.
func hasWindow(e *sql.Expr) bool {
	return has(e, func(e *sql.Expr) bool { return e.Window != nil })
}

// windowFunction is a window function, other than an aggregate, as statements call it.
type windowFunction = scalar.Called[windowBinding]

type windowBinding func(s *scope, e *sql.Expr) windowCall

// windowCall is a call with its arguments, which do not have columns yet.
type windowCall struct {
	plan.Call
	function  *window.Function
	reads     []scalar.Value // the columns that it reads, whose names are not final yet
	otherwise scalar.Value
}

// windowFunctions are the window functions.
var windowFunctions = registry.New(scalar.NamesOf[windowBinding])

func init() {
	windowFunctions.Add(func() []windowFunction { return columnar.Each(window.AllCalled(), ownWindow) })
}

// ownWindow is a function of package window.
func ownWindow(f *window.Function) windowFunction {
	return scalar.Documented[windowBinding](f.Doc, func(s *scope, e *sql.Expr) windowCall {
		c, args := windowCall{Call: plan.Call{Func: f.Func}, function: f}, e.Args
		if f.Takes {
			c.Args, c.Present = []string{"value"}, e.IgnoreNulls
			c.reads, args = []scalar.Value{windowValue(s, e, f)}, args[1:]
		}
		if n := f.Number; n != nil {
			if c.N = n.Default; len(args) > 0 {
				windowNumber(s, &c, args[0], f)
				args = args[1:]
			}
		}
		if len(args) > 0 {
			es, t := scalar.Common([]scalar.Value{c.reads[0], s.expr(args[0])})
			c.reads[0], c.otherwise = scalar.Value{Expr: es[0], Type: t}, scalar.Value{Expr: es[1], Type: t}
		}
		return c
	})
}

// windowNumber binds the number that a function is called with: one for all rows, or a column.
func windowNumber(s *scope, c *windowCall, e *sql.Expr, f *window.Function) {
	v := s.expr(e)
	if n := v.Expr.Fold().Literal(); n != nil && !n.Null || !f.Far || c.Present {
		c.N = s.b.constant("a number of rows").LiteralInt(e, f.Number.Least, f.Number.What)
		return
	}
	c.N, c.Far = 0, "far"
	c.reads = append(c.reads, scalar.IntOf(v.As(columnar.Int)))
}

// windowValue binds the first argument of a function that takes a column.
func windowValue(s *scope, e *sql.Expr, f *window.Function) scalar.Value {
	v := s.expr(e.Args[0])
	if f.Types != nil && !scalar.IsTime(v.Type) {
		v = v.Among(f.Types)
	}
	return v
}

// window binds a window function as a column.
func (s *scope) window(e *sql.Expr) scalar.Value {
	if s.windows == nil {
		where := "here"
		if s.clause != "" {
			where = "in " + s.clause
		}
		panic(sql.Wrong(e.At, "They stand in SELECT, QUALIFY and ORDER BY.", "a window function cannot stand %s", where))
	}
	if made := s.b.inFormula(e); made != nil {
		return s.expr(made)
	}
	w := s.windows
	in := *s
	in.windows, in.clause = nil, "a window function"
	s.b.Work.Do(1 + len(w.all)/16)
	of, frame := w.windowOf(e.Window, &in)
	var c windowCall
	var result scalar.Value
	if f := windowFunctions.Find(e.Text); f != nil {
		if c = windowArguments(&in, e, f); len(e.Order) > 0 {
			of = w.inOrder(e, of, &c, &in)
		}
	} else {
		c, result = w.windowAggregate(e, &in)
	}
	c.Frame = frame.Frame
	c.reads = append(c.reads, frame.reads...)
	return w.addCall(e, of, c, result)
}

func windowArguments(s *scope, e *sql.Expr, f *windowFunction) (c windowCall) {
	f.CheckCount(e)
	switch {
	case len(e.Args) > 0 && e.Args[0].Kind == sql.Star:
		panic(sql.Wrong(e.At, "", "it is %s", f.Usage))
	case e.Distinct, e.Filter != nil:
		panic(sql.Unsupported(e.At, "", "DISTINCT and FILTER with "+e.Text))
	}
	c = f.Bind(s, e)
	switch {
	case len(e.Order) > 0 && c.function.Within == "" && !c.function.Reorders:
		panic(sql.Unsupported(e.At, "", "ORDER BY within "+e.Text))
	case e.IgnoreNulls && !c.Present:
		panic(ignoresNulls(e))
	case e.IgnoreNulls && max(c.N, -c.N) > window.MostPresent:
		panic(sql.Wrong(e.Args[1].At, "", "with IGNORE NULLS it counts up to %d rows", window.MostPresent))
	}
	return c
}

// inOrder makes a call of one with an ORDER BY of its own, of the places that the rows of the partition have in that order.
// It returns the window of the call.
func (w *windows) inOrder(e *sql.Expr, of *bound, c *windowCall, s *scope) *bound {
	by := &bound{keys: of.keys, ties: of.order}
	for _, o := range e.Order {
		by.add(w, o, s)
	}
	if c.function.Reorders {
		by.ties = nil
		by, w.all = addBound(w.all, by)
		return by
	}
	by, w.places = addBound(w.places, by)
	place := func(f window.Func) scalar.Value {
		return w.addCall(e, by, windowCall{Call: plan.Call{Func: f, Name: w.b.Unique("place")}}, scalar.Value{})
	}
	values := len(c.Args)
	c.Func, c.Args = c.function.Within, append(slices.Clip(c.Args), "place", "counted")
	c.reads = slices.Insert(c.reads, values, place(window.RowNumber), place(c.function.ByOrder))
	return of
}

// add adds a key of ORDER BY.
func (b *bound) add(w *windows, o sql.Order, s *scope) {
	v := windowKey(s, o.Expr)
	b.order = append(b.order, orderBy(w.input(v.Expr), o))
	b.types = append(b.types, v.Type)
}

// addBound returns the window of some that is as another one, which it adds if there is none.
func addBound(all []*bound, one *bound) (*bound, []*bound) {
	for _, known := range all {
		if slices.Equal(known.keys, one.keys) && slices.Equal(known.order, one.order) && slices.Equal(known.ties, one.ties) {
			return known, all
		}
	}
	return one, append(all, one)
}

// ignoresNulls returns the error for IGNORE NULLS with a function that does not take it.
func ignoresNulls(e *sql.Expr) error {
	return sql.Unsupported(e.At, "", "IGNORE NULLS clauses with "+e.Text)
}

// windowAggregate binds an aggregate as in groups; result is the expression that the aggregate
// makes of its column. One whose value depends on an order follows that of the window unless it has
// its own.
func (w *windows) windowAggregate(e *sql.Expr, s *scope) (c windowCall, result scalar.Value) {
	if !isAggregate(e.Text) {
		if scalar.Functions.Find(e.Text) != nil {
			panic(sql.Wrong(e.At, "", "%s is no function of a window", e.Text))
		}
		panic(unknownFunction(e))
	}
	plain := *e
	if plain.Window = nil; len(e.Order) == 0 && !e.Distinct && dependsOnOrder(aggregateFunctions.Find(e.Text)) {
		plain.Order = w.resolve(e.Window).Order
	}
	g := &groups{b: w.b, in: s, window: true}
	result = g.aggregate(&plain)
	a := g.aggs[0]
	call := plan.Call{Func: window.Func(a.Func), Args: a.Args, Order: a.Order, Where: a.Where, Param: a.Param, Distinct: g.distinct, Name: a.Name}
	return windowCall{Call: call, reads: g.reads}, result
}

// addCall returns the value of a call, and adds the call to a window if it is new. result, if
// set, is the expression to make of the call's column.
func (w *windows) addCall(e *sql.Expr, of *bound, c windowCall, result scalar.Value) scalar.Value {
	schema, names := columnar.Schema{}, make(map[string]string)
	for i, name := range c.Reads() {
		names[name] = w.input(c.reads[i].Expr)
		schema = append(schema, columnar.Field{Name: names[name], Type: c.reads[i].Type})
	}
	call := c.Renamed(func(name string) string { return names[name] })
	if c.otherwise.Expr != nil {
		call.Default = w.input(c.otherwise.Expr)
		schema = append(schema, columnar.Field{Name: call.Default, Type: c.otherwise.Type})
	}
	call.Name = ""
	t, err := call.Type(schema, of.types)
	if err != nil {
		panic(sql.UnsupportedTypes(e.At, "", e.Text+" of "+scalar.TypesOf(c.reads)+" in windows"))
	}
	name := ""
	for _, known := range of.calls {
		if call.Name = known.Name; call.Same(known) {
			name = known.Name
		}
	}
	if name == "" {
		if name = c.Name; name == "" {
			name = w.b.Unique(e.String())
		}
		call.Name = name
		of.calls = append(of.calls, call)
	}
	if result.Expr == nil {
		return scalar.Value{Expr: expr.Col(name), Type: t}
	}
	result.Expr = result.Expr.Rename(func(string) *expr.Expr { return expr.Col(name) })
	return result
}

// input returns the column that holds a value in the input of the windows.
func (w *windows) input(e *expr.Expr) string {
	if e.Op == expr.OpColumn {
		return e.Name
	}
	return w.inputs.column(w.b, e, "argument")
}

// windowOf binds the partition, order and frame that follow OVER, and finds the window
// that has them.
func (w *windows) windowOf(ast *sql.Window, s *scope) (*bound, windowFrame) {
	ast = w.resolve(ast)
	ast.Order = measured(s, ast)
	one := &bound{}
	for _, e := range ast.Partition {
		v := windowKey(s, e)
		if name := w.input(v.Expr); !slices.Contains(one.keys, name) {
			one.keys = append(one.keys, name)
		}
	}
	for _, o := range ast.Order {
		one.add(w, o, s)
	}
	frame := frameOf(s, ast, one)
	one, w.all = addBound(w.all, one)
	return one, frame
}

// resolve returns a window with the clauses that it inherits from a named one.
func (w *windows) resolve(ast *sql.Window) *sql.Window {
	out := *ast
	for range len(w.named) + 1 {
		if out.Name == "" {
			return &out
		}
		i := slices.IndexFunc(w.named, func(n sql.NamedWindow) bool { return strings.EqualFold(n.Name, out.Name) })
		if i < 0 {
			names := columnar.Each(w.named, func(n sql.NamedWindow) string { return n.Name })
			panic(sql.Wrong(ast.At, cmp.Or(sql.DidYouMean(out.Name, names), "Next: write OVER (…), or WINDOW "+sql.QuoteName(out.Name)+" AS (…) behind the conditions."), "there is no window %q", out.Name))
		}
		base := w.named[i].Window
		switch {
		case len(out.Partition) > 0 || len(out.Order) > 0 && len(base.Order) > 0:
			panic(sql.Wrong(ast.At, "", "the window %q has a partition and an order of its own", out.Name))
		case len(out.Order) == 0:
			out.Order = base.Order
		}
		if out.Frame == nil {
			out.Frame = base.Frame
		}
		out.Partition, out.Name = base.Partition, base.Name
	}
	panic(sql.Wrong(ast.At, "", "the window %q is made of itself", ast.Name))
}

// windowKey binds a key of PARTITION BY or ORDER BY. A list becomes the field of a struct, which has the same order
// and lies in one piece, as keys of windows do.
func windowKey(s *scope, e *sql.Expr) scalar.Value {
	v := s.expr(scalar.SortKey(e))
	if v.Type.Kind() != columnar.KindList {
		return v
	}
	key := scalar.StructOf(e.At, []string{"list"}, []scalar.Value{v})
	key.Expr = expr.If(expr.IsNull(v.Expr), expr.Null(key.Type), key.Expr)
	return key
}

// over puts the windows on top of a plan. They pass on the columns that read and ties need.
func (w *windows) over(node *plan.Node, read []plan.Named, ties []plan.Order) *plan.Node {
	made := map[string]bool{"": true}
	column := func(o plan.Order) string { return o.Column }
	needed := columnar.Each(ties, column)
	for _, in := range w.inputs.columns {
		made[in.Name] = true
	}
	for _, e := range read {
		needed = append(needed, e.Expr.Columns()...)
	}
	all := columnar.Only(slices.Concat(w.places, w.all), func(b *bound) bool { return len(b.calls) > 0 })
	for _, one := range all {
		needed = append(append(needed, one.keys...), columnar.Each(one.order, column)...)
		for _, c := range one.calls {
			needed, made[c.Name] = append(append(needed, c.Reads()...), c.Default), true
		}
	}
	names := columnar.Only(columnar.Union(needed), func(name string) bool { return !made[name] })
	node = node.Project(append(plan.Cols(names...), w.inputs.columns...)...)
	for _, one := range all {
		node = node.Window(one.keys, one.order, one.calls...)
		node.Ties = slices.Concat(one.ties, ties)
	}
	return node
}
