package main

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"analyzer/bench"
	"analyzer/columnar/vfs"
)

// report has two workloads: one swept over everything, one measured once.
func report() *bench.Report {
	sample := func(wall time.Duration, peak int64) bench.Sample {
		return bench.Sample{Wall: wall, CPU: wall, Peak: peak, Rows: 1e6, Bytes: 1e8, Answers: "00"}
	}
	swept := bench.Result{Name: "groups"}
	for i, memory := range []int64{0, 64 << 20, 256 << 20} {
		for _, replicas := range []int{1, 2} {
			wall := time.Duration(replicas+i) * time.Second
			swept.Points = append(swept.Points, bench.Point{
				Replicas: replicas, Memory: memory,
				Samples: []bench.Sample{sample(wall, 50<<20), sample(wall*2, 60<<20)},
			})
		}
	}
	once := bench.Result{Name: "movies", Points: []bench.Point{{Samples: []bench.Sample{sample(time.Second, 1<<20)}}}}
	return &bench.Report{Workloads: []bench.Result{swept, once}}
}

func put(t *testing.T, name string, write func(io.Writer) error) {
	t.Helper()
	f, err := vfs.OS().Create(name)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(write(f), f.Close()); err != nil {
		t.Fatal(err)
	}
}

// texts returns the words in an SVG image, which must be well-formed.
func texts(t *testing.T, name string) string {
	t.Helper()
	f, err := vfs.OS().Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	var words bytes.Buffer
	for d := xml.NewDecoder(f); ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return words.String()
		}
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if text, ok := token.(xml.CharData); ok {
			words.Write(text)
		}
	}
}

func TestImages(t *testing.T) {
	dir := t.TempDir()
	put(t, filepath.Join(dir, "bench.json"), report().WriteJSON)
	if err := run([]string{filepath.Join(dir, "bench.json")}, vfs.OS()); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		file    string
		want    []string
		without []string
	}{
		{"groups.svg", []string{"groups: throughput", "groups: peak memory", "memory 64 MiB", "replicas 2", "limit and 48 MiB"}, nil},
		{"movies.svg", []string{"movies: throughput", "memory default"}, []string{"peak memory"}},
	} {
		words := texts(t, filepath.Join(dir, tt.file))
		for _, want := range tt.want {
			if !strings.Contains(words, want) {
				t.Errorf("%s does not say %q", tt.file, want)
			}
		}
		for _, not := range tt.without {
			if strings.Contains(words, not) {
				t.Errorf("%s says %q", tt.file, not)
			}
		}
	}
}

func TestValuesReachThePanels(t *testing.T) {
	r := report()
	panels := panelsOf(&r.Workloads[0])
	if len(panels) != 3 {
		t.Fatalf("%d panels, want throughput over replicas and limits, and memory", len(panels))
	}
	// 100 MB in one and two seconds; of two, the lower rate is the median.
	if got, want := panels[0].lines[0].values[0], (value{true, 50, 50, 100}); got != want {
		t.Errorf("throughput at one replica without a limit: %+v, want %+v", got, want)
	}
	bound := panels[2].lines[len(panels[2].lines)-1]
	if got, want := bound.values, []value{{}, {true, 112, 112, 112}, {true, 304, 304, 304}}; !equal(got[1:], want[1:]) || got[0].known {
		t.Errorf("what memory may be: %+v, want %+v", got, want)
	}
}

func equal(a, b []value) bool {
	for i := range b {
		if len(a) != len(b) || a[i] != b[i] {
			return false
		}
	}
	return true
}

func TestRefusesWhatIsNoReport(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{`{`, "unexpected end"},
		{`{}`, "no measurements"},
		{`{"workloads": [{"name": "groups"}]}`, "no measurements"},
		{`{"workloads": [{"name": "groups", "points": [{"replicas": 1}]}]}`, "no runs"},
	} {
		name := filepath.Join(t.TempDir(), "bench.json")
		put(t, name, func(w io.Writer) error { _, err := io.WriteString(w, tt.text); return err })
		if err := run([]string{name}, vfs.OS()); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: error %v, want one with %q", tt.text, err, tt.want)
		}
	}
	if err := run(nil, vfs.OS()); err == nil {
		t.Error("no error without arguments")
	}
}
