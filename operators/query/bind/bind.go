// Package bind turns statements into plans: it resolves the names of tables and columns,
// determines the types of expressions, and builds the nodes of package plan.
//
// It refuses what plans cannot express before anything is read, with an error that names
// the feature and its position in the statement. All errors are *sql.Error.
package bind

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"analyzer/columnar"
	"analyzer/columnar/budget"
	"analyzer/operators/expr"
	"analyzer/operators/query/plan"
	"analyzer/operators/query/scalar"
	"analyzer/operators/query/sql"
)

// Table is a table that statements can read.
type Table struct {
	// Parts are its files, in order. They have the same columns with the same types.
	Parts []*columnar.Table
	// Constants are further columns, after the others, that have one value in each part.
	Constants []Constant
	// Virtual is the name of a column that stars do not stand for; "": there is none.
	Virtual string
	Stats   *plan.Stats // of all parts together; nil: nothing is known
}

// Constant is a column with one value for each part of a table.
type Constant struct {
	Name   string
	Type   columnar.Type
	Values []*expr.Expr // literals, by part
}

// Catalog says what the names in a statement refer to.
type Catalog struct {
	Tables map[string]*Table // by name, in lower case
	Files  map[string]*Table // by the name in quotes, or the call that reads it (sql.Source.Key)
	// Views are named queries, by name in lower case. They take the parameters of the
	// statement.
	Views map[string]*sql.Query
	// Nothing is a table of one row and one column, which a query without FROM reads. If it is
	// nil, such a query makes its one row by counting none of the rows of another table.
	Nothing *Table
	// Types are the declared types of parameters. The type of another parameter follows from
	// what its value looks like.
	Types map[string]columnar.Type
	// LargeSums says that a sum of BIGINTs does not fit BIGINT, and is to be HUGEINT.
	LargeSums bool
	// LargeResults says that the result of a calculation does not fit its type: those with DECIMALs are to have more digits.
	LargeResults bool
	// Now is the current time for the statement; if it is zero, the statement may not depend
	// on the time.
	Now time.Time
}

// Params are the values of parameters, as a person writes them.
type Params map[string]string

// Query returns the plan of a query, which cannot run before package rules has rewritten it. Its
// columns have the names of the answer's columns. Where work must stop, the error is its.
func Query(work *budget.Work, q *sql.Query, c Catalog, params Params) (node *plan.Node, err error) {
	defer sql.Catch(&err)
	b := &binder{
		Statement: scalar.NewStatement(work, c.Now), catalog: c, rowIDs: namesRowID(q), params: params, tables: c.PlanTables(), views: make(map[string]*withs), ofFile: make(map[string]bool), size: make(map[*plan.Node]int),
	}
	b.Roomy = c.LargeResults
	b.whole = q
	return b.answer(around{b: b}.query(q)), nil
}

// binder binds one statement.
type binder struct {
	*scalar.Statement
	catalog Catalog
	params  Params
	tables  plan.Tables
	views   map[string]*withs  // views that were bound
	whole   *sql.Query         // that gives the answer
	depth   int                // of views within views
	rowIDs  bool               // the statement, or the view that is bound, may name the numbers of rows
	ofFile  map[string]bool    // columns that are a row's position in its file, or its file's among the files
	size    map[*plan.Node]int // results of steps
}

// field is a column of a relation, as a statement sees it.
type field struct {
	table   string // the name of its table, "" if it has none
	schema  string // that stands before the name of the table, "" if none does
	name    string
	column  string // within the plan
	typ     columnar.Type
	null    bool            // it is NULL in all rows, so a set operation may still give it another type
	untyped *scalar.Untyped // parts of it that are NULL in all rows
	virtual bool            // no star stands for it, and another column of its name goes before it
	merged  bool            // it equals an earlier field (the right one of USING), so only table.name finds it
	spelled bool            // its cells are numbers as people write them
	json    bool            // as in scalar.Value
}

// relation is a plan with the names by which a statement refers to its columns.
type relation struct {
	node   *plan.Node
	fields []field
	// order is the order that its rows are to have; they are not sorted yet. nil means no
	// order but that of all their values. Its columns need not be fields.
	order []plan.Order
	semi  bool // the right side of a semi-join: its rows are distinct and only looked up
}

// around is what surrounds a query: the queries of WITH that are in scope, and the query that it
// stands in, nil if it stands in none.
type around struct {
	b     *binder
	with  *withs
	outer *enclosing
}

// withs is a linked list of the queries of WITH that are in scope, innermost first.
type withs struct {
	outer *withs
	name  string // in lower case
	rel   *relation
	used  bool
}

// and adds a query of WITH to those in scope.
func (w around) and(c sql.CTE, rel *relation) around {
	rel = rel.renamed(c.Name, c.Columns, c.At)
	w.with = &withs{outer: w.with, name: strings.ToLower(c.Name), rel: rel}
	return w
}

