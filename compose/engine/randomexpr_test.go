package engine_test

import (
	"slices"

	"pgregory.net/rapid"

	"analyzer/columnar"
	"analyzer/operators/expr"
)

// condition draws an expression that is true or false.
func (g *grower) condition(s columnar.Schema, depth int) *expr.Expr {
	kind := rapid.IntRange(0, 6).Draw(g.t, "condition")
	if depth > 0 && kind < 3 {
		a, b := g.condition(s, depth-1), g.condition(s, depth-1)
		return []*expr.Expr{expr.And(a, b), expr.Or(a, b), expr.Not(a)}[kind]
	}
	f := s[rapid.IntRange(0, len(s)-1).Draw(g.t, "column")]
	if kind == 6 {
		return expr.IsNull(expr.Col(f.Name))
	}
	n := rapid.Int64Range(0, 3).Draw(g.t, "constant")
	text := rapid.SampledFrom([]string{"p", "q", "r", "x"}).Draw(g.t, "text")
	switch c := expr.Col(f.Name); f.Type {
	case columnar.Bool:
		return c
	case columnar.Int:
		return g.comparison(c, expr.Int(n))
	case columnar.Decimal:
		return g.comparison(c, expr.Dec(n*500_000))
	case columnar.Float:
		return g.comparison(c, expr.Float(float64(n)/2))
	case columnar.Text:
		if kind == 5 {
			return expr.Call(expr.OpContains, c, expr.Str(text))
		}
		return g.comparison(c, expr.Str(text))
	case columnar.TextList:
		return expr.ListContains(c, expr.Str(text))
	case columnar.IntList:
		return g.comparison(expr.Len(c), expr.Int(n))
	}
	if slices.Contains(columnar.Times(), f.Type) {
		at := expr.Zero(f.Type)
		at.Value.Int = n
		return g.comparison(expr.Col(f.Name), at)
	}
	return expr.Bool(n > 0)
}

func (g *grower) comparison(a, b *expr.Expr) *expr.Expr {
	make := rapid.SampledFrom([]func(a, b *expr.Expr) *expr.Expr{expr.Eq, expr.Ne, expr.Lt, expr.Le, expr.Gt, expr.Ge}).Draw(g.t, "comparison")
	return make(a, b)
}

// value draws an expression for a column of a projection, with the name it has
// if it is a column.
func (g *grower) value(s columnar.Schema) (e *expr.Expr, name string) {
	f := s[rapid.IntRange(0, len(s)-1).Draw(g.t, "column")]
	c := expr.Col(f.Name)
	switch kind := rapid.IntRange(0, 5).Draw(g.t, "value"); {
	case kind == 0:
		return expr.Int(rapid.Int64Range(0, 3).Draw(g.t, "constant")), ""
	case kind == 1:
		return g.condition(s, 1), ""
	case kind > 3:
	case f.Type == columnar.Int:
		n := expr.Int(rapid.Int64Range(0, 3).Draw(g.t, "constant"))
		return []*expr.Expr{expr.IntDiv(c, n), expr.Div(c, n)}[kind-2], ""
	case f.Type == columnar.TextList && kind == 2:
		return expr.Element(c, expr.Int(rapid.Int64Range(-2, 2).Draw(g.t, "constant"))), ""
	case f.Type == columnar.TextList || f.Type == columnar.IntList:
		return expr.Len(c), ""
	}
	return c, f.Name
}
