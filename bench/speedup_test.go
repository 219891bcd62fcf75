package bench

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"analyzer/columnar/vfs"
)

// machinesReport is a report of machines that cost exactly what a model says they do, and take as
// long, but for those of four, which take twice as long.
func machinesReport() *Report {
	r := clusterReport(1, 2, 4)
	r.MachineCores = 0.1
	for i := range r.Workloads {
		for j := range r.Workloads[i].Cells {
			c := &r.Workloads[i].Cells[j]
			seconds := c.Runs[0].ByKind()
			c.Runs[0].Wall = (seconds[gatewayProcess] + seconds[workerProcess]) / float64(c.Replicas) / r.MachineCores
			if c.Replicas == 4 {
				c.Runs[0].Wall *= 2
			}
		}
	}
	return r
}

func TestMachinesBesideTheirModel(t *testing.T) {
	r := machinesReport()
	m := r.machinesModel()
	groups := &r.Workloads[0]
	alone := groups.Cells[0].Runs[0].Wall
	for i, longer := range []float64{1, 1, 2} {
		c := &groups.Cells[i]
		name, seconds := m.predict(groups, c)
		if wall := c.Runs[0].Wall / longer; name != "machines" || math.Abs(seconds-wall) > 1e-6*wall {
			t.Errorf("%d machines: %s are busy for %v s, want machines for %v", c.Replicas, name, seconds, wall)
		}
		if want := alone / seconds; i > 0 && math.Abs(m.speedUp(groups, c)-want) > 1e-6*want {
			t.Errorf("%d machines: %v times as fast by the model, want %v", c.Replicas, m.speedUp(groups, c), want)
		}
	}
	var figure *Figure
	for _, f := range r.Figures() {
		if f.Name == "groups-machines" {
			figure = &f
		}
	}
	if figure == nil || !slices.Equal(figure.Chart.Places, []string{"1", "2", "4"}) || len(figure.Chart.Series) != 3 {
		t.Fatalf("the chart of machines is %+v", figure)
	}
	last := func(series int) float64 { return figure.Chart.Series[series].Values[2].Mid }
	if measured, model, linear := last(0), last(1), last(2); math.Abs(2*measured-model) > 1e-6 || linear != 4 || model >= linear {
		t.Errorf("four machines are %v times as fast, %v by the model, %v if all was divided", measured, model, linear)
	}
	for name, write := range map[string]func(*bytes.Buffer) error{
		"table": func(b *bytes.Buffer) error { return r.WriteTable(b) },
		"page":  func(b *bytes.Buffer) error { return r.WriteHTML(b) },
		"pages": func(b *bytes.Buffer) error { return r.WriteMarkdown(b) },
		"model": func(b *bytes.Buffer) error { return m.WriteText(b) },
	} {
		var b bytes.Buffer
		if err := write(&b); err != nil {
			t.Fatal(err)
		}
		want := m.view().title
		if name == "model" {
			want = "of machines (B·"
		}
		if !strings.Contains(b.String(), want) {
			t.Errorf("the %s has no %q:\n%s", name, want, &b)
		}
	}
	// Processes that share a machine are not machines.
	if r.MachineCores = 0; r.machinesModel() != nil || slices.ContainsFunc(r.Figures(), func(f Figure) bool { return strings.HasSuffix(f.Name, "-machines") }) {
		t.Error("one machine is taken for several")
	}
}

// TestChartsOfDocs holds the charts of docs to what was measured.
func TestChartsOfDocs(t *testing.T) {
	for _, name := range []string{"groups", "movies"} {
		report := filepath.Join("testdata", "machines-"+name+".json")
		r, _, err := Open(vfs.OS(), report)
		if err != nil {
			t.Fatal(err)
		}
		all := r.Figures()
		i := slices.IndexFunc(all, func(f Figure) bool { return f.Name == name+"-machines" })
		if i < 0 {
			t.Fatalf("%s has no chart of machines", name)
		}
		var b bytes.Buffer
		if err := all[i].Chart.WriteSVG(&b); err != nil {
			t.Fatal(err)
		}
		file := filepath.Join("..", "docs", name+"-machines.svg")
		if *rewrite {
			if err := os.WriteFile(file, b.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if drawn, err := os.ReadFile(file); err != nil || !bytes.Equal(drawn, b.Bytes()) {
			t.Errorf("%s is not the chart of %s, %v (-rewrite draws it)", file, report, err)
		}
	}
}
