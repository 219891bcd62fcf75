package bind

import (
	"errors"
	"slices"
	"strings"

	"analyzer/columnar"
	"analyzer/columnar/number"
	"analyzer/operators/expr"
	"analyzer/operators/plan"
	"analyzer/operators/sql"
	"analyzer/operators/window"
)

// windows are the window functions of a SELECT, by their partitions and orders.
type windows struct {
	named  []sql.NamedWindow
	all    []*bound
	inputs []plan.Named // what they are computed of
}

// bound is a window: its partition and order, and the functions that have them.
type bound struct {
	keys  []string
	order []plan.Order
	types []columnar.Type // of the order
	calls []plan.Call
}

// hasWindow reports whether an expression has a window function.
func hasWindow(e *sql.Expr) bool {
	found := false
	e.Walk(func(e *sql.Expr) bool {
		found = found || e.Window != nil
		return !found
	})
	return found
}

// windowFunction is a function of windows, other than an aggregate, as statements call
// it.
type windowFunction struct {
	names []string
	usage string
	least int // arguments
	most  int
	bind  func(b *binder, e *sql.Expr, s *scope) (windowCall, error)
}

// windowCall is a call with its arguments, of which the columns are not made yet.
type windowCall struct {
	plan.Call
	arg, otherwise typed
}

func windowFunctions() []windowFunction {
	plain := func(f window.Func) func(*binder, *sql.Expr, *scope) (windowCall, error) {
		return func(*binder, *sql.Expr, *scope) (windowCall, error) {
			return windowCall{Call: plan.Call{Func: f}}, nil
		}
	}
	return []windowFunction{
		{[]string{"row_number"}, "row_number()", 0, 0, plain(window.RowNumber)},
		{[]string{"rank"}, "rank()", 0, 0, plain(window.Rank)},
		{[]string{"dense_rank", "rank_dense"}, "dense_rank()", 0, 0, plain(window.DenseRank)},
		{[]string{"percent_rank"}, "percent_rank()", 0, 0, plain(window.PercentRank)},
		{[]string{"cume_dist"}, "cume_dist()", 0, 0, plain(window.CumeDist)},
		{[]string{"ntile"}, "ntile(parts)", 1, 1, func(b *binder, e *sql.Expr, _ *scope) (windowCall, error) {
			n, err := b.literalInt(e.Args[0], &scope{clause: "a number of parts"}, 1, "the number of parts")
			return windowCall{Call: plan.Call{Func: window.NTile, N: intOf(n)}}, err
		}},
		{[]string{"lag"}, "lag(value[, rows[, otherwise]])", 1, 3, bindNeighbour(window.Lag)},
		{[]string{"lead"}, "lead(value[, rows[, otherwise]])", 1, 3, bindNeighbour(window.Lead)},
		{[]string{"first_value"}, "first_value(value)", 1, 1, bindValue(window.FirstValue)},
		{[]string{"last_value"}, "last_value(value)", 1, 1, bindValue(window.LastValue)},
		{[]string{"nth_value"}, "nth_value(value, n)", 2, 2, func(b *binder, e *sql.Expr, s *scope) (windowCall, error) {
			c, err := bindValue(window.NthValue)(b, e, s)
			if err != nil {
				return c, err
			}
			n, err := b.literalInt(e.Args[1], &scope{clause: "a number of rows"}, 1, "n")
			c.N = intOf(n)
			return c, err
		}},
	}
}

func intOf(e *expr.Expr) int64 {
	if e == nil {
		return 0
	}
	return e.Value.Int
}

func windowFunctionOf(name string) (windowFunction, bool) {
	known.Do(makeKnown)
	f, ok := known.windows[name]
	return f, ok
}

func bindValue(f window.Func) func(*binder, *sql.Expr, *scope) (windowCall, error) {
	return func(b *binder, e *sql.Expr, s *scope) (windowCall, error) {
		v, err := b.expr(e.Args[0], s)
		return windowCall{Call: plan.Call{Func: f}, arg: v}, err
	}
}

// bindNeighbour binds lag and lead: how far they go is known beforehand.
func bindNeighbour(f window.Func) func(*binder, *sql.Expr, *scope) (windowCall, error) {
	return func(b *binder, e *sql.Expr, s *scope) (windowCall, error) {
		c := windowCall{Call: plan.Call{Func: f, N: 1}}
		values := []*sql.Expr{e.Args[0]}
		if len(e.Args) > 1 {
			n, err := b.literalInt(e.Args[1], &scope{clause: "a number of rows"}, -maxOffset, "the number of rows")
			if err != nil {
				return c, err
			}
			c.N = n.Value.Int
		}
		if len(e.Args) > 2 {
			values = append(values, e.Args[2])
		}
		all, err := b.values(values, s)
		if err != nil {
			return c, err
		}
		if c.arg = all[0]; len(all) == 1 {
			return c, nil
		}
		es, t, err := b.common(all, spans(values))
		if err != nil {
			return c, err
		}
		c.arg, c.otherwise = typed{e: es[0], t: t}, typed{e: es[1], t: t}
		return c, nil
	}
}

