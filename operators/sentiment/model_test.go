package sentiment

import (
	"slices"
	"strings"
	"testing"
)

func TestNewKnowsEveryName(t *testing.T) {
	names := Names()
	if !slices.Contains(names, Lexicon) || !slices.IsSorted(names) {
		t.Fatalf("names are %q", names)
	}
	for _, name := range names {
		model, err := New(name)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		good, bad := model.Polarity([]byte("a wonderful, happy story")), model.Polarity([]byte("a terrible, sad failure"))
		if good <= 0 || bad >= 0 {
			t.Errorf("%s: %d for a good text, %d for a bad one", name, good, bad)
		}
	}
}

func TestUnknownNameListsTheKnown(t *testing.T) {
	for _, name := range []string{"", "Lexicon", "bert"} {
		model, err := New(name)
		if err == nil || model != nil {
			t.Fatalf("%q: got a model", name)
		}
		for _, want := range append(Names(), `"`+name+`"`) {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%q: error %q does not name %s", name, err, want)
			}
		}
	}
}
