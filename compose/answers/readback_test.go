package answers

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/decimal128"
	"github.com/apache/arrow/go/v17/arrow/ipc"
	"github.com/apache/arrow/go/v17/arrow/memory"
	"github.com/apache/arrow/go/v17/parquet"
	"github.com/apache/arrow/go/v17/parquet/file"
	"github.com/apache/arrow/go/v17/parquet/pqarrow"
	"pgregory.net/rapid"

	"analyzer/columnar"
	"analyzer/columnar/rowtest"
)

// encode writes one answer to memory in batches of the given number of rows.
func encode(t require, o Options, a answer, batch int) []byte {
	o.Queries = 1
	var out bytes.Buffer
	set, err := NewStream(&out, o)
	if err != nil {
		t.Fatalf("%v", err)
	}
	if err := writeAll(set, batch, a); err != nil {
		t.Fatalf("%s: %v", o.Format, err)
	}
	return out.Bytes()
}

type require interface{ Fatalf(string, ...any) }

// lines renders the rows as JSON, so that answers can be compared as text. Decimals and
// sums of decimals look the same.
func lines(vectors []*columnar.Vector) []string {
	var out []string
	for i := range vectors[0].Len {
		var b []byte
		for _, v := range vectors {
			b = append(appendJSON(b, v, i), '|')
		}
		out = append(out, string(b))
	}
	return out
}

// linesOf renders a batch that another package has read.
func linesOf(columns columnar.Schema, b arrow.Record) []string {
	public := slices.Clone(columns)
	for i := range public {
		public[i].Type = readAs(public[i].Type)
	}
	return lines(rowtest.FromArrow(public, b).Cols)
}

// readAs returns the type that others read t as.
func readAs(t columnar.Type) columnar.Type {
	switch item := t.Item(); {
	case t == columnar.Decimal:
		return columnar.Wide
	case item != columnar.Invalid:
		return columnar.ListOf(readAs(item))
	}
	return t
}

func readArrow(t require, a answer, data []byte, asFile bool) []string {
	var out []string
	if asFile {
		r, err := ipc.NewFileReader(bytes.NewReader(data))
		if err != nil {
			t.Fatalf("%v", err)
		}
		for i := range r.NumRecords() {
			b, err := r.Record(i)
			if err != nil {
				t.Fatalf("%v", err)
			}
			out = append(out, linesOf(a.columns, b)...)
		}
		return out
	}
	r, err := ipc.NewReader(bytes.NewReader(data))
	if err != nil {
		t.Fatalf("%v", err)
	}
	for r.Next() {
		out = append(out, linesOf(a.columns, r.Record())...)
	}
	if r.Err() != nil {
		t.Fatalf("%v", r.Err())
	}
	return out
}

func readParquet(t require, a answer, data []byte) (rows []string, names []string, groups int) {
	r, err := file.NewParquetReader(bytes.NewReader(data))
	if err != nil {
		t.Fatalf("%v", err)
	}
	reader, err := pqarrow.NewFileReader(r, pqarrow.ArrowReadProperties{BatchSize: 1 << 20}, memory.DefaultAllocator)
	if err != nil {
		t.Fatalf("%v", err)
	}
	table, err := reader.ReadTable(context.Background())
	if err != nil {
		t.Fatalf("%v", err)
	}
	for _, f := range table.Schema().Fields() {
		names = append(names, fmt.Sprintf("%s %s", f.Name, f.Type))
	}
	batches := array.NewTableReader(table, 0)
	for batches.Next() {
		rows = append(rows, linesOf(a.columns, batches.Record())...)
	}
	return rows, names, r.NumRowGroups()
}

func TestArrowReadsBack(t *testing.T) {
	a := mixed()
	for _, batch := range []int{1, 4, 1000} {
		if got, want := readArrow(t, a, encode(t, Options{Format: Arrow}, a, batch), false), lines(a.vectors); !slices.Equal(got, want) {
			t.Errorf("batches of %d rows read back as\n%q\nnot\n%q", batch, got, want)
		}
	}
}

