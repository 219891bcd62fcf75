package main

import "fmt"

// dataset says what is compared for one data set.
type dataset struct {
	name string
	// answered are the queries that need no model, by analyzer's names.
	answered []string
	// modelled is the query that needs a sentiment model. weighed is the query that DuckDB answers to check it without a
	// model.
	modelled, weighed string
	// timed are the queries of the speed comparison.
	timed []string
	cases []paramCase
}

// paramCase is one setting of the parameters.
type paramCase struct {
	name   string
	params []string
	// oracle is set if the reference program knows all of these parameters.
	oracle bool
}

// everyLanguage makes q4 of steam independent of a language model. DuckDB and the reference program have only this form.
const everyLanguage = "q4.language=any"

func datasets() []dataset {
	return []dataset{
		{
			name: "movies", answered: []string{"q1", "q2", "q3", "q4"}, modelled: "q5", weighed: "q5_eligible",
			timed: []string{"q1", "q2", "q3", "q4"},
			cases: []paramCase{
				{name: "defaults", oracle: true},
				{name: "long lists", oracle: true, params: []string{"q2.top=60", "q4.top=200"}},
				{name: "other values", params: []string{
					"q1.countries=France,Italy", "q1.from_year=1960", "q1.to_year=2016", "q2.top=3", "q3.country=France",
					"q3.since_year=1990", "q4.country=United States of America", "q4.since_year=1980", "q4.top=25",
				}},
			},
		},
		{
			name: "steam", answered: []string{"q1", "q2", "q3", "q4", "q5"},
			timed: []string{"q1", "q2", "q3", "q5"},
			cases: []paramCase{
				{name: "defaults", oracle: true, params: []string{everyLanguage}},
				{name: "low thresholds", oracle: true, params: []string{
					everyLanguage, "q2.top=200", "q3.top=200", "q4.min_positive=3", "q5.percentile=0.5",
				}},
				{name: "other values", params: []string{
					everyLanguage, "q2.genre=adventure", "q2.from_year=2005", "q2.to_year=2016", "q3.genre=rpg",
					"q4.genre=strategy", "q4.min_positive=1", "q5.genre=indie", "q5.percentile=0.25",
				}},
			},
		},
		{
			name: "books", answered: []string{"q1", "q2", "q3", "q4"}, modelled: "q5", weighed: "q5_candidates",
			timed: []string{"q1", "q2", "q3", "q4"},
			cases: []paramCase{
				{name: "defaults", oracle: true},
				{name: "low thresholds", oracle: true, params: []string{
					"q2.min_decades=2", "q3.min_reviews=2", "q4.min_reviews=2", "q4.top=200",
				}},
				{name: "other values", params: []string{
					"q1.category=Fiction", "q1.word=the", "q1.from_year=1950", "q1.to_year=2005", "q2.min_decades=3",
					"q3.from_year=1970", "q3.to_year=1985", "q3.min_reviews=3", "q4.from_year=2001", "q4.to_year=2008",
					"q4.min_reviews=4", "q4.top=40", "q5.category=History",
				}},
			},
		},
	}
}

// findDataset returns the data set of that name.
func findDataset(name string) (dataset, error) {
	for _, d := range datasets() {
		if d.name == name {
			return d, nil
		}
	}
	return dataset{}, fmt.Errorf("no data set %q; there are movies, steam, books", name)
}

// peerName returns the name that DuckDB and the reference program have for a query.
func (d dataset) peerName(query string) string {
	if d.name == "steam" && query == "q4" {
		return "q4_any_language"
	}
	return query
}

// stressWorkloads are plans over ratings.csv whose state is several times the memory they are given.
func stressWorkloads() []string { return []string{"groups", "selfjoin", "listagg"} }
