package catalog

import "analyzer/datasets"

// booksAnswers is what is published of books.
func booksAnswers() datasets.Published {
	const countOnly = "only the number of rows is published"
	return datasets.Published{
		Rows: map[string]int64{"books": 212_404, "reviews": 3_000_000},
		Answers: []datasets.PublishedAnswer{
			{Query: "q1", Why: countOnly, Alternatives: []datasets.Alternative{{Count: 15}}},
			{Query: "q2", Why: countOnly, Alternatives: []datasets.Alternative{{Count: 71}}},
			{Query: "q3", Why: countOnly, Alternatives: []datasets.Alternative{{Count: 75}}},
			{Query: "q4", Why: "only the titles are published", Alternatives: []datasets.Alternative{{
				Count: 10, Columns: []string{"title"}, Ordered: true,
				Rows: [][]string{
					{"All Creatures Great and Small"},
					{"Harry Potter and the Chamber of Secrets"},
					{"A Tree Grows in Brooklyn by Smith, Betty"},
					{"A Tree Grows in Brooklyn"},
					{"A Christmas Carol [One Voice Recordings Edition]"},
					{"The Killer Angels (Turtleback …"},
					{"Gift from the Sea"},
					{"The Lord of the Rings (3 Volume Set)"},
					{"The Secret Garden"},
					{"Pride and Prejudice"},
				},
			}}},
			{Query: "q5", Why: "the sentiment of a review depends on the model"},
		},
	}
}
