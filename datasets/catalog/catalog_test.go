package catalog

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"

	"analyzer/datasets"
	"analyzer/operators/query/plan"
)

// answerColumns are the columns of each answer.
func answerColumns() map[string]string {
	return map[string]string{
		"movies q1": "id int, title text, genres textlist",
		"movies q2": "country text, budget wide",
		"movies q3": "which text, id int, title text, mean_rating float",
		"movies q4": "actor text, movies int",
		"movies q5": "sentiment text, mean_ratio float, movies int",
		"steam q1":  "windows int, mac int, linux int",
		"steam q2":  "app_id int, name text, average_playtime_forever int",
		"steam q3":  "app_id int, name text, positive_reviews int",
		"steam q4":  "app_id int, name text, positive_reviews int",
		"steam q5":  "app_id int, name text, negative_reviews int",
		"books q1":  "title text, authors textlist, publisher text",
		"books q2":  "author text, decades int",
		"books q3":  "title text, authors textlist, reviews int",
		"books q4":  "title text, mean_score float, reviews int",
		"books q5":  "title text, mean_sentiment float",
	}
}

// defaults are the parameters of each data set's queries.
func defaults() map[string]string {
	return map[string]string{
		"movies": "q1.countries=Argentina,Spain q1.from_year=2000 q1.to_year=2009 q2.top=5 q3.country=Argentina q3.since_year=2000 " +
			"q4.country=Argentina q4.since_year=2000 q4.top=10 q5.english_us_since_2000=false q5.sentiment=lexicon",
		"steam": "q2.genre=indie q2.from_year=2010 q2.to_year=2019 q2.top=10 q3.genre=indie q3.top=5 q4.genre=action q4.language=en " +
			"q4.min_positive=50000 q5.genre=action q5.percentile=0.9",
		"books": "q1.category=Computers q1.from_year=2000 q1.to_year=2023 q1.word=distributed q2.min_decades=10 q3.from_year=1990 " +
			"q3.to_year=1999 q3.min_reviews=500 q4.from_year=1990 q4.to_year=1999 q4.min_reviews=500 q4.top=10 " +
			"q5.category=Fiction q5.percentile=0.9 q5.sentiment=lexicon",
	}
}

func TestQueriesHaveTheirColumns(t *testing.T) {
	want := answerColumns()
	for _, d := range All() {
		for _, q := range d.Queries {
			schema, err := q.Root.Schema(d.TableMap())
			if err != nil {
				t.Fatalf("%s %s: %v", d.Name, q.Name, err)
			}
			name := d.Name + " " + q.Name
			if got := schema.String(); got != want[name] {
				t.Errorf("%s has columns %s, not %s", name, got, want[name])
			}
			delete(want, name)
			if q.Title == "" {
				t.Errorf("%s has no title", name)
			}
		}
	}
	if len(want) > 0 {
		t.Errorf("there are no queries %v", want)
	}
}

func TestParametersHaveTheirDefaults(t *testing.T) {
	for _, d := range All() {
		var got []string
		for _, q := range d.Queries {
			for _, p := range q.Params {
				got = append(got, fmt.Sprintf("%s.%s=%s", q.Name, p.Name, p.Default))
			}
		}
		if want := defaults()[d.Name]; strings.Join(got, " ") != want {
			t.Errorf("%s has parameters %q, not %q", d.Name, got, want)
		}
	}
}

// TestSettingsAreChecked checks the errors for wrong parameters, and their positions.
func TestSettingsAreChecked(t *testing.T) {
	for want, settings := range map[string]datasets.Settings{
		"q2.sql: line 8, column 7: parameter top=many: 'many' is no BIGINT":           {"top": "many"},
		"q2.sql: line 8, column 7: a limit is a whole number from 0 on":               {"q2.top": "-1"},
		"q5.sql: line 4, column 1: parameter q5.sentiment=mine: expected one of lexi": {"q5.sentiment": "mine"},
	} {
		d, err := Find("movies", settings)
		if err != nil {
			t.Fatal(err)
		}
		_, err = d.Select()
		wantError(t, err, want)
		if _, err = d.Select("q1"); err != nil {
			t.Errorf("of a query that is not asked for: %v", err)
		}
	}
}

