package published

import (
	"slices"
	"strings"
	"testing"

	"analyzer/datasets"
)

func known(alternatives ...datasets.Alternative) datasets.Published {
	return datasets.Published{
		Rows:    map[string]int64{"movies": 45_466, "ratings": 26_024_289},
		Answers: []datasets.PublishedAnswer{{Query: "q1", Alternatives: alternatives}},
	}
}

func TestCompare(t *testing.T) {
	countries := datasets.Alternative{
		Count: 2, Columns: []string{"country", "budget"}, Ordered: true,
		Rows: [][]string{{"France", "2256831838"}, {"Japan", "832585873.5"}},
	}
	titles := datasets.Alternative{Count: 2, Columns: []string{"title"}, Rows: [][]string{{"Roma"}, {"The Killer Angels (Turtleback …"}}}
	count := datasets.Alternative{Count: 1}
	small := datasets.Alternative{Copy: "ratings_small.csv", Count: 1, Columns: []string{"n"}, Rows: [][]string{{"7"}}, Ordered: true}
	big := datasets.Alternative{Count: 1, Columns: []string{"n"}, Rows: [][]string{{"8"}}, Ordered: true}
	tests := map[string]struct {
		answer  string
		known   []datasets.Alternative
		verdict Verdict
		detail  string
	}{
		"equal":         {`"columns": ["country", "budget"], "rows": [["France", 2256831838], ["Japan", 832585873.5]]`, []datasets.Alternative{countries}, OK, "2 rows as published"},
		"other order":   {`"columns": ["country", "budget"], "rows": [["Japan", 832585873.5], ["France", 2256831838]]`, []datasets.Alternative{countries}, Differs, "row 1"},
		"other number":  {`"columns": ["country", "budget"], "rows": [["France", 2256831839], ["Japan", 832585873.5]]`, []datasets.Alternative{countries}, Differs, "2256831839"},
		"row too few":   {`"columns": ["country", "budget"], "rows": [["France", 2256831838]]`, []datasets.Alternative{countries}, Differs, "1 row, published are 2"},
		"no column":     {`"columns": ["country", "money"], "rows": [["France", 2256831838], ["Japan", 1]]`, []datasets.Alternative{countries}, Differs, `"budget"`},
		"set":           {`"columns": ["id", "title"], "rows": [[1, "The Killer Angels (Turtleback School)"], [2, "Roma"]]`, []datasets.Alternative{titles}, OK, "2 rows"},
		"other title":   {`"columns": ["id", "title"], "rows": [[1, "The Killer Angels"], [2, "Roma"]]`, []datasets.Alternative{titles}, Differs, `"The Killer Angels" is there instead`},
		"repeated":      {`"columns": ["id", "title"], "rows": [[1, "Roma"], [2, "Roma"]]`, []datasets.Alternative{titles}, Differs, "is missing"},
		"count":         {`"columns": ["n"], "rows": [[1]]`, []datasets.Alternative{count}, OK, "1 row as published"},
		"first copy":    {`"columns": ["n"], "rows": [[8]]`, []datasets.Alternative{big, small}, OK, "1 row as published"},
		"second copy":   {`"columns": ["n"], "rows": [[7]]`, []datasets.Alternative{big, small}, OK, "for ratings_small.csv"},
		"neither copy":  {`"columns": ["n"], "rows": [[9]]`, []datasets.Alternative{big, small}, Differs, "for ratings_small.csv: row 1"},
		"not published": {`"columns": ["n"], "rows": [[9]]`, nil, NotComparable, ""},
	}
	for name, tt := range tests {
		results, err := Compare(strings.NewReader(`{"q1": {`+tt.answer+`}}`), known(tt.known...))
		if err != nil || len(results) != 1 {
			t.Fatalf("%s: %v, %v", name, results, err)
		}
		if r := results[0]; r.Verdict != tt.verdict || !strings.Contains(r.Detail, tt.detail) {
			t.Errorf("%s: %s, %q, want %s, %q", name, r.Verdict, r.Detail, tt.verdict, tt.detail)
		}
	}
}

func TestCompareOnlyWhatWasAsked(t *testing.T) {
	results, err := Compare(strings.NewReader(`{"q2": {"columns": [], "rows": []}}`), known())
	if err != nil || len(results) > 0 {
		t.Errorf("%v, %v", results, err)
	}
	if _, err := Compare(strings.NewReader(`{"q1": `), known()); err == nil {
		t.Error("half an answer was read without an error")
	}
}

func TestPartial(t *testing.T) {
	got := Partial(map[string]int64{"movies": 45_000, "ratings": 100_004, "other": 1}, known())
	if want := []string{"ratings has 100,004 rows, the full file about 26,024,289"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
