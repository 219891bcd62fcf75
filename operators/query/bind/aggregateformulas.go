package bind

import (
	"slices"
	"strings"

	"analyzer/operators/query/sql"
	"analyzer/operators/registry"
)

// aggregateFormula is a call of an aggregate as an expression of others.
type aggregateFormula struct {
	names      string
	parameters []string
	text       string
	doc        registry.Doc // of names that have no other entry
}

// aggregateFormulas are the aggregates that others express. Those with an entry of their own are
// for calls with that many arguments.
var aggregateFormulas = []aggregateFormula{
	{"geomean geometric_mean", []string{"x"}, "exp(avg(ln(x)))", registry.Doc{
		Usage: "geomean(number)", Help: "the geometric mean", Example: "geomean(n)", Value: "2",
	}},
	{"sem", []string{"x"}, "stddev_pop(x) / sqrt(count(x))", registry.Doc{
		Usage: "sem(number)", Help: "the standard error of the mean", Example: "round(sem(n), 6)", Value: "0.720082",
	}},
	{"weighted_avg wavg", []string{"x", "y"}, "CAST(sum(x * y) AS DOUBLE) / sum(y) FILTER (WHERE x IS NOT NULL)", registry.Doc{
		Usage: "weighted_avg(number, weight)", Help: "the mean of numbers with weights", Example: "weighted_avg(n, n)", Value: "3",
	}},
	{"json_group_array", []string{"x"}, "to_json(list(x))", registry.Doc{
		Usage: "json_group_array(value)", Help: "a JSON array of the values", Example: "json_group_array(s)", Value: `["a","b","b",null]`,
	}},
	{"json_group_object", []string{"x", "y"}, "to_json(map_from_entries(list((x, y)) FILTER (WHERE x IS NOT NULL)))", registry.Doc{
		Usage: "json_group_object(name, value)", Help: "a JSON object of names and values", Example: "json_group_object(n, s)", Value: `{"1":"b","2":"a","4":"b"}`,
	}},
	{"product", []string{"x"}, "list_product(list(CAST(x AS DOUBLE)) FILTER (WHERE x IS NOT NULL))", registry.Doc{
		Usage: "product(number)", Help: "the product", Example: "product(n)", Value: "8",
	}},
	{"mad", []string{"x"}, "list_mad(list(x) FILTER (WHERE x IS NOT NULL))", registry.Doc{
		Usage: "mad(number)", Help: "the median of the distances from the median", Example: "mad(n)", Value: "1",
	}},
	{"skewness", []string{"x"}, "CASE WHEN count(x) > 2 THEN sqrt(count(x) * (count(x) - 1)) / (count(x) - 2) * " + thirdMoment + " / pow(var_pop(x), 1.5) END", registry.Doc{
		Usage: "skewness(number)", Help: "how far the values lean to one side", Example: "round(skewness(n), 6)", Value: "0.93522",
	}},
	{"kurtosis", []string{"x"}, "CASE WHEN count(x) > 3 THEN (count(x) - 1) * ((count(x) + 1) * " + fourthMoment + " / (var_pop(x) * var_pop(x)) - 3 * (count(x) - 1)) / ((count(x) - 2) * (count(x) - 3)) END", registry.Doc{
		Usage: "kurtosis(number)", Help: "the excess kurtosis of a sample: how heavy the ends of the distribution are", Example: "kurtosis(n)", Value: "NULL",
	}},
	{"kurtosis_pop", []string{"x"}, "CASE WHEN count(x) > 1 THEN " + fourthMoment + " / (var_pop(x) * var_pop(x)) - 3 END", registry.Doc{
		Usage: "kurtosis_pop(number)", Help: "the excess kurtosis of all values", Example: "round(kurtosis_pop(n), 6)", Value: "-1.5",
	}},
	{"arg_min_null", []string{"x", "y"}, "first(x ORDER BY y) FILTER (WHERE y IS NOT NULL)", registry.Doc{
		Usage: "arg_min_null(value, by)", Help: "the value, which may be NULL, in the row in which another is least", Example: "arg_min_null(s, n)", Value: "b",
	}},
	{"histogram", []string{"x"}, "map_from_entries(list_runs(list(x ORDER BY x) FILTER (WHERE x IS NOT NULL)))", registry.Doc{
		Usage: "histogram(value[, bins])", Help: "a map from each value to how often it occurs, or from each bin to how many values lie up to it and above the one before", Example: "histogram(s)", Value: `{"a": 1, "b": 2}`,
	}},
	{"approx_top_k", []string{"x", "n"}, "list_transform(list_sort(list_transform(list_runs(list(x ORDER BY x) FILTER (WHERE x IS NOT NULL)), lambda r: (-r.value, r.key)))[1:n], lambda r: r[2])", registry.Doc{
		Usage: "approx_top_k(value, k)", Help: "a list of the k most frequent values, of equally frequent ones the least; here it is exact", Example: "approx_top_k(s, 1)", Value: `["b"]`,
	}},
	{"arg_max_null", []string{"x", "y"}, "first(x ORDER BY y DESC) FILTER (WHERE y IS NOT NULL)", registry.Doc{
		Usage: "arg_max_null(value, by)", Help: "the value, which may be NULL, in the row in which another is greatest", Example: "arg_max_null(s, n)", Value: "b",
	}},
	{"arg_min_nulls_last", []string{"x", "y"}, "first(x ORDER BY y)", registry.Doc{
		Usage: "arg_min_nulls_last(value, by)", Help: "the value, which may be NULL, in the row in which another is least, or NULL in all rows", Example: "arg_min_nulls_last(s, n)", Value: "b",
	}},
	{"arg_max_nulls_last", []string{"x", "y"}, "first(x ORDER BY y DESC)", registry.Doc{
		Usage: "arg_max_nulls_last(value, by)", Help: "the value, which may be NULL, in the row in which another is greatest, or NULL in all rows", Example: "arg_max_nulls_last(s, n)", Value: "b",
	}},
	{"min", []string{"x", "n"}, "(list(x ORDER BY x) FILTER (WHERE x IS NOT NULL))[1:n]", registry.Doc{}},
	{"max", []string{"x", "n"}, "(list(x ORDER BY x DESC) FILTER (WHERE x IS NOT NULL))[1:n]", registry.Doc{}},
	{"arg_min argmin min_by", []string{"x", "y", "n"}, "(list(x ORDER BY y) FILTER (WHERE y IS NOT NULL AND x IS NOT NULL))[1:n]", registry.Doc{}},
	{"arg_max argmax max_by", []string{"x", "y", "n"}, "(list(x ORDER BY y DESC) FILTER (WHERE y IS NOT NULL AND x IS NOT NULL))[1:n]", registry.Doc{}},
}

