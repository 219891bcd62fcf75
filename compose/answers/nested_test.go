package answers

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/ipc"
	"github.com/apache/arrow/go/v17/arrow/memory"
	"github.com/apache/arrow/go/v17/parquet/file"
	"github.com/apache/arrow/go/v17/parquet/pqarrow"

	"analyzer/columnar"
	columnarparquet "analyzer/columnar/parquet"
	"analyzer/columnar/vfs"
)

// nestedValues is an answer with structs and maps, in lists too, and how others print it.
func nestedValues() (a answer, want string) {
	one := columnar.StructOf(columnar.Field{Name: "a", Type: columnar.Int}, columnar.Field{Name: "b", Type: columnar.TextList})
	counts := columnar.MapOf(columnar.Text, columnar.Int)
	n, texts := columnar.NewVector(columnar.Int), columnar.NewVector(columnar.TextList)
	n.AppendInt(7)
	n.AppendNull()
	texts.Child.AppendBytes([]byte("x\x00y"))
	texts.EndList()
	texts.EndList()
	structs := columnar.NewVector(one)
	for i := range 2 {
		structs.AppendBytes(texts.AppendField(n.AppendField(nil, i), i))
	}
	structs.AppendNull()
	lists := columnar.NewVector(columnar.ListOf(one))
	lists.Child.AppendRange(structs, 0, 3)
	lists.EndList()
	lists.AppendNull()
	lists.Child.AppendRange(structs, 0, 1)
	lists.EndList()
	key, entries, maps := columnar.NewVector(columnar.Text), columnar.NewVector(counts.Entries()), columnar.NewVector(counts)
	key.AppendBytes([]byte("k"))
	for i := range 2 {
		entries.Child.AppendBytes(n.AppendField(key.AppendField(nil, 0), i))
		entries.EndList()
		maps.AppendBytes(columnar.AppendOrdered(nil, entries, i))
	}
	maps.AppendNull()
	a = answer{
		columns: columnar.Schema{{Name: "s", Type: one}, {Name: "l", Type: columnar.ListOf(one)}, {Name: "m", Type: counts}},
		vectors: []*columnar.Vector{structs, lists, maps},
	}
	return a, `[{"l":[{"a":7,"b":["x\u0000y"]},{"a":null,"b":[]},null],"m":[{"key":"k","value":7}],"s":{"a":7,"b":["x\u0000y"]}}
,{"l":null,"m":[{"key":"k","value":null}],"s":{"a":null,"b":[]}}
,{"l":[{"a":7,"b":["x\u0000y"]}],"m":null,"s":null}
]`
}

// TestArrowOfNestedValues checks that others read structs and maps as what they are.
func TestArrowOfNestedValues(t *testing.T) {
	a, want := nestedValues()
	for _, batch := range []int{2, 1000} {
		var got []byte
		r, err := ipc.NewReader(bytes.NewReader(encode(t, Options{Format: Arrow}, a, batch)))
		if err != nil {
			t.Fatal(err)
		}
		for r.Next() {
			text, err := r.Record().MarshalJSON()
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, text...)
		}
		got = bytes.ReplaceAll(got, []byte("]["), []byte(","))
		if r.Err() != nil || string(got) != want {
			t.Errorf("batches of %d: %v\n%s\nwant\n%s", batch, r.Err(), got, want)
		}
	}
}

