// Package bind makes plans of statements: it finds out which tables and columns
// names mean and which types expressions have, and puts together the nodes of
// package plan.
//
// What the plans cannot express is refused by its name, with its place in the
// statement, before anything is read. All errors are *sql.Error.
package bind

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"analyzer/columnar"
	"analyzer/operators/expr"
	"analyzer/operators/plan"
	"analyzer/operators/sql"
)

// Table is a table that statements can read.
type Table struct {
	// Parts are its files, in order. They have the same columns, of the same types.
	Parts []*columnar.Table
	// Constants are columns that have one value in each part, behind the others.
	Constants []Constant
	Bytes     int64 // about how large it is, to choose the side of a join that is kept
}

// Constant is a column with one value for each part of a table.
type Constant struct {
	Name   string
	Type   columnar.Type
	Values []*expr.Expr // literals, by part
}

// Catalog is what names mean.
type Catalog struct {
	Tables map[string]*Table // by name, in lower case
	Files  map[string]*Table // by what stands in quotes, or the call that reads one (sql.Source.Key)
	// Views are queries that others read by a name, which is in lower case. They take
	// the parameters of the statement.
	Views map[string]*sql.Query
	// Nothing has one row and one column: what a query without FROM is over. Without it that
	// is over one of the tables, none of whose rows are taken.
	Nothing *Table
	// Types are those of parameters that are declared. Others are what their values
	// look like.
	Types map[string]columnar.Type
	// Now is the moment that the statement takes for the present one; zero means that it
	// may not depend on it.
	Now time.Time
}

// Params are the values of parameters, as a person writes them.
type Params map[string]string

// Query makes the plan of a query. The names of its columns are those of the answer.
func Query(q *sql.Query, c Catalog, params Params) (node *plan.Node, err error) {
	defer sql.Catch(&err)
	b := &binder{catalog: c, params: params, taken: make(map[string]bool), views: make(map[string]*withs), ofFile: make(map[string]bool), size: make(map[*plan.Node]int)}
	return tidy(b.answer(b.query(q, nil)), c.tablesOf())
}

// attempt does what may come upon a mistake, where something else can be done then.
func attempt(do func()) (err error) {
	defer sql.Catch(&err)
	do()
	return nil
}

// binder binds one statement.
type binder struct {
	catalog Catalog
	params  Params
	taken   map[string]bool    // names of columns within the plan
	views   map[string]*withs  // that were bound
	depth   int                // of views within views
	ofFile  map[string]bool    // columns that are the place of a row in its files, or its file's among them
	size    map[*plan.Node]int // by steps
}

// field is a column of a relation, as a statement sees it.
type field struct {
	table  string // the name of its table, "" if it has none
	name   string
	column string // within the plan
	typ    columnar.Type
	null   bool // it is NULL in all rows, and of no type yet where queries are put together
	merged bool // it stands for the same as one before it: the right one of USING
}

// relation is a plan with the names that a statement knows its columns by.
type relation struct {
	node   *plan.Node
	fields []field
	// order is the order of its rows, which are not sorted yet: nil if there is none
	// but that of all their values. Its columns need not be fields.
	order []plan.Order
	bytes int64
	semi  bool // its rows are only looked for: it has each once
}

// withs are the queries of WITH that can be seen.
type withs struct {
	outer *withs
	name  string // in lower case
	rel   *relation
	used  bool
}

// with adds a query of WITH to those that can be seen.
func (w *withs) with(c sql.CTE, rel *relation) *withs {
	rel = rel.renamed(c.Name, c.Columns, c.At)
	return &withs{outer: w, name: strings.ToLower(c.Name), rel: rel}
}

// unique returns a name for a column of the plan that no other has.
func (b *binder) unique(name string) string {
	given := name
	for n := 2; b.taken[name]; n++ {
		name = fmt.Sprintf("%s_%d", given, n)
	}
	b.taken[name] = true
	return name
}

// answer makes the plan of the whole statement: its rows in order, with its columns
// alone.
func (b *binder) answer(rel *relation) *plan.Node {
	node, names := rel.node, make(map[string]bool)
	if node.Op != plan.Sort || node.Limit == nil && node.Offset == 0 {
		node = node.Sort(rel.order...)
	}
	var out []plan.Named
	for _, f := range rel.fields {
		name := f.name
		for n := 1; names[name]; n++ {
			name = fmt.Sprintf("%s_%d", f.name, n)
		}
		names[name] = true
		out = append(out, plan.As(name, expr.Col(f.column)))
	}
	return node.Project(out...)
}