// maxOffset is how far functions and frames of windows may reach.
const maxOffset = 1 << 40

// maxTimeOffset is how far ranges of timestamps may reach, in microseconds.
const maxTimeOffset = 10_000 * 366 * number.Day

// window binds a function of a window as a column.
func (b *binder) window(e *sql.Expr, s *scope) (typed, error) {
	if s.windows == nil {
		where := "here"
		if s.clause != "" {
			where = "in " + s.clause
		}
		return typed{}, sql.Wrong(e.At, "They stand in SELECT, QUALIFY and ORDER BY.", "a window function cannot stand %s", where)
	}
	w := s.windows
	in := *s
	in.windows, in.clause = nil, "a window function"
	of, frame, err := b.windowOf(e.Window, w, &in)
	if err != nil {
		return typed{}, err
	}
	var c windowCall
	var result typed
	if f, ok := windowFunctionOf(e.Text); ok {
		if c, err = b.windowArguments(e, f, &in); err != nil {
			return typed{}, err
		}
	} else if c, result, err = b.windowAggregate(e, &in); err != nil {
		return typed{}, err
	}
	c.Frame = frame
	return b.addCall(e, w, of, c, result)
}

func (b *binder) windowArguments(e *sql.Expr, f windowFunction, s *scope) (c windowCall, err error) {
	switch n := len(e.Args); {
	case n < f.least || n > f.most || n > 0 && e.Args[0].Kind == sql.Star:
		return c, sql.Wrong(e.At, "", "it is %s", f.usage)
	case e.Distinct, len(e.Order) > 0, e.Filter != nil:
		return c, sql.Unsupported(e.At, "", "DISTINCT, ORDER BY and FILTER with "+e.Text)
	}
	return f.bind(b, e, s)
}

// windowAggregate binds an aggregate as a group would have it; result is what is made
// of its column.
func (b *binder) windowAggregate(e *sql.Expr, s *scope) (c windowCall, result typed, err error) {
	if !isAggregate(e.Text) {
		if _, ok := functionOf(e.Text); ok {
			return c, result, sql.Wrong(e.At, "", "%s is no function of a window", e.Text)
		}
		return c, result, unknownFunction(e)
	}
	plain := *e
	plain.Window = nil
	g := &groups{in: s}
	if result, err = b.aggregate(&plain, g); err != nil {
		return c, result, err
	}
	if len(g.sets) > 0 {
		return c, result, sql.Unsupported(e.At, "", "DISTINCT in window functions")
	}
	a := g.aggs[0]
	c = windowCall{Call: plan.Call{Func: window.Func(a.Func), Param: a.Param, Name: a.Name}}
	for _, in := range g.inputs {
		c.arg = typed{e: in.Expr, t: g.arg}
	}
	return c, result, nil
}

