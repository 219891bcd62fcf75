package answers

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/decimal128"
	"github.com/apache/arrow/go/v17/parquet"
	"github.com/apache/arrow/go/v17/parquet/compress"
	"github.com/apache/arrow/go/v17/parquet/metadata"
	"github.com/apache/arrow/go/v17/parquet/schema"

	"analyzer/columnar"
	"analyzer/columnar/number"
)

// A row group is written when it has this many rows or bytes of values.
const (
	rowGroupRows  = 128 << 10
	rowGroupBytes = 16 << 20
)

// longBytes is how many bytes long values take, in the mean.
const longBytes = 256 << 10

// dictionaryBytes is more than a row group holds, so that no column abandons its dictionary:
// its pages would have two encodings, which the package counts in a random order.
const dictionaryBytes = 4 * rowGroupBytes

// parquetCodecs are the compressions of Parquet by name. It is read only.
var parquetCodecs = map[string]compress.Compression{
	"": compress.Codecs.Snappy, "snappy": compress.Codecs.Snappy, "gzip": compress.Codecs.Gzip, "zstd": compress.Codecs.Zstd,
	columnar.Uncompressed: compress.Codecs.Uncompressed,
}

// parquetEncoder writes one answer as Parquet, with the package that writes
// columns. The higher-level package, pqarrow, would cost every start of the program a
// third more time and memory (docs/decisions/2026-11-21-parquet.md).
type parquetEncoder struct {
	ended
	out     io.Writer
	codec   compress.Compression
	root    *schema.GroupNode
	columns columnar.Schema
	pending columnar.Rows // of the next row group
	workers []chunkWorker // as many as processors

	// These are nil until the first row group is known.
	props *parquet.WriterProperties
	meta  *metadata.FileMetaDataBuilder
	at    int64 // bytes written
	group int16 // row groups written
}

func (e *parquetEncoder) begin(_ string, columns columnar.Schema) (err error) {
	e.columns, e.pending, e.workers = columns, columnar.NewRows(columns), make([]chunkWorker, runtime.GOMAXPROCS(0))
	e.root, err = parquetSchema(columns)
	return err
}

// open begins the file. The first row group decides how columns are encoded in all of them: with a
// dictionary if values repeat and are not long.
func (e *parquetEncoder) open(rows columnar.Rows) error {
	properties := []parquet.WriterProperty{
		parquet.WithCompression(e.codec), parquet.WithDictionaryPageSizeLimit(dictionaryBytes), parquet.WithCreatedBy("analyzer"),
	}
	names, stored := make(map[string]int), schema.NewSchema(e.root) // by which the package knows columns
	for i := range stored.NumColumns() {
		names[stored.Column(i).Path()]++
	}
	for i, c := range e.columns {
		if isLong(rows.Cols[i]) {
			properties = append(properties, plainly(stored, e.root.Field(i))...)
			continue
		}
		if c.Type.Kind() == columnar.KindList || c.Type.IsNested() || names[c.Name] > 1 || repeats(rows.Cols[i]) {
			continue
		}
		properties = append(properties, parquet.WithDictionaryFor(c.Name, false))
		if c.Type.Kind() == columnar.KindInt64 && c.Type != columnar.Decimal {
			properties = append(properties, parquet.WithEncodingFor(c.Name, parquet.Encodings.DeltaBinaryPacked))
		}
	}
	e.props = parquet.NewWriterProperties(properties...)
	e.meta = metadata.NewFileMetadataBuilder(stored, e.props, nil)
	return e.put([]byte(magic))
}

// magic is what the file begins and ends with.
const magic = "PAR1"

func (e *parquetEncoder) put(b []byte) error {
	n, err := e.out.Write(b)
	e.at += int64(n)
	return err
}

// plainly returns the properties of the columns that store a field without a dictionary and without statistics, which
// would be further copies of long values.
func plainly(stored *schema.Schema, field schema.Node) (properties []parquet.WriterProperty) {
	for i := range stored.NumColumns() {
		if stored.ColumnRoot(i) == field {
			path := stored.Column(i).Path()
			properties = append(properties, parquet.WithDictionaryFor(path, false), parquet.WithStatsFor(path, false))
		}
	}
	return properties
}

// isLong reports whether values take many bytes each.
func isLong(v *columnar.Vector) bool { return v.ValueBytes() > longBytes*int64(v.Len) }

// repeats reports whether values are equal to so many others that a dictionary makes the column
// smaller. It goes by their hashes.
func repeats(v *columnar.Vector) bool {
	const least = 4 // rows for each value
	seen, most := make(map[uint64]struct{}), v.Len/least
	for _, hash := range columnar.HashRows(nil, []*columnar.Vector{v}, v.Len) {
		if seen[hash] = struct{}{}; len(seen) > max(most, 1) {
			return false
		}
	}
	return true
}

func (e *parquetEncoder) write(rows columnar.Rows) error {
	if rows.ValueBytes() >= mostBytes { // long values, which need not be copied
		if e.pending.Len > 0 {
			if err := e.flush(); err != nil {
				return err
			}
		}
		return e.writeGroup(rows)
	}
	e.pending.AppendRange(rows, 0, rows.Len)
	if e.pending.Len >= rowGroupRows || e.pending.ValueBytes() >= rowGroupBytes {
		return e.flush()
	}
	return nil
}

// flush writes the pending rows as a row group.
func (e *parquetEncoder) flush() error {
	err := e.writeGroup(e.pending)
	e.pending.Reset()
	return err
}

// writeGroup writes a row group. Its columns are encoded side by side, each by itself, so that the file is the same for
// any number of processors.
func (e *parquetEncoder) writeGroup(rows columnar.Rows) error {
	if e.meta == nil {
		if err := e.open(rows); err != nil {
			return err
		}
	}
	group := e.meta.AppendRowGroup()
	var chunks []*chunk
	for i, v := range rows.Cols {
		ways, err := stepsOf(nil, v, false)
		if err != nil {
			return fmt.Errorf("column %q: %w", e.columns[i].Name, err)
		}
		for _, way := range ways {
			chunks = append(chunks, &chunk{meta: group.NextColumnChunk(), props: e.props, codec: e.codec, way: way, name: e.columns[i].Name})
		}
	}
	if err := e.encode(chunks); err != nil {
		return err
	}
	uncompressed := int64(0)
	for _, c := range chunks {
		if err := errors.Join(c.finish(e.at), e.put(c.out.Bytes())); err != nil {
			return err
		}
		uncompressed += c.uncompressed
	}
	group.SetNumRows(rows.Len)
	e.group++
	return group.Finish(uncompressed, e.group-1)
}

// encode encodes chunks side by side. It returns the error of the first column that has one.
func (e *parquetEncoder) encode(chunks []*chunk) error {
	var workers sync.WaitGroup
	var next atomic.Int64
	errs := make([]error, len(chunks))
	for i := range e.workers[:min(len(e.workers), len(chunks))] {
		workers.Go(func() {
			for at := next.Add(1) - 1; at < int64(len(chunks)); at = next.Add(1) - 1 {
				errs[at] = chunks[at].encode(&e.workers[i])
			}
		})
	}
	workers.Wait()
	for i, err := range errs {
		if err != nil {
			return fmt.Errorf("column %q: %w", chunks[i].name, err)
		}
	}
	return nil
}

func (e *parquetEncoder) end() error {
	if e.pending.Len > 0 {
		if err := e.flush(); err != nil {
			return err
		}
	}
	if e.meta == nil {
		if err := e.open(e.pending); err != nil {
			return err
		}
	}
	footer, err := e.meta.Finish()
	if err != nil {
		return err
	}
	n, err := footer.WriteTo(e.out, nil)
	if err != nil {
		return err
	}
	return e.put(append(binary.LittleEndian.AppendUint32(nil, uint32(n)), magic...))
}

func parquetSchema(columns columnar.Schema) (*schema.GroupNode, error) {
	fields := make(schema.FieldList, len(columns))
	for i, c := range columns {
		node, err := parquetNode(c, parquet.Repetitions.Optional)
		if err != nil {
			return nil, fmt.Errorf("column %q: %w", c.Name, err)
		}
		fields[i] = node
	}
	return schema.NewGroupNode("schema", parquet.Repetitions.Required, fields, -1)
}

