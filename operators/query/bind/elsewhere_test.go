package bind

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"analyzer/operators/query/sql"
)

// TestElsewhere holds the table of functions of other databases: they are none here, each is named once, and what is to
// be written is an expression of functions that there are.
func TestElsewhere(t *testing.T) {
	known := FunctionNames()
	var all []string
	for _, e := range elsewhere {
		for _, name := range strings.Fields(e.names) {
			if slices.Contains(known, name) || slices.Contains(all, name) {
				t.Errorf("%s is a function, or named twice", name)
			}
			all = append(all, name)
		}
		if slices.Contains(known, e.here) {
			continue
		}
		made, err := sql.ParseExpr(nil, e.here)
		if err != nil || regexp.MustCompile(`^\w+$`).MatchString(e.here) && e.here != "current_date" {
			t.Errorf("%s: there is no %s, error %v", e.names, e.here, err)
			continue
		}
		made.Walk(func(part *sql.Expr) bool {
			if part.Kind == sql.Call && !slices.Contains(known, part.Text) {
				t.Errorf("%s: there is no function %s", e.names, part.Text)
			}
			return true
		})
	}
}
