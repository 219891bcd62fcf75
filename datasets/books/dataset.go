// Package books describes Amazon Books Reviews as published on Kaggle by
// mohamedbakhet: books_data.csv and Books_rating.csv, and five queries over
// them. A review names its book by title.
package books

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
			Name: "books", Title: "Amazon Books Reviews (Kaggle, mohamedbakhet)",
			Tables: tables(), Queries: queries(), Samples: datasets.SamplesIn(samples),
		},
		Published: published(), Generate: generate.Books,
	}
}
