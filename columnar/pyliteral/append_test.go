package pyliteral

import (
	"slices"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

// texts is the values of dst from number n on.
func texts(dst *Strings, n int) []string {
	out := []string{}
	for i := n; i < dst.Len(); i++ {
		out = append(out, string(dst.Value(i)))
	}
	return out
}

func TestAppendNames(t *testing.T) {
	for _, test := range []struct {
		cell string
		want []string
	}{
		{`[]`, nil},
		{" [ ] \n", nil},
		{`[{'id': 18, 'name': 'Drama'}]`, []string{"Drama"}},
		{`[{'name': "Children's", 'id': 1}, {'name': 'B'},]`, []string{"Children's", "B"}},
		{`[{"name":'say "x"'}]`, []string{`say "x"`}},
		{`[{'name': None}, {'name': 3}, {'name': ['x']}, {'id': 1}, {}, 7, 'name', None]`, nil},
		{`[{'name': 'a', 'name': 'b'}]`, []string{"b"}},
		{`[{'name': 'a', 'name': None}]`, nil},
		{`[{'name': None, 'name': 'b'}]`, []string{"b"}},
		{`[{'name': 'first'}, {'name': 'a', 'name': 2}]`, []string{"first"}},
		{`[{'\x6eame': '\x41'}]`, []string{"A"}},
		{`[{'names': 'no', 'nam': 'no', '': 'no'}]`, nil},
		{`[{'deep': {'name': 'no'}, 'name': 'yes'}, [{'name': 'no'}]]`, []string{"yes"}},
		{`[{1: 1, None: 2, -1.5e3: 3, 'name': 'a'}]`, []string{"a"}},
		{`[{'id': 'it\'s', 'name': 'a'}, {'it\'s': 1, 'name': 'b'}]`, []string{"a", "b"}},
		{`[{'id': '\'', 'deep': '\\', 'name': 'a'}]`, []string{"a"}},
		{`[{'name': ''}]`, []string{""}},
		{`[{'name': 'Amélie 拯救'}]`, []string{"Amélie 拯救"}},
		{"[{'name': 'two\r\nlines'}]", []string{"two\r\nlines"}},
		{"[{'id': 1,\n'name':\t'a'\f}\r\n]", []string{"a"}},
	} {
		var dst Strings
		if err := AppendNames(&dst, []byte(test.cell), "name"); err != nil {
			t.Errorf("%q: %v", test.cell, err)
		} else if got := texts(&dst, 0); !slices.Equal(got, test.want) {
			t.Errorf("%q: got %q, want %q", test.cell, got, test.want)
		}
	}
}

func TestAppendStrings(t *testing.T) {
	for _, test := range []struct {
		cell string
		want []string
	}{
		{`['A', "B's"]`, []string{"A", "B's"}},
		{`['A' , 1, None, ['y'], {'z': 'z'}, 'C']`, []string{"A", "C"}},
		{`['\n\t\\\'\"\a\b\f\r\v']`, []string{"\n\t\\'\"\a\b\f\r\v"}},
		{`['\xe9\u00e9\U0001F600']`, []string{"éé😀"}},
		{`['\0\101\7x\777\18']`, []string{"\x00A\ax\u01ff\x018"}},
		{`['\d\é\ ']`, []string{`\d\é\ `}},
		{`['\ud83d\ude00']`, []string{"\ufffd\ufffd"}},
		{"['a\\\nb\\\r\nc\\\rd']", []string{"abcd"}},
		{`['', ""]`, []string{"", ""}},
		{"['a\x00b']", []string{"a\x00b"}},
		{`[{}, {1: {2: 3}}, {1: 2,}, [[[]]], 0, 00, 1., .5, 1e5, - 1, +2, 007.5]`, nil},
	} {
		var dst Strings
		if err := AppendStrings(&dst, []byte(test.cell)); err != nil {
			t.Errorf("%q: %v", test.cell, err)
		} else if got := texts(&dst, 0); !slices.Equal(got, test.want) {
			t.Errorf("%q: got %q, want %q", test.cell, got, test.want)
		}
	}
}

func TestNoAllocation(t *testing.T) {
	cell := []byte(`[{'id': 1, 'name': 'a\xe9', 'deep': [{1: [2, 3]}]}, {'name': "b's"}]`)
	dst := Strings{Data: make([]byte, 0, 1<<10), Ends: make([]int32, 0, 1<<10)}
	allocs := testing.AllocsPerRun(100, func() {
		dst.Reset()
		if AppendNames(&dst, cell, "name") != nil || AppendStrings(&dst, cell) != nil {
			t.Fatal("malformed")
		}
	})
	if allocs != 0 {
		t.Errorf("%v allocations a run", allocs)
	}
}

// compare reads cell both ways and checks the answers and what the package
// promises about dst.
func compare(t rapid.TB, cell string) {
	t.Helper()
	compareJSON(t, cell)
	for _, read := range []struct {
		name string
		fast func(*Strings, []byte) error
		slow func(string) ([]string, error)
	}{
		{"AppendNames", appendName, func(cell string) ([]string, error) { return refNames(cell, "name") }},
		{"AppendStrings", AppendStrings, refStrings},
	} {
		dst := Strings{Data: []byte("kept"), Ends: []int32{4}}
		err := read.fast(&dst, []byte(cell))
		want, wantErr := read.slow(cell)
		if (err == nil) != (wantErr == nil) {
			t.Fatalf("%s(%q): got error %v, want %v", read.name, cell, err, wantErr)
		}
		if wantErr != nil {
			want = nil
		}
		if got := texts(&dst, 1); !slices.Equal(got, want) {
			t.Fatalf("%s(%q): got %q, want %q", read.name, cell, got, want)
		}
		if string(dst.Value(0)) != "kept" || int(dst.Ends[dst.Len()-1]) != len(dst.Data) {
			t.Fatalf("%s(%q): broken destination %q %v", read.name, cell, dst.Data, dst.Ends)
		}
		if len(dst.Data) > 4+len(cell) {
			t.Fatalf("%s(%q): appended more than the cell is long", read.name, cell)
		}
		if utf8.ValidString(cell) && !utf8.Valid(dst.Data) {
			t.Fatalf("%s(%q): appended invalid UTF-8 %q", read.name, cell, dst.Data)
		}
	}
}
