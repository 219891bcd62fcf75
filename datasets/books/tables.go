package books

import "analyzer/columnar"

// Names of the tables.
const (
	Books   = "books"
	Reviews = "reviews"
)

func tables() []*columnar.Table {
	return []*columnar.Table{
		{
			Name: Books, Files: []string{"books_data.csv"},
			Columns: []columnar.TableColumn{
				{Name: "title", Header: "Title", Format: columnar.FormatText, Required: true},
				{Name: "authors", Header: "authors", Format: columnar.FormatTexts, Required: true},
				{Name: "categories", Header: "categories", Format: columnar.FormatTexts, Required: true},
				{Name: "published_date", Header: "publishedDate", Format: columnar.FormatYear, Required: true},
				{Name: "publisher", Header: "publisher", Format: columnar.FormatText},
			},
		},
		{
			Name: Reviews, Files: []string{"Books_rating.csv"},
			Columns: []columnar.TableColumn{
				{Name: "title", Header: "Title", Format: columnar.FormatText, Required: true},
				{Name: "score", Header: "review/score", Format: columnar.FormatDecimal, Required: true},
				{Name: "text", Header: "review/text", Format: columnar.FormatText},
			},
		},
	}
}
