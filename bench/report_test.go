package bench

import (
	"bytes"
	"encoding/json"
	"flag"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

var rewrite = flag.Bool("rewrite", false, "rewrite the files in testdata")

// measured is a report with a workload without fault, and one with every fault.
func measured() *Report {
	sample := func(wall time.Duration, peak, spilled int64, answers string) Sample {
		return Sample{Wall: wall, CPU: wall * 3 / 2, Peak: peak << 20, Spilled: spilled << 20, Rows: 26e6, Bytes: 730e6, Answers: answers}
	}
	const a, b = "0123456789abcdef", "fedcba9876543210"
	return &Report{
		Machine: "a machine", Data: Data{Scale: 0.5, Seed: 7}, CheckMemory: true,
		Workloads: []Result{
			{Name: "movies", Title: "Films", Points: []Point{
				{Samples: []Sample{sample(time.Second, 50, 0, a)}},
				{Replicas: 2, Memory: 64 << 20, Samples: []Sample{
					sample(3*time.Second, 60, 0, a), sample(time.Second, 100, 0, a), sample(2*time.Second, 80, 0, a),
				}},
			}},
			{Name: "groups", Title: "Groups", Points: []Point{
				{Replicas: 1, Memory: 256 << 20, Samples: []Sample{sample(4*time.Second, 304, 900, a)}},
				{Replicas: 1, Memory: 64 << 20, Samples: []Sample{sample(4*time.Second, 113, 1000, b), sample(5*time.Second, 90, 1100, a)}},
			}},
		},
	}
}

func TestReportForms(t *testing.T) {
	r := measured()
	for name, write := range map[string]func(io.Writer) error{
		"report.txt": r.WriteTable, "report.md": r.WriteMarkdown, "report.json": r.WriteJSON,
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

func TestReportIsReadAgain(t *testing.T) {
	var text bytes.Buffer
	if err := measured().WriteJSON(&text); err != nil {
		t.Fatal(err)
	}
	var again Report
	if err := json.Unmarshal(text.Bytes(), &again); err != nil {
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

func TestReportErr(t *testing.T) {
	r := measured()
	err := r.Err()
	if err == nil {
		t.Fatal("no error")
	}
	lines := strings.Split(err.Error(), "\n")
	if len(lines) != 2 || !strings.HasPrefix(lines[0], "groups: ") ||
		!strings.HasPrefix(lines[1], "groups with replicas 1, memory 64 MiB: the peak of 113 MiB") {
		t.Errorf("error:\n%v", err)
	}
	r.CheckMemory = false
	if err := r.Err(); err == nil || strings.Contains(err.Error(), "peak") {
		t.Errorf("without a check of memory: %v", err)
	}
	r.Workloads = r.Workloads[:1]
	if err := r.Err(); err != nil {
		t.Error(err)
	}
}

func TestSpread(t *testing.T) {
	for _, tt := range []struct {
		peaks []int64
		want  Spread[int64]
	}{
		{[]int64{5}, Spread[int64]{5, 5, 5}},
		{[]int64{9, 1}, Spread[int64]{1, 1, 9}},
		{[]int64{9, 1, 4}, Spread[int64]{1, 4, 9}},
		{[]int64{9, 1, 4, 7}, Spread[int64]{1, 4, 9}},
	} {
		var p Point
		for _, peak := range tt.peaks {
			p.Samples = append(p.Samples, Sample{Peak: peak})
		}
		if got := p.Peak(); got != tt.want {
			t.Errorf("%v: %v, want %v", tt.peaks, got, tt.want)
		}
	}
}

type brokenWriter struct{}

func (brokenWriter) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

func TestReportsThatCannotBeWritten(t *testing.T) {
	r := measured()
	for _, write := range []func(io.Writer) error{r.WriteTable, r.WriteMarkdown, r.WriteJSON} {
		if err := write(brokenWriter{}); err == nil {
			t.Error("no error")
		}
	}
}
