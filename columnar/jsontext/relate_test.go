package jsontext_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
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
		if !new(jsontext.Container).Contains(text, text) {
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

// TestContains compares with what Contains says of Go's values: of small ones at random, and of texts that are deep or
// long, for which a comparison of each part with all that is in others would take minutes.
func TestContains(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	var made func(depth int) any
	made = func(depth int) any {
		switch kind := random.IntN(6); {
		case kind == 0 && depth > 0:
			items := make([]any, random.IntN(4))
			for i := range items {
				items[i] = made(depth - 1)
			}
			return items
		case kind == 1 && depth > 0:
			members := make(map[string]any)
			for range random.IntN(3) {
				members[string(rune('a'+random.IntN(2)))] = made(depth - 1)
			}
			return members
		case kind < 4:
			return float64(random.IntN(2))
		}
		return []any{nil, true, "a", "\n"}[random.IntN(4)]
	}
	text := func(v any) []byte {
		out, err := json.MarshalIndent(v, "", strings.Repeat(" ", random.IntN(2)))
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	found := 0
	for range 20_000 {
		all, part := made(4), made(2)
		want := containsPlainly(all, part)
		if got := new(jsontext.Container).Contains(text(all), text(part)); got != want {
			t.Fatalf("%s contains %s: %v", text(all), text(part), got)
		} else if got {
			found++
		}
	}
	if found < 1000 {
		t.Errorf("only %d are contained", found)
	}
	deep := []byte(strings.Repeat("[", 9000) + strings.Repeat("]", 9000))
	up, down := []byte("[0"), []byte("[100000")
	for i := range 100_000 {
		up = fmt.Appendf(up, ",%d", i+1)
		down = fmt.Appendf(down, ", %d", 99_999-i)
	}
	up, down = append(up, ']'), append(down, ']')
	for _, tt := range []struct {
		text, part []byte
		want       bool
	}{{deep, []byte("[[[1]]]"), false}, {deep, deep[100 : len(deep)-100], true}, {up, down, true}, {down, append(up[:len(up)-1:len(up)-1], ",-1]"...), false}} {
		if got := new(jsontext.Container).Contains(tt.text, tt.part); got != tt.want {
			t.Errorf("%.9s contains %.9s: %v", tt.text, tt.part, got)
		}
	}
}

func containsPlainly(v, part any) bool {
	found := includesPlainly(v, part)
	switch v := v.(type) {
	case []any:
		for _, item := range v {
			found = found || containsPlainly(item, part)
		}
	case map[string]any:
		for _, member := range v {
			found = found || containsPlainly(member, part)
		}
	}
	return found
}

func includesPlainly(v, part any) bool {
	switch part := part.(type) {
	case []any:
		items, ok := v.([]any)
		return ok && !slices.ContainsFunc(part, func(wanted any) bool {
			return !slices.ContainsFunc(items, func(item any) bool { return includesPlainly(item, wanted) })
		})
	case map[string]any:
		members, ok := v.(map[string]any)
		for name, wanted := range part {
			member, has := members[name]
			ok = ok && has && includesPlainly(member, wanted)
		}
		return ok
	}
	return reflect.DeepEqual(v, part)
}
