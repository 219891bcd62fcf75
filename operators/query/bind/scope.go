package bind

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"analyzer/columnar"
	"analyzer/columnar/number"
	"analyzer/operators/expr"
	"analyzer/operators/query/rules"
	"analyzer/operators/query/sql"
)

// typed is an expression of a plan with its type.
type typed struct {
	e *expr.Expr
	t columnar.Type
	// null means a NULL that has no type yet; written means a text literal or a text
	// parameter, which can still become a value of another type.
	null, written bool
	empty         bool     // it is [], which can become a list of another type
	spelled       bool     // it is a column of numbers as people write them, which can also become a text
	at            sql.Span // the position of its source
}

// columnOf returns the value of a column.
func (b *binder) columnOf(f field, at sql.Span) typed {
	b.types[f.column] = f.typ
	e := expr.Col(f.column)
	b.checkSize(e, at)
	return typed{e: e, t: f.typ, spelled: f.spelled, at: at}
}

// typeOf returns the type of an expression over columns of the plan.
func (b *binder) typeOf(e *expr.Expr) columnar.Type {
	columns := e.Columns()
	schema := make(columnar.Schema, len(columns))
	for i, c := range columns {
		schema[i] = columnar.Field{Name: c, Type: b.types[c]}
	}
	t, err := e.TypeOf(schema)
	if err != nil {
		panic(sql.Wrong(sql.Span{}, "", "%v", err))
	}
	return t
}

func nullAt(at sql.Span) typed {
	return typed{e: expr.Null(columnar.Int), t: columnar.Int, null: true, at: at}
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
	// parameters are those of the lambdas in which the expression stands, innermost first.
	parameters *parameter
}

// enclosing is the scope in which a query stands, and the columns that the query reads of it.
type enclosing struct {
	scope *scope
	own   rules.Outer // columns of the scope's rows
	all   rules.Outer // those, and columns of scopes further out
}

// reads reports whether an expression reads columns of the query around, if there is one.
func (o *enclosing) reads(e *expr.Expr) bool { return o != nil && o.all.Reads(e) }

func enclosed(s *scope) *enclosing {
	return &enclosing{scope: s, own: make(rules.Outer), all: make(rules.Outer)}
}

// column binds a column of the scope, or of one further out, for the query that stands in it.
func (o *enclosing) column(b *binder, e *sql.Expr) typed {
	v := o.scope.expr(e)
	for _, c := range v.e.Columns() {
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
			if fieldPlace(f.typ, path[n]) > 0 {
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
		if len(e.Path) > 2 {
			return field{}, sql.Unsupported(e.At, "", "schemas of tables")
		}
		table := ""
		if len(e.Path) == 2 {
			table = e.Path[0]
		}
		return field{}, s.unknown(e, table, e.Path[len(e.Path)-1])
	}
	name := found[0].name
	of := each(found, func(f field) string { return sql.QuoteName(f.table) + "." + sql.QuoteName(f.name) })
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
	return each(p[sql.Folded(name)], func(i int) field { return fields[i] })
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
		return sql.Wrong(e.At, didYouMean(table, tables), "there is no table %q in FROM", table)
	}
	if table == "" {
		aliases := slices.Sorted(maps.Keys(s.aliases))
		names = append(names, slices.DeleteFunc(aliases, func(name string) bool { return s.alias(name) == nil })...)
	}
	const most = 12
	hint := didYouMean(name, names)
	switch n := len(names); {
	case hint == "" && strings.EqualFold(name, "rowid"):
		hint = "Next: write row_number() OVER () - 1, which counts the rows of a file."
	case hint != "" || n == 0:
	case n > most:
		hint = fmt.Sprintf("There are %s and %d more.", strings.Join(names[:most], ", "), n-most)
	default:
		hint = fmt.Sprintf("There are %s.", strings.Join(names, ", "))
	}
	return sql.Wrong(e.At, hint, "there is no column %q", name)
}

// didYouMean returns the hint that a name is similar to a known one, "" if it is not.
func didYouMean(name string, known []string) string {
	if near := sql.Nearest(name, known); near != "" {
		return "Did you mean " + sql.QuoteName(near) + "?"
	}
	return ""
}

func isNumber(t columnar.Type) bool { return expr.IsNumber(t) }

