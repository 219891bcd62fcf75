package fault

import (
	"fmt"
	"slices"
	"strings"

	"analyzer/operators/query/sql"
)

// Suggest returns the known name that is most similar to the given one or begins with it, or
// "" if none is.
func Suggest(name string, known []string) string {
	best := sql.Nearest(name, known)
	if i := slices.IndexFunc(known, func(k string) bool { return strings.HasPrefix(k, name) }); best == "" && len(name) > 2 && i >= 0 {
		return known[i]
	}
	return best
}

// Hint asks whether a known name was meant, using form with one %s, or else returns
// otherwise.
func Hint(given string, known []string, form, otherwise string) string {
	if s := Suggest(given, known); s != "" {
		return fmt.Sprintf(form, s)
	}
	return otherwise
}
