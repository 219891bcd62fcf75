package plan

import (
	"fmt"
	"slices"
	"strings"

	"analyzer/operators/expr"
)

// Settings are parameter values as a user wrote them, by name or by
// "query.name", which goes before the plain name.
type Settings map[string]string

// Of returns the value of a query's parameter: its setting or default.
func (s Settings) Of(query string, p Param) string {
	if text, ok := s[query+"."+p.Name]; ok {
		return text
	}
	if text, ok := s[p.Name]; ok {
		return text
	}
	return p.Default
}

// CheckSettings returns an error that lists the parameters there are if a
// setting names none of them.
func CheckSettings(queries []*Query, settings Settings) error {
	known := make(map[string]bool)
	var all []string
	for _, q := range queries {
		for _, p := range q.Params {
			known[p.Name], known[q.Name+"."+p.Name] = true, true
			all = append(all, fmt.Sprintf("%s.%s=%s", q.Name, p.Name, p.Default))
		}
	}
	for name := range settings {
		if !known[name] {
			return fmt.Errorf("there is no parameter %q; there are %s", name, strings.Join(all, " "))
		}
	}
	return nil
}

// Bind returns the query's plan with every parameter replaced by its setting or
// default and constants folded. The query is not changed.
func (q *Query) Bind(settings Settings) (*Node, error) {
	values := make(map[string]*expr.Expr, len(q.Params))
	for _, p := range q.Params {
		text := settings.Of(q.Name, p)
		v, err := expr.ParseValue(p.Type, text)
		if err == nil && len(p.Values) > 0 && !slices.Contains(p.Values, text) {
			err = fmt.Errorf("expected one of %s", strings.Join(p.Values, ", "))
		}
		if err != nil {
			return nil, fmt.Errorf("parameter %s.%s=%s: %w", q.Name, p.Name, text, err)
		}
		values[p.Name] = v
	}
	return q.Root.bind(func(name string) (*expr.Expr, error) {
		if v, ok := values[name]; ok {
			return v, nil
		}
		return nil, fmt.Errorf("query %s has no parameter %q", q.Name, name)
	})
}

func (n *Node) bind(lookup func(string) (*expr.Expr, error)) (*Node, error) {
	return n.Transform(func(m *Node) (*Node, error) {
		var err error
		one := func(e *expr.Expr) *expr.Expr {
			if e == nil || err != nil {
				return e
			}
			var bound *expr.Expr
			if bound, err = e.Bind(lookup); err != nil {
				return e
			}
			return bound.Fold()
		}
		m.Where, m.Limit, m.Offset, m.Quantile = one(m.Where), one(m.Limit), one(m.Offset), one(m.Quantile)
		for i := range m.Exprs {
			m.Exprs[i].Expr = one(m.Exprs[i].Expr)
		}
		return m, err
	})
}

// Transform rebuilds a plan from its leaves up: each node is copied, its inputs
// transformed, and f's result takes its place. A node that stands in several
// places is transformed once and stays shared.
func (n *Node) Transform(f func(*Node) (*Node, error)) (*Node, error) {
	return transform(n, f, make(map[*Node]*Node))
}

func transform(n *Node, f func(*Node) (*Node, error), done map[*Node]*Node) (*Node, error) {
	if m, ok := done[n]; ok {
		return m, nil
	}
	m := *n
	m.Inputs = make([]*Node, len(n.Inputs))
	m.Exprs = append([]Named(nil), n.Exprs...)
	for i, in := range n.Inputs {
		t, err := transform(in, f, done)
		if err != nil {
			return nil, err
		}
		m.Inputs[i] = t
	}
	out, err := f(&m)
	if err != nil {
		return nil, err
	}
	done[n] = out
	return out, nil
}
