package registry_test

import (
	"testing"

	"analyzer/operators/registry"
)

// TestCounts reads from usages how many arguments calls take.
func TestCounts(t *testing.T) {
	for usage, want := range map[string][2]int{
		"()":                              {0, 0},
		"([value])":                       {0, 1},
		"(text, first[, length])":         {2, 3},
		"(text, pattern[, group[, how]])": {2, 4},
		"([zone, ]timestamp)":             {1, 2},
		"(value, …)":                      {1, -1},
		"(form[, value, …])":              {1, -1},
		"(list, …[, truncate])":           {1, -1},
		"(part IN text)":                  {2, 2},
		"(text[, between] [ORDER BY …])":  {1, 2},
	} {
		if least, most := registry.Texts.Doc("f", usage, "", "", "").Counts(); least != want[0] || most != want[1] {
			t.Errorf("f%s takes %d to %d arguments, not %v", usage, least, most, want)
		}
	}
}
