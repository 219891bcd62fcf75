package bind

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"time"

	"analyzer/columnar"
	"analyzer/operators/expr"
	"analyzer/operators/query/plan"
	"analyzer/operators/query/scalar"
	"analyzer/operators/query/sql"
)

// makesRows reports whether a call in FROM makes rows from a list.
func makesRows(call *sql.Expr) bool {
	return call != nil && (slices.Contains([]string{unnestName, "range", "generate_series"}, call.Text) || makesParts(call))
}

// makesParts reports whether a call makes rows from parts of JSON, each with several columns.
func makesParts(call *sql.Expr) bool { return call.Text == "json_each" || call.Text == "json_tree" }

// spread puts the fields of structs in the place of their column, behind the others.
func (b *binder) spread(rel *relation, of field) *relation {
	fields := columnar.Only(rel.fields, func(f field) bool { return f.column != of.column })
	columns := columnar.Only(rel.all(), func(c plan.Named) bool { return c.Name != of.column })
	order := columnar.Only(rel.order, func(o plan.Order) bool { return o.Column != of.column })
	for i, f := range of.typ.Fields() {
		column := b.Unique(cmp.Or(f.Name, "item"))
		columns = append(columns, plan.As(column, expr.FieldAt(expr.Col(of.column), i+1)))
		fields = append(fields, field{name: f.Name, column: column, typ: f.Type})
	}
	return &relation{node: rel.node.Project(columns...), fields: fields, order: order}
}

// isLateral reports whether an item of FROM makes its rows from columns of the items before
// it.
func isLateral(f *sql.From) bool {
	if f.Join != nil || !makesRows(f.Call) {
		return false
	}
	return has(f.Call, func(e *sql.Expr) bool { return e.Kind == sql.Column })
}

// made binds a function in FROM that makes rows. The column has the name of the function.
func (w around) made(f *sql.From) *relation {
	if isLateral(f) && w.outer == nil {
		panic(sql.Unsupported(f.At, "Next: make unnest a column of SELECT, in a query in FROM.", "lists of other tables here"))
	}
	call := f.Call
	switch {
	case f.Ordinality:
		call = numberedItems(call)
	case makesParts(call):
		call = call.At.Call(unnestName, call)
	case call.Text != unnestName:
		return w.series(call)
	}
	rows := &sql.Query{At: f.At, Select: &sql.Select{At: f.At, Items: []sql.Item{{Expr: call, Alias: unnestName}}}}
	rel := w.query(rows)
	if f.Ordinality || makesParts(f.Call) {
		rel = w.b.spread(rel, rel.fields[0])
	}
	if nameNumbered(rel.fields, f); f.Ordinality {
		rel.order = []plan.Order{{Column: rel.fields[len(rel.fields)-1].column}}
	}
	return rel
}

// numberedItems is a call that makes rows from a list as one that makes pairs of each item and its number, from 1 on.
func numberedItems(call *sql.Expr) *sql.Expr {
	list := call
	switch {
	case makesParts(call):
		panic(sql.Unsupported(call.At, "Next: number the rows by row_number() OVER ().", "WITH ORDINALITY behind "+call.Text))
	case call.Text == unnestName:
		scalar.Functions.Find(unnestName).CheckCount(call)
		list = call.Args[0]
	}
	at := call.At
	numbers := at.Call("generate_series", at.Number(1), at.Call("length", list))
	return at.Call(unnestName, at.Call("list_zip", list, numbers))
}

// nameNumbered names the last two columns, which numberedItems made, if it did.
func nameNumbered(fields []field, f *sql.From) {
	if f.Ordinality {
		fields[len(fields)-2].name, fields[len(fields)-1].name = f.Call.Text, "ordinality"
	}
}

// seriesBlock is how many numbers of a series are made at a time.
const seriesBlock = 1024

