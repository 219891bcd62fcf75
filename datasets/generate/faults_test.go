package generate

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// symptoms says how to recognise each fault of the published files in a record.
var symptoms = map[string]map[string]func(record) bool{
	"movies_metadata.csv": {
		"line feed inside a cell":           holds("overview", "\n\n"),
		"CR LF inside a cell":               holds("overview", "\r\n"),
		"CR inside a cell":                  matches("overview", `\r[^\n]`),
		"quotes inside a cell":              holds("overview", `"`),
		"no overview":                       is("overview", ""),
		"No overview found.":                is("overview", "No overview found."),
		"head of a record cut in two":       func(r record) bool { return len(r.cells) == 10 },
		"tail: prose, a date and a picture": tail,
		"tail that was filled up":           func(r record) bool { return tail(r) && len(r.cells) == metadataCells },
		"tail that is short":                func(r record) bool { return tail(r) && len(r.cells) < metadataCells },
		"apostrophe in a Python string":     holds("production_companies", `"Loew's Incorporated"`),
		"quotes in a Python string":         holds("production_companies", `'Film "Zenit" Studio'`),
		"both in a Python string":           holds("production_companies", `'O\'Malley "Big Sky" Pictures'`),
		"None":                              holds("belongs_to_collection", "None"),
		"no genres":                         is("genres", "[]"),
		"no companies":                      is("production_companies", "[]"),
		"no countries":                      is("production_countries", "[]"),
		"a list without its end":            matches("genres", `^\[[^\]]*$`),
		"no release date":                   is("release_date", ""),
		"10/30/1995":                        matches("release_date", `^\d{1,2}/\d{1,2}/\d{4}$`),
		"30-10-1995":                        matches("release_date", `^\d{2}-\d{2}-\d{4}$`),
		"81 for 81.0":                       matches("runtime", `^\d+$`),
		"no runtime":                        is("runtime", ""),
		"a budget of one":                   is("budget", "1"),
		"title in another script":           matches("original_title", `[\p{Han}\p{Cyrillic}\p{Hangul}]`),
	},
	"credits.csv": {
		"a cell of tens of kilobytes":   func(r record) bool { return len(r.get("crew")) > 20_000 },
		"nobody":                        is("cast", "[]"),
		"None":                          holds("cast", "'profile_path': None"),
		"apostrophe in a Python string": matches("cast", `"[^"]*'s Mother"`),
		"quotes in a Python string":     matches("cast", `'character': '\w+ "\w+" \w+'`),
		"both in a Python string":       matches("cast", `'[^']*\\'[^']*"`),
		"no-break space":                holds("cast", `Captain\xa0`),
		"backslash":                     matches("cast", `'Robot N\\\\\d+'`),
	},
	"ratings.csv": {
		"half stars": matches("rating", `\.5$`),
	},
	"games.csv": {
		"40 values under 39 names": func(r record) bool { return len(r.cells) == 40 },
		"Oct 21, 2008":             matches("Release date", `^[A-Z][a-z]{2} \d{1,2}, \d{4}$`),
		"May 2020":                 matches("Release date", `^[A-Z][a-z]{2} \d{4}$`),
		"name in another script":   matches("Name", `[\p{Han}\p{Hiragana}\p{Hangul}\p{Cyrillic}]`),
		"no genres":                is("Genres", ""),
		"no name":                  is("Name", ""),
		"line feed inside a cell":  holds("About the game", "\n\n"),
		"CR LF inside a cell":      holds("About the game", "\r\n"),
		"CR inside a cell":         matches("About the game", `\r[^\n]`),
		"quotes inside a cell":     holds("About the game", `"`),
	},
	"reviews.csv": {
		"no app_name":             is("app_name", ""),
		"no review_text":          is("review_text", ""),
		"Early Access Review":     is("review_text", " Early Access Review"),
		"app_id of no known game": matches("app_id", `5$`),
		"line feed inside a cell": holds("review_text", "\n\n"),
		"CR LF inside a cell":     holds("review_text", "\r\n"),
		"CR inside a cell":        matches("review_text", `\r[^\n]`),
		"quotes inside a cell":    holds("review_text", `"`),
		"Chinese":                 matches("review_text", `\p{Han}`),
		"Russian":                 matches("review_text", `\p{Cyrillic}`),
		"Korean":                  matches("review_text", `\p{Hangul}`),
		"Spanish":                 holds("review_text", "juego"),
		"German":                  holds("review_text", "Spiel"),
	},
	"books_data.csv": {
		"1996":                      matches("publishedDate", `^\d{4}$`),
		"2004-07":                   matches("publishedDate", `^\d{4}-\d{2}$`),
		"2005-01-01":                matches("publishedDate", `^\d{4}-\d{2}-\d{2}$`),
		"1963*":                     matches("publishedDate", `^\d{4}\*$`),
		"197?":                      matches("publishedDate", `^\d{3}\?$`),
		"2004-?":                    matches("publishedDate", `^\d{4}-\?$`),
		"no date":                   is("publishedDate", ""),
		"no title":                  is("Title", ""),
		"no authors":                is("authors", ""),
		"no categories":             is("categories", ""),
		"no publisher":              is("publisher", ""),
		"&amp; in a title":          holds("Title", "&amp;"),
		"&#39; in a title":          holds("Title", "&#39;"),
		"quotes in a title":         holds("Title", `"`),
		"apostrophe in an author":   matches("authors", `"\S+ [A-Z]'\w+"`),
		"two kinds of quotes":       matches("authors", `".*', '|".*, '`),
		"line feed inside a cell":   holds("description", "\n\n"),
		"CR LF inside a cell":       holds("description", "\r\n"),
		"CR inside a cell":          matches("description", `\r[^\n]`),
		"a line break spelt out":    holds("description", `\r\n\r\n`),
		"apostrophe in a category":  holds("categories", `"Children's stories"`),
		"distributed, not computer": func(r record) bool { return distributed(r) && r.get("categories") != "['Computers']" },
	},
	"Books_rating.csv": {
		"quotes in a profile name": matches("profileName", `^\S+ \S+ ".+"$`),
		"no reader":                func(r record) bool { return r.get("User_id") == "" && r.get("profileName") == "" },
		"helpfulness":              matches("review/helpfulness", `^\d+/\d+$`),
		"no title":                 is("Title", ""),
		"a book nobody listed":     is("Title", "A Book That Nobody Listed"),
		"no price":                 is("Price", ""),
		"entities in a text":       holds("review/text", "&quot;"),
		"line feed inside a cell":  holds("review/text", "\n\n"),
		"CR LF inside a cell":      holds("review/text", "\r\n"),
		"CR inside a cell":         matches("review/text", `\r[^\n]`),
	},
}

