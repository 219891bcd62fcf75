package bind

import (
	"slices"
	"strings"

	"analyzer/columnar"
	"analyzer/operators/expr"
	"analyzer/operators/query/rules"
	"analyzer/operators/query/scalar"
	"analyzer/operators/query/sql"
)

// columnOf returns the value of a column.
func (b *binder) columnOf(f field, at sql.Span) scalar.Value {
	b.Types[f.column] = f.typ
	e := expr.Col(f.column)
	b.CheckSize(e, at)
	return scalar.Value{Expr: e, Type: f.typ, Null: f.null, Untyped: f.untyped, Spelled: f.spelled, JSON: f.json, At: at}
}

// scope is where an expression of a query stands: what it can refer to, and what may stand in it.
type scope struct {
	namespace
	b      *binder
	clause string // the clause that holds the expression, for errors
	// groups is set where rows are groups.
	groups *groups
	// windows collects window functions; nil where none are allowed.
	windows *windows
	// queries collects queries within expressions; nil where none are allowed.
	queries *subqueries
	outer   *enclosing // the query around that of the scope
}

// scope returns where the expressions of a clause stand, which is about rows with some fields.
func (w around) scope(clause string, fields []field) *scope {
	return &scope{namespace: namespace{fields: fields}, b: w.b, clause: clause, outer: w.outer}
}

// asking lets queries stand in a scope, which may read those of WITH.
func (s *scope) asking(with *withs) *scope {
	s.queries = newSubqueries(s.b, with)
	return s
}

// enclosing is the scope in which a query stands, and the columns that the query reads of it.
type enclosing struct {
	scope *scope
	own   rules.Outer // columns of the scope's rows
	all   rules.Outer // those, and columns of scopes further out
}

// reads reports whether an expression reads columns of the query around, if there is one.
func (o *enclosing) reads(e *expr.Expr) bool { return o != nil && o.all.Reads(e) }

// grouped reports whether the query around, or one around that, has groups.
func (o *enclosing) grouped() bool {
	return o != nil && (o.scope.groups != nil || o.scope.outer.grouped())
}

func enclosed(s *scope) *enclosing {
	return &enclosing{scope: s, own: make(rules.Outer), all: make(rules.Outer)}
}

// column binds a column of the scope, or of one further out, for the query that stands in it.
func (o *enclosing) column(e *sql.Expr) scalar.Value {
	v := o.scope.expr(e)
	for _, c := range v.Expr.Columns() {
		o.all[c] = true
		if further := o.scope.outer; further == nil || !further.all[c] {
			o.own[c] = true
		}
	}
	return v
}

// onlyOuter reports whether all columns in an expression are of the query around, and there is
// one.
func (s *scope) onlyOuter(e *sql.Expr) bool {
	own := around{b: s.b}.scope("", s.fields)
	column := func(e *sql.Expr) bool { return e.Kind == sql.Column }
	return has(e, column) && !has(e, func(e *sql.Expr) bool { return column(e) && (own.knows(e) || !s.outer.scope.knows(e)) })
}

// isOuterAggregate reports whether a call is an aggregate of the query around, of whose columns alone it is.
func (s *scope) isOuterAggregate(e *sql.Expr) bool {
	return s.outer != nil && isAggregateCall(e) && s.onlyOuter(e)
}

// outerAggregate binds an aggregate of the query around, if that one has groups.
func (s *scope) outerAggregate(e *sql.Expr) scalar.Value {
	if !s.outer.grouped() {
		panic(sql.Unsupported(e.At, "Next: write it in the query around.", "aggregates of columns of the query around, where this one has tables,"))
	}
	return s.outer.column(e)
}

// own returns the scope without those further out.
func (s *scope) own() *scope {
	out := *s
	out.outer = nil
	return &out
}

// knows reports whether a name refers to something in the scope or in one further out.
func (s *scope) knows(e *sql.Expr) bool {
	name, table := e.Path[len(e.Path)-1], ""
	if len(e.Path) > 1 {
		table = e.Path[len(e.Path)-2]
	}
	if len(s.named(e.Path)) > 0 {
		return true
	}
	is := func(f field) bool {
		return strings.EqualFold(f.name, name) && (table == "" || strings.EqualFold(f.table, table))
	}
	return s.knowsField(e.Path) || slices.ContainsFunc(s.fields, is) || table == "" && s.alias(strings.ToLower(name)) != nil || s.outer != nil && s.outer.scope.knows(e)
}

// without returns the scope without an alias, so that a column cannot refer to itself.
func (s *scope) without(name string) *scope {
	out := *s
	out.hidden = &alias{name, s.hidden}
	return &out
}