func TestParquetReadsBack(t *testing.T) {
	a := mixed()
	for _, batch := range []int{1, 4, 1000} {
		got, names, _ := readParquet(t, a, encode(t, Options{Format: Parquet}, a, batch))
		if want := lines(a.vectors); !slices.Equal(got, want) {
			t.Errorf("batches of %d rows read back as\n%q\nnot\n%q", batch, got, want)
		}
		want := []string{
			"id int64", "text utf8", "flag bool", "amount decimal(19, 6)", "total decimal(38, 6)", "mean float64",
			"names list<list: utf8, nullable>", "ids list<list: int64, nullable>", // pqarrow names items after their group
		}
		if !slices.Equal(names, want) {
			t.Errorf("columns read back as %q, not %q", names, want)
		}
	}
}

func TestParquetOfNoRows(t *testing.T) {
	got, names, groups := readParquet(t, empty(), encode(t, Options{Format: Parquet}, empty(), 1))
	if len(got) != 0 || groups != 0 || len(names) != 2 {
		t.Errorf("read back %d rows, %d groups, columns %q", len(got), groups, names)
	}
}

func TestParquetRowGroups(t *testing.T) {
	ids := columnar.NewVector(columnar.Int)
	lists := columnar.NewVector(columnar.TextList)
	for i := range rowGroupRows + 10 {
		ids.AppendInt(int64(i))
		for k := range i % 3 {
			lists.Child.AppendBytes(fmt.Append(nil, i, k))
		}
		lists.EndList()
	}
	a := answer{
		query:   "q1",
		columns: columnar.Schema{{Name: "id", Type: columnar.Int}, {Name: "list", Type: columnar.TextList}},
		vectors: []*columnar.Vector{ids, lists},
	}
	got, _, groups := readParquet(t, a, encode(t, Options{Format: Parquet}, a, 4096))
	if groups != 2 {
		t.Errorf("%d rows make %d row groups, not 2", ids.Len, groups)
	}
	if !slices.Equal(got, lines(a.vectors)) {
		t.Error("rows of several row groups do not read back")
	}
	if r, err := file.NewParquetReader(bytes.NewReader(encode(t, Options{Format: Parquet}, a, 4096))); err != nil {
		t.Error(err)
	} else {
		if by := r.MetaData().GetCreatedBy(); by != "analyzer" {
			t.Errorf("written by %q", by)
		}
		if path := r.MetaData().Schema.Column(1).Path(); path != "list.list.element" {
			t.Errorf("the items stand at %q, not where the format wants them", path)
		}
	}
}

// TestParquetEncodings writes texts so long that row groups are full before they have many rows. The
// first group decides which columns have dictionaries.
func TestParquetEncodings(t *testing.T) {
	const rows, each = 90_000, 500
	names := []string{"id", "day", "text", "word", "repeated", "twice", "twice"}
	a := answer{query: "q1"}
	for i, typ := range []columnar.Type{columnar.Int, columnar.Date, columnar.Text, columnar.Text, columnar.Int, columnar.Int, columnar.Text} {
		a.columns, a.vectors = append(a.columns, columnar.Field{Name: names[i], Type: typ}), append(a.vectors, columnar.NewVector(typ))
	}
	for i := range rows {
		text := fmt.Appendf(nil, "%*d", each, i)
		for c, n := range map[int]int{0: i, 1: -i, 4: i % 100, 5: i} {
			a.vectors[c].AppendInt(int64(n))
		}
		a.vectors[2].AppendBytes(text)
		a.vectors[3].AppendBytes(fmt.Append(nil, i%7))
		a.vectors[6].AppendBytes(fmt.Append(nil, i%7))
	}
	r, err := file.NewParquetReader(bytes.NewReader(encode(t, Options{Format: Parquet}, a, 4096)))
	if err != nil {
		t.Fatal(err)
	}
	if most := rows*(each+100)/rowGroupBytes + 1; r.NumRowGroups() > most || r.NumRowGroups() < 2 {
		t.Errorf("%d row groups for %d MiB, at most %d were needed", r.NumRowGroups(), rows*each>>20, most)
	}
	delta, plain, dictionary := parquet.Encodings.DeltaBinaryPacked, parquet.Encodings.Plain, parquet.Encodings.RLEDict
	for g := range r.NumRowGroups() {
		for c, want := range []parquet.Encoding{delta, delta, plain, dictionary, dictionary, dictionary, dictionary} {
			chunk, err := r.MetaData().RowGroup(g).ColumnChunk(c)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Contains(chunk.Encodings(), want) || chunk.HasDictionaryPage() != (want == dictionary) {
				t.Errorf("group %d: column %q has the encodings %v, not %v", g, names[c], chunk.Encodings(), want)
			}
		}
	}
}

