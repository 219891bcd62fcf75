package bind

import (
	"fmt"
	"slices"
	"strings"

	"analyzer/columnar"
	"analyzer/operators/expr"
	"analyzer/operators/query/sql"
	"analyzer/operators/registry"
)

func init() { functions.Add(structFunctions) }

func structFunctions() []function {
	var all []function
	add := func(names, usage, help, example, value string, least, most int, bind binding) {
		all = append(all, described(registry.Structs, names, usage, help, example, value, least, most, bind))
	}
	add("row", "(value, …)", "a struct whose fields have no names, like (value, …)",
		"row(1, 'a')", `[1, "a"]`, 1, -1, rewritten(func(c rowCall) typed { return structOf(c.at, make([]string, len(c.args)), c.args) }))
	add("struct_pack", "(name := value, …)", "a struct of fields with names, like {'name': value, …}",
		"struct_pack(a := 1, b := 'x')", `{"a": 1, "b": "x"}`, 1, -1, func(s *scope, e *sql.Expr) typed {
			return packed(s, e.At, e.Args)
		})
	add("struct_extract", "(struct, name or position)", "a field of a struct, like struct.name, struct['name'] and struct[position]",
		"struct_extract({'a': 1, 'b': 2}, 'b')", "2", 2, 2, (*scope).index)
	add("struct_insert struct_update", "(struct, name := value, …)", "a struct with fields added, or other values for those that it has",
		"struct_insert({'a': 1}, b := 2)", `{"a": 1, "b": 2}`, 2, -1, func(s *scope, e *sql.Expr) typed {
			return structsJoined(e.At, s.structure(e.Args[0]), packed(s, e.At, e.Args[1:]))
		})
	add("struct_concat", "(struct, struct, …)", "the fields of several structs in one",
		"struct_concat({'a': 1}, {'b': 2})", `{"a": 1, "b": 2}`, 2, -1, func(s *scope, e *sql.Expr) typed {
			return structsJoined(e.At, each(e.Args, func(a *sql.Expr) typed { return s.structure(a) })...)
		})
	add("struct_keys", "(struct)", "the names of the fields of a struct",
		"struct_keys({'a': 1, 'b': 2})", `["a", "b"]`, 1, 1, func(s *scope, e *sql.Expr) typed {
			of := s.structure(e.Args[0])
			names := expr.Texts(each(of.t.Fields(), func(f columnar.Field) string { return f.Name })...)
			return typed{e: unlessNull(of.e, names, columnar.TextList), t: columnar.TextList}
		})
	add("list_zip array_zip", "(list, list, …)", "a list of structs, of the first items of some lists, the second ones and so on",
		"list_zip([1, 2], ['a', 'b'])", `[[1, "a"], [2, "b"]]`, 1, -1, zipped)
	return all
}

// structOf is the struct of some values.
func structOf(at sql.Span, names []string, values []typed) typed {
	parts := 0
	for _, v := range values {
		if parts += 1 + v.t.Parts(); parts > columnar.MaxParts {
			panic(sql.Unsupported(at, "", fmt.Sprintf("structs of more than %d fields, those within them counted,", columnar.MaxParts)))
		}
	}
	fields := make([]columnar.Field, len(values))
	for i, v := range values {
		if names[i] != "" && slices.ContainsFunc(names[:i], func(name string) bool { return strings.EqualFold(name, names[i]) }) {
			panic(sql.Wrong(at, "", "a struct has one field %q", names[i]))
		}
		fields[i] = columnar.Field{Name: names[i], Type: v.t}
	}
	t := columnar.StructOf(fields...)
	if t == columnar.Invalid {
		panic(sql.Unsupported(at, "", fmt.Sprintf("structs and lists within more than %d others", columnar.MaxNesting)))
	}
	return typed{e: expr.Struct(t, each(values, func(v typed) *expr.Expr { return v.e })...), t: t, at: at}
}

// packed is the struct of arguments that have names, as name := value, or are columns.
func packed(s *scope, at sql.Span, args []*sql.Expr) typed {
	var names []string
	var values []typed
	for _, a := range args {
		name, value := "", a
		switch {
		case a.Kind == sql.Binary && a.Text == "=" && a.Not:
			name, value = a.Args[0].Path[0], a.Args[1]
		case a.Kind == sql.Column:
			name = a.Path[len(a.Path)-1]
		default:
			panic(sql.Wrong(a.At, "Next: write name := value.", "this argument needs a name"))
		}
		names, values = append(names, name), append(values, s.expr(value))
	}
	return structOf(at, names, values)
}

// structure binds an expression that must be a struct.
func (s *scope) structure(e *sql.Expr) typed {
	v := s.expr(e)
	if !v.t.IsStruct() {
		panic(sql.Wrong(e.At, "", "a struct is needed, and this is %s", TypeName(v.t)))
	}
	return v
}