// isOfGroups reports whether an expression has an aggregate or a window function, itself or in a column that it names.
func (s *scope) isOfGroups(e *sql.Expr) bool {
	return has(e, func(e *sql.Expr) bool {
		if e.Kind != sql.Column || len(e.Path) != 1 || len(s.named(e.Path)) > 0 {
			return isAggregateCall(e) || e.Window != nil
		}
		name := strings.ToLower(e.Path[0])
		of := s.alias(name)
		return of != nil && s.without(name).isOfGroups(of)
	})
}

// row returns where an expression of the scope stands.
func (s *scope) row() *scalar.Scope { return s.b.NewScope(s) }

// expr binds an expression of the scope.
func (s *scope) expr(e *sql.Expr) scalar.Value { return s.row().Expr(e) }

// condition binds an expression that must be true or false; nil stays nil. COLUMNS in it stands for
// as many conditions as columns.
func (s *scope) condition(e *sql.Expr) *expr.Expr {
	if e == nil {
		return nil
	}
	e = s.b.unpacked(e, s.fields)
	if columns := columnsWithin(e); columns != nil {
		return expr.Conjoin(columnar.Each(s.b.fieldsOf(columns, s.fields), func(f field) *expr.Expr { return s.condition(ofColumn(e, f)) }))
	}
	return s.expr(e).AsCondition()
}

// Bind implements scalar.Query: it binds columns, parameters, aggregates, window functions and queries.
func (s *scope) Bind(e *sql.Expr, in *scalar.Scope) (v scalar.Value, ok bool) {
	if in.InLambda() {
		s = s.withinLambda()
	}
	if v, ok := s.boundQuery(e); ok {
		return v, true
	}
	if s.groups != nil {
		if v, ok := s.grouped(e, in); ok {
			return v, true
		}
	}
	switch {
	case e.Kind == sql.Place:
		return s.expr(atPlace(e, s.fields)), true
	case e.Kind == sql.Column:
		return s.column(e), true
	case e.Kind == sql.Param:
		return s.b.param(e), true
	case e.Kind == sql.Call:
		return s.call(e)
	case e.Query != nil:
		return s.subquery(e), true
	}
	return v, false
}

// withinLambda returns the scope of a lambda, which is bound for items and not for rows.
func (s *scope) withinLambda() *scope {
	in := *s
	in.queries, in.windows, in.clause = nil, nil, "a lambda"
	return &in
}

// call binds a call of an aggregate of the query around, of a window function or of an aggregate of a
// list. ok is false for a function of a row.
func (s *scope) call(e *sql.Expr) (v scalar.Value, ok bool) {
	if e.Window != nil {
		return s.window(e), true
	}
	if s.isOuterAggregate(e) {
		return s.outerAggregate(e), true
	}
	plainCall(e, s)
	if scalar.Functions.Find(e.Text) != nil {
		return v, false
	}
	if name, ok := strings.CutPrefix(e.Text, "list_"); ok && isAggregate(name) && len(e.Args) > 0 {
		return aggregateOf(s.row(), name, e), true
	}
	panic(unknownFunction(e))
}

// column binds a name: of a column, of one of SELECT, of one of a query around, or of a field of a struct.
func (s *scope) column(e *sql.Expr) scalar.Value {
	name := strings.ToLower(e.Path[0])
	alias := s.alias(name)
	if len(e.Path) > 1 {
		alias = nil
	}
	if len(e.Path) == 2 && name == "alias" && !slices.ContainsFunc(s.fields, func(f field) bool { return strings.EqualFold(f.table, name) }) {
		if of := strings.ToLower(e.Path[1]); s.alias(of) != nil {
			return s.without(of).expr(s.alias(of))
		}
	}
	if s.places == nil {
		s.b.Work.Do(len(s.fields) / 64)
	}
	f, err := s.resolve(e)
	if err == nil && !(f.virtual && alias != nil) {
		return s.b.columnOf(f, e.At)
	}
	if at := indexOf(s.fields, e.Path[0]); alias != nil && (at < 0 || s.fields[at].virtual) {
		return s.without(name).expr(alias)
	}
	if s.outer != nil && !s.own().knows(e) && s.outer.scope.knows(e) {
		return s.outer.column(e)
	}
	if len(e.Path) == 1 && (strings.HasPrefix(name, "current_") || strings.HasPrefix(name, "localtime")) {
		if scalar.Functions.Find(name) != nil {
			return s.row().Call(e.At.Call(name))
		}
	}
	if v, ok := s.fieldOf(e); ok {
		return v
	}
	panic(err)
}
