package answers

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow/decimal128"

	"analyzer/columnar"
)

var rewrite = flag.Bool("rewrite", false, "rewrite the files in testdata")

// answer is a query's answer as a test writes it: one vector per column.
type answer struct {
	query   string
	columns columnar.Schema
	vectors []*columnar.Vector
}

func (a answer) rows() int {
	if len(a.vectors) == 0 {
		return 0
	}
	return a.vectors[0].Len
}

// writeTo sends the answer in batches of the given number of rows.
func (a answer) writeTo(set Set, batch int) error {
	if err := set.Begin(a.query, a.columns); err != nil {
		return err
	}
	for lo := 0; lo < a.rows(); lo += batch {
		hi := min(a.rows(), lo+batch)
		part := make([]*columnar.Vector, len(a.vectors))
		for i, v := range a.vectors {
			part[i] = columnar.NewVector(v.Type)
			part[i].AppendRange(v, lo, hi)
		}
		if err := set.Write(columnar.Rows{Len: hi - lo, Cols: part}); err != nil {
			return err
		}
	}
	return set.End()
}

// writeAll writes answers, finishes the set if nothing failed, and discards it.
func writeAll(set Set, batch int, all ...answer) error {
	for _, a := range all {
		if err := a.writeTo(set, batch); err != nil {
			return errors.Join(err, set.Discard())
		}
	}
	return errors.Join(set.Finish(), set.Discard())
}

// mixed is an answer with every type, nulls and text that is hard to write.
func mixed() answer {
	a := answer{query: "q1"}
	column := func(name string, t columnar.Type) *columnar.Vector {
		v := columnar.NewVector(t)
		a.columns = append(a.columns, columnar.Field{Name: name, Type: t})
		a.vectors = append(a.vectors, v)
		return v
	}
	texts := []string{
		"plain", "", "comma, and \"quotes\"", "two\nlines\r\n", " spaces ", "# hash", "日本語とemoji👍🏽", "e\u0301a\x1b[31mred\u202eright", "back\\slash\ttab",
	}
	id := column("id", columnar.Int)
	text := column("text", columnar.Text)
	for i, t := range texts {
		id.AppendInt([]int64{0, 1, -1, 9007199254740993, 1 << 62, -1 << 63, 7, 8, 9}[i])
		text.AppendBytes([]byte(t))
	}
	flags := column("flag", columnar.Bool)
	amount := column("amount", columnar.Decimal)
	total := column("total", columnar.Wide)
	mean := column("mean", columnar.Float)
	names := column("names", columnar.TextList)
	ids := column("ids", columnar.IntList)
	big := decimal128.FromI64(1 << 62).Mul(decimal128.FromI64(1 << 40))
	for i := range texts {
		flags.Bools, flags.Len = append(flags.Bools, i%2 == 0), flags.Len+1
		amount.AppendInt([]int64{0, 1, -1, 1_500_000, 2_000_000, -2_250_000, 1<<63 - 1, -1 << 63, 120_000}[i])
		total.Wides = append(total.Wides, []decimal128.Num{
			{}, decimal128.FromI64(-1), decimal128.FromI64(120153886644_000000), big, big.Negate(), decimal128.FromI64(1), decimal128.New(1<<62, 0), {}, {},
		}[i])
		total.Len++
		mean.AppendFloat([]float64{0, 0.1, 1.0 / 3, 1e21, 1e-7, -2.75, 5e-324, 1.7976931348623157e308, 4}[i])
		for _, name := range [][]string{{}, {"a"}, {"b", "c, d", `"q"`}, {""}, {"x"}, {}, {"日", "本"}, {"y\n"}, {"z"}}[i] {
			names.Child.AppendBytes([]byte(name))
		}
		names.EndList()
		for k := range i {
			ids.Child.AppendInt(int64(k - 2))
		}
		ids.EndList()
	}
	for _, v := range a.vectors {
		v.AppendNull()
	}
	return a
}

// empty is an answer without rows.
func empty() answer {
	return answer{
		query:   "q2",
		columns: columnar.Schema{{Name: "title", Type: columnar.Text}, {Name: "count", Type: columnar.Int}},
		vectors: []*columnar.Vector{columnar.NewVector(columnar.Text), columnar.NewVector(columnar.Int)},
	}
}

