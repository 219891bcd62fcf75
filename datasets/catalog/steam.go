package catalog

import "analyzer/datasets"

// steamAnswers is what is published of steam.
func steamAnswers() datasets.Published {
	return datasets.Published{
		Rows: map[string]int64{"games": 97_410, "reviews": 6_417_106},
		Answers: []datasets.PublishedAnswer{
			{Query: "q1", Alternatives: []datasets.Alternative{{
				Count: 1, Columns: []string{"windows", "mac", "linux"}, Ordered: true,
				Rows: [][]string{{"92534", "17703", "12307"}},
			}}},
			{Query: "q2", Alternatives: []datasets.Alternative{{
				Count: 10, Columns: []string{"name", "app_id", "average_playtime_forever"}, Ordered: true,
				Rows: [][]string{
					{"Relive", "404580", "68357"},
					{"拯救大魔王2 Rescue the Great Demon 2", "554640", "49555"},
					{"Out of the Park Baseball 20", "831980", "34798"},
					{"时之回廊/Corridor of time", "989450", "33343"},
					{"Clicker Heroes 2", "629910", "31708"},
					{"Time of Dragons", "353130", "27080"},
					{"Project AURA", "305940", "26827"},
					{"Midas Gold Plus", "557400", "19196"},
					{"Beasts of Bermuda", "719890", "17147"},
					{"Rust", "252490", "16623"},
				},
			}}},
			{Query: "q3", Alternatives: []datasets.Alternative{{
				Count: 5, Columns: []string{"name", "positive_reviews"}, Ordered: true,
				Rows: [][]string{
					{"Terraria", "82227"}, {"Rust", "61032"}, {"Rocket League", "51084"}, {"Undertale", "49812"}, {"Starbound", "36134"},
				},
			}}},
			{Query: "q4", Why: "which reviews are in English depends on the language model"},
			{
				Query: "q5", Why: "only the number of games is published",
				Alternatives: []datasets.Alternative{{Count: 392}},
			},
		},
	}
}