// answer returns the plan of the whole statement: its rows in order, with only the columns
// of the answer.
func (b *binder) answer(rel *relation) *plan.Node {
	node, names := rel.node, make(map[string]bool)
	if node.Op != plan.Sort || !node.Limited() {
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

// query binds a query with its WITH, ORDER BY, LIMIT and OFFSET.
func (w around) query(q *sql.Query) *relation {
	w.b.Work.Do(1)
	if q.Recursive {
		panic(sql.Unsupported(q.At, "Next: ask it by analyzer sql.", "recursive queries of data sets"))
	}
	for _, c := range q.With {
		rel := w.query(c.Query)
		w = w.and(c, rel)
	}
	var rel *relation
	switch {
	case q.Select != nil:
		rel = w.selection(q)
	case q.Values != nil:
		rel = w.rowsOf(q)
	default:
		rel = w.setOperation(q)
	}
	w.limit(q, rel)
	if w.b.steps(rel.node) > mostSteps {
		panic(sql.Wrong(q.At, "Next: write what a part of it gives to a file, with COPY, and read that.",
			"this has more than %d steps, those of a query counted as often as it is read", mostSteps))
	}
	return rel
}

// mostSteps bounds the nodes of a plan, where a shared node counts each time it is read, and the
// files of a table do not count. A
// plan holds a query of WITH once, but traversals visit it each time it is read; the visits
// double with each such query that reads the one before it twice.
const mostSteps = 10_000

// steps counts the nodes of a plan, a shared node each time it is read.
func (b *binder) steps(n *plan.Node) int {
	if n.Op == plan.Scan {
		return 0
	}
	if b.size[n] == 0 {
		size := 1
		for _, in := range n.Inputs {
			size += b.steps(in)
		}
		b.size[n] = size
	}
	return b.size[n]
}

// renamed returns the relation with another table name, and other names for its first
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
	distinguish(out.fields)
	return &out
}

// distinguish gives the second and further fields of a name others: name_1, name_2.
func distinguish(fields []field) {
	taken := make(map[string]bool, len(fields))
	for i, f := range fields {
		if f.virtual || f.name == "" {
			continue
		}
		name := f.name
		for n := 1; taken[sql.Folded(name)]; n++ {
			name = fmt.Sprintf("%s_%d", f.name, n)
		}
		taken[sql.Folded(name)] = true
		fields[i].name = name
	}
}

// orderOutput sets the order of a relation whose rows can only be ordered by its columns.
func (b *binder) orderOutput(q *sql.Query, rel *relation) {
	if q.OrderAll != nil {
		rel.order = orderAll(*q.OrderAll, rel.fields)
		return
	}
	rel.order = nil
	for _, o := range ordersOf(b, q, rel.fields) {
		at, ok := place(o.Expr, len(rel.fields))
		if !ok {
			at = indexOf(rel.fields, ownName(o.Expr))
		}
		if !ok && at < 0 {
			at = placeIn(q, o.Expr)
		}
		if at < 0 {
			panic(sql.Wrong(o.Expr.At, "Next: use the name or the number of a column, or order a query around it.", "this query can only be ordered by its columns"))
		}
		rel.order = append(rel.order, orderBy(rel.fields[at].column, o))
	}
}

// placeIn returns the place of the column that is an expression, or has it as its name, in the first part of a set
// operation that has one; -1 if there is none.
func placeIn(q *sql.Query, e *sql.Expr) int {
	switch {
	case q == nil || q.ByName:
		return -1
	case q.Select == nil:
		if at := placeIn(q.Left, e); at >= 0 {
			return at
		}
		return placeIn(q.Right, e)
	case slices.ContainsFunc(q.Select.Items, func(i sql.Item) bool { return i.Expr.Kind == sql.Star || columnsWithin(i.Expr) != nil }):
		return -1
	}
	return slices.IndexFunc(q.Select.Items, func(i sql.Item) bool {
		return i.Alias != "" && strings.EqualFold(i.Alias, ownName(e)) || i.Expr.String() == e.String()
	})
}

func orderAll(o sql.Order, fields []field) []plan.Order {
	return columnar.Each(fields, func(f field) plan.Order { return orderBy(f.column, o) })
}

// orderBy returns a sort key for a column, with the direction that a statement gives.
func orderBy(column string, o sql.Order) plan.Order {
	return plan.Order{Column: column, Desc: o.Desc, NullsFirst: o.Nulls == "FIRST"}
}

// place returns the index of the column that a number stands for; ok is false if e is not a
// number.
func place(e *sql.Expr, columns int) (at int, ok bool) {
	if e.Kind != sql.Number {
		return 0, false
	}
	n := 0
	if _, err := fmt.Sscanf(e.Text, "%d", &n); err != nil || n < 1 || n > columns || strings.ContainsAny(e.Text, ".eE") {
		panic(sql.Certainly(e.At, "", "there is no column %s; there are 1 to %d", e.Text, columns))
	}
	return n - 1, true
}

// constant returns a scope for expressions that are known beforehand, as the number of a frame is.
func (b *binder) constant(clause string) *scalar.Scope { return (&scope{b: b, clause: clause}).row() }
