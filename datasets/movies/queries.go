package movies

import (
	"analyzer/columnar"
	"analyzer/operators/expr"
	"analyzer/operators/plan"
	"analyzer/operators/sentiment"
)

func queries() []*plan.Query {
	return []*plan.Query{
		{
			Name: "q1", Title: "Films produced by all of the countries in a range of years",
			Params: []plan.Param{
				{Name: "countries", Type: columnar.TextList, Default: "Argentina,Spain"},
				{Name: "from_year", Type: columnar.Int, Default: "2000"},
				{Name: "to_year", Type: columnar.Int, Default: "2009"},
			},
			Root: coproductions(),
		},
		{
			Name: "q2", Title: "Countries by money spent on films of one country only",
			Params: []plan.Param{{Name: "top", Type: columnar.Int, Default: "5"}},
			Root:   spending(),
		},
		{
			Name: "q3", Title: "Films of a country since a year with the highest and the lowest mean rating",
			Params: nationalParams(),
			Root:   bestAndWorst(),
		},
		{
			Name: "q4", Title: "Actors by films of a country since a year",
			Params: append(nationalParams(), plan.Param{Name: "top", Type: columnar.Int, Default: "10"}),
			Root:   busiestActors(),
		},
		{
			Name: "q5", Title: "Mean revenue per budget by sentiment of the overview",
			Params: []plan.Param{
				{Name: "english_us_since_2000", Type: columnar.Bool, Default: "false"},
				{Name: "sentiment", Type: columnar.Text, Default: sentiment.Lexicon, Values: sentiment.Names()},
			},
			Root: returns(),
		},
	}
}

func nationalParams() []plan.Param {
	return []plan.Param{
		{Name: "country", Type: columnar.Text, Default: "Argentina"},
		{Name: "since_year", Type: columnar.Int, Default: "2000"},
	}
}

func releaseYear() *expr.Expr { return expr.Year(expr.Col("release_date")) }

func coproductions() *plan.Node {
	return plan.From(Movies).
		Filter(expr.And(
			expr.ListContainsAll(expr.Col("countries"), expr.Param("countries")),
			expr.Between(releaseYear(), expr.Param("from_year"), expr.Param("to_year")))).
		Select("id", "title", "genres").
		Sort(plan.Asc("id"), plan.Asc("title"))
}

func spending() *plan.Node {
	return plan.From(Movies).
		Filter(expr.Eq(expr.Len(expr.Col("countries")), expr.Int(1))).
		Project(
			plan.As("country", expr.Element(expr.Col("countries"), expr.Int(1))),
			plan.As("budget", expr.Col("budget"))).
		Aggregate([]string{"country"}, plan.Agg{Func: plan.Sum, Arg: "budget", Name: "budget"}).
		Top(expr.Param("top"), plan.Desc("budget"), plan.Asc("country"))
}

// national is the films of the country since the year, which q3 and q4 share.
func national() *plan.Node {
	return plan.From(Movies).Filter(expr.And(
		expr.ListContains(expr.Col("countries"), expr.Param("country")),
		expr.Ge(releaseYear(), expr.Param("since_year"))))
}

func bestAndWorst() *plan.Node {
	means := national().Select("id", "title").
		Join(plan.From(Ratings).Select("movie_id", "rating"), plan.On("id", "movie_id")).
		Aggregate([]string{"id", "title"}, plan.Agg{Func: plan.Avg, Arg: "rating", Name: "mean_rating"})
	extreme := func(which string, order plan.Order) *plan.Node {
		return means.
			Top(expr.Int(1), order, plan.Asc("id"), plan.Asc("title")).
			Project(append([]plan.Named{plan.As("which", expr.Str(which))}, plan.Cols("id", "title", "mean_rating")...)...)
	}
	return plan.UnionAll(
		extreme("max", plan.Desc("mean_rating")),
		extreme("min", plan.Asc("mean_rating")),
	).Sort(plan.Asc("which"))
}

func busiestActors() *plan.Node {
	return national().Select("id").
		Join(plan.From(Credits).Select("id", "cast_names"), plan.On("id", "id")).
		Unnest("cast_names", "actor").
		Aggregate([]string{"actor"}, plan.Agg{Func: plan.Count, Name: "movies"}).
		Top(expr.Param("top"), plan.Desc("movies"), plan.Asc("actor"))
}

func returns() *plan.Node {
	englishUS := expr.And(
		expr.Eq(expr.Col("original_language"), expr.Str("en")),
		expr.ListContains(expr.Col("countries"), expr.Str("United States of America")),
		expr.Ge(releaseYear(), expr.Int(2000)))
	return plan.From(Movies).
		Filter(expr.And(
			expr.Ne(expr.Col("budget"), expr.Int(0)),
			expr.Ne(expr.Col("revenue"), expr.Int(0)),
			expr.Or(expr.Not(expr.Param("english_us_since_2000")), englishUS))).
		Project(
			plan.As("sentiment", expr.Sentiment(expr.Col("overview"), expr.Param("sentiment"))),
			plan.As("ratio", expr.Div(expr.Col("revenue"), expr.Col("budget")))).
		Aggregate([]string{"sentiment"},
			plan.Agg{Func: plan.Avg, Arg: "ratio", Name: "mean_ratio"},
			plan.Agg{Func: plan.Count, Name: "movies"}).
		Sort(plan.Asc("sentiment"))
}
