package bench

import (
	"analyzer/columnar"
	"analyzer/operators/expr"
	"analyzer/operators/query/plan"
	"analyzer/operators/sentiment"
)

// ratings describes ratings.csv with its users, which no query of the data set
// reads.
func ratings() *columnar.Table {
	return &columnar.Table{
		Name: "ratings", Files: []string{"ratings.csv", "ratings_small.csv"},
		Columns: []columnar.TableColumn{
			{Name: "user_id", Header: "userId", Format: columnar.FormatInt, Required: true},
			{Name: "movie_id", Header: "movieId", Format: columnar.FormatInt, Required: true},
			{Name: "rating", Header: "rating", Format: columnar.FormatDecimal, Required: true},
		},
	}
}

// groups counts and sums the ratings of every user for every film. In the full file
// every row is a group of its own, so that all of the input is state.
func groups() *plan.Node {
	return plan.From("ratings").
		Aggregate([]string{"user_id", "movie_id"},
			plan.Agg{Func: plan.Count, Name: "ratings"},
			plan.Agg{Func: plan.Sum, Args: []string{"rating"}, Name: "sum"}).
		Project(plan.As("ratings", expr.Col("ratings")), plan.As("sum", expr.ToDecimal(expr.Col("sum")))).
		Aggregate(nil,
			plan.Agg{Func: plan.Count, Name: "groups"},
			plan.Agg{Func: plan.Sum, Args: []string{"ratings"}, Name: "ratings"},
			plan.Agg{Func: plan.Sum, Args: []string{"sum"}, Name: "rating_sum"})
}

// selfJoin pairs the ratings of a user for a film with one another. The sum has
// no keys, so no part of it can be computed below the join, and every pair must be
// made.
func selfJoin() *plan.Node {
	other := plan.From("ratings").
		Project(plan.As("other_user_id", expr.Col("user_id")), plan.As("other_movie_id", expr.Col("movie_id")))
	return plan.From("ratings").
		Join(other, plan.On("user_id", "other_user_id"), plan.On("movie_id", "other_movie_id")).
		Aggregate(nil,
			plan.Agg{Func: plan.Count, Name: "pairs"},
			plan.Agg{Func: plan.Sum, Args: []string{"rating"}, Name: "rating_sum"})
}

// listAgg lists the films that each user has rated. One branch measures the lists, another
// sums their items, so that all lists are really made and read. The branches meet in one row.
func listAgg() *plan.Node {
	lists := plan.From("ratings").
		Aggregate([]string{"user_id"}, plan.Agg{Func: plan.List, Args: []string{"movie_id"}, Name: "movies"})
	measured := lists.
		Project(plan.As("length", expr.Len(expr.Col("movies")))).
		Aggregate(nil,
			plan.Agg{Func: plan.Count, Name: "users"},
			plan.Agg{Func: plan.Sum, Args: []string{"length"}, Name: "ratings"}).
		Project(append(plan.Cols("users", "ratings"), plan.As("movie_id_sum", expr.Int(0)))...)
	summed := lists.
		Unnest("movies", "movie_id").
		Aggregate(nil, plan.Agg{Func: plan.Sum, Args: []string{"movie_id"}, Name: "movie_id_sum"}).
		Project(plan.As("users", expr.Int(0)), plan.As("ratings", expr.Int(0)), plan.As("movie_id_sum", expr.Col("movie_id_sum")))
	return plan.UnionAll(measured, summed).
		Aggregate(nil,
			plan.Agg{Func: plan.Sum, Args: []string{"users"}, Name: "users"},
			plan.Agg{Func: plan.Sum, Args: []string{"ratings"}, Name: "ratings"},
			plan.Agg{Func: plan.Sum, Args: []string{"movie_id_sum"}, Name: "movie_id_sum"})
}

// texts counts reviews by language and sentiment, which costs many times as much as reading
// them.
func texts() *plan.Node {
	text := expr.Col("review_text")
	return plan.From("reviews").
		Project(
			plan.As("language", expr.Language(text)),
			plan.As("sentiment", expr.Sentiment(text, expr.Str(sentiment.Lexicon)))).
		Aggregate([]string{"language", "sentiment"}, plan.Agg{Func: plan.Count, Name: "reviews"}).
		Sort(plan.Asc("language"), plan.Asc("sentiment"))
}