// as converts a value implicitly to another type: a text literal or NULL to any type, a number
// to a wider one, and a date to a timestamp. Numbers as people write them become texts, so that
// replace(amount, ',', '.')::DECIMAL is right whether they were read as numbers or as texts. Other
// conversions are mistakes.
func (v typed) as(t columnar.Type) *expr.Expr {
	switch {
	case v.t == t && !v.null:
		return v.e
	case v.null:
		return expr.Null(t)
	case v.written:
		return v.read(t)
	case v.spelled && t == columnar.Text:
		return asText(v)
	case v.empty && t.Item() != columnar.Invalid:
		return emptyList(t)
	}
	if e := widened(v.e, v.t, t); e != nil {
		return e
	}
	panic(mismatch(v.at, v.t, t))
}

func emptyList(t columnar.Type) *expr.Expr {
	one := expr.Call(expr.OpListOf, expr.Null(t.Item()))
	return expr.Call(expr.OpSlice, one, expr.Int(1), expr.Int(0))
}

// widened converts a number to a wider type, a truth value to 1 or 0, a date to a timestamp, or a list of them; it returns
// nil if the type is not wider.
func widened(e *expr.Expr, from, to columnar.Type) *expr.Expr {
	switch {
	case from == columnar.Bool && isNumber(to):
		n := expr.Call(expr.OpToInt, e)
		if to == columnar.Int {
			return n
		}
		return widened(n, columnar.Int, to)
	case from.IsStruct() && to.IsStruct():
		return widenedStruct(e, from, to)
	case from.IsMap() && to.IsMap():
		return widenedMap(e, from, to)
	case from.Item() != columnar.Invalid && to.Item() != columnar.Invalid:
		item := expr.Variable("item of "+from.String(), from.Item())
		if wide := widened(item, from.Item(), to.Item()); wide != nil {
			return expr.Call(expr.OpListTransform, e, item, expr.Variable("position in "+from.String(), columnar.Int), wide)
		}
	case to == columnar.Float && isNumber(from):
		return expr.ToFloat(e)
	case to == columnar.Decimal && from == columnar.Int:
		return expr.ToDecimal(e)
	case to == columnar.Huge && from == columnar.Int:
		return expr.ToHuge(e)
	case to == columnar.Wide && isNumber(from) && from != columnar.Float:
		return expr.ToWide(e)
	case to == columnar.Timestamp && from == columnar.Date:
		return expr.Call(expr.OpToTimestamp, e)
	case to == columnar.Instant && isTime(from):
		return expr.Call(expr.OpToInstant, timestampOf(typed{e: e, t: from}).e)
	}
	return nil
}

// read parses a written value as a type.
func (v typed) read(t columnar.Type) *expr.Expr {
	e, err := parseValue(v.e.Value.Text, t)
	if err != nil {
		panic(sql.Wrong(v.at, "", "%v", err))
	}
	return e
}

// parseValue parses a text as a value of a type.
func parseValue(text string, t columnar.Type) (*expr.Expr, error) {
	e, err := expr.ParseValue(t, text)
	if _, ok := number.ParseAnyFloat([]byte(text)); ok && err != nil && t == columnar.Float { // no literal is infinite
		return expr.CastText(expr.Str(text), t, false), nil
	}
	if err != nil {
		err = fmt.Errorf("%s is no %s", sql.QuoteText(text), TypeName(t))
	}
	return e, err
}

func mismatch(at sql.Span, have, want columnar.Type) error {
	hint := fmt.Sprintf("Next: write CAST(… AS %s), or TRY_CAST, which is NULL where that is impossible.", TypeName(want))
	if (have == columnar.Interval || want == columnar.Interval) && have != columnar.Text && want != columnar.Text {
		hint = intervalHint
	}
	if have == columnar.Text && isTime(want) {
		hint += " strptime(…, '%m/%d/%Y') reads dates of other forms."
	}
	return sql.Wrong(at, hint, "%s stands where %s is needed", TypeName(have), TypeName(want))
}