func asOf() *AsOf {
	return &AsOf{Tables: []Part{{Table: "ratings", Blocks: 12, Bytes: 1 << 20, Rows: 1000, Share: 0.57}, {Table: "pipe", Blocks: 1, Bytes: 9, Rows: 1}}}
}

// TestChanges checks which rows came and went between two answers, one of which has a row
// twice.
func TestChanges(t *testing.T) {
	var c Changes
	for _, tt := range []struct{ rows, came, went string }{
		{"a b b", "a b b", ""}, {"b c b b", "c b", "a"}, {"b", "", "c b b"}, {"b", "", ""}, {"", "", "b"},
	} {
		came, went := c.next("q1", strings.Fields(tt.rows))
		if got := [2]string{strings.Join(came, " "), strings.Join(went, " ")}; got != [2]string{tt.came, tt.went} {
			t.Errorf("%q: %q, not %q and %q", tt.rows, got, tt.came, tt.went)
		}
	}
	var out bytes.Buffer
	for range 2 {
		set, err := NewStream(&out, Options{Format: JSONL, AsOf: asOf(), Changes: &c})
		if err != nil {
			t.Fatal(err)
		}
		if err := writeAll(set, 2, mixed()); err != nil {
			t.Fatal(err)
		}
	}
	golden(t, "changes.jsonl", out.Bytes())
}

func TestStreams(t *testing.T) {
	titles := map[string]string{"q1": "Every kind of value"}
	tests := []struct {
		file    string
		options Options
		answers []answer
	}{
		{"one.table.txt", Options{Format: Table, Titles: titles}, []answer{mixed()}},
		{"narrow.table.txt", Options{Format: Table, Titles: titles, Width: 150}, []answer{mixed()}},
		{"two.table.txt", Options{Format: Table, Titles: titles}, []answer{mixed(), empty()}},
		{"wide.table.txt", Options{Format: Table, Width: 120, Rows: 7}, []answer{wide(30, 100)}},
		{"wide40.table.txt", Options{Format: Table, Width: 40, Rows: 2}, []answer{wide(30, 100)}},
		{"one.csv", Options{Format: CSV}, []answer{mixed()}},
		{"two.csv", Options{Format: CSV}, []answer{mixed(), empty()}},
		{"one.json", Options{Format: JSON}, []answer{mixed()}},
		{"two.json", Options{Format: JSON}, []answer{mixed(), empty()}},
		{"none.json", Options{Format: JSON}, nil},
		{"one.jsonl", Options{Format: JSONL}, []answer{mixed()}},
		{"two.jsonl", Options{Format: JSONL}, []answer{mixed(), empty()}},
		{"part.jsonl", Options{Format: JSONL, AsOf: asOf()}, []answer{mixed(), empty()}},
		{"none.csv", Options{Format: CSV}, nil},
		{"one.tsv", Options{Format: TSV}, []answer{mixed()}},
		{"two.tsv", Options{Format: TSV}, []answer{mixed(), empty()}},
		{"one.md", Options{Format: Markdown}, []answer{mixed()}},
		{"two.md", Options{Format: Markdown, Titles: titles}, []answer{mixed(), empty()}},
	}
	for _, tt := range tests {
		for _, batch := range []int{1, 3, 1000} {
			tt.options.Queries = len(tt.answers)
			var out bytes.Buffer
			set, err := NewStream(&out, tt.options)
			if err != nil {
				t.Fatal(err)
			}
			if err := writeAll(set, batch, tt.answers...); err != nil {
				t.Fatalf("%s: %v", tt.file, err)
			}
			golden(t, tt.file, out.Bytes())
		}
	}
}

