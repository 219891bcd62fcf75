package scalar

import (
	stdjson "encoding/json"

	"analyzer/columnar"
	"analyzer/columnar/jsontext"
	"analyzer/operators/expr"
	"analyzer/operators/query/sql"
	"analyzer/operators/registry"
)

func init() { Functions.Add(jsonFunctions) }

// jsonFunctions are the functions of JSON texts, which have no type of their own.
func jsonFunctions() []Function {
	json := in(registry.JSON)
	of := func(names, usage, help, example, value string, made func(c rowCall) Value) Function {
		return json.made(names, usage, help, example, value, atPaths(made))
	}
	rows := func(op expr.Op, help, some string) Function {
		return of(string(op), "(json[, path])", "in FROM, a row for "+help+", from where a path leads to: key, value, type, atom, id, parent, fullkey and path; elsewhere the list of these",
			"length("+string(op)+`('{"a": [1], "b": 2}'))`, some, func(c rowCall) Value {
				text := anyJSON(c.args[0])
				c = c.withDefaults(TextOf(expr.Str("$")), 2)
				return Value{Expr: expr.Call(op, text.Expr, c.args[1].As(columnar.Text)), Type: columnar.ListOf(expr.JSONRow())}
			})
	}
	return []Function{
		of("json_extract json_extract_path", "(json, path)",
			"the part that a path ('$.a[0]', 'a', '/a/0') or a place leads to, as JSON; a list of all parts if '*' is in the path, or of one for each of a list of paths; also json -> path",
			`json_extract('{"a": [1, "x"]}', '$.a[1]')`, `"x"`, func(c rowCall) Value { return jsonPart(expr.OpJSONExtract, c.args[0], c.args[1]) }),
		of("json_extract_string json_extract_path_text", "(json, path)", "the same part as a text; also json ->> path",
			`json_extract_string('{"a": [1, "x"]}', '$.a[1]')`, "x", func(c rowCall) Value { return jsonPart(expr.OpJSONString, c.args[0], c.args[1]) }),
		of("json_value", "(json, path)", "the part that a path leads to, as JSON; NULL if it is an object or an array",
			`json_value('{"a": [1, "x"]}', '$.a[0]')`, "1", func(c rowCall) Value { return jsonPart(expr.OpJSONValueOnly, c.args[0], c.args[1]) }),
		of("json_exists", "(json, path)", "whether a path leads to a part",
			`json_exists('{"a": null}', 'a')`, "true", jsonExists),
		of("json_array_length", "(json[, path])", "how many items an array has; 0 of anything else",
			`json_array_length('[1, 2]')`, "2", ofJSON(expr.OpJSONLength, columnar.Int)),
		of("json_keys", "(json[, path])", "the names of an object's members",
			`json_keys('{"a": 1, "b": 2}')`, `["a", "b"]`, ofJSON(expr.OpJSONKeys, columnar.TextList)),
		of("json_structure", "(json)", "the types of all values, as JSON",
			`json_structure('{"a": [1, -1.5], "b": "x"}')`, `{"a":["DOUBLE"],"b":"VARCHAR"}`, ofJSON(expr.OpJSONStructure, columnar.Text)),
		of("json_contains", "(json, value)", "whether a value occurs in a JSON text, at any depth; an array in one that has all its items, an object in one that has all its members",
			`json_contains('{"a": [1, 2]}', '[2]')`, "true", func(c rowCall) Value {
				return Truth(expr.Call(expr.OpJSONContains, anyJSON(c.args[0]).As(columnar.Text), c.args[1].As(columnar.Text)))
			}),
		of("json_merge_patch", "(json, patch, …)", "a JSON object with the members of others in place of its own, without those that are null there (RFC 7396)",
			`json_merge_patch('{"a": 1, "b": 2}', '{"b": null, "c": 3}')`, `{"a":1,"c":3}`, jsonPatched),
		rows(expr.OpJSONEach, "each member or item of a JSON text", "2"),
		rows(expr.OpJSONTree, "a JSON text and each part of it", "4"),
		of("json_type", "(json[, path])", "OBJECT, ARRAY, VARCHAR, UBIGINT, BIGINT, DOUBLE, BOOLEAN or NULL",
			`json_type('{"a": [1]}', 'a')`, "ARRAY", ofJSON(expr.OpJSONType, columnar.Text)),
		of("json_valid", "(text)", "whether a text is JSON",
			`json_valid('{"a": ')`, "false", func(c rowCall) Value { return Truth(expr.Call(expr.OpJSONValid, anyJSON(c.args[0]).As(columnar.Text))) }),
		of("json", "(json)", "the same JSON without spaces",
			`json('{ "a" : 1 }')`, `{"a":1}`, ofJSON(expr.OpJSONCompact, columnar.Text)),
		of("json_pretty", "(json)", "the same JSON with a line for each part",
			`replace(json_pretty('{"a":[1]}'), chr(10), '|')`, `{|    "a": [|        1|    ]|}`, func(c rowCall) Value {
				return TextOf(expr.Call(expr.OpJSONPretty, anyJSON(c.args[0]).As(columnar.Text)))
			}),
		of("to_json json_quote row_to_json array_to_json", "(value)", "a value as JSON",
			"to_json(['a', NULL])", `["a",null]`, func(c rowCall) Value { return TextOf(asJSON(c.args[0])) }),
		json("json_transform from_json", "(json, structure)", "JSON as the types of a structure, itself JSON; NULL where a part is of another",
			`json_transform('{"a": "1", "b": [2, "x"]}', '{"a": "BIGINT", "b": ["BIGINT"]}')`, `{"a": 1, "b": [2, null]}`, transformed),
		of("json_array", "([value, …])", "a JSON array of values",
			"json_array(1, 'x', NULL)", `[1,"x",null]`, jsonArray),
		of("json_object", "([name, value, …])", "a JSON object of names and values",
			"json_object('a', 1, 'b', json_array(2))", `{"a":1,"b":[2]}`, jsonObject),
	}
}