// common converts values to one common type, and returns them with the type.
func common(values []typed) ([]*expr.Expr, columnar.Type) {
	t, from := columnar.Invalid, 0
	for i, v := range values {
		switch {
		case v.null || v.written:
		case t == columnar.Invalid, values[from].empty && v.t.Item() != columnar.Invalid:
			t, from = v.t, i
		case t == v.t, v.empty && t.Item() != columnar.Invalid:
		case widest(t, v.t) != columnar.Invalid:
			t = widest(t, v.t)
		default:
			hint := fmt.Sprintf("Next: write CAST(… AS %s) here, or there CAST(… AS %s).", TypeName(t), TypeName(v.t))
			if t == columnar.Interval || v.t == columnar.Interval {
				hint = intervalHint
			}
			panic(sql.Wrong(v.at, hint,
				"%s meets %s", TypeName(values[from].t), TypeName(v.t)))
		}
	}
	if t == columnar.Invalid {
		t = columnar.Text
		for _, v := range values {
			if !v.null && v.t != columnar.Text {
				t = v.t
			}
		}
		if allNull(values) {
			t = columnar.Int
		}
	}
	return each(values, func(v typed) *expr.Expr { return v.as(t) }), t
}

// combined is common for columns of set operations, whose numbers, dates and the like become texts beside
// texts.
func combined(values []typed) ([]*expr.Expr, columnar.Type) {
	texts := slices.ContainsFunc(values, func(v typed) bool { return v.t == columnar.Text && !v.null })
	others := slices.ContainsFunc(values, func(v typed) bool { return v.t != columnar.Text && !v.null })
	nested := slices.ContainsFunc(values, func(v typed) bool { return v.t.Item() != columnar.Invalid || v.t.IsNested() })
	if texts && others && !nested {
		return each(values, asText), columnar.Text
	}
	return common(values)
}

// intervalHint says how intervals and numbers become one another.
const intervalHint = "Next: write INTERVAL 3 DAY or to_days(…) for an interval; epoch(…) is how many seconds it is long."

func allNull(values []typed) bool {
	return !slices.ContainsFunc(values, func(v typed) bool { return !v.null })
}

// isTime reports whether a type is that of dates or of timestamps, with time zone or without, which compare with each
// other.
func isTime(t columnar.Type) bool {
	return t == columnar.Date || t == columnar.Timestamp || t == columnar.Instant
}

// widest is the type that holds the values of two numeric types, of dates and timestamps, or of
// lists of them; Invalid if the types do not meet.
func widest(a, b columnar.Type) columnar.Type {
	switch {
	case a == b:
		return a
	case a.IsStruct() && b.IsStruct():
		return widestStruct(a, b)
	case a.IsMap() && b.IsMap():
		entry := widest(a.Entries().Item(), b.Entries().Item()).Fields()
		return columnar.MapOf(entry[0].Type, entry[1].Type)
	case a.Item() != columnar.Invalid && b.Item() != columnar.Invalid:
		return columnar.ListOf(widest(a.Item(), b.Item()))
	case isTime(a) && isTime(b) && (a == columnar.Instant || b == columnar.Instant):
		return columnar.Instant
	case isTime(a) && isTime(b):
		return columnar.Timestamp
	case a == columnar.Bool && isNumber(b):
		return b
	case b == columnar.Bool && isNumber(a):
		return a
	case !isNumber(a) || !isNumber(b):
		return columnar.Invalid
	}
	return expr.Wider(a, b)
}

// ofOneType converts two comparable values to the wider of their types.
func ofOneType(x, y typed) [2]*expr.Expr {
	t := widest(x.t, y.t)
	return [2]*expr.Expr{x.as(t), y.as(t)}
}

// compare compares two values.
func compare(op expr.Op, x, y typed) *expr.Expr {
	both := comparable(x, y)
	return expr.Call(op, both[0].e, both[1].e)
}

// comparable converts two values to types that can be compared.
func comparable(x, y typed) (both [2]typed) {
	if x.null && y.null {
		x.null, y.null = false, false
	}
	if x.t != y.t && isTime(x.t) && isTime(y.t) { // times of clocks in UTC compare as moments do
		x, y = x.asClock(), y.asClock()
	}
	if !x.null && !y.null && (isNumber(x.t) && isNumber(y.t) || isTime(x.t) && isTime(y.t)) {
		return [2]typed{x, y}
	}
	es, t := common([]typed{x, y})
	if t == columnar.Interval { // joins too look for equal lengths
		t = columnar.Huge
		es = each(es, func(e *expr.Expr) *expr.Expr { return expr.Call(expr.OpIntervalMicros, e) })
	}
	return [2]typed{{e: es[0], t: t}, {e: es[1], t: t}}
}

// floatOfWide converts a number of 128 bits to a DOUBLE.
func (v typed) floatOfWide() typed {
	if isNumber(v.t) && v.t.Kind() == columnar.KindInt128 {
		return typed{e: expr.ToFloat(v.e), t: columnar.Float, at: v.at}
	}
	return v
}
