package ipc

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/decimal128"
	"github.com/apache/arrow/go/v17/arrow/ipc"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"analyzer/columnar"
	"analyzer/columnar/rowtest"
)

var sampleSchema = columnar.Schema{
	{Name: "bool", Type: columnar.Bool},
	{Name: "int", Type: columnar.Int},
	{Name: "float", Type: columnar.Float},
	{Name: "text", Type: columnar.Text},
	{Name: "wide", Type: columnar.Wide},
	{Name: "floatsum", Type: columnar.FloatSum},
	{Name: "texts", Type: columnar.TextList},
	{Name: "ints", Type: columnar.IntList},
}

// sample returns a batch of every type, as Arrow makes it; every third row is null
// throughout.
func sample(rows int) arrow.Record {
	builder := array.NewRecordBuilder(memory.DefaultAllocator, sampleSchema.Arrow())
	defer builder.Release()
	for row := range rows {
		if row%3 == 2 {
			for _, column := range builder.Fields() {
				column.AppendNull()
			}
			continue
		}
		text := fmt.Sprint("row ", row)
		builder.Field(0).(*array.BooleanBuilder).Append(row%2 == 0)
		builder.Field(1).(*array.Int64Builder).Append(int64(row))
		builder.Field(2).(*array.Float64Builder).Append(float64(row) / 2)
		builder.Field(3).(*array.StringBuilder).Append(text)
		builder.Field(4).(*array.Decimal128Builder).Append(decimal128.FromI64(int64(row)))
		builder.Field(5).(*array.BinaryBuilder).Append([]byte(text))
		texts := builder.Field(6).(*array.ListBuilder)
		texts.Append(true)
		texts.ValueBuilder().(*array.StringBuilder).AppendValues([]string{text, ""}, []bool{true, row%2 == 0})
		ints := builder.Field(7).(*array.ListBuilder)
		ints.Append(true)
		ints.ValueBuilder().(*array.Int64Builder).AppendValues([]int64{1, 2}, nil)
	}
	return builder.NewRecord()
}

// encoded returns the message of a batch, as Arrow writes it into a stream.
func encoded(t testing.TB, batch arrow.Record, options ...ipc.Option) []byte {
	t.Helper()
	options = append(options, ipc.WithSchema(batch.Schema()))
	var empty, stream bytes.Buffer
	if err := ipc.NewWriter(&empty, options...).Close(); err != nil {
		t.Fatal(err)
	}
	w := ipc.NewWriter(&stream, options...)
	if err := errors.Join(w.Write(batch), w.Close()); err != nil {
		t.Fatal(err)
	}
	const endOfStream = 8
	return stream.Bytes()[empty.Len()-endOfStream : stream.Len()-endOfStream]
}

// read decodes data, and reads every value of what it holds.
func read(t testing.TB, schema columnar.Schema, data []byte) (columnar.Rows, error) {
	t.Helper()
	rows, err := Decode(schema, data)
	if err != nil && (rows.Cols != nil || !errors.Is(err, ErrMalformed)) {
		t.Fatalf("rows %v, error %v", rows, err)
	}
	rowtest.Text(rows)
	columnar.HashRows(nil, rows.Cols, rows.Len)
	return rows, err
}

func TestArrowsMessagesAreDecoded(t *testing.T) {
	for _, n := range []int{0, 1, 2, 3, 7, 8, 9, 64, 1000} {
		want := sample(n)
		got, err := read(t, sampleSchema, encoded(t, want))
		if err != nil {
			t.Errorf("%d rows: %v", n, err)
		}
		rowtest.Same(t, got, rowtest.FromArrow(sampleSchema, want))
		want.Release()
	}
}

// Memory after the values of a column cannot be reached through the column.
func TestColumnsEndWithTheirValues(t *testing.T) {
	rows, err := read(t, sampleSchema, encoded(t, sample(10)))
	if err != nil {
		t.Fatal(err)
	}
	ints, text := rows.Cols[1], rows.Cols[3]
	if cap(ints.Ints) != 10 || cap(text.Offsets) != 11 || cap(text.Data) != 7*len("row 9") {
		t.Errorf("room for %d integers, %d offsets, %d bytes of text", cap(ints.Ints), cap(text.Offsets), cap(text.Data))
	}
}

// If columns shared bytes, a small message could decode to many rows.
func TestBuffersThatOverlapAreRefused(t *testing.T) {
	schema := columnar.Schema{{Name: "a", Type: columnar.Int}, {Name: "b", Type: columnar.Int}}
	message := encode(t, schema, rowtest.Random(rand.New(rand.NewPCG(1, 1)), schema, 8, 0))
	second := prefixSize + shapeOf(schema, false).firstBuffer() + 3*pairSize // the values of b
	if at := binary.LittleEndian.Uint64(message[second:]); at != 64 {
		t.Fatalf("the second column begins at %d", at)
	}
	for _, at := range []uint64{0, 56} {
		binary.LittleEndian.PutUint64(message[second:], at)
		if _, err := read(t, schema, message); err == nil {
			t.Errorf("at %d it was taken", at)
		}
	}
}

