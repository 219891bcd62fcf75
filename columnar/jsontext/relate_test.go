package jsontext_test

import (
	"encoding/json"
	"reflect"
	"testing"

	"analyzer/columnar/jsontext"
)

// FuzzRelated holds what is computed of two texts to their meaning as Go's decoder has it.
func FuzzRelated(f *testing.F) {
	for _, both := range [][2]string{
		{`{"a":1,"b":{"c":1}}`, `{"b":{"d":2},"a":null,"e":[1]}`},
		{` { "a" : [ 1, null, {"x":-1.5e3} ] } `, `{"a":{"b":null,"c":{}}}`},
		{`[1,"x",true,[]]`, `[[],"x"]`},
		{`{"\u0061":1}`, `{"a":2}`},
		{`null`, `{}`},
		{`"a"`, `"\u0061"`},
		{`{"a":18446744073709551616,"a":-1}`, `-1`},
	} {
		f.Add([]byte(both[0]), []byte(both[1]))
	}
	f.Fuzz(func(t *testing.T, text, other []byte) {
		if !jsontext.Valid(text) || !jsontext.Valid(other) {
			return
		}
		if structure := jsontext.AppendStructure(nil, text); !jsontext.Valid(structure) {
			t.Errorf("the structure of %q is %q", text, structure)
		}
		if !jsontext.Contains(text, text) {
			t.Errorf("%q does not contain itself", text)
		}
		patched := jsontext.AppendPatched(nil, text, other)
		var have, patch, got any
		if json.Unmarshal(text, &have) != nil || json.Unmarshal(other, &patch) != nil {
			return // numbers beyond float64
		}
		if err := json.Unmarshal(patched, &got); err != nil {
			t.Fatalf("%q patched by %q is %q: %v", text, other, patched, err)
		}
		want := patch
		if own, ok := have.(map[string]any); ok {
			want = patchedBy(own, patch)
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%q patched by %q is %q", text, other, patched)
		}
	})
}

// patchedBy is the algorithm of RFC 7396 for an object.
func patchedBy(object map[string]any, patch any) any {
	changes, ok := patch.(map[string]any)
	if !ok {
		return patch
	}
	for name, value := range changes {
		inner, nested := object[name].(map[string]any)
		if _, ok := value.(map[string]any); ok && !nested {
			inner = make(map[string]any)
		}
		switch {
		case value == nil:
			delete(object, name)
		default:
			if object[name] = value; inner != nil {
				object[name] = patchedBy(inner, value)
			}
		}
	}
	return object
}
