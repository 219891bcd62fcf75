package bench

import (
	"bytes"
	"errors"
	"flag"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

var rewrite = flag.Bool("rewrite", false, "rewrite the files in testdata")

// measured returns a report with a faultless workload, and one with every fault.
func measured() *Report {
	run := func(wall float64, peak, spilled int64, answers string) Run {
		return Run{
			Wall: wall, CPU: wall * 1.5, Peak: peak << 20, Processes: []Process{{clientProcess, wall * 1.5, peak << 20, 24 << 20}},
			Spilled: spilled << 20, SpillFiles: min(spilled, 7), Rows: 26e6, Bytes: 730e6, Answers: answers,
			Stages: []Stage{{"0: scan ratings", wall}, {"1: aggregate", wall / 4}},
		}
	}
	in := func(memory int64, replicas int) Setting {
		return Setting{Scale: 0.5, Transport: InMemory, Memory: memory << 20, Replicas: replicas}
	}
	cluster := in(64, 2)
	cluster.Transport = RabbitMQ
	across := run(6, 700, 0, "0123456789abcdef")
	across.Messages, across.MessageBytes = 1200, 90e6
	across.Processes = []Process{
		{clientProcess, 2, 150 << 20, 24 << 20}, {brokerProcess, 3, 350 << 20, 0}, {"gateway 0", 1, 108 << 20, 24 << 20}, {"worker 0", 1, 40 << 20, 24 << 20}, {"worker 1", 2, 52 << 20, 24 << 20},
	}
	const a, b = "0123456789abcdef", "fedcba9876543210"
	return &Report{
		Format: Format, Began: time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC), CheckMemory: true,
		Machine: Machine{"a processor", 2, 24 << 30, "linux/amd64"}, Program: "analyzer devel go1.26",
		Data: Data{Scales: []float64{0.5}, Seed: 7},
		Workloads: []Result{
			{Name: "movies", Title: "Films", Cells: []Cell{
				{in(0, 1), []Run{run(1, 50, 0, a)}},
				{in(64, 1), []Run{run(4, 60, 0, a), run(2, 60, 0, a)}},
				{in(64, 2), []Run{run(3, 60, 0, a), run(1, 100, 0, a), run(2, 80, 0, a)}},
				{cluster, []Run{across}},
			}},
			{Name: "groups", Title: "Groups", Cells: []Cell{
				{in(0, 1), []Run{run(4, 304, 0, a)}},
				{in(64, 1), []Run{run(4, 113, 1000, b), run(5, 90, 1100, a)}},
			}},
		},
		Floors: []Floor{{Workload: "movies", Scale: 0.5, Bytes: 730e6, Read: 0.1, Index: 0.25}},
	}
}

