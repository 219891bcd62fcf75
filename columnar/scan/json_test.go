package scan

import (
	"bytes"
	"slices"
	"testing"
	"unicode/utf8"

	"analyzer/columnar"
	"analyzer/columnar/jsontext"
)

// FuzzJSON finds the type of two values in JSON, which both of them must then be read as, and what that gives must be
// the same once it was written and read again. A value must also be read, or be null, as the type of the other.
func FuzzJSON(f *testing.F) {
	for _, both := range [][2]string{
		{`[1, 2]`, `[2.5, null]`},
		{`[{"a": 1, "b": ["x"]}]`, `[{"b": [], "a": 12345678901234567890}, null]`},
		{`{"a": {"b": "2024-02-29"}}`, `{"a": null, "a": {"b": "2024-03-01 10:00"}}`},
		{`["2024-02-29T10:00:00+02:00"]`, `[]`},
		{`[1, "a\n\"\u00e9\ud83d\ude00"]`, ` [ { "x" : [ true ] } , 7 ] `},
		{`[[[[[[[[[[1]]]]]]]]]]`, `[0.1, 1e300]`},
		{`{"": {}, "a\"\\b": [[]]}`, `{"a\u0022\\b": [[-0]]}`},
		{`null`, `[9223372036854775807]`},
		{`["\ud800"]`, `[1.0000000]`},
	} {
		f.Add([]byte(both[0]), []byte(both[1]))
	}
	f.Fuzz(func(t *testing.T, a, b []byte) {
		if !jsontext.Valid(a) || !jsontext.Valid(b) || !utf8.Valid(a) || !utf8.Valid(b) {
			return
		}
		var s jsontext.Shape
		s.Add(a)
		s.Add(b)
		typ := s.Type()
		for _, text := range [][]byte{a, b} {
			once := readJSON(t, typ, text, true)
			if bytes.Contains(once, []byte("(BC)")) {
				continue // which dates in files are not
			}
			if again := readJSON(t, typ, once, true); !bytes.Equal(once, again) {
				t.Errorf("%s is %s as %s, and that is %s", text, once, typ, again)
			}
			var other jsontext.Shape
			other.Add(b)
			readJSON(t, other.Type(), text, false)
		}
	})
}

// readJSON reads a value of JSON as one of a type, behind another, and writes it as JSON.
func readJSON(t *testing.T, typ columnar.Type, text []byte, must bool) []byte {
	v, r := columnar.NewVector(typ), newJSONReader(typ)
	r.appendTo(v, []byte("null"))
	if fits := r.appendTo(v, text); must && !fits {
		t.Fatalf("%s is not read as %s", text, typ)
	}
	if v.Len != 2 {
		t.Fatalf("%s becomes %d values as %s", text, v.Len-1, typ)
	}
	return jsontext.AppendValue(nil, v, 1, ",")
}

// A scan that reads no column, as of count(*), asks for none rather than for all, whose cells take long to find.
func TestNoColumnIsWanted(t *testing.T) {
	table := &columnar.Table{Columns: []columnar.TableColumn{{Name: "a", Header: "a"}, {Name: "b", Header: "b", Required: true}}}
	if got := new(Scan).wanted(&columnar.Table{Columns: table.Columns[:1]}, nil); got == nil || len(got) > 0 {
		t.Errorf("of a table with nothing to check: %#v", got)
	}
	if got := new(Scan).wanted(table, nil); !slices.Equal(got, []string{"b"}) {
		t.Errorf("of one with a column to check: %#v", got)
	}
}
