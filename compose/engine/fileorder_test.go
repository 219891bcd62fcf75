package engine_test

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"

	"analyzer/columnar"
	"analyzer/columnar/scan"
	"analyzer/compose/engine"
	"analyzer/operators/query"
	"analyzer/operators/query/bind"
	"analyzer/operators/query/plan"
	"analyzer/operators/query/sql"
)

// filed returns a function that runs a statement over a table t, whose CSV files hold rows of
// numbers.
func filed(t *testing.T, statement string, files ...string) job {
	t.Helper()
	j, contents, whole := job{tables: plan.Tables{}}, make(map[string]string), new(bind.Table)
	for i, content := range files {
		part := &columnar.Table{Name: fmt.Sprintf("part%d", i)}
		header, _, _ := strings.Cut(content, "\n")
		for _, name := range strings.Split(header, ",") {
			part.Columns = append(part.Columns, columnar.TableColumn{Name: name, Header: name, Format: columnar.FormatInt})
		}
		part.Columns = append(part.Columns, columnar.TableColumn{Name: "position", Header: "position", Format: columnar.FormatPosition})
		j.tables[part.Name], contents[part.Name] = part, content
		whole.Parts = append(whole.Parts, part)
	}
	parsed, err := sql.Parse(nil, statement)
	if err != nil {
		t.Fatal(err)
	}
	root, err := query.Plan(nil, parsed.Query, bind.Catalog{Tables: map[string]*bind.Table{"t": whole}}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	j.queries = []*plan.Query{{Version: plan.CurrentVersion, Name: "q", Root: root}}
	j.open = inMemory(t, contents)
	return j
}

// taken is an answer, with the memory in use while it arrived.
type taken struct {
	rows   int
	values []int64 // of the first column
	every  int     // rows after which memory is looked at, 0 for never
	looked int
	most   uint64 // bytes in use
	fails  error  // once rows come
}

func (*taken) Begin(string, columnar.Schema) error { return nil }
func (*taken) End() error                          { return nil }

func (a *taken) Write(rows columnar.Rows) error {
	a.rows += rows.Len
	if a.every == 0 {
		a.values = append(a.values, rows.Cols[0].Ints...)
	} else if a.rows/a.every > a.looked {
		a.looked = a.rows / a.every
		a.most = max(a.most, inUse())
	}
	return a.fails
}

func inUse() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// filesOfNumbers returns files of 2000 unordered rows each, and the values of their first
// columns.
func filesOfNumbers(n int) (files []string, all []int64) {
	for f := range n {
		text := "a,b\n"
		for i := range 2000 {
			a := int64((i*7919 + f) % 5003)
			text += fmt.Sprintf("%d,%d\n", a, i%3)
			all = append(all, a)
		}
		files = append(files, text)
	}
	return files, all
}

// TestFileOrder checks that statements that keep the order of their files do so with any number
// of readers, and do not buffer the rows.
func TestFileOrder(t *testing.T) {
	files, all := filesOfNumbers(3)
	odd := func(a int64) bool { return a%2 == 1 }
	for _, tt := range []struct {
		statement string
		files     int
		keep      func(int64) bool
	}{
		{"SELECT a FROM t", 1, nil},
		{"SELECT * FROM t", 3, nil},
		{"SELECT a, a + b FROM t WHERE a % 2 = 1", 1, odd},
		{"SELECT a, a + b FROM t WHERE a % 2 = 1", 3, odd},
		{"SELECT a FROM t WHERE a < 0", 3, func(int64) bool { return false }},
	} {
		var want []int64
		for _, a := range all[:2000*tt.files] {
			if tt.keep == nil || tt.keep(a) {
				want = append(want, a)
			}
		}
		j := filed(t, tt.statement, files[:tt.files]...)
		for _, o := range []engine.Options{
			{Replicas: 1, Memory: 1, BlockSize: 100, Early: true},
			{Replicas: 4, Memory: 1, BlockSize: 100, Early: true},
			{Replicas: 4, Memory: 1, BlockSize: 1000},
			{Replicas: 2},
		} {
			got := new(taken)
			report, err := j.runInto(t, t.Context(), o, got)
			if err != nil {
				t.Fatalf("%s: %s: %v", tt.statement, describe(o), err)
			}
			if fmt.Sprint(got.values) != fmt.Sprint(want) {
				t.Errorf("%s: %s: %d rows, %v, not %d in the order of the files, %v", tt.statement, describe(o), len(got.values), got.values, len(want), want)
			}
			if o.Early && report.Spilled > 0 {
				t.Errorf("%s: %s: %d bytes were spilled of what need not be held", tt.statement, describe(o), report.Spilled)
			}
		}
	}
}

// TestFirstInFileOrder checks that the first and last values of groups follow the order of the
// files, with any number of readers.
func TestFirstInFileOrder(t *testing.T) {
	files, all := filesOfNumbers(3)
	j := filed(t, "SELECT first(a) AS x FROM t GROUP BY b UNION ALL SELECT last(a) FROM t GROUP BY b ORDER BY x", files...)
	want := append(slices.Clone(all[:3]), all[len(all)-3:]...)
	slices.Sort(want)
	for _, o := range []engine.Options{{Replicas: 1, Memory: 1, BlockSize: 100}, {Replicas: 4, Memory: 1, BlockSize: 100}, {Replicas: 5, BlockSize: 1000}, {Replicas: 2}} {
		got := new(taken)
		if _, err := j.runInto(t, t.Context(), o, got); err != nil {
			t.Fatalf("%s: %v", describe(o), err)
		}
		if !slices.Equal(got.values, want) {
			t.Errorf("%s: %v, not %v", describe(o), got.values, want)
		}
	}
}

// TestFileOrderFails makes the reader, a reject or the receiver fail while workers wait for
// their turns.
func TestFileOrderFails(t *testing.T) {
	text := "a\n" + strings.Repeat("1\n", 3000) + "x\n" + strings.Repeat("1\n", 3000)
	j := filed(t, "SELECT a FROM t", text)
	o := engine.Options{Replicas: 4, BlockSize: 100, Early: true, Reject: func(scan.Reject) error { return errFull }}
	j.tables["part0"].Columns[0].Required = true
	if _, err := j.runInto(t, t.Context(), o, new(taken)); !errors.Is(err, errFull) {
		t.Errorf("a reject that cannot be kept: %v", err)
	}
	o.Reject = nil
	if _, err := j.runInto(t, t.Context(), o, &taken{fails: errFull}); !errors.Is(err, errFull) {
		t.Errorf("an answer that cannot be written: %v", err)
	}
}

var errFull = errors.New("it is full")

// TestLargeAnswers bounds the memory of a large answer: if the answer may come early, to rows in
// transit, and otherwise to the part of it kept in memory. Only a sort holds all rows.
func TestLargeAnswers(t *testing.T) {
	if testing.Short() {
		t.Skip("its rows are many for the race detector")
	}
	const rows = 600_000
	j := filed(t, "SELECT * FROM t", "a,b,c,d,e,f,g,h\n"+strings.Repeat("1,2,3,4,5,6,7,8\n", rows))
	early := &taken{every: rows / 5}
	before := inUse()
	report, err := j.runInto(t, t.Context(), engine.Options{Replicas: 2, BlockSize: 256 << 10, Early: true}, early)
	if err != nil || early.rows != rows {
		t.Fatalf("%d rows: %v", early.rows, err)
	}
	if report.Spilled > 0 || early.most > before+16<<20 {
		t.Errorf("%d bytes more in use, %d spilled, of an answer of %d", early.most-before, report.Spilled, rows*64)
	}
	late := &taken{every: rows}
	if report, err = j.runInto(t, t.Context(), engine.Options{Replicas: 2}, late); err != nil || late.rows != rows {
		t.Fatalf("%d rows: %v", late.rows, err)
	}
	if report.Spilled == 0 {
		t.Errorf("all of an answer of %d bytes was held", rows*64)
	}
}
