package steam

import (
	"strings"

	"analyzer/columnar"
	"analyzer/operators/expr"
	"analyzer/operators/plan"
)

// anyLanguage is the value of q4's parameter that counts every language.
const anyLanguage = "any"

// languages are the values of q4's parameter: the codes that the detector gives,
// which is not asked for them here, since it takes milliseconds to load.
func languages() []string {
	return append([]string{anyLanguage}, strings.Fields(`
		am ar az be bg bn ca cs da de el en es et eu fa fi fr gu he hi hr hu hy is it ja ka kn ko ku lo lt lv ml mr ms nl
		no or pa pl pt ro ru sk sl sq sr sv ta te th tl tr uk ur vi yo zh`)...)
}

func queries() []*plan.Query {
	return []*plan.Query{
		{
			Name: "q1", Title: "Games per platform",
			Root: platforms(),
		},
		{
			Name: "q2", Title: "Games of a genre and a range of years by average playtime",
			Params: []plan.Param{
				{Name: "genre", Type: columnar.Text, Default: "indie"},
				{Name: "from_year", Type: columnar.Int, Default: "2010"},
				{Name: "to_year", Type: columnar.Int, Default: "2019"},
				{Name: "top", Type: columnar.Int, Default: "10"},
			},
			Root: longestPlayed(),
		},
		{
			Name: "q3", Title: "Games of a genre by positive reviews",
			Params: []plan.Param{
				{Name: "genre", Type: columnar.Text, Default: "indie"},
				{Name: "top", Type: columnar.Int, Default: "5"},
			},
			Root: mostLiked(),
		},
		{
			Name: "q4", Title: "Games of a genre with more than a number of positive reviews in a language",
			Params: []plan.Param{
				{Name: "genre", Type: columnar.Text, Default: "action"},
				{Name: "language", Type: columnar.Text, Default: "en", Values: languages()},
				{Name: "min_positive", Type: columnar.Int, Default: "50000"},
			},
			Root: likedInLanguage(),
		},
		{
			Name: "q5", Title: "Games of a genre at or over a percentile of negative reviews",
			Params: []plan.Param{
				{Name: "genre", Type: columnar.Text, Default: "action"},
				{Name: "percentile", Type: columnar.Decimal, Default: "0.9"},
			},
			Root: mostDisliked(),
		},
	}
}

// ofGenre is the games that have the genre; genres are in lower case.
func ofGenre() *plan.Node {
	return plan.From(Games).
		Filter(expr.ListContains(expr.Col("genres"), expr.Lower(expr.Param("genre"))))
}

func perGame(count string) ([]string, plan.Agg) {
	return []string{"app_id", "name"}, plan.Agg{Func: plan.Count, Name: count}
}

func platforms() *plan.Node {
	return plan.From(Games).Aggregate(nil,
		plan.Agg{Func: plan.CountIf, Arg: "windows", Name: "windows"},
		plan.Agg{Func: plan.CountIf, Arg: "mac", Name: "mac"},
		plan.Agg{Func: plan.CountIf, Arg: "linux", Name: "linux"})
}

func longestPlayed() *plan.Node {
	released := expr.Between(expr.Year(expr.Col("release_date")), expr.Param("from_year"), expr.Param("to_year"))
	return ofGenre().Filter(released).
		Select("app_id", "name", "average_playtime_forever").
		Top(expr.Param("top"), plan.Desc("average_playtime_forever"), plan.Asc("app_id"))
}

func positive() *expr.Expr { return expr.Gt(expr.Col("review_score"), expr.Int(0)) }
func negative() *expr.Expr { return expr.Lt(expr.Col("review_score"), expr.Int(0)) }

func mostLiked() *plan.Node {
	keys, count := perGame("positive_reviews")
	return ofGenre().Select("app_id", "name").
		Join(plan.From(Reviews).Filter(positive()).Select("app_id"), plan.On("app_id", "app_id")).
		Aggregate(keys, count).
		Top(expr.Param("top"), plan.Desc("positive_reviews"), plan.Asc("app_id"))
}

// likedInLanguage looks at the language after the join, where reviews of other
// genres are gone: detecting it costs more than all else.
func likedInLanguage() *plan.Node {
	keys, count := perGame("positive_reviews")
	inLanguage := expr.Or(
		expr.Eq(expr.Param("language"), expr.Str(anyLanguage)),
		expr.Eq(expr.Language(expr.Col("review_text")), expr.Param("language")))
	return ofGenre().Select("app_id", "name").
		Join(plan.From(Reviews).Filter(positive()).Select("app_id", "review_text"), plan.On("app_id", "app_id")).
		Filter(inLanguage).
		Aggregate(keys, count).
		Filter(expr.Gt(expr.Col("positive_reviews"), expr.Param("min_positive"))).
		Sort(plan.Asc("app_id"))
}

func mostDisliked() *plan.Node {
	keys, count := perGame("negative_reviews")
	return ofGenre().Select("app_id", "name").
		Join(plan.From(Reviews).Filter(negative()).Select("app_id"), plan.On("app_id", "app_id")).
		Aggregate(keys, count).
		AtPercentile("negative_reviews", expr.Param("percentile")).
		Sort(plan.Asc("app_id"))
}
