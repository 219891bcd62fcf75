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
}.Arrow()

// sample returns a batch of every type; every third row is null throughout.
func sample(alloc memory.Allocator, rows int) columnar.RecordBatch {
	builder := array.NewRecordBuilder(alloc, sampleSchema)
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
func encoded(t testing.TB, batch columnar.RecordBatch, options ...ipc.Option) []byte {
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

// decodeBytes decodes an aligned copy of data and checks that all memory is
// released with the batch.
func decodeBytes(t testing.TB, schema *arrow.Schema, data []byte, use func(columnar.RecordBatch)) error {
	t.Helper()
	alloc := memory.NewCheckedAllocator(memory.NewGoAllocator())
	defer alloc.AssertSize(t, 0)
	block := memory.NewResizableBuffer(alloc)
	block.Resize(len(data))
	copy(block.Bytes(), data)
	batch, err := DecodeBuffer(schema, block)
	block.Release()
	if err != nil {
		if batch != nil || !errors.Is(err, ErrMalformed) {
			t.Fatalf("batch %v, error %v", batch, err)
		}
		return err
	}
	use(batch)
	batch.Release()
	return nil
}

func TestArrowsMessagesAreDecoded(t *testing.T) {
	for _, rows := range []int{0, 1, 2, 3, 7, 8, 9, 64, 1000} {
		want := sample(memory.DefaultAllocator, rows)
		err := decodeBytes(t, sampleSchema, encoded(t, want), func(got columnar.RecordBatch) {
			if !array.RecordEqual(got, want) {
				t.Errorf("%d rows: read %v, wrote %v", rows, got, want)
			}
		})
		if err != nil {
			t.Errorf("%d rows: %v", rows, err)
		}
		want.Release()
	}
}

// A column that is kept keeps the memory of the block; its buffers are no longer
// than its values.
func TestColumnsShareTheBlock(t *testing.T) {
	alloc := memory.NewCheckedAllocator(memory.NewGoAllocator())
	defer alloc.AssertSize(t, 0)
	want := sample(memory.DefaultAllocator, 10)
	defer want.Release()
	data := encoded(t, want)
	block := memory.NewResizableBuffer(alloc)
	block.Resize(len(data))
	copy(block.Bytes(), data)
	used := alloc.CurrentAlloc()
	batch, err := DecodeBuffer(sampleSchema, block)
	if err != nil {
		t.Fatal(err)
	}
	block.Release()
	if alloc.CurrentAlloc() != used {
		t.Errorf("decoding allocates %d bytes", alloc.CurrentAlloc()-used)
	}
	text := batch.Column(3)
	text.Retain()
	batch.Release()
	if got := text.(*array.String).Value(9); got != "row 9" {
		t.Errorf("read %q", got)
	}
	for i, want := range []int{2, 11 * 4, 7 * len("row 9")} {
		if got := text.Data().Buffers()[i].Len(); got != want {
			t.Errorf("buffer %d of the text has %d bytes, want %d", i, got, want)
		}
	}
	text.Release()
}

func TestWhatIsNoBatchOfTheSchema(t *testing.T) {
	batch := sample(memory.DefaultAllocator, 10)
	defer batch.Release()
	data := encoded(t, batch)
	fields := sampleSchema.Fields()
	fewer := arrow.NewSchema(fields[:7], nil)
	more := arrow.NewSchema(append(slices.Clone(fields), fields[0]), nil)
	swapped := arrow.NewSchema(append(slices.Clone(fields[:6]), fields[1], fields[6]), nil)
	strange := arrow.NewSchema([]arrow.Field{{Name: "x", Type: arrow.FixedWidthTypes.Duration_s}}, nil)
	unpadded := append(slices.Clone(data), 0)
	size, err := BodySize(data[prefixSize:])
	if err != nil {
		t.Fatal(err)
	}
	at := bytes.Index(unpadded, binary.LittleEndian.AppendUint64(nil, size))
	binary.LittleEndian.PutUint64(unpadded[at:], size+1)
	for name, c := range map[string]struct {
		schema *arrow.Schema
		data   []byte
		want   error
	}{
		"nothing":       {sampleSchema, nil, ErrMalformed},
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
		if err := decodeBytes(t, c.schema, c.data, func(columnar.RecordBatch) {}); !errors.Is(err, c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func schemaMessage(t *testing.T) []byte {
	var stream bytes.Buffer
	if err := ipc.NewWriter(&stream, ipc.WithSchema(sampleSchema)).Close(); err != nil {
		t.Fatal(err)
	}
	return stream.Bytes()[:stream.Len()-8]
}

func TestUnalignedBytesAreRefused(t *testing.T) {
	batch := sample(memory.DefaultAllocator, 10)
	defer batch.Release()
	data := encoded(t, batch)
	shifted := make([]byte, len(data)+1)[1:]
	copy(shifted, data)
	if _, err := DecodeBuffer(sampleSchema, memory.NewBufferBytes(shifted)); !errors.Is(err, ErrMalformed) {
		t.Errorf("error %v", err)
	}
}

// touch reads every value of an array.
func touch(t testing.TB, values arrow.Array) {
	t.Helper()
	for i := range values.Len() {
		if got := values.ValueStr(i); got == "" && !values.IsNull(i) && values.DataType().ID() != arrow.STRING && values.DataType().ID() != arrow.BINARY {
			t.Fatalf("no value %d", i)
		}
	}
	if list, ok := values.(*array.List); ok {
		touch(t, list.ListValues())
	}
}

// No change of any byte makes Decode panic, allocate much, or return what
// cannot be read.
func TestEveryFlippedByteOfArrowsMessageIsSafe(t *testing.T) {
	batch := sample(memory.DefaultAllocator, 20)
	defer batch.Release()
	data := encoded(t, batch)
	refused := 0
	for at := range data {
		for _, flip := range []byte{1, 0x80, 0xff} {
			changed := slices.Clone(data)
			changed[at] ^= flip
			if decodeBytes(t, sampleSchema, changed, func(got columnar.RecordBatch) {
				for _, column := range got.Columns() {
					touch(t, column)
				}
			}) != nil {
				refused++
			}
		}
	}
	if refused < 500 {
		t.Errorf("only %d of %d changes were refused", refused, 3*len(data))
	}
}

func FuzzDecodeBuffer(f *testing.F) {
	for _, rows := range []int{0, 1, 20} {
		batch := sample(memory.DefaultAllocator, rows)
		f.Add(encoded(f, batch))
		batch.Release()
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		before := allocated()
		_ = decodeBytes(t, sampleSchema, data, func(got columnar.RecordBatch) {
			for _, column := range got.Columns() {
				touch(t, column)
			}
		})
		if grown := allocated() - before; grown > 1<<20+100*uint64(len(data)) {
			t.Errorf("%d bytes were allocated for a message of %d", grown, len(data))
		}
	})
}

// Flight sends metadata and body apart.
func TestPartsOfAMessage(t *testing.T) {
	rows := rowtest.Random(rand.New(rand.NewPCG(1, 1)), everyType, 30, 2)
	metadata, body, err := Split(encode(t, everyType, rows))
	if err != nil {
		t.Fatal(err)
	}
	shifted := append(make([]byte, 1, len(body)+1), body...)[1:]
	for _, body := range [][]byte{body, shifted} {
		rowtest.Checked(t, func(alloc memory.Allocator) {
			got, err := DecodeParts(everyType.Arrow(), metadata, body, alloc)
			if err != nil {
				t.Fatal(err)
			}
			checkRows(t, everyType, got, rows)
			got.Release()
			if got, err = DecodeParts(everyType.Arrow(), nil, nil, alloc); err != nil || got.NumRows() != 0 {
				t.Errorf("no bytes: %v, %v", got, err)
			}
			got.Release()
			for name, parts := range map[string][2][]byte{
				"no metadata": {nil, body}, "no body": {metadata, nil}, "half a body": {metadata, body[:len(body)/16*8]},
				"half of the metadata": {metadata[:len(metadata)/2], body}, "a letter": {[]byte("x"), body},
			} {
				if _, err := DecodeParts(everyType.Arrow(), parts[0], parts[1], alloc); !errors.Is(err, ErrMalformed) {
					t.Errorf("%s: %v", name, err)
				}
			}
		})
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