// TestLongValues writes values of megabytes: few of them make a page or a row group, whichever rows come together,
// and Parquet makes no further copies of them for a dictionary or for statistics.
func TestLongValues(t *testing.T) {
	const rows, each = 24, 3 << 20
	ids, texts, lists := columnar.NewVector(columnar.Int), columnar.NewVector(columnar.Text), columnar.NewVector(columnar.IntList)
	for i := range rows {
		ids.AppendInt(int64(i))
		texts.AppendBytes(bytes.Repeat([]byte{'a' + byte(i%3)}, each))
		for k := range each / 8 / 4 {
			lists.Child.AppendInt(int64(k))
		}
		lists.EndList()
	}
	a := answer{
		query:   "q1",
		columns: columnar.Schema{{Name: "id", Type: columnar.Int}, {Name: "text", Type: columnar.Text}, {Name: "list", Type: columnar.IntList}},
		vectors: []*columnar.Vector{ids, texts, lists},
	}
	for _, f := range []Format{Arrow, Parquet} {
		data := encode(t, Options{Format: f}, a, 1)
		if !bytes.Equal(data, encode(t, Options{Format: f}, a, 64)) {
			t.Errorf("%s: the bytes depend on which rows come together", f)
		}
		if f != Parquet {
			r, err := ipc.NewReader(bytes.NewReader(data))
			if err != nil {
				t.Fatal(err)
			}
			for r.Next() {
				if n := r.Record().NumRows(); n > mostBytes/each+1 {
					t.Errorf("%d rows make a batch", n)
				}
			}
			continue
		}
		r, err := file.NewParquetReader(bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		chunk, err := r.MetaData().RowGroup(0).ColumnChunk(1)
		if err != nil {
			t.Fatal(err)
		}
		if set, err := chunk.StatsSet(); err != nil || set || chunk.HasDictionaryPage() || r.NumRowGroups() < 4 {
			t.Errorf("%d row groups, long texts have statistics (%v) or a dictionary (%v), %v", r.NumRowGroups(), set, chunk.HasDictionaryPage(), err)
		}
	}
}

// TestTextFormatsReadBack compares CSV and JSON as other programs read them.
func TestTextFormatsReadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := drawAnswer(t)
		batch := rapid.IntRange(1, 5).Draw(t, "batch")
		want := lines(a.vectors)

		var parsed map[string]struct {
			Columns []string
			Rows    [][]json.RawMessage
		}
		text := encode(t, Options{Format: JSON}, a, batch)
		if err := json.Unmarshal(text, &parsed); err != nil {
			t.Fatalf("%v in %s", err, text)
		}
		if !reflect.DeepEqual(parsed["q1"].Columns, a.columns.Names()) {
			t.Fatalf("columns %q, not %q", parsed["q1"].Columns, a.columns.Names())
		}
		for i, row := range parsed["q1"].Rows {
			got := ""
			for _, cell := range row {
				got += string(cell) + "|"
			}
			if got != want[i] {
				t.Fatalf("row %d is %s, not %s", i, got, want[i])
			}
		}
		if len(parsed["q1"].Rows) != a.rows() {
			t.Fatalf("%d rows, not %d", len(parsed["q1"].Rows), a.rows())
		}

		readSeparated(t, a, encode(t, Options{Format: CSV}, a, batch), ',')
		readSeparated(t, a, encode(t, Options{Format: TSV}, a, batch), '\t')
	})
}

