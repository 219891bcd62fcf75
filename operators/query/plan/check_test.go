package plan

import (
	"encoding/json"
	"strings"
	"testing"

	"analyzer/columnar"
	"analyzer/operators/expr"
)

// sent returns queries as they arrive from outside.
func sent(t *testing.T, queries ...*Query) []*Query {
	t.Helper()
	text, err := json.Marshal(queries)
	if err != nil {
		t.Fatal(err)
	}
	var out []*Query
	if err := json.Unmarshal(text, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

func TestCheckRefusesWhatCannotBe(t *testing.T) {
	deep, wide := From("t"), From("t")
	for range maxDepth {
		deep = deep.Filter(expr.Bool(true))
	}
	for range 9 {
		wide = UnionAll(wide, wide)
	}
	nested := expr.Bool(true)
	for range expr.MostDepth {
		nested = expr.Not(nested)
	}
	table := func(name string, columns ...string) *columnar.Table {
		t := &columnar.Table{Name: name}
		for _, c := range columns {
			t.Columns = append(t.Columns, columnar.TableColumn{Name: c})
		}
		return t
	}
	query := func(root *Node) []*Query { return []*Query{{Name: "q", Root: root}} }
	for want, c := range map[string]struct {
		tables  []*columnar.Table
		queries []*Query
	}{
		"":                                     {[]*columnar.Table{table("t", "a", "b")}, query(From("t"))},
		"there is no query":                    {nil, nil},
		"101 tables":                           {make([]*columnar.Table, 101), query(From("t"))},
		"a table is missing":                   {make([]*columnar.Table, 1), query(From("t"))},
		`two columns "a"`:                      {[]*columnar.Table{table("t", "a", "a")}, query(From("t"))},
		`two of the name "t" (table)`:          {[]*columnar.Table{table("t"), table("t")}, query(From("t"))},
		`"../t" cannot be the name of a table`: {[]*columnar.Table{table("../t")}, query(From("t"))},
		`"a:b" cannot be the name of a query`:  {nil, []*Query{{Name: "a:b", Root: From("t")}}},
		`"" cannot be the name of a query`:     {nil, []*Query{{Root: From("t")}}},
		"a query is missing":                   {nil, []*Query{{Name: "q"}}},
		"query q: there are more than 60 nodes on top of each other: make": {nil, query(deep)},
		"query q: the queries up to here have more than 500 nodes: ask":    {nil, query(wide)},
		"query q: the expression is nested deeper than 4000":               {nil, query(From("t").Filter(nested))},
		`query q: column "x": an expression is missing`:                    {nil, query(From("t").Project(Named{Name: "x"}))},
		"query q: a node is missing":                                       {nil, query(UnionAll(nil))},
		"query q: a scan with other names of columns":                      {nil, query(NamedScan("t", As("x", expr.Col("a"))))},
	} {
		err := Check(c.tables, sent(t, c.queries...))
		if want == "" && err == nil {
			continue
		}
		if want == "" || err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}

func TestVersionsOfPlans(t *testing.T) {
	root := `"name": "q", "root": {"op": "scan", "table": "t"}`
	var q Query
	err := json.Unmarshal([]byte(`{"version": 7, `+root+`}`), &q)
	if err == nil || err.Error() != "a plan of version 7; this program reads version 4" {
		t.Errorf("a plan of an unknown version: %v", err)
	}
	if err := json.Unmarshal([]byte(`{`+root+`}`), &q); err != nil {
		t.Fatal(err)
	}
	if err := Check(nil, []*Query{&q}); err == nil || !strings.Contains(err.Error(), "does not say which version") {
		t.Errorf("a plan without a version: %v", err)
	}
	if err := Check(nil, sent(t, &q)); err != nil {
		t.Errorf("a plan that was written by this program: %v", err)
	}
}