// structsJoined is a struct with the fields of several, of which later ones replace earlier ones of the
// same name.
func structsJoined(at sql.Span, structs ...typed) typed {
	var names []string
	var values []typed
	for _, of := range structs {
		for i, f := range of.t.Fields() {
			value := typed{e: expr.FieldAt(of.e, i+1), t: f.Type}
			known := slices.IndexFunc(names, func(name string) bool { return name != "" && strings.EqualFold(name, f.Name) })
			if known < 0 {
				names, values = append(names, f.Name), append(values, value)
			} else {
				values[known] = value
			}
		}
	}
	return structOf(at, names, values)
}

// fieldPlace returns the position of a field from 1 on, 0 if there is no such field.
func fieldPlace(t columnar.Type, name string) int {
	return 1 + slices.IndexFunc(t.Fields(), func(f columnar.Field) bool { return strings.EqualFold(f.Name, name) })
}

// fieldAt returns the field of a struct at a position from 1 on, which exists.
func (v typed) fieldAt(place int, at sql.Span) typed {
	return typed{e: expr.FieldAt(v.e, place), t: v.t.FieldAt(int64(place)).Type, at: at}
}

// fieldNamed returns the field of a struct with a name.
func (v typed) fieldNamed(name string, at sql.Span) typed {
	if place := fieldPlace(v.t, name); place > 0 {
		return v.fieldAt(place, at)
	}
	names := each(v.t.Fields(), func(f columnar.Field) string { return f.Name })
	hint := didYouMean(name, names)
	if hint == "" {
		hint = "There are " + strings.Join(names, ", ") + "."
	}
	if names[0] == "" {
		hint = "Next: write its position, struct[1], since its fields have no names."
	}
	panic(sql.Wrong(at, hint, "there is no field %q in the struct", name))
}

// indexStruct binds struct['name'] and struct[position].
func indexStruct(s *scope, of typed, e *sql.Expr) typed {
	which := s.expr(e.Args[1]).e.Fold().Literal()
	switch n := len(of.t.Fields()); {
	case which != nil && which.Type == columnar.Text:
		return of.fieldNamed(which.Text, e.At)
	case which == nil || which.Type != columnar.Int:
		panic(sql.Wrong(e.Args[1].At, "", "the name or the position of a field must be written here"))
	case which.Int < 1 || which.Int > int64(n):
		panic(sql.Wrong(e.Args[1].At, "", "the struct has %d fields", n))
	}
	return of.fieldAt(int(which.Int), e.At)
}

// fieldOf binds struct.name, where the struct is a column, perhaps of a table; ok is false if no column
// has such a name. A name alone can also be that of a table, which is then a struct of its columns.
func (s *scope) fieldOf(e *sql.Expr) (v typed, ok bool) {
	for n := len(e.Path) - 1; n > 0; n-- {
		of := &sql.Expr{Kind: sql.Column, Path: e.Path[:n], At: e.At}
		if s.parameter(of) == nil && !s.knows(of) {
			continue
		}
		if v = s.column(of); !v.t.IsStruct() {
			continue
		}
		for _, name := range e.Path[n:] {
			if !v.t.IsStruct() {
				panic(sql.Wrong(e.At, "", "%s has no fields", TypeName(v.t)))
			}
			v = v.fieldNamed(name, e.At)
		}
		return v, true
	}
	if len(e.Path) > 1 {
		return typed{}, false
	}
	var names []string
	var values []typed
	for _, f := range s.fields {
		if strings.EqualFold(f.table, e.Path[0]) && !f.virtual {
			names, values = append(names, f.name), append(values, s.b.columnOf(f, e.At))
		}
	}
	if len(values) == 0 || s.groups != nil {
		return typed{}, false
	}
	return structOf(e.At, names, values), true
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
	if of.Kind != sql.Column || len((&scope{b: b, fields: in.fields}).named(of.Path)) == 0 {
		return nil
	}
	v := (&scope{b: b, fields: in.fields}).column(of)
	for i, f := range v.t.Fields() {
		place := &sql.Expr{Kind: sql.Number, Text: fmt.Sprint(i + 1), At: of.At}
		items = append(items, &selected{name: f.Name, at: of.At, ast: &sql.Expr{Kind: sql.Index, Args: []*sql.Expr{of, place}, At: of.At}})
	}
	return items
}

