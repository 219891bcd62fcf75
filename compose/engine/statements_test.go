package engine_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"iter"
	"math"
	"math/big"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"analyzer/columnar"
	"analyzer/compose/engine"
	"analyzer/operators/query"
	"analyzer/operators/query/bind"
	"analyzer/operators/query/plan"
	"analyzer/operators/query/sql"
)

// world is tables and statements over them, with the answers of DuckDB.
type world struct {
	Tables     []worldTable
	Statements []statement
}

type worldTable struct {
	Name    string
	Columns []worldColumn
	CSV     string
}

type worldColumn struct{ Name, Type string }

type statement struct {
	Text        string
	Approximate []bool  // in which columns doubles may differ by rounding
	By          []int   // the columns by which rows are ordered
	File        bool    // whether rows have the order of the file
	Rows        [][]any // numbers are {"n": TEXT}
}

// worlds yields those of testdata.
func worlds(t testing.TB) iter.Seq[*world] {
	return func(yield func(*world) bool) {
		f, err := os.Open("testdata/statements.jsonl")
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		lines := bufio.NewScanner(f)
		lines.Buffer(nil, 1<<24)
		for lines.Scan() {
			w := new(world)
			if err := json.Unmarshal(lines.Bytes(), w); err != nil {
				t.Fatal(err)
			}
			if !yield(w) {
				return
			}
		}
		if err := lines.Err(); err != nil {
			t.Fatal(err)
		}
	}
}

// TestRandomStatements runs a fixed set of random statements with many options, and compares
// the answers with those recorded from DuckDB. make golden-sql records them anew.
func TestRandomStatements(t *testing.T) {
	ways := []engine.Options{{Replicas: 1}, {Replicas: 3, BlockSize: 100, Memory: 1}, {Replicas: 2, BlockSize: 1000}, {Replicas: 5}, {Replicas: 1, BlockSize: 33, Memory: 1}}
	held := 0
	for w := range worlds(t) {
		catalog, tables, files := w.tables()
		open := inMemory(t, files)
		for i, s := range w.Statements {
			if testing.Short() && i%8 != 0 {
				continue
			}
			parsed, err := sql.Parse(nil, s.Text)
			if err != nil {
				t.Fatalf("%s: %v", s.Text, err)
			}
			root, err := query.Plan(nil, parsed.Query, catalog, nil, nil)
			if err != nil {
				t.Errorf("%s: %v", s.Text, err)
				continue
			}
			j := job{queries: []*plan.Query{{Version: plan.CurrentVersion, Name: "q", Root: root}}, tables: tables, open: open}
			got := j.answer(t, ways[held%len(ways)])
			if why := s.difference(t, got.json); why != "" {
				t.Errorf("%s: %s\n%s", describe(ways[held%len(ways)]), s.Text, why)
			}
			held++
		}
	}
	if held < 200 && !testing.Short() {
		t.Errorf("%d statements are too few", held)
	}
}

func (w *world) tables() (bind.Catalog, plan.Tables, map[string]string) {
	formats := map[string]columnar.Format{
		"BIGINT": columnar.FormatInt, "DECIMAL(18,6)": columnar.FormatDecimal, "DOUBLE": columnar.FormatFloat,
		"VARCHAR": columnar.FormatOptional, "BOOLEAN": columnar.FormatBool, "DATE": columnar.FormatDay, "TIMESTAMP": columnar.FormatTimestamp,
	}
	nothing := &columnar.Table{Name: "nothing", Columns: []columnar.TableColumn{{Name: "nothing", Header: "nothing", Format: columnar.FormatInt}}}
	tables, files := plan.Tables{"nothing": nothing}, map[string]string{"nothing": "nothing\n0\n"}
	catalog := bind.Catalog{Tables: make(map[string]*bind.Table), Nothing: &bind.Table{Parts: []*columnar.Table{nothing}}, Now: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)}
	for _, t := range w.Tables {
		made := &columnar.Table{Name: t.Name}
		for _, c := range t.Columns {
			made.Columns = append(made.Columns, columnar.TableColumn{Name: c.Name, Header: c.Name, Format: formats[c.Type]})
		}
		made.Columns = append(made.Columns, columnar.TableColumn{Name: "position", Header: "position", Format: columnar.FormatPosition})
		tables[t.Name], files[t.Name] = made, t.CSV
		catalog.Tables[t.Name] = &bind.Table{Parts: []*columnar.Table{made}, Stats: &plan.Stats{Rows: float64(len(t.CSV))}}
	}
	return catalog, tables, files
}

// difference returns how an answer differs from DuckDB's. Rows are compared in order only if
// the statement determines one.
func (s *statement) difference(t *testing.T, answers string) string {
	t.Helper()
	var got struct{ Q struct{ Rows [][]any } }
	d := json.NewDecoder(strings.NewReader(answers))
	d.UseNumber()
	if err := d.Decode(&got); err != nil {
		t.Fatal(err)
	}
	ours, theirs := got.Q.Rows, s.Rows
	if len(ours) != len(theirs) {
		return fmt.Sprintf("%d rows, not %d", len(ours), len(theirs))
	}
	all := make([]int, len(s.Approximate))
	for c := range all {
		all[c] = c
	}
	fixed := s.By
	if s.File {
		fixed = all
	}
	for r, row := range theirs {
		if !s.same(ours[r], row, fixed) {
			return fmt.Sprintf("row %d is %v, not %v", r+1, ours[r], row)
		}
	}
	for _, row := range theirs {
		at := slices.IndexFunc(ours, func(o []any) bool { return s.same(o, row, all) })
		if at < 0 {
			return fmt.Sprintf("%v is missing among %v", row, ours)
		}
		ours = slices.Delete(ours, at, at+1)
	}
	return ""
}

func (s *statement) same(ours, theirs []any, columns []int) bool {
	return !slices.ContainsFunc(columns, func(c int) bool { return !sameValue(ours[c], theirs[c], s.Approximate[c]) })
}

func sameValue(a, b any, approximately bool) bool {
	if list, ok := a.([]any); ok {
		other, ok := b.([]any)
		return ok && slices.EqualFunc(list, other, func(a, b any) bool { return sameValue(a, b, approximately) })
	}
	x, isNumber := a.(json.Number)
	y, alsoNumber := b.(map[string]any)
	if _, list := b.([]any); list {
		return false
	}
	if !isNumber || !alsoNumber {
		return a == b
	}
	text, ok := y["n"].(string)
	if !ok {
		return false
	}
	if approximately {
		p, err1 := x.Float64()
		q, err2 := strconv.ParseFloat(text, 64)
		return err1 == nil && err2 == nil && math.Abs(p-q) <= 1e-12*max(math.Abs(p), math.Abs(q), 1e-3)
	}
	p, ok1 := new(big.Rat).SetString(x.String())
	q, ok2 := new(big.Rat).SetString(text)
	return ok1 && ok2 && p.Cmp(q) == 0
}