// member is the member of an object of JSON.
func member(json Value, name string) Value {
	path, err := stdjson.Marshal(name)
	if err != nil {
		panic(err)
	}
	return jsonPart(expr.OpJSONExtract, json, Value{Expr: expr.Str("$." + string(path)), Type: columnar.Text, At: json.At})
}

// jsonArrow binds -> and ->>.
func jsonArrow(arrow string, json, path Value) Value {
	op := expr.OpJSONString
	if arrow == "->" {
		op = expr.OpJSONExtract
	}
	return atPaths(func(c rowCall) Value { return jsonPart(op, c.args[0], c.args[1]) })(rowCall{arrow, path.At, []Value{json, path}})
}

// jsonPart finds a part of a text, or a list of all parts if the path is a literal that may lead to
// several.
func jsonPart(op expr.Op, json, path Value) Value {
	text := anyJSON(json).As(columnar.Text)
	if path.Type == columnar.Int && !path.Null {
		return TextOf(expr.Call(op, text, path.Expr))
	}
	at := path.As(columnar.Text)
	literal := at.Fold().Literal()
	if literal == nil || literal.Null {
		return TextOf(expr.Call(op, text, at))
	}
	parsed, err := jsontext.ParsePath(literal.Text)
	if err != nil {
		panic(sql.Wrong(path.At, "", "%v", err))
	}
	if parsed.Many() {
		many := map[expr.Op]expr.Op{expr.OpJSONExtract: expr.OpJSONParts, expr.OpJSONString: expr.OpJSONStrings}[op]
		if many == "" {
			panic(sql.Unsupported(path.At, "Next: json_extract makes a list of all parts.", "paths with * to a single value"))
		}
		return Value{Expr: expr.Call(many, text, at), Type: columnar.TextList}
	}
	return TextOf(expr.Call(op, text, at))
}

// atPaths binds what a function makes of a JSON text and a path, and of a list of paths the list of what it makes of each.
func atPaths(of func(c rowCall) Value) func(c rowCall) Value {
	return func(c rowCall) Value {
		if len(c.args) < 2 || c.args[1].Type != columnar.TextList {
			return of(c)
		}
		paths := c.args[1].Expr.Fold().Literal()
		if paths == nil || len(paths.Texts) == 0 {
			panic(sql.Wrong(c.args[1].At, "Next: write them as ['$.a', '$.b'].", "paths are texts in a list"))
		}
		made := columnar.Each(paths.Texts, func(one string) Value {
			return of(rowCall{c.name, c.at, []Value{c.args[0], {Expr: expr.Str(one), Type: columnar.Text, At: c.args[1].At}}})
		})
		t := columnar.ListOf(made[0].Type)
		if t == columnar.Invalid || made[0].Type != made[len(made)-1].Type {
			panic(NoListOf(made[0].Type, c.at))
		}
		list := expr.Call(expr.OpListOf, columnar.Each(made, func(v Value) *expr.Expr { return v.As(made[0].Type) })...)
		return Value{Expr: expr.If(expr.IsNull(anyJSON(c.args[0]).As(columnar.Text)), expr.Null(t), list), Type: t}
	}
}

