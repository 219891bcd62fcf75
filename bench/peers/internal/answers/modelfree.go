package answers

import (
	"encoding/json"
	"fmt"
	"math"
)

// The two sentiment queries depend on a model that only analyzer has. The checks here are of properties that hold
// whatever the model says.

// CheckMoviesSentiment checks the groups of movies q5 against the films it weighs: however a model divides them, the
// groups together hold all eligible films, and their means times their counts add up to the sum of all ratios.
// sentiment has the columns sentiment, mean_ratio, movies; eligible has id, ratio.
func CheckMoviesSentiment(sentiment, eligible Table) []Difference {
	var sum, count float64
	for i, row := range sentiment.Rows {
		mean, films := number(row, 1), number(row, 2)
		if label := cell(row, 0); label != "positive" && label != "negative" || math.IsNaN(mean+films) {
			return []Difference{{"q5", fmt.Sprintf("row %d", i+1), show(row), `"positive" or "negative", a mean, a count`}}
		}
		sum += mean * films
		count += films
	}
	var want float64
	for _, row := range eligible.Rows {
		want += number(row, 1)
	}
	var all []Difference
	if count != float64(len(eligible.Rows)) {
		all = append(all, Difference{"q5", "films of all groups", fmt.Sprint(count), fmt.Sprint(len(eligible.Rows))})
	}
	if !Near(sum, want) {
		all = append(all, Difference{"q5", "sum of all ratios", fmt.Sprint(sum), fmt.Sprint(want)})
	}
	return all
}

// CheckBooksSentiment checks the titles of books q5 against the reviewed titles it weighs: each is one of them,
// none comes twice, they ascend, their means lie in [-1, 1], and, by the definition of a percentile, at least
// n-⌈p(n-1)⌉ of n titles are at or above percentile p. sentiment has the columns title, mean_sentiment; candidates has
// title, reviews.
func CheckBooksSentiment(sentiment, candidates Table, percentile float64) []Difference {
	reviewed := make(map[any]bool, len(candidates.Rows))
	for _, row := range candidates.Rows {
		reviewed[cell(row, 0)] = true
	}
	var all []Difference
	before := ""
	for i, row := range sentiment.Rows {
		title, _ := cell(row, 0).(string)
		where := fmt.Sprintf("row %d", i+1)
		if !reviewed[title] {
			all = append(all, Difference{"q5", where, show(title), "a reviewed title of the category"})
		}
		if i > 0 && title <= before {
			all = append(all, Difference{"q5", where, show(title), "a title after " + show(before)})
		}
		if mean := number(row, 1); math.IsNaN(mean) || math.Abs(mean) > 1 {
			all = append(all, Difference{"q5", where, show(row), "a mean in [-1, 1]"})
		}
		before = title
	}
	n := len(candidates.Rows)
	if least := n - int(math.Ceil(percentile*float64(n-1))); n > 0 && len(sentiment.Rows) < least {
		all = append(all, Difference{"q5", "rows", fmt.Sprint(len(sentiment.Rows)), fmt.Sprintf("%d or more", least)})
	}
	return all
}

func cell(row []any, i int) any {
	if i < len(row) {
		return row[i]
	}
	return nil
}

func number(row []any, i int) float64 {
	n, _ := cell(row, i).(json.Number)
	f, err := n.Float64()
	if err != nil {
		return math.NaN()
	}
	return f
}
