package scalar

import (
	"fmt"
	"slices"
	"strings"

	"analyzer/columnar"
	"analyzer/operators/expr"
	"analyzer/operators/query/sql"
	"analyzer/operators/registry"
)

func init() { Functions.Add(structFunctions) }

func structFunctions() []Function {
	of := in(registry.Structs)
	return []Function{
		of("row", "(value, …)", "a struct whose fields have no names, like (value, …)",
			"row(1, 'a')", `[1, "a"]`, rewritten(func(c rowCall) Value { return StructOf(c.at, make([]string, len(c.args)), c.args) })),
		of("struct_pack", "(name := value, …)", "a struct of fields with names, like {'name': value, …}",
			"struct_pack(a := 1, b := 'x')", `{"a": 1, "b": "x"}`, func(s *Scope, e *sql.Expr) Value {
				return packed(s, e.At, e.Args)
			}),
		of("struct_extract struct_extract_at", "(struct, name or position)", "a field of a struct, like struct.name, struct['name'] and struct[position]",
			"struct_extract({'a': 1, 'b': 2}, 'b')", "2", bindIndex),
		of("struct_insert struct_update", "(struct, name := value, …)", "a struct with fields added, or other values for those that it has",
			"struct_insert({'a': 1}, b := 2)", `{"a": 1, "b": 2}`, func(s *Scope, e *sql.Expr) Value {
				return structsJoined(e.At, structOf(s, e.Args[0]), packed(s, e.At, e.Args[1:]))
			}),
		of("struct_concat", "(struct, struct, …)", "the fields of several structs in one",
			"struct_concat({'a': 1}, {'b': 2})", `{"a": 1, "b": 2}`, func(s *Scope, e *sql.Expr) Value {
				return structsJoined(e.At, columnar.Each(e.Args, func(a *sql.Expr) Value { return structOf(s, a) })...)
			}),
		of("struct_keys", "(struct)", "the names of the fields of a struct",
			"struct_keys({'a': 1, 'b': 2})", `["a", "b"]`, func(s *Scope, e *sql.Expr) Value {
				of := structOf(s, e.Args[0])
				names := expr.Texts(columnar.Each(of.Type.Fields(), func(f columnar.Field) string { return f.Name })...)
				return Value{Expr: unlessNull(of.Expr, names, columnar.TextList), Type: columnar.TextList}
			}),
		of("struct_values", "(struct)", "the fields of a struct without their names",
			"struct_values({'a': 1, 'b': 'x'})", `[1, "x"]`, func(s *Scope, e *sql.Expr) Value {
				of := structOf(s, e.Args[0])
				fields := of.fields(e.At)
				out := StructOf(e.At, make([]string, len(fields)), fields)
				out.Expr = unlessNull(of.Expr, out.Expr, out.Type)
				return out
			}),
		of("struct_position struct_indexof", "(struct, value)", "the position of the last field that is a value, or NULL as it is, from 1 on; NULL if none is",
			"struct_position(row(5, 7), 7)", "2", func(s *Scope, e *sql.Expr) Value {
				return fieldFound(e.At, structOf(s, e.Args[0]), s.Expr(e.Args[1]))
			}),
		of("struct_contains struct_has", "(struct, value)", "whether a field equals a value",
			"struct_contains(row(5, 7), 7)", "true", func(s *Scope, e *sql.Expr) Value {
				of, sought := structOf(s, e.Args[0]), s.Expr(e.Args[1])
				found := Not(expr.IsNull(fieldFound(e.At, of, sought).Expr), true)
				return Truth(unlessNull(of.Expr, unlessNull(sought.Expr, found, columnar.Bool), columnar.Bool))
			}),
		of("list_zip array_zip", "(list, …[, truncate])", "a list of structs, of the first items of some lists, the second ones and so on; with true as far as the shortest list reaches",
			"list_zip([1, 2], ['a', 'b'])", `[[1, "a"], [2, "b"]]`, zipped),
	}
}