// series binds range or generate_series of integers, dates or timestamps as rows.
func (w around) series(call *sql.Expr) *relation {
	scalar.Functions.Find(call.Text).CheckCount(call)
	column, sc := w.b.Unique(call.Text), w.scope("FROM", nil)
	made := field{name: call.Text, column: column, typ: columnar.Int}
	var rel *relation
	if by, ok := scalar.StrideOf(sc.row(), call); ok {
		rel, made.typ = w.b.times(call, by, column, sc)
	} else {
		rel = w.b.integers(call.At, column, sc.row().RangeOf(call))
	}
	rel.fields = []field{made}
	return rel
}

// integers returns a column of the integers from args[0] to args[1], exclusive, in steps of
// args[2]. They are made block by block, so that a long range needs little memory.
func (b *binder) integers(at sql.Span, column string, args []*expr.Expr) *relation {
	refuseLonger(at, args)
	rel, block := b.nothing(at), b.Unique("block")
	begin, end, step, numbers := expr.Col(block), args[1], args[2], int64(seriesBlock)
	items := plan.Unnested{Column: column, As: column}
	if by := step.Fold().Literal(); by != nil && !by.Null {
		if b.catalog.Nothing != nil { // which has one row
			items.Step = int8(cmp.Compare(by.Int, 0))
			rel.order = []plan.Order{{Column: column, Desc: by.Int < 0}}
		}
		if most := int64(math.MaxInt64 / seriesBlock); by.Int > most || by.Int < -most {
			numbers = 1
		}
	}
	reach := expr.Mul(step, expr.Int(numbers))
	rest := expr.Sub(expr.ToHuge(end), expr.ToHuge(begin)) // which 64 bits need not hold
	more := expr.If(expr.Lt(step, expr.Int(0)), expr.Lt(rest, reach), expr.Lt(reach, rest))
	next := expr.If(more, expr.Add(begin, reach), end)
	rel.node = rel.node.
		Project(plan.As(block, expr.Call(expr.OpRange, args[0], end, reach))).Unnest(block, block).
		Project(plan.As(column, expr.Call(expr.OpRange, begin, next, step))).UnnestAll(items)
	return rel
}

// mostNumbers bounds a series: the numbers that its blocks begin with are a list of half the text that a function may make.
const mostNumbers = seriesBlock << 22

// refuseLonger refuses a series of constants that is too long to be made.
func refuseLonger(at sql.Span, args []*expr.Expr) {
	begin, end, step := args[0].Fold().Literal(), args[1].Fold().Literal(), args[2].Fold().Literal()
	if begin == nil || end == nil || step == nil || begin.Null || end.Null || step.Null {
		return
	}
	if n := (float64(end.Int) - float64(begin.Int)) / float64(step.Int); n > mostNumbers {
		panic(sql.Unsupported(at, "Next: write a nearer end; LIMIT does not shorten a range.", fmt.Sprintf("ranges of more than %d numbers", int64(mostNumbers))))
	}
}

// times returns a column of the times between two constant ones, an interval apart, and its type.
func (b *binder) times(call *sql.Expr, by scalar.Stride, column string, sc *scope) (*relation, columnar.Type) {
	begin, end := constantTime(sc, call.Args[0]), constantTime(sc, call.Args[1])
	first, last := begin.Expr.Value.Int, end.Expr.Value.Int
	one := int64(1)
	if by.IsDown() {
		one = -1
	}
	behind := last // the first number of microseconds that no time of the range is
	if call.Text == "generate_series" {
		behind += one
	}
	var rel *relation
	if by.Months == 0 {
		rel = b.integers(call.At, column, []*expr.Expr{expr.Int(first), expr.Int(behind), expr.Int(by.Micros)})
		rel.node = rel.node.Project(plan.As(column, expr.Call(expr.OpMakeTimestamp, expr.Col(column))))
	} else {
		from, to := time.UnixMicro(first).UTC(), time.UnixMicro(last).UTC()
		months := int64(to.Year()-from.Year())*12 + int64(to.Month()-from.Month())
		rel = b.integers(call.At, column, []*expr.Expr{expr.Int(0), expr.Int(months + 2*one), expr.Int(by.Months)})
		within := map[int64]expr.Op{1: expr.OpLt, -1: expr.OpGt}[one]
		rel.node = rel.node.Project(plan.As(column, expr.Call(expr.OpAddMonths, expr.Timestamp(first), expr.Col(column)))).
			Filter(expr.Call(within, expr.Col(column), expr.Timestamp(behind)))
	}
	made := scalar.Value{Expr: expr.Col(column), Type: columnar.Timestamp}.Zoned(sc.row().Expr(call.Args[0]))
	if made.Type == columnar.Instant {
		rel.node = rel.node.Project(plan.As(column, made.Expr))
	}
	return rel, made.Type
}