func is(column, value string) func(record) bool {
	return func(r record) bool { return r.columns[column] < len(r.cells) && r.get(column) == value }
}

func holds(column, part string) func(record) bool {
	return func(r record) bool { return strings.Contains(r.get(column), part) }
}

func matches(column, pattern string) func(record) bool {
	re := regexp.MustCompile(pattern)
	return func(r record) bool { return re.MatchString(r.get(column)) }
}

// tail recognises the second half of a movie record that was cut in two.
func tail(r record) bool {
	return len(r.get("adult")) > 5 && strings.HasSuffix(r.get("budget"), ".jpg") && len(r.get("id")) == len("1997-08-20")
}

func distributed(r record) bool {
	return strings.Contains(strings.ToLower(r.get("Title")), "distributed")
}

func TestEveryFaultOccurs(t *testing.T) {
	for _, o := range []Options{{Scale: 0.01, Seed: 1}, {Scale: 0.01, Seed: 2}, {Scale: 0.0001, Seed: 1}, {Scale: 0.0001, Seed: 3}} {
		for _, d := range datasets {
			for name, content := range generateFiles(t, d.run, o) {
				records := parse(t, content)
				for fault, found := range symptoms[name] {
					if !slices.ContainsFunc(records, found) {
						t.Errorf("scale %v, seed %d: %s: %s: not in %d records", o.Scale, o.Seed, name, fault, len(records))
					}
				}
			}
		}
	}
}

func TestThreeMovieRecordsAreCutInTwo(t *testing.T) {
	for _, scale := range []float64{0.0001, 0.01, 0.1} {
		heads, tails := 0, 0
		for _, r := range parse(t, generateFiles(t, Movies, Options{Scale: scale, Seed: 5})["movies_metadata.csv"]) {
			switch {
			case tail(r):
				tails++
			case r.get("title") == "":
				heads++
			}
		}
		if heads != 3 || tails != 3 {
			t.Errorf("scale %v: %d heads and %d tails, want 3 of each", scale, heads, tails)
		}
	}
}

func TestIDsRepeatAndAreWhole(t *testing.T) {
	files := generateFiles(t, Movies, Options{Scale: 0.01, Seed: 1})
	for _, name := range []string{"movies_metadata.csv", "credits.csv"} {
		seen := map[string]int{}
		for _, r := range parse(t, files[name]) {
			seen[r.get("id")]++
		}
		repeated := 0
		for id, n := range seen {
			if n > 1 {
				repeated++
			}
			if strings.Contains(id, ".") {
				t.Errorf("%s: id %q", name, id)
			}
		}
		if repeated == 0 {
			t.Errorf("%s: no id stands twice", name)
		}
	}
}

func TestQuotesStandOnlyInQuotedCells(t *testing.T) {
	bare := regexp.MustCompile(`(?:^|[,\n])[^",\n]+"`) // in a file without quoted cells
	quoted := regexp.MustCompile(`"(?:[^"]|"")*"`)
	for _, d := range datasets {
		for name, content := range generateFiles(t, d.run, Options{Scale: 0.001, Seed: 4}) {
			if at := bare.Find(quoted.ReplaceAll(content, nil)); at != nil {
				t.Errorf("%s: a quote in an unquoted cell: %q", name, at)
			}
			if bytes.IndexByte(content, 0) >= 0 {
				t.Errorf("%s holds a NUL", name)
			}
		}
	}
}
