package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// logged is a program that adds a letter to a log and prints it.
func logged(log, letter, then string) command {
	script := "printf " + letter + " >>" + log + "; printf " + letter + "; " + then
	return command{name: letter, argv: []string{"/bin/sh", "-c", script}}
}

func agree(_, _ []byte) error { return nil }

func TestRunTakesTurns(t *testing.T) {
	log := filepath.Join(t.TempDir(), "log")
	m := match{workload: "w", ours: logged(log, "A", "true"), peer: logged(log, "B", "true")}
	m.agree = func(ours, peer []byte) error {
		if string(ours) != "A" || string(peer) != "B" {
			t.Errorf("answers %q and %q, want A and B", ours, peer)
		}
		return errors.New("A is not B")
	}
	out, err := m.run(t.Context(), 3, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	if string(text) != "BAABABAB" {
		t.Errorf("order of runs %s, want a warm-up of each and three pairs", text)
	}
	if len(out.Ours) != 3 || len(out.Peer) != 3 || len(out.ratios(0)) != 3 {
		t.Errorf("runs: %d ours, %d peer", len(out.Ours), len(out.Peer))
	}
	if out.Disagreement != "A is not B" {
		t.Errorf("disagreement %q", out.Disagreement)
	}
}

func TestRunGoesOnWithoutAFailedPeer(t *testing.T) {
	log := filepath.Join(t.TempDir(), "log")
	m := match{
		workload: "w", agree: agree,
		ours: logged(log, "A", "true"), peer: logged(log, "B", "echo Out of memory >&2; exit 3"),
	}
	out, err := m.run(t.Context(), 2, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(out.PeerFailure, "Out of memory") || len(out.Peer) != 1 || len(out.Ours) != 2 {
		t.Errorf("outcome %+v", out)
	}
	if out.ratios(0) != nil {
		t.Error("a ratio to a peer that failed")
	}
}

func TestRunTakesASlowPeerForFailed(t *testing.T) {
	log := filepath.Join(t.TempDir(), "log")
	m := match{workload: "w", agree: agree, peer: logged(log, "B", "exec sleep 10")}
	out, err := m.run(t.Context(), 1, 50*time.Millisecond)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(out.PeerFailure, "took over 50ms") {
		t.Errorf("peer failure %q", out.PeerFailure)
	}
}

func TestRunStopsWhenOursFails(t *testing.T) {
	log := filepath.Join(t.TempDir(), "log")
	m := match{workload: "w", agree: agree, ours: logged(log, "A", "exit 1"), peer: logged(log, "B", "true")}
	if _, err := m.run(t.Context(), 1, time.Minute); err == nil {
		t.Error("a failure of ours went unnoticed")
	}
}

func TestRatiosArePairByPair(t *testing.T) {
	at := func(seconds ...float64) timed {
		var all timed
		for _, s := range seconds {
			all = append(all, usage{Wall: time.Duration(s * 1e9)})
		}
		return all
	}
	o := outcome{Ours: at(1, 2), Peer: at(2.5, 8.5)}
	if r := o.ratios(0.5); len(r) != 2 || r[0] != 2 || r[1] != 4 {
		t.Errorf("ratios %v, want 2 and 4", r)
	}
}

func TestSpread(t *testing.T) {
	if least, median, most := spreadOf([]float64{5, 1, 4, 2, 3}); least != 1 || median != 3 || most != 5 {
		t.Errorf("of five: %v, %v, %v", least, median, most)
	}
	if _, median, _ := spreadOf([]float64{4, 1, 3, 2}); median != 2 {
		t.Errorf("median of four: %v", median)
	}
}

func TestReport(t *testing.T) {
	second := usage{Wall: time.Second, User: time.Second, System: time.Second / 2, PeakRSS: 10 << 20}
	r := report{
		Threads: 2, Peers: []peer{{Name: "DuckDB", Version: "9", Start: timed{{Wall: 200 * time.Millisecond}}}},
		Results: []outcome{
			{Workload: "fine", Beside: "DuckDB", Ours: timed{second}, Peer: timed{{Wall: 2200 * time.Millisecond, PeakRSS: 1 << 30}}},
			{Workload: "broken", Beside: "DuckDB", Ours: timed{second}, Peer: timed{second}, PeerFailure: "Out of memory"},
			{Workload: "wrong", Beside: "DuckDB", Ours: timed{second}, Peer: timed{second}, Disagreement: "q1 differs"},
		},
	}
	var md, js bytes.Buffer
	if err := errors.Join(r.writeMarkdown(&md), r.writeJSON(&js)); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"| fine | DuckDB | 1.00 / **1.00** / 1.00 | 2.20 / **2.20** / 2.20 | 2.20 / **2.20** / 2.20 | 2.00 / **2.00** / 2.00 | 1.50, 0.00 | 10, 1024 |",
		"| broken | DuckDB | 1.00 / **1.00** / 1.00 | failed after 1.00 | – | – | 1.50, 1.50 | 10, 10 |",
		"broken: DuckDB gave up: Out of memory",
		"wrong: THE ANSWERS DIFFER FROM THOSE OF DuckDB: q1 differs",
	} {
		if !strings.Contains(md.String(), want) {
			t.Errorf("no %q in\n%s", want, md.String())
		}
	}
	var back report
	if err := json.Unmarshal(js.Bytes(), &back); err != nil || len(back.Results) != 3 {
		t.Errorf("JSON report: %v, %d results", err, len(back.Results))
	}
}
