package client

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"analyzer/columnar"
	"analyzer/columnar/vfs"
	"analyzer/compose/cluster/protocol"
	"analyzer/compose/engine"
	"analyzer/operators/query"
	"analyzer/operators/query/bind"
	"analyzer/operators/query/physical"
	"analyzer/operators/query/plan"
	"analyzer/operators/query/sql"
)

// TestWhatIsStreamed counts what statements have sent to a gateway: the columns that
// their plans read, the rows that conditions leave, of those that join the ones whose keys
// are there, and of a LIMIT the first ones.
func TestWhatIsStreamed(t *testing.T) {
	c := startCluster(t, 1)
	cl, sent := c.client(annToken, c.all()...), c.gateways[0].metrics
	big := "id,k,v,s\n"
	for i := range 2000 {
		big += fmt.Sprintf("%d,%d,%d,%s\n", i, i%100, i%400, strings.Repeat("x", 100))
	}
	world := newStreamed(t, map[string]string{"big": big, "small": "k,name\n7,a\n8,b\n9,a\n"}, map[string][]string{"big": {"id", "k", "v", "s"}, "small": {"k", "name"}})
	for _, s := range []struct {
		text    string
		columns string // of each scan
		rows    int64
		bytes   int64 // at most, where there is a bound
		batches int64 // that hold them, where it says how many
	}{
		{text: "SELECT sum(id) FROM big", columns: "big: id", rows: 2000, bytes: 100_000},
		{text: "SELECT k, count(*) FROM big WHERE v < 10 GROUP BY k", columns: "big: k, v", rows: 50, bytes: 100_000},
		{text: "SELECT s FROM big WHERE id = 1321", columns: "big: id, s, position", rows: 1, bytes: 100_000},
		{text: "SELECT name, sum(v) FROM big JOIN small ON big.k = small.k GROUP BY name", columns: "big: k, v; small: k, name", rows: 60 + 3},
		{text: "SELECT id FROM big WHERE k IN (SELECT k FROM small WHERE name = 'a')", columns: "big: id, k, position; small: k, name", rows: 40 + 2},
		{text: "FROM big LIMIT 10", columns: "big: id, k, v, s, position", rows: 10, bytes: 5000, batches: 1},
		{text: "SELECT id FROM big WHERE v = 3 LIMIT 2 OFFSET 1", columns: "big: id, v, position", rows: 3, batches: 22},
		{text: "SELECT id FROM big WHERE v = 5 LIMIT 100", columns: "big: id, v, position", rows: 5},
	} {
		rows, bytes, batches := sent.Rows.Load(), sent.Bytes.Load(), sent.Batches.Load()
		j, want := world.answer(t, cl, s.text)
		if got := streamedColumns(t, j.Spec); got != s.columns {
			t.Errorf("%s: the columns %s, not %s", s.text, got, s.columns)
		}
		rows, bytes, batches = sent.Rows.Load()-rows, sent.Bytes.Load()-bytes, sent.Batches.Load()-batches
		if rows != s.rows || s.bytes > 0 && bytes > s.bytes || s.batches > 0 && batches != s.batches {
			t.Errorf("%s: %d rows, not %d, in %d bytes and %d batches", s.text, rows, s.rows, bytes, batches)
		}
		checkAnswers(t, j, want)
	}
}

// streamedColumns says which columns of each table are sent.
func streamedColumns(t *testing.T, spec *protocol.Spec) string {
	t.Helper()
	var all []string
	for _, n := range spec.Plan.Nodes {
		if n.Scan == nil {
			continue
		}
		schema, err := protocol.UploadSchema(spec, n.ID)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, n.Scan.Table+": "+strings.Join(schema.Names(), ", "))
	}
	slices.Sort(all)
	return strings.Join(all, "; ")
}

// streamed is tables over which statements are answered.
type streamed struct {
	files   *vfs.Mem
	tables  []*columnar.Table
	byName  plan.Tables
	catalog bind.Catalog
}

// newStreamed makes tables whose first columns are integers, and the last one is text.
func newStreamed(t *testing.T, files map[string]string, columns map[string][]string) *streamed {
	w := &streamed{files: vfs.NewMem(), byName: make(plan.Tables), catalog: bind.Catalog{Tables: make(map[string]*bind.Table)}}
	for name, text := range files {
		table := &columnar.Table{Name: name, Files: []string{name}}
		for i, c := range columns[name] {
			format := columnar.FormatInt
			if i == len(columns[name])-1 {
				format = columnar.FormatText
			}
			table.Columns = append(table.Columns, columnar.TableColumn{Name: c, Header: c, Format: format})
		}
		table.Columns = append(table.Columns, columnar.TableColumn{Name: "position", Header: "position", Format: columnar.FormatPosition})
		w.tables, w.byName[name] = append(w.tables, table), table
		w.catalog.Tables[name] = &bind.Table{Parts: []*columnar.Table{table}, Stats: &plan.Stats{Rows: float64(len(text))}}
		put(t, w.files, "/"+name, text)
	}
	return w
}

// parse returns the query of a statement.
func (w *streamed) parse(t *testing.T, text string) []*plan.Query {
	t.Helper()
	parsed, err := sql.Parse(nil, text)
	if err != nil {
		t.Fatal(err)
	}
	root, err := query.Plan(nil, parsed.Query, w.catalog, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	return []*plan.Query{{Version: plan.CurrentVersion, Name: "q", Root: root}}
}

// answer uploads the tables of a statement, and returns what an embedded run answers.
func (w *streamed) answer(t *testing.T, cl *Client, text string) (*Job, map[string]string) {
	t.Helper()
	queries := w.parse(t, text)
	j, err := cl.Open(t.Context(), protocol.OpenRequest{Label: "sql", Tables: w.tables, Queries: queries, Block: block, TTL: time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	open := func(table string) (vfs.File, error) { return w.files.Open("/" + table) }
	if _, err := j.Upload(t.Context(), Upload{Open: open, MaxRejects: -1, Workers: 3, Part: 1 << 10}); err != nil {
		t.Fatal(err)
	}
	p, err := physical.New(nil, queries, w.byName)
	if err != nil {
		t.Fatal(err)
	}
	return j, written(t, func(out engine.Answers) error {
		_, err := engine.Run(context.Background(), engine.Options{Plan: p, Tables: w.byName, Open: open, MaxRejects: -1, FS: vfs.NewMem(), SpillDir: "/"}, out)
		return err
	})
}
