package scalar

import (
	"fmt"

	"analyzer/columnar"
	"analyzer/operators/expr"
	"analyzer/operators/query/sql"
	"analyzer/operators/registry"
)

func init() { Functions.Add(mapFunctions) }

func mapFunctions() []Function {
	of := in(registry.Structs)
	return []Function{
		of("map", "([keys, values])", "a map from each key in a list to the value at its place in another, like MAP {key: value, …}",
			"map(['a', 'b'], [1, 2])", `{"a": 1, "b": 2}`, mapOf),
		of("map_from_entries", "(list)", "a map of a list of structs of a key and a value",
			"map_from_entries([('a', 1), ('b', 2)])", `{"a": 1, "b": 2}`, func(s *Scope, e *sql.Expr) Value { return s.mapOfEntries(s.ListOf(e.Args[0]), e.At) }),
		of("map_entries", "(map)", "the entries of a map: a list of structs of a key and a value",
			"map_entries(MAP {'a': 1})", `[{"key": "a", "value": 1}]`, onMap(ofMap("m"))),
		of("map_keys", "(map)", "the keys of a map",
			"map_keys(MAP {'a': 1})", `["a"]`, onMap(ofMap("list_transform(m, lambda e: e.key)"))),
		of("map_values", "(map)", "the values of a map",
			"map_values(MAP {'a': 1})", `[1]`, onMap(ofMap("list_transform(m, lambda e: e.value)"))),
		of("cardinality", "(map)", "how many entries a map has",
			"cardinality(MAP {'a': 1})", `1`, onMap(ofMap("length(m)"))),
		of("map_contains", "(map, key)", "whether a map has a key",
			"map_contains(MAP {'a': 1}, 'a')", `true`, onMap(hasKey)),
		of("map_contains_value", "(map, value)", "whether a map has a value",
			"map_contains_value(MAP {'a': 1}, 1)", `true`, onMap(ofMap("CASE WHEN k IS NOT NULL THEN length(list_filter(m, lambda e: e.value = k)) > 0 END"))),
		of("map_contains_entry", "(map, key, value)", "whether a map has an entry",
			"map_contains_entry(MAP {'a': 1}, 'a', 2)", `false`, onMap(ofMap("length(list_filter(m, lambda e: e.key = k AND e.value = v)) > 0"))),
		of("map_extract element_at", "(map, key)", "a list of the value of a key, which is empty if the map does not have it",
			"map_extract(MAP {'a': 1}, 'a')", `[1]`, onMap(ofMap("list_transform(list_filter(m, lambda e: e.key = k), lambda e: e.value)"))),
		of("map_extract_value", "(map, key)", "the value of a key, like map[key]; NULL if the map does not have it",
			"map_extract_value(MAP {'a': 1}, 'a')", `1`, onMap(ofMap("(list_filter(m, lambda e: e.key = k))[1].value"))),
		of("map_concat", "(map, …)", "the entries of maps, those of the last one that has a key",
			"map_concat(MAP {'a': 1, 'b': 2}, MAP {'b': 3})", `{"a": 1, "b": 3}`, mapsJoined),
		of("list_runs", "(list)", "how often each item of a list in order occurs: a list of structs of a key and a value",
			"list_runs(['a', 'a', 'b'])", `[{"key": "a", "value": 2}, {"key": "b", "value": 1}]`, onList(func(l Value) Value {
				return Value{Expr: expr.Call(expr.OpRuns, l.Expr), Type: columnar.MapOf(l.Type.Item(), columnar.Int).Entries()}
			})),
	}
}

// ofMap computes with the list m of the entries of a map, a key or value k and a value v.
func ofMap(text string) Formula { return NewFormula("m, k, v", text) }

// Maps in terms of the lists m, or a and b, of their entries.
var (
	hasKey     = ofMap("CASE WHEN k IS NOT NULL THEN length(list_filter(m, lambda e: e.key = k)) > 0 END")
	valueOfKey = NewFormula("m, k", "(list_filter(m, lambda e: e.key = k))[1].value")
	// entriesAt has NULL for a key where there is none, or no value: such a list is not a map.
	entriesAt = NewFormula("keys, items", "CASE WHEN keys IS NOT NULL AND items IS NOT NULL THEN "+
		"list_transform(range(1, greatest(length(keys), length(items)) + 1), lambda i: (CASE WHEN i <= length(items) THEN keys[i] END, items[i])) END")
	ofEither = NewFormula("a, b", "CASE WHEN a IS NULL THEN b WHEN b IS NULL THEN a ELSE list_concat(list_transform(a, lambda e: coalesce((list_filter(b, lambda o: o.key = e.key))[1], e)), "+
		"list_filter(b, lambda e: length(list_filter(a, lambda o: o.key = e.key)) = 0)) END")
	membersOf = NewFormula("json, pairs", "CASE json_type(json) WHEN 'OBJECT' THEN list_transform(json_each(json), lambda e: (e.key, json_extract_string(e.value, '$'))) WHEN 'NULL' THEN NULL ELSE pairs END")
	inPairs   = NewFormula("l", "list_transform(range(1, length(l), 2), lambda i: (l[i], l[i + 1]))")
)