// TestParquetOfNestedValues checks that others read structs and maps as what they are.
func TestParquetOfNestedValues(t *testing.T) {
	a, want := nestedValues()
	r, err := file.NewParquetReader(bytes.NewReader(encode(t, Options{Format: Parquet}, a, 2)))
	if err != nil {
		t.Fatal(err)
	}
	reader, err := pqarrow.NewFileReader(r, pqarrow.ArrowReadProperties{BatchSize: 1 << 20}, memory.DefaultAllocator)
	if err != nil {
		t.Fatal(err)
	}
	table, err := reader.ReadTable(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	batches := array.NewTableReader(table, 0)
	batches.Next()
	if got, err := batches.Record().MarshalJSON(); err != nil || string(got) != want {
		t.Errorf("%v\n%s\nwant\n%s", err, got, want)
	}
}

// TestNestedWithoutForm checks that Parquet refuses what it cannot hold.
func TestNestedWithoutForm(t *testing.T) {
	nameless := columnar.StructOf(columnar.Field{Type: columnar.Int})
	keys, entries := columnar.MapOf(columnar.Int, columnar.Int), columnar.NewVector(columnar.ListOf(columnar.StructOf(
		columnar.Field{Name: "key", Type: columnar.Int}, columnar.Field{Name: "value", Type: columnar.Int},
	)))
	n, maps := columnar.NewVector(columnar.Int), columnar.NewVector(keys)
	n.AppendNull()
	entries.Child.AppendBytes(n.AppendField(n.AppendField(nil, 0), 0))
	entries.EndList()
	maps.AppendBytes(columnar.AppendOrdered(nil, entries, 0))
	for want, v := range map[string]*columnar.Vector{
		`column "x": its structs have fields without names`: columnar.NewVector(nameless),
		`column "x": a key of a map is NULL`:                maps,
	} {
		set, err := NewStream(io.Discard, Options{Format: Parquet, Queries: 1})
		if err != nil {
			t.Fatal(err)
		}
		err = writeAll(set, 10, answer{columns: columnar.Schema{{Name: "x", Type: v.Type}}, vectors: []*columnar.Vector{v}})
		if !errors.Is(err, columnar.ErrNoForm) || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// TestNestedReadsBack writes random values of random types that are nested as deep as they may be, and
// reads them back.
func TestNestedReadsBack(t *testing.T) {
	for seed := range uint64(40) {
		rng := rand.New(rand.NewPCG(seed, 1))
		var a answer
		for i := range 1 + rng.IntN(4) {
			v := columnar.NewVector(randomType(rng, rng.IntN(6)))
			for range 300 {
				appendRandom(v, rng)
			}
			a.columns, a.vectors = append(a.columns, columnar.Field{Name: fmt.Sprint("c", i), Type: v.Type}), append(a.vectors, v)
		}
		fs := vfs.NewMem()
		out, err := fs.Create("x")
		if err == nil {
			_, err = out.Write(encode(t, Options{Format: Parquet}, a, 100))
		}
		if err = errors.Join(err, out.Close()); err != nil {
			t.Fatal(err)
		}
		in, err := fs.Open("x")
		if err != nil {
			t.Fatal(err)
		}
		f, err := columnarparquet.Open(in, 1<<(8+rng.IntN(12)))
		if err != nil {
			t.Fatal(err)
		}
		w := f.NewWorker()
		for err = w.Next(); err == nil; err = w.Next() {
			for c, want := range a.vectors {
				got, err := w.Column(c)
				if err != nil || got.Type != want.Type {
					t.Fatalf("seed %d: column %d, %v, is read as %v: %v", seed, c, want.Type, f.Columns()[c], err)
				}
				for i := range got.Len {
					if got, want := shown(got, i), shown(want, i+int(w.First())); got != want {
						t.Fatalf("seed %d: %v: row %d is %s, want %s", seed, a.columns[c].Type, i, got, want)
					}
				}
			}
		}
		if closed := in.Close(); !errors.Is(err, io.EOF) || closed != nil || f.Rows() != 300 {
			t.Fatalf("seed %d: %d rows, %v, %v", seed, f.Rows(), err, closed)
		}
	}
}

func shown(v *columnar.Vector, i int) string {
	if v.IsNull(i) {
		return "NULL"
	}
	return string(v.AppendText(nil, i))
}

func randomType(rng *rand.Rand, depth int) columnar.Type {
	switch kind := rng.IntN(4); {
	case depth == 0 || kind == 0:
		return [...]columnar.Type{columnar.Int, columnar.Text, columnar.Float, columnar.Bool, columnar.Date, columnar.Timestamp}[rng.IntN(6)]
	case kind == 1:
		return columnar.ListOf(randomType(rng, depth-1))
	case kind == 2 && depth > 1:
		return columnar.MapOf(randomType(rng, depth-2), randomType(rng, depth-2))
	}
	var fields []columnar.Field
	for i := range 1 + rng.IntN(3) {
		fields = append(fields, columnar.Field{Name: fmt.Sprint("f", i), Type: randomType(rng, depth-1)})
	}
	return columnar.StructOf(fields...)
}

func appendRandom(v *columnar.Vector, rng *rand.Rand) {
	if rng.IntN(6) == 0 {
		v.AppendNull()
		return
	}
	appendPresent(v, rng)
}

func appendPresent(v *columnar.Vector, rng *rand.Rand) {
	switch n := rng.Int64N(50); {
	case v.Type.IsStruct():
		var b []byte
		for _, f := range v.Type.Fields() {
			one := columnar.NewVector(f.Type)
			appendRandom(one, rng)
			b = one.AppendField(b, 0)
		}
		v.AppendBytes(b)
	case v.Type.IsMap():
		entries := columnar.NewVector(v.Type.Entries())
		for range rng.IntN(3) {
			fields := entries.Child.Type.Fields()
			key, value := columnar.NewVector(fields[0].Type), columnar.NewVector(fields[1].Type)
			appendPresent(key, rng)
			appendRandom(value, rng)
			entries.Child.AppendBytes(value.AppendField(key.AppendField(nil, 0), 0))
		}
		entries.EndList()
		v.AppendBytes(columnar.AppendOrdered(nil, entries, 0))
	case v.Child != nil:
		for range rng.IntN(3) {
			appendRandom(v.Child, rng)
		}
		v.EndList()
	case v.Type == columnar.Text:
		v.AppendBytes(fmt.Append(nil, "x\x00", n))
	case v.Type == columnar.Float:
		v.AppendFloat(float64(n) / 4)
	case v.Type == columnar.Bool:
		v.AppendBool(n%2 == 0)
	default:
		v.AppendInt(n)
	}
}

// TestParquetOfAnyProcessors checks that a file is the same however many processors encode it, also when
// they take several row groups one after the other.
func TestParquetOfAnyProcessors(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	a := mixed()
	for i := range 6 {
		v := columnar.NewVector(randomType(rng, i/2))
		for range a.rows() {
			appendRandom(v, rng)
		}
		a.columns, a.vectors = append(a.columns, columnar.Field{Name: fmt.Sprint("more ", i), Type: v.Type}), append(a.vectors, v)
	}
	for name, codec := range parquetCodecs {
		var want []byte
		for _, processors := range []int{1, 2, 7, 100} {
			var out bytes.Buffer
			e := &parquetEncoder{out: &out, codec: codec}
			err := e.begin("q", a.columns)
			e.workers = make([]chunkWorker, processors)
			for range 3 {
				err = errors.Join(err, e.write(columnar.Rows{Len: a.rows(), Cols: a.vectors}), e.flush())
			}
			if err = errors.Join(err, e.end()); err != nil {
				t.Fatal(err)
			}
			if want == nil {
				want = out.Bytes()
			} else if !bytes.Equal(out.Bytes(), want) {
				t.Errorf("%s: %d processors write another file than one", name, processors)
			}
		}
	}
}