func parquetNode(c columnar.Field, optional parquet.Repetition) (schema.Node, error) {
	const id = -1 // none
	if c.Type.IsNested() {
		return parquetGroup(c, optional)
	}
	if c.Type.IsWide() || c.Type == columnar.Huge {
		return schema.NewPrimitiveNodeLogical(c.Name, optional,
			schema.NewDecimalLogicalType(int32(min(c.Type.Digits(), number.MaxPlaces)), int32(c.Type.Scale())), parquet.Types.FixedLenByteArray, wideBytes, id)
	}
	switch c.Type {
	case columnar.Bool:
		return schema.NewBooleanNode(c.Name, optional, id), nil
	case columnar.Int:
		return schema.NewInt64Node(c.Name, optional, id), nil
	case columnar.Float:
		return schema.NewFloat64Node(c.Name, optional, id), nil
	case columnar.Decimal:
		return schema.NewPrimitiveNodeLogical(c.Name, optional,
			schema.NewDecimalLogicalType(decimalDigits, number.Scale), parquet.Types.FixedLenByteArray, decimalBytes, id)
	case columnar.Interval:
		return nil, fmt.Errorf("intervals of Parquet have no microseconds: %w", columnar.ErrNoForm)
	case columnar.Bytes:
		return schema.NewByteArrayNode(c.Name, optional, id), nil
	case columnar.UUID:
		return schema.NewPrimitiveNodeLogical(c.Name, optional, schema.UUIDLogicalType{}, parquet.Types.FixedLenByteArray, number.UUIDBytes, id)
	case columnar.Text:
		return schema.NewPrimitiveNodeLogical(c.Name, optional, schema.StringLogicalType{}, parquet.Types.ByteArray, -1, id)
	}
	switch t := c.Type.Public().(type) {
	case *arrow.Date32Type:
		return schema.NewPrimitiveNodeLogical(c.Name, optional, schema.DateLogicalType{}, parquet.Types.Int32, -1, id)
	case *arrow.TimestampType:
		return schema.NewPrimitiveNodeLogical(c.Name, optional, schema.NewTimestampLogicalType(t.TimeZone != "", schema.TimeUnitMicros), parquet.Types.Int64, -1, id)
	case *arrow.Time64Type:
		return schema.NewPrimitiveNodeLogical(c.Name, optional, schema.NewTimeLogicalType(false, schema.TimeUnitMicros), parquet.Types.Int64, -1, id)
	}
	element, err := parquetNode(columnar.Field{Name: "element", Type: c.Type.Item()}, parquet.Repetitions.Optional)
	if err != nil {
		return nil, err
	}
	return schema.ListOfWithName(c.Name, element, optional, id)
}

// parquetGroup returns the form of a struct or a map.
func parquetGroup(c columnar.Field, optional parquet.Repetition) (schema.Node, error) {
	const id = -1 // none
	entries := c.Type.Entries()
	var fields schema.FieldList
	for i, f := range append(c.Type.Fields(), entries.Item().Fields()...) {
		repetition := parquet.Repetitions.Optional
		if i == 0 && c.Type.IsMap() {
			repetition = parquet.Repetitions.Required
		}
		if f.Name == "" {
			return nil, fmt.Errorf("its structs have fields without names: %w", columnar.ErrNoForm)
		}
		node, err := parquetNode(f, repetition)
		if err != nil {
			return nil, err
		}
		fields = append(fields, node)
	}
	if c.Type.IsStruct() {
		return schema.NewGroupNode(c.Name, optional, fields, id)
	}
	return schema.MapOf(c.Name, fields[0], fields[1], optional, id)
}

// Decimals are big-endian in Parquet. Those of 64 bits may have 19 digits, one more than Parquet lets a
// number of 64 bits have, and so take 9 bytes.
const (
	decimalDigits, decimalBytes = 19, 9
	wideBytes                   = 16
)

func appendDecimal(dst []byte, n int64) []byte {
	return binary.BigEndian.AppendUint64(append(dst, byte(n>>63)), uint64(n))
}

func appendWide(dst []byte, n decimal128.Num) []byte {
	dst = binary.BigEndian.AppendUint64(dst, uint64(n.HighBits()))
	return binary.BigEndian.AppendUint64(dst, n.LowBits())
}