// addCall adds a call to a window, unless it is there, and returns its value. result is
// made of the column of an aggregate.
func (b *binder) addCall(e *sql.Expr, w *windows, of *bound, c windowCall, result typed) (typed, error) {
	call, schema := c.Call, columnar.Schema{}
	if c.arg.e != nil {
		call.Arg = w.input(b, c.arg.e)
		schema = append(schema, columnar.Field{Name: call.Arg, Type: c.arg.t})
	}
	if c.otherwise.e != nil {
		call.Default = w.input(b, c.otherwise.e)
		schema = append(schema, columnar.Field{Name: call.Default, Type: c.otherwise.t})
	}
	call.Name = ""
	t, err := call.Type(schema, of.types)
	switch {
	case errors.Is(err, window.ErrMoves):
		return typed{}, sql.Unsupported(e.At, "Next: give it a frame of some rows before and behind, or the whole partition.", e.Text+" over frames that move so far")
	case err != nil:
		return typed{}, sql.Unsupported(e.At, "", e.Text+" of "+TypeName(c.arg.t)+" in windows")
	}
	name := ""
	for _, known := range of.calls {
		like := known
		if like.Name = ""; like == call {
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
		return typed{e: expr.Col(name), t: t}, nil
	}
	result.e = result.e.Rename(func(string) *expr.Expr { return expr.Col(name) })
	return result, nil
}

// input returns the column that holds a value below the windows.
func (w *windows) input(b *binder, e *expr.Expr) string {
	if e.Op == expr.OpColumn {
		return e.Name
	}
	for _, in := range w.inputs {
		if in.Expr.String() == e.String() {
			return in.Name
		}
	}
	w.inputs = append(w.inputs, plan.As(b.unique("argument"), e))
	return w.inputs[len(w.inputs)-1].Name
}

// windowOf binds the partition, order and frame that follow OVER, and finds the window
// that has them.
func (b *binder) windowOf(ast *sql.Window, w *windows, s *scope) (*bound, plan.Frame, error) {
	ast, err := w.resolve(ast)
	if err != nil {
		return nil, plan.Frame{}, err
	}
	one := &bound{}
	for _, e := range ast.Partition {
		v, err := b.windowKey(e, s)
		if err != nil {
			return nil, plan.Frame{}, err
		}
		if name := w.input(b, v.e); !slices.Contains(one.keys, name) {
			one.keys = append(one.keys, name)
		}
	}
	for _, o := range ast.Order {
		v, err := b.windowKey(o.Expr, s)
		if err != nil {
			return nil, plan.Frame{}, err
		}
		one.order = append(one.order, orderBy(w.input(b, v.e), o))
		one.types = append(one.types, v.t)
	}
	frame, err := b.frame(ast, one)
	if err != nil {
		return nil, frame, err
	}
	for _, known := range w.all {
		if slices.Equal(known.keys, one.keys) && slices.Equal(known.order, one.order) {
			return known, frame, nil
		}
	}
	w.all = append(w.all, one)
	return one, frame, nil
}

// resolve returns a window with what it takes from one that is named.
func (w *windows) resolve(ast *sql.Window) (*sql.Window, error) {
	out := *ast
	for range len(w.named) + 1 {
		if out.Name == "" {
			return &out, nil
		}
		i := slices.IndexFunc(w.named, func(n sql.NamedWindow) bool { return strings.EqualFold(n.Name, out.Name) })
		if i < 0 {
			hint := ""
			var names []string
			for _, n := range w.named {
				names = append(names, n.Name)
			}
			if near := sql.Nearest(out.Name, names); near != "" {
				hint = "Did you mean " + sql.QuoteName(near) + "?"
			}
			return nil, sql.Wrong(ast.At, hint, "there is no window %q", out.Name)
		}
		base := w.named[i].Window
		switch {
		case len(out.Partition) > 0 || len(out.Order) > 0 && len(base.Order) > 0:
			return nil, sql.Wrong(ast.At, "", "the window %q has a partition and an order of its own", out.Name)
		case len(out.Order) == 0:
			out.Order = base.Order
		}
		if out.Frame == nil {
			out.Frame = base.Frame
		}
		out.Partition, out.Name = base.Partition, base.Name
	}
	return nil, sql.Wrong(ast.At, "", "the window %q is made of itself", ast.Name)
}

// windowKey binds a key of a partition or an order.
func (b *binder) windowKey(e *sql.Expr, s *scope) (typed, error) {
	v, err := b.expr(e, s)
	if err == nil && v.t.Item() != columnar.Invalid {
		err = sql.Unsupported(e.At, "", "windows by lists")
	}
	return v, err
}

// frame binds the frame of a window.
func (b *binder) frame(ast *sql.Window, of *bound) (plan.Frame, error) {
	whole := plan.Bound{Unit: window.Whole}
	f := ast.Frame
	switch {
	case f == nil && len(of.order) == 0:
		return plan.Frame{From: whole, To: whole}, nil
	case f == nil:
		return plan.Frame{}, nil
	case f.Unit == "GROUPS":
		return plan.Frame{}, sql.Unsupported(f.At, "There are ROWS and RANGE.", "frames of GROUPS")
	case f.Exclude != "":
		return plan.Frame{}, sql.Unsupported(f.At, "", "frames that EXCLUDE rows")
	case f.From.Kind == sql.ToLast || f.To.Kind == sql.FromFirst, f.From.Kind == sql.CurrentRow && f.To.Kind == sql.Preceding,
		f.From.Kind == sql.Following && (f.To.Kind == sql.Preceding || f.To.Kind == sql.CurrentRow):
		return plan.Frame{}, sql.Wrong(f.At, "", "the frame ends before it begins")
	}
	var out plan.Frame
	for i, bound := range []sql.FrameBound{f.From, f.To} {
		to, err := b.frameBound(f.Unit, bound, of)
		if err != nil {
			return out, err
		}
		*[]*plan.Bound{&out.From, &out.To}[i] = to
	}
	return out, nil
}

func (b *binder) frameBound(unit string, f sql.FrameBound, of *bound) (plan.Bound, error) {
	out := plan.Bound{Unit: window.Rows}
	switch {
	case f.Kind == sql.FromFirst || f.Kind == sql.ToLast:
		return plan.Bound{Unit: window.Whole}, nil
	case f.Kind == sql.CurrentRow && unit == "RANGE":
		return plan.Bound{Unit: window.Peers}, nil
	case f.Kind == sql.CurrentRow:
		return out, nil
	case unit == "RANGE" && len(of.order) != 1:
		return out, sql.Wrong(f.At, "", "a range of values needs one key in ORDER BY, and there are %d", len(of.order))
	}
	var err error
	if unit == "RANGE" {
		out.Unit = window.Range
		out.Offset, err = b.distance(f.Offset, of.types[0])
	} else {
		var n *expr.Expr
		n, err = b.literalInt(f.Offset, &scope{clause: "a frame"}, 0, "the number of rows")
		out.Offset = min(intOf(n), maxOffset)
	}
	if f.Kind == sql.Preceding {
		out.Offset = -out.Offset
	}
	return out, err
}

// distance reads how far a range reaches from a value of a type, as package window has
// it: days of dates, microseconds of timestamps, millionths of what is no integer.
func (b *binder) distance(e *sql.Expr, t columnar.Type) (int64, error) {
	want := t
	switch {
	case isTime(t):
		return b.timeDistance(e, t)
	case t == columnar.Float:
		want = columnar.Decimal
	case t != columnar.Int && t != columnar.Decimal:
		return 0, sql.Unsupported(e.At, "", "ranges of "+TypeName(t))
	}
	v, err := b.expr(e, &scope{clause: "a frame"})
	if err != nil {
		return 0, err
	}
	n, err := v.as(want, e.At)
	if err != nil {
		return 0, err
	}
	if n = n.Fold(); n.Op != expr.OpLiteral || n.Value.Null {
		return 0, sql.Unsupported(e.At, "", "ranges that are not known beforehand")
	}
	return inReach(n.Value.Int, maxOffset, e)
}

// timeDistance reads how far a range of dates or timestamps reaches.
func (b *binder) timeDistance(e *sql.Expr, t columnar.Type) (int64, error) {
	if e.Kind != sql.Interval {
		return 0, sql.Wrong(e.At, "Next: write INTERVAL 7 DAY.", "a range of dates is an interval")
	}
	steps, err := b.interval(e, &scope{clause: "a frame"})
	if err != nil {
		return 0, err
	}
	total := int64(0)
	for _, step := range steps {
		n := step.by.Fold()
		switch {
		case step.op == expr.OpAddMonths:
			return 0, sql.Unsupported(e.At, "Next: write days.", "ranges of months and years")
		case n.Op != expr.OpLiteral || n.Value.Null:
			return 0, sql.Unsupported(e.At, "", "ranges that are not known beforehand")
		case step.op == expr.OpAddMicros && t == columnar.Date:
			return 0, sql.Wrong(e.At, "Next: write days.", "dates have no time of day")
		}
		reach, err := inReach(n.Value.Int, maxTimeOffset, e)
		if err != nil {
			return 0, err
		}
		if step.op == expr.OpAddDays && t == columnar.Timestamp {
			if reach, err = inReach(reach, maxTimeOffset/number.Day, e); err != nil {
				return 0, err
			}
			reach *= number.Day
		}
		total += reach
	}
	return inReach(total, maxTimeOffset, e)
}

func inReach(n, most int64, e *sql.Expr) (int64, error) {
	if n < 0 || n > most {
		return 0, sql.Wrong(e.At, "", "a range reaches from 0 to %d", most)
	}
	return n, nil
}

// over puts the windows on top of a plan, which passes on the columns that others read.
func (w *windows) over(node *plan.Node, read []plan.Named, ties []plan.Order) *plan.Node {
	made := make(map[string]bool)
	for _, one := range w.all {
		for _, c := range one.calls {
			made[c.Name] = true
		}
	}
	var names []string
	need := func(name string) {
		if name != "" && !made[name] && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	for _, o := range ties {
		need(o.Column)
	}
	for _, in := range w.inputs {
		made[in.Name] = true
	}
	for _, e := range read {
		for _, name := range e.Expr.Columns() {
			need(name)
		}
	}
	for _, one := range w.all {
		for _, k := range one.keys {
			need(k)
		}
		for _, o := range one.order {
			need(o.Column)
		}
		for _, c := range one.calls {
			need(c.Arg)
			need(c.Default)
		}
	}
	node = node.Project(append(plan.Cols(names...), w.inputs...)...)
	for _, one := range w.all {
		node = node.Window(one.keys, one.order, one.calls...)
		node.Ties = ties
	}
	return node
}
