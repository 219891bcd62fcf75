package sql

import (
	"slices"
	"strings"
)

// Statement is one statement: a query, and what to do with its answer.
type Statement struct {
	Verb    Verb
	Analyze bool // EXPLAIN ANALYZE
	Rules   bool // EXPLAIN (RULES)
	Query   *Query
	To      string   // the file that COPY writes
	Options []Option // of COPY
	View    *View    // the view, table or variable to create from the query
	Macro   *Macro   // the macro to create
	Replace bool     // OR REPLACE: the view replaces an existing one of that name
	Lenient bool     // IF [NOT] EXISTS: nothing is done where there is one of that name, or none to drop
	Dropped string   // what DROP drops: a TABLE, a VIEW or a MACRO
	Ready   string   // the words of a statement with nothing to do
	At      Span     // the verb
}

// Verb is what to do with a query.
type Verb string

// The verbs.
const (
	Answer    Verb = ""
	Explain   Verb = "EXPLAIN"
	Describe  Verb = "DESCRIBE"
	Summarize Verb = "SUMMARIZE"
	Copy      Verb = "COPY"
	Create    Verb = "CREATE VIEW"
	// CreateTable keeps the rows of a query, and SetVariable its only value.
	CreateTable Verb = "CREATE TABLE"
	SetVariable Verb = "SET VARIABLE"
	CreateMacro Verb = "CREATE MACRO"
	Drop        Verb = "DROP"
	// Nothing makes ready what there is anyway, such as an extension of DuckDB.
	Nothing Verb = "NOTHING"
)

// Defines reports whether a statement only defines something for those behind it, and has no answer.
func (v Verb) Defines() bool {
	return slices.Contains([]Verb{Create, CreateTable, CreateMacro, SetVariable, Drop, Nothing}, v)
}

// Query is a SELECT, VALUES or a set operation on two queries, with its common table
// expressions, order and limit.
type Query struct {
	At        Span
	With      []CTE
	Recursive bool // queries of WITH may read themselves
	Kept      bool // the rows of a table that a statement made, which have places in it

	// One of Select, Values and Op is set.
	Select *Select
	Values [][]*Expr
	Op     SetOp
	OpAt   Span
	ByName bool
	Left   *Query
	Right  *Query

	Order    []Order
	OrderAll *Order // ORDER BY ALL, whose Expr is nil
	Limit    *Expr
	Percent  bool // Limit is in percent of the rows
	Offset   *Expr
}

// CTE is a named query of WITH.
type CTE struct {
	At      Span
	Name    string
	Columns []string
	Key     []string // the columns of USING KEY: of rows that agree in them, only the last one stays
	Query   *Query
}

// SetOp is an operation on the rows of two queries.
type SetOp string

// The set operations.
const (
	NoSetOp      SetOp = ""
	Union        SetOp = "UNION"
	UnionAll     SetOp = "UNION ALL"
	Intersect    SetOp = "INTERSECT"
	IntersectAll SetOp = "INTERSECT ALL"
	Except       SetOp = "EXCEPT"
	ExceptAll    SetOp = "EXCEPT ALL"
)

// Order is one sort key of ORDER BY.
type Order struct {
	At    Span
	Expr  *Expr
	Desc  bool
	Nulls string // "", "FIRST" or "LAST"
}

// Select is a SELECT without its ORDER BY, LIMIT and OFFSET, which Query holds.
type Select struct {
	At         Span
	Distinct   bool
	DistinctOn []*Expr
	Items      []Item
	From       *From
	Where      *Expr
	GroupBy    []*Expr
	GroupAll   bool
	Having     *Expr
	Windows    []NamedWindow
	Qualify    *Expr
	Sample     *Sample // of the rows of FROM, if that is more than a table; nil: all rows
}

// Item is one column of a SELECT, or a star.
type Item struct {
	Expr  *Expr
	Alias string // "" if there is none
}

