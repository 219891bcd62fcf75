package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// files are those that flags name.
func files(named map[string]string) func(flag string) string {
	return func(flag string) string { return named[flag] }
}

func TestRewritePages(t *testing.T) {
	second := timed{{Wall: time.Second, User: time.Second, PeakRSS: 10 << 20}}
	r := report{
		Data:  "movies 944 MB, steam 2 MB",
		Peers: []peer{{Name: duckDB, Start: timed{{Wall: 200 * time.Millisecond}}}},
		Results: []outcome{
			{Workload: "movies", Queries: []string{"q1", "q2"}, Beside: duckDB, Ours: second, Peer: timed{{Wall: 2200 * time.Millisecond, PeakRSS: 1 << 30}}},
			{Workload: "groups at 256MiB", Beside: "Polars", Ours: second, Peer: second, PeerFailure: "Out of Memory"},
		},
	}
	var js bytes.Buffer
	if err := r.writeJSON(&js); err != nil {
		t.Fatal(err)
	}
	const cluster = `{"format": 1, "workloads": [{"name": "movies", "cells": [
		{"transport": "memory", "runs": [{"wall": 1, "cpu": 1.5, "bytes": 2000000000}]},
		{"transport": "rabbitmq", "runs": [{"wall": 9, "bytes": 2000000000}, {"wall": 4, "bytes": 2000000000, "processes": [
			{"name": "client", "cpu": 1}, {"name": "worker 0", "cpu": 2}, {"name": "worker 1", "cpu": 3}]}]}]}]}`
	page := "a\n<!-- measured: questions -->\nold\n<!-- /measured -->\nb\n<!-- measured: plans -->\n<!-- /measured -->\n" +
		"c\n<!-- measured: cluster -->\n<!-- /measured -->\nd\n<!-- measured: queries -->\n<!-- /measured -->\n" +
		"e\n<!-- measured: follow -->\n<!-- /measured -->\nf\n<!-- measured: suites -->\n<!-- /measured -->\n" +
		"g\n<!-- measured: dialects -->\n<!-- /measured -->\nh\n<!-- measured: everyday -->\nas before\n<!-- /measured -->\n" +
		"i\n<!-- measured: parquet -->\n<!-- /measured -->\n"
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	peers, many, into := write("peers.json", js.String()), write("bench.json", cluster), write("page", page)
	single := write("queries.json", `{"format": 1, "workloads": [{"name": "movies/q1", "cells": [
		{"scale": 1, "runs": [{"bytes": 100, "rows": 50, "received": 7, "messages": 9, "messageBytes": 3145728}]},
		{"scale": 0.1, "runs": [{"bytes": 10, "messageBytes": 1048576}]}]}]}`)
	follow := write("follow.json", `{"format": 1, "workloads": [{"name": "movies", "cells": [
		{"transport": "memory", "runs": [{"wall": 1}]}, {"transport": "memory", "follow": "1s", "runs": [{"wall": 2}]},
		{"transport": "rabbitmq", "runs": [{"wall": 3}]}, {"transport": "rabbitmq", "pages": 4, "runs": [{"wall": 3}]},
		{"transport": "rabbitmq", "follow": "1s", "runs": [
			{"wall": 4, "cuts": 3, "delay": {"median": 0.5, "worst": 1.2}}, {"wall": 5, "delay": {"worst": 1.7}}]},
		{"transport": "rabbitmq", "follow": "1s", "pages": 4, "runs": [{"wall": 5}]}]}]}`)
	suites := write("suites.json", `{"scale": 1, "results": [
		{"suite": "h2o", "query": "g1", "ours": {"cpu": 1, "wall": 0.5, "mib": 40}, "theirs": {"cpu": 3, "wall": 2, "mib": 70}},
		{"suite": "h2o", "query": "j1", "ours": {"cpu": 2, "wall": 1.5, "mib": 30}, "theirs": {"cpu": 3, "wall": 1.5, "mib": 300}},
		{"suite": "h2o", "query": "g9", "ours": {"wall": 9}, "theirs": {"failed": "Out of Memory"}},
		{"suite": "dialects", "query": "tabs", "ours": {"cpu": 1, "wall": 0.5, "mib": 40}, "theirs": {"cpu": 3, "wall": 2, "mib": 70}},
		{"suite": "dialects", "query": "colons", "ours": {"cpu": 1, "wall": 0.5, "mib": 40}, "theirs": {"cpu": 2, "mib": 60, "failed": "no such option"}},
		{"suite": "parquet", "stored": "parquet", "query": "sums", "ours": {"cpu": 1, "wall": 0.5, "mib": 40}, "theirs": {"cpu": 2, "wall": 1, "mib": 60}},
		{"suite": "parquet", "stored": "parquet-own", "query": "sums", "ours": {"cpu": 1, "wall": 0.5, "mib": 40}, "theirs": {"cpu": 2, "wall": 2, "mib": 60}},
		{"suite": "h2o", "stored": "parquet", "query": "g1", "ours": {"cpu": 9, "wall": 9, "mib": 900}, "theirs": {"cpu": 9, "wall": 9, "mib": 900}},
		{"suite": "h2o", "query": "g3", "why": "differs"}]}`)
	if err := rewritePages([]string{write("other", "nothing"), into}, files(map[string]string{
		"peers": peers, "cluster": many, "queries": single, "follow": follow, "suites": suites,
	})); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(into)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"\n| movies q1, q2 | 944 MB | DuckDB | 1.00 s | 2.20 s | 2.0 | 1.00 to 0.00 | 10 to 1024 |\n<!-- /measured -->\nb\n",
		"\n| groups | Polars | 1.00 s | out of memory | – | 1.00 | 10 |\n<!-- /measured -->\nc\n",
		"\n| movies | 500 MB/s | 2000 MB/s | 0.25 | 1.00, 0.00, 5.00, 0.00 | 1.50 |\n<!-- /measured -->\nd\n",
		"\n| movies/q1 | 50 | 7 | 3.00 | 9 | × 3.0 for × 10 |\n<!-- /measured -->\n",
		"\n| tabs | 0.50 s | 2.00 s | 4.0 | 1.00 to 3.00 | 40 to 70 |\n| colons | 0.50 s | fails | – | 1.00 to 2.00 | 40 to 60 |\n<!-- /measured -->\nh\n",
		"\nas before\n",
		"\n| sums | 0.50 s | 1.00 s | 2.0 | 1.00 to 2.00 | 40 to 60 |\n| sums, own | 0.50 s | 2.00 s | 4.0 | 1.00 to 2.00 | 40 to 60 |\n<!-- /measured -->\n",
		"\n| H2O's db-benchmark | 2 | 2.0 s | 3.5 s | 1.8 | 1.0 (j1) to 4.0 (g1) | 3.0 to 6.0 | 40 to 300 |\n<!-- /measured -->\n",
		"\n| movies | 1s | 0.50 | 0.75 | 3 | 0.5 s, 1.2 s | 0.80 with 4 |\n<!-- /measured -->\n",
	} {
		if !strings.Contains(string(got), want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	if strings.Contains(string(got), "old") {
		t.Error("what was there is still there")
	}
	if err := rewritePages([]string{into}, files(map[string]string{"peers": filepath.Join(dir, "none"), "cluster": filepath.Join(dir, "none")})); err == nil {
		t.Error("nothing was measured, and nobody says so")
	}
	if err := rewritePages([]string{write("bare", "nothing")}, files(map[string]string{"peers": peers})); err == nil {
		t.Error("a page without markers is no error")
	}
}
