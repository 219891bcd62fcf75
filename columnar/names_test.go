package columnar_test

import (
	"slices"
	"testing"

	"analyzer/columnar"
)

func TestNames(t *testing.T) {
	var names columnar.Names
	names.Take("b")
	var got []string
	for _, like := range []string{"a", "a", "a_3", "a", "b", "a_2", ""} {
		got = append(got, names.New(like))
	}
	if want := []string{"a", "a_2", "a_3", "a_4", "b_2", "a_2_2", ""}; !slices.Equal(got, want) {
		t.Errorf("the names are %q, want %q", got, want)
	}
}
