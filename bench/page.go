package bench

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"slices"
)

//go:embed page.html
var pageText string

// WriteHTML writes the report as one page with its tables and charts. The page is
// self-contained: it needs no network and no other files.
func (r *Report) WriteHTML(w io.Writer) error {
	page, err := template.New("page").Parse(pageText)
	if err != nil {
		return fmt.Errorf("write the report: %w", err)
	}
	data, err := r.page()
	if err != nil {
		return err
	}
	var b bytes.Buffer
	if err := page.Execute(&b, data); err != nil {
		return fmt.Errorf("write the report: %w", err)
	}
	return writeAll(w, b.Bytes())
}

type pageData struct {
	Where     string
	Began     string
	Measured  string
	Meanings  []struct{ Head, Meaning string }
	Verdicts  []string
	Workloads []pageWorkload
	Shared    []template.HTML // charts of several workloads
	Model     string          // "": no cluster was measured
}

type pageWorkload struct {
	Name, Title string
	Tables      []table
	Charts      []template.HTML
}

func (r *Report) page() (pageData, error) {
	p := pageData{Where: r.where(), Began: r.Began.Format("2006-01-02 15:04 MST"), Measured: howMeasured, Meanings: meanings, Verdicts: r.verdicts()}
	for _, w := range r.Workloads {
		one := Report{Workloads: []Result{w}}
		shown := pageWorkload{Name: w.Name, Title: w.Title}
		for _, scale := range one.scales() {
			for _, t := range one.tables(scale, slices.Concat(r.views(), more)...) {
				t.Title += atScale(scale)
				shown.Tables = append(shown.Tables, t)
			}
		}
		if t, ok := r.stageTable(&w); ok {
			shown.Tables = append(shown.Tables, t)
		}
		p.Workloads = append(p.Workloads, shown)
	}
	if m, err := NewModel(r); err == nil {
		var b bytes.Buffer
		if err := m.WriteText(&b); err != nil {
			return p, err
		}
		p.Model = b.String()
	}
	for _, f := range r.Figures() {
		var b bytes.Buffer
		if err := f.Chart.WriteSVG(&b); err != nil {
			return p, fmt.Errorf("write the report: %w", err)
		}
		drawn := template.HTML(b.String()) //nolint:gosec // our own drawing, which escapes its words
		if f.Workload == "" {
			p.Shared = append(p.Shared, drawn)
			continue
		}
		of := &p.Workloads[slices.IndexFunc(p.Workloads, func(w pageWorkload) bool { return w.Name == f.Workload })]
		of.Charts = append(of.Charts, drawn)
	}
	return p, nil
}