// StructOf is the struct of some values.
func StructOf(at sql.Span, names []string, values []Value) Value {
	parts := 0
	for _, v := range values {
		if parts += 1 + v.Type.Parts(); parts > columnar.MaxParts {
			panic(sql.Unsupported(at, "", fmt.Sprintf("structs of more than %d fields, those within them counted,", columnar.MaxParts)))
		}
	}
	fields := make([]columnar.Field, len(values))
	for i, v := range values {
		if names[i] != "" && slices.ContainsFunc(names[:i], func(name string) bool { return strings.EqualFold(name, names[i]) }) {
			panic(sql.Wrong(at, "", "a struct has one field %q", names[i]))
		}
		fields[i] = columnar.Field{Name: names[i], Type: v.Type}
	}
	t := columnar.StructOf(fields...)
	if t == columnar.Invalid {
		panic(sql.Unsupported(at, "", fmt.Sprintf("structs and lists within more than %d others", columnar.MaxNesting)))
	}
	untyped := untypedOf(columnar.Each(values, Value.untyped)...)
	return Value{Expr: expr.Struct(t, columnar.Each(values, func(v Value) *expr.Expr { return v.Expr })...), Type: t, Untyped: untyped, At: at}
}

// packed is the struct of arguments that have names, as name := value, or are columns.
func packed(s *Scope, at sql.Span, args []*sql.Expr) Value {
	var names []string
	var values []Value
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
		names, values = append(names, name), append(values, s.Expr(value))
	}
	return StructOf(at, names, values)
}

// fields are the fields of a struct.
func (v Value) fields(at sql.Span) []Value {
	all := make([]Value, len(v.Type.Fields()))
	for i := range all {
		all[i] = v.fieldAt(i+1, at)
	}
	return all
}

// fieldFound is the position of the last field of a struct that is a value.
func fieldFound(at sql.Span, of, sought Value) Value {
	var found []*expr.Expr
	var places []Value
	for i, f := range slices.Backward(of.fields(at)) {
		found, places = append(found, same(f, sought)), append(places, IntOf(expr.Int(int64(i+1))))
	}
	position := choose(found, append(places, NullAt(at)))
	position.Expr = unlessNull(of.Expr, position.Expr, position.Type)
	return position
}

// structure binds an expression that must be a struct.
func structOf(s *Scope, e *sql.Expr) Value {
	v := s.Expr(e)
	if !v.Type.IsStruct() {
		panic(sql.Wrong(e.At, "", "a struct is needed, and this is %s", TypeName(v.Type)))
	}
	return v
}

// structsJoined is a struct with the fields of several, of which later ones replace earlier ones of the
// same name.
func structsJoined(at sql.Span, structs ...Value) Value {
	var names []string
	var values []Value
	for _, of := range structs {
		for i, f := range of.Type.Fields() {
			value := Value{Expr: expr.FieldAt(of.Expr, i+1), Type: f.Type}
			known := slices.IndexFunc(names, func(name string) bool { return name != "" && strings.EqualFold(name, f.Name) })
			if known < 0 {
				names, values = append(names, f.Name), append(values, value)
			} else {
				values[known] = value
			}
		}
	}
	return StructOf(at, names, values)
}

// FieldPlace returns the position of a field from 1 on, 0 if there is no such field.
func FieldPlace(t columnar.Type, name string) int {
	return 1 + columnar.Schema(t.Fields()).IndexFold(name)
}

// fieldAt returns the field of a struct at a position from 1 on, which exists.
func (v Value) fieldAt(place int, at sql.Span) Value {
	is := v.Untyped.part(place - 1)
	return Value{Expr: expr.FieldAt(v.Expr, place), Type: v.Type.FieldAt(int64(place)).Type, Null: is.isAll(), Untyped: is, At: at}
}

