package parquet_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/decimal128"
	"github.com/apache/arrow/go/v17/arrow/memory"
	arrowparquet "github.com/apache/arrow/go/v17/parquet"
	"github.com/apache/arrow/go/v17/parquet/compress"

	"analyzer/columnar/parquet"
	"analyzer/columnar/vfs"
)

// TestRandomFiles reads files of random values that are cut into pages anywhere, packed by
// any codec, with dictionaries that become too large, in blocks of any size.
func TestRandomFiles(t *testing.T) {
	rounds := 24
	if testing.Short() {
		rounds = 5
	}
	for seed := range uint64(rounds) {
		rng := rand.New(rand.NewPCG(seed, 2))
		wanted, content := randomFile(t, rng, 2500)
		f, err := parquet.Open(stored(t, vfs.NewMem(), content), 1<<rng.IntN(20))
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		skip, often := rand.New(rand.NewPCG(seed, 3)), rng.IntN(3)
		left := make(map[[2]int64]bool)
		values, err := readAll(f, 1+rng.IntN(3), func(block int64, column int) bool {
			at := [2]int64{block, int64(column)}
			left[at] = skip.IntN(4) < often
			return left[at]
		})
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		for c, column := range f.Columns() {
			for i, got := range values[c] {
				if want := wanted[i][c]; got != want && (got != "" || often == 0) {
					t.Fatalf("seed %d: row %d of %d, %v: %q, want %q", seed, i, f.Rows(), column, got, want)
				}
			}
		}
	}
}

// randomFile writes a file of random values, of as many rows at most, which it returns as
// text, by row.
func randomFile(t testing.TB, rng *rand.Rand, most int) (wanted [][]string, content []byte) {
	t.Helper()
	nulls, longest, kinds := rng.IntN(4), 1+rng.IntN(40), 1+rng.IntN(500)
	nullable := nulls > 0 || rng.IntN(2) == 0
	pair := arrow.StructOf(
		arrow.Field{Name: "a", Type: arrow.PrimitiveTypes.Int64, Nullable: rng.IntN(2) == 0},
		arrow.Field{Name: "b", Type: arrow.ListOf(arrow.BinaryTypes.String), Nullable: true},
	)
	b := array.NewRecordBuilder(memory.DefaultAllocator, arrow.NewSchema([]arrow.Field{
		{Name: "n", Type: arrow.PrimitiveTypes.Int64, Nullable: nullable},
		{Name: "f", Type: arrow.PrimitiveTypes.Float64, Nullable: nullable},
		{Name: "s", Type: arrow.BinaryTypes.String, Nullable: nullable},
		{Name: "b", Type: arrow.FixedWidthTypes.Boolean, Nullable: nullable},
		{Name: "l", Type: arrow.ListOf(arrow.BinaryTypes.String), Nullable: nullable},
		{Name: "li", Type: arrow.ListOf(arrow.PrimitiveTypes.Int64), Nullable: nullable},
		{Name: "ld", Type: arrow.ListOf(&arrow.Decimal128Type{Precision: 30, Scale: 2}), Nullable: nullable},
		{Name: "lb", Type: arrow.ListOfNonNullable(arrow.FixedWidthTypes.Boolean), Nullable: nullable},
		{Name: "ll", Type: arrow.ListOf(arrow.ListOf(arrow.PrimitiveTypes.Int64)), Nullable: nullable},
		{Name: "st", Type: pair, Nullable: nullable},
		{Name: "ls", Type: arrow.ListOf(pair), Nullable: nullable},
		{Name: "m", Type: arrow.MapOf(arrow.BinaryTypes.String, pair), Nullable: nullable},
	}, nil))
	defer b.Release()
	text := func() string { return strings.Repeat(fmt.Sprint(rng.IntN(kinds)), rng.IntN(longest)) }
	var item func(b array.Builder) string
	item = func(b array.Builder) string { return randomItem(b, rng, kinds, text, item) }
	for range 1 + rng.IntN(most) {
		n, f, truth := rng.Int64N(int64(kinds)), float64(rng.IntN(kinds))/4, rng.IntN(2) == 0
		row := []string{fmt.Sprint(n), fmt.Sprint(f), text(), fmt.Sprint(truth), "", "", "", "", "", "", "", ""}
		for c, field := range b.Fields() {
			null := rng.IntN(8) < nulls
			switch field := field.(type) {
			case *array.Int64Builder:
				field.AppendValues([]int64{n}, []bool{!null})
			case *array.Float64Builder:
				field.AppendValues([]float64{f}, []bool{!null})
			case *array.StringBuilder:
				field.AppendValues([]string{row[c]}, []bool{!null})
			case *array.BooleanBuilder:
				field.AppendValues([]bool{truth}, []bool{!null})
			case *array.ListBuilder:
				if row[c] = randomList(field, null, rng, item); b.Schema().Field(c).Name == "l" {
					row[c] = strings.NewReplacer(",", "", "''", "").Replace(row[c])
				}
			default:
				if row[c] = "NULL"; null {
					field.AppendNull()
				} else {
					row[c] = item(field)
				}
			}
			if null {
				row[c] = "NULL"
			}
		}
		wanted = append(wanted, row)
	}
	record := b.NewRecord()
	defer record.Release()
	codecs := []compress.Compression{compress.Codecs.Uncompressed, compress.Codecs.Snappy, compress.Codecs.Gzip, compress.Codecs.Zstd, compress.Codecs.Brotli}
	versions := []arrowparquet.DataPageVersion{arrowparquet.DataPageV1, arrowparquet.DataPageV2}
	ofNumbers := []arrowparquet.Encoding{arrowparquet.Encodings.Plain, arrowparquet.Encodings.DeltaBinaryPacked}
	ofTexts := []arrowparquet.Encoding{arrowparquet.Encodings.Plain, arrowparquet.Encodings.DeltaLengthByteArray, arrowparquet.Encodings.DeltaByteArray}
	return wanted, written(t, record, 1+rng.Int64N(6000),
		arrowparquet.WithCompression(codecs[rng.IntN(len(codecs))]), arrowparquet.WithDataPageVersion(versions[rng.IntN(2)]),
		arrowparquet.WithDictionaryDefault(rng.IntN(3) > 0), arrowparquet.WithDictionaryPageSizeLimit(1<<rng.IntN(14)),
		arrowparquet.WithDataPageSize(1<<rng.IntN(16)), arrowparquet.WithBatchSize(1+rng.Int64N(1000)),
		arrowparquet.WithEncodingFor("n", ofNumbers[rng.IntN(2)]), arrowparquet.WithEncodingFor("s", ofTexts[rng.IntN(3)]),
	)
}

