package expr

import (
	"errors"
	"testing"

	"analyzer/columnar"
)

func TestJSONRows(t *testing.T) {
	const text = `{ "a": [1, {"b": null}], "c d": "x", "e": {} }`
	for _, tt := range []struct {
		op         Op
		text, path string
		want       string
	}{
		{OpJSONEach, `[1, "x"]`, "$", `[{"key":"0","value":"1","type":"UBIGINT","atom":"1","id":1,"parent":null,"fullkey":"$[0]","path":"$"},` +
			`{"key":"1","value":"\"x\"","type":"VARCHAR","atom":"\"x\"","id":2,"parent":null,"fullkey":"$[1]","path":"$"}]`},
		{OpJSONEach, " 5 ", "$", `[{"key":null,"value":"5","type":"UBIGINT","atom":"5","id":0,"parent":null,"fullkey":"$","path":"$"}]`},
		{OpJSONEach, text, "$.x", `[]`},
		{OpJSONEach, text, "e", `[]`},
		{OpJSONEach, text, "$.a[1]", `[{"key":"b","value":"null","type":"NULL","atom":null,"id":6,"parent":null,"fullkey":"$.a[1].b","path":"$.a[1]"}]`},
		{OpJSONTree, text, "$.a", `[{"key":null,"value":"[1,{\"b\":null}]","type":"ARRAY","atom":null,"id":2,"parent":null,"fullkey":"$.a","path":"$.a"},` +
			`{"key":"0","value":"1","type":"UBIGINT","atom":"1","id":3,"parent":2,"fullkey":"$.a[0]","path":"$.a"},` +
			`{"key":"1","value":"{\"b\":null}","type":"OBJECT","atom":null,"id":4,"parent":2,"fullkey":"$.a[1]","path":"$.a"},` +
			`{"key":"b","value":"null","type":"NULL","atom":null,"id":6,"parent":4,"fullkey":"$.a[1].b","path":"$.a[1]"}]`},
	} {
		got, err := Call(OpToJSON, Call(tt.op, Str(tt.text), Str(tt.path))).compute(nil)
		if err != nil || got.Value.Text != tt.want {
			t.Errorf("%s of %s from %s on is %s (%v), not %s", tt.op, tt.text, tt.path, got.Value.Text, err, tt.want)
		}
	}
	if got, err := Call(OpToJSON, Call(OpJSONTree, Null(columnar.Text), Str("$"))).compute(nil); err != nil || !got.Value.Null {
		t.Errorf("json_tree of null is %v (%v)", got, err)
	}
	if _, err := Call(OpToJSON, Call(OpJSONEach, Str("{"), Str("$"))).compute(nil); !errors.Is(err, ErrCast) {
		t.Errorf("json_each of no JSON: %v", err)
	}
}
