package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// fakes puts a "node" on the path and makes an "analyzer" and an "oracle"; each writes its arguments to a log and prints
// the JSON it was given.
func fakes(t *testing.T, duckdb, analyzer, oracle string) (p programs, oracleLine, log string) {
	t.Helper()
	dir := t.TempDir()
	log = filepath.Join(dir, "log")
	for name, text := range map[string]string{"node": duckdb, "analyzer": analyzer, "oracle": oracle} {
		answer := filepath.Join(dir, name+".json")
		script := fmt.Sprintf("#!/bin/sh\necho %s \"$@\" >>%s\ncat %s\n", name, log, answer)
		if err := os.WriteFile(answer, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(script), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", dir+":"+os.Getenv("PATH"))
	p = programs{analyzer: filepath.Join(dir, "analyzer"), peerDir: "PEER", data: "DATA", scratch: dir, threads: 2}
	return p, filepath.Join(dir, "oracle") + " --quick", log
}

// steamAnswers has an answer of one cell to each query, under the name that q4 goes by.
func steamAnswers(q4 string, cell int) string {
	var parts []string
	for _, q := range []string{"q1", "q2", "q3", q4, "q5"} {
		parts = append(parts, fmt.Sprintf(`"%s": {"columns": ["n"], "rows": [[%d]]}`, q, cell))
	}
	return "{" + strings.Join(parts, ",") + "}"
}

func TestCompareFindsTheAnswersEqual(t *testing.T) {
	peers := steamAnswers("q4_any_language", 7)
	p, oracle, log := fakes(t, peers, steamAnswers("q4", 7), peers)
	var out bytes.Buffer
	c := comparison{programs: p, oracle: oracle, flags: []string{"--memory=64MiB"}, models: true, out: &out}
	if err := c.all(t.Context(), []string{"steam"}); err != nil {
		t.Fatalf("%v\n%s", err, out.String())
	}
	calls, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"analyzer run steam DATA/steam --query q1,q2,q3,q4,q5 --format json --param q4.language=any --memory=64MiB\n",
		"oracle --quick steam DATA/steam --param q4.language=any\n",
		"--sql PEER/sql/steam.sql --data DATA/steam --query q1,q2,q3,q4_any_language,q5 --param q4.language=any\n",
	} {
		if !strings.Contains(string(calls), want) {
			t.Errorf("no call %q in\n%s", want, calls)
		}
	}
	if strings.Count(string(calls), "oracle ") != 2 {
		t.Errorf("the oracle is for the two cases whose parameters it knows:\n%s", calls)
	}
}

func TestCompareFailsOnADifference(t *testing.T) {
	peers := steamAnswers("q4_any_language", 7)
	tests := map[string]struct{ analyzer, oracle, shown string }{
		"analyzer":        {steamAnswers("q4", 8), peers, "q4_any_language: row 1, n: got 8, want 7"},
		"oracle":          {steamAnswers("q4", 7), steamAnswers("q4_any_language", 6), "q5: row 1, n: got 6, want 7"},
		"an answer short": {`{"q1": {"columns": ["n"], "rows": [[7]]}}`, peers, "q2: answer: got none, want one"},
	}
	for name, tt := range tests {
		p, oracle, _ := fakes(t, peers, tt.analyzer, tt.oracle)
		var out bytes.Buffer
		c := comparison{programs: p, oracle: oracle, models: true, show: 10, out: &out}
		if err := c.all(t.Context(), []string{"steam"}); err == nil {
			t.Errorf("%s: no error", name)
		}
		if !strings.Contains(out.String(), tt.shown) {
			t.Errorf("%s: no %q in\n%s", name, tt.shown, out.String())
		}
	}
}

func TestCompareHoldsSentimentToWhatNeedsNoModel(t *testing.T) {
	const same = `"q1": {"columns": [], "rows": []}, "q2": {"columns": [], "rows": []},
		"q3": {"columns": [], "rows": []}, "q4": {"columns": [], "rows": []}`
	duckdb := `{` + same + `, "q5_eligible": {"columns": ["id", "ratio"], "rows": [[1, 2.5], [2, 0.5]]}}`
	ours := func(films int) string {
		return fmt.Sprintf(`{%s, "q5": {"columns": ["sentiment", "mean_ratio", "movies"], "rows": [["positive", 1.5, %d]]}}`,
			same, films)
	}
	for films, ok := range map[int]bool{2: true, 3: false} {
		p, _, _ := fakes(t, duckdb, ours(films), "")
		c := comparison{programs: p, models: true, out: &bytes.Buffer{}}
		if err := c.all(t.Context(), []string{"movies"}); (err == nil) != ok {
			t.Errorf("%d films: %v", films, err)
		}
		c.models = false
		if err := c.all(t.Context(), []string{"movies"}); err != nil {
			t.Errorf("%d films, without models: %v", films, err)
		}
	}
}

func TestPlanMatches(t *testing.T) {
	p := programs{analyzer: "analyzer", peerDir: "PEER", data: "DATA", scratch: "SCRATCH", threads: 2}
	peers, err := p.peers(peerNames())
	if err != nil {
		t.Fatal(err)
	}
	matches, err := planMatches(p, peers, []string{"books", "groups"}, false, 256)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, m := range matches {
		names = append(names, m.beside+" "+strings.Join(append([]string{m.workload}, m.queries...), " "))
	}
	want := []string{"DuckDB books q1 q2 q3 q4", "ClickHouse books q1 q2 q3 q4", "Polars books q4"}
	for _, beside := range []string{"DuckDB", "ClickHouse", "Polars", "encoding/csv"} {
		want = append(want, beside+" groups at 256MiB")
	}
	if !slices.Equal(names, want) {
		t.Errorf("matches %q, want %q", names, want)
	}
	if argv := strings.Join(matches[1].peer.argv, " "); argv != "node PEER/clickhouse.mjs --threads 2 --sql PEER/sql/books.clickhouse.sql --data DATA/books --query q1,q2,q3,q4" {
		t.Errorf("ClickHouse: %s", argv)
	}
	single, err := planMatches(p, peers[2:], []string{"steam"}, true, 256)
	if err != nil || len(single) != 5 || single[4].workload != "steam/q5" {
		t.Errorf("single queries: %v, %v", single, err)
	}
	stress := matches[len(matches)-4]
	ours, peer := strings.Join(stress.ours.argv, " "), strings.Join(stress.peer.argv, " ")
	if ours != "analyzer bench DATA/movies --workload groups --answers --memory 256MiB --format json" {
		t.Errorf("ours: %s", ours)
	}
	if !strings.HasSuffix(peer, "--sql PEER/sql/stress.sql --data DATA/movies --query groups --memory 256MiB") {
		t.Errorf("peer: %s", peer)
	}
	if argv := strings.Join(matches[len(matches)-3].peer.argv, " "); argv != "node PEER/clickhouse.mjs --threads 2 --sql PEER/sql/stress.clickhouse.sql --data DATA/movies --query groups --memory 268435456" {
		t.Errorf("ClickHouse: %s", argv)
	}
	if _, err := p.peers([]string{"abacus"}); err == nil {
		t.Error("an unknown peer is accepted")
	}
	if _, err := planMatches(p, peers, []string{"films"}, false, 256); err == nil {
		t.Error("an unknown workload is accepted")
	}
}

func TestAgreeOn(t *testing.T) {
	answer := func(n int) []byte { return fmt.Appendf(nil, `{"groups": {"columns": ["groups"], "rows": [[%d]]}}`, n) }
	agree := agreeOn([]string{"groups"})
	if err := agree(answer(1), answer(1)); err != nil {
		t.Error(err)
	}
	if err := agree(answer(1), answer(2)); err == nil {
		t.Error("different answers agree")
	}
	if err := agree([]byte("no JSON"), answer(2)); err == nil {
		t.Error("no answer agrees")
	}
}