func TestPlansTravel(t *testing.T) {
	for _, d := range All() {
		for _, q := range d.Queries {
			text, err := json.Marshal(q)
			if err != nil {
				t.Fatal(err)
			}
			var back plan.Query
			if err := json.Unmarshal(text, &back); err != nil {
				t.Fatalf("%s %s: %v", d.Name, q.Name, err)
			}
			again, err := json.Marshal(&back)
			if err != nil {
				t.Fatal(err)
			}
			if string(again) != string(text) {
				t.Errorf("%s %s changes on its way:\n%s\n%s", d.Name, q.Name, text, again)
			}
		}
	}
}

// TestBooksShareTheirReviews checks that q3 and q4 of books share a plan up to the last
// steps, so that it is computed once.
func TestBooksShareTheirReviews(t *testing.T) {
	d, err := Find("books", datasets.Settings{"min_reviews": "3"})
	if err != nil {
		t.Fatal(err)
	}
	bind := func(name string) *plan.Node {
		queries, err := d.Select(name)
		if err != nil {
			t.Fatal(err)
		}
		return queries[0].Root
	}
	filter := func(n *plan.Node) string {
		for n.Op != plan.Filter {
			n = n.Inputs[0]
		}
		text, err := json.Marshal(n)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	if q3, q4 := filter(bind("q3")), filter(bind("q4")); q3 != q4 {
		t.Errorf("q3 and q4 begin differently:\n%s\n%s", q3, q4)
	}
}

func TestPublishedAnswersFitTheQueries(t *testing.T) {
	for _, d := range All() {
		if len(d.Published.Answers) != len(d.Queries) {
			t.Errorf("%s has %d queries and %d published answers", d.Name, len(d.Queries), len(d.Published.Answers))
		}
		for i, p := range d.Published.Answers {
			if p.Query != d.Queries[i].Name {
				t.Errorf("%s: published answer %d is to %s", d.Name, i+1, p.Query)
			}
			if len(p.Alternatives) == 0 && p.Why == "" {
				t.Errorf("%s %s is not published, and nothing says why", d.Name, p.Query)
			}
			for _, a := range p.Alternatives {
				checkAlternative(t, d, p.Query, a)
			}
		}
		for _, table := range d.Tables {
			if d.Published.Rows[table.Name] == 0 {
				t.Errorf("%s: the rows of %s are not known", d.Name, table.Name)
			}
		}
	}
}

func checkAlternative(t *testing.T, d *datasets.Dataset, query string, a datasets.Alternative) {
	t.Helper()
	columns := answerColumns()[d.Name+" "+query]
	for _, c := range a.Columns {
		if !strings.Contains(", "+columns, ", "+c+" ") {
			t.Errorf("%s %s has no column %s", d.Name, query, c)
		}
	}
	if a.Rows != nil && len(a.Rows) != a.Count {
		t.Errorf("%s %s has %d rows, counted as %d", d.Name, query, len(a.Rows), a.Count)
	}
	for _, row := range a.Rows {
		if len(row) != len(a.Columns) {
			t.Errorf("%s %s: row %q has not %d values", d.Name, query, row, len(a.Columns))
		}
	}
}

func TestSamplesHoldEveryTable(t *testing.T) {
	for _, d := range All() {
		files, err := fs.ReadDir(d.Samples, ".")
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, f := range files {
			names = append(names, strings.TrimSuffix(strings.TrimSuffix(f.Name(), ".zst"), ".gz"))
		}
		for _, table := range d.Tables {
			if !slices.Contains(names, table.Files[0]) {
				t.Errorf("%s has no sample of %s among %q", d.Name, table.Files[0], names)
			}
		}
	}
}

func TestNamesAreThoseOfTheDataSets(t *testing.T) {
	var names []string
	for _, d := range All() {
		names = append(names, d.Name)
	}
	if !slices.Equal(names, Names()) {
		t.Errorf("the names are %v, those of the data sets %v", Names(), names)
	}
}

func TestUnknownNamesListTheKnown(t *testing.T) {
	_, err := Find("music", nil)
	wantError(t, err, "movies, steam, books")
	d, err := Find("steam", nil)
	if err != nil {
		t.Fatal(err)
	}
	_, err = d.Select("q1", "q9")
	wantError(t, err, `no query "q9"`, "q1, q2, q3, q4, q5")
	_, err = d.Table("game")
	wantError(t, err, `no table "game"`, "games, reviews")
	queries, err := d.Select("q3", "q1")
	if err != nil || len(queries) != 2 || queries[0].Name != "q1" {
		t.Errorf("q3 and q1 are %v, %v", queries, err)
	}
}

func wantError(t *testing.T, err error, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("error %v does not say %q", err, part)
		}
	}
}