// mapOf binds a map of a list of keys and one of values.
func mapOf(s *Scope, e *sql.Expr) Value {
	switch {
	case len(e.Args) == 0: // MAP()
		nothing := e.At.List()
		return mapOf(s, e.At.Call(e.Text, nothing, nothing))
	case len(e.Args) == 1:
		panic(sql.Wrong(e.At, "", "it is map(keys, values)"))
	case e.Args[0].Kind == sql.Null || e.Args[1].Kind == sql.Null:
		return NullAt(e.At)
	}
	both := []Value{s.ListOf(e.Args[0]), s.ListOf(e.Args[1])}
	out := s.mapOfEntries(entriesAt.Value(s.Statement, e.At, both), e.At)
	out.Untyped = untypedOf(untypedOf(both[0].Untyped.part(0), both[1].Untyped.part(0)))
	return out
}

// mapOfEntries is the map of a list of structs of two fields.
func (st *Statement) mapOfEntries(list Value, at sql.Span) Value {
	fields := list.Type.Item().Fields()
	if len(fields) != 2 {
		panic(sql.Wrong(at, "", "a list of structs of a key and a value is needed, and this is %s", TypeName(list.Type)))
	}
	t := columnar.MapOf(fields[0].Type, fields[1].Type)
	entries := list.Expr
	if list.Type != t.Entries() {
		item := st.variable(list.Type.Item()).Expr
		one := expr.Struct(t.Entries().Item(), expr.FieldAt(item, 1), expr.FieldAt(item, 2))
		entries = expr.Call(expr.OpListTransform, list.Expr, item, st.variable(columnar.Int).Expr, one)
	}
	return Value{Expr: expr.Map(t, entries), Type: t, At: at}
}

// entries is the list of the entries of a map.
func (v Value) entries() Value {
	if !v.Type.IsMap() {
		panic(sql.Wrong(v.At, "", "a map is needed, and this is %s", TypeName(v.Type)))
	}
	return Value{Expr: expr.Call(expr.OpEntries, v.Expr), Type: v.Type.Entries(), Untyped: v.Untyped, At: v.At}
}

// onMap binds a formula of the entries m of a map and, if there are further arguments, k and v.
func onMap(f Formula) Binding {
	return func(s *Scope, e *sql.Expr) Value {
		args := s.values(e.Args)
		if args[0].Null {
			return args[0]
		}
		args[0].At = e.Args[0].At
		args[0] = args[0].entries()
		return f.Value(s.Statement, e.At, args)
	}
}

// castFields casts the names and the values of the fields of a struct to the keys and the values of a map.
func castFields(s *Scope, e *sql.Expr, key, value string, v Value) Value {
	var entries []*expr.Expr
	var entry columnar.Type
	for i, f := range v.Type.Fields() {
		name := Value{Expr: expr.Str(f.Name), Type: columnar.Text, Written: true, At: e.At}
		of := StructOf(e.At, []string{"key", "value"}, []Value{castValue(s, e, key, name), castValue(s, e, value, v.fieldAt(i+1, e.At))})
		entries, entry = append(entries, of.Expr), of.Type
	}
	out := s.mapOfEntries(Value{Expr: expr.Call(expr.OpListOf, entries...), Type: columnar.ListOf(entry)}, e.At)
	return Value{Expr: unlessNull(v.Expr, out.Expr, out.Type), Type: out.Type, At: e.At}
}

// mapsJoined binds map_concat.
func mapsJoined(s *Scope, e *sql.Expr) Value {
	all, t := Common(s.values(e.Args))
	maps := columnar.Each(all, func(m *expr.Expr) Value { return Value{Expr: m, Type: t, At: e.At}.entries() })
	made := maps[0]
	for _, m := range maps[1:] {
		made = ofEither.Value(s.Statement, e.At, []Value{made, m})
	}
	return s.mapOfEntries(made, e.At)
}

// widenedMap converts a map to one with wider keys and values; it returns nil if that is impossible.
func widenedMap(e *expr.Expr, from open, to columnar.Type) *expr.Expr {
	entries := widened(expr.Call(expr.OpEntries, e), from.entries(), to.Entries())
	if entries == nil {
		return nil
	}
	return expr.Map(to, entries)
}

// castMap casts the keys and the values of a map, of a text that is one, or of a struct, whose names are keys.
func castMap(s *Scope, e *sql.Expr, key, value string, v Value) Value {
	entry := fmt.Sprintf(`STRUCT("key" %s, "value" %s)`, key, value)
	switch {
	case v.Type.IsMap():
		v = v.entries()
	case v.Type == columnar.Text:
		text := v
		parts := Value{Expr: expr.Call(expr.OpPairsOfText, v.Expr, expr.Bool(e.Try)), Type: columnar.TextList, At: e.At}
		if v = inPairs.Value(s.Statement, e.At, []Value{parts}); text.IsJSON() {
			v = membersOf.Value(s.Statement, e.At, []Value{text, v})
		}
	case v.Type.IsStruct() && v.Type.Fields()[0].Name != "":
		return castFields(s, e, key, value, v)
	default:
		panic(sql.UnsupportedTypes(e.At, "", fmt.Sprintf("casts of %s to %s", TypeName(v.Type), e.Text)))
	}
	return s.mapOfEntries(castItems(s, e, entry, v), e.At)
}
