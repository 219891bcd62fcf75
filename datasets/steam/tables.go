package steam

import "analyzer/columnar"

// Names of the tables.
const (
	Games   = "games"
	Reviews = "reviews"
)

func tables() []*columnar.Table {
	return []*columnar.Table{
		{
			Name: Games, Files: []string{"games.csv"},
			Columns: []columnar.TableColumn{
				{Name: "app_id", Header: "AppID", Format: columnar.FormatInt, Required: true},
				{Name: "name", Header: "Name", Format: columnar.FormatText, Required: true},
				{Name: "windows", Header: "Windows", Format: columnar.FormatBool, Required: true},
				{Name: "mac", Header: "Mac", Format: columnar.FormatBool, Required: true},
				{Name: "linux", Header: "Linux", Format: columnar.FormatBool, Required: true},
				{Name: "genres", Header: "Genres", Format: columnar.FormatCommaList, Required: true},
				{Name: "release_date", Header: "Release date", Format: columnar.FormatText, Required: true},
				{Name: "average_playtime_forever", Header: "Average playtime forever", Format: columnar.FormatInt, Required: true},
				{Name: "positive", Header: "Positive", Format: columnar.FormatText, Required: true},
				{Name: "negative", Header: "Negative", Format: columnar.FormatText, Required: true},
			},
			Fixes: []columnar.HeaderFix{{Name: "DiscountDLC count", Become: []string{"Discount", "DLC count"}}},
		},
		{
			Name: Reviews, Files: []string{"reviews.csv", "dataset.csv"},
			Columns: []columnar.TableColumn{
				{Name: "app_id", Header: "app_id", Format: columnar.FormatInt, Required: true},
				{Name: "review_text", Header: "review_text", Format: columnar.FormatText, Required: true},
				{Name: "review_score", Header: "review_score", Format: columnar.FormatInt, Required: true},
			},
		},
	}
}
