package bind

import (
	"fmt"
	"maps"
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
	return scalar.Value{Expr: e, Type: f.typ, Null: f.null, Untyped: f.untyped, Spelled: f.spelled, At: at}
}

// scope is what names in an expression can refer to.
type scope struct {
	b      *binder
	fields []field
	places places // of fields; nil where names are looked up one by one
	// aliases are the columns of SELECT, by their names in lower case; fields take
	// precedence.
	aliases map[string]*sql.Expr
	hidden  *alias // those that the expression may not refer to
	clause  string // the clause that holds the expression, for errors
	// groups is set where rows are groups.
	groups *groups
	// windows collects window functions; nil where none are allowed.
	windows *windows
	// queries collects queries within expressions; nil where none are allowed.
	queries *subqueries
	outer   *enclosing // the query around that of the scope
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
	own := &scope{b: s.b, fields: s.fields}
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

// knowsField reports whether a name is that of a field of a struct in a column of the scope.
func (s *scope) knowsField(path []string) bool {
	for n := len(path) - 1; n > 0; n-- {
		for _, f := range s.named(path[:n]) {
			if scalar.FieldPlace(f.typ, path[n]) > 0 {
				return true
			}
		}
	}
	return false
}

// alias is a linked list of names of aliases.
type alias struct {
	name  string
	outer *alias
}

// without returns the scope without an alias, so that a column cannot refer to itself.
func (s *scope) without(name string) *scope {
	out := *s
	out.hidden = &alias{name, s.hidden}
	return &out
}

// alias returns the column of SELECT that a name in lower case refers to, nil if there is none.
func (s *scope) alias(name string) *sql.Expr {
	for h := s.hidden; h != nil; h = h.outer {
		if h.name == name {
			return nil
		}
	}
	return s.aliases[name]
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

// aliasesOf returns the named columns of a SELECT.
func aliasesOf(s *sql.Select) map[string]*sql.Expr {
	out := make(map[string]*sql.Expr)
	for _, item := range s.Items {
		if name := strings.ToLower(item.Alias); item.Alias != "" && out[name] == nil {
			out[name] = item.Expr
		}
	}
	return out
}

// resolve returns the field that a name refers to.
func (s *scope) resolve(e *sql.Expr) (field, error) {
	found := s.named(e.Path)
	if len(found) > 1 && e.Text != "" {
		found = slices.DeleteFunc(found, func(f field) bool { return f.column != e.Text })
	}
	if own := slices.DeleteFunc(slices.Clone(found), func(f field) bool { return f.virtual }); len(own) > 0 {
		found = own
	}
	switch len(found) {
	case 1:
		return found[0], nil
	case 0:
		if err := s.noField(e); err != nil {
			return field{}, err
		}
		if len(e.Path) > 2 {
			return field{}, noSchemas(e.At)
		}
		table := ""
		if len(e.Path) == 2 {
			table = e.Path[0]
		}
		return field{}, s.unknown(e, table, e.Path[len(e.Path)-1])
	}
	name := found[0].name
	of := columnar.Each(found, func(f field) string { return sql.QuoteName(f.table) + "." + sql.QuoteName(f.name) })
	return field{}, sql.Wrong(e.At, "Next: write "+strings.Join(of, " or ")+".", "the column %q is in %d tables", name, len(found))
}

// places are the indexes of fields by their names, folded.
type places map[string][]int

// placesOf returns the places of fields, nil if they are few.
func placesOf(fields []field) places {
	if len(fields) < 64 {
		return nil
	}
	p := make(places, len(fields))
	for i, f := range fields {
		name := sql.Folded(f.name)
		p[name] = append(p[name], i)
	}
	return p
}

// of returns the fields that may have a name.
func (p places) of(name string, fields []field) []field {
	if p == nil {
		return fields
	}
	return columnar.Each(p[sql.Folded(name)], func(i int) field { return fields[i] })
}

// named returns the fields that a name may refer to. Behind the name of a table, or without one,
// names with dots between them can also be one name: that of a value in a nested object of JSON.
func (s *scope) named(path []string) (found []field) {
	for first := min(len(path)-1, 1); first >= 0 && len(found) == 0; first-- {
		name := strings.Join(path[first:], ".")
		for _, f := range s.places.of(name, s.fields) {
			if strings.EqualFold(f.name, name) && (first == 0 && !f.merged || first == 1 && strings.EqualFold(f.table, path[0])) {
				found = append(found, f)
			}
		}
	}
	return found
}

// mustResolve is resolve for a name that must refer to a field.
func (s *scope) mustResolve(e *sql.Expr) field {
	f, err := s.resolve(e)
	if err != nil {
		panic(err)
	}
	return f
}

// unknown returns the error for a name that no field has.
func (s *scope) unknown(e *sql.Expr, table, name string) error {
	var names, tables []string
	for _, f := range s.fields {
		if f.table != "" && (len(tables) == 0 || tables[len(tables)-1] != f.table) {
			tables = append(tables, f.table)
		}
		if f.name != "" && (table == "" || strings.EqualFold(f.table, table)) {
			names = append(names, f.name)
		}
	}
	if table != "" && len(names) == 0 {
		return sql.Wrong(e.At, sql.DidYouMean(table, tables), "there is no table %q in FROM", table)
	}
	if table == "" {
		aliases := slices.Sorted(maps.Keys(s.aliases))
		names = append(names, slices.DeleteFunc(aliases, func(name string) bool { return s.alias(name) == nil })...)
	}
	const most = 12
	near := sql.DidYouMean(name, names)
	hint := near
	switch n := len(names); {
	case hint == "" && strings.EqualFold(name, "rowid"):
		hint = "Next: write row_number() OVER () - 1, which counts the rows of a file."
	case hint != "" || n == 0:
	case n > most:
		hint = fmt.Sprintf("There are %s and %d more.", strings.Join(names[:most], ", "), n-most)
	default:
		hint = fmt.Sprintf("There are %s.", strings.Join(names, ", "))
	}
	if quoted := e.At.End-e.At.Begin > len(name); quoted && near == "" && len(e.Path) == 1 {
		hint = strings.TrimSpace(hint + " A text stands in single quotes, " + sql.QuoteText(name) + ".")
	}
	return sql.Wrong(e.At, hint, "there is no column %q", name)
}

// noField returns the error for a name behind that of a column that has no such field, nil for any other.
func (s *scope) noField(e *sql.Expr) error {
	isTable := slices.ContainsFunc(s.fields, func(f field) bool { return strings.EqualFold(f.table, e.Path[0]) })
	for n := len(e.Path) - 1; n > 0; n-- {
		of := s.named(e.Path[:n])
		if len(of) != 1 || n == 1 && isTable {
			continue
		}
		name := e.Path[n]
		hint := scalar.FieldOfItems(sql.QuoteName(of[0].name), of[0].typ, name)
		return sql.Wrong(e.At, hint, "%q is %s, which has no field %q", of[0].name, scalar.TypeName(of[0].typ), name)
	}
	return nil
}

// indexOf returns the index of the field of that name, -1 if there is none.
func indexOf(fields []field, name string) int {
	return slices.IndexFunc(fields, func(f field) bool { return strings.EqualFold(f.name, name) })
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
	if s.queries != nil {
		if v, ok := s.queries.bound[e]; ok {
			return v.Value, true
		}
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
