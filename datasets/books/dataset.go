// Package books describes Amazon Books Reviews as published on Kaggle by
// mohamedbakhet: books_data.csv and Books_rating.csv, and five queries over
// them. A review names its book by title.
package books

import (
	"embed"
	"fmt"
	"io/fs"

	"analyzer/datasets"
	"analyzer/datasets/generate"
)

//go:embed samples
var samples embed.FS

// New describes the data set.
func New() *datasets.Dataset {
	files, err := fs.Sub(samples, "samples")
	if err != nil {
		panic(fmt.Sprintf("books: %v", err)) // the name above is valid
	}
	return &datasets.Dataset{
		Source: datasets.Source{
			Name: "books", Title: "Amazon Books Reviews (Kaggle, mohamedbakhet)",
			Tables: tables(), Queries: queries(), Samples: files,
		},
		Published: published(), Generate: generate.Books,
	}
}