// fieldNamed returns the field of a struct with a name.
func (v Value) fieldNamed(name string, at sql.Span) Value {
	if place := FieldPlace(v.Type, name); place > 0 {
		return v.fieldAt(place, at)
	}
	names := columnar.Each(v.Type.Fields(), func(f columnar.Field) string { return f.Name })
	hint := sql.DidYouMean(name, names)
	if hint == "" {
		hint = "There are " + strings.Join(names, ", ") + "."
	}
	if names[0] == "" {
		hint = "Next: write its position, struct[1], since its fields have no names."
	}
	panic(sql.Wrong(at, hint, "there is no field %q in the struct", name))
}

// FieldPath returns the field of a struct in a field of it and so on, by their names. In a map the name is a key, and
// in a text that of a member of an object of JSON.
func (st *Statement) FieldPath(v Value, path []string, at sql.Span) Value {
	for _, name := range path {
		switch {
		case v.Type.IsMap():
			key := Value{Expr: expr.Str(name), Type: columnar.Text, Written: true, At: at}
			v = valueOfKey.Value(st, at, []Value{v.entries(), key})
		case v.Type.IsStruct():
			v = v.fieldNamed(name, at)
		case v.Type == columnar.Text:
			v = member(v, name)
		default:
			panic(sql.Wrong(at, FieldOfItems("…", v.Type, name), "%s has no fields", TypeName(v.Type)))
		}
	}
	return v
}

// FieldOfItems says what to write for a field of the items of a list; "" if they have none of that name.
func FieldOfItems(list string, t columnar.Type, name string) (hint string) {
	if FieldPlace(t.Item(), name) <= 0 {
		return ""
	}
	field := sql.QuoteName(name)
	return fmt.Sprintf("Next: %s[1].%s is that of its first item, and list_transform(%s, x -> x.%s) the list of all.", list, field, list, field)
}

// HasFields reports whether a name may stand behind values of a type, as in value.name.
func HasFields(t columnar.Type) bool { return t.IsStruct() || t.IsMap() || t == columnar.Text }

// indexStruct binds struct['name'] and struct[position].
func indexStruct(s *Scope, of Value, e *sql.Expr) Value {
	which := s.Expr(e.Args[1]).Expr.Fold().Literal()
	switch n := len(of.Type.Fields()); {
	case which != nil && which.Type == columnar.Text:
		return of.fieldNamed(which.Text, e.At)
	case which == nil || which.Type != columnar.Int:
		panic(sql.Wrong(e.Args[1].At, "", "the name or the position of a field must be written here"))
	case which.Int < 1 || which.Int > int64(n):
		panic(sql.Wrong(e.Args[1].At, "", "the struct has %d fields", n))
	}
	return of.fieldAt(int(which.Int), e.At)
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
	return FieldPlace(from, want[at].Name)
}

// widenedStruct converts a struct to one with wider fields, or with more; it returns nil if that is
// impossible.
func widenedStruct(e *expr.Expr, from open, to columnar.Type) *expr.Expr {
	var values []*expr.Expr
	for i, f := range to.Fields() {
		value, place := expr.Null(f.Type), matching(from.Type, to, i)
		if place > 0 {
			value = widened(expr.FieldAt(e, place), from.field(place-1), f.Type)
		}
		if value == nil {
			return nil
		}
		values = append(values, value)
	}
	return unlessNull(e, expr.Struct(to, values...), to)
}

// widestStruct is the type that holds the values of two types of structs: with the fields of both.
func widestStruct(a, b open) open {
	fields, more := a.Fields(), b.Fields()
	named := fields[0].Name != "" && more[0].Name != ""
	if !named && len(fields) != len(more) {
		return open{}
	}
	untyped := make([]*Untyped, len(fields))
	for i := range fields {
		untyped[i] = a.untyped.part(i)
	}
	for i, f := range more {
		at := i
		if named {
			at = FieldPlace(a.Type, f.Name) - 1
		}
		if at < 0 {
			fields, untyped = append(fields, f), append(untyped, b.untyped.part(i))
			continue
		}
		wide := widest(open{fields[at].Type, untyped[at]}, b.field(i))
		if fields[at].Type, untyped[at] = wide.Type, wide.untyped; fields[at].Name == "" {
			fields[at].Name = f.Name
		}
	}
	return open{columnar.StructOf(fields...), untypedOf(untyped...)}
}

