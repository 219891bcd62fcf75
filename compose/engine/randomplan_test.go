package engine_test

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	"pgregory.net/rapid"

	"analyzer/columnar"
	"analyzer/columnar/sniff"
	"analyzer/operators/aggregate"
	"analyzer/operators/expr"
	"analyzer/operators/query/plan"
)

// grower makes random plans. It grows a pool of plans by adding operators on top of plans
// drawn from the pool, so that plans share parts, and knows the rows that each must yield.
type grower struct {
	t    *rapid.T
	x    reference
	pool []grown
}

type grown struct {
	node *plan.Node
	rows relation
}

// Names of columns are few, so that the same name means different things in
// different places of a plan.
var columnNames = strings.Split("abcdefghijklmnopqrs", "")

// mostRows bounds the rows of a plan, which joins of joins would multiply.
const mostRows = 2000

func newGrower(t *rapid.T) *grower {
	g := &grower{t: t, x: reference{tables: randomTables(), data: make(map[string]relation)}}
	for _, name := range []string{"t", "u"} {
		g.x.data[name] = randomRows(t, g.x.tables[name])
		g.add(plan.From(name))
	}
	return g
}

// preciseDecimal is the type of a column that needs 128 bits.
var preciseDecimal = columnar.DecimalOf(30, 10)

func randomTables() plan.Tables {
	column := func(name string, f columnar.Format, required bool) columnar.TableColumn {
		return columnar.TableColumn{Name: name, Header: name, Format: f, Required: required}
	}
	tables := plan.Tables{
		"t": {Name: "t", Columns: []columnar.TableColumn{
			column("a", columnar.FormatInt, true), column("b", columnar.FormatText, true),
			column("c", columnar.FormatDecimal, true), column("d", columnar.FormatCommaList, true),
		}},
		"u": {Name: "u", Columns: []columnar.TableColumn{
			column("a", columnar.FormatInt, true), column("e", columnar.FormatInt, false),
			column("b", columnar.FormatText, true), column("f", columnar.FormatBool, true),
		}},
	}
	for _, table := range tables {
		precise := column("o", columnar.FormatWide, false)
		precise.Stored = preciseDecimal
		table.Columns = append(table.Columns, precise)
	}
	for _, t := range columnar.Times() { // each type in each table, under names of one letter
		format, _ := sniff.FormatOf(t)
		for _, table := range tables {
			name := columnNames[len(columnNames)-1-slices.Index(columnar.Times(), t)]
			table.Columns = append(table.Columns, column(name, format, false))
		}
	}
	return tables
}

func randomRows(t *rapid.T, table *columnar.Table) relation {
	out := relation{schema: table.Schema()}
	for range rapid.IntRange(0, 9).Draw(t, "rows of "+table.Name) {
		var row []any
		for _, c := range table.Columns {
			row = append(row, randomValue(t, c))
		}
		out.rows = append(out.rows, row)
	}
	return out
}

func randomValue(t *rapid.T, c columnar.TableColumn) any {
	if !c.Required && rapid.IntRange(0, 3).Draw(t, "null") == 0 {
		return nil
	}
	n := rapid.IntRange(0, 3).Draw(t, c.Name)
	switch c.Format {
	case columnar.FormatInt:
		return int64(n)
	case columnar.FormatDecimal:
		return dec(n) * 500_000
	case columnar.FormatWide:
		return new(big.Int).Mul(big.NewInt(int64(n)), new(big.Int).SetUint64(10_000_000_000_000_000_001))
	case columnar.FormatBool:
		return n > 1
	case columnar.FormatCommaList:
		return [][]string{{"p"}, {"q", "p"}, {"p", "p", "r"}, {"s"}}[n]
	}
	if of := c.Type(); slices.Contains(columnar.Times(), of) {
		return instant{of, int64(n)}
	}
	return []string{"p", "q", "r", "x,\"y\"\n"}[n]
}

