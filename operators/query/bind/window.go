package bind

import (
	"slices"
	"strings"

	"analyzer/columnar"
	"analyzer/columnar/number"
	"analyzer/operators/expr"
	"analyzer/operators/query/plan"
	"analyzer/operators/query/sql"
	"analyzer/operators/registry"
	"analyzer/operators/window"
)

// windows are the window functions of a SELECT, grouped by window.
type windows struct {
	named  []sql.NamedWindow
	all    []*bound
	inputs []plan.Named      // their arguments, keys and sort keys, where computed
	made   map[string]string // their columns by the texts of the expressions
}

// bound is a window: its partition and order, and the functions that use it.
type bound struct {
	keys  []string
	order []plan.Order
	types []columnar.Type // of the sort keys
	calls []plan.Call
}

// hasWindow reports whether an expression has a window function.
func hasWindow(e *sql.Expr) bool {
	return has(e, func(e *sql.Expr) bool { return e.Window != nil })
}

// windowFunction is a window function, other than an aggregate, as statements call it.
type windowFunction = called[windowBinding]

type windowBinding func(b *binder, e *sql.Expr, s *scope) windowCall

// windowCall is a call with its arguments, which do not have columns yet.
type windowCall struct {
	plan.Call
	reads     []typed // the columns that it reads, whose names are not final yet
	otherwise typed
}

// windowFunctions are the window functions.
var windowFunctions = registry.New(namesOf[windowBinding])

func init() {
	windowFunctions.Add(func() []windowFunction { return each(window.AllCalled(), ownWindow) })
}

// ownWindow is a function of package window.
func ownWindow(f window.Called) windowFunction {
	out := windowFunction{Doc: f.Doc}
	if f.Takes {
		out.least, out.most = 1, 1
	}
	if n := f.Number; n != nil {
		if out.most++; n.Needed {
			out.least++
		}
	}
	if f.Otherwise {
		out.most++
	}
	out.bind = func(b *binder, e *sql.Expr, s *scope) windowCall {
		c, args := windowCall{Call: plan.Call{Func: f.Func}}, e.Args
		if f.Takes {
			c.Args, c.Present = []string{"value"}, e.IgnoreNulls
			c.reads, args = []typed{b.windowValue(e, f, s)}, args[1:]
		}
		if n := f.Number; n != nil {
			if c.N = n.Default; len(args) > 0 {
				b.windowNumber(&c, args[0], f, s)
				args = args[1:]
			}
		}
		if len(args) > 0 {
			es, t := common([]typed{c.reads[0], b.expr(args[0], s)})
			c.reads[0], c.otherwise = typed{e: es[0], t: t}, typed{e: es[1], t: t}
		}
		return c
	}
	return out
}

// windowNumber binds the number that a function is called with: one for all rows, or a column.
func (b *binder) windowNumber(c *windowCall, e *sql.Expr, f window.Called, s *scope) {
	v := b.expr(e, s)
	if n := v.e.Fold().Literal(); n != nil && !n.Null || !f.Far || c.Present {
		c.N = b.literalInt(e, &scope{clause: "a number of rows"}, f.Number.Least, f.Number.What)
		return
	}
	c.N, c.Far = 0, "far"
	c.reads = append(c.reads, intOf(v.as(columnar.Int)))
}

// windowValue binds the first argument of a function that takes a column.
func (b *binder) windowValue(e *sql.Expr, f window.Called, s *scope) typed {
	v := b.expr(e.Args[0], s)
	if f.Types != nil && !isTime(v.t) {
		v = v.among(f.Types)
	}
	return v
}

// maxTimeOffset is how far ranges of timestamps may reach, in microseconds.
const maxTimeOffset = 10_000 * 366 * number.Day

// window binds a window function as a column.
func (b *binder) window(e *sql.Expr, s *scope) typed {
	if s.windows == nil {
		where := "here"
		if s.clause != "" {
			where = "in " + s.clause
		}
		panic(sql.Wrong(e.At, "They stand in SELECT, QUALIFY and ORDER BY.", "a window function cannot stand %s", where))
	}
	if made := b.inFormula(e); made != nil {
		return b.expr(made, s)
	}
	w := s.windows
	in := *s
	in.windows, in.clause = nil, "a window function"
	b.work.Do(1 + len(w.all)/16)
	of, frame := b.windowOf(e.Window, w, &in)
	var c windowCall
	var result typed
	if f := windowFunctions.Find(e.Text); f != nil {
		c = b.windowArguments(e, f, &in)
	} else {
		c, result = b.windowAggregate(e, w, &in)
	}
	c.Frame = frame.Frame
	c.reads = append(c.reads, frame.reads...)
	return b.addCall(e, w, of, c, result)
}