// castStruct casts each field of a struct, or of a text that is one, to the type of the field of its name.
func castStruct(s *Scope, e *sql.Expr, fields []sql.TypeField, v Value) Value {
	names := columnar.Each(fields, func(f sql.TypeField) string { return f.Name })
	t, _ := TypeNamed(e.Text)
	values, some := make([]Value, len(fields)), false
	switch {
	case t == columnar.Invalid:
		panic(sql.Unsupported(e.At, "", "casts to "+e.Text))
	case v.Type == columnar.Text:
		v.Expr, some = expr.Call(expr.OpFieldsOfText, v.Expr, expr.Texts(names...), expr.Bool(e.Try)), true
		for i := range values {
			values[i] = TextOf(expr.Element(v.Expr, expr.Int(int64(i)+1)))
		}
	case v.Type.IsStruct():
		for i := range values {
			if place := matching(v.Type, t, i); place > 0 {
				values[i], some = v.fieldAt(place, e.At), true
			} else {
				values[i] = NullAt(e.At)
			}
		}
	default:
		panic(sql.UnsupportedTypes(e.At, "", fmt.Sprintf("casts of %s to %s", TypeName(v.Type), e.Text)))
	}
	if !some {
		panic(sql.Wrong(e.At, "", "the struct has none of the fields of %s", e.Text))
	}
	for i, f := range fields {
		values[i] = castValue(s, e, f.Type, values[i])
	}
	out := StructOf(e.At, names, values)
	return Value{Expr: unlessNull(v.Expr, out.Expr, out.Type), Type: out.Type, At: e.At}
}

// castValue casts a bound value as a cast does, to a type of another name.
func castValue(s *Scope, e *sql.Expr, to string, v Value) Value {
	in, one := *s, *e
	in.parameters = &parameter{"item", v, nil}
	one.Text, one.Args = to, []*sql.Expr{e.At.Column("item")}
	return bindCast(&in, &one)
}

// zipped binds list_zip.
func zipped(s *Scope, e *sql.Expr) Value {
	args, shortest := e.Args, (*expr.Expr)(nil)
	if last := len(args) - 1; last > 0 {
		if v := s.Expr(args[last]); v.Type == columnar.Bool && !v.Null {
			args, shortest = args[:last], expr.Coalesce(v.Expr, expr.Bool(false))
		}
	}
	return s.sideBySide(e.At, make([]string, len(args)), columnar.Each(args, s.ListOf), shortest)
}

// sideBySide is a list of structs of the items of lists in the same places, which ends with the shortest list where
// that is so, and with the longest one elsewhere.
func (st *Statement) sideBySide(at sql.Span, names []string, lists []Value, shortest *expr.Expr) Value {
	place := st.variable(columnar.Int)
	lengths := columnar.Each(lists, func(list Value) *expr.Expr { return expr.Coalesce(expr.Len(list.Expr), expr.Int(0)) })
	one := StructOf(at, names, columnar.Each(lists, func(list Value) Value {
		return Value{Expr: expr.Element(list.Expr, place.Expr), Type: list.Type.Item(), At: list.At}
	}))
	t := columnar.ListOf(one.Type)
	if t == columnar.Invalid {
		panic(NoListOf(one.Type, at))
	}
	length := expr.Call(expr.OpGreatest, lengths...)
	if shortest != nil {
		length = expr.If(shortest, expr.Call(expr.OpLeast, lengths...), length)
	}
	positions := expr.Call(expr.OpRange, expr.Int(1), expr.Add(length, expr.Int(1)), expr.Int(1))
	return Value{Expr: expr.Call(expr.OpListTransform, positions, place.Expr, st.variable(columnar.Int).Expr, one.Expr), Type: t}
}
