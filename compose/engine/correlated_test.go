package engine_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"analyzer/compose/engine"
	"analyzer/operators/query"
	"analyzer/operators/query/bind"
	"analyzer/operators/query/plan"
	"analyzer/operators/query/sql"
)

// dependent is a world of three small tables, and random queries in which a query depends on the
// row t around it. Wherever it reads a column of t, its text has the column in braces.
type dependent struct {
	rng     *rand.Rand
	rows    [][2]string // i and d of t; "" is null
	catalog bind.Catalog
	job     job
	tables  int // names given so far
}

func newDependent(t *testing.T, seed uint64) *dependent {
	d := &dependent{rng: rand.New(rand.NewPCG(seed, 1))}
	var w world
	for _, name := range []string{"t", "u", "v"} {
		text := "n,i,d\n"
		for n := range 1 + d.rng.IntN(7) {
			row := [2]string{d.cell(4), d.cell(9)}
			if name == "t" {
				d.rows = append(d.rows, row)
			}
			text += fmt.Sprintf("%d,%s,%s\n", n, row[0], row[1])
		}
		integers := []worldColumn{{"n", "BIGINT"}, {"i", "BIGINT"}, {"d", "BIGINT"}}
		w.Tables = append(w.Tables, worldTable{Name: name, Columns: integers, CSV: text})
	}
	catalog, tables, files := w.tables()
	d.catalog, d.job = catalog, job{tables: tables, open: inMemory(t, files)}
	return d
}

func (w *dependent) cell(most int) string {
	if w.rng.IntN(6) == 0 {
		return ""
	}
	return fmt.Sprint(w.rng.IntN(most))
}

func (w *dependent) pick(from ...string) string { return from[w.rng.IntN(len(from))] }

// column is a column of one of the tables, or now and then of t.
func (w *dependent) column(tables []string) string {
	if w.rng.IntN(3) == 0 {
		return w.pick("{i}", "{d}")
	}
	return w.pick(tables...) + "." + w.pick("i", "d")
}

func (w *dependent) alias() string {
	w.tables++
	return fmt.Sprintf("x%d", w.tables)
}

// from returns a FROM and the names of its tables. outer are tables of queries around it.
func (w *dependent) from(outer []string, depth int) (text string, tables []string) {
	a := w.alias()
	text, tables = w.pick("u ", "v ")+a, []string{a}
	switch b := w.alias(); w.rng.IntN(6) {
	case 0:
		return text + w.pick(" JOIN", " LEFT JOIN", " RIGHT JOIN", " FULL JOIN") + " u " + b + " ON " + a + ".i = " + b + ".i AND " + b + ".d " + w.pick("<", ">=") + " " + w.column(tables), []string{a, b}
	case 1:
		if depth > 0 {
			lateral := w.lateral(b, slices.Concat(tables, outer), depth-1)
			return text + w.pick(", "+lateral, " CROSS JOIN "+lateral, " LEFT JOIN "+lateral+" ON true"), []string{a, b}
		}
	case 2:
		if depth > 0 {
			return w.lateral(b, outer, depth-1), []string{b}
		}
	}
	return text, tables
}

// lateral returns a query in FROM that may depend on tables before it.
func (w *dependent) lateral(name string, before []string, depth int) string {
	return "LATERAL (" + w.query(before, depth, 2) + ") " + name + "(i, d)"
}

func (w *dependent) condition(own, outer []string, depth int) string {
	if depth > 0 && w.rng.IntN(4) == 0 {
		around := slices.Concat(own, outer)
		not := w.pick("", "NOT ")
		switch w.rng.IntN(4) {
		case 0:
			return not + "EXISTS (" + w.query(around, depth-1, 1) + ")"
		case 1:
			return w.column(around) + " " + not + "IN (" + w.query(around, depth-1, 1) + ")"
		case 2:
			return w.column(around) + w.pick(" < ", " = ", " <> ") + w.pick("ANY", "ALL") + " (" + w.query(around, depth-1, 1) + ")"
		}
		return w.column(around) + " >= (" + w.aggregate(around, depth-1) + ")"
	}
	c := w.column(own) + w.pick(" = ", " = ", " < ", " <= ", " <> ", " IS NOT DISTINCT FROM ") + w.column(slices.Concat(own, outer))
	if w.rng.IntN(5) == 0 {
		c = "(" + c + " OR " + w.column(own) + " = " + w.column(own) + " + 1)"
	}
	return c
}

func (w *dependent) where(own, outer []string, depth int) string {
	text := " WHERE " + w.condition(own, outer, depth)
	for w.rng.IntN(2) == 0 {
		text += " AND " + w.condition(own, outer, depth)
	}
	return text
}

