// Package published compares answers with those published for the full files of a data set.
package published

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"analyzer/columnar/size"
	"analyzer/datasets"
)

// Answer is an answer as decoded from JSON.
type Answer struct {
	Columns []string            `json:"columns"`
	Rows    [][]json.RawMessage `json:"rows"`
}

// Verdict says how an answer compares.
type Verdict string

// The verdicts.
const (
	OK            Verdict = "ok"
	Differs       Verdict = "differs"
	NotComparable Verdict = "not comparable"
)

// Result is the comparison of one query's answer.
type Result struct {
	Query   string
	Verdict Verdict
	Detail  string
}

// Compare compares answers in JSON, as a run writes them, with the published ones.
func Compare(text io.Reader, p datasets.Published) ([]Result, error) {
	var answers map[string]Answer
	if err := json.NewDecoder(text).Decode(&answers); err != nil {
		return nil, fmt.Errorf("read the answers: %w", err)
	}
	var results []Result
	for _, known := range p.Answers {
		if a, ok := answers[known.Query]; ok {
			results = append(results, compare(a, known))
		}
	}
	return results, nil
}

// Known reads the expected answer to a query from a file that a run has written in JSON.
func Known(query string, text io.Reader) (known datasets.PublishedAnswer, err error) {
	known.Query = query
	var answers map[string]Answer
	if err := json.NewDecoder(text).Decode(&answers); err != nil {
		return known, fmt.Errorf("read the answer of %s: %w", query, err)
	}
	a, ok := answers[query]
	if !ok {
		return known, fmt.Errorf("read the answer of %s: it is not there", query)
	}
	want := datasets.Alternative{Count: len(a.Rows), Columns: a.Columns, Ordered: true}
	for _, row := range a.Rows {
		line, err := choose(a.Columns, row, a.Columns)
		if err != nil {
			return known, fmt.Errorf("read the answer of %s: %w", query, err)
		}
		want.Rows = append(want.Rows, []string{line})
	}
	known.Alternatives = []datasets.Alternative{want}
	return known, nil
}

func compare(a Answer, known datasets.PublishedAnswer) Result {
	r := Result{Query: known.Query, Verdict: NotComparable, Detail: known.Why}
	if len(known.Alternatives) == 0 {
		return r
	}
	var differences []string
	for _, alternative := range known.Alternatives {
		difference := differ(a, alternative)
		if difference == "" {
			r.Verdict, r.Detail = OK, describe(alternative, known.Why)
			return r
		}
		if alternative.Copy != "" {
			difference = fmt.Sprintf("for %s: %s", alternative.Copy, difference)
		}
		differences = append(differences, difference)
	}
	r.Verdict, r.Detail = Differs, strings.Join(differences, "; ")
	return r
}

func describe(a datasets.Alternative, why string) string {
	detail := size.Plural(int64(a.Count), "row") + " as published"
	if a.Copy != "" {
		detail += " for " + a.Copy
	}
	if why != "" {
		detail += "; " + why
	}
	return detail
}

// differ returns the first difference, or "".
func differ(a Answer, want datasets.Alternative) string {
	if len(a.Rows) != want.Count {
		return fmt.Sprintf("%s, published are %s", size.Plural(int64(len(a.Rows)), "row"), size.Count(int64(want.Count)))
	}
	if len(want.Columns) == 0 {
		return ""
	}
	got := make([]string, len(a.Rows))
	for i, row := range a.Rows {
		line, err := choose(a.Columns, row, want.Columns)
		if err != nil {
			return err.Error()
		}
		got[i] = line
	}
	expected := make([]string, len(want.Rows))
	for i, row := range want.Rows {
		expected[i] = strings.Join(row, " | ")
	}
	if want.Ordered {
		for i := range expected {
			if !matches(got[i], expected[i]) {
				return fmt.Sprintf("row %d is %q, published is %q", i+1, got[i], expected[i])
			}
		}
		return ""
	}
	for _, e := range expected {
		i := slices.IndexFunc(got, func(g string) bool { return matches(g, e) })
		if i < 0 {
			return fmt.Sprintf("%q is missing, and %q is there instead", e, unexpected(got, expected))
		}
		got = slices.Delete(got, i, i+1)
	}
	return ""
}

// unexpected returns a row that is not among the expected ones.
func unexpected(got, expected []string) string {
	for _, g := range got {
		if !slices.ContainsFunc(expected, func(e string) bool { return matches(g, e) }) {
			return g
		}
	}
	return got[0]
}

func matches(got, expected string) bool {
	if prefix, ok := strings.CutSuffix(expected, "…"); ok {
		return strings.HasPrefix(got, prefix)
	}
	return got == expected
}

// choose returns the values of the wanted columns of a row, as text.
func choose(columns []string, row []json.RawMessage, wanted []string) (string, error) {
	values := make([]string, len(wanted))
	for i, name := range wanted {
		at := slices.Index(columns, name)
		if at < 0 || at >= len(row) {
			return "", fmt.Errorf("there is no column %q", name)
		}
		values[i] = string(row[at])
		if len(row[at]) > 0 && row[at][0] == '"' {
			if err := json.Unmarshal(row[at], &values[i]); err != nil {
				return "", err
			}
		}
	}
	return strings.Join(values, " | "), nil
}

// Partial returns the tables with so few or so many rows that they cannot be copies of the
// full files.
func Partial(rows map[string]int64, p datasets.Published) []string {
	var out []string
	for table, n := range rows {
		full := p.Rows[table]
		if full > 0 && (n < full*9/10 || n > full*11/10) {
			out = append(out, fmt.Sprintf("%s has %s, the full file about %s", table, size.Plural(n, "row"), size.Count(full)))
		}
	}
	slices.Sort(out)
	return out
}