func TestReportForms(t *testing.T) {
	r := measured()
	for name, write := range map[string]func(io.Writer) error{
		"report.txt": r.WriteTable, "report.md": r.WriteMarkdown, "report.json": r.WriteJSON,
		"report.csv": r.WriteCSV,
	} {
		var got bytes.Buffer
		if err := write(&got); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join("testdata", name)
		if *rewrite {
			if err := os.WriteFile(path, got.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got.Bytes(), want) {
			t.Errorf("%s (-rewrite accepts it):\n%s", name, got.Bytes())
		}
	}
}

// TestPageHoldsEverything looks for every table, chart and verdict in the page, and for
// anything that it would have to fetch.
func TestPageHoldsEverything(t *testing.T) {
	r := measured()
	var b bytes.Buffer
	if err := r.WriteHTML(&b); err != nil {
		t.Fatal(err)
	}
	page := b.String()
	want := append(r.verdicts(), "a broker    M·")
	for _, v := range slices.Concat(views[:2], more) { // of the third there is nothing
		want = append(want, v.title+" at scale 0.5")
	}
	for i := range r.Workloads {
		shown, _ := r.stageTable(&r.Workloads[i])
		want = append(want, shown.Title)
	}
	for _, f := range r.Figures() {
		want = append(want, f.Chart.Title)
	}
	for _, w := range r.Workloads {
		want = append(want, `data-show="`+w.Name+`"`, `data-workload="`+w.Name+`"`, "<td>"+w.Name+"</td>")
	}
	for _, text := range want {
		if !strings.Contains(page, text) {
			t.Errorf("the page has no %q", text)
		}
	}
	for _, fetched := range []string{"src=", "href=", "url(", "@import"} {
		if strings.Contains(page, fetched) {
			t.Errorf("the page needs something else: %q", fetched)
		}
	}
	if charts := strings.Count(page, "<svg"); charts != len(r.Figures()) || charts < 5 {
		t.Errorf("%d charts, want %d", charts, len(r.Figures()))
	}
}

// TestTableIsNarrow checks that the table fits 100 columns, whatever was swept, and that every
// row says which cell it shows.
func TestTableIsNarrow(t *testing.T) {
	for _, long := range []string{"movies", "screenshots/q12"} {
		r := measured()
		w := &r.Workloads[0]
		w.Name, r.Floors[0].Workload = long, long
		for _, c := range w.Cells {
			c.Follow = "shares"
			w.Cells = append(w.Cells, c)
			if c.Transport == RabbitMQ {
				c.Pages = 4
				w.Cells = append(w.Cells, c)
			}
		}
		var b bytes.Buffer
		if err := r.WriteTable(&b); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(b.String()) {
			if n := utf8.RuneCountInString(line); n > 101 {
				t.Errorf("%d columns: %s", n, line)
			}
		}
		for _, v := range views {
			seen := make(map[string]bool)
			of := v.table(r, 0.5)
			for _, row := range of.Rows {
				key := strings.Join(row[:of.keys], "|")
				if seen[key] {
					t.Errorf("%s: two rows are of %s", v.title, key)
				}
				seen[key] = true
			}
			if len(seen) == 0 {
				t.Errorf("%s: no rows", v.title)
			}
		}
	}
}

func TestReportIsReadAgain(t *testing.T) {
	var text bytes.Buffer
	if err := measured().WriteJSON(&text); err != nil {
		t.Fatal(err)
	}
	again, err := ReadReport(bytes.NewReader(text.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	var second bytes.Buffer
	if err := again.WriteJSON(&second); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(text.Bytes(), second.Bytes()) {
		t.Errorf("read and written again, it is\n%s", second.Bytes())
	}
}

func TestRefusesWhatIsNoReport(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{`{`, "unexpected EOF"},
		{`{}`, "format 0"},
		{`{"format": 99}`, "format 99"},
		{`{"format": 1}`, "no measurements"},
		{`{"format": 1, "workloads": [{"name": "groups"}]}`, "no measurements"},
		{`{"format": 1, "workloads": [{"name": "groups", "cells": [{"replicas": 1}]}]}`, "no runs"},
	} {
		if _, err := ReadReport(strings.NewReader(tt.text)); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: error %v, want one with %q", tt.text, err, tt.want)
		}
	}
}

func TestReportErr(t *testing.T) {
	r := measured()
	if err := r.Err(); err == nil || !strings.HasPrefix(err.Error(), "groups at scale 0.5: ") || strings.Contains(err.Error(), "\n") {
		t.Errorf("error:\n%v", err)
	}
	if err := r.Excess(); err == nil || strings.Contains(err.Error(), "\n") ||
		!strings.HasPrefix(err.Error(), "groups with scale 0.5, transport memory, memory 64 MiB, replicas 1: a peak is 25 MiB over") {
		t.Errorf("error:\n%v", err)
	}
	r.CheckMemory = false
	if err := r.Excess(); err != nil {
		t.Errorf("without a check of memory: %v", err)
	}
	r.Workloads, r.CheckMemory = r.Workloads[:1], true
	if err := errors.Join(r.Err(), r.Excess()); err != nil {
		t.Error(err)
	}
	r.Workloads[0].Cells[3].Runs[0].Processes[2].Peak += 5 << 20
	if err := r.Excess(); err == nil || !strings.Contains(err.Error(), "a peak is 25 MiB over the limit, by gateway 0, and 24 are allowed") {
		t.Errorf("a gateway that takes more than it may: %v", err)
	}
}

// TestNothingToSetBesideTheFloor sweeps only clusters, so that there is no time of one process.
func TestNothingToSetBesideTheFloor(t *testing.T) {
	r := measured()
	r.Workloads[0].Cells = r.Workloads[0].Cells[3:]
	if text := r.distance(r.Floors[0]); !strings.HasSuffix(text, "finding their cells 0.250 s") {
		t.Error(text)
	}
}

// TestFiguresAreOfOneRun checks that the time and the rate of a row are of the same run, also if
// the number of runs is even.
func TestFiguresAreOfOneRun(t *testing.T) {
	for _, walls := range [][]float64{{5}, {9, 1}, {9, 1, 4}, {9, 1, 4, 7}} {
		var c Cell
		for _, w := range walls {
			c.Runs = append(c.Runs, Run{Wall: w, Bytes: 100})
		}
		wall, rate := c.Wall(), c.Of(Run.BytesPerSecond)
		for _, pair := range [][2]float64{{wall.Fastest, rate.Fastest}, {wall.Median, rate.Median}, {wall.Slowest, rate.Slowest}} {
			if pair[0]*pair[1] != 100 {
				t.Errorf("%v: %v s at %v bytes/s is not 100 bytes", walls, pair[0], pair[1])
			}
		}
		if want := map[int]float64{1: 5, 2: 1, 3: 4, 4: 4}[len(walls)]; wall.Median != want || c.MedianRun().Wall != want {
			t.Errorf("%v: the median is %v, want %v", walls, wall.Median, want)
		}
	}
}

func TestRatios(t *testing.T) {
	w := &measured().Workloads[0]
	for _, change := range []func(*Setting){oneReplica, unlimited, oneProcess, atEnd, unseen} {
		if got := w.ratio(&w.Cells[0], change); got != (Ratio{}) {
			t.Errorf("a cell that differs from none in one thing has a ratio %+v", got)
		}
	}
	if got, want := w.ratio(&w.Cells[1], unlimited), (Ratio{2, 2, 4}); got != want {
		t.Errorf("time over unlimited memory: %+v, want %+v", got, want)
	}
	if got, want := w.ratio(&w.Cells[2], oneReplica), (Ratio{1, 0.25, 1.5}); got != want {
		t.Errorf("time over one replica: %+v, want %+v", got, want)
	}
	if got, want := w.ratio(&w.Cells[3], oneProcess), (Ratio{3, 2, 6}); got != want {
		t.Errorf("time over one process: %+v, want %+v", got, want)
	}
}

func TestNothingSpilledIsSaid(t *testing.T) {
	r := measured()
	if hint := r.spillHint(); hint != "" {
		t.Errorf("a sweep that spilled: %s", hint)
	}
	r.Workloads = r.Workloads[:1]
	if hint := r.spillHint(); !strings.Contains(hint, "--memory 16MiB or less, or --scale 2") {
		t.Errorf("a sweep that did not: %q", hint)
	}
	for i := range r.Workloads[0].Cells {
		r.Workloads[0].Cells[i].Memory = 0
	}
	if hint := r.spillHint(); hint != "" {
		t.Errorf("a sweep without limits: %s", hint)
	}
}

func TestLimits(t *testing.T) {
	r := measured()
	for _, tt := range []struct {
		limits Limits
		want   string
	}{
		{Limits{}, ""},
		{Limits{ReplicaCost: 1.1, Cluster: 3}, ""},
		{Limits{MemoryCost: 2}, "movies spilled nothing"},
		{Limits{MemoryCost: 1.5}, "movies with scale 0.5, transport memory, memory 64 MiB, replicas 1 takes 2.00 times as long as with no memory limit"},
		{Limits{Cluster: 1.9}, "takes 3.00 times as long as with one process even at its best, and 1.90 is allowed"},
	} {
		err := errors.Join(tt.limits.Check(r), Broken(tt.limits.Hold(r)))
		if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
			t.Errorf("%+v: error %v, want %q", tt.limits, err, tt.want)
		}
	}
	r.Workloads[0].Cells, r.Workloads = r.Workloads[0].Cells[:1], r.Workloads[:1]
	if err := (Limits{Cluster: 4}).Check(r); err == nil || !strings.Contains(err.Error(), "no two cells") {
		t.Errorf("nothing to compare: error %v", err)
	}
}

