package jsontext

import (
	"encoding/json"
	"testing"
)

// counted is CountValues of a value that package json has read.
func counted(v any) int64 {
	n := int64(1)
	switch v := v.(type) {
	case []any:
		for _, item := range v {
			n += counted(item)
		}
	case map[string]any:
		for _, item := range v {
			n += 1 + counted(item)
		}
	}
	return n
}

func TestCountValues(t *testing.T) {
	for _, text := range []string{
		`1`, `-1.5e3`, ` null `, `"a\"{"`, `[]`, `{}`, `[1,true,false,null]`, `{"a":[1,{"b":"[,"}],"c":-2,"d":{"e":{}}}`, "[ 1 , [ 2\n,3 ] ]", `[[[]],{"":0}]`,
	} {
		var v any
		if err := json.Unmarshal([]byte(text), &v); err != nil {
			t.Fatal(err)
		}
		if got, want := CountValues([]byte(text)), counted(v); got != want {
			t.Errorf("%s has %d values, not %d", text, want, got)
		}
	}
	if got := CountValues([]byte(`{"a":1,"b":`)); got != 4 {
		t.Errorf("the beginning of an object has %d values and names, not 4", got)
	}
}
