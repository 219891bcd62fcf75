package bind

import (
	"fmt"
	"slices"
	"strings"

	"analyzer/columnar"
	"analyzer/operators/expr"
	"analyzer/operators/query/scalar"
	"analyzer/operators/query/sql"
)

// fieldOf binds struct.name, where the struct is a column, perhaps of a table; ok is false if no column
// has such a name. A name alone can also be that of a table, which is then a struct of its columns.
func (s *scope) fieldOf(e *sql.Expr) (v scalar.Value, ok bool) {
	for n := len(e.Path) - 1; n > 0; n-- {
		of := e.At.Column(e.Path[:n]...)
		if v, ok = s.objectOf(of); !ok && s.knows(of) { // a name that an object has would be that of a column
			v = s.column(of)
			ok = scalar.HasFields(v.Type)
		}
		if ok {
			return s.b.FieldPath(v, e.Path[n:], e.At), true
		}
	}
	if v, ok = s.objectOf(e); ok || len(e.Path) > 1 {
		return v, ok
	}
	var names []string
	var values []scalar.Value
	for _, f := range s.fields {
		if strings.EqualFold(f.table, e.Path[0]) && !f.virtual {
			names, values = append(names, f.name), append(values, s.b.columnOf(f, e.At))
		}
	}
	if len(values) == 0 || s.groups != nil {
		return scalar.Value{}, false
	}
	return scalar.StructOf(e.At, names, values), true
}

// objectOf binds the name of an object in JSON, of which each value is a column; ok is false if there is none.
func (s *scope) objectOf(e *sql.Expr) (v scalar.Value, ok bool) {
	if s.groups != nil {
		return v, false
	}
	for first := min(len(e.Path)-1, 1); first >= 0 && !ok; first-- {
		own := columnar.Only(s.fields, func(f field) bool {
			return !f.virtual && (first == 0 || strings.EqualFold(f.table, e.Path[0]))
		})
		v, ok = objectIn(own, strings.Join(e.Path[first:], ".")+".", e.At, s.b)
	}
	return v, ok
}

// objectIn returns the struct of the columns whose names begin with a prefix, which is null where all of them are; ok
// is false if there are none.
func objectIn(fields []field, prefix string, at sql.Span, b *binder) (v scalar.Value, ok bool) {
	var names []string
	var values []scalar.Value
	for _, f := range fields {
		if !isWithin(f, prefix) {
			continue
		}
		name, _, nested := strings.Cut(f.name[len(prefix):], ".")
		if slices.Contains(names, name) {
			continue
		}
		value := b.columnOf(f, at)
		if nested {
			value, _ = objectIn(fields, prefix+name+".", at, b)
		}
		names, values = append(names, name), append(values, value)
	}
	if len(values) == 0 {
		return v, false
	}
	v = scalar.StructOf(at, names, values)
	v.Expr = expr.If(expr.And(columnar.Each(values, func(v scalar.Value) *expr.Expr { return expr.IsNull(v.Expr) })...), expr.Null(v.Type), v.Expr)
	return v, true
}

// isWithin reports whether a column is a value in an object in JSON, of which prefix is the name and a dot.
func isWithin(f field, prefix string) bool {
	return len(f.name) > len(prefix) && strings.EqualFold(f.name[:len(prefix)], prefix)
}

// structFields returns the fields of the struct that an item of SELECT spreads over columns, as
// unnest(struct) and struct.* do; nil if it is no column with a struct and no struct as it is written.
func (b *binder) structFields(of *sql.Expr, in *relation) (items []*selected) {
	if of.Kind == sql.Struct {
		for i, value := range of.Args {
			items = append(items, &selected{name: of.Path[i], at: value.At, ast: value})
		}
		return items
	}
	if isRow(of) {
		for i, value := range of.Args {
			items = append(items, &selected{name: fmt.Sprintf("element%d", i+1), at: value.At, ast: value})
		}
		return items
	}
	if of.Kind != sql.Column {
		return nil
	}
	s := around{b: b}.scope("", in.fields)
	v, ok := s.objectOf(of)
	if !ok && len(s.named(of.Path)) == 0 {
		return nil
	} else if !ok {
		v = s.column(of)
	}
	for i, f := range v.Type.Fields() {
		items = append(items, &selected{name: f.Name, at: of.At, ast: of.At.Item(of, i+1)})
	}
	return items
}

// starOfStruct returns what struct.* stands for; nil if the name before the star is that of a table.
func (b *binder) starOfStruct(e *sql.Expr, in *relation) []*selected {
	isTable := func(f field) bool { return strings.EqualFold(f.table, e.Path[len(e.Path)-1]) }
	if len(e.Path) == 0 || slices.ContainsFunc(in.fields, isTable) {
		return nil
	}
	all := b.structFields(e.At.Column(e.Path...), in)
	if all != nil && len(e.Replace)+len(e.Rename)+len(e.Args) > 0 {
		panic(sql.Unsupported(e.At, "Next: name the fields, or write a query around it.", "REPLACE, RENAME and patterns behind the fields of a struct"))
	}
	for _, path := range e.Exclude {
		name := path[len(path)-1]
		at := slices.IndexFunc(all, func(item *selected) bool { return strings.EqualFold(item.name, name) })
		if at < 0 && all != nil {
			panic(sql.Wrong(e.At, "", "there is no field %q in the struct", name))
		}
		if at >= 0 {
			all = slices.Delete(all, at, at+1)
		}
	}
	return all
}
