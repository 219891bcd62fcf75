package jsontext_test

import (
	"bytes"
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"analyzer/columnar/jsontext"
)

// TestPaths holds parts of texts to those that DuckDB 1.5.6 finds.
func TestPaths(t *testing.T) {
	const doc = ` { "a" : [ 1 , {"b":2} , {"b": [3 , "x,]}\"" ] } ] , "c d":true, "0":"zero", "\u0065": null, "a":7 } `
	for _, one := range []struct{ path, want string }{
		{"$", `{"a":[1,{"b":2},{"b":[3,"x,]}\""]}],"c d":true,"0":"zero","\u0065":null,"a":7}`},
		{"a", `[1,{"b":2},{"b":[3,"x,]}\""]}]`},
		{"$.a[0]", "1"},
		{"$.a[#-1].b[1]", `"x,]}\""`},
		{"$.a[-2].b", "2"},
		{"/a/2/b/0", "3"},
		{"/0", `"zero"`},
		{`$."c d"`, "true"},
		{"c d", "true"},
		{"e", "null"},
		{"$.a[*].b", `2 [3,"x,]}\""]`},
		{"$.*", `[1,{"b":2},{"b":[3,"x,]}\""]}] true "zero" null 7`},
		{"$[*]", ""},
		{"$.a.*", ""},
		{"$..b", `2 [3,"x,]}\""]`},
		{"$.a..[0]", "1 3"},
		{"$.a[2]..[*]", `3 "x,]}\""`},
		{"$.a[2]..*", `[3,"x,]}\""] 3 "x,]}\""`},
		{"$.a[9]", ""},
		{"$.a[-9]", ""},
		{"$.a.b", ""},
		{"b", ""},
		{"$[0]", ""},
	} {
		path, err := jsontext.ParsePath(one.path)
		if err != nil {
			t.Errorf("%s: %v", one.path, err)
			continue
		}
		var parts []string
		path.Each([]byte(doc), func(part []byte) bool {
			parts = append(parts, string(jsontext.AppendCompact(nil, part)))
			return true
		})
		if got := strings.Join(parts, " "); got != one.want {
			t.Errorf("%s finds %s, want %s", one.path, got, one.want)
		}
	}
}

func TestPathsThatAreNone(t *testing.T) {
	for _, path := range []string{"$.", "$a", "$[", "$[x]", "$[#1]", `$."a`, "$..", "$...a", "$..a..b"} {
		if _, err := jsontext.ParsePath(path); err == nil {
			t.Errorf("%s is a path", path)
		}
	}
}

// FuzzParts takes texts apart and puts them together again, and compares what that gives with what
// encoding/json reads. Whatever is no JSON is refused before.
func FuzzParts(f *testing.F) {
	for _, text := range []string{
		`{"a":[1,2,{"b":"\ud83d\ude00\ud83d x\\\"/\b\f\n\r\t"}], "": [ ] , "c":{ }}`, `" \u00e9 "`, "-1.50e+3", "null", "[[[]],{}]", " [1 ,\n2] ", `"\ude00\ud83d"`, "[", `{"a"`,
	} {
		f.Add(text, "$.a[*]")
	}
	f.Fuzz(func(t *testing.T, text, path string) {
		p, err := jsontext.ParsePath(path)
		if !utf8.ValidString(text) || !jsontext.Valid([]byte(text)) {
			return
		}
		if err == nil {
			p.Each([]byte(text), func(part []byte) bool {
				if !jsontext.Valid(part) {
					t.Fatalf("%s of %s is %s", path, text, part)
				}
				return true
			})
		}
		var want any
		decoder := json.NewDecoder(strings.NewReader(text))
		decoder.UseNumber()
		if err := decoder.Decode(&want); err != nil {
			t.Fatal(err)
		}
		if got := tree([]byte(text)); !reflect.DeepEqual(got, want) {
			t.Fatalf("%s is %v, want %v", text, got, want)
		}
		var compact bytes.Buffer
		if err := json.Compact(&compact, []byte(text)); err != nil {
			t.Fatal(err)
		}
		if got := jsontext.AppendCompact(nil, []byte(text)); !bytes.Equal(got, compact.Bytes()) {
			t.Fatalf("%s is compactly %s, want %s", text, got, compact.Bytes())
		}
		var pretty bytes.Buffer
		if err := json.Indent(&pretty, compact.Bytes(), "", "    "); err != nil {
			t.Fatal(err)
		}
		got, ok := jsontext.AppendPretty(nil, []byte(text), pretty.Len())
		if !ok || !bytes.Equal(got, pretty.Bytes()) {
			t.Fatalf("%s is prettily %s, want %s (%v)", text, got, pretty.Bytes(), ok)
		}
		if n := bytes.LastIndexByte(got, '\n'); n >= 0 {
			if part, ok := jsontext.AppendPretty(nil, []byte(text), n); ok || len(part) > n+len(text) {
				t.Fatalf("%s has %d bytes, not %d at most", part, len(part), n)
			}
		}
	})
}

// tree reads a text as encoding/json does, but with the functions of the package.
func tree(text []byte) any {
	switch jsontext.TypeOf(text) {
	case jsontext.Null:
		return nil
	case jsontext.Boolean:
		return bytes.Contains(text, []byte("true"))
	case jsontext.String:
		return string(jsontext.AppendString(nil, text))
	case jsontext.Array:
		items := make([]any, 0, jsontext.Len(text))
		for item := range jsontext.Items(text) {
			items = append(items, tree(item))
		}
		return items
	case jsontext.Object:
		members := map[string]any{}
		for name, value := range jsontext.Members(text) {
			members[string(jsontext.AppendString(nil, name))] = tree(value)
		}
		return members
	}
	return json.Number(strings.TrimSpace(string(text)))
}

// TestQuoted reads back what is written in quotes.
func TestQuoted(t *testing.T) {
	for _, text := range []string{"", "a\"b\\c\n\r\t\x00\x1f", "é😀", "a\xffb"} {
		quoted := jsontext.AppendQuoted(nil, []byte(text))
		var back string
		if err := json.Unmarshal(quoted, &back); err != nil || back != strings.ToValidUTF8(text, "\ufffd") {
			t.Errorf("%q is written as %s and read as %q: %v", text, quoted, back, err)
		}
	}
	if got := slices.Collect(jsontext.Items([]byte("1"))); got != nil {
		t.Errorf("a number has the items %s", got)
	}
}
