package ipc

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/ipc"
	"github.com/apache/arrow/go/v17/arrow/memory"
	"pgregory.net/rapid"

	"analyzer/columnar"
	"analyzer/columnar/rowtest"
)

// drawRows draws a schema and a slice of rows of it.
func drawRows(t *rapid.T) (columnar.Schema, columnar.Rows) {
	schema := columnar.Schema(rapid.SliceOfN(rapid.SampledFrom(everyType), 0, 6).Draw(t, "schema"))
	rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
	rows := rowtest.Random(rng, schema, rapid.IntRange(0, 70).Draw(t, "rows"), rapid.SampledFrom([]int{0, 1, 4, 8}).Draw(t, "nulls"))
	lo := rapid.IntRange(0, rows.Len).Draw(t, "lo")
	hi := rapid.IntRange(lo, rows.Len).Draw(t, "hi")
	return schema, rows.Slice(lo, hi)
}

func TestRowsComeBackAsTheyWere(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		schema, rows := drawRows(rt)
		before := rapid.SliceOfN(rapid.Byte(), 0, 20).Draw(rt, "before")
		dst, err := Append(slices.Clone(before), schema, rows)
		if err != nil {
			rt.Fatal(err)
		}
		if !bytes.HasPrefix(dst, before) {
			rt.Fatalf("%x begins with other bytes than %x", dst, before)
		}
		body := dst[len(before):]
		if len(body)%8 != 0 || (len(body) == 0) != (rows.Len == 0) {
			rt.Fatalf("%d rows in %d bytes", rows.Len, len(body))
		}
		rowtest.Checked(rt, func(alloc memory.Allocator) {
			got, err := Decode(schema.Arrow(), body, alloc)
			if err != nil {
				rt.Fatal(err)
			}
			defer got.Release()
			checkRows(t, schema, got, rows)
			again, err := Append(nil, schema, columnar.View(schema, got))
			if err != nil || !bytes.Equal(again, body) {
				rt.Fatalf("decoded and encoded again: %x, %v, were %x", again, err, body)
			}
		})
	})
}

// The bytes depend on the rows alone, not on what their vectors are a part of.
func TestEqualRowsMakeEqualBytes(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		schema, rows := drawRows(rt)
		copied := columnar.NewRows(schema)
		copied.AppendRange(rows, 0, rows.Len)
		if got, want := encode(t, schema, rows), encode(t, schema, copied); !bytes.Equal(got, want) {
			rt.Fatalf("%x of the rows, %x of their copy", got, want)
		}
	})
}

// Batches that other code made, with offsets of their own, are encoded too.
func TestSlicesOfRecordBatches(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	rows := rowtest.Random(rng, everyType, 40, 2)
	batch := columnar.Batch(memory.DefaultAllocator, everyType.Arrow(), rows.Cols, rows.Len)
	defer batch.Release()
	for _, cut := range [][2]int{{0, 40}, {0, 13}, {7, 40}, {9, 10}, {9, 9}} {
		slice := batch.NewSlice(int64(cut[0]), int64(cut[1]))
		got := encode(t, everyType, columnar.View(everyType, slice))
		if want := encode(t, everyType, rows.Slice(cut[0], cut[1])); !bytes.Equal(got, want) {
			t.Errorf("rows %d to %d: %x, want %x", cut[0], cut[1], got, want)
		}
		slice.Release()
	}
}