func (b *binder) windowArguments(e *sql.Expr, f *windowFunction, s *scope) (c windowCall) {
	f.checkCount(e)
	switch {
	case len(e.Args) > 0 && e.Args[0].Kind == sql.Star:
		panic(sql.Wrong(e.At, "", "it is %s", f.Usage))
	case e.Distinct, len(e.Order) > 0, e.Filter != nil:
		panic(sql.Unsupported(e.At, "", "DISTINCT, ORDER BY and FILTER with "+e.Text))
	}
	c = f.bind(b, e, s)
	switch {
	case e.IgnoreNulls && !c.Present:
		panic(ignoresNulls(e))
	case e.IgnoreNulls && max(c.N, -c.N) > window.MostPresent:
		panic(sql.Wrong(e.Args[1].At, "", "with IGNORE NULLS it counts up to %d rows", window.MostPresent))
	}
	return c
}

// ignoresNulls returns the error for IGNORE NULLS with a function that does not take it.
func ignoresNulls(e *sql.Expr) error {
	return sql.Unsupported(e.At, "", "IGNORE NULLS clauses with "+e.Text)
}

// windowAggregate binds an aggregate as in groups; result is the expression that the aggregate
// makes of its column. One whose value depends on an order follows that of the window unless it has
// its own.
func (b *binder) windowAggregate(e *sql.Expr, w *windows, s *scope) (c windowCall, result typed) {
	if !isAggregate(e.Text) {
		if functions.Find(e.Text) != nil {
			panic(sql.Wrong(e.At, "", "%s is no function of a window", e.Text))
		}
		panic(unknownFunction(e))
	}
	plain := *e
	if plain.Window = nil; len(e.Order) == 0 && !e.Distinct && dependsOnOrder(aggregateFunctions.Find(e.Text)) {
		plain.Order = w.resolve(e.Window).Order
	}
	g := &groups{in: s, window: true}
	result = b.aggregate(&plain, g)
	a := g.aggs[0]
	call := plan.Call{Func: window.Func(a.Func), Args: a.Args, Order: a.Order, Where: a.Where, Param: a.Param, Distinct: g.distinct, Name: a.Name}
	return windowCall{Call: call, reads: g.reads}, result
}

// addCall returns the value of a call, and adds the call to a window if it is new. result, if
// set, is the expression to make of the call's column.
func (b *binder) addCall(e *sql.Expr, w *windows, of *bound, c windowCall, result typed) typed {
	schema, names := columnar.Schema{}, make(map[string]string)
	for i, name := range c.Reads() {
		names[name] = w.input(b, c.reads[i].e)
		schema = append(schema, columnar.Field{Name: names[name], Type: c.reads[i].t})
	}
	call := c.Renamed(func(name string) string { return names[name] })
	if c.otherwise.e != nil {
		call.Default = w.input(b, c.otherwise.e)
		schema = append(schema, columnar.Field{Name: call.Default, Type: c.otherwise.t})
	}
	call.Name = ""
	t, err := call.Type(schema, of.types)
	if err != nil {
		panic(sql.Unsupported(e.At, "", e.Text+" of "+typesOf(c.reads)+" in windows"))
	}
	name := ""
	for _, known := range of.calls {
		if call.Name = known.Name; call.Same(known) {
			name = known.Name
		}
	}
	if name == "" {
		if name = c.Name; name == "" {
			name = b.unique(e.String())
		}
		call.Name = name
		of.calls = append(of.calls, call)
	}
	if result.e == nil {
		return typed{e: expr.Col(name), t: t}
	}
	result.e = result.e.Rename(func(string) *expr.Expr { return expr.Col(name) })
	return result
}

// input returns the column that holds a value in the input of the windows.
func (w *windows) input(b *binder, e *expr.Expr) string {
	if e.Op == expr.OpColumn {
		return e.Name
	}
	text := e.String()
	if w.made[text] == "" {
		w.made[text] = b.unique("argument")
		w.inputs = append(w.inputs, plan.As(w.made[text], e))
	}
	return w.made[text]
}

