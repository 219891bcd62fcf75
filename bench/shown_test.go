package bench

import (
	"bytes"
	"os"
	"strings"
	"testing"
)

// TestTableOnPage holds the table that docs/speed.md shows to how the same figures are shown.
func TestTableOnPage(t *testing.T) {
	const size = 12.7e6
	cell := func(memory int64, replicas int, wall, cpuPerGB float64, peak, spilled int64) Cell {
		return Cell{
			Setting{Scale: 0.02, Transport: InMemory, Memory: memory << 20, Replicas: replicas},
			[]Run{{Wall: wall, CPU: cpuPerGB * size / 1e9, Peak: peak << 20, Spilled: spilled << 20, Bytes: size, Rows: 1e6, Answers: "0"}},
		}
	}
	r := &Report{Format: Format, Data: Data{Scales: []float64{0.02}}, Workloads: []Result{{Name: "selfjoin", Cells: []Cell{
		cell(16, 1, 0.1835, 20.74, 41, 4), cell(16, 2, 0.2265, 30.10, 48, 7), cell(256, 1, 0.1165, 11.54, 56, 0), cell(256, 2, 0.1337, 17.11, 76, 0),
	}}}}
	var shown bytes.Buffer
	if err := r.WriteTable(&shown); err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile("../docs/speed.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(page), "\n```\n")
	table, _, _ = strings.Cut(table, "```")
	if table == "" || !strings.Contains(shown.String(), table) {
		t.Errorf("the page shows\n%s\nwhere bench says\n%s", table, shown.String())
	}
}
