package rules_test

import (
	"fmt"
	"strings"
	"testing"

	"analyzer/columnar"
	"analyzer/operators/expr"
	"analyzer/operators/query/plan"
	"analyzer/operators/query/rules"
)

// productOf makes the product of tables, "name:rows" each, with conditions: equalities of their columns,
// each of which begins with the name of its table, and columns that are 1.
func productOf(sizes, conditions string) (*plan.Node, plan.Tables) {
	var root *plan.Node
	tables := make(plan.Tables)
	var where []*expr.Expr
	for _, word := range strings.Fields(sizes) {
		name, size, _ := strings.Cut(word, ":")
		t := &columnar.Table{Name: name}
		stats := &plan.Stats{Distinct: make(map[string]float64)}
		if _, err := fmt.Sscan(size, &stats.Rows); err != nil {
			panic(err)
		}
		tables[name] = t
		scan := plan.From(name)
		scan.Stats = stats
		if root == nil {
			root = scan
		} else {
			root = root.Join(scan)
		}
	}
	column := func(text string) *expr.Expr {
		table, _, _ := strings.Cut(text, ".")
		t := tables[table]
		if t.Schema().Index(text) < 0 {
			t.Columns = append(t.Columns, columnar.TableColumn{Name: text, Header: text, Format: columnar.FormatInt})
		}
		return expr.Col(text)
	}
	for _, c := range strings.Fields(conditions) {
		if x, y, ok := strings.Cut(c, "="); ok {
			where = append(where, expr.Eq(column(x), column(y)))
		} else {
			where = append(where, expr.Eq(column(c), expr.Int(1)))
		}
	}
	if len(where) > 0 {
		root = root.Filter(expr.And(where...))
	}
	return root, tables
}

// shape is the tree of joins: build and probe side in parentheses.
func shape(n *plan.Node) string {
	switch {
	case n.Op == plan.Scan:
		return n.Table
	case n.Op == plan.Join:
		return "(" + shape(n.Inputs[0]) + " " + shape(n.Inputs[1]) + ")"
	case len(n.Inputs) == 1:
		return shape(n.Inputs[0])
	}
	return string(n.Op)
}

func orderJoins() rules.Rule {
	for _, rule := range rules.List() {
		if rule.Name == "order joins" {
			return rule
		}
	}
	panic("there is no such rule")
}

func TestOrderOfJoins(t *testing.T) {
	for _, tt := range []struct{ sizes, conditions, want string }{
		{"a:10 b:2000", "a.x=b.x", "(a b)"},
		{"b:2000 a:10", "a.x=b.x", "(a b)"},
		// A condition on the large side makes it the smaller one.
		{"a:1000 b:2000", "a.x=b.x b.y", "(b a)"},
		// Products come last.
		{"a:1000 b:20 c:300", "", "(a (b c))"},
		{"a:1000 b:20 c:300 d:5", "a.x=c.x", "((d b) (c a))"},
		// Customers of a nation and suppliers of it are many pairs: 25 values are equal.
		{
			"customer:150000 orders:1500000 lineitem:6000000 supplier:10000 nation:25 region:5",
			"customer.key=orders.cust lineitem.order=orders.key lineitem.supp=supplier.key customer.nation=supplier.nation supplier.nation=nation.key nation.region=region.key region.name orders.date",
			"(supplier ((((region nation) customer) orders) lineitem))",
		},
		// What is equal to the same is joined, whether or not it is written.
		{
			"part:200000 lineitem:6000000 partsupp:800000 supplier:10000",
			"partsupp.part=lineitem.part partsupp.supp=lineitem.supp part.key=lineitem.part supplier.key=lineitem.supp part.name",
			"((supplier (part partsupp)) lineitem)",
		},
		// A star: dimensions filter the facts. Customers are read last, since what is left of the facts is
		// smaller.
		{
			"sales:3000000 dates:70000 items:100000 stores:100 customers:500000 promos:1000",
			"sales.date=dates.key sales.item=items.key sales.store=stores.key sales.customer=customers.key sales.promo=promos.key dates.month dates.year items.category stores.state",
			"((promos (items (stores (dates sales)))) customers)",
		},
		// A chain is read from the end that conditions make small.
		{"a:10000 b:10000 c:10000 d:10000", "a.x=b.x b.y=c.y c.z=d.z d.k", "(((d c) b) a)"},
	} {
		root, tables := productOf(tt.sizes, tt.conditions)
		got := orderJoins().Apply(root, tables)
		if shape(got) != tt.want {
			t.Errorf("%s: %s, want %s", tt.conditions, shape(got), tt.want)
		}
		before, errBefore := root.Schema(tables)
		after, err := got.Schema(tables)
		if errBefore != nil || err != nil || before.String() != after.String() {
			t.Errorf("%s: the columns are %v, not %v, errors %v and %v", tt.conditions, after, before, err, errBefore)
		}
	}
}

// TestConditionsAboveOthers holds that inner joins below an outer one, groups and a window are ordered as if the
// conditions above these stood right above the joins.
func TestConditionsAboveOthers(t *testing.T) {
	const sizes, equal = "sales:3000000 dates:70000 items:100000", "sales.date=dates.key sales.item=items.key"
	for _, tt := range []struct{ condition, want string }{
		{"dates.month", "(items (dates sales))"},
		{"items.category", "(dates (items sales))"},
	} {
		below, tables := productOf(sizes+" promos:50", equal+" "+tt.condition)
		conditions, product := below.Conditions()
		product = product.Inputs[0] // without promos, which no condition reads
		where, last := expr.Conjoin(conditions[:2]), conditions[2]
		promos := plan.From("promos")
		promos.Stats = &plan.Stats{Rows: 50}
		tables["promos"].Columns = append(tables["promos"].Columns, columnar.TableColumn{Name: "promo", Header: "promo", Format: columnar.FormatInt})
		inner := product.Filter(where)
		for name, above := range map[string]*plan.Node{
			"an outer join": inner.OuterJoin(plan.Left, promos, plan.On("sales.item", "promo")),
			"groups":        inner.Aggregate(last.Columns()),
			"a window":      inner.Window(last.Columns(), nil, plan.Call{Func: "row_number", Name: "n"}),
		} {
			got, err := rules.Rewrite(nil, above.Filter(last), tables, nil)
			if err != nil {
				t.Fatal(err)
			}
			if got := shape(got); !strings.Contains(got, tt.want) {
				t.Errorf("%s above %s: %s, want %s", tt.condition, name, got, tt.want)
			}
		}
	}
}
