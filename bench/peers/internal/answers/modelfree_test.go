package answers

import "testing"

func table(t *testing.T, columns, rows string) Table {
	t.Helper()
	return one(t, columns, rows)["q1"]
}

func TestCheckMoviesSentiment(t *testing.T) {
	eligible := table(t, `["id", "ratio"]`, `[[1, 2.0], [2, 4.0], [3, 0.5]]`)
	tests := map[string]struct {
		rows string
		ok   bool
	}{
		"two groups":        {`[["negative", 0.5, 1], ["positive", 3, 2]]`, true},
		"one group":         {`[["positive", 2.1666666666666665, 3]]`, true},
		"a film too few":    {`[["negative", 0.5, 1], ["positive", 6, 1]]`, false},
		"sum of ratios off": {`[["negative", 0.5, 1], ["positive", 3.1, 2]]`, false},
		"unknown label":     {`[["neutral", 0.5, 1], ["positive", 3, 2]]`, false},
		"no rows":           {`[]`, false},
	}
	for name, tt := range tests {
		found := CheckMoviesSentiment(table(t, `["sentiment", "mean_ratio", "movies"]`, tt.rows), eligible)
		if (len(found) == 0) != tt.ok {
			t.Errorf("%s: %v, want ok %v", name, found, tt.ok)
		}
	}
	if found := CheckMoviesSentiment(Table{}, Table{}); len(found) != 0 {
		t.Errorf("no films at all: %v", found)
	}
}

func TestCheckBooksSentiment(t *testing.T) {
	candidates := table(t, `["title", "reviews"]`,
		`[["a", 1], ["b", 1], ["c", 2], ["d", 1], ["e", 1], ["f", 1], ["g", 1], ["h", 1], ["i", 1], ["j", 1], ["k", 9]]`)
	tests := map[string]struct {
		rows string
		ok   bool
	}{
		"the least there can be": {`[["a", 0.5], ["k", 0.25]]`, true},
		"more, by ties":          {`[["a", 0.5], ["b", 0.5], ["k", 0.5]]`, true},
		"too few":                {`[["a", 0.5]]`, false},
		"title not reviewed":     {`[["a", 0.5], ["z", 0.25]]`, false},
		"out of order":           {`[["k", 0.5], ["a", 0.25]]`, false},
		"twice":                  {`[["a", 0.5], ["a", 0.5]]`, false},
		"mean over one":          {`[["a", 1.5], ["k", 0.25]]`, false},
		"mean is text":           {`[["a", "0.5"], ["k", 0.25]]`, false},
	}
	for name, tt := range tests {
		found := CheckBooksSentiment(table(t, `["title", "mean_sentiment"]`, tt.rows), candidates, 0.9)
		if (len(found) == 0) != tt.ok {
			t.Errorf("%s: %v, want ok %v", name, found, tt.ok)
		}
	}
	if found := CheckBooksSentiment(Table{}, Table{}, 0.9); len(found) != 0 {
		t.Errorf("no titles at all: %v", found)
	}
}
