package answers

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/ipc"
	"github.com/apache/arrow/go/v17/arrow/memory"
	"github.com/apache/arrow/go/v17/parquet/file"
	"github.com/apache/arrow/go/v17/parquet/pqarrow"
	"github.com/apache/arrow/go/v17/parquet/schema"

	"analyzer/columnar"
)

// TestDatesInAllFormats writes days before and after 1970 and a null.
func TestDatesInAllFormats(t *testing.T) {
	v := columnar.NewVector(columnar.Date)
	for _, day := range []int64{0, -1, 18321} {
		v.AppendInt(day)
	}
	v.AppendNull()
	a := answer{query: "q1", columns: columnar.Schema{{Name: "day", Type: columnar.Date}}, vectors: []*columnar.Vector{v}}

	if got, want := string(encode(t, Options{Format: CSV}, a, 3)), "day\n1970-01-01\n1969-12-31\n2020-02-29\n\"\"\n"; got != want {
		t.Errorf("CSV is %q, want %q", got, want)
	}
	json := string(encode(t, Options{Format: JSON}, a, 3))
	if want := "[\n[\"1970-01-01\"],\n[\"1969-12-31\"],\n[\"2020-02-29\"],\n[null]]"; !strings.Contains(json, want) {
		t.Errorf("JSON is %s, without %s", json, want)
	}
	table := string(encode(t, Options{Format: Table}, a, 3))
	for _, cell := range []string{"1970-01-01", "1969-12-31", "2020-02-29", "NULL"} {
		if !strings.Contains(table, cell) {
			t.Errorf("the table has no %s:\n%s", cell, table)
		}
	}

	r, err := ipc.NewReader(bytes.NewReader(encode(t, Options{Format: Arrow}, a, 4)))
	if err != nil || !r.Next() {
		t.Fatal(err)
	}
	checkDays(t, r.Record().Column(0))

	data := encode(t, Options{Format: Parquet}, a, 3)
	f, err := file.NewParquetReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	if logical := f.MetaData().Schema.Column(0).LogicalType(); !logical.Equals(schema.DateLogicalType{}) {
		t.Errorf("the Parquet column is of type %s", logical)
	}
	p, err := pqarrow.NewFileReader(f, pqarrow.ArrowReadProperties{BatchSize: 100}, memory.DefaultAllocator)
	if err != nil {
		t.Fatal(err)
	}
	read, err := p.ReadTable(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	checkDays(t, read.Column(0).Data().Chunk(0))
}

func checkDays(t *testing.T, a arrow.Array) {
	t.Helper()
	days, ok := a.(*array.Date32)
	if !ok || days.Len() != 4 {
		t.Fatalf("%d values of %s", a.Len(), a.DataType())
	}
	if days.Value(0) != 0 || days.Value(1) != -1 || days.Value(2) != 18321 || !days.IsNull(3) || days.NullN() != 1 {
		t.Errorf("the days are %s", days)
	}
}

// TestTimestampsInAllFormats writes instants before and after 1970, with and without
// parts of a second, and a null.
func TestTimestampsInAllFormats(t *testing.T) {
	v := columnar.NewVector(columnar.Timestamp)
	for _, micros := range []int64{0, -1, 1582934889_500_000} {
		v.AppendInt(micros)
	}
	v.AppendNull()
	a := answer{query: "q1", columns: columnar.Schema{{Name: "at", Type: columnar.Timestamp}}, vectors: []*columnar.Vector{v}}

	if got, want := string(encode(t, Options{Format: CSV}, a, 3)), "at\n1970-01-01 00:00:00\n1969-12-31 23:59:59.999999\n2020-02-29 00:08:09.5\n\"\"\n"; got != want {
		t.Errorf("CSV is %q, want %q", got, want)
	}
	json := string(encode(t, Options{Format: JSON}, a, 3))
	if want := "[\n[\"1970-01-01 00:00:00\"],\n[\"1969-12-31 23:59:59.999999\"],\n[\"2020-02-29 00:08:09.5\"],\n[null]]"; !strings.Contains(json, want) {
		t.Errorf("JSON is %s, without %s", json, want)
	}
	r, err := ipc.NewReader(bytes.NewReader(encode(t, Options{Format: Arrow}, a, 4)))
	if err != nil || !r.Next() {
		t.Fatal(err)
	}
	p, err := file.NewParquetReader(bytes.NewReader(encode(t, Options{Format: Parquet}, a, 3)))
	if err != nil {
		t.Fatal(err)
	}
	f, err := pqarrow.NewFileReader(p, pqarrow.ArrowReadProperties{BatchSize: 100}, memory.DefaultAllocator)
	if err != nil {
		t.Fatal(err)
	}
	table, err := f.ReadTable(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	for _, column := range []arrow.Array{r.Record().Column(0), table.Column(0).Data().Chunk(0)} {
		at, ok := column.(*array.Timestamp)
		if !ok || at.Len() != 4 || at.NullN() != 1 || !at.IsNull(3) {
			t.Fatalf("%d values of %s", column.Len(), column.DataType())
		}
		if typ := at.DataType().(*arrow.TimestampType); typ.Unit != arrow.Microsecond || typ.TimeZone != "" {
			t.Errorf("they are of the type %s", typ)
		}
		if at.Value(0) != 0 || at.Value(1) != -1 || at.Value(2) != 1582934889_500_000 {
			t.Errorf("the timestamps are %s", at)
		}
	}
}

// TestListsOfTimesInAllFormats writes a list of days, and one of instants, with nulls.
func TestListsOfTimesInAllFormats(t *testing.T) {
	for _, tt := range []struct {
		list  columnar.Type
		items [2]int64
		texts string
		arrow arrow.DataType
	}{
		{columnar.ListOf(columnar.Date), [2]int64{-1, 18321}, `"1969-12-31", "2020-02-29", null`, arrow.PrimitiveTypes.Date32},
		{columnar.ListOf(columnar.Timestamp), [2]int64{-1, 1582934889_500_000}, `"1969-12-31 23:59:59.999999", "2020-02-29 00:08:09.5", null`, &arrow.TimestampType{Unit: arrow.Microsecond}},
	} {
		v := columnar.NewVector(tt.list)
		for _, n := range tt.items {
			v.Child.AppendInt(n)
		}
		v.Child.AppendNull()
		v.EndList()
		v.AppendNull()
		a := answer{query: "q1", columns: columnar.Schema{{Name: "l", Type: tt.list}}, vectors: []*columnar.Vector{v}}
		if got, want := string(encode(t, Options{Format: CSV}, a, 2)), "l\n\"["+strings.ReplaceAll(tt.texts, `"`, `""`)+"]\"\n\"\"\n"; got != want {
			t.Errorf("CSV is %q, want %q", got, want)
		}
		if got, want := string(encode(t, Options{Format: JSON}, a, 2)), "[\n[["+tt.texts+"]],\n[null]]"; !strings.Contains(got, want) {
			t.Errorf("JSON is %s, without %s", got, want)
		}
		r, err := ipc.NewReader(bytes.NewReader(encode(t, Options{Format: Arrow}, a, 2)))
		if err != nil || !r.Next() {
			t.Fatal(err)
		}
		p, err := file.NewParquetReader(bytes.NewReader(encode(t, Options{Format: Parquet}, a, 2)))
		if err != nil {
			t.Fatal(err)
		}
		f, err := pqarrow.NewFileReader(p, pqarrow.ArrowReadProperties{BatchSize: 100}, memory.DefaultAllocator)
		if err != nil {
			t.Fatal(err)
		}
		table, err := f.ReadTable(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		for _, column := range []arrow.Array{r.Record().Column(0), table.Column(0).Data().Chunk(0)} {
			lists, ok := column.(*array.List)
			if !ok || lists.Len() != 2 || !lists.IsNull(1) {
				t.Fatalf("%d values of %s", column.Len(), column.DataType())
			}
			items := lists.ListValues()
			if !arrow.TypeEqual(items.DataType(), tt.arrow) || items.Len() != 3 || !items.IsNull(2) {
				t.Fatalf("the items are %s of %s", items, items.DataType())
			}
			for i, n := range tt.items {
				var got int64
				switch items := items.(type) {
				case *array.Date32:
					got = int64(items.Value(i))
				case *array.Timestamp:
					got = int64(items.Value(i))
				}
				if got != n {
					t.Errorf("item %d of %s is %d, want %d", i, tt.list, got, n)
				}
			}
		}
	}
}