// starOfStruct returns what struct.* stands for; nil if the name before the star is that of a table.
func (b *binder) starOfStruct(e *sql.Expr, in *relation) []*selected {
	isTable := func(f field) bool { return strings.EqualFold(f.table, e.Path[len(e.Path)-1]) }
	if len(e.Path) == 0 || slices.ContainsFunc(in.fields, isTable) {
		return nil
	}
	all := b.structFields(&sql.Expr{Kind: sql.Column, Path: e.Path, At: e.At}, in)
	if all != nil && len(e.Replace)+len(e.Rename)+len(e.Args) > 0 {
		panic(sql.Unsupported(e.At, "Next: name the fields, or write a query around it.", "REPLACE, RENAME and patterns behind the fields of a struct"))
	}
	for _, name := range e.Exclude {
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

// unlessNull is a value, or null where an expression is.
func unlessNull(of, value *expr.Expr, t columnar.Type) *expr.Expr {
	if of.Op == expr.OpStruct {
		return value
	}
	return expr.If(expr.IsNull(of), expr.Null(t), value)
}

// matching returns the position, from 1 on, of the field of a struct that becomes a field of another, 0 if
// none does: that of its name or, of fields without names on either side, that at its place.
func matching(from columnar.Type, to columnar.Type, at int) int {
	have, want := from.Fields(), to.Fields()
	if have[0].Name == "" || want[0].Name == "" {
		if len(have) != len(want) {
			return 0
		}
		return at + 1
	}
	return fieldPlace(from, want[at].Name)
}

// widenedStruct converts a struct to one with wider fields, or with more; it returns nil if that is
// impossible.
func widenedStruct(e *expr.Expr, from, to columnar.Type) *expr.Expr {
	var values []*expr.Expr
	for i, f := range to.Fields() {
		value, place := expr.Null(f.Type), matching(from, to, i)
		if place > 0 {
			is := from.Fields()[place-1].Type
			if value = expr.FieldAt(e, place); is != f.Type {
				value = widened(value, is, f.Type)
			}
		}
		if value == nil {
			return nil
		}
		values = append(values, value)
	}
	return unlessNull(e, expr.Struct(to, values...), to)
}

// widestStruct is the type that holds the values of two types of structs: with the fields of both.
func widestStruct(a, b columnar.Type) columnar.Type {
	fields, more := a.Fields(), b.Fields()
	named := fields[0].Name != "" && more[0].Name != ""
	if !named && len(fields) != len(more) {
		return columnar.Invalid
	}
	for i, f := range more {
		at := i
		if named {
			at = fieldPlace(a, f.Name) - 1
		}
		if at < 0 {
			fields = append(fields, f)
			continue
		}
		if fields[at].Type = widest(fields[at].Type, f.Type); fields[at].Name == "" {
			fields[at].Name = f.Name
		}
	}
	return columnar.StructOf(fields...)
}

// castStruct casts each field of a struct, or of a text that is one, to the type of the field of its name.
func castStruct(s *scope, e *sql.Expr, fields []sql.TypeField, v typed) typed {
	names := each(fields, func(f sql.TypeField) string { return f.Name })
	t, _ := TypeNamed(e.Text)
	values, some := make([]typed, len(fields)), false
	switch {
	case t == columnar.Invalid:
		panic(sql.Unsupported(e.At, "", "casts to "+e.Text))
	case v.t == columnar.Text:
		v.e, some = expr.Call(expr.OpFieldsOfText, v.e, expr.Texts(names...), expr.Bool(e.Try)), true
		for i := range values {
			values[i] = typed{e: expr.Element(v.e, expr.Int(int64(i)+1)), t: columnar.Text}
		}
	case v.t.IsStruct():
		for i := range values {
			if place := matching(v.t, t, i); place > 0 {
				values[i], some = v.fieldAt(place, e.At), true
			} else {
				values[i] = nullAt(e.At)
			}
		}
	default:
		panic(sql.Unsupported(e.At, "", fmt.Sprintf("casts of %s to %s", TypeName(v.t), e.Text)))
	}
	if !some {
		panic(sql.Wrong(e.At, "", "the struct has none of the fields of %s", e.Text))
	}
	for i, f := range fields {
		values[i] = castValue(s, e, f.Type, values[i])
	}
	out := structOf(e.At, names, values)
	return typed{e: unlessNull(v.e, out.e, out.t), t: out.t, at: e.At}
}

// castValue casts a bound value as a cast does, to a type of another name.
func castValue(s *scope, e *sql.Expr, to string, v typed) typed {
	in, one := *s, *e
	in.parameters = &parameter{"item", v, nil}
	one.Text, one.Args = to, []*sql.Expr{{Kind: sql.Column, Path: []string{"item"}, At: e.At}}
	return in.cast(&one)
}

// zipped binds list_zip.
func zipped(s *scope, e *sql.Expr) typed {
	at := s.b.variable(columnar.Int)
	var lengths []*expr.Expr
	var items []typed
	for _, a := range e.Args {
		list := s.listOf(a)
		lengths = append(lengths, expr.Coalesce(expr.Len(list.e), expr.Int(0)))
		items = append(items, typed{e: expr.Element(list.e, at.e), t: list.t.Item(), at: a.At})
	}
	one := structOf(e.At, make([]string, len(items)), items)
	t := columnar.ListOf(one.t)
	if t == columnar.Invalid {
		panic(noListOf(one.t, e.At))
	}
	positions := expr.Call(expr.OpRange, expr.Int(1), expr.Add(expr.Call(expr.OpGreatest, lengths...), expr.Int(1)), expr.Int(1))
	return typed{e: expr.Call(expr.OpListTransform, positions, at.e, s.b.variable(columnar.Int).e, one.e), t: t}
}
