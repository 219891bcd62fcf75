package books

import (
	"analyzer/columnar"
	"analyzer/operators/expr"
	"analyzer/operators/plan"
	"analyzer/operators/sentiment"
)

func queries() []*plan.Query {
	return []*plan.Query{
		{
			Name: "q1", Title: "Books of a category and a range of years with a word in the title",
			Params: []plan.Param{
				{Name: "category", Type: columnar.Text, Default: "Computers"},
				{Name: "from_year", Type: columnar.Int, Default: "2000"},
				{Name: "to_year", Type: columnar.Int, Default: "2023"},
				{Name: "word", Type: columnar.Text, Default: "distributed"},
			},
			Root: withWord(),
		},
		{
			Name: "q2", Title: "Authors with titles in a number of distinct decades",
			Params: []plan.Param{{Name: "min_decades", Type: columnar.Int, Default: "10"}},
			Root:   lastingAuthors(),
		},
		{
			Name: "q3", Title: "Books of a range of years with a number of reviews",
			Params: popularParams(),
			Root: popular().
				Select("title", "authors", "reviews").
				Sort(plan.Asc("title"), plan.Asc("authors")),
		},
		{
			Name: "q4", Title: "Those of q3 with the best mean score",
			Params: append(popularParams(), plan.Param{Name: "top", Type: columnar.Int, Default: "10"}),
			Root: popular().
				Top(expr.Param("top"), plan.Desc("mean_score"), plan.Asc("title"), plan.Asc("authors")).
				Select("title", "mean_score", "reviews"),
		},
		{
			Name: "q5", Title: "Titles of a category at or over a percentile of mean review sentiment",
			Params: []plan.Param{
				{Name: "category", Type: columnar.Text, Default: "Fiction"},
				{Name: "percentile", Type: columnar.Decimal, Default: "0.9"},
				{Name: "sentiment", Type: columnar.Text, Default: sentiment.Lexicon, Values: sentiment.Names()},
			},
			Root: bestFelt(),
		},
	}
}

func popularParams() []plan.Param {
	return []plan.Param{
		{Name: "from_year", Type: columnar.Int, Default: "1990"},
		{Name: "to_year", Type: columnar.Int, Default: "1999"},
		{Name: "min_reviews", Type: columnar.Int, Default: "500"},
	}
}

func year() *expr.Expr { return expr.Year(expr.Col("published_date")) }

func inYears() *expr.Expr {
	return expr.Between(year(), expr.Param("from_year"), expr.Param("to_year"))
}

func ofCategory() *expr.Expr {
	return expr.ListContains(expr.Col("categories"), expr.Param("category"))
}

func withWord() *plan.Node {
	hasWord := expr.Contains(expr.Lower(expr.Col("title")), expr.Lower(expr.Param("word")))
	return plan.From(Books).
		Filter(expr.And(ofCategory(), inYears(), hasWord)).
		Select("title", "authors", "publisher").
		Sort(plan.Asc("title"), plan.Asc("authors"), plan.Asc("publisher"))
}

func lastingAuthors() *plan.Node {
	return plan.From(Books).
		Project(
			plan.As("authors", expr.Col("authors")),
			plan.As("decade", expr.IntDiv(year(), expr.Int(10)))).
		Unnest("authors", "author").
		Distinct("author", "decade").
		Aggregate([]string{"author"}, plan.Agg{Func: plan.Count, Name: "decades"}).
		Filter(expr.Ge(expr.Col("decades"), expr.Param("min_decades"))).
		Sort(plan.Asc("author"))
}

// popular is everything that q3 and q4 share: with equal parameters it is the
// same plan in both, and computed once.
func popular() *plan.Node {
	return plan.From(Books).
		Filter(inYears()).
		Select("title", "authors").
		Join(plan.From(Reviews).Select("title", "score"), plan.On("title", "title")).
		Aggregate([]string{"title", "authors"},
			plan.Agg{Func: plan.Count, Name: "reviews"},
			plan.Agg{Func: plan.Avg, Arg: "score", Name: "mean_score"}).
		Filter(expr.Ge(expr.Col("reviews"), expr.Param("min_reviews")))
}

func bestFelt() *plan.Node {
	return plan.From(Books).
		Filter(ofCategory()).
		Select("title").
		Join(plan.From(Reviews).Select("title", "text"), plan.On("title", "title")).
		Project(
			plan.As("title", expr.Col("title")),
			plan.As("polarity", expr.Polarity(expr.Col("text"), expr.Param("sentiment")))).
		Aggregate([]string{"title"}, plan.Agg{Func: plan.Avg, Arg: "polarity", Name: "mean_sentiment"}).
		AtPercentile("mean_sentiment", expr.Param("percentile")).
		Sort(plan.Asc("title"))
}
