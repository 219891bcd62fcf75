package pyliteral

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
)

func TestMalformed(t *testing.T) {
	for _, cell := range []string{
		``,
		`  `,
		`None`,
		`{'name': 'a'}`,
		`('a',)`,
		`[`,
		`['a', `,
		`[] x`,
		`[][]`,
		"[]\x00",
		`['a`,
		`['a\`,
		`["a''`,
		`['a' 'b']`,
		`[b'a']`,
		`[u'a']`,
		`[{'id': r'a', 'name': 'b'}]`,
		`[{b'id': 1, 'name': 'b'}]`,
		`['''a''']`,
		`[{'name': """a"""}]`,
		`[{'name': 'it''s'}]`,
		`[bar]`,
		`['\x4']`,
		`['\xg0']`,
		`['\u12']`,
		`['\U00110000']`,
		`['ab\N{DASH}']`,
		`[{'id': 'a\x4', 'name': 'b'}]`,
		`[{'id\x': 'a', 'name': 'b'}]`,
		`[,]`,
		`[1,,2]`,
		`[1 2]`,
		`['a':'b']`,
		`[1}`,
		`[007]`,
		`[.]`,
		`[1e]`,
		`[-None]`,
		`[0x1F]`,
		`[Nonesuch]`,
		`[none]`,
		`[(1)]`,
		`[()]`,
		`[{'deep': (1, 2)}]`,
		`[{'set', 'set'}]`,
		`[[{1, 2}]]`,
		`[[{(1, 2): 3}]]`,
		`[{,}]`,
		`[{1:}]`,
		`[{1:2, 3}]`,
		`[{1, 2:3}]`,
		`[{1:2 3:4}]`,
		`[{[]: 1}]`,
		`[{1: 2, {}: 3}]`,
		`[[{1:2, 3}]]`,
		`[[{[2]: 3}]]`,
		`['a', 'b\q', "c]`,
	} {
		dst := Strings{Data: []byte("kept"), Ends: []int32{4}}
		for _, read := range []func() error{
			func() error { return AppendNames(&dst, []byte(cell), "name") },
			func() error { return AppendStrings(&dst, []byte(cell)) },
		} {
			if err := read(); !errors.Is(err, ErrMalformed) {
				t.Errorf("%q: got error %v", cell, err)
			}
			if got := texts(&dst, 0); !slices.Equal(got, []string{"kept"}) || len(dst.Data) != 4 {
				t.Errorf("%q: left %q", cell, got)
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
			if err := AppendNames(&dst, []byte(nest(depth)), "name"); !errors.Is(err, ErrMalformed) {
				t.Errorf("%s: depth %d: got error %v", brackets.open, depth, err)
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
