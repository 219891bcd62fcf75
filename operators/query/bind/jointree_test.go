package bind

import (
	"fmt"
	"strings"
	"testing"

	"analyzer/operators/expr"
)

// inputsOf makes inputs of names and sizes, and equalities of their columns, each of
// which begins with the name of its input. What is only looked for is named among.
func inputsOf(sizes, equalities string) (names []string, rels []*relation, edges []*expr.Expr, owner map[string]int) {
	owner = make(map[string]int)
	for i, word := range strings.Fields(sizes) {
		name, size, _ := strings.Cut(word, ":")
		r := relation{semi: strings.HasPrefix(name, "among")}
		if _, err := fmt.Sscan(size, &r.bytes); err != nil {
			panic(err)
		}
		names, rels = append(names, name), append(rels, &r)
		for _, pair := range strings.Fields(equalities) {
			for _, c := range strings.Split(pair, "=") {
				if strings.HasPrefix(c, name+".") {
					owner[c] = i
				}
			}
		}
	}
	for _, pair := range strings.Fields(equalities) {
		x, y, _ := strings.Cut(pair, "=")
		edges = append(edges, expr.Eq(expr.Col(x), expr.Col(y)))
	}
	return names, rels, edges, owner
}

func TestJoinTree(t *testing.T) {
	for _, tt := range []struct{ sizes, equalities, want, left string }{
		{"a:10 b:2000", "a.x=b.x", "b(a)", ""},
		{"a:1000 b:20 c:300", "", "a(b c)", ""},
		// Customers of a nation and suppliers of it are many pairs: 25 values are equal.
		{
			"customer:24000000 orders:170000000 lineitem:700000000 supplier:1400000 nation:2200 region:400",
			"customer.key=orders.cust lineitem.order=orders.key lineitem.supp=supplier.key customer.nation=supplier.nation supplier.nation=nation.key nation.region=region.key",
			"lineitem(supplier(nation(region)) orders(customer))", `"customer.nation" = "supplier.nation"`,
		},
		// What is equal to the same is joined, whether or not it is written.
		{
			"part:24000000 lineitem:700000000 partsupp:110000000 supplier:1400000",
			"partsupp.part=lineitem.part partsupp.supp=lineitem.supp part.key=lineitem.part supplier.key=lineitem.supp",
			"lineitem(partsupp(supplier part))", "",
		},
		// Few orders are among those asked for, and so fewer customers are met as well.
		{
			"customer:24000000 orders:170000000 lineitem:700000000 among:88000000",
			"customer.key=orders.cust orders.key=lineitem.order among.key=orders.key",
			"lineitem(orders(customer among))", "",
		},
		{"a:900 among:2000", "a.x=among.x", "among(a)", ""},
		{"a:900 b:800 c:700", "a.x=b.x b.x=c.x a.x=c.x a.y=c.x", "a(c(b))", `"a.y" = "c.x"`},
	} {
		names, rels, edges, owner := inputsOf(tt.sizes, tt.equalities)
		tree := newJoinTree(nil, rels, edges, owner)
		var show func(i int) string
		show = func(i int) string {
			var all []string
			for _, child := range tree.children[i] {
				all = append(all, show(child))
			}
			if all == nil {
				return names[i]
			}
			return names[i] + "(" + strings.Join(all, " ") + ")"
		}
		if got := show(tree.root); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.equalities, got, tt.want)
		}
		var left []string
		for _, e := range tree.left() {
			left = append(left, e.String())
		}
		if got := strings.Join(left, " "); got != tt.left {
			t.Errorf("%s: %q is left, want %q", tt.equalities, got, tt.left)
		}
	}
}

func TestOfOneInput(t *testing.T) {
	owner := map[string]int{"x": 0, "y": 1, "z": 2}
	is := func(c string, n int64) *expr.Expr { return expr.Eq(expr.Col(c), expr.Int(n)) }
	c := expr.Or(expr.And(is("x", 1), is("y", 2), is("z", 3)), expr.Or(expr.And(is("y", 4), is("x", 5)), expr.And(is("x", 6), is("x", 7), is("y", 8))))
	got := ofOneInput(c, owner)
	if len(got) != 2 || got[0].String() != "x = 1 or x = 5 or x = 6 and x = 7" || got[1].String() != "y = 2 or y = 4 or y = 8" {
		t.Errorf("%v", got)
	}
	if got := ofOneInput(is("x", 1), owner); len(got) != 0 {
		t.Errorf("%v", got)
	}
}