// constantTime binds an end of a range of times as a timestamp that is known beforehand.
func constantTime(sc *scope, e *sql.Expr) scalar.Value {
	v := scalar.TimestampOf(sc.row().Time(e))
	if v.Expr = v.Expr.Fold(); v.Expr.Literal() == nil {
		panic(sql.Unsupported(e.At, "Next: write a DATE or TIMESTAMP.", "ranges of times that are not known beforehand"))
	}
	return v
}

// nothing is a relation of one row without columns.
func (b *binder) nothing(at sql.Span) *relation {
	if b.catalog.Nothing != nil {
		rel := b.table(b.catalog.Nothing)
		rel.fields, rel.order = nil, nil
		return rel
	}
	names := slices.Sorted(maps.Keys(b.catalog.Tables))
	if len(names) == 0 {
		panic(sql.Unsupported(at, "", "queries without FROM"))
	}
	// An aggregation without keys gives one row, even of no rows.
	none := b.table(b.catalog.Tables[names[0]]).node.Filter(expr.Bool(false))
	return &relation{node: none.Aggregate(nil, plan.Agg{Func: plan.Count, Name: b.Unique("none")})}
}

// lateral joins the inputs into one relation that has a row for each item of a list of their
// columns. If outer is set, it keeps rows whose list has no items, with a null. Conditions of
// WHERE that concern the inputs alone are applied before.
func (in *inputs) lateral(f *sql.From, w around, outer bool) {
	sc := w.scope("FROM", in.fields())
	arg := f.Call
	if f.Ordinality {
		arg = numberedItems(arg)
	}
	if arg.Text == unnestName {
		scalar.Functions.Find(unnestName).CheckCount(arg)
		arg = arg.Args[0]
	}
	list := sc.row().ListOf(arg)
	if len(in.rels) > 1 {
		for _, c := range conjuncts(in.where, nil) {
			var v *expr.Expr
			if in.b.Attempt(func() { v = w.scope("WHERE", sc.fields).condition(c) }) == nil {
				in.conditions = append(in.conditions, expr.Conjuncts(v)...)
			}
		}
	}
	if outer {
		list.Expr = expr.If(expr.Gt(expr.Len(list.Expr), expr.Int(0)), list.Expr, expr.Call(expr.OpListOf, expr.Null(list.Type.Item())))
	}
	rel, column := in.join(), in.b.Unique(f.Call.Text)
	columns := append([]plan.Named{plan.As(column, list.Expr)}, rel.all()...)
	item := field{name: f.Call.Text, column: column, typ: list.Type.Item()}
	made := &relation{node: rel.node.Project(columns...), fields: append(slices.Clone(rel.fields), item)}
	if list := (plan.Unnested{Column: column, As: column}); rel.order == nil && !hasOneRow(rel.node, in.b.catalog.Nothing) {
		made.node = made.node.UnnestAll(list)
	} else {
		var within plan.Order
		made.node, within = in.b.placed(made.node, names(columns), list)
		made.order = append(slices.Clone(rel.order), within)
	}
	if f.Ordinality || makesParts(f.Call) {
		made = in.b.spread(made, item)
	}
	nameNumbered(made.fields, f)
	before := len(rel.fields)
	named := (&relation{fields: made.fields[before:]}).renamed(cmp.Or(f.Alias, f.Call.Text), f.Columns, f.At)
	made.fields = append(made.fields[:before:before], named.fields...)
	rel = made
	in.rels, in.conditions = []*relation{rel}, nil
}
