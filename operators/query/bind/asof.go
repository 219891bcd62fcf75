package bind

import (
	"slices"

	"analyzer/columnar"
	"analyzer/operators/expr"
	"analyzer/operators/query/plan"
	"analyzer/operators/query/scalar"
	"analyzer/operators/query/sql"
	"analyzer/operators/window"
)

// asof binds an ASOF join, which gives a row of the left side the row of the right side that is
// nearest in an order. The rows of both sides are put into that order together, in partitions of
// equal keys. Then the partner of a left row is the last right row before it. Of right rows that
// are equally near, the last in the order of their columns is taken.
func (w around) asof(f *sql.From) *relation {
	j := f.Join
	a := asofJoin{b: w.b, kind: j.Kind}
	for i, from := range []*sql.From{j.Left, j.Right} {
		a.sides[i] = w.tables(from)
	}
	distinctNames(a.sides[:], f)
	left, right := a.sides[0].fields, a.sides[1].fields
	on := w.scope("ON", fieldsOf(a.sides[:]))
	merged, conditions := w.b.joinConditions(j, left, right, on)
	if j.On == nil { // the last column of USING is the nearer one
		last := conditions[len(conditions)-1]
		conditions[len(conditions)-1] = expr.Ge(last.Args[0], last.Args[1])
	}
	for _, c := range conditions {
		a.condition(c, j)
	}
	if a.op == "" {
		panic(sql.Wrong(j.At, "Next: write one of <, <=, > and >= between the sides.", "an ASOF JOIN says which row is near enough"))
	}
	if w.outer != nil && slices.ContainsFunc(conditions, func(c *expr.Expr) bool { return w.outer.reads(c) }) {
		panic(sql.Unsupported(j.At, "", "ASOF JOINs by columns of the query around"))
	}
	return a.nearest(merged)
}

// asofJoin is an ASOF join, while it is being bound.
type asofJoin struct {
	b     *binder
	kind  sql.JoinKind
	sides [2]*relation
	keys  [2][]*expr.Expr // of each side, which must be equal
	near  [2]*expr.Expr   // of each side, by which rows are near
	op    expr.Op         // between the left and the right one
	only  [2][]*expr.Expr // conditions on rows of one side, without which they have no partner
}

// condition adds a condition to the join.
func (a *asofJoin) condition(c *expr.Expr, j *sql.Join) {
	owner, schema := ownersIn(a.sides[:]...)
	c = sameTypes(c, schema)
	of := owner.Of(c)
	if len(of) < 2 {
		side := 0
		if len(of) == 1 {
			side = of[0]
		}
		a.only[side] = append(a.only[side], c)
		return
	}
	if len(c.Args) == 2 {
		x, y := owner.Of(c.Args[0]), owner.Of(c.Args[1])
		args, op := c.Args, c.Op
		if len(x) == 1 && x[0] == 1 {
			args, op = []*expr.Expr{args[1], args[0]}, op.Mirrored()
		}
		switch apart := len(x) == 1 && len(y) == 1; {
		case apart && op == expr.OpEq:
			a.keys[0], a.keys[1] = append(a.keys[0], args[0]), append(a.keys[1], args[1])
			return
		case apart && op.Mirrored() != op && a.op == "":
			s, errS := args[0].TypeOf(schema)
			t, errT := args[1].TypeOf(schema)
			if errS == nil && errT == nil && s.Item() == columnar.Invalid {
				both := scalar.OfOneType(scalar.Value{Expr: args[0], Type: s}, scalar.Value{Expr: args[1], Type: t})
				a.near, a.op = [2]*expr.Expr{both[0], both[1]}, op
				return
			}
		}
	}
	panic(sql.Unsupported(j.At, "Next: put other conditions into WHERE, or into a query around it.", "ASOF JOINs by more than equalities and one of <, <=, > and >="))
}

