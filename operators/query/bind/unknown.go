package bind

import (
	"slices"

	"analyzer/operators/query/scalar"
	"analyzer/operators/query/sql"
	"analyzer/operators/registry"
)

// has reports whether like is true of a part of an expression, not looking into queries.
func has(e *sql.Expr, like func(*sql.Expr) bool) bool {
	found := false
	e.Walk(func(e *sql.Expr) bool {
		found = found || like(e)
		return !found
	})
	return found
}

// plainCall refuses clauses that only aggregates take, and aggregates where none are allowed.
func plainCall(e *sql.Expr, s *scope) {
	switch {
	case isAggregate(e.Text) && s.clause != "":
		panic(sql.Wrong(e.At, "", "the aggregate %s cannot stand in %s", e.Text, s.clause))
	case isAggregate(e.Text):
		panic(sql.Wrong(e.At, "", "aggregates cannot stand within aggregates"))
	case e.IgnoreNulls:
		panic(ignoresNulls(e))
	case e.Distinct, e.Filter != nil, len(e.Order) > 0:
		panic(sql.Wrong(e.At, "", "%s is no aggregate: DISTINCT, ORDER BY and FILTER cannot stand with it", e.Text))
	}
}

// chance says what to write in place of functions whose values are others each time.
var chance = map[string]string{
	"random":          "Next: USING SAMPLE 10 draws rows, and hash(…) spreads values, the same each time.",
	"uuid":            "Next: md5(…) or row_number() OVER () names rows, the same each time.",
	"gen_random_uuid": "Next: md5(…) or row_number() OVER () names rows, the same each time.",
}

func unknownFunction(e *sql.Expr) error {
	if hint := chance[e.Text]; hint != "" {
		return sql.Unsupported(e.At, hint, "values by chance")
	}
	if f := windowFunctions.Find(e.Text); f != nil {
		return sql.Wrong(e.At, "Next: write "+f.Usage+" OVER (ORDER BY …).", "%s is a function of a window", e.Text)
	}
	if near := sql.Nearest(e.Text, FunctionNames()); near != "" {
		hint := "Did you mean " + near + "?"
		if f := scalar.Functions.Find(near); f != nil {
			hint = "Did you mean " + f.Usage + "?"
		} else if f := windowFunctions.Find(near); f != nil {
			hint = "Did you mean " + f.Usage + " OVER (…)?"
		}
		return sql.Wrong(e.At, hint, "there is no function %s", e.Text)
	}
	return sql.Wrong(e.At, "“analyzer help functions” lists them.", "there is no function %s", e.Text)
}

// FunctionNames returns the names of all aggregates, functions and window functions.
func FunctionNames() []string {
	return slices.Concat(each(documentation(), func(d registry.Doc) []string { return d.Names })...)
}