// The third and fourth central moments, by exact sums of powers.
const (
	thirdMoment  = "(sum(CAST(x AS DOUBLE) * x * x) - 3 * sum(CAST(x AS DOUBLE) * x) * avg(x) + 2 * count(x) * pow(avg(x), 3)) / count(x)"
	fourthMoment = "(sum(CAST(x AS DOUBLE) * x * x * x) - 4 * sum(CAST(x AS DOUBLE) * x * x) * avg(x) + 6 * sum(CAST(x AS DOUBLE) * x) * pow(avg(x), 2) - 3 * count(x) * pow(avg(x), 4)) / count(x)"
)

func init() {
	aggregateFunctions.Add(func() []aggregateFunction {
		var all []aggregateFunction
		for _, f := range slices.Concat(aggregateFormulas, histogramFormulas) {
			if f.doc.Usage == "" {
				continue
			}
			f.doc.Group, f.doc.Names = registry.Aggregates, strings.Fields(f.names)
			all = append(all, aggregateFunction{Doc: f.doc, Least: len(f.parameters), Most: len(f.parameters)})
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
		if len(f.parameters) != len(e.Args) {
			continue
		}
		for _, name := range strings.Fields(f.names) {
			if name == e.Text {
				return b.expanded(f, e)
			}
		}
	}
	return nil
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
				call.Filter = &sql.Expr{Kind: sql.Binary, Text: "AND", Args: []*sql.Expr{e.Filter, call.Filter}, At: e.At}
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
	list := &sql.Expr{Kind: sql.List, At: e.At}
	for _, q := range e.Args[1].Args {
		one := *e
		one.Args = []*sql.Expr{e.Args[0], q}
		list.Args = append(list.Args, &one)
	}
	count := *e
	count.Text, count.Args, count.Order, count.Within = "count", e.Args[:1], nil, false
	some := &sql.Expr{Kind: sql.Binary, Text: ">", Args: []*sql.Expr{&count, {Kind: sql.Number, Text: "0", At: e.At}}, At: e.At}
	return &sql.Expr{Kind: sql.Case, Args: []*sql.Expr{nil, some, list, nil}, At: e.At}
}