// nearest makes the relation of an ASOF join.
func (a *asofJoin) nearest(merged [][2]field) *relation {
	isLeft, counts, partner, found, next := a.b.Unique("left"), a.b.Unique("counts"), a.b.Unique("partner"), a.b.Unique("found"), a.b.Unique("next")
	near := a.b.Unique("near")
	keys := columnar.Each(a.keys[0], func(*expr.Expr) string { return a.b.Unique("key") })
	rows := plan.UnionAll(a.asofSide(0, keys, near, isLeft, counts, partner), a.asofSide(1, keys, near, isLeft, counts, partner))

	by := plan.Order{Column: near, Desc: a.op == expr.OpLt || a.op == expr.OpLe, NullsFirst: true}
	// Of rows at the same place, those of the right side come first if they are near enough.
	ties := plan.Order{Column: isLeft, Desc: a.op == expr.OpLt || a.op == expr.OpGt}
	last := func(column, as string) plan.Call {
		return plan.Call{
			Func: window.LastValue, Args: []string{column}, Present: true, Where: partner, Name: as,
			Frame: plan.Frame{From: plan.Bound{Unit: window.Whole}, To: plan.Bound{Unit: window.Rows}},
		}
	}
	calls := []plan.Call{last(partner, found)}
	if a.kind == sql.RightJoin || a.kind == sql.FullJoin {
		calls = append(calls, plan.Call{Func: window.Lead, Args: []string{isLeft}, N: 1, Present: true, Where: counts, Name: next})
	}
	out := &relation{fields: fieldsOf(a.sides[:])}
	has := expr.And(expr.Col(isLeft), expr.And(expr.Col(counts), expr.Not(expr.IsNull(expr.Col(found)))))
	columns := plan.Cols(columnsOf(a.sides[0].fields)...)
	if a.kind == sql.SemiJoin || a.kind == sql.AntiJoin {
		out.fields = a.sides[0].fields
	} else {
		for _, f := range a.sides[1].fields {
			of := a.b.Unique(f.column)
			calls = append(calls, last(f.column, of))
			alone := expr.If(expr.Col(isLeft), expr.Null(f.typ), expr.Col(f.column))
			columns = append(columns, plan.As(f.column, expr.If(has, expr.Col(of), alone)))
		}
	}
	// A right row has a partner if the next row that counts is of the left side.
	lonely := expr.And(expr.Not(expr.Col(isLeft)), expr.Not(expr.And(expr.Col(counts), expr.Coalesce(expr.Col(next), expr.Bool(false)))))
	kept := map[sql.JoinKind]*expr.Expr{
		sql.InnerJoin: has, sql.SemiJoin: has, sql.LeftJoin: expr.Col(isLeft), sql.AntiJoin: expr.And(expr.Col(isLeft), expr.Not(has)),
		sql.RightJoin: expr.Or(has, lonely), sql.FullJoin: expr.Or(expr.Col(isLeft), lonely),
	}[a.kind]
	out.node = rows.Window(keys, []plan.Order{by, ties}, calls...).Filter(kept).Project(columns...)
	var made []plan.Named
	for _, m := range merged {
		if a.kind == sql.RightJoin || a.kind == sql.FullJoin {
			made = append(made, a.b.mergeOuter(a.kind, m[0], m[1], out)...)
		} else {
			out.merge(m[1].column)
		}
	}
	if len(made) > 0 {
		out.node = out.node.Project(append(plan.Cols(names(columns)...), made...)...)
	}
	return out
}

// asofSide returns the rows of a side in the form that both have: with its columns, null ones for
// those of the other side, keys and what is near, whether it is the left side, whether the row may
// have a partner, and whether it may be one.
func (a *asofJoin) asofSide(side int, keys []string, near, isLeft, counts, partner string) *plan.Node {
	var columns []plan.Named
	for i, rel := range a.sides {
		for _, f := range rel.fields {
			e := expr.Col(f.column)
			if i != side {
				e = expr.Null(f.typ)
			}
			columns = append(columns, plan.As(f.column, e))
		}
	}
	conditions := []*expr.Expr{expr.Not(expr.IsNull(a.near[side]))}
	for i, key := range a.keys[side] {
		columns = append(columns, plan.As(keys[i], key))
		conditions = append(conditions, expr.Not(expr.IsNull(key)))
	}
	for _, c := range a.only[side] {
		conditions = append(conditions, expr.Coalesce(c, expr.Bool(false)))
	}
	all := expr.Conjoin(conditions)
	may := expr.Bool(false)
	if side == 1 {
		may = all
	}
	columns = append(columns, plan.As(near, a.near[side]), plan.As(isLeft, expr.Bool(side == 0)), plan.As(counts, all), plan.As(partner, may))
	return a.sides[side].node.Project(columns...)
}

// positional binds a POSITIONAL join, which puts rows side by side by their numbers in the order of
// each side.
func (w around) positional(f *sql.From) *relation {
	o := outerJoin{b: w.b, kind: sql.FullJoin}
	var numbers [2]string
	for i, from := range []*sql.From{f.Join.Left, f.Join.Right} {
		side := w.tables(from)
		numbers[i] = w.b.Unique("row")
		w.b.Types[numbers[i]] = columnar.Int
		side.node = side.node.Window(nil, side.order, plan.Call{Func: window.RowNumber, Name: numbers[i]})
		side.order = []plan.Order{plan.Asc(numbers[i])}
		o.sides[i], o.keys[i] = side, []*expr.Expr{expr.Col(numbers[i])}
	}
	distinctNames(o.sides[:], f)
	out := o.outerRelation()
	number := w.b.Unique("row")
	w.b.Types[number] = columnar.Int
	columns := append(out.all(), plan.As(number, expr.Coalesce(expr.Col(numbers[0]), expr.Col(numbers[1]))))
	out.node, out.order = out.node.Project(columns...), []plan.Order{plan.Asc(number)}
	return out
}