// aggregate returns a query of one value.
func (w *dependent) aggregate(outer []string, depth int) string {
	from, own := w.from(outer, depth)
	value := w.pick("count(*)", "sum(%)", "max(%)", "count(DISTINCT %)", "min(%) + {i}", "sum(% + {d})")
	argument := w.pick(own...) + "." + w.pick("i", "d") // what reads the query around alone is an aggregate of that
	text := "SELECT " + strings.ReplaceAll(value, "%", argument) + " FROM " + from + w.where(own, outer, depth)
	if w.rng.IntN(6) == 0 {
		text += " HAVING count(*) > 1"
	}
	return text
}

// query returns a query of so many columns.
func (w *dependent) query(outer []string, depth, columns int) string {
	from, own := w.from(outer, depth)
	list, names := "", ""
	for c := range columns {
		list += fmt.Sprintf(", %s AS c%d", w.column(own), c)
		names += fmt.Sprintf(", c%d", c)
	}
	text := list[2:] + " FROM " + from + w.where(own, outer, depth)
	switch w.rng.IntN(6) {
	case 0:
		return "SELECT DISTINCT " + text
	case 1:
		return "SELECT " + text + " ORDER BY " + names[2:] + " LIMIT " + w.pick("1", "2") + w.pick("", " OFFSET 1")
	case 2:
		return "SELECT " + text + w.pick(" UNION ALL ", " UNION ", " EXCEPT ") + "SELECT " + strings.ReplaceAll(strings.Repeat(", 1", columns), "1", w.pick("{i}", "{d}", "2"))[2:]
	case 3:
		return "SELECT max(c0) OVER (ORDER BY c0)" + names[min(len(names), 4):] + " FROM (SELECT " + text + ") y"
	}
	return "SELECT " + text
}

// rowsOf returns the rows of a statement's answer, sorted, each as JSON.
func (w *dependent) rowsOf(t *testing.T, text string, o engine.Options) []string {
	t.Helper()
	parsed, err := sql.Parse(nil, text)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	root, err := query.Plan(nil, parsed.Query, w.catalog, nil, nil)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	j := w.job
	j.queries = []*plan.Query{{Version: plan.CurrentVersion, Name: "q", Root: root}}
	got := j.run(t, t.Context(), o)
	if got.err != nil {
		t.Fatalf("%s\n%s: %v", text, describe(o), got.err)
	}
	var answer struct {
		Q struct{ Rows [][]json.RawMessage }
	}
	if err := json.Unmarshal([]byte(got.json), &answer); err != nil {
		t.Fatal(err)
	}
	var rows []string
	for _, row := range answer.Q.Rows {
		rows = append(rows, fmt.Sprintf("%s", row))
	}
	slices.Sort(rows)
	return rows
}

// TestDependentQueriesAreThoseOfEachRow runs random queries that depend on the row around them,
// and compares each value with what the same query gives when the row's values are written in
// their place.
func TestDependentQueriesAreThoseOfEachRow(t *testing.T) {
	ways := []engine.Options{{Replicas: 1}, {Replicas: 3, BlockSize: 20, Memory: 1}, {Replicas: 2}}
	for seed := range uint64(dependentQueries()) {
		w := newDependent(t, seed)
		inner, around := w.aggregate(nil, 2), "(%s)"
		switch w.rng.IntN(5) {
		case 0:
			inner, around = w.query(nil, 2, 1), "EXISTS (%s)"
		case 1:
			inner, around = w.query(nil, 2, 1), "{d} "+w.pick("IN", "NOT IN", "< ANY", ">= ALL")+" (%s)"
		case 2:
			inner, around = w.query(nil, 2, 2), ""
		}
		joined, alone := "SELECT t.n, "+fmt.Sprintf(around, inner)+" FROM t", "SELECT %d AS n, "+fmt.Sprintf(around, strings.ReplaceAll(inner, "%", "%%"))
		if around == "" {
			joined, alone = "SELECT t.n, y.c0, y.c1 FROM t, LATERAL ("+inner+") y(c0, c1)", "SELECT %d AS n, y.c0, y.c1 FROM ("+inner+") y(c0, c1)"
		}
		var want []string
		for n, row := range w.rows {
			value := func(cell string) string {
				if cell == "" {
					return "CAST(NULL AS BIGINT)"
				}
				return cell
			}
			text := strings.NewReplacer("{i}", value(row[0]), "{d}", value(row[1])).Replace(fmt.Sprintf(alone, n))
			want = append(want, w.rowsOf(t, text, ways[0])...)
		}
		slices.Sort(want)
		text := strings.NewReplacer("{i}", "t.i", "{d}", "t.d").Replace(joined)
		if got := w.rowsOf(t, text, ways[seed%3]); !slices.Equal(got, want) {
			t.Errorf("seed %d: %s\ngives %v,\nbut %v if the values of each row are written into it", seed, text, got, want)
		}
	}
}

func dependentQueries() int {
	if testing.Short() {
		return 20
	}
	return 150
}
