package datasets

import (
	"fmt"
	"strings"

	"analyzer/operators/query/plan"
)

// Settings are values of parameters as a user wrote them, by name or by "query.name",
// which takes precedence.
type Settings map[string]string

// Of returns the value of a query's parameter: its setting, or else its default.
func (s Settings) Of(query string, p plan.Param) string {
	if text, ok := s[query+"."+p.Name]; ok {
		return text
	}
	if text, ok := s[p.Name]; ok {
		return text
	}
	return p.Default
}

// Check returns an error that lists the parameters of queries if any setting names a
// parameter that none of them has.
func (s Settings) Check(queries []*plan.Query) error {
	known := make(map[string]bool)
	var all []string
	for _, q := range queries {
		for _, p := range q.Params {
			known[p.Name], known[q.Name+"."+p.Name] = true, true
			all = append(all, fmt.Sprintf("%s.%s=%s", q.Name, p.Name, p.Default))
		}
	}
	for name := range s {
		if !known[name] {
			return fmt.Errorf("there is no parameter %q; there are %s", name, strings.Join(all, " "))
		}
	}
	return nil
}
