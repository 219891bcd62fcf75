package steam

import (
	"slices"
	"testing"

	"analyzer/operators/language"
)

func TestLanguagesAreThoseOfTheDetector(t *testing.T) {
	d, err := language.New()
	if err != nil {
		t.Fatal(err)
	}
	if got, want := languages(), append([]string{anyLanguage}, d.Codes()...); !slices.Equal(got, want) {
		t.Errorf("q4 takes %q, the detector gives %q", got, want)
	}
}