func randomList(b *array.ListBuilder, null bool, rng *rand.Rand, item func(array.Builder) string) string {
	if null {
		b.AppendNull()
		return ""
	}
	b.Append(true)
	var items []string
	for range rng.IntN(4) {
		items = append(items, itemOrNull(b.ValueBuilder(), b.Type().(*arrow.ListType).ElemField().Nullable, rng, item))
	}
	return "[" + strings.Join(items, ", ") + "]"
}

// randomItem appends a value, and returns it as text.
func randomItem(b array.Builder, rng *rand.Rand, kinds int, text func() string, item func(array.Builder) string) string {
	switch b := b.(type) {
	case *array.Int64Builder:
		n := rng.Int64N(int64(kinds))
		b.Append(n)
		return fmt.Sprint(n)
	case *array.Decimal128Builder:
		n := rng.Int64N(int64(kinds))
		b.Append(decimal128.FromI64(100 * n))
		return fmt.Sprint(n)
	case *array.BooleanBuilder:
		truth := rng.IntN(2) == 0
		b.Append(truth)
		return fmt.Sprint(truth)
	case *array.ListBuilder:
		return randomList(b, false, rng, item)
	case *array.MapBuilder:
		b.Append(true)
		var entries []string
		for range rng.IntN(4) {
			entries = append(entries, item(b.KeyBuilder())+"="+itemOrNull(b.ItemBuilder(), true, rng, item))
		}
		return "{" + strings.Join(entries, ", ") + "}"
	case *array.StructBuilder:
		b.Append(true)
		var fields []string
		for i, f := range b.Type().(*arrow.StructType).Fields() {
			fields = append(fields, "'"+f.Name+"': "+itemOrNull(b.FieldBuilder(i), f.Nullable, rng, item))
		}
		return "{" + strings.Join(fields, ", ") + "}"
	}
	s := text()
	b.(*array.StringBuilder).Append(s)
	if s == "" {
		return "''"
	}
	return s
}

func itemOrNull(b array.Builder, nullable bool, rng *rand.Rand, item func(array.Builder) string) string {
	if nullable && rng.IntN(5) == 0 {
		b.AppendNull()
		return "NULL"
	}
	return item(b)
}
