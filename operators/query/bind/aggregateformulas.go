package bind

import (
	"slices"
	"strings"

	"analyzer/operators/query/sql"
	"analyzer/operators/registry"
)

// aggregateFormula is a call of an aggregate as an expression of others.
type aggregateFormula struct {
	registry.Doc // only names if these have an entry of their own, for calls with other arguments
	parameters   []string
	text         string
}

// formulaOf is the formula of an aggregate with its documentation.
func formulaOf(parameters, text, names, usage, help, example, value string) aggregateFormula {
	return aggregateFormula{registry.Aggregates.Doc(names, usage, help, example, value), strings.Fields(parameters), text}
}

// formulaAlso is the formula of an aggregate that has an entry of its own, with other arguments.
func formulaAlso(parameters, text, names string) aggregateFormula {
	return aggregateFormula{registry.Doc{Names: strings.Fields(names)}, strings.Fields(parameters), text}
}

// aggregateFormulas are the aggregates that others express.
var aggregateFormulas = []aggregateFormula{
	formulaOf("x", "exp(avg(ln(x)))",
		"geomean geometric_mean", "(number)", "the geometric mean", "geomean(n)", "2"),
	formulaOf("x", "stddev_pop(x) / sqrt(count(x))",
		"sem", "(number)", "the standard error of the mean", "round(sem(n), 6)", "0.720082"),
	formulaOf("x y", "CAST(sum(x * y) AS DOUBLE) / sum(y) FILTER (WHERE x IS NOT NULL)",
		"weighted_avg wavg", "(number, weight)", "the mean of numbers with weights", "weighted_avg(n, n)", "3"),
	formulaOf("x", "to_json(list(x))",
		"json_group_array", "(value)", "a JSON array of the values", "json_group_array(s)", `["b",null,"a","b"]`),
	formulaOf("x", "json_extract(json_structure('[' || array_to_string(list(json(x)), ',') || ']'), '$[0]')",
		"json_group_structure", "(json)", "the structure that all documents have together, as of json_structure", "json_group_structure({'a': n})", `{"a":"UBIGINT"}`),
	formulaOf("x y", "json('{' || array_to_string(list_transform(list((x, coalesce(to_json(y), 'null'))) FILTER (WHERE x IS NOT NULL), lambda e: to_json(CAST(e[1] AS VARCHAR)) || ':' || e[2]), ',') || '}')",
		"json_group_object", "(name, value)", "a JSON object of names and values", "json_group_object(n, s)", `{"1":"b","2":"a","4":"b"}`),
	formulaOf("x", "list_product(list(CAST(x AS DOUBLE) ORDER BY CAST(x AS DOUBLE)) FILTER (WHERE x IS NOT NULL))",
		"product", "(number)", "the product", "product(n)", "8"),
	formulaOf("x", "list_mad(list(x ORDER BY x) FILTER (WHERE x IS NOT NULL))",
		"mad", "(number)", "the median of the distances from the median", "mad(n)", "1"),
	formulaOf("x", "CASE WHEN count(x) > 2 THEN sqrt(count(x) * (count(x) - 1)) / (count(x) - 2) * "+thirdMoment+" / pow(var_pop(x), 1.5) END",
		"skewness", "(number)", "how far the values lean to one side", "round(skewness(n), 6)", "0.93522"),
	formulaOf("x", "CASE WHEN count(x) > 3 THEN (count(x) - 1) * ((count(x) + 1) * "+fourthMoment+" / (var_pop(x) * var_pop(x)) - 3 * (count(x) - 1)) / ((count(x) - 2) * (count(x) - 3)) END",
		"kurtosis", "(number)", "the excess kurtosis of a sample: how heavy the ends of the distribution are", "kurtosis(n)", "NULL"),
	formulaOf("x", "CASE WHEN count(x) > 1 THEN "+fourthMoment+" / (var_pop(x) * var_pop(x)) - 3 END",
		"kurtosis_pop", "(number)", "the excess kurtosis of all values", "round(kurtosis_pop(n), 6)", "-1.5"),
	formulaOf("x y", "(arg_min({'v': x}, y)).v",
		"arg_min_null", "(value, by)", "the value, which may be NULL, in the row in which another is least", "arg_min_null(s, n)", "b"),
	formulaOf("x n", "list_transform(list_sort(list_transform(map_entries(histogram(x)), lambda r: (-r.value, r.key)))[1:n], lambda r: r[2])",
		"approx_top_k", "(value, k)", "a list of the k most frequent values, of equally frequent ones the least; here it is exact", "approx_top_k(s, 1)", `["b"]`),
	formulaOf("x y", "(arg_max({'v': x}, y)).v",
		"arg_max_null", "(value, by)", "the value, which may be NULL, in the row in which another is greatest", "arg_max_null(s, n)", "b"),
	formulaOf("x y", "first(x ORDER BY y)",
		"arg_min_nulls_last", "(value, by)", "the value, which may be NULL, in the row in which another is least, or NULL in all rows", "arg_min_nulls_last(s, n)", "b"),
	formulaOf("x y", "first(x ORDER BY y DESC)",
		"arg_max_nulls_last", "(value, by)", "the value, which may be NULL, in the row in which another is greatest, or NULL in all rows", "arg_max_nulls_last(s, n)", "b"),
	formulaOf("x bins", "", // which ofBins makes
		"histogram_exact", "(value, bins)", "a map from each bin to how often it occurs; that of others follows, under what histogram_other_bin says",
		"histogram_exact(s, ['a', 'c'])", `{"a": 1, "c": 0, "": 2}`),
	formulaAlso("x y n", "(list(x ORDER BY y))[1:n]", "arg_min_nulls_last"),
	formulaAlso("x y n", "(list(x ORDER BY y DESC))[1:n]", "arg_max_nulls_last"),
	formulaAlso("x n", "(list(x ORDER BY x) FILTER (WHERE x IS NOT NULL))[1:n]", "min"),
	formulaAlso("x n", "(list(x ORDER BY x DESC) FILTER (WHERE x IS NOT NULL))[1:n]", "max"),
	formulaAlso("x y n", "(list(x ORDER BY y) FILTER (WHERE y IS NOT NULL AND x IS NOT NULL))[1:n]", "arg_min argmin min_by"),
	formulaAlso("x y n", "(list(x ORDER BY y DESC) FILTER (WHERE y IS NOT NULL AND x IS NOT NULL))[1:n]", "arg_max argmax max_by"),
}