func TestWhatIsNoBatchOfTheSchema(t *testing.T) {
	batch := sample(10)
	defer batch.Release()
	data := encoded(t, batch)
	fewer := sampleSchema[:7]
	more := append(slices.Clone(sampleSchema), sampleSchema[0])
	swapped := append(slices.Clone(sampleSchema[:6]), sampleSchema[1], sampleSchema[6])
	strange := columnar.Schema{{Name: "x"}}
	unpadded := append(slices.Clone(data), 0)
	size, err := BodySize(data[prefixSize:])
	if err != nil {
		t.Fatal(err)
	}
	at := bytes.Index(unpadded, binary.LittleEndian.AppendUint64(nil, size))
	binary.LittleEndian.PutUint64(unpadded[at:], size+1)
	for name, c := range map[string]struct {
		schema columnar.Schema
		data   []byte
		want   error
	}{
		"a prefix":      {sampleSchema, data[:8], ErrMalformed},
		"no body":       {sampleSchema, data[:8+binary.LittleEndian.Uint32(data[4:])], ErrMalformed},
		"a short body":  {sampleSchema, data[:len(data)-8], ErrMalformed},
		"a long body":   {sampleSchema, append(slices.Clone(data), make([]byte, 8)...), ErrMalformed},
		"not padded":    {sampleSchema, unpadded, ErrMalformed},
		"zeros":         {sampleSchema, make([]byte, 100), ErrMalformed},
		"fewer columns": {fewer, data, ErrMalformed},
		"more columns":  {more, data, ErrMalformed},
		"other columns": {swapped, data, ErrMalformed},
		"a strange one": {strange, data, ErrMalformed},
		"compressed":    {sampleSchema, encoded(t, batch, ipc.WithLZ4()), ErrMalformed},
		"a schema":      {sampleSchema, schemaMessage(t), ErrMalformed},
	} {
		if _, err := read(t, c.schema, c.data); !errors.Is(err, c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func schemaMessage(t *testing.T) []byte {
	var stream bytes.Buffer
	if err := ipc.NewWriter(&stream, ipc.WithSchema(sampleSchema.Arrow())).Close(); err != nil {
		t.Fatal(err)
	}
	return stream.Bytes()[:stream.Len()-8]
}

// No change of any byte makes Decode panic, allocate much, or return rows that cannot be
// read.
func TestEveryFlippedByteOfArrowsMessageIsSafe(t *testing.T) {
	batch := sample(20)
	defer batch.Release()
	data := encoded(t, batch)
	refused := 0
	for at := range data {
		for _, flip := range []byte{1, 0x80, 0xff} {
			changed := slices.Clone(data)
			changed[at] ^= flip
			if _, err := read(t, sampleSchema, changed); err != nil {
				refused++
			}
		}
	}
	if refused < 500 {
		t.Errorf("only %d of %d changes were refused", refused, 3*len(data))
	}
}

func FuzzDecodeArrows(f *testing.F) {
	for _, rows := range []int{0, 1, 20} {
		batch := sample(rows)
		f.Add(encoded(f, batch))
		batch.Release()
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		before := allocated()
		_, _ = read(t, sampleSchema, data)
		if grown := allocated() - before; grown > 1<<20+100*uint64(len(data)) {
			t.Errorf("%d bytes were allocated for a message of %d", grown, len(data))
		}
	})
}

// Flight sends metadata and body separately.
func TestPartsOfAMessage(t *testing.T) {
	rows := rowtest.Random(rand.New(rand.NewPCG(1, 1)), everyType, 30, 2)
	metadata, body, err := Split(encode(t, everyType, rows))
	if err != nil {
		t.Fatal(err)
	}
	shifted := append(make([]byte, 1, len(body)+1), body...)[1:]
	for _, body := range [][]byte{body, shifted} {
		got, err := DecodeParts(everyType, metadata, body)
		if err != nil {
			t.Fatal(err)
		}
		rowtest.Same(t, got, rows)
		if got, err = DecodeParts(everyType, nil, nil); err != nil || got.Len != 0 {
			t.Errorf("no bytes: %v, %v", got, err)
		}
		for name, parts := range map[string][2][]byte{
			"no metadata": {nil, body}, "no body": {metadata, nil}, "half a body": {metadata, body[:len(body)/16*8]},
			"half of the metadata": {metadata[:len(metadata)/2], body}, "a letter": {[]byte("x"), body},
		} {
			if _, err := DecodeParts(everyType, parts[0], parts[1]); !errors.Is(err, ErrMalformed) {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}

func TestSplitOfOtherBytes(t *testing.T) {
	for _, message := range []string{"x", "12345678", "\xff\xff\xff\xff\x01\x00\x00\x00", "\xff\xff\xff\xff\xff\xff\xff\xff", "\xff\xff\xff\xff\x00\x00\x00"} {
		if _, _, err := Split([]byte(message)); !errors.Is(err, ErrMalformed) {
			t.Errorf("%q was split: %v", message, err)
		}
	}
	if metadata, body, err := Split(nil); err != nil || metadata != nil || body != nil {
		t.Errorf("no bytes: %x, %x, %v", metadata, body, err)
	}
}
