package expr

import (
	"math/rand/v2"
	"reflect"
	"testing"
)

// TestClassRuns compares the matches of classes of characters with those of package regexp.
func TestClassRuns(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	letters := []string{"a", "B", "7", "9", " ", "\t", "-", "\n", "é", "ß", "日", "\U0001f600", "K"}
	for pattern, simple := range map[string]bool{
		`[0-9]+`: true, `\d`: true, `\s+`: true, `[^a-z]+`: true, `[^\x00-\x7f]`: true, `,`: true, `-+`: true, `(?i)[k-m]+`: true, `\pL+`: true, `é`: true, `\W+`: true,
		`[0-9]+?`: false, `(a)`: false, `[0-9]*`: false, `(?i)k`: false, `ab`: false, `a|b7`: false, `a{2}`: false, `^a`: false,
	} {
		e, _, err := compileRegexp(pattern)
		if err != nil {
			t.Fatal(err)
		}
		if (e.runs != nil) != simple {
			t.Errorf("%s: is it simple? %t", pattern, !simple)
		}
		for range 2000 {
			var text []byte
			for range rng.IntN(12) {
				text = append(text, letters[rng.IntN(len(letters))]...)
			}
			most := 1 + rng.IntN(6)
			got, want := e.places(text, most), e.FindAllSubmatchIndex(text, most)
			if len(got)+len(want) > 0 && !reflect.DeepEqual(got, want) {
				t.Fatalf("%s in %q, at most %d: %v instead of %v", pattern, text, most, got, want)
			}
		}
	}
}