// Arrow's own reader reads a body as a message of a stream.
func TestABodyIsAnArrowMessage(t *testing.T) {
	for _, nulls := range []int{0, 2, 8} {
		rows := rowtest.Random(rand.New(rand.NewPCG(1, 1)), everyType, 21, nulls)
		var stream bytes.Buffer
		if err := ipc.NewWriter(&stream, ipc.WithSchema(everyType.Arrow())).Close(); err != nil {
			t.Fatal(err)
		}
		const endOfStream = 8
		end := bytes.Clone(stream.Bytes()[stream.Len()-endOfStream:])
		stream.Truncate(stream.Len() - endOfStream)
		stream.Write(encode(t, everyType, rows))
		stream.Write(end)
		r, err := ipc.NewReader(&stream)
		if err != nil {
			t.Fatal(err)
		}
		if !r.Next() {
			t.Fatalf("no batch: %v", r.Err())
		}
		checkRows(t, everyType, r.Record(), rows)
		if r.Next() || r.Err() != nil {
			t.Errorf("a batch follows, or error %v", r.Err())
		}
		r.Release()
	}
}

// The format is read by other versions of the program: these bytes stay.
func TestBytesOfABody(t *testing.T) {
	schema := columnar.Schema{{Name: "t", Type: columnar.Text}}
	rows := columnar.NewRows(schema)
	rows.Len = 2
	rows.Cols[0].AppendBytes([]byte("abc"))
	rows.Cols[0].AppendNull()
	want := "\xff\xff\xff\xff\x98\x00\x00\x00" + template[:32] +
		"\x20\x00\x00\x00\x00\x00\x00\x00" + template[40:56] + // 32 bytes of body
		"\x02\x00\x00\x00\x00\x00\x00\x00" + template[64:68] + // 2 rows
		"\x20\x00\x00\x00" + "\x00\x00\x00\x00" + "\x01\x00\x00\x00" + // one node
		"\x02\x00\x00\x00\x00\x00\x00\x00\x01\x00\x00\x00\x00\x00\x00\x00" + // 2 values, 1 null
		"\x00\x00\x00\x00\x03\x00\x00\x00" + // three buffers
		"\x00\x00\x00\x00\x00\x00\x00\x00\x01\x00\x00\x00\x00\x00\x00\x00" +
		"\x08\x00\x00\x00\x00\x00\x00\x00\x0c\x00\x00\x00\x00\x00\x00\x00" +
		"\x18\x00\x00\x00\x00\x00\x00\x00\x03\x00\x00\x00\x00\x00\x00\x00" +
		"\x01\x00\x00\x00\x00\x00\x00\x00" + // the first is not null
		"\x00\x00\x00\x00\x03\x00\x00\x00\x03\x00\x00\x00\x00\x00\x00\x00" + // offsets
		"abc\x00\x00\x00\x00\x00"
	if got := encode(t, schema, rows); string(got) != want {
		t.Errorf("got  %x\nwant %x", got, want)
	}
}

