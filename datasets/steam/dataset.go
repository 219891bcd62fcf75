// Package steam describes two data sets published on Kaggle, games.csv by
// fronkongames (steam-games-dataset) and reviews.csv by andrewmvd
// (steam-reviews), and five queries over them.
//
// The header of games.csv has one name too few: "DiscountDLC count" stands over
// the two columns Discount and DLC count.
package steam

import (
	"embed"

	"analyzer/datasets"
	"analyzer/datasets/generate"
)

//go:embed samples
var samples embed.FS

// New describes the data set.
func New() *datasets.Dataset {
	return &datasets.Dataset{
		Source: datasets.Source{
			Name: "steam", Title: "Steam games and reviews (Kaggle, fronkongames and andrewmvd)",
			Tables: tables(), Queries: queries(), Samples: datasets.SamplesIn(samples),
		},
		Published: published(), Generate: generate.Steam,
	}
}
