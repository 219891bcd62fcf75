package main

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

// A command that fails has counted what is wrong, and one that says nothing of what is counted is an error.
func TestScoreCounts(t *testing.T) {
	found := regexp.MustCompile(`(?P<right>\d+) equal(?:, (?P<refused>\d+) refused)?, (?P<wrong>\d+) differ`)
	for text, want := range map[string]struct {
		right, refused, wrong int
		fails                 bool
	}{
		"echo 3 equal, 1 refused, 2 differ":                                 {3, 1, 2, false},
		"echo 3 equal, 1 refused, 2 differ; echo 4 equal, 5 differ; exit 1": {7, 1, 7, true},
		"echo nothing":   {0, 0, 0, true},
		"echo no; false": {0, 0, 0, true},
	} {
		s := &score{What: "texts", run: command{name: "sh", argv: []string{"sh", "-c", text}}, found: found}
		if err := s.count(t.Context()); s.Right != want.right || s.Refused != want.refused || s.Wrong != want.wrong || (err != nil) != want.fails {
			t.Errorf("%s: %d right, %d refused, %d wrong, error %v", text, s.Right, s.Refused, s.Wrong, err)
		}
	}
	kinds := &score{What: "tables", run: command{name: "sh", argv: []string{"sh", "-c", "echo x_test.go:1: two words 3 exact 1 named 0 wrong; echo x_test.go:1: dots 4 exact 0 named 2 wrong"}}}
	kinds.found = messyLine()
	if err := kinds.count(t.Context()); err != nil || !slices.Equal(kinds.Kinds, []kind{{"dots", 4, 0, 2}, {"two words", 3, 1, 0}}) || kinds.Right != 7 {
		t.Errorf("by kind: %+v, %v", kinds, err)
	}
	if table := scoreTable(scoreboard{Scores: []*score{kinds}}); !strings.Contains(table, "\n| two words | 3 | 4 | 1 | 0 |\n") {
		t.Errorf("kinds are not in the table:\n%s", table)
	}
	all := scores(programs{})
	table := scoreTable(scoreboard{Day: "2026-11-28", Scores: all})
	if rows := strings.Count(table, "\n|"); rows != len(all)+1 || !strings.HasSuffix(table, "\n\nCounted on 2026-11-28.\n") {
		t.Errorf("a table of %d scores:\n%s", len(all), table)
	}
}