// windowOf binds the partition, order and frame that follow OVER, and finds the window
// that has them.
func (b *binder) windowOf(ast *sql.Window, w *windows, s *scope) (*bound, windowFrame) {
	ast = w.resolve(ast)
	one := &bound{}
	for _, e := range ast.Partition {
		v := b.windowKey(e, s)
		if name := w.input(b, v.e); !slices.Contains(one.keys, name) {
			one.keys = append(one.keys, name)
		}
	}
	for _, o := range ast.Order {
		v := b.windowKey(o.Expr, s)
		one.order = append(one.order, orderBy(w.input(b, v.e), o))
		one.types = append(one.types, v.t)
	}
	frame := b.frame(ast, one, s)
	for _, known := range w.all {
		if slices.Equal(known.keys, one.keys) && slices.Equal(known.order, one.order) {
			return known, frame
		}
	}
	w.all = append(w.all, one)
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
			names := each(w.named, func(n sql.NamedWindow) string { return n.Name })
			panic(sql.Wrong(ast.At, didYouMean(out.Name, names), "there is no window %q", out.Name))
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

// windowKey binds a key of PARTITION BY or ORDER BY.
func (b *binder) windowKey(e *sql.Expr, s *scope) typed {
	v := b.expr(sortKey(e), s)
	if v.t.Item() != columnar.Invalid {
		panic(sql.Unsupported(e.At, "", "windows by lists"))
	}
	return v
}

// windowFrame is a frame with the values that its bounds read, which do not have columns yet.
type windowFrame struct {
	plan.Frame
	reads []typed
}

// frame binds the frame of a window.
func (b *binder) frame(ast *sql.Window, of *bound, s *scope) windowFrame {
	whole := plan.Bound{Unit: window.Whole}
	f := ast.Frame
	switch {
	case f == nil && len(of.order) == 0:
		return windowFrame{Frame: plan.Frame{From: whole, To: whole}}
	case f == nil:
		return windowFrame{}
	case f.From.Kind == sql.ToLast || f.To.Kind == sql.FromFirst, f.From.Kind == sql.CurrentRow && f.To.Kind == sql.Preceding,
		f.From.Kind == sql.Following && (f.To.Kind == sql.Preceding || f.To.Kind == sql.CurrentRow):
		panic(sql.Wrong(f.At, "", "the frame ends before it begins"))
	}
	out := windowFrame{Frame: plan.Frame{Exclude: map[string]window.Exclusion{
		"CURRENT ROW": window.ExcludeRow, "GROUP": window.ExcludePeers, "TIES": window.ExcludeTies,
	}[f.Exclude]}}
	bounds := frameBounds{frame: &out, unit: f.Unit, order: ast.Order, of: of, s: s}
	out.From = b.frameBound(bounds, f.From, "frame begin")
	out.To = b.frameBound(bounds, f.To, "frame end")
	return out
}

// frameBounds is what the bounds of a frame are bound with.
type frameBounds struct {
	frame *windowFrame
	unit  string
	order []sql.Order
	of    *bound
	s     *scope
}

// frameBound binds a bound. If how far it is differs by row, that becomes a column of a name.
func (b *binder) frameBound(in frameBounds, f sql.FrameBound, column string) plan.Bound {
	unit := map[string]window.Unit{"ROWS": window.Rows, "GROUPS": window.Groups, "RANGE": window.Range}[in.unit]
	side := int64(1)
	if f.Kind == sql.Preceding {
		side = -1
	}
	switch {
	case f.Kind == sql.FromFirst || f.Kind == sql.ToLast:
		return plan.Bound{Unit: window.Whole}
	case f.Kind == sql.CurrentRow && unit != window.Rows:
		return plan.Bound{Unit: window.Peers}
	case f.Kind == sql.CurrentRow:
		return plan.Bound{Unit: unit}
	case unit == window.Range && len(in.of.order) != 1:
		panic(sql.Wrong(f.At, "", "a range of values needs one key in ORDER BY, and there are %d", len(in.of.order)))
	case unit == window.Range:
		out, ok := b.distance(f.Offset, in.of.types[0], in.s)
		if !ok {
			in.frame.reads = append(in.frame.reads, b.reached(in, f.Offset, side))
			return plan.Bound{Unit: unit, Offset: side, Column: column}
		}
		out.Offset, out.Months = side*out.Offset, side*out.Months
		return out
	case b.expr(f.Offset, in.s).e.Fold().Literal() == nil:
		in.frame.reads = append(in.frame.reads, intOf(b.valueOf(f.Offset, columnar.Int, in.s)))
		return plan.Bound{Unit: unit, Offset: side, Column: column}
	}
	least := int64(0)
	if unit == window.Rows { // it may be on the other side
		least = -window.MostOffset
	}
	n := min(b.literalInt(f.Offset, &scope{clause: "a frame"}, least, "the number of rows or groups"), window.MostOffset)
	return plan.Bound{Unit: unit, Offset: side * n}
}

// reached binds the key that a range reaches to.
func (b *binder) reached(in frameBounds, offset *sql.Expr, side int64) typed {
	t, key := in.of.types[0], b.expr(in.order[0].Expr, in.s)
	if in.order[0].Desc {
		side = -side
	}
	if isTime(t) && t != columnar.Instant {
		if key = moved(key, stepsOf(b.expr(offset, in.s).asInterval()), side < 0); t == columnar.Date {
			return typed{e: dateOf(key), t: t}
		}
		return key
	}
	by := b.valueOf(offset, t, in.s)
	if side < 0 {
		return typed{e: expr.Sub(key.e, by), t: t}
	}
	return typed{e: expr.Add(key.e, by), t: t}
}

// distance reads how far a range reaches from a value of a type, in the units of package
// window: months and days for dates, months and microseconds for timestamps, integers for
// integers, and millionths for other numbers. ok is false if that differs by row.
func (b *binder) distance(e *sql.Expr, t columnar.Type, s *scope) (out plan.Bound, ok bool) {
	want := t
	switch {
	case isTime(t) && t != columnar.Instant:
		return b.timeDistance(e, t, s)
	case t == columnar.Float:
		want = columnar.Decimal
	case t != columnar.Int && t != columnar.Decimal:
		panic(sql.Unsupported(e.At, "", "ranges of "+TypeName(t)))
	}
	v := b.expr(e, s)
	if v.e.Fold().Literal() == nil {
		return out, false
	}
	n := v.as(want).Fold().Literal()
	if n == nil {
		return out, false
	}
	return plan.Bound{Unit: window.Range, Offset: inReach(n.Int, window.MostOffset, e)}, true
}

// timeDistance reads how far a range of dates or timestamps reaches.
func (b *binder) timeDistance(e *sql.Expr, t columnar.Type, s *scope) (out plan.Bound, ok bool) {
	v := b.expr(e, s)
	if v.t != columnar.Interval {
		panic(sql.Wrong(e.At, "Next: write INTERVAL 7 DAY.", "a range of dates is an interval"))
	}
	out.Unit = window.Range
	for _, step := range stepsOf(v) {
		n := step.by.Fold().Literal()
		switch {
		case step.op == expr.OpAddMicros && t == columnar.Date:
			panic(sql.Wrong(e.At, "Next: write days.", "dates have no time of day"))
		case n == nil:
			return out, false
		case step.op == expr.OpAddMonths:
			out.Months = inReach(n.Int, number.MostMonths, e)
		case step.op == expr.OpAddDays && t == columnar.Timestamp:
			out.Offset += inReach(n.Int, maxTimeOffset/number.Day, e) * number.Day
		default:
			out.Offset += inReach(n.Int, maxTimeOffset, e)
		}
	}
	out.Offset = inReach(out.Offset, maxTimeOffset, e)
	return out, true
}

func inReach(n, most int64, e *sql.Expr) int64 {
	if n < 0 || n > most {
		panic(sql.Wrong(e.At, "", "a range reaches from 0 to %d", most))
	}
	return n
}

// over puts the windows on top of a plan. They pass on the columns that read and ties need.
func (w *windows) over(node *plan.Node, read []plan.Named, ties []plan.Order) *plan.Node {
	made := map[string]bool{"": true}
	column := func(o plan.Order) string { return o.Column }
	needed := each(ties, column)
	for _, in := range w.inputs {
		made[in.Name] = true
	}
	for _, e := range read {
		needed = append(needed, e.Expr.Columns()...)
	}
	for _, one := range w.all {
		needed = append(append(needed, one.keys...), each(one.order, column)...)
		for _, c := range one.calls {
			needed, made[c.Name] = append(append(needed, c.Reads()...), c.Default), true
		}
	}
	names := slices.DeleteFunc(distinct(needed), func(name string) bool { return made[name] })
	node = node.Project(append(plan.Cols(names...), w.inputs...)...)
	for _, one := range w.all {
		node = node.Window(one.keys, one.order, one.calls...)
		node.Ties = ties
	}
	return node
}