// query binds a query with all that is before and behind it.
func (b *binder) query(q *sql.Query, w *withs) *relation {
	for _, c := range q.With {
		rel := b.query(c.Query, w)
		w = w.with(c, rel)
	}
	limit, offset := b.rowCount(q.Limit, "limit"), b.rowCount(q.Offset, "offset")
	var rel *relation
	switch {
	case q.Select != nil:
		rel = b.selection(q, w)
	case q.Values != nil:
		rel = b.rowsOf(q)
	default:
		rel = b.setOperation(q, w)
	}
	if limit != nil || offset != nil {
		if offset == nil {
			offset = new(int64)
		}
		rel.node = rel.node.Slice(*offset, limit, rel.order...)
	}
	if b.steps(rel.node) > mostSteps {
		panic(sql.Wrong(q.At, "Next: write what a part of it gives to a file, with COPY, and read that.",
			"this has more than %d steps, those of a query counted as often as it is read", mostSteps))
	}
	return rel
}

// mostSteps is how many nodes the plan of a query may have where it is taken for a tree. A
// query of WITH stands in it once, but is walked over as often as it is read, and each may
// read the one before it twice.
const mostSteps = 10_000

// steps counts the nodes of a plan that is taken for a tree.
func (b *binder) steps(n *plan.Node) int {
	if b.size[n] == 0 {
		size := 1
		for _, in := range n.Inputs {
			size += b.steps(in)
		}
		b.size[n] = size
	}
	return b.size[n]
}

// renamed returns the relation under another name, with other names for its first
// columns.
func (r *relation) renamed(table string, columns []string, at sql.Span) *relation {
	if len(columns) > len(r.fields) {
		panic(sql.Wrong(at, "", "%s has %d columns, and %d names are given", table, len(r.fields), len(columns)))
	}
	out := *r
	out.fields = slices.Clone(r.fields)
	for i := range out.fields {
		out.fields[i].table = table
	}
	for i, name := range columns {
		out.fields[i].name = name
	}
	return &out
}

// rowCount returns how many rows a limit or an offset is, nil if there is none.
func (b *binder) rowCount(of *sql.Expr, what string) *int64 {
	if of == nil {
		return nil
	}
	n := b.expr(of, &scope{clause: strings.ToUpper(what)}).e.Fold().Literal()
	if n == nil || n.Type != columnar.Int || n.Int < 0 {
		panic(sql.Wrong(of.At, "", "%s %s is a whole number from 0 on", map[string]string{"limit": "a", "offset": "an"}[what], what))
	}
	return &n.Int
}

// orderOutput notes an order by the columns of a relation alone.
func (b *binder) orderOutput(q *sql.Query, rel *relation) {
	if q.OrderAll != nil {
		rel.order = orderAll(*q.OrderAll, rel.fields)
		return
	}
	rel.order = nil
	for _, o := range q.Order {
		at, ok := place(o.Expr, len(rel.fields))
		if !ok {
			at = -1
			if o.Expr.Kind == sql.Column && len(o.Expr.Path) == 1 {
				at = indexOf(rel.fields, o.Expr.Path[0])
			}
		}
		if at < 0 {
			panic(sql.Wrong(o.Expr.At, "Next: use the name or the number of a column.", "this query can only be ordered by its columns"))
		}
		rel.order = append(rel.order, orderBy(rel.fields[at].column, o))
	}
}

func orderAll(o sql.Order, fields []field) []plan.Order {
	return each(fields, func(f field) plan.Order { return orderBy(f.column, o) })
}

// orderBy is a key of an order by a column, in the direction that a statement says.
func orderBy(column string, o sql.Order) plan.Order {
	return plan.Order{Column: column, Desc: o.Desc, NullsFirst: o.Nulls == "FIRST"}
}

// place reads a number that stands for a column.
func place(e *sql.Expr, columns int) (at int, ok bool) {
	if e.Kind != sql.Number {
		return 0, false
	}
	n := 0
	if _, err := fmt.Sscanf(e.Text, "%d", &n); err != nil || n < 1 || n > columns || strings.ContainsAny(e.Text, ".eE") {
		panic(sql.Wrong(e.At, "", "there is no column %s; there are 1 to %d", e.Text, columns))
	}
	return n - 1, true
}

// each returns what is made of each of some things.
func each[T, U any](all []T, of func(T) U) []U {
	made := make([]U, len(all))
	for i, one := range all {
		made[i] = of(one)
	}
	return made
}

// indexOf returns the place of the field of that name, -1 if there is none.
func indexOf(fields []field, name string) int {
	return slices.IndexFunc(fields, func(f field) bool { return strings.EqualFold(f.name, name) })
}