// csv writes the rows of a table as a file.
func (r relation) csv() string {
	var b strings.Builder
	b.WriteString(strings.Join(r.schema.Names(), ",") + "\n")
	for _, row := range r.rows {
		for i, v := range row {
			if i > 0 {
				b.WriteByte(',')
			}
			switch v := v.(type) {
			case nil:
			case dec:
				fmt.Fprintf(&b, "%d.%06d", v/1e6, v%1e6)
			case *big.Int:
				b.WriteString(new(big.Rat).SetFrac(v, unitsIn(preciseDecimal)).FloatString(preciseDecimal.Scale()))
			case instant:
				b.WriteString(v.String())
			case []string:
				b.WriteString(`"` + strings.Join(v, ",") + `"`)
			case string:
				b.WriteString(`"` + strings.ReplaceAll(v, `"`, `""`) + `"`)
			default:
				fmt.Fprint(&b, v)
			}
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// add puts a plan in the pool unless it is wrong or yields too much.
func (g *grower) add(n *plan.Node) {
	if _, err := n.Schema(g.x.tables); err != nil {
		return
	}
	in := make([]relation, len(n.Inputs))
	for i, input := range n.Inputs {
		at := slices.IndexFunc(g.pool, func(p grown) bool { return p.node == input })
		if at < 0 { // made on the way to n
			g.add(input)
			if at = len(g.pool) - 1; g.pool[at].node != input {
				return
			}
		}
		in[i] = g.pool[at].rows
	}
	rows := g.x.apply(n, in)
	if len(rows.rows) <= mostRows {
		g.pool = append(g.pool, grown{n, rows})
	}
}

// draw draws a plan of the pool, every other time one of the last.
func (g *grower) draw(label string) grown {
	least := 0
	if rapid.Bool().Draw(g.t, "late") {
		least = max(0, len(g.pool)-4)
	}
	return g.pool[rapid.IntRange(least, len(g.pool)-1).Draw(g.t, label)]
}

// grow adds one more plan.
func (g *grower) grow() {
	p := g.draw("input")
	kinds := []func(grown) *plan.Node{g.filter, g.project, g.unnest, g.join, g.join, g.aggregate, g.aggregate, g.sort, g.percentile, g.union, g.window, g.window}
	kind := rapid.IntRange(0, len(kinds)-1).Draw(g.t, "operator")
	if n := kinds[kind](p); n != nil {
		g.add(n)
	}
}

// column draws a column of one of the types, or returns false.
func (g *grower) column(s columnar.Schema, types ...columnar.Type) (columnar.Field, bool) {
	s = slices.DeleteFunc(slices.Clone(s), func(f columnar.Field) bool { return !slices.Contains(types, f.Type) })
	if len(s) == 0 {
		return columnar.Field{}, false
	}
	return s[rapid.IntRange(0, len(s)-1).Draw(g.t, "column")], true
}

// name draws a name that is not among those taken.
func (g *grower) name(taken []string) string {
	free := slices.DeleteFunc(slices.Clone(columnNames), func(n string) bool { return slices.Contains(taken, n) })
	if len(free) == 0 {
		return fmt.Sprintf("x%d", len(taken))
	}
	return rapid.SampledFrom(free).Draw(g.t, "name")
}

func (g *grower) filter(p grown) *plan.Node { return p.node.Filter(g.condition(p.rows.schema, 2)) }

func (g *grower) project(p grown) *plan.Node {
	var exprs []plan.Named
	var taken []string
	for range rapid.IntRange(1, 3).Draw(g.t, "columns") {
		e, own := g.value(p.rows.schema)
		name := own
		if name == "" || slices.Contains(taken, name) || rapid.IntRange(0, 2).Draw(g.t, "rename") == 0 {
			name = g.name(taken)
		}
		exprs, taken = append(exprs, plan.As(name, e)), append(taken, name)
	}
	return p.node.Project(exprs...)
}

func (g *grower) unnest(p grown) *plan.Node {
	list, ok := g.column(p.rows.schema, columnar.TextList, columnar.IntList)
	if !ok {
		return nil
	}
	names := without(p.rows.schema.Names(), list.Name)
	lists := []plan.Unnested{{Column: list.Name, As: g.name(names)}}
	names = append(names, lists[0].As)
	rest := slices.DeleteFunc(slices.Clone(p.rows.schema), func(f columnar.Field) bool { return f.Name == list.Name })
	if other, ok := g.column(rest, columnar.TextList, columnar.IntList); ok && rapid.Bool().Draw(g.t, "side by side") {
		lists = append(lists, plan.Unnested{Column: other.Name, As: g.name(without(names, other.Name))})
	}
	return p.node.UnnestAll(lists...)
}

func without(names []string, name string) []string {
	return slices.DeleteFunc(slices.Clone(names), func(n string) bool { return n == name })
}

// join joins with another plan of the pool. It renames that plan's columns whose names both
// have.
func (g *grower) join(build grown) *plan.Node {
	probe := g.draw("probe side")
	var on []plan.Pair
	for range rapid.IntRange(0, 2).Draw(g.t, "keys") {
		b, ok := g.column(build.rows.schema, columnar.Scalars()...)
		if !ok {
			return nil
		}
		q, ok := g.column(probe.rows.schema, b.Type)
		if !ok {
			return nil
		}
		on = append(on, plan.On(b.Name, q.Name))
	}
	kind := rapid.SampledFrom([]plan.JoinKind{plan.Inner, plan.Inner, plan.Left, plan.Right, plan.Full}).Draw(g.t, "kind")
	taken := build.rows.schema.Names()
	node, rename := probe.node, false
	var exprs []plan.Named
	for _, f := range probe.rows.schema {
		name := f.Name
		isKey := kind == plan.Inner && slices.ContainsFunc(on, func(p plan.Pair) bool { return p.Probe == f.Name })
		if !isKey && slices.Contains(taken, name) {
			name, rename = g.name(append(slices.Clone(taken), probe.rows.schema.Names()...)), true
			for i := range on {
				if on[i].Probe == f.Name {
					on[i].Probe = name
				}
			}
		}
		if !isKey {
			taken = append(taken, name)
		}
		exprs = append(exprs, plan.As(name, expr.Col(f.Name)))
	}
	if rename {
		node = node.Project(exprs...)
	}
	return build.node.OuterJoin(kind, node, on...)
}

func (g *grower) aggregate(p grown) *plan.Node {
	var keys []string
	for range rapid.IntRange(0, 2).Draw(g.t, "keys") {
		k, _ := g.column(p.rows.schema, append(columnar.Scalars(), columnar.TextList)...)
		if k.Name != "" && !slices.Contains(keys, k.Name) {
			keys = append(keys, k.Name)
		}
	}
	var aggs []plan.Agg
	taken := slices.Clone(keys)
	for range rapid.IntRange(0, 2).Draw(g.t, "aggregates") {
		a := g.agg(p.rows.schema)
		a.Name = g.name(taken)
		aggs, taken = append(aggs, a), append(taken, a.Name)
	}
	if len(taken) == 0 {
		return nil
	}
	return p.node.Aggregate(keys, aggs...)
}

func (g *grower) agg(s columnar.Schema) plan.Agg {
	f := rapid.SampledFrom([]aggregate.Func{plan.Count, plan.CountIf, plan.Sum, plan.Avg, plan.Min, plan.Max, plan.List}).Draw(g.t, "function")
	types := []columnar.Type{columnar.Int, columnar.Decimal, columnar.Float, preciseDecimal}
	switch f {
	case plan.Min, plan.Max:
		types = append(types, columnar.Times()...)
	case plan.CountIf:
		types = []columnar.Type{columnar.Bool}
	case plan.List:
		types = []columnar.Type{columnar.Int}
	}
	arg, ok := g.column(s, types...)
	if !ok || f == plan.Count && rapid.Bool().Draw(g.t, "rows") {
		return plan.Agg{Func: plan.Count}
	}
	return plan.Agg{Func: f, Args: []string{arg.Name}}
}

func (g *grower) order(p grown) (order []plan.Order) {
	for range rapid.IntRange(0, 2).Draw(g.t, "keys") {
		c, _ := g.column(p.rows.schema, append(columnar.Scalars(), columnar.TextList)...)
		if c.Name != "" {
			order = append(order, plan.Order{Column: c.Name, Desc: rapid.Bool().Draw(g.t, "desc"), NullsFirst: rapid.Bool().Draw(g.t, "nulls first")})
		}
	}
	return order
}

func (g *grower) sort(p grown) *plan.Node {
	order := g.order(p)
	offset, limit := int64(0), (*int64)(nil)
	if rapid.IntRange(0, 3).Draw(g.t, "limited") > 0 {
		n := rapid.Int64Range(0, 4).Draw(g.t, "limit")
		limit = &n
	}
	if rapid.IntRange(0, 2).Draw(g.t, "skips") == 0 {
		offset = rapid.Int64Range(0, 4).Draw(g.t, "offset")
	}
	return p.node.Slice(offset, limit, order...)
}

func (g *grower) percentile(p grown) *plan.Node {
	c, ok := g.column(p.rows.schema, columnar.Int, columnar.Decimal, columnar.Float)
	if !ok {
		return nil
	}
	return p.node.AtPercentile(c.Name, float64(rapid.IntRange(0, 4).Draw(g.t, "quantile"))/4)
}

// union puts plans of the pool with the same columns together.
func (g *grower) union(p grown) *plan.Node {
	inputs := []*plan.Node{p.node}
	for range rapid.IntRange(1, 2).Draw(g.t, "inputs") {
		q := g.draw("input")
		if q.rows.schema.String() == p.rows.schema.String() {
			inputs = append(inputs, q.node)
		}
	}
	return plan.UnionAll(inputs...)
}