func TestCompare(t *testing.T) {
	old, now := measured(), measured()
	same := compare(t, old, now, true)
	if worse := same.Regressions(0); len(worse) > 0 || same.Missing > 0 {
		t.Errorf("a report compared with itself: %+v", same)
	}
	groups := &now.Workloads[1]
	for i := range groups.Cells[1].Runs {
		groups.Cells[1].Runs[i].Wall *= 3
		groups.Cells[1].Runs[i].Spilled *= 2
	}
	now.Workloads[0].Cells = now.Workloads[0].Cells[:3]
	figures := func(c *Comparison) (names []string) {
		for _, change := range c.Regressions(0.1) {
			names = append(names, change.Figure)
		}
		return names
	}
	got := compare(t, old, now, true)
	if want := []string{"seconds", "time over unlimited memory", "spilled bytes"}; !slices.Equal(figures(got), want) || got.Missing != 4 {
		t.Errorf("regressions %q with %d missing, want %q with 4", figures(got), got.Missing, want)
	}
	got = compare(t, old, now, false)
	if slices.Contains(figures(got), "seconds") {
		t.Errorf("times were compared: %q", figures(got))
	}
	var b bytes.Buffer
	if err := got.WriteTable(&b, 0.1); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"1 → 3", "+200 %", "worse", "3 figures of the first report are not in the second"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("there is no %q in\n%s", want, &b)
		}
	}
	if _, err := Compare(old.Measures(true)[:2], now.Measures(true)[3:]); err == nil {
		t.Error("no error for reports that have nothing in common")
	}
	now.Machine.Cores = 64
	if !old.Comparable(old) || old.Comparable(now) {
		t.Error("times of one machine may be compared, of two they may not")
	}
	slow := *old
	if slow.MachineCores = 0.1; old.Comparable(&slow) {
		t.Error("times of machines with other cores were compared")
	}
}

