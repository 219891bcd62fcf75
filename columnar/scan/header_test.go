package scan

import (
	"errors"
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"

	"analyzer/columnar"
)

var gamesTable = &columnar.Table{
	Name: "games", Files: []string{"games.csv"},
	Columns: []columnar.TableColumn{
		{Name: "app_id", Header: "AppID", Format: columnar.FormatInt, Required: true},
		{Name: "name", Header: "Name", Format: columnar.FormatText, Required: true},
		{Name: "windows", Header: "Windows", Format: columnar.FormatBool, Required: true},
		{Name: "genres", Header: "Genres", Format: columnar.FormatCommaList, Required: true},
		{Name: "playtime", Header: "Average playtime forever", Format: columnar.FormatDecimal, Required: true},
		{Name: "dlc", Header: "DLC count", Format: columnar.FormatInt},
	},
	Fixes: []columnar.HeaderFix{{Name: "DiscountDLC count", Become: []string{"Discount", "DLC count"}}},
}

// TestSteamHeaders reads the three headers that copies of games.csv have.
func TestSteamHeaders(t *testing.T) {
	for name, mended := range map[string]bool{"buggy.csv": true, "hidden.csv": true, "fixed.csv": false} {
		data, err := os.ReadFile("testdata/" + name)
		if err != nil {
			t.Fatal(err)
		}
		got, err := collect(memFile(t, "games.csv", data), gamesTable, Options{}, 1, nil)
		if err != nil {
			t.Fatal(name, err)
		}
		want := [][]string{
			{"20200", `"Galactic Bowling"`, "true", `["casual" "indie" "sports"]`, "0", "0"},
			{"655370", `"Train \"Bandit\""`, "true", `["action" "indie"]`, "12000000", "3"},
		}
		if !reflect.DeepEqual(got.rows, want) {
			t.Errorf("%s: %v", name, got.rows)
		}
		if len(got.stats.Warnings)+len(got.stats.Rejected) > 0 || mended != (len(got.stats.Notices) == 1) {
			t.Errorf("%s: %+v", name, got.stats)
		}
		if mended && !strings.Contains(got.stats.Notices[0], `"DiscountDLC count" stands for 2 columns`) {
			t.Errorf("%s: %q", name, got.stats.Notices)
		}
	}
}

func TestHeaderErrors(t *testing.T) {
	for _, c := range []struct{ header, reason, message string }{
		{"userId,rating", ReasonMissingColumns, `the header lacks "movieId"; it has "userId", "rating"`},
		{"movieid,Rating", ReasonMissingColumns, `lacks "movieId", "rating"`},
		{"userId;movieId;rating", ReasonDelimiter, "separated by semicolons"},
		{`"userId";"movieId";"rating"`, ReasonDelimiter, "separated by semicolons"},
		{"userId\tmovieId\trating", ReasonDelimiter, "separated by tabs"},
		{"userId|movieId|rating", ReasonDelimiter, "separated by bars"},
		{"movieId,rating,movieId", ReasonRepeatedColumn, `column "movieId": the header has this name twice`},
		{strings.Repeat("x,", 500), ReasonMissingColumns, "and 401 more"},
		{"%PDX-1.4 \x80\xff,", ReasonMissingColumns, `"%PDX-1.4 ��"`},
	} {
		_, err := Open(t.Context(), memFile(t, "ratings.csv", []byte(c.header+"\n1,2,3\n")), ratingsTable, []string{"rating"}, Options{})
		var e *InputError
		if !errors.As(err, &e) || e.Reason != c.reason || !strings.Contains(err.Error(), c.message) || e.File != "ratings.csv" || e.Line != 1 {
			t.Errorf("%q: %v", c.header, err)
		}
	}
	_, err := Open(t.Context(), memFile(t, "r.csv", []byte("movieId,rating\n")), ratingsTable, []string{"nonsense"}, Options{})
	if err == nil || !strings.Contains(err.Error(), `table ratings has no column "nonsense"`) {
		t.Error(err)
	}
	// A column that is not required is missed only where it is asked for.
	f := memFile(t, "r.csv", []byte(" movieId ,extra,rating\n1,,2\n"))
	if _, err := Open(t.Context(), f, ratingsTable, []string{"user_id"}, Options{}); err == nil || !strings.Contains(err.Error(), `lacks "userId"`) {
		t.Error(err)
	}
	s, err := Open(t.Context(), f, ratingsTable, []string{"rating", "movie_id"}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if got := fmt.Sprint(s.Schema()); got != "rating decimal, movie_id int" {
		t.Error(got)
	}
}
