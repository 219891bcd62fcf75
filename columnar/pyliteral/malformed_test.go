package pyliteral

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
)

func TestMalformed(t *testing.T) {
	for _, test := range []struct {
		cell    string
		offset  int
		problem string
	}{
		{``, 0, notList},
		{`  `, 2, notList},
		{`None`, 0, notList},
		{`{'name': 'a'}`, 0, notList},
		{`('a',)`, 0, notList},
		{`[`, 1, endsTooEarly},
		{`['a', `, 6, endsTooEarly},
		{`[] x`, 3, trailing},
		{`[][]`, 2, trailing},
		{"[]\x00", 2, trailing},
		{`['a`, 1, unterminated},
		{`['a\`, 1, unterminated},
		{`["a''`, 1, unterminated},
		{`['a' 'b']`, 5, unexpected},
		{`[b'a']`, 1, unexpected},
		{`[u'a']`, 1, unexpected},
		{`[{'id': r'a', 'name': 'b'}]`, 8, unexpected},
		{`[{b'id': 1, 'name': 'b'}]`, 2, unexpected},
		{`['''a''']`, 3, unexpected},
		{`[{'name': """a"""}]`, 12, unexpected},
		{`[{'name': 'it''s'}]`, 14, unexpected},
		{`[bar]`, 1, unexpected},
		{`['\x4']`, 2, badEscape},
		{`['\xg0']`, 2, badEscape},
		{`['\u12']`, 2, badEscape},
		{`['\U00110000']`, 2, badEscape},
		{`['ab\N{DASH}']`, 4, badEscape},
		{`[{'id': 'a\x4', 'name': 'b'}]`, 10, badEscape},
		{`[{'id\x': 'a', 'name': 'b'}]`, 5, badEscape},
		{`[,]`, 1, unexpected},
		{`[1,,2]`, 3, unexpected},
		{`[1 2]`, 3, unexpected},
		{`['a':'b']`, 4, unexpected},
		{`[1}`, 2, unexpected},
		{`[007]`, 1, badNumber},
		{`[.]`, 1, badNumber},
		{`[1e]`, 1, badNumber},
		{`[-None]`, 2, badNumber},
		{`[0x1F]`, 2, unexpected},
		{`[Nonesuch]`, 5, unexpected},
		{`[none]`, 1, unexpected},
		{`[(1)]`, 1, unexpected},
		{`[()]`, 1, unexpected},
		{`[{'deep': (1, 2)}]`, 10, unexpected},
		{`[{'set', 'set'}]`, 7, unexpected},
		{`[[{1, 2}]]`, 4, unexpected},
		{`[[{(1, 2): 3}]]`, 3, unexpected},
		{`[{,}]`, 2, unexpected},
		{`[{1:}]`, 4, unexpected},
		{`[{1:2, 3}]`, 8, unexpected},
		{`[{1, 2:3}]`, 3, unexpected},
		{`[{1:2 3:4}]`, 6, unexpected},
		{`[{[]: 1}]`, 2, unhashable},
		{`[{1: 2, {}: 3}]`, 8, unhashable},
		{`[[{1:2, 3}]]`, 9, unexpected},
		{`[[{[2]: 3}]]`, 3, unhashable},
		{`['a', 'b\q', "c]`, 13, unterminated},
	} {
		dst := Strings{Data: []byte("kept"), Ends: []int32{4}}
		for _, read := range []func() error{
			func() error { return AppendNames(&dst, []byte(test.cell), "name") },
			func() error { return AppendStrings(&dst, []byte(test.cell)) },
		} {
			err := read()
			if want := (SyntaxError{test.offset, test.problem}); err != want {
				t.Errorf("%q: got error %v, want %v", test.cell, err, want)
			}
			if !errors.Is(err, ErrMalformed) {
				t.Errorf("%q: %v is not ErrMalformed", test.cell, err)
			}
			if got := texts(&dst, 0); !slices.Equal(got, []string{"kept"}) || len(dst.Data) != 4 {
				t.Errorf("%q: left %q", test.cell, got)
			}
		}
	}
}

// A malformed cell takes back the items before the fault.
func TestMalformedRollsBack(t *testing.T) {
	var dst Strings
	if err := AppendNames(&dst, []byte(`[{'name': 'kept'}]`), "name"); err != nil {
		t.Fatal(err)
	}
	for _, cell := range []string{
		`[{'name': 'a'}, {'name': 'b\n'}`,
		`[{'name': 'a'}, {'name': 'b\xzz'}]`,
		`[{'name': 'a', 'name': 'b' 3}]`,
	} {
		if err := AppendNames(&dst, []byte(cell), "name"); !errors.Is(err, ErrMalformed) {
			t.Errorf("%q: got error %v", cell, err)
		}
		if got := texts(&dst, 0); !slices.Equal(got, []string{"kept"}) || len(dst.Data) != 4 {
			t.Errorf("%q: left %q in %q", cell, got, dst.Data)
		}
	}
	if err := AppendNames(&dst, []byte(`[{'name': 'next'}]`), "name"); err != nil {
		t.Fatal(err)
	}
	if got := texts(&dst, 0); !slices.Equal(got, []string{"kept", "next"}) {
		t.Errorf("got %q", got)
	}
}

func TestNestingIsBounded(t *testing.T) {
	for _, brackets := range []struct{ open, inner, closing string }{
		{"[", "", "]"},
		{"{1: ", "2", "}"},
	} {
		nest := func(n int) string {
			return "[" + strings.Repeat(brackets.open, n-1) + brackets.inner + strings.Repeat(brackets.closing, n-1) + "]"
		}
		var dst Strings
		if err := AppendNames(&dst, []byte(nest(MaxDepth)), "name"); err != nil {
			t.Errorf("%s: depth %d: %v", brackets.open, MaxDepth, err)
		}
		for _, depth := range []int{MaxDepth + 1, MaxDepth + 2, 100_000} {
			want := SyntaxError{1 + (MaxDepth-1)*len(brackets.open), tooDeep}
			if err := AppendNames(&dst, []byte(nest(depth)), "name"); err != want {
				t.Errorf("%s: depth %d: got error %v, want %v", brackets.open, depth, err, want)
			}
		}
	}
}

func TestFullColumn(t *testing.T) {
	// The slice is never touched, so its memory is only reserved.
	dst := Strings{Data: make([]byte, math.MaxInt32-3)}
	if err := AppendStrings(&dst, []byte(`['a']`)); !errors.Is(err, ErrFull) {
		t.Errorf("got error %v, want ErrFull", err)
	}
	if err := AppendNames(&dst, []byte(`['a']`), "name"); !errors.Is(err, ErrFull) {
		t.Errorf("got error %v, want ErrFull", err)
	}
	if len(dst.Data) != math.MaxInt32-3 || dst.Len() != 0 {
		t.Error("dst changed")
	}
}
