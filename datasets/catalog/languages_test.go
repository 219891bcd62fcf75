package catalog

import (
	"slices"
	"testing"

	"analyzer/operators/language"
)

// TestLanguagesAreThoseOfTheDetector checks that the languages of steam's q4 are the codes that
// the detector returns. The detector takes milliseconds to load.
func TestLanguagesAreThoseOfTheDetector(t *testing.T) {
	d, err := language.New()
	if err != nil {
		t.Fatal(err)
	}
	steam, err := Find("steam", nil)
	if err != nil {
		t.Fatal(err)
	}
	queries, err := steam.Select("q4")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range queries[0].Params {
		if want := append([]string{"any"}, d.Codes()...); p.Name == "language" && !slices.Equal(p.Values, want) {
			t.Errorf("q4 takes %q, the detector gives %q", p.Values, want)
		}
	}
}
