package ipc

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/ipc"
	"pgregory.net/rapid"

	"analyzer/columnar"
	"analyzer/columnar/rowtest"
)

// Arrow's own readers read what Writer writes, of any schema and any number of
// batches, whichever way they are handed over.
func TestArrowReadsFilesAndStreams(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		schema, _ := drawRows(rt)
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(rt, "seed"), 1))
		var batches []columnar.Rows
		for range rapid.IntRange(0, 5).Draw(rt, "batches") {
			batches = append(batches, rowtest.Random(rng, schema, 1+rng.IntN(50), 2))
		}
		buffer := rapid.SampledFrom([]int{0, 100, 1 << 20}).Draw(rt, "buffer")
		var file, stream bytes.Buffer
		writeAll(t, Layout{}, &file, schema, buffer, batches)
		writeAll(t, Layout{Stream: true}, &stream, schema, buffer, batches)

		r, err := ipc.NewFileReader(bytes.NewReader(file.Bytes()))
		if err != nil {
			rt.Fatal(err)
		}
		defer r.Close()
		if r.NumRecords() != len(batches) || !r.Schema().Equal(schema.Arrow()) || r.NumDictionaries() != 0 {
			rt.Fatalf("%d batches of %s, want %d", r.NumRecords(), r.Schema(), len(batches))
		}
		for i, want := range batches {
			got, err := r.RecordAt(i)
			if err != nil {
				rt.Fatal(err)
			}
			rowtest.Same(rt, rowtest.FromArrow(schema, got), want)
			got.Release()
		}

		s, err := ipc.NewReader(&stream)
		if err != nil {
			rt.Fatal(err)
		}
		defer s.Release()
		for _, want := range batches {
			if !s.Next() {
				rt.Fatalf("the stream ends early: %v", s.Err())
			}
			rowtest.Same(rt, rowtest.FromArrow(schema, s.Record()), want)
		}
		if s.Next() || s.Err() != nil || stream.Len() > 0 {
			rt.Fatalf("more than was written, or %v, and %d bytes behind it", s.Err(), stream.Len())
		}
	})
}

// writeAll writes batches, every second one as a message made before. The others have long texts.
func writeAll(t testing.TB, layout Layout, out *bytes.Buffer, schema columnar.Schema, buffer int, batches []columnar.Rows) {
	t.Helper()
	w, err := NewWriter(out, schema, layout, buffer)
	if err != nil {
		t.Fatal(err)
	}
	w.long = 5
	for i, rows := range batches {
		if message := encode(t, schema, rows); i%2 == 0 {
			err = w.WriteMessage(message)
		} else {
			var got [][]byte
			if got, err = w.Write(rows); !bytes.Equal(slices.Concat(got...), message) {
				t.Fatalf("wrote %x, want %x", got, message)
			}
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if w.Size() != int64(out.Len()) {
		t.Fatalf("size %d of %d bytes", w.Size(), out.Len())
	}
}

// Other programs are given a Decimal as a decimal, and none of our metadata.
func TestPublicValues(t *testing.T) {
	schema := columnar.Schema{{Name: "price", Type: columnar.Decimal}, {Name: "count", Type: columnar.Int}}
	rows := columnar.NewRows(schema)
	for _, n := range []int64{0, 1, -1, math.MaxInt64, math.MinInt64} {
		rows.Cols[0].AppendInt(n)
		rows.Cols[1].AppendInt(n)
		rows.Len++
	}
	rows.Cols[0].AppendNull()
	rows.Cols[1].AppendInt(7)
	rows.Len++
	var out bytes.Buffer
	w, err := NewWriter(&out, schema, Layout{Public: true}, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(rows); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	r, err := ipc.NewFileReader(bytes.NewReader(out.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	want := arrow.NewSchema([]arrow.Field{
		{Name: "price", Type: columnar.Decimal.Public(), Nullable: true}, {Name: "count", Type: arrow.PrimitiveTypes.Int64, Nullable: true},
	}, nil)
	if !r.Schema().Equal(want) || r.Schema().Field(0).HasMetadata() {
		t.Fatalf("read %s", r.Schema())
	}
	got, err := r.RecordAt(0)
	if err != nil {
		t.Fatal(err)
	}
	defer got.Release()
	const values = "[0.000000 0.000001 -0.000001 9223372036854.775807 -9223372036854.775808 (null)] [0 1 -1 9223372036854775807 -9223372036854775808 7]"
	prices := got.Column(0).(*array.Decimal128)
	var text []string
	for i := range prices.Len() {
		text = append(text, "(null)")
		if prices.IsValid(i) {
			text[i] = prices.Value(i).ToString(6)
		}
	}
	if all := fmt.Sprint(text, " ", got.Column(1).(*array.Int64).Int64Values()); all != values {
		t.Errorf("read %s", all)
	}
}

func TestWriterTellsOfErrors(t *testing.T) {
	full := errors.New("full")
	rows := rowtest.Random(rand.New(rand.NewPCG(1, 1)), everyType, 100, 2)
	w, err := NewWriter(failing{full}, everyType, Layout{}, 1)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(rows); !errors.Is(err, full) {
		t.Errorf("write: %v", err)
	}
	if err := w.WriteMessage(encode(t, everyType, rows)); !errors.Is(err, full) {
		t.Errorf("write a message: %v", err)
	}
	if err := w.Close(); !errors.Is(err, full) {
		t.Errorf("close: %v", err)
	}
	if w, err = NewWriter(io.Discard, everyType, Layout{Stream: true}, 1); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(columnar.Rows{Len: 1}); !errors.Is(err, ErrUnencodable) {
		t.Errorf("rows of other columns: %v", err)
	}
	if err := w.WriteMessage([]byte("no message")); !errors.Is(err, ErrMalformed) {
		t.Errorf("other bytes: %v", err)
	}
}

// failing is a writer that cannot write.
type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }
