package parquet_test

import (
	"bytes"
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	arrowparquet "github.com/apache/arrow/go/v17/parquet"
	"github.com/apache/arrow/go/v17/parquet/file"
	"github.com/apache/arrow/go/v17/parquet/schema"

	"analyzer/columnar"
	"analyzer/columnar/parquet"
	"analyzer/columnar/vfs"
)

// nestedRow returns a row of nested.parquet; testdata/README.md describes how to make it.
func nestedRow(i int) []string {
	null := func(is bool, text string) string {
		if is {
			return "NULL"
		}
		return text
	}
	var structs, lists, entries []string
	for j := range i % 4 {
		structs = append(structs, fmt.Sprintf("{'k': %d, 'l': [%d, NULL]}", j, j))
		lists = append(lists, [...]string{"[]", "NULL", "[0, 1]"}[j])
		entries = append(entries, fmt.Sprintf("k%d=%s", j, [...]string{"0", "NULL", "1"}[j]))
	}
	return []string{
		fmt.Sprint(i),
		null(i%5 == 0, fmt.Sprintf("{'a': %d, 'b': %s}", i, null(i%3 == 0, fmt.Sprint("x", i%4)))),
		null(i%7 == 0, "["+strings.Join(structs, ", ")+"]"),
		null(i%6 == 0, "["+strings.Join(lists, ", ")+"]"),
		null(i%8 == 0, "{"+strings.Join(entries, ", ")+"}"),
		fmt.Sprintf("{'p': {'q': %s, 'r': %g}, 'm': {%d=[%t]}}", time.Date(2020, 1, 1+i, 0, 0, 0, 0, time.UTC).Format(time.DateOnly), float64(i)*1.25, i, i%2 == 0),
	}
}

// TestNested reads structs, maps and lists that another program wrote, in blocks of any size, some of
// which are left out.
func TestNested(t *testing.T) {
	content, err := os.ReadFile("testdata/nested.parquet")
	if err != nil {
		t.Fatal(err)
	}
	for _, block := range []int{1 << 9, 1 << 11, 1 << 20} {
		for left := range int64(3) {
			f, err := parquet.Open(stored(t, vfs.NewMem(), content), block)
			if err != nil {
				t.Fatal(err)
			}
			skips := func(block int64, column int) bool { return (block+int64(column))%3 < left }
			values, err := readAll(f, 2, skips)
			if err != nil {
				t.Fatal(err)
			}
			for c, column := range f.Columns() {
				for i, got := range values[c] {
					if want := nestedRow(i)[c]; got != want && (got != "" || left == 0) {
						t.Fatalf("blocks of %d bytes: row %d, %v: %q, want %q", block, i, column, got, want)
					}
				}
			}
		}
	}
}

// ints returns a file of one column, whose leaf, if it is one of integers, has the given levels.
func ints(t *testing.T, column schema.Node, definition, repetition []int16) []byte {
	t.Helper()
	root, err := schema.NewGroupNode("schema", arrowparquet.Repetitions.Required, schema.FieldList{column}, -1)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	w := file.NewParquetWriter(&b, root)
	group := w.AppendRowGroup()
	leaf, err := group.NextColumn()
	if err != nil {
		t.Fatal(err)
	}
	if leaf, ok := leaf.(*file.Int32ColumnChunkWriter); ok {
		if _, err := leaf.WriteBatch([]int32{1, 2, 3, 4}, definition, repetition); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestFormsOfNesting reads lists and maps as old programs wrote them, by the rules of LogicalTypes.md of
// the format, and says which parts are not read.
func TestFormsOfNesting(t *testing.T) {
	const required, optional, repeated = 0, 1, 2
	kinds := [...]arrowparquet.Repetition{arrowparquet.Repetitions.Required, arrowparquet.Repetitions.Optional, arrowparquet.Repetitions.Repeated}
	n := func(name string, kind int) schema.Node { return schema.NewInt32Node(name, kinds[kind], -1) }
	group := func(name string, kind int, logical schema.LogicalType, fields ...schema.Node) schema.Node {
		if logical == nil {
			return schema.MustGroup(schema.NewGroupNode(name, kinds[kind], fields, -1))
		}
		return schema.MustGroup(schema.NewGroupNodeLogical(name, kinds[kind], fields, logical, -1))
	}
	list := schema.NewListLogicalType()
	two, three := []int16{1, 1, 0, 1, 1}, []int16{2, 2, 1, 0, 2, 2}
	for name, c := range map[string]struct {
		column                 schema.Node
		definition, repetition []int16
		typ                    columnar.Type
		want                   []string
	}{
		"repeated values": {n("x", repeated), two, []int16{0, 1, 0, 0, 1}, columnar.IntList, []string{"[1, 2]", "[]", "[3, 4]"}},
		"two levels":      {group("x", optional, list, n("item", repeated)), three, []int16{0, 1, 0, 0, 0, 1}, columnar.IntList, []string{"[1, 2]", "[]", "NULL", "[3, 4]"}},
		"an item that is called array": {
			group("x", required, list, group("array", repeated, nil, n("v", required))), two,
			[]int16{0, 1, 0, 0, 1},
			columnar.ListOf(columnar.StructOf(columnar.Field{Name: "v", Type: columnar.Int})),
			[]string{"[{'v': 1}, {'v': 2}]", "[]", "[{'v': 3}, {'v': 4}]"},
		},
		"an item that is called a tuple": {
			group("x", required, list, group("x_tuple", repeated, nil, n("v", required))), two,
			[]int16{0, 1, 0, 0, 1},
			columnar.ListOf(columnar.StructOf(columnar.Field{Name: "v", Type: columnar.Int})),
			[]string{"[{'v': 1}, {'v': 2}]", "[]", "[{'v': 3}, {'v': 4}]"},
		},
		"a group that repeats": {
			group("x", repeated, nil, n("v", optional)), three,
			[]int16{0, 1, 1, 0, 0, 1},
			columnar.ListOf(columnar.StructOf(columnar.Field{Name: "v", Type: columnar.Int})),
			[]string{"[{'v': 1}, {'v': 2}, {'v': NULL}]", "[]", "[{'v': 3}, {'v': 4}]"},
		},
		"structs alone": {
			group("x", optional, nil, group("y", optional, nil, n("v", required))),
			[]int16{2, 2, 1, 0, 2, 2},
			[]int16{0, 0, 0, 0, 0, 0},
			columnar.StructOf(columnar.Field{Name: "y", Type: columnar.StructOf(columnar.Field{Name: "v", Type: columnar.Int})}),
			[]string{"{'y': {'v': 1}}", "{'y': {'v': 2}}", "{'y': NULL}", "NULL", "{'y': {'v': 3}}", "{'y': {'v': 4}}"},
		},
	} {
		f, err := parquet.Open(stored(t, vfs.NewMem(), ints(t, c.column, c.definition, c.repetition)), 1<<20)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if got := f.Columns()[0].Type; got != c.typ {
			t.Errorf("%s: the type is %v, want %v", name, got, c.typ)
			continue
		}
		if values, err := readAll(f, 1, everything); err != nil || !reflect.DeepEqual(values[0], c.want[:min(len(c.want), len(values[0]))]) {
			t.Errorf("%s: %q, %v, want %q", name, values, err, c.want)
		}
	}
	interval := schema.MustPrimitive(schema.NewPrimitiveNodeLogical("i", kinds[optional], schema.IntervalLogicalType{}, arrowparquet.Types.FixedLenByteArray, 12, -1))
	f, err := parquet.Open(stored(t, vfs.NewMem(), ints(t, group("x", optional, nil, interval), nil, nil)), 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	if c := f.Columns()[0]; c.Type != columnar.Invalid || c.In != "nested, a struct with parts of type INTERVAL" {
		t.Errorf("a struct of intervals is %v, %v", c, c.Type)
	}
}
