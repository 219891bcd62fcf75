// Package movies describes The Movies Dataset as published on Kaggle by
// rounakbanik: movies_metadata.csv, ratings.csv and credits.csv, and five
// queries over them.
//
// A rating's movieId joins a film's id directly, as the published answers do;
// links.csv is not used.
package movies

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
			Name: "movies", Title: "The Movies Dataset (Kaggle, rounakbanik)",
			Tables: tables(), Queries: queries(), Samples: datasets.SamplesIn(samples),
		},
		Published: published(), Generate: generate.Movies,
	}
}
