// Package movies describes The Movies Dataset as published on Kaggle by
// rounakbanik: movies_metadata.csv, ratings.csv and credits.csv, and five
// queries over them.
//
// A rating's movieId joins a film's id directly, as the published answers do;
// links.csv is not used.
package movies