func TestRowsThatCannotBeEncoded(t *testing.T) {
	schema := everyType[:2]
	rows := rowtest.Random(rand.New(rand.NewPCG(1, 1)), schema, 3, 0)
	short := columnar.Rows{Len: 3, Cols: []*columnar.Vector{rows.Cols[0], rows.Cols[1].Slice(0, 2)}}
	for name, c := range map[string]struct {
		schema columnar.Schema
		rows   columnar.Rows
	}{
		"fewer columns":  {everyType[:3], rows},
		"more columns":   {everyType[:1], rows},
		"other columns":  {columnar.Schema{schema[1], schema[0]}, rows},
		"a short column": {schema, short},
		"too many rows":  {nil, columnar.Rows{Len: 1<<31 - 1}},
		"negative rows":  {nil, columnar.Rows{Len: -1}},
		"no type":        {columnar.Schema{{Name: "x"}}, columnar.Rows{Cols: []*columnar.Vector{{}}}},
	} {
		before := []byte("before")
		if got, err := Append(before, c.schema, c.rows); !errors.Is(err, ErrUnencodable) || string(got) != "before" {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
}

func TestABatchSharesTheBody(t *testing.T) {
	rows := rowtest.Random(rand.New(rand.NewPCG(1, 1)), everyType, 30, 2)
	body := encode(t, everyType, rows)
	alloc := memory.NewCheckedAllocator(memory.NewGoAllocator())
	defer alloc.AssertSize(t, 0)
	batch, err := Decode(everyType.Arrow(), body, alloc)
	if err != nil {
		t.Fatal(err)
	}
	defer batch.Release()
	if alloc.CurrentAlloc() != 0 {
		t.Errorf("%d bytes are allocated", alloc.CurrentAlloc())
	}
	body[len(body)-8] ^= 1 // the last of the integers of lists
	last := len(everyType) - 1
	items := batch.Column(last).(*array.List).ListValues().(*array.Int64)
	if changed := rows.Cols[last].Child.Ints[items.Len()-1] ^ 1; items.Value(items.Len()-1) != changed {
		t.Error("the batch does not see a change of the body")
	}
}

// A body at any place in memory is read; the copy lives as long as a column.
func TestABodyThatIsNotAligned(t *testing.T) {
	rows := rowtest.Random(rand.New(rand.NewPCG(1, 1)), everyType, 30, 2)
	body := encode(t, everyType, rows)
	rowtest.Checked(t, func(alloc memory.Allocator) {
		shifted := append(make([]byte, 1, len(body)+1), body...)[1:]
		batch, err := Decode(everyType.Arrow(), shifted, alloc)
		if err != nil {
			t.Fatal(err)
		}
		clear(shifted)
		checkRows(t, everyType, batch, rows)
		column := batch.Column(4)
		column.Retain()
		batch.Release()
		if got, want := column.(*array.String).Len(), 30; got != want {
			t.Errorf("%d values, want %d", got, want)
		}
		column.Release()
	})
}

func TestWhatIsNoBody(t *testing.T) {
	rows := rowtest.Random(rand.New(rand.NewPCG(1, 1)), everyType, 10, 2)
	body := encode(t, everyType, rows)
	noColumns := encode(t, nil, columnar.Rows{Len: 5})
	claims := func(rows byte) []byte {
		b := bytes.Clone(noColumns)
		b[prefixSize+rowsAt+3] = rows
		return b
	}
	for name, c := range map[string]struct {
		schema columnar.Schema
		body   []byte
		want   error
	}{
		"a byte":           {everyType, body[:1], ErrMalformed},
		"cut":              {everyType, body[:len(body)-8], ErrMalformed},
		"longer":           {everyType, append(bytes.Clone(body), make([]byte, 8)...), ErrMalformed},
		"fewer columns":    {everyType[1:], body, ErrMalformed},
		"more columns":     {append(slices.Clone(everyType), everyType[0]), body, ErrMalformed},
		"rows of nothing":  {nil, claims(0x80), ErrMalformed},
		"rows, negative":   {nil, negativeRows(noColumns), ErrMalformed},
		"rows, believable": {nil, claims(0x01), nil},
	} {
		rowtest.Checked(t, func(alloc memory.Allocator) {
			batch, err := Decode(c.schema.Arrow(), c.body, alloc)
			if !errors.Is(err, c.want) {
				t.Errorf("%s: %v", name, err)
			}
			if batch != nil {
				batch.Release()
			}
		})
	}
}

func negativeRows(noColumns []byte) []byte {
	b := bytes.Clone(noColumns)
	for i := range 8 {
		b[prefixSize+rowsAt+i] = 0xff
	}
	return b
}

func TestNoRowsAreABatchOfTheSchema(t *testing.T) {
	rowtest.Checked(t, func(alloc memory.Allocator) {
		batch, err := Decode(everyType.Arrow(), nil, alloc)
		if err != nil {
			t.Fatal(err)
		}
		defer batch.Release()
		if !batch.Schema().Equal(everyType.Arrow()) || batch.NumRows() != 0 {
			t.Errorf("decoded %v", batch)
		}
		for i, f := range everyType {
			if !arrow.TypeEqual(batch.Column(i).DataType(), f.Type.Arrow()) {
				t.Errorf("column %q is %s", f.Name, batch.Column(i).DataType())
			}
		}
		checkRows(t, everyType, batch, columnar.NewRows(everyType))
	})
}