// From is a table, a query or a join, with its alias and the new names of its columns.
type From struct {
	At      Span
	Alias   string
	Columns []string

	// One of these is set.
	Path  []string // a name, perhaps behind that of a schema
	File  string   // a file, in quotes
	Query *Query
	Verb  Verb  // Describe or Summarize: the table is the answer of that statement about Query
	Call  *Expr // a call of a table function
	Join  *Join

	Pivot   *Pivot
	Unpivot *Unpivot

	Lateral    bool
	Ordinality bool    // of Call: WITH ORDINALITY numbers its rows
	Sample     *Sample // nil: all rows
}

// Table returns the name of a table behind that of its schema, of which it is part.
func (f *From) Table() string { return strings.Join(f.Path, ".") }

// Name returns the name of the table, "" if it has none.
func (f *From) Name() string {
	switch {
	case f.Alias != "":
		return f.Alias
	case f.File != "":
		return fileTable(f.File)
	case f.Call != nil && ReadsFile(f.Call):
		return strings.ToLower(f.Call.Text)
	case f.Call != nil:
		return f.Call.Text
	case len(f.Path) > 0:
		return f.Path[len(f.Path)-1]
	}
	return ""
}

// fileTable is the table name of a file: its name without the directory, up to the first
// dot.
func fileTable(file string) string {
	name := file[strings.LastIndexByte(file, '/')+1:]
	if n := strings.IndexByte(name, '.'); n > 0 {
		name = name[:n]
	}
	return name
}

// Join is a join of two tables.
type Join struct {
	Kind    JoinKind
	Natural bool
	Asof    bool // a row's partner is the nearest one
	Left    *From
	Right   *From
	On      *Expr
	Using   []string
	At      Span // the words that say JOIN
}

// JoinKind says which rows a join pairs and keeps.
type JoinKind string

// The kinds of joins.
const (
	InnerJoin      JoinKind = "INNER JOIN"
	LeftJoin       JoinKind = "LEFT JOIN"
	RightJoin      JoinKind = "RIGHT JOIN"
	FullJoin       JoinKind = "FULL JOIN"
	CrossJoin      JoinKind = "CROSS JOIN"
	SemiJoin       JoinKind = "SEMI JOIN"
	AntiJoin       JoinKind = "ANTI JOIN"
	PositionalJoin JoinKind = "POSITIONAL JOIN"
	CommaJoin      JoinKind = ","
)

// Kind is the form of an expression. It determines which fields of Expr are set.
type Kind uint8

// The kinds of expressions.
const (
	Column     Kind = iota + 1 // Path
	Star                       // Path (of the table, or none), Exclude, Replace; Text and Args: as of Like, the pattern of names
	Columns                    // Args: a star, or the pattern or a list of names
	Place                      // Text: the number of a column of FROM
	Number                     // Text
	String                     // Text
	Boolean                    // Text: TRUE or FALSE
	Null                       //
	Param                      // Text: the name
	Unary                      // Text: + - ~ NOT; Args: one
	Binary                     // Text: the operator in capitals; Args: two; Not: = is written := or =>, behind a parameter
	Call                       // Text: the name; Args; Distinct, Order, IgnoreNulls, Filter, Window
	Lambda                     // Path: the parameters; Args: the expression; Not: written with an arrow
	Case                       // Args: the operand or nil, pairs of condition and value, the value of ELSE or nil
	Cast                       // Text: the type; Args: one; Try
	Collate                    // Path: NOCASE, NOACCENT; Args: one
	In                         // Args: the value, then the list; or Query; Not
	Between                    // Args: three; Not
	Like                       // Text: LIKE, ILIKE, SIMILAR TO, GLOB; Args: value, pattern and perhaps the escape; Not
	IsNull                     // Args: one; Not
	IsTruth                    // Text: TRUE or FALSE; Args: one; Not
	IsDistinct                 // Args: two; Not
	List                       // Args
	Struct                     // Path: the names; Args: their values
	Index                      // Args: the list and the position
	Slice                      // Args: the list, the first and last position, either of which may be nil, and perhaps the step
	Subquery                   // Query
	Exists                     // Query
	Quantified                 // Text: operator and ANY or ALL; Args: the value, and a list; or Query
	Interval                   // Text: the unit; Args: one
	Field                      // Args: a struct; Path: the name of its field
	Tuple                      // Args: two or more, in parentheses
	Grouping                   // Text: ROLLUP, CUBE or GROUPING SETS; Args
)