// The third and fourth central moments, by exact sums of powers.
const (
	thirdMoment  = "(sum(CAST(x AS DOUBLE) * x * x) - 3 * sum(CAST(x AS DOUBLE) * x) * avg(x) + 2 * count(x) * pow(avg(x), 3)) / count(x)"
	fourthMoment = "(sum(CAST(x AS DOUBLE) * x * x * x) - 4 * sum(CAST(x AS DOUBLE) * x * x) * avg(x) + 6 * sum(CAST(x AS DOUBLE) * x) * pow(avg(x), 2) - 3 * count(x) * pow(avg(x), 4)) / count(x)"
)

func init() {
	aggregateFunctions.Add(func() []aggregateFunction {
		var all []aggregateFunction
		for _, f := range aggregateFormulas {
			if f.Called() {
				all = append(all, aggregateFunction{Doc: f.Doc, Least: len(f.parameters), Most: len(f.parameters)})
			}
		}
		return all
	})
}

// inFormula returns a call of an aggregate as an expression of others, nil if it is no such call.
func (b *binder) inFormula(e *sql.Expr) *sql.Expr {
	if len(e.Args) == 2 && e.Args[1].Kind == sql.List && quantiles[e.Text] {
		return quantilesOf(e)
	}
	if len(e.Args) == 2 && (e.Text == "histogram" || e.Text == "histogram_exact") {
		return b.expanded(ofBins(e, b.constant("the bins of a histogram")))
	}
	for _, f := range aggregateFormulas {
		if len(f.parameters) == len(e.Args) && slices.Contains(f.Names, e.Text) {
			return b.expanded(f, counting(f, e))
		}
	}
	return nil
}

// counting returns a call of a formula of the first n values. Of an n that differs by row, the first counts, as in DuckDB.
func counting(f aggregateFormula, e *sql.Expr) *sql.Expr {
	last := len(e.Args) - 1
	if f.parameters[last] != "n" || !has(e.Args[last], func(part *sql.Expr) bool { return part.Kind == sql.Column }) {
		return e
	}
	n := e.At.Call("first", e.Args[last])
	n.Filter, n.Window = e.Filter, e.Window
	out := *e
	out.Args = append(slices.Clone(e.Args[:last]), n)
	return &out
}

// expanded is a formula with the arguments of a call. DISTINCT, FILTER and OVER of the call are
// those of each aggregate in it; its ORDER BY is that of those that depend on one.
func (b *binder) expanded(f aggregateFormula, e *sql.Expr) *sql.Expr {
	if e.IgnoreNulls {
		panic(ignoresNulls(e))
	}
	formula, err := sql.ParseExpr(b.Work, f.text)
	if err != nil {
		panic(err)
	}
	var put func(part *sql.Expr) *sql.Expr
	put = func(part *sql.Expr) *sql.Expr {
		switch {
		case part.Kind == sql.Column:
			for i, name := range f.parameters {
				if part.Path[0] == name {
					return e.Args[i]
				}
			}
		case part.Kind == sql.Call && isAggregate(part.Text):
			call := *part
			call.Filter, call.Distinct, call.Window, call.At = part.Filter.Replaced(put), e.Distinct, e.Window, e.At
			if call.Filter == nil {
				call.Filter = e.Filter
			} else if e.Filter != nil {
				call.Filter = e.At.Binary("AND", e.Filter, call.Filter)
			}
			call.Args, call.Order = nil, nil
			for _, a := range part.Args {
				call.Args = append(call.Args, a.Replaced(put))
			}
			for _, o := range part.Order {
				o.Expr, o.At = o.Expr.Replaced(put), e.At
				call.Order = append(call.Order, o)
			}
			if call.Text == "list" || call.Text == "first" {
				call.Order = append(call.Order, e.Order...)
			}
			return &call
		}
		part.At = e.At
		return nil
	}
	return formula.Replaced(put)
}

// quantiles are the aggregates whose second argument may be a list of quantiles.
var quantiles = map[string]bool{"quantile_cont": true, "quantile_disc": true, "quantile": true, "approx_quantile": true, "reservoir_quantile": true}

// quantilesOf is a call of an aggregate of several quantiles as a list of calls, which is NULL where
// there are no values.
func quantilesOf(e *sql.Expr) *sql.Expr {
	list := e.At.List()
	for _, q := range e.Args[1].Args {
		one := *e
		one.Args = []*sql.Expr{e.Args[0], q}
		list.Args = append(list.Args, &one)
	}
	count := *e
	count.Text, count.Args, count.Order, count.Within = "count", e.Args[:1], nil, false
	some := e.At.Binary(">", &count, e.At.Number(0))
	return &sql.Expr{Kind: sql.Case, Args: []*sql.Expr{nil, some, list, nil}, At: e.At}
}