// TestBytesDoNotDependOnBatches writes many different texts in all formats, in batches of
// different sizes, and twice in the same size.
func TestBytesDoNotDependOnBatches(t *testing.T) {
	a := answer{query: "q1", columns: columnar.Schema{{Name: "text", Type: columnar.Text}, {Name: "id", Type: columnar.Int}}}
	texts, ids := columnar.NewVector(columnar.Text), columnar.NewVector(columnar.Int)
	for i := range 140_000 {
		texts.AppendBytes(fmt.Appendf(nil, "a text of some bytes %d", i))
		ids.AppendInt(int64(i))
	}
	a.vectors = []*columnar.Vector{texts, ids}
	for _, f := range Formats() {
		var want []byte
		for _, batch := range []int{8192, 8192, 100_000, 777} {
			var out bytes.Buffer
			set, err := NewStream(&out, Options{Format: Format(f), Queries: 1})
			if err != nil {
				t.Fatal(err)
			}
			if err := writeAll(set, batch, a); err != nil {
				t.Fatal(err)
			}
			if want == nil {
				want = out.Bytes()
			} else if !bytes.Equal(out.Bytes(), want) {
				t.Errorf("%s: batches of %d rows have other bytes", f, batch)
			}
		}
	}
}

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *rewrite {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s differs (run with -rewrite to accept):\n%s", name, got)
	}
}

func TestTableStreamsWhatItDoesNotHold(t *testing.T) {
	x, y := columnar.NewVector(columnar.Text), columnar.NewVector(columnar.Int)
	for range heldRows + 2 {
		x.AppendBytes([]byte("ab"))
		y.AppendInt(10)
	}
	x.AppendBytes([]byte("wider than the rest"))
	y.AppendInt(7)
	a := answer{
		query:   "q1",
		columns: columnar.Schema{{Name: "x", Type: columnar.Text}, {Name: "y", Type: columnar.Int}},
		vectors: []*columnar.Vector{x, y},
	}
	var out bytes.Buffer
	set, err := NewStream(&out, Options{Format: Table})
	if err != nil {
		t.Fatal(err)
	}
	if err := writeAll(set, 999, a); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(out.String(), "\n")
	if got, want := strings.Join(lines[2:5], "|"), "x    y|--  --|ab  10"; got != want {
		t.Errorf("first lines are %q, want %q", got, want)
	}
	if got, want := strings.Join(lines[len(lines)-3:], "|"), "wider than the rest   7|(10003 rows)|"; got != want {
		t.Errorf("last lines are %q, want %q", got, want)
	}
	if len(lines) != heldRows+3+6 {
		t.Errorf("%d lines for %d rows", len(lines), heldRows+3)
	}
}

func TestRefusals(t *testing.T) {
	if _, err := NewStream(io.Discard, Options{Format: "xml"}); err == nil || !strings.Contains(err.Error(), "table, csv, tsv, json, jsonl, markdown, arrow, parquet") {
		t.Errorf("format xml: %v", err)
	}
	for _, f := range []Format{Arrow, Parquet} {
		if _, err := NewStream(io.Discard, Options{Format: f, Queries: 2}); err == nil {
			t.Errorf("two answers in one %s stream", f)
		}
	}
	partial := columnar.Schema{{Name: "sum", Type: columnar.FloatSum}}
	for _, f := range Formats() {
		set, err := NewStream(io.Discard, Options{Format: Format(f), Queries: 1})
		if err != nil {
			t.Fatal(err)
		}
		if err := set.Begin("q1", partial); err == nil || !strings.Contains(err.Error(), "sum") {
			t.Errorf("%s takes a partial sum: %v", f, err)
		}
		if err := set.Discard(); err != nil {
			t.Errorf("%s: %v", f, err)
		}
	}
}

// limited fails once it has taken some bytes.
type limited struct {
	left int
}

var errFull = errors.New("no space left")

func (l *limited) Write(p []byte) (int, error) {
	if len(p) > l.left {
		n := l.left
		l.left = 0
		return n, errFull
	}
	l.left -= len(p)
	return len(p), nil
}

// TestFailingWriter makes the output fail at some hundred and fifty positions.
func TestFailingWriter(t *testing.T) {
	for _, f := range Formats() {
		options := Options{Format: Format(f), Queries: 1}
		var whole bytes.Buffer
		set, err := NewStream(&whole, options)
		if err != nil {
			t.Fatal(err)
		}
		if err := writeAll(set, 4, mixed()); err != nil {
			t.Fatal(err)
		}
		for n := 0; n < whole.Len(); n += 1 + whole.Len()/150 {
			set, err := NewStream(&limited{left: n}, options)
			if err != nil {
				t.Fatal(err)
			}
			if err := writeAll(set, 4, mixed()); !errors.Is(err, errFull) {
				t.Fatalf("%s, output fails after %d bytes: error %v", f, n, err)
			}
		}
	}
}
