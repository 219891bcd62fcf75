package arrow_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/decimal128"
	"github.com/apache/arrow/go/v17/arrow/decimal256"
	"github.com/apache/arrow/go/v17/arrow/float16"
	arrowipc "github.com/apache/arrow/go/v17/arrow/ipc"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"analyzer/columnar"
	ours "analyzer/columnar/arrow"
	"analyzer/columnar/csv"
	"analyzer/columnar/input"
	"analyzer/columnar/rowtest"
	"analyzer/columnar/stored"
	"analyzer/columnar/vfs"
)

// layouts are the ways in which another program writes a file.
var layouts = map[string]struct {
	stream  bool
	options []arrowipc.Option
}{
	"file":       {},
	"stream":     {stream: true},
	"lz4 file":   {options: []arrowipc.Option{arrowipc.WithLZ4()}},
	"zstd file":  {options: []arrowipc.Option{arrowipc.WithZstd()}},
	"lz4 stream": {stream: true, options: []arrowipc.Option{arrowipc.WithLZ4()}},
	"some zstd":  {stream: true, options: []arrowipc.Option{arrowipc.WithZstd(), arrowipc.WithMinSpaceSavings(0.3)}},
}

// write writes records in a layout.
func write(t testing.TB, stream bool, schema *arrow.Schema, records []arrow.Record, options ...arrowipc.Option) []byte {
	t.Helper()
	var out bytes.Buffer
	var w interface {
		Write(arrow.Record) error
		Close() error
	}
	options = append(slices.Clone(options), arrowipc.WithSchema(schema))
	if stream {
		w = arrowipc.NewWriter(&out, options...)
	} else {
		f, err := arrowipc.NewFileWriter(writeSeeker{&out}, options...)
		if err != nil {
			t.Fatal(err)
		}
		w = f
	}
	for _, r := range records {
		if err := w.Write(r); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// writeSeeker tells a writer of files, which never goes back, where it is.
type writeSeeker struct{ *bytes.Buffer }

func (w writeSeeker) Seek(int64, int) (int64, error) { return int64(w.Len()), nil }

func file(t testing.TB, content []byte) vfs.File {
	t.Helper()
	fs := vfs.NewMem()
	if err := vfs.Replace(fs, "/t.arrow", content); err != nil {
		t.Fatal(err)
	}
	f, err := fs.Open("/t.arrow")
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// read reads a file with some workers, and returns its columns and its rows as text. skip says which
// columns of which blocks are left out.
func read(t testing.TB, content []byte, blockSize, workers int, skip func(block int64, column int) bool) ([]input.Column, [][]string, error) {
	t.Helper()
	f := file(t, content)
	defer f.Close()
	r, err := ours.Format().Open(context.Background(), f, nil, input.Options{Options: csv.Options{BlockSize: blockSize}})
	if err != nil {
		return nil, nil, err
	}
	columns := r.Columns()
	var mu sync.Mutex
	blocks := make(map[int64][][]string)
	var wg sync.WaitGroup
	failed := make(chan error, workers)
	for range workers {
		wg.Go(func() {
			w := r.(input.VectorReader).NewWorker()
			for {
				if err := w.Next(); err != nil {
					if !errors.Is(err, io.EOF) {
						failed <- err
					}
					return
				}
				rows := make([][]string, w.Len())
				for c := range columns {
					if columns[c].Type == columnar.Invalid || skip(w.Index(), c) {
						for i := range rows {
							rows[i] = append(rows[i], "skipped")
						}
						continue
					}
					v, err := w.Column(c)
					if err != nil {
						failed <- err
						return
					}
					for i, line := range rowtest.Lines(columnar.Rows{Len: v.Len, Cols: []*columnar.Vector{v}}) {
						rows[i] = append(rows[i], line)
					}
				}
				mu.Lock()
				blocks[w.Index()] = rows
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	close(failed)
	if err := <-failed; err != nil {
		return columns, nil, err
	}
	var all [][]string
	for k := range int64(len(blocks)) {
		all = append(all, blocks[k]...)
	}
	return columns, all, r.Close()
}

func everything(int64, int) bool { return false }

// kind is a type of other programs: how a random value is appended, and the value that is read.
type kind struct {
	of   arrow.DataType
	as   columnar.Type
	next func(b array.Builder, rng *rand.Rand, v *columnar.Vector)
}

var words = []string{"", "a", "längere Texte, die nicht in zwölf Bytes passen", "日本語", strings.Repeat("x", 300)}

func text(rng *rand.Rand) string { return words[rng.IntN(len(words))] }

// kinds are the types that have a counterpart.
func kinds() []kind {
	number := func(append func(b array.Builder, n int64) int64) func(array.Builder, *rand.Rand, *columnar.Vector) {
		return func(b array.Builder, rng *rand.Rand, v *columnar.Vector) {
			v.AppendInt(append(b, rng.Int64()>>(rng.IntN(8)*8)))
		}
	}
	return []kind{
		{arrow.FixedWidthTypes.Boolean, columnar.Bool, func(b array.Builder, rng *rand.Rand, v *columnar.Vector) {
			x := rng.IntN(2) == 0
			b.(*array.BooleanBuilder).Append(x)
			v.AppendBool(x)
		}},
		{arrow.PrimitiveTypes.Int8, columnar.Int, number(func(b array.Builder, n int64) int64 { b.(*array.Int8Builder).Append(int8(n)); return int64(int8(n)) })},
		{arrow.PrimitiveTypes.Int16, columnar.Int, number(func(b array.Builder, n int64) int64 { b.(*array.Int16Builder).Append(int16(n)); return int64(int16(n)) })},
		{arrow.PrimitiveTypes.Int32, columnar.Int, number(func(b array.Builder, n int64) int64 { b.(*array.Int32Builder).Append(int32(n)); return int64(int32(n)) })},
		{arrow.PrimitiveTypes.Int64, columnar.Int, number(func(b array.Builder, n int64) int64 { b.(*array.Int64Builder).Append(-n); return -n })},
		{arrow.PrimitiveTypes.Uint8, columnar.Int, number(func(b array.Builder, n int64) int64 { b.(*array.Uint8Builder).Append(uint8(n)); return int64(uint8(n)) })},
		{arrow.PrimitiveTypes.Uint16, columnar.Int, number(func(b array.Builder, n int64) int64 {
			b.(*array.Uint16Builder).Append(uint16(n))
			return int64(uint16(n))
		})},
		{arrow.PrimitiveTypes.Uint32, columnar.Int, number(func(b array.Builder, n int64) int64 {
			b.(*array.Uint32Builder).Append(uint32(n))
			return int64(uint32(n))
		})},
		{arrow.PrimitiveTypes.Uint64, columnar.Int, number(func(b array.Builder, n int64) int64 { b.(*array.Uint64Builder).Append(uint64(n)); return n })},
		{arrow.FixedWidthTypes.Float16, columnar.Float, func(b array.Builder, rng *rand.Rand, v *columnar.Vector) {
			x := float16.FromBits(uint16(0x400+rng.IntN(0x7800)) | uint16(rng.IntN(2))<<15)
			b.(*array.Float16Builder).Append(x)
			v.AppendFloat(float64(x.Float32()))
		}},
		{arrow.PrimitiveTypes.Float32, columnar.Float, func(b array.Builder, rng *rand.Rand, v *columnar.Vector) {
			x := rng.Float32() - 0.5
			b.(*array.Float32Builder).Append(x)
			v.AppendFloat(float64(x))
		}},
		{arrow.PrimitiveTypes.Float64, columnar.Float, func(b array.Builder, rng *rand.Rand, v *columnar.Vector) {
			x := rng.NormFloat64()
			b.(*array.Float64Builder).Append(x)
			v.AppendFloat(x)
		}},
		{&arrow.Decimal128Type{Precision: 10, Scale: 2}, columnar.Decimal, number(func(b array.Builder, n int64) int64 {
			n %= 1e10
			b.(*array.Decimal128Builder).Append(decimal128.FromI64(n))
			return n * 1e4
		})},
		{&arrow.Decimal128Type{Precision: 18, Scale: 0}, columnar.Int, number(func(b array.Builder, n int64) int64 {
			b.(*array.Decimal128Builder).Append(decimal128.FromI64(-n))
			return -n
		})},
		{&arrow.Decimal256Type{Precision: 60, Scale: 6}, columnar.Wide, func(b array.Builder, rng *rand.Rand, v *columnar.Vector) {
			n := rng.Int64()
			b.(*array.Decimal256Builder).Append(decimal256.FromI64(-n))
			v.AppendWide(decimal128.FromI64(-n))
		}},
		{&arrow.Decimal128Type{Precision: 38, Scale: 20}, columnar.DecimalOf(38, 20), func(b array.Builder, rng *rand.Rand, v *columnar.Vector) {
			x := decimal128.New(rng.Int64N(1e18)-5e17, rng.Uint64())
			b.(*array.Decimal128Builder).Append(x)
			v.AppendWide(x)
		}},
		{arrow.PrimitiveTypes.Date32, columnar.Date, number(func(b array.Builder, n int64) int64 {
			b.(*array.Date32Builder).Append(arrow.Date32(n % 1e5))
			return n % 1e5
		})},
		{arrow.PrimitiveTypes.Date64, columnar.Date, number(func(b array.Builder, n int64) int64 {
			n = n%1e5 - 5e4
			b.(*array.Date64Builder).Append(arrow.Date64(n * 86_400_000))
			return n
		})},
		{arrow.FixedWidthTypes.Timestamp_s, columnar.Instant, number(func(b array.Builder, n int64) int64 {
			b.(*array.TimestampBuilder).Append(arrow.Timestamp(n % 1e10))
			return n % 1e10 * 1e6
		})},
		{&arrow.TimestampType{Unit: arrow.Millisecond}, columnar.Timestamp, number(func(b array.Builder, n int64) int64 {
			b.(*array.TimestampBuilder).Append(arrow.Timestamp(-n % 1e12))
			return -n % 1e12 * 1e3
		})},
		{arrow.FixedWidthTypes.Timestamp_us, columnar.Instant, number(func(b array.Builder, n int64) int64 {
			b.(*array.TimestampBuilder).Append(arrow.Timestamp(-n))
			return -n
		})},
		{&arrow.TimestampType{Unit: arrow.Nanosecond, TimeZone: "Europe/Paris"}, columnar.Instant, number(func(b array.Builder, n int64) int64 {
			b.(*array.TimestampBuilder).Append(arrow.Timestamp(-n))
			return -((n + 999) / 1000)
		})},
		{arrow.FixedWidthTypes.Time32ms, columnar.Time, number(func(b array.Builder, n int64) int64 {
			ms := max(n, -n) % 86_400_000
			b.(*array.Time32Builder).Append(arrow.Time32(ms))
			return ms * 1000
		})},
		{arrow.FixedWidthTypes.Time64ns, columnar.Time, number(func(b array.Builder, n int64) int64 {
			ns := max(n, -n) % 86_400_000_000_000
			b.(*array.Time64Builder).Append(arrow.Time64(ns))
			return ns / 1000
		})},
		{arrow.BinaryTypes.String, columnar.Text, func(b array.Builder, rng *rand.Rand, v *columnar.Vector) {
			x := text(rng)
			b.(*array.StringBuilder).Append(x)
			v.AppendBytes([]byte(x))
		}},
		blob(arrow.BinaryTypes.Binary, -1, func(b array.Builder, x []byte) { b.(*array.BinaryBuilder).Append(x) }),
		blob(arrow.BinaryTypes.LargeBinary, -1, func(b array.Builder, x []byte) { b.(*array.BinaryBuilder).Append(x) }),
		blob(arrow.BinaryTypes.BinaryView, -1, func(b array.Builder, x []byte) { b.(*array.BinaryViewBuilder).Append(x) }),
		blob(&arrow.FixedSizeBinaryType{ByteWidth: 3}, 3, func(b array.Builder, x []byte) { b.(*array.FixedSizeBinaryBuilder).Append(x) }),
		{arrow.BinaryTypes.LargeString, columnar.Text, func(b array.Builder, rng *rand.Rand, v *columnar.Vector) {
			x := text(rng)
			b.(*array.LargeStringBuilder).Append(x)
			v.AppendBytes([]byte(x))
		}},
		{arrow.BinaryTypes.StringView, columnar.Text, func(b array.Builder, rng *rand.Rand, v *columnar.Vector) {
			x := text(rng)
			b.(*array.StringViewBuilder).Append(x)
			v.AppendBytes([]byte(x))
		}},
		{&arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Uint16, ValueType: arrow.BinaryTypes.String}, columnar.Text, func(b array.Builder, rng *rand.Rand, v *columnar.Vector) {
			x := text(rng)
			if err := b.(*array.BinaryDictionaryBuilder).AppendString(x); err != nil {
				panic(err)
			}
			v.AppendBytes([]byte(x))
		}},
		{&arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Int8, ValueType: arrow.PrimitiveTypes.Date32}, columnar.Date, func(b array.Builder, rng *rand.Rand, v *columnar.Vector) {
			x := rng.Int64N(40)
			if err := b.(*array.Date32DictionaryBuilder).Append(arrow.Date32(x)); err != nil {
				panic(err)
			}
			v.AppendInt(x)
		}},
	}
}

// lists returns, for each kind, the types of lists of it, and of lists of lists of some, and structs and maps.
func lists() (all []kind) {
	ofValues := listsOf(kinds())
	pair := structOf(kinds()[1], ofValues[len(ofValues)-3])
	nested := []kind{pair, structOf(mapOf(kinds()[4], ofValues[0]), pair), mapOf(pair, kinds()[0])}
	return slices.Concat(ofValues, listsOf(ofValues[:6]), nested, listsOf(nested))
}

// structOf returns the type of structs of two values.
func structOf(x, y kind) kind {
	fields := []arrow.Field{{Name: "x", Type: x.of, Nullable: true}, {Name: "y", Type: y.of, Nullable: true}}
	as := columnar.StructOf(columnar.Field{Name: "x", Type: x.as}, columnar.Field{Name: "y", Type: y.as})
	return kind{arrow.StructOf(fields...), as, func(b array.Builder, rng *rand.Rand, v *columnar.Vector) {
		var value []byte
		structs := b.(*array.StructBuilder)
		structs.Append(true)
		for i, k := range []kind{x, y} {
			one := columnar.NewVector(k.as)
			if rng.IntN(5) == 0 {
				structs.FieldBuilder(i).AppendNull()
				one.AppendNull()
			} else {
				k.next(structs.FieldBuilder(i), rng, one)
			}
			value = one.AppendField(value, 0)
		}
		v.AppendBytes(value)
	}}
}

// mapOf returns the type of maps.
func mapOf(key, value kind) kind {
	return kind{arrow.MapOf(key.of, value.of), columnar.MapOf(key.as, value.as), func(b array.Builder, rng *rand.Rand, v *columnar.Vector) {
		maps, entries := b.(*array.MapBuilder), columnar.NewVector(v.Type.Entries())
		maps.Append(true)
		for range rng.IntN(4) {
			k, x := columnar.NewVector(key.as), columnar.NewVector(value.as)
			key.next(maps.KeyBuilder(), rng, k)
			value.next(maps.ItemBuilder(), rng, x)
			entries.Child.AppendBytes(x.AppendField(k.AppendField(nil, 0), 0))
		}
		entries.EndList()
		v.AppendBytes(columnar.AppendOrdered(nil, entries, 0))
	}}
}

func listsOf(items []kind) (all []kind) {
	for _, k := range items {
		if columnar.ListOf(k.as) == columnar.Invalid || k.of.ID() == arrow.STRING_VIEW || k.of.ID() == arrow.BINARY_VIEW || k.of.ID() == arrow.DICTIONARY {
			continue // which the writer of version 17 cannot nest
		}
		list := func(values func(array.Builder) array.Builder, fixed int) func(b array.Builder, rng *rand.Rand, v *columnar.Vector) {
			return func(b array.Builder, rng *rand.Rand, v *columnar.Vector) {
				b.(interface{ Append(bool) }).Append(true)
				n := fixed
				if n == 0 {
					n = rng.IntN(4)
				}
				for range n {
					if rng.IntN(5) == 0 {
						values(b).AppendNull()
						v.Child.AppendNull()
						continue
					}
					k.next(values(b), rng, v.Child)
				}
				v.EndList()
			}
		}
		as := columnar.ListOf(k.as)
		all = append(all,
			kind{arrow.ListOf(k.of), as, list(func(b array.Builder) array.Builder { return b.(*array.ListBuilder).ValueBuilder() }, 0)},
			kind{arrow.LargeListOf(k.of), as, list(func(b array.Builder) array.Builder { return b.(*array.LargeListBuilder).ValueBuilder() }, 0)},
			kind{arrow.FixedSizeListOf(3, k.of), as, list(func(b array.Builder) array.Builder { return b.(*array.FixedSizeListBuilder).ValueBuilder() }, 3)})
	}
	return all
}

// blob is a kind of values of so many random bytes, or of any number.
func blob(of arrow.DataType, size int, add func(b array.Builder, x []byte)) kind {
	return kind{of, columnar.Bytes, func(b array.Builder, rng *rand.Rand, v *columnar.Vector) {
		n := size
		if n < 0 {
			n = rng.IntN(30)
		}
		x := make([]byte, n)
		for i := range x {
			x[i] = byte(rng.IntN(256))
		}
		add(b, x)
		v.AppendBytes(x)
	}}
}

// unread are types that have no counterpart. Columns behind them are read all the same.
func unread() []arrow.DataType {
	return []arrow.DataType{
		arrow.StructOf(arrow.Field{Name: "x", Type: arrow.FixedWidthTypes.Duration_s}, arrow.Field{Name: "y", Type: arrow.ListOf(arrow.PrimitiveTypes.Int8)}),
		arrow.MapOf(arrow.BinaryTypes.String, arrow.FixedWidthTypes.Duration_s), arrow.FixedWidthTypes.MonthInterval,
		arrow.FixedWidthTypes.Duration_s,
		arrow.DenseUnionOf([]arrow.Field{{Name: "i", Type: arrow.PrimitiveTypes.Int64}}, []arrow.UnionTypeCode{0}),
		arrow.SparseUnionOf([]arrow.Field{{Name: "i", Type: arrow.PrimitiveTypes.Int64}}, []arrow.UnionTypeCode{0}),
		arrow.RunEndEncodedOf(arrow.PrimitiveTypes.Int32, arrow.BinaryTypes.String), arrow.Null,
	}
}

// randomFile makes records of a column of each kind, and the rows as they are read.
func randomFile(rng *rand.Rand, all []kind, batches int) (schema *arrow.Schema, records []arrow.Record, want [][]string) {
	var fields []arrow.Field
	for i, k := range all {
		fields = append(fields, arrow.Field{Name: fmt.Sprint(i, " ", k.of), Type: k.of, Nullable: true})
		if i < len(unread()) {
			fields = append(fields, arrow.Field{Name: fmt.Sprint("unread ", i), Type: unread()[i], Nullable: true})
		}
	}
	schema = arrow.NewSchema(fields, nil)
	b := array.NewRecordBuilder(memory.DefaultAllocator, schema)
	defer b.Release()
	for range batches {
		n, nulls := rng.IntN(300), rng.IntN(5)
		vectors := columnar.Rows{Len: n}
		column := 0
		for i, k := range all {
			v := columnar.NewVector(k.as)
			for range n {
				if rng.IntN(8) < nulls {
					b.Field(column).AppendNull()
					v.AppendNull()
				} else {
					k.next(b.Field(column), rng, v)
				}
			}
			vectors.Cols = append(vectors.Cols, v)
			if column++; i < len(unread()) {
				for range n {
					b.Field(column).AppendNull()
				}
				column++
			}
		}
		records = append(records, b.NewRecord())
		for i := range n {
			var row []string
			for c, v := range vectors.Cols {
				row = append(row, rowtest.Line(columnar.Rows{Len: n, Cols: []*columnar.Vector{v}}, i))
				if c < len(unread()) {
					row = append(row, "skipped")
				}
			}
			want = append(want, row)
		}
	}
	return schema, records, want
}

// TestEveryType reads random values of all types that other programs have, from files and streams,
// compressed or not, in blocks of any size.
func TestEveryType(t *testing.T) {
	rounds := uint64(5)
	if testing.Short() {
		rounds = 2
	}
	all := append(kinds(), lists()...)
	for seed := range rounds {
		rng := rand.New(rand.NewPCG(seed, 1))
		schema, records, want := randomFile(rng, all, 3)
		for name, l := range layouts {
			if !l.stream { // whose dictionaries cannot change
				schema, records, want = randomFile(rng, all, 1)
			}
			content := write(t, l.stream, schema, records, l.options...)
			skipped := rand.New(rand.NewPCG(seed, 2))
			often := rng.IntN(3)
			var mu sync.Mutex
			columns, got, err := read(t, content, 1<<rng.IntN(20), 1+rng.IntN(3), func(int64, int) bool {
				mu.Lock()
				defer mu.Unlock()
				return skipped.IntN(4) < often
			})
			if err != nil {
				t.Fatalf("seed %d, %s: %v", seed, name, err)
			}
			if len(got) != len(want) {
				t.Fatalf("seed %d, %s: %d rows, not %d", seed, name, len(got), len(want))
			}
			for i := range got {
				for c := range got[i] {
					isNull := columns[c].In == "NULL"
					if got[i][c] != want[i][c] && !isNull && (got[i][c] != "skipped" || often == 0) {
						t.Fatalf("seed %d, %s: row %d, %q (%s): %q, not %q", seed, name, i, columns[c].Name, columns[c].In, got[i][c], want[i][c])
					}
				}
			}
		}
	}
}

// TestTypesWithoutCounterpart wants a name for each of them, and the others to be read.
func TestTypesWithoutCounterpart(t *testing.T) {
	schema, records, _ := randomFile(rand.New(rand.NewPCG(1, 1)), kinds(), 1)
	columns, _, err := read(t, write(t, false, schema, records), 1<<20, 1, everything)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, c := range columns {
		if c.Type == columnar.Invalid {
			names = append(names, c.In)
		}
	}
	want := []string{
		"STRUCT OF DURATION, LIST OF INT8", "MAP OF STRUCT OF STRING, DURATION", "INTERVAL", "DURATION",
		"UNION", "UNION", "RUN-END ENCODED OF INT32, STRING",
	}
	if !slices.Equal(names, want) {
		t.Errorf("unread are %q, not %q", names, want)
	}
}

// TestTooLargeNumbers wants errors that say what is too large, not that the file is damaged.
func TestTooLargeNumbers(t *testing.T) {
	for _, c := range []struct {
		of   arrow.DataType
		add  func(array.Builder)
		want string
	}{
		{arrow.PrimitiveTypes.Uint64, func(b array.Builder) { b.(*array.Uint64Builder).Append(1 << 63) }, "the number 9223372036854775808 is too large"},
		{&arrow.Decimal128Type{Precision: 19, Scale: 6}, func(b array.Builder) { b.(*array.Decimal128Builder).Append(decimal128.New(1, 0)) }, "the number 18446744073709.551616 is too large"},
		{&arrow.Decimal128Type{Precision: 25, Scale: 20}, func(b array.Builder) { b.(*array.Decimal128Builder).Append(decimal128.New(1<<30, 0)) }, "has more digits than its type DECIMAL(25,20)"},
		{arrow.FixedWidthTypes.Timestamp_s, func(b array.Builder) { b.(*array.TimestampBuilder).Append(1 << 60) }, "too far away"},
	} {
		schema := arrow.NewSchema([]arrow.Field{{Name: "x", Type: c.of}}, nil)
		b := array.NewRecordBuilder(memory.DefaultAllocator, schema)
		c.add(b.Field(0))
		_, _, err := read(t, write(t, true, schema, []arrow.Record{b.NewRecord()}), 1<<20, 1, everything)
		what, ok := errors.AsType[*csv.InputError](err)
		if !ok || what.Reason != input.ReasonMissing || what.Column != "x" || !strings.Contains(what.Detail, c.want) {
			t.Errorf("%v: %v", c.of, err)
		}
	}
}

// TestChangingDictionaries reads a stream that appends to a dictionary and then replaces it.
func TestChangingDictionaries(t *testing.T) {
	schema := arrow.NewSchema([]arrow.Field{{Name: "x", Type: &arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Int32, ValueType: arrow.BinaryTypes.String}}}, nil)
	for _, deltas := range []bool{false, true} {
		var records []arrow.Record
		var want [][]string
		b := array.NewRecordBuilder(memory.DefaultAllocator, schema)
		for _, batch := range [][]string{{"a", "b", "a"}, {"a", "c"}, {"b", "d", "a"}} {
			if !deltas {
				b = array.NewRecordBuilder(memory.DefaultAllocator, schema)
			}
			for _, x := range batch {
				if err := b.Field(0).(*array.BinaryDictionaryBuilder).AppendString(x); err != nil {
					t.Fatal(err)
				}
				v := columnar.NewVector(columnar.Text)
				v.AppendBytes([]byte(x))
				want = append(want, rowtest.Lines(columnar.Rows{Len: 1, Cols: []*columnar.Vector{v}}))
			}
			records = append(records, b.NewRecord())
		}
		content := write(t, true, schema, records, arrowipc.WithDictionaryDeltas(deltas))
		for _, workers := range []int{1, 3} {
			_, got, err := read(t, content, 1, workers, everything)
			if err != nil {
				t.Fatalf("deltas %t: %v", deltas, err)
			}
			if fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("deltas %t: %q, not %q", deltas, got, want)
			}
		}
	}
}

// TestDamage cuts files, and changes their bytes: there is an error by name or some rows, and never
// a panic, or memory without bound.
func TestDamage(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	schema, records, _ := randomFile(rng, append(kinds(), lists()[:6]...), 1)
	for name, l := range layouts {
		content := write(t, l.stream, schema, records, l.options...)
		for range 60 {
			readDamaged(t, rng, content, name)
		}
	}
}

// readDamaged cuts a file off, or changes some of its bytes, and reads it.
func readDamaged(t *testing.T, rng *rand.Rand, content []byte, name string) {
	t.Helper()
	bad := bytes.Clone(content)
	if rng.IntN(8) == 0 {
		bad = bad[:rng.IntN(len(bad))]
	} else {
		for range 1 + rng.IntN(3) {
			at := rng.IntN(len(bad))
			if rng.IntN(2) == 0 { // metadata
				at = rng.IntN(min(len(bad), 12<<10))
			}
			bad[at] = byte(rng.Uint32())
		}
	}
	_, _, err := read(t, bad, 1<<14, 1, everything)
	if _, ok := errors.AsType[*csv.InputError](err); err != nil && !ok {
		t.Fatalf("%s: %v", name, err)
	}
}

// TestBeginnings tells Arrow files and streams from tables in text.
func TestBeginnings(t *testing.T) {
	schema, records, _ := randomFile(rand.New(rand.NewPCG(1, 1)), kinds()[:2], 1)
	is := ours.Format().Is
	for name, l := range layouts {
		if head := write(t, l.stream, schema, records, l.options...); !is(stored.Head{Stored: head}) {
			t.Errorf("%s is none", name)
		}
	}
	for _, text := range []string{"a,b\n", "ARROW\n", "\xff\xff\xff\xff\xff\xff\xff\xff"} {
		if is(stored.Head{Stored: []byte(text), Text: []byte(text)}) {
			t.Errorf("%q is one", text)
		}
	}
}
