package pyliteral

import (
	"encoding/json"
	"math"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestAppendJSON(t *testing.T) {
	for cell, want := range map[string]string{
		`[{'id': 16, 'name': "B's", 'adult': False}]`:  `[{"id":16,"name":"B's","adult":false}]`,
		` {'a': None, 'b': [1, .5, -2., +3, - 4,], } `: `{"a":null,"b":[1,0.5,-2,3,-4]}`,
		`{1: 'x', None: "\x41\n\u00e9", True: {}}`:     `{"1":"x","null":"A\né","true":{}}`,
		`[]`: `[]`,
	} {
		got, err := AppendJSON([]byte("kept"), []byte(cell))
		if want = "kept" + want; err != nil || string(got) != want {
			t.Errorf("%s becomes %s, want %s; error %v", cell, got, want, err)
		}
	}
	for _, cell := range []string{``, `'a'`, `1`, `{`, `{'a'}`, `{'a': 1}}`, `{[]: 1}`, `['a': 1]`, strings.Repeat("[", 65) + strings.Repeat("]", 65)} {
		if got, err := AppendJSON([]byte("kept"), []byte(cell)); err == nil || string(got) != "kept" {
			t.Errorf("%s becomes %s; error %v", cell, got, err)
		}
	}
}

// compareJSON compares the JSON of a cell with what the reference reads.
func compareJSON(t rapid.TB, cell string) {
	t.Helper()
	list, want := refCell(cell)
	wanted, finite := plain(list)
	if !utf8.ValidString(cell) || !finite || strings.HasPrefix(strings.TrimLeft(cell, " \t\r\n\f"), "{") {
		return
	}
	text, err := AppendJSON(nil, []byte(cell))
	if (err == nil) != (want == nil) {
		t.Fatalf("AppendJSON(%q): got error %v, want %v", cell, err, want)
	}
	var got any
	if err != nil {
		return
	} else if err := json.Unmarshal(text, &got); err != nil {
		t.Fatalf("AppendJSON(%q): %s: %v", cell, text, err)
	}
	if !reflect.DeepEqual(got, wanted) {
		t.Fatalf("AppendJSON(%q): %s, want %v", cell, text, wanted)
	}
}

// plain returns a value of the reference as encoding/json reads it. finite means that its numbers are.
func plain(v any) (_ any, finite bool) {
	finite = true
	of := func(v any) any {
		p, ok := plain(v)
		finite = finite && ok
		return p
	}
	switch v := v.(type) {
	case refText:
		return string(v), true
	case refList:
		all := []any{}
		for _, item := range v {
			all = append(all, of(item))
		}
		return all, finite
	case refDict:
		all := make(map[string]any)
		for _, e := range v {
			all[keyOf(e.key)] = of(e.value)
		}
		return all, finite
	case refAtom:
		words := map[refAtom]any{"None": nil, "True": true, "False": false}
		if word, ok := words[v]; ok {
			return word, true
		}
		number, _ := strconv.ParseFloat(strings.Join(strings.Fields(string(v)), ""), 64)
		return number, !math.IsInf(number, 0)
	}
	return nil, true
}

// keyOf returns the key of a dict as a text, which of a number is as it is written, if JSON writes it so.
func keyOf(key any) string {
	if text, ok := key.(refText); ok {
		return string(text)
	}
	if atom, ok := key.(refAtom); ok {
		if digits := strings.Join(strings.Fields(string(atom)), ""); json.Valid([]byte(digits)) {
			return digits
		}
	}
	value, _ := plain(key)
	if number, ok := value.(float64); ok {
		return strconv.FormatFloat(number, 'g', -1, 64)
	}
	text, _ := json.Marshal(value)
	return string(text)
}