// Expr is an expression. It is plain data.
type Expr struct {
	Kind Kind
	At   Span
	Text string
	Path []string
	Args []*Expr
	Not  bool

	Try         bool
	Distinct    bool
	Order       []Order // within a call
	IgnoreNulls bool
	Within      bool // of a call: it is written WITHIN GROUP, under its name in orderedSets
	Filter      *Expr
	Window      *Window
	Query       *Query
	Exclude     [][]string // columns, perhaps with the names of their tables
	Replace     []Item
	Rename      []Item // columns, and their new names
}

// Window is what follows OVER.
type Window struct {
	At        Span
	Name      string // of a named window, alone or as a base
	Partition []*Expr
	Order     []Order
	Frame     *Frame // nil if there is none
}

// Frame says which rows of its partition a window function is computed over.
type Frame struct {
	At       Span
	Unit     string // ROWS, RANGE or GROUPS
	From, To FrameBound
	Exclude  string // CURRENT ROW, GROUP or TIES; "" if no rows are
}

// FrameBound says where a frame begins or ends.
type FrameBound struct {
	At     Span
	Kind   BoundKind
	Offset *Expr // of Preceding and Following
}

// BoundKind says how far a frame reaches.
type BoundKind string

// The kinds of bounds.
const (
	FromFirst  BoundKind = "UNBOUNDED PRECEDING"
	Preceding  BoundKind = "PRECEDING"
	CurrentRow BoundKind = "CURRENT ROW"
	Following  BoundKind = "FOLLOWING"
	ToLast     BoundKind = "UNBOUNDED FOLLOWING"
)

// NamedWindow is one window of a WINDOW clause.
type NamedWindow struct {
	Name   string
	Window *Window
}

// Walk calls visit for e and every expression below it, parents first, but not within
// queries. Where visit returns false, Walk goes no deeper.
func (e *Expr) Walk(visit func(*Expr) bool) {
	if e == nil || !visit(e) {
		return
	}
	for _, a := range e.Args {
		a.Walk(visit)
	}
	for _, o := range e.Order {
		o.Expr.Walk(visit)
	}
	for _, r := range e.Replace {
		r.Expr.Walk(visit)
	}
	e.Filter.Walk(visit)
	if e.Window != nil {
		for _, p := range e.Window.Partition {
			p.Walk(visit)
		}
		for _, o := range e.Window.Order {
			o.Expr.Walk(visit)
		}
		if f := e.Window.Frame; f != nil {
			f.From.Offset.Walk(visit)
			f.To.Offset.Walk(visit)
		}
	}
}

// isOfColumns reports whether an expression has COLUMNS in it, and so stands for one of each of these.
func (e *Expr) isOfColumns() (found bool) {
	e.Walk(func(part *Expr) bool {
		found = found || part.Kind == Columns
		return !found
	})
	return found
}

// Replaced returns the expression with some parts replaced: by is asked for each part, parents
// first, and returns what stands in its place, or nil to keep it. Queries are kept. The receiver is
// not changed.
func (e *Expr) Replaced(by func(*Expr) *Expr) *Expr {
	if e == nil {
		return nil
	}
	if other := by(e); other != nil {
		return other
	}
	out := *e
	all := func(es []*Expr) []*Expr {
		made := make([]*Expr, len(es))
		for i, a := range es {
			made[i] = a.Replaced(by)
		}
		return made
	}
	ordered := func(order []Order) []Order {
		made := append([]Order(nil), order...)
		for i := range made {
			made[i].Expr = made[i].Expr.Replaced(by)
		}
		return made
	}
	out.Args, out.Order, out.Filter = all(e.Args), ordered(e.Order), e.Filter.Replaced(by)
	if e.Window != nil {
		w := *e.Window
		w.Partition, w.Order = all(w.Partition), ordered(w.Order)
		if w.Frame != nil {
			f := *w.Frame
			f.From.Offset, f.To.Offset = f.From.Offset.Replaced(by), f.To.Offset.Replaced(by)
			w.Frame = &f
		}
		out.Window = &w
	}
	return &out
}