// readSeparated compares CSV, or text with other separators, as Go's reader reads it.
func readSeparated(t *rapid.T, a answer, text []byte, separator rune) {
	reader := csv.NewReader(bytes.NewReader(text))
	reader.Comma = separator
	records, err := reader.ReadAll()
	if err != nil {
		t.Fatalf("%v", err)
	}
	for i, record := range records[1:] {
		for j, got := range record {
			if want := csvField(a.vectors[j], i); got != want {
				t.Fatalf("row %d, column %d is %q, not %q", i, j, got, want)
			}
		}
	}
	if len(records) != a.rows()+1 {
		t.Fatalf("%d records, not %d", len(records), a.rows()+1)
	}
}

// csvField returns a value as Go's CSV reader returns it: the reader drops carriage
// returns before line feeds, and does not distinguish null from empty text.
func csvField(v *columnar.Vector, i int) string {
	switch {
	case v.IsNull(i):
		return ""
	case v.Type == columnar.Text:
		return string(bytes.ReplaceAll(v.Bytes(i), []byte("\r\n"), []byte("\n")))
	}
	return string(appendJSON(nil, v, i))
}

func TestBinaryFormatsReadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := drawAnswer(t)
		batch := rapid.IntRange(1, 5).Draw(t, "batch")
		want := lines(a.vectors)
		if got := readArrow(t, a, encode(t, Options{Format: Arrow}, a, batch), false); !slices.Equal(got, want) {
			t.Fatalf("Arrow reads back as %q, not %q", got, want)
		}
		if got, _, _ := readParquet(t, a, encode(t, Options{Format: Parquet}, a, batch)); !slices.Equal(got, want) {
			t.Fatalf("Parquet reads back as %q, not %q", got, want)
		}
	})
}

// drawAnswer draws an answer of up to six columns and eight rows.
func drawAnswer(t *rapid.T) answer {
	types := []columnar.Type{
		columnar.Bool, columnar.Int, columnar.Decimal, columnar.Float, columnar.Text, columnar.Wide, columnar.Huge, columnar.TextList, columnar.IntList,
		columnar.ListOf(columnar.TextList), columnar.ListOf(columnar.ListOf(columnar.Decimal)), columnar.ListOf(columnar.Bool), columnar.ListOf(columnar.Decimal), columnar.FloatList, columnar.ListOf(columnar.Wide),
	}
	a := answer{query: "q1"}
	rows := rapid.IntRange(0, 8).Draw(t, "rows")
	for j := range rapid.IntRange(1, 6).Draw(t, "columns") {
		v := columnar.NewVector(rapid.SampledFrom(types).Draw(t, "type"))
		for range rows {
			drawValue(t, v)
		}
		a.columns = append(a.columns, columnar.Field{Name: fmt.Sprintf("c%d", j), Type: v.Type})
		a.vectors = append(a.vectors, v)
	}
	return a
}

func drawValue(t *rapid.T, v *columnar.Vector) {
	if rapid.IntRange(0, 4).Draw(t, "null") == 0 {
		v.AppendNull()
		return
	}
	switch v.Type.Kind() {
	case columnar.KindBool:
		one := columnar.Vector{Type: columnar.Bool, Len: 1, Bools: []bool{rapid.Bool().Draw(t, "bool")}}
		v.AppendRange(&one, 0, 1)
	case columnar.KindInt64:
		v.AppendInt(rapid.Int64().Draw(t, "int"))
	case columnar.KindFloat64:
		v.AppendFloat(rapid.Float64Range(-1e300, 1e300).Draw(t, "float"))
	case columnar.KindInt128:
		n := decimal128.New(rapid.Int64Range(-1<<60, 1<<60).Draw(t, "hi"), rapid.Uint64().Draw(t, "lo"))
		one := columnar.Vector{Type: columnar.Wide, Len: 1, Wides: []decimal128.Num{n}}
		v.AppendRange(&one, 0, 1)
	case columnar.KindBytes:
		v.AppendBytes([]byte(rapid.String().Draw(t, "text")))
	default:
		for range rapid.IntRange(0, 3).Draw(t, "items") {
			drawValue(t, v.Child)
		}
		v.EndList()
	}
}