// ofJSON binds an operation on a JSON text, or on the part of it that a path leads to.
func ofJSON(op expr.Op, gives columnar.Type) func(c rowCall) Value {
	return func(c rowCall) Value {
		json := anyJSON(c.args[0])
		if len(c.args) > 1 {
			json = jsonPart(expr.OpJSONExtract, json, c.args[1])
		}
		return Value{Expr: expr.Call(op, json.As(columnar.Text)), Type: gives}
	}
}

func jsonPatched(c rowCall) Value {
	out := c.args[0].As(columnar.Text)
	for _, patch := range c.args[1:] {
		out = expr.Call(expr.OpJSONPatched, out, patch.As(columnar.Text))
	}
	return TextOf(out)
}

func jsonExists(c rowCall) Value {
	part := jsonPart(expr.OpJSONExtract, c.args[0], c.args[1])
	if part.Type == columnar.TextList {
		return Truth(expr.Gt(expr.Len(part.Expr), expr.Int(0)))
	}
	unknown := expr.Or(expr.IsNull(anyJSON(c.args[0]).As(columnar.Text)), expr.IsNull(c.args[1].Expr))
	return Truth(expr.If(unknown, expr.Null(columnar.Bool), expr.Not(expr.IsNull(part.Expr))))
}

// anyJSON is a JSON text, or any other value as JSON.
func anyJSON(v Value) Value {
	if v.Type == columnar.Text && !v.Null {
		return v
	}
	return TextOf(asJSON(v))
}

// asJSON writes a value as JSON. What a function has made as JSON stays so.
func asJSON(v Value) *expr.Expr {
	switch {
	case v.Null:
		return expr.Null(columnar.Text)
	case v.IsJSON() && v.Type == columnar.TextList:
		item, position := expr.Variable("item", columnar.Text), expr.Variable("position", columnar.Int)
		items := expr.Call(expr.OpListTransform, v.Expr, item, position, expr.Coalesce(item, expr.Str("null")))
		return expr.Call(expr.OpJSONCompact, expr.Call(expr.OpConcat, expr.Call(expr.OpConcat, expr.Str("["), expr.Call(expr.OpListText, items, expr.Str(","))), expr.Str("]")))
	case v.IsJSON():
		return v.Expr
	}
	return expr.Call(expr.OpToJSON, v.Expr)
}

func jsonArray(c rowCall) Value {
	if len(c.args) == 0 {
		return TextOf(expr.Str("[]"))
	}
	return TextOf(expr.Call(expr.OpJSONArray, columnar.Each(c.args, asJSON)...))
}

func jsonObject(c rowCall) Value {
	if len(c.args)%2 != 0 {
		panic(sql.Wrong(c.at, "", "json_object takes names and values in turn"))
	}
	if len(c.args) == 0 {
		return TextOf(expr.Str("{}"))
	}
	var parts []*expr.Expr
	for i, v := range c.args {
		if i%2 == 0 {
			parts = append(parts, AsText(v))
		} else {
			parts = append(parts, asJSON(v))
		}
	}
	return TextOf(expr.Call(expr.OpJSONObject, parts...))
}

// castJSON binds a cast to JSON, which checks a text and writes any other value.
func castJSON(e *sql.Expr, v Value) Value {
	switch {
	case v.Null || v.Type != columnar.Text:
		return Value{Expr: asJSON(v), Type: columnar.Text, JSON: true}
	case v.IsJSON():
		return v
	}
	text := v.As(columnar.Text)
	if e.Try {
		return TextOf(expr.If(expr.Call(expr.OpJSONValid, text), text, expr.Null(columnar.Text)))
	}
	return TextOf(expr.Call(expr.OpCastJSON, text))
}
