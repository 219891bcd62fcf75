package bind

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"analyzer/columnar"
	"analyzer/operators/expr"
	"analyzer/operators/query/scalar"
	"analyzer/operators/query/sql"
)

// namespace is what names can refer to: the fields of rows, and the columns of SELECT.
type namespace struct {
	fields []field
	places places // of fields; nil where names are looked up one by one
	// aliases are the columns of SELECT, by their names in lower case; fields take
	// precedence.
	aliases map[string]*sql.Expr
	hidden  *alias // those that the expression may not refer to
}

// alias is a linked list of names of aliases.
type alias struct {
	name  string
	outer *alias
}

// alias returns the column of SELECT that a name in lower case refers to, nil if there is none.
func (ns namespace) alias(name string) *sql.Expr {
	for h := ns.hidden; h != nil; h = h.outer {
		if h.name == name {
			return nil
		}
	}
	return ns.aliases[name]
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
func (ns namespace) named(path []string) (found []field) {
	for first := min(len(path)-1, 2); first >= 0 && len(found) == 0; first-- {
		name := strings.Join(path[first:], ".")
		for _, f := range ns.places.of(name, ns.fields) {
			if strings.EqualFold(f.name, name) && (first == 0 && !f.merged || first > 0 && f.isIn(path[:first])) {
				found = append(found, f)
			}
		}
	}
	return found
}

// qualified returns the name of a field behind those of its table and schema.
func (f field) qualified() string {
	parts := columnar.Only([]string{f.schema, f.table, f.name}, func(part string) bool { return part != "" })
	return strings.Join(columnar.Each(parts, sql.QuoteName), ".")
}

// isIn reports whether a field is one of a table that is named, perhaps behind its schema.
func (f field) isIn(table []string) bool {
	last := len(table) - 1
	return strings.EqualFold(f.table, table[last]) && (last == 0 || strings.EqualFold(f.schema, table[0]))
}

// knowsField reports whether a name is that of a field of a struct in a column of the scope.
func (ns namespace) knowsField(path []string) bool {
	for n := len(path) - 1; n > 0; n-- {
		for _, f := range ns.named(path[:n]) {
			if scalar.FieldPlace(f.typ, path[n]) > 0 {
				return true
			}
		}
	}
	return false
}

// resolve returns the field that a name refers to.
func (ns namespace) resolve(e *sql.Expr) (field, error) {
	found := ns.named(e.Path)
	if len(found) > 1 && e.Text != "" {
		found = columnar.Only(found, func(f field) bool { return f.column == e.Text })
	}
	if own := columnar.Only(found, func(f field) bool { return !f.virtual }); len(own) > 0 {
		found = own
	}
	switch len(found) {
	case 1:
		return found[0], nil
	case 0:
		if err := ns.noField(e); err != nil {
			return field{}, err
		}
		if len(e.Path) > 2 {
			table := strings.Join(e.Path[:len(e.Path)-1], ".")
			return field{}, sql.Wrong(e.At, "Next: write table.column; AS name behind a table in FROM gives it another name.", "there is no table %q in FROM", table)
		}
		table := ""
		if len(e.Path) == 2 {
			table = e.Path[0]
		}
		return field{}, ns.unknown(e, table, e.Path[len(e.Path)-1])
	}
	name := found[0].name
	of := columnar.Each(found, func(f field) string { return f.qualified() })
	return field{}, sql.Wrong(e.At, "Next: write "+strings.Join(of, " or ")+".", "the column %q is in %d tables", name, len(found))
}

// mustResolve is resolve for a name that must refer to a field.
func (ns namespace) mustResolve(e *sql.Expr) field {
	f, err := ns.resolve(e)
	if err != nil {
		panic(err)
	}
	return f
}

// unknown returns the error for a name that no field has.
func (ns namespace) unknown(e *sql.Expr, table, name string) error {
	var names, tables []string
	for _, f := range ns.fields {
		if f.table != "" && (len(tables) == 0 || tables[len(tables)-1] != f.table) {
			tables = append(tables, f.table)
		}
		if f.name != "" && (table == "" || strings.EqualFold(f.table, table)) {
			names = append(names, f.name)
		}
	}
	if table != "" && len(names) == 0 {
		return sql.Certainly(e.At, cmp.Or(sql.DidYouMean(table, tables), "Next: write AS "+sql.QuoteName(table)+" behind a table."), "there is no table %q in FROM", table)
	}
	if table == "" {
		aliases := slices.Sorted(maps.Keys(ns.aliases))
		names = append(names, slices.DeleteFunc(aliases, func(name string) bool { return ns.alias(name) == nil })...)
	}
	const most = 12
	near := sql.DidYouMean(name, names)
	hint := near
	switch n := len(names); {
	case hint == "" && insteadOfColumn[strings.ToLower(name)] != "":
		hint = insteadOfColumn[strings.ToLower(name)]
	case hint == "" && len(e.Path) == 1 && slices.Contains(expr.TimeParts(), strings.ToLower(name)):
		hint = "Next: write the unit first and in single quotes, as in date_trunc('month', x)."
	case hint != "" || n == 0:
	case n > most:
		hint = fmt.Sprintf("There are %s and %d more.", strings.Join(names[:most], ", "), n-most)
	default:
		hint = fmt.Sprintf("There are %s.", strings.Join(names, ", "))
	}
	if quoted := e.At.End-e.At.Begin > len(name); quoted && near == "" && len(e.Path) == 1 {
		hint = strings.TrimSpace(hint + " A text stands in single quotes, " + sql.QuoteText(name) + ".")
	}
	return sql.Certainly(e.At, hint, "there is no column %q", name)
}

// noField returns the error for a name behind that of a column that has no such field, nil for any other.
func (ns namespace) noField(e *sql.Expr) error {
	isTable := slices.ContainsFunc(ns.fields, func(f field) bool { return strings.EqualFold(f.table, e.Path[0]) })
	for n := len(e.Path) - 1; n > 0; n-- {
		of := ns.named(e.Path[:n])
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
