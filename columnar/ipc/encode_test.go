package ipc

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/apache/arrow/go/v17/arrow/ipc"
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
		got, err := Decode(schema, body)
		if err != nil {
			rt.Fatal(err)
		}
		rowtest.Same(rt, got, rows)
		again, err := Append(nil, schema, got)
		if err != nil || !bytes.Equal(again, body) {
			rt.Fatalf("decoded and encoded again: %x, %v, were %x", again, err, body)
		}
	})
}

// The bytes depend on the rows alone, not on the vectors that they are slices of.
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
		rowtest.Same(t, rowtest.FromArrow(everyType, r.Record()), rows)
		if r.Next() || r.Err() != nil {
			t.Errorf("a batch follows, or error %v", r.Err())
		}
		r.Release()
	}
}

// Other versions of the program read the format, so these bytes must not change.
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

func TestRowsShareTheBody(t *testing.T) {
	schema := columnar.Schema{{Name: "ints", Type: columnar.IntList}}
	rows := rowtest.Random(rand.New(rand.NewPCG(1, 1)), schema, 30, 2)
	body := encode(t, schema, rows)
	got, err := Decode(schema, body)
	if err != nil {
		t.Fatal(err)
	}
	body[len(body)-8] ^= 1 // the last of the integers
	items := got.Cols[0].Child
	if changed := rows.Cols[0].Child.Ints[items.Len-1] ^ 1; items.Ints[items.Len-1] != changed {
		t.Error("the rows do not see a change of the body")
	}
}

// A body at any address can be decoded. The rows of one that is not aligned are a copy.
func TestABodyThatIsNotAligned(t *testing.T) {
	rows := rowtest.Random(rand.New(rand.NewPCG(1, 1)), everyType, 30, 2)
	body := encode(t, everyType, rows)
	shifted := append(make([]byte, 1, len(body)+1), body...)[1:]
	got, err := Decode(everyType, shifted)
	if err != nil {
		t.Fatal(err)
	}
	clear(shifted)
	rowtest.Same(t, got, rows)
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
		if _, err := Decode(c.schema, c.body); !errors.Is(err, c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func negativeRows(noColumns []byte) []byte {
	b := bytes.Clone(noColumns)
	for i := range 8 {
		b[prefixSize+rowsAt+i] = 0xff
	}
	return b
}

func TestNoBytesAreNoRows(t *testing.T) {
	got, err := Decode(everyType, nil)
	if err != nil {
		t.Fatal(err)
	}
	rowtest.Same(t, got, columnar.NewRows(everyType))
	for i, f := range everyType {
		if got.Cols[i].Type != f.Type {
			t.Errorf("column %q is %s", f.Name, got.Cols[i].Type)
		}
	}
}
