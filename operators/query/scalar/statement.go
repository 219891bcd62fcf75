package scalar

import (
	"math"
	"time"

	"analyzer/columnar"
	"analyzer/columnar/budget"
	"analyzer/operators/expr"
	"analyzer/operators/query/sql"
)

// Statement is what the expressions of one statement have in common. It is for one goroutine.
type Statement struct {
	Work   *budget.Work
	now    time.Time                // for the statement; if it is zero, no expression may depend on it
	names  columnar.Names           // of columns within the plan
	Types  map[string]columnar.Type // of columns that expressions read
	sizes  map[*expr.Expr]size
	Roomy  bool // what is computed with a DECIMAL has all digits that it may need
	within int  // how deep the expression that is being bound lies within others
}

// NewStatement returns a statement that begins at a time and counts its work.
func NewStatement(work *budget.Work, now time.Time) *Statement {
	return &Statement{Work: work, now: now, Types: make(map[string]columnar.Type), sizes: make(map[*expr.Expr]size)}
}

// Query is the query in which an expression stands.
type Query interface {
	// Bind binds what depends on the query: columns, queries, aggregates and window functions. ok is
	// false for anything else, which is made of its parts. in is where the expression stands.
	Bind(e *sql.Expr, in *Scope) (v Value, ok bool)
}

// Scope is where an expression stands.
type Scope struct {
	*Statement
	query      Query      // nil: the expression is one of constants and parameters
	parameters *parameter // of the lambdas around, innermost first
	inLambda   bool       // there is one
}

// NewScope returns where the expressions of a query stand; query may be nil.
func (st *Statement) NewScope(query Query) *Scope { return &Scope{Statement: st, query: query} }

// InLambda reports whether the expression is part of a lambda.
func (s *Scope) InLambda() bool { return s.inLambda }

// Attempt calls do and returns its mistake as an error, for callers that have an alternative.
func (st *Statement) Attempt(do func()) (err error) {
	within := st.within
	defer func() {
		st.within = within
		switch why := recover().(type) {
		case nil:
		case *sql.Error:
			err = why
		default:
			panic(why)
		}
	}()
	do()
	return nil
}

// Unique returns a name that no other column of the plan has, based on the given one.
func (st *Statement) Unique(name string) string { return st.names.New(name) }

// Fresh makes a unique name for a column that a rule of plans adds.
func (st *Statement) Fresh(like string, of *expr.Expr) string {
	name := st.Unique(like)
	if of != nil {
		st.Types[name] = st.TypeOf(of)
	}
	return name
}

// PartsOf counts the parts of an expression, a shared one each time it is used.
func (st *Statement) PartsOf(e *expr.Expr) int {
	if e == nil {
		return 0
	}
	return st.sizeOf(e).parts
}

// size is that of an expression. A shared part counts each time it is used.
type size struct{ parts, bytes, depth int }

func (st *Statement) sizeOf(e *expr.Expr) size {
	known, ok := st.sizes[e]
	if !ok {
		known = size{1, e.Bytes(), 1}
		for _, a := range e.Args {
			if a != nil {
				of := st.sizeOf(a)
				known = size{min(known.parts+of.parts, math.MaxInt32), min(known.bytes+of.bytes, math.MaxInt32), max(known.depth, of.depth+1)}
			}
		}
		st.sizes[e] = known
	}
	return known
}

// CheckSize refuses an expression that is too large to be run.
func (st *Statement) CheckSize(e *expr.Expr, at sql.Span) {
	switch of := st.sizeOf(e); {
	case of.parts > expr.MostParts:
		panic(TooManyParts(at))
	case of.depth > expr.MostDepth:
		panic(sql.Wrong(at, "Next: compute parts of it in a query in FROM, and put many cases into a file to join with.",
			"the expression is nested deeper than %d", expr.MostDepth))
	case of.bytes > expr.MostBytes:
		panic(sql.Wrong(at, "Next: put texts into a file, and write shorter names of columns into its header.",
			"the names and texts of the expression take more than %d bytes", expr.MostBytes))
	}
}

// TooManyParts is the error for an expression of more parts than one can have.
func TooManyParts(at sql.Span) error {
	return sql.Wrong(at, "Next: put values into a file and write IN (SELECT …), or compute parts of it in a query in FROM.",
		"the expression has more than %d parts", expr.MostParts)
}

// variable makes a variable of a type.
func (st *Statement) variable(t columnar.Type) Value {
	return Value{Expr: expr.Variable(st.Unique("variable"), t), Type: t}
}

// TypeOf returns the type of an expression over columns of the plan.
func (st *Statement) TypeOf(e *expr.Expr) columnar.Type {
	columns := e.Columns()
	schema := columnar.Each(columns, func(c string) columnar.Field { return columnar.Field{Name: c, Type: st.Types[c]} })
	t, err := e.TypeOf(schema)
	if err != nil {
		panic(sql.Wrong(sql.Span{}, "", "%v", err))
	}
	return t
}
