package movies

import "analyzer/columnar"

// Names of the tables.
const (
	Movies  = "movies"
	Ratings = "ratings"
	Credits = "credits"
)

func tables() []*columnar.Table {
	return []*columnar.Table{
		{
			Name: Movies, Files: []string{"movies_metadata.csv"},
			Columns: []columnar.TableColumn{
				{Name: "id", Header: "id", Format: columnar.FormatInt, Required: true},
				{Name: "title", Header: "title", Format: columnar.FormatText, Required: true},
				{Name: "genres", Header: "genres", Format: columnar.FormatNames, Required: true},
				{Name: "release_date", Header: "release_date", Format: columnar.FormatDate, Required: true},
				{Name: "overview", Header: "overview", Format: columnar.FormatText, Required: true},
				{Name: "countries", Header: "production_countries", Format: columnar.FormatNames, Required: true},
				{Name: "spoken_languages", Header: "spoken_languages", Format: columnar.FormatText, Required: true},
				{Name: "budget", Header: "budget", Format: columnar.FormatDecimal, Required: true},
				{Name: "revenue", Header: "revenue", Format: columnar.FormatDecimal, Required: true},
				{Name: "original_language", Header: "original_language", Format: columnar.FormatText},
			},
		},
		{
			Name: Ratings, Files: []string{"ratings.csv", "ratings_small.csv"},
			Columns: []columnar.TableColumn{
				{Name: "user_id", Header: "userId", Format: columnar.FormatInt},
				{Name: "movie_id", Header: "movieId", Format: columnar.FormatInt, Required: true},
				{Name: "rating", Header: "rating", Format: columnar.FormatDecimal, Required: true},
			},
		},
		{
			Name: Credits, Files: []string{"credits.csv"},
			Columns: []columnar.TableColumn{
				{Name: "id", Header: "id", Format: columnar.FormatInt, Required: true},
				{Name: "cast_names", Header: "cast", Format: columnar.FormatNames},
			},
		},
	}
}