func compare(t *testing.T, old, now *Report, times bool) *Comparison {
	t.Helper()
	c, err := Compare(old.Measures(times), now.Measures(times))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestRatiosAreReadAgain writes a baseline and compares the same report with it.
func TestRatiosAreReadAgain(t *testing.T) {
	r := measured()
	var text bytes.Buffer
	if err := r.WriteRatios(&text); err != nil {
		t.Fatal(err)
	}
	got, err := readRatios(bytes.NewReader(text.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	c, err := Compare(r.Measures(false), got)
	if err != nil || c.Missing > 0 || len(c.Changes) != len(got) {
		t.Fatalf("of %d figures %+v, %v", len(r.Measures(false)), c, err)
	}
	for _, change := range c.Changes {
		if f := change.Factor(); f < 0.999 || f > 1.001 || !change.Noise() {
			t.Errorf("%s of %s with %s: %v became %v", change.Figure, change.Workload, change.Setting, change.Ratio, change.New)
		}
	}
	head, line, _ := strings.Cut(text.String(), "\n")
	for _, spoilt := range []string{"", "workload\n", head + "\n" + strings.Replace(line, "0.5", "half", 1), head + "\ngroups\n"} {
		if _, err := readRatios(strings.NewReader(spoilt)); err == nil {
			t.Errorf("%q is taken for ratios", spoilt)
		}
	}
}

// TestNoiseIsNoRegression compares reports whose runs vary by more than the change.
func TestNoiseIsNoRegression(t *testing.T) {
	old, now := measured(), measured()
	noisy := now.Workloads[0].find(now.Workloads[0].Cells[2].Setting)
	for i := range noisy.Runs {
		noisy.Runs[i].Wall *= 1.4
	}
	if worse := compare(t, old, now, true).Regressions(0.1); len(worse) > 0 {
		t.Errorf("noise is reported as %+v", worse)
	}
}

type brokenWriter struct{}

func (brokenWriter) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

func TestReportsThatCannotBeWritten(t *testing.T) {
	r := measured()
	for _, write := range []func(io.Writer) error{r.WriteTable, r.WriteMarkdown, r.WriteJSON, r.WriteCSV, r.WriteRatios, r.WriteHTML} {
		if err := write(brokenWriter{}); err == nil {
			t.Error("no error")
		}
	}
}
