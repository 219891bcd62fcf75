package jsontext_test

import (
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"

	"analyzer/columnar/jsontext"
)

func TestTypeOfShape(t *testing.T) {
	for want, values := range map[string][]string{
		"text":                             {"null"},
		"bool":                             {"true", "null", "false"},
		"int":                              {"1", "-5", "9223372036854775807"},
		"huge":                             {"1", "9223372036854775808"},
		"decimal":                          {"1", "2.5", "-0.000001"},
		"float":                            {"1", "2.5", "1e3", "0.0000001"},
		"date":                             {`"2024-02-29"`, `"2024-03-01"`},
		"timestamp":                        {`"2024-02-29"`, `"2024-03-01 10:00"`},
		"intlist":                          {"[]", "[1, null]", "null"},
		"textlist":                         {"[]", "[null]"},
		"text" + strings.Repeat("list", 8): {strings.Repeat("[", 500) + strings.Repeat("]", 500)},
		"decimallistlist":                  {"[[1], []]", "[[2.5]]"},
		`struct("b" int, "a" text)list`:    {`[{"b": 1}]`, `[{"a": "x", "b": null}, null]`},
	} {
		var s jsontext.Shape
		for _, value := range values {
			s.Add([]byte(value))
		}
		if got := s.Type().String(); got != want {
			t.Errorf("%q are %s, want %s", values, got, want)
		}
	}
	for _, mixed := range [][]string{
		{"1", "true"},
		{`"a"`, "1"},
		{"[1]", "1"},
		{"{}", "[]"},
		{"{}"},
		{`"2024-02-30"`},
		{"12345678901234567890123456789012345678901"},
		{"1e999"},
		{`"2024-02-29T10:00:00Z"`, `"2024-02-29 10:00"`}, // of which one has a zone
	} {
		var s jsontext.Shape
		for _, value := range mixed {
			s.Add([]byte(value))
		}
		if got := s.Type().String(); got != "text" {
			t.Errorf("%q are %s", mixed, got)
		}
	}
}

func TestShapeHolds(t *testing.T) {
	var s jsontext.Shape
	s.Add([]byte(`[{"n": 5, "t": "a"}]`))
	for value, want := range map[string]bool{
		`[]`: true, `null`: true, `[{"n": -7}, null]`: true, `[{"t": "2024-02-29", "n": null}]`: true,
		`[{"n": 1.5}]`: false, `[{"n": "x"}]`: false, `[{"m": 1}]`: false, `[1]`: false, `{}`: false,
	} {
		if got := s.Holds([]byte(value)); got != want {
			t.Errorf("whether the shape holds %s: %v", value, got)
		}
	}
}

// TestShapesUnite checks that a shape holds what was added, and that neither the order in which other shapes are
// united with one matters, nor how values are divided among them.
func TestShapesUnite(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 0))
		values := make([][]byte, 12)
		for i := range values {
			values[i], _ = json.Marshal(randomNested(r, 4))
		}
		known := new(jsontext.Shape)
		for _, v := range values[:3] {
			known.Add(v)
			if !known.Holds(v) {
				t.Fatalf("seed %d: a shape does not hold %s", seed, v)
			}
		}
		unite := func() string {
			r.Shuffle(len(values)-3, func(i, j int) { values[3+i], values[3+j] = values[3+j], values[3+i] })
			parts := make([]jsontext.Shape, 1+r.IntN(4))
			for _, v := range values[3:] {
				parts[r.IntN(len(parts))].Add(v)
			}
			all := known
			for i := range parts {
				all = all.United(&parts[i])
			}
			for _, v := range values {
				if !all.Holds(v) {
					t.Fatalf("seed %d: united shapes do not hold %s", seed, v)
				}
			}
			return all.Type().String()
		}
		if a, b := unite(), unite(); a != b {
			t.Fatalf("seed %d: %s or %s", seed, a, b)
		}
	}
}

func randomNested(r *rand.Rand, depth int) any {
	switch n := r.IntN(10); {
	case depth > 0 && n < 3:
		all := make([]any, r.IntN(4))
		for i := range all {
			all[i] = randomNested(r, depth-1)
		}
		return all
	case depth > 0 && n < 6:
		all := make(map[string]any)
		for range r.IntN(4) {
			all[string(rune('a'+r.IntN(6)))] = randomNested(r, depth-1)
		}
		return all
	case n == 6:
		return nil
	case n == 7:
		return []any{"2024-02-29", "2024-02-29 10:00", "a\"b\\", "", "2024-02-29T10:00:00Z"}[r.IntN(5)]
	case n == 8:
		return r.IntN(2) == 0
	}
	return []any{1, -7, 2.5, 1e30, json.Number("9223372036854775808"), 1234567890123}[r.IntN(6)]
}
