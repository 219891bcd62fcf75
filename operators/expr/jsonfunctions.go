package expr

import (
	"fmt"

	"analyzer/columnar"
	"analyzer/columnar/jsontext"
	"analyzer/operators/registry"
)

// The functions of JSON texts. Those that give a part of one are null where there is no such part.
const (
	OpJSONExtract   Op = "json_extract"        // the part that a path or a place leads to, as JSON
	OpJSONString    Op = "json_extract_string" // the same, but a text without quotes; null of null
	OpJSONParts     Op = "json_extract_all"    // all parts that a path leads to
	OpJSONStrings   Op = "json_extract_strings"
	OpJSONLength    Op = "json_array_length"
	OpJSONKeys      Op = "json_keys"
	OpJSONType      Op = "json_type"
	OpJSONValid     Op = "json_valid"
	OpJSONCompact   Op = "json"
	OpJSONPretty    Op = "json_pretty"
	OpCastJSON      Op = "cast_json" // the text itself, which must be JSON
	OpToJSON        Op = "to_json"
	OpJSONArray     Op = "json_array_of"  // of texts that are JSON
	OpJSONObject    Op = "json_object_of" // of names, each with a text that is JSON
	OpJSONStructure Op = "json_structure"
	OpJSONContains  Op = "json_contains"
	OpJSONPatched   Op = "json_merge_patch" // of a null text, the patch itself
	OpJSONValueOnly Op = "json_value"       // a text, a number or a truth value; null of anything else
)

// GivesJSON reports whether the results of an operation are JSON.
func (op Op) GivesJSON() bool {
	switch op {
	case OpJSONExtract, OpJSONCompact, OpJSONPretty, OpCastJSON, OpToJSON, OpJSONArray, OpJSONObject, OpJSONStructure, OpJSONPatched:
		return true
	}
	return false
}

func init() { functions.Add(jsonFunctions) }

func jsonFunctions() []function {
	text, list := columnar.Text, columnar.TextList
	part := []registry.Signature{sig(text, text, text), sig(text, text, columnar.Int)}
	of := func(op Op, types []registry.Signature, build func(*build) (kernel, error)) function {
		return function{op: op, takes: "a text that is JSON", types: types, cost: costCase * 4, canFail: true, build: build}
	}
	one := func(gives columnar.Type) []registry.Signature { return oneOf(gives, text) }
	all := []function{
		of(OpJSONExtract, part, jsonPart(jsontext.AppendCompact)),
		of(OpJSONString, part, jsonPart(appendJSONString)),
		of(OpJSONValueOnly, part, jsonPart(appendJSONScalar)),
		of(OpJSONParts, only(list, text, text), jsonParts(jsontext.AppendCompact)),
		of(OpJSONStrings, only(list, text, text), jsonParts(appendJSONString)),
		of(OpJSONLength, one(columnar.Int), overJSON(jsonLength)),
		of(OpJSONKeys, one(list), overJSON(jsonKeys)),
		of(OpJSONType, one(text), overJSON(appending(appendJSONType))),
		of(OpJSONCompact, one(text), overJSON(appending(jsontext.AppendCompact))),
		of(OpJSONPretty, one(text), overJSON(jsonPretty)),
		of(OpJSONStructure, one(text), overJSON(appending(jsontext.AppendStructure))),
		of(OpJSONContains, only(columnar.Bool, text, text), just(jsonContains)),
		of(OpCastJSON, one(text), overJSON(appending(appendItself))),
	}
	return append(all,
		function{
			op: OpJSONPatched, takes: "two texts that are JSON", types: only(text, text, text), cost: costCase * 8, canFail: true, seesNulls: true,
			build: perRow(jsonPatched),
		},
		function{
			op: OpJSONArray, takes: "texts that are JSON", types: one(text), many: true, cost: costCase, canFail: true, seesNulls: true,
			build: perRow(jsonArray),
		},
		function{
			op: OpJSONObject, takes: "names, each with a text that is JSON", types: one(text), many: true, cost: costCase, canFail: true, seesNulls: true,
			build: perRow(jsonObject),
		},
		function{
			op: OpJSONValid, takes: "a text", types: one(columnar.Bool), cost: costCase * 2,
			build: just(predicate(func(a, _ *columnar.Vector, i int) bool { return jsontext.Valid(a.Bytes(i)) })),
		},
		function{
			op: OpToJSON, takes: "a value", types: oneOf(text, anyItem), cost: costCase, canFail: true,
			build: perRow(toJSON),
		},
	)
}

// ofJSON computes a function of a JSON text in a row.
type ofJSON func(out *result, args []*columnar.Vector, i int, text []byte) error

// overJSON builds the kernel of a function of JSON texts.
func overJSON(of ofJSON) func(*build) (kernel, error) {
	return perRow(func(out *result, args []*columnar.Vector, i int) error {
		text := args[0].Bytes(i)
		if !jsontext.Valid(text) {
			return noJSON(text)
		}
		if err := of(out, args, i, text); err != nil {
			return err
		}
		return out.fits(0)
	})
}

func noJSON(text []byte) error {
	return fmt.Errorf("the text %q is no JSON; TRY_CAST(… AS JSON) is NULL there: %w", columnar.Excerpt(string(text), 60), ErrCast)
}

func jsonPretty(out *result, _ []*columnar.Vector, _ int, text []byte) error {
	ok := false
	if out.Data, ok = jsontext.AppendPretty(out.Data, text, maxMade); !ok {
		return ErrMuchText
	}
	return nil
}

