package parquet_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"
	arrowparquet "github.com/apache/arrow/go/v17/parquet"
	"github.com/apache/arrow/go/v17/parquet/pqarrow"

	"analyzer/columnar"
	"analyzer/columnar/csv"
	"analyzer/columnar/input"
	"analyzer/columnar/parquet"
	heads "analyzer/columnar/stored"
	"analyzer/columnar/vfs"
)

// stored is a file with content in a file system in memory.
func stored(t testing.TB, fs vfs.FS, content []byte) vfs.File {
	t.Helper()
	f, err := fs.Create("t.parquet")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Write(content); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	if f, err = fs.Open("t.parquet"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

// readAll reads all columns with several workers that take turns, and returns the values as
// text, by column. skip decides which columns of which blocks are not read.
func readAll(f *parquet.File, workers int, skip func(block int64, column int) bool) ([][]string, error) {
	columns := f.Columns()
	values := make([][]string, len(columns))
	for i := range values {
		values[i] = make([]string, f.Rows())
	}
	blocks := make(map[int64]bool)
	var all []*parquet.Worker
	for range workers {
		all = append(all, f.NewWorker())
	}
	for len(all) > 0 {
		for i := len(all) - 1; i >= 0; i-- {
			w := all[i]
			if err := w.Next(); errors.Is(err, io.EOF) {
				all = slices.Delete(all, i, i+1)
				continue
			} else if err != nil {
				return nil, err
			}
			if blocks[w.Index()] {
				return nil, fmt.Errorf("block %d comes twice", w.Index())
			}
			blocks[w.Index()] = true
			for c := range columns {
				if columns[c].Type == columnar.Invalid {
					continue
				}
				var may *columnar.Vector
				if (w.Index()+int64(c))%3 > 0 {
					var err error
					if may, err = w.Values(c); err != nil {
						return nil, err
					}
				}
				if skip(w.Index(), c) {
					continue
				}
				codes, places, err := w.Coded(c)
				if err != nil {
					return nil, err
				}
				v, err := w.Column(c)
				if err != nil {
					return nil, err
				}
				for r := range places {
					if got := shown(codes, int(places[r])); got != shown(v, r) || may != nil && got != shown(may, int(places[r])) {
						return nil, fmt.Errorf("row %d of column %d is coded as %q", r, c, got)
					}
				}
				if may != nil && codes == nil {
					return nil, fmt.Errorf("column %d is not coded, as was said", c)
				}
				if v.Len != w.Len() {
					return nil, fmt.Errorf("column %d has %d values of %d", c, v.Len, w.Len())
				}
				for r := range v.Len {
					values[c][w.First()+int64(r)] = shown(v, r)
				}
			}
		}
	}
	for k := range int64(len(blocks)) {
		if !blocks[k] {
			return nil, fmt.Errorf("there are %d blocks, and none is %d", len(blocks), k)
		}
	}
	return values, nil
}

func everything(int64, int) bool { return false }

func shown(v *columnar.Vector, i int) string {
	if v.IsNull(i) {
		return "NULL"
	}
	if v.Type != columnar.TextList {
		return string(v.AppendText(nil, i))
	}
	var items []string
	for k := v.Offsets[i]; k < v.Offsets[i+1]; k++ {
		items = append(items, shown(v.Child, int(k)))
	}
	return "[" + strings.Join(items, " ") + "]"
}

// row returns a row of the files of DuckDB; testdata/README.md describes how to make them.
func row(i int) map[string]string {
	nulls := func(null bool, text string) string {
		if null {
			return "NULL"
		}
		return text
	}
	decimal := func(f float64) string { return fmt.Sprintf("%g", f) }
	list := "[a]"
	if i%2 == 0 {
		list = fmt.Sprintf("[a %d NULL]", i)
	}
	start := time.Date(1969, 12, 31, 23, 59, 50, 5e8, time.UTC)
	return map[string]string{
		"i": fmt.Sprint(i), "l": fmt.Sprint(i * 1000000007), "u8": fmt.Sprint(i % 256), "u64": fmt.Sprint(i * 99999999999), "s": fmt.Sprint(i - 50),
		"b": fmt.Sprint(i%2 == 0), "f": decimal(float64(i) / 4), "d": decimal(float64(i) / 8),
		"m": decimal(float64(i) * 1.25), "m18": decimal(float64(i) * 1.5), "m38": decimal(float64(i) * 3.25), "deep": decimal(float64(i) * 0.5),
		"day": time.Date(1969, 12, 25+i, 0, 0, 0, 0, time.UTC).Format(time.DateOnly),
		"ts":  start.Add(time.Duration(i) * time.Second).Format("2006-01-02 15:04:05.999"),
		"tm":  start.Add(time.Duration(i)*time.Second + 10*time.Hour + 9500*time.Millisecond).Format(time.TimeOnly),
		"low": fmt.Sprint("text ", i%5), "high": strings.Repeat("é", i%4) + fmt.Sprint(i),
		"ni": nulls(i%3 == 0, fmt.Sprint(i)), "nt": nulls(i%4 == 0, map[bool]string{true: "", false: fmt.Sprint("x", i)}[i%4 == 1]),
		"none": "NULL", "id": "00010203-0405-0607-0809-0a0b0c0d0e0f", "texts": nulls(i%7 == 0, list), "st": fmt.Sprintf("{'x': %d}", i), "ints": fmt.Sprintf("[%d]", i),
	}
}

// rows is row for all rows of the files.
func rows() []map[string]string {
	all := make([]map[string]string, 600)
	for i := range all {
		all[i] = row(i)
	}
	return all
}

// TestDuckDB reads what another program wrote, in both versions of the format.
func TestDuckDB(t *testing.T) {
	wanted := rows()
	for _, name := range []string{"v1", "v2"} {
		content, err := os.ReadFile("testdata/" + name + ".parquet")
		if err != nil {
			t.Fatal(err)
		}
		for _, block := range []int{1 << 10, 1 << 20} {
			for workers := range 3 {
				f, err := parquet.Open(stored(t, vfs.NewMem(), content), block)
				if err != nil {
					t.Fatal(err)
				}
				values, err := readAll(f, workers+1, everything)
				if err != nil {
					t.Fatal(err)
				}
				for c, column := range f.Columns() {
					for i, got := range values[c] {
						if want := wanted[i][column.Name]; got != want {
							t.Fatalf("%s, blocks of %d bytes: row %d, %v: %q, want %q", name, block, i, column, got, want)
						}
					}
				}
			}
		}
	}
}

// TestLeftOut reads some columns of some blocks, as a query with conditions does.
func TestLeftOut(t *testing.T) {
	content, err := os.ReadFile("testdata/v1.parquet")
	if err != nil {
		t.Fatal(err)
	}
	wanted := rows()
	for seed := range uint64(8) {
		f, err := parquet.Open(stored(t, vfs.NewMem(), content), 1<<10)
		if err != nil {
			t.Fatal(err)
		}
		rng := rand.New(rand.NewPCG(seed, 1))
		values, err := readAll(f, 1+int(seed%3), func(int64, int) bool { return rng.IntN(3) > 0 })
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		for c, column := range f.Columns() {
			for i, got := range values[c] {
				if want := wanted[i][column.Name]; got != "" && got != want {
					t.Fatalf("seed %d: row %d, %v: %q, want %q", seed, i, column, got, want)
				}
			}
		}
	}
}

// written is a file of Arrow's own writer.
func written(t testing.TB, record arrow.Record, group int64, o ...arrowparquet.WriterProperty) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := pqarrow.NewFileWriter(record.Schema(), &b, arrowparquet.NewWriterProperties(append(o, arrowparquet.WithMaxRowGroupLength(group))...), pqarrow.DefaultWriterProps())
	if err != nil {
		t.Fatal(err)
	}
	if err := w.WriteBuffered(record); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func record(t testing.TB, fields []arrow.Field, json string) arrow.Record {
	t.Helper()
	r, _, err := array.RecordFromJSON(memory.DefaultAllocator, arrow.NewSchema(fields, nil), strings.NewReader(json))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.Release)
	return r
}

// TestExtremes reads the ends of ranges, and refuses what is beyond ours.
func TestExtremes(t *testing.T) {
	field := func(t arrow.DataType) []arrow.Field { return []arrow.Field{{Name: "x", Type: t, Nullable: true}} }
	for _, c := range []struct {
		typ  arrow.DataType
		json string
		want string // what is read, or what an error that begins with "!" says
	}{
		{arrow.PrimitiveTypes.Int64, "-9223372036854775808", fmt.Sprint(math.MinInt64)},
		{arrow.PrimitiveTypes.Uint64, "9223372036854774784", "9223372036854774784"},
		{arrow.PrimitiveTypes.Uint64, "9223372036854775808", "!the number 9223372036854775808 is too large: numbers of this type end at 9223372036854775807 here"},
		{arrow.PrimitiveTypes.Uint32, "4294967295", "4294967295"},
		{arrow.PrimitiveTypes.Int8, "-128", "-128"},
		{arrow.PrimitiveTypes.Date32, `"0001-01-01"`, "0001-01-01"},
		{arrow.BinaryTypes.Binary, `"/8OpYQ=="`, `\xFF\xC3\xA9a`},
		{arrow.FixedWidthTypes.Timestamp_ns, `"1901-02-03 04:05:06.123456999"`, "1901-02-03 04:05:06.123456"},
		{arrow.FixedWidthTypes.Timestamp_us, `"1901-02-03 04:05:06.000007"`, "1901-02-03 04:05:06.000007"},
		{arrow.FixedWidthTypes.Timestamp_ms, `"1901-02-03 04:05:06.007"`, "1901-02-03 04:05:06.007"},
		{arrow.FixedWidthTypes.Timestamp_s, `"2001-02-03 04:05:06"`, "2001-02-03 04:05:06"},
		{&arrow.Decimal128Type{Precision: 38, Scale: 2}, `"-9223372036854.77"`, "-9223372036854.77"},
		{&arrow.Decimal128Type{Precision: 38, Scale: 2}, `"9223372036854.78"`, "9223372036854.78"},
		{&arrow.Decimal128Type{Precision: 15, Scale: 2}, `"9223372036854.77"`, "9223372036854.77"},
		{&arrow.Decimal128Type{Precision: 15, Scale: 2}, `"9223372036854.78"`, "!the column has the type DECIMAL(PRECISION=15, SCALE=2), and the number 9223372036854.78 is too large: numbers of this type end at 9223372036854.775807 here"},
		{&arrow.Decimal128Type{Precision: 18, Scale: 0}, `"-123456789012345678"`, "-123456789012345678"},
		{&arrow.Decimal128Type{Precision: 38, Scale: 0}, `"9223372036854775807"`, "9223372036854775807"},
		{&arrow.Decimal128Type{Precision: 38, Scale: 0}, `"-9223372036854775809"`, "-9223372036854775809"},
		{&arrow.Decimal128Type{Precision: 12, Scale: 0}, `"-999999999999"`, "-999999999999"},
		{&arrow.Decimal128Type{Precision: 18, Scale: 4}, `"99999999999999.9999"`, "99999999999999.9999"},
		{&arrow.Decimal128Type{Precision: 38, Scale: 6}, `"99999999999999999999999999999999.999999"`, "99999999999999999999999999999999.999999"},
		{&arrow.Decimal128Type{Precision: 10, Scale: 9}, `"-9.123456789"`, "-9.123456789"},
		{&arrow.TimestampType{Unit: arrow.Millisecond}, "9223372036854775807", "!a timestamp is too far away"},
		{&arrow.Decimal128Type{Precision: 9, Scale: 2}, `"-0.01"`, "-0.01"},
		{&arrow.Decimal128Type{Precision: 38, Scale: 20}, `"-0.5"`, "-0.5"},
	} {
		content := written(t, record(t, field(c.typ), `[{"x":null},{"x":`+c.json+`},{"x":null}]`), 10)
		f, err := parquet.Open(stored(t, vfs.NewMem(), content), 1<<20)
		if err != nil {
			t.Fatal(err)
		}
		values, err := readAll(f, 1, everything)
		var input *csv.InputError
		said, refused := strings.CutPrefix(c.want, "!")
		switch {
		case refused && (!errors.As(err, &input) || !strings.Contains(input.Detail, said) || input.Hint == "" || input.Column != "x" || strings.Contains(err.Error(), "damaged")):
			t.Errorf("%s %s is read as %q: %v", c.typ, c.json, values, err)
		case refused:
		case err != nil:
			t.Errorf("%s %s: %v", c.typ, c.json, err)
		case strings.HasSuffix(c.typ.String(), "tz=UTC]") && slices.Equal(values[0], []string{"NULL", c.want + "+00", "NULL"}):
		case !slices.Equal(values[0], []string{"NULL", c.want, "NULL"}):
			t.Errorf("%s %s is read as %q", c.typ, c.json, values[0])
		}
	}
}

// TestLaterParts reads what came to the format late: numbers stored as streams of bytes, and LZ4.
func TestLaterParts(t *testing.T) {
	for name, want := range map[string][][]string{
		"bss": {{"1.5", "1.5", "1.5"}, {"1.5", "1.5", "1.5"}, {"3", "3", "3"}},
		"lz4": {{"0", "1", "2"}},
	} {
		content, err := os.ReadFile("testdata/" + name + ".parquet")
		if err != nil {
			t.Fatal(err)
		}
		f, err := parquet.Open(stored(t, vfs.NewMem(), content), 1<<20)
		if err != nil {
			t.Fatal(err)
		}
		if values, err := readAll(f, 1, everything); err != nil || !reflect.DeepEqual(values, want) {
			t.Errorf("%s: %q, %v, want %q", name, values, err, want)
		}
	}
}

// TestNotRead reads files that are well: what is missing is named, and nobody is told that they
// are damaged.
func TestNotRead(t *testing.T) {
	for name, want := range map[string]string{
		"variant":   "a column has the type VARIANT, which is not read",
		"encrypted": "the Parquet file is encrypted, which is not read",
	} {
		content := []byte("PARE of which only the key's owner knows more PARE")
		if name != "encrypted" {
			var err error
			if content, err = os.ReadFile("testdata/unread/" + name + ".parquet"); err != nil {
				t.Fatal(err)
			}
		}
		file := stored(t, vfs.NewMem(), content)
		if !parquet.Format().Is(heads.Head{Stored: content}) {
			t.Errorf("%s is no Parquet file", name)
		}
		f, err := parquet.Open(file, 1<<20)
		if err == nil {
			_, err = readAll(f, 1, everything)
		}
		what, ok := errors.AsType[*csv.InputError](err)
		if !ok || what.Reason != input.ReasonMissing || !strings.Contains(what.Detail, want) || what.Hint == "" {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestDamaged changes a file all over, and cuts it: what is read may be
// wrong, as the format has no checksums, but nothing panics.
func TestDamaged(t *testing.T) {
	whole := written(t, record(t, []arrow.Field{
		{Name: "n", Type: arrow.PrimitiveTypes.Int64, Nullable: true},
		{Name: "s", Type: arrow.BinaryTypes.String},
		{Name: "l", Type: arrow.ListOf(arrow.BinaryTypes.String), Nullable: true},
	}, `[{"n":1,"s":"a","l":["x","y"]},{"n":null,"s":"b","l":null},{"n":3,"s":"b","l":[]}]`), 2)
	fs := vfs.NewMem()
	try := func(content []byte) error {
		f, err := parquet.Open(stored(t, fs, content), 1<<20)
		if err == nil && f.Rows() < 1000 {
			_, err = readAll(f, 1, everything)
		}
		return err
	}
	if err := try(whole); err != nil {
		t.Fatal(err)
	}
	failed := 0
	for i := 0; i < len(whole); i += 3 {
		var input *csv.InputError
		err := try(whole[:i])
		if !errors.As(err, &input) {
			t.Errorf("the first %d bytes: %v", i, err)
		}
		for _, flip := range []byte{0x01, 0x80, 0xff} {
			content := slices.Clone(whole)
			content[i] ^= flip
			if err := try(content); err != nil {
				failed++
				if !errors.As(err, &input) && !strings.Contains(err.Error(), "comes twice") {
					t.Errorf("byte %d: %v", i, err)
				}
			}
		}
	}
	if failed < len(whole)/12 {
		t.Errorf("%d of %d changes were found", failed, len(whole)/3)
	}
}
