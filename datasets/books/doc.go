// Package books describes Amazon Books Reviews as published on Kaggle by
// mohamedbakhet: books_data.csv and Books_rating.csv, and five queries over
// them. A review names its book by title.
package books