func jsonContains(out *result, args []*columnar.Vector) error {
	var c jsontext.Container
	for i := range out.rows() {
		text, part := args[0].Bytes(i), args[1].Bytes(i)
		for _, each := range [][]byte{text, part} {
			if !jsontext.Valid(each) {
				return noJSON(each)
			}
		}
		out.Bools[i] = c.Contains(text, part)
	}
	return nil
}

func jsonPatched(out *result, args []*columnar.Vector, i int) error {
	if args[1].IsNull(i) {
		out.setNull(i)
		return nil
	}
	text, patch := args[0].Bytes(i), args[1].Bytes(i)
	if args[0].IsNull(i) {
		text = []byte("null")
	}
	for _, each := range [][]byte{text, patch} {
		if !jsontext.Valid(each) {
			return noJSON(each)
		}
	}
	out.Data = jsontext.AppendPatched(out.Data, text, patch)
	return out.fits(0)
}

// appender appends a part of a JSON text to dst, or returns nil for null.
type appender func(dst, part []byte) []byte

func appendJSONString(dst, part []byte) []byte {
	if part[0] == 'n' {
		return nil
	}
	return jsontext.AppendString(dst, part)
}

func appendJSONScalar(dst, part []byte) []byte {
	if part[0] == '[' || part[0] == '{' {
		return nil
	}
	return jsontext.AppendCompact(dst, part)
}

// pathOf returns the path in a row of an argument, which is a text or a place.
func pathOf(v *columnar.Vector, i int) (jsontext.Path, error) {
	if v.Type == columnar.Int {
		return jsontext.Place(int(v.Ints[i])), nil
	}
	return jsontext.ParsePath(string(v.Bytes(i)))
}

// alongPath builds the kernel of a function of the parts that a path leads to, which is the second
// argument. A literal is parsed once.
func alongPath(of func(out *result, i int, path jsontext.Path, text []byte) error) func(*build) (kernel, error) {
	return func(b *build) (kernel, error) {
		l := b.literal(1)
		if l == nil {
			return overJSON(func(out *result, args []*columnar.Vector, i int, text []byte) error {
				path, err := pathOf(args[1], i)
				if err != nil {
					return fmt.Errorf("%w: %w", ErrPattern, err)
				}
				if path.Many() {
					return fmt.Errorf("%w: a JSON path with *, such as %s, must be written in the statement", ErrPattern, args[1].Bytes(i))
				}
				return of(out, i, path, text)
			})(b)
		}
		path, err := pathOf(l.Vector(), 0)
		if err != nil {
			return nil, err
		}
		return overJSON(func(out *result, _ []*columnar.Vector, i int, text []byte) error { return of(out, i, path, text) })(b)
	}
}

// jsonPart builds the kernel that finds one part of a text.
func jsonPart(write appender) func(*build) (kernel, error) {
	return alongPath(func(out *result, i int, path jsontext.Path, text []byte) error {
		part, ok := path.Find(text)
		if !ok {
			out.setNull(i)
		} else if made := write(out.Data, part); made != nil {
			out.Data = made
		} else {
			out.setNull(i)
		}
		return nil
	})
}

// jsonParts builds the kernel that finds all parts of a text that a path leads to.
func jsonParts(write appender) func(*build) (kernel, error) {
	return alongPath(func(out *result, _ int, path jsontext.Path, text []byte) error {
		items := out.Child
		path.Each(text, func(part []byte) bool {
			if made := write(items.Data, part); made != nil {
				items.Data = made
				items.AppendBytes(nil)
			} else {
				items.AppendNull()
			}
			return len(items.Data) <= maxMade
		})
		if len(items.Data) > maxMade {
			return ErrMuchText
		}
		return nil
	})
}

func jsonLength(out *result, _ []*columnar.Vector, i int, text []byte) error {
	out.Ints[i] = int64(jsontext.Len(text))
	return nil
}

func jsonKeys(out *result, _ []*columnar.Vector, _ int, text []byte) error {
	names := out.Child
	for name := range jsontext.Members(text) {
		names.Data = jsontext.AppendString(names.Data, name)
		names.AppendBytes(nil)
	}
	return nil
}

// appending is a function whose result is appended to a text.
func appending(write func(dst, text []byte) []byte) ofJSON {
	return func(out *result, _ []*columnar.Vector, _ int, text []byte) error {
		out.Data = write(out.Data, text)
		return nil
	}
}

func appendJSONType(dst, text []byte) []byte { return append(dst, jsontext.TypeOf(text)...) }

func appendItself(dst, text []byte) []byte { return append(dst, text...) }

func toJSON(out *result, args []*columnar.Vector, i int) error {
	out.Data = jsontext.AppendValue(out.Data, args[0], i, ",")
	return out.fits(0)
}

// appendPart appends a text that is JSON.
func appendPart(dst []byte, v *columnar.Vector, i int) []byte {
	if v.IsNull(i) {
		return append(dst, "null"...)
	}
	return append(dst, v.Bytes(i)...)
}

func jsonArray(out *result, args []*columnar.Vector, i int) error {
	for j, a := range args {
		out.Data = appendPart(append(out.Data, "[,"[min(j, 1)]), a, i)
	}
	out.Data = append(out.Data, ']')
	return out.fits(0)
}

func jsonObject(out *result, args []*columnar.Vector, i int) error {
	for j := 0; j+1 < len(args); j += 2 {
		if args[j].IsNull(i) {
			return fmt.Errorf("the name of a member of a JSON object is NULL: %w", ErrCast)
		}
		out.Data = jsontext.AppendQuoted(append(out.Data, "{,"[min(j, 1)]), args[j].Bytes(i))
		out.Data = appendPart(append(out.Data, ':'), args[j+1], i)
	}
	out.Data = append(out.Data, '}')
	return out.fits(0)
}
