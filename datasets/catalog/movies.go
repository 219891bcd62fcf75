package catalog

import "analyzer/datasets"

// moviesAnswers is what is published of movies.
func moviesAnswers() datasets.Published {
	return datasets.Published{
		Rows: map[string]int64{"movies": 45_466, "ratings": 26_024_289, "credits": 45_476},
		Answers: []datasets.PublishedAnswer{
			{Query: "q1", Alternatives: []datasets.Alternative{publishedFilms()}},
			{Query: "q2", Alternatives: []datasets.Alternative{{
				Count: 5, Columns: []string{"country", "budget"}, Ordered: true,
				Rows: [][]string{
					{"United States of America", "120153886644"},
					{"France", "2256831838"},
					{"United Kingdom", "1611604610"},
					{"India", "1169682797"},
					{"Japan", "832585873"},
				},
			}}},
			{Query: "q3", Alternatives: []datasets.Alternative{
				{
					Count: 2, Columns: []string{"which", "id", "title", "mean_rating"}, Ordered: true,
					Rows: [][]string{
						{"max", "125619", "The forbidden education", "4"},
						{"min", "128598", "Left for Dead", "1"},
					},
				},
				{
					Copy:  "ratings_small.csv",
					Count: 2, Columns: []string{"which", "id", "title", "mean_rating"}, Ordered: true,
					Rows: [][]string{
						{"max", "80717", "Violeta Went to Heaven", "5"},
						{"min", "69278", "Phase 7", "2.75"},
					},
				},
			}},
			{Query: "q4", Alternatives: []datasets.Alternative{publishedActors()}},
			{Query: "q5", Why: "the means depend on the sentiment model"},
		},
	}
}

func publishedFilms() datasets.Alternative {
	titles := []string{
		"La Cienaga", "Burnt Money", "The City of No Limits", "Nicotina", "Lost Embrace", "Whisky", "The Holy Girl",
		"The Aura", "Bombón: The Dog", "Rolling Family", "The Method", "Every Stewardess Goes to Heaven", "Tetro",
		"The Secret in Their Eyes", "Liverpool", "The Headless Woman", "The Last Summer of La Boyita", "The Appeared",
		"The Fish Child", "Cleopatra", "Roma", "Conversations with Mother", "The Education of Fairies", "The Good Life",
	}
	a := datasets.Alternative{Count: len(titles), Columns: []string{"title"}}
	for _, title := range titles {
		a.Rows = append(a.Rows, []string{title})
	}
	return a
}

func publishedActors() datasets.Alternative {
	return datasets.Alternative{
		Count: 10, Columns: []string{"actor", "movies"}, Ordered: true,
		Rows: [][]string{
			{"Ricardo Darín", "17"},
			{"Alejandro Awada", "7"},
			{"Inés Efron", "7"},
			{"Leonardo Sbaraglia", "7"},
			{"Valeria Bertuccelli", "7"},
			{"Arturo Goetz", "6"},
			{"Diego Peretti", "6"},
			{"Pablo Echarri", "6"},
			{"Rafael Spregelburd", "6"},
			{"Rodrigo de la Serna", "6"},
		},
	}
}
