package answers

import (
	"errors"
	"fmt"
	"io"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/decimal128"
	"github.com/apache/arrow/go/v17/arrow/ipc"

	"analyzer/columnar"
)

// arrowEncoder writes one answer in Arrow's IPC format.
type arrowEncoder struct {
	out     io.Writer
	alloc   columnar.Allocator
	file    bool // the file format, else the stream format
	columns columnar.Schema
	schema  *arrow.Schema
	w       interface {
		Write(arrow.Record) error
		Close() error
	}
}

func newArrow(w io.Writer, o Options, file bool) *arrowEncoder {
	return &arrowEncoder{out: w, alloc: o.alloc(), file: file}
}

func (e *arrowEncoder) begin(_ string, columns columnar.Schema) (err error) {
	if err := checkWritable(columns); err != nil {
		return err
	}
	e.columns, e.schema = columns, publicSchema(columns)
	options := []ipc.Option{ipc.WithSchema(e.schema), ipc.WithAllocator(e.alloc)}
	if e.file {
		e.w, err = ipc.NewFileWriter(&position{Writer: e.out}, options...)
		return err
	}
	e.w = ipc.NewWriter(e.out, options...)
	return nil
}

func (e *arrowEncoder) write(rows columnar.RecordBatch) error {
	public := publicBatch(e.alloc, e.schema, e.columns, rows)
	defer public.Release()
	return e.w.Write(public)
}

func (e *arrowEncoder) end() error {
	w := e.w
	e.w = nil
	return w.Close()
}

func (e *arrowEncoder) finish() error { return nil }

// discard lets the writer free what it holds; that its last bytes fail to be
// written no longer matters.
func (e *arrowEncoder) discard() {
	if e.w != nil {
		_ = e.w.Close()
		e.w = nil
	}
}

// position tells the file writer how far it has written, which is all that it
// seeks for.
type position struct {
	io.Writer
	offset int64
}

func (p *position) Write(b []byte) (int, error) {
	n, err := p.Writer.Write(b)
	p.offset += int64(n)
	return n, err
}

func (p *position) Seek(offset int64, whence int) (int64, error) {
	if offset != 0 || whence != io.SeekCurrent {
		return 0, fmt.Errorf("seek in an answer: %w", errors.ErrUnsupported)
	}
	return p.offset, nil
}

// publicSchema is the schema for other programs: a Decimal is a decimal128.
func publicSchema(columns columnar.Schema) *arrow.Schema {
	fields := make([]arrow.Field, len(columns))
	for i, c := range columns {
		fields[i] = arrow.Field{Name: c.Name, Type: c.Type.Public(), Nullable: true}
	}
	return arrow.NewSchema(fields, nil)
}

// publicBatch is a batch of that schema, which the caller releases.
func publicBatch(alloc columnar.Allocator, schema *arrow.Schema, columns columnar.Schema, rows columnar.RecordBatch) columnar.RecordBatch {
	arrays := make([]arrow.Array, len(columns))
	for i, c := range columns {
		arrays[i] = rows.Column(i)
		if public := c.Type.Public(); public != c.Type.Arrow() {
			arrays[i] = publicInts(alloc, public, arrays[i].(*array.Int64))
			defer arrays[i].Release()
		}
	}
	return array.NewRecord(schema, arrays, rows.NumRows())
}

// publicInts converts integers to another type; the caller releases the array.
func publicInts(alloc columnar.Allocator, to arrow.DataType, a *array.Int64) arrow.Array {
	b := array.NewBuilder(alloc, to)
	defer b.Release()
	b.Reserve(a.Len())
	for i, n := range a.Int64Values() {
		if a.IsNull(i) {
			b.AppendNull()
			continue
		}
		switch b := b.(type) {
		case *array.Decimal128Builder:
			b.Append(decimal128.FromI64(n))
		default:
			panic(fmt.Sprintf("answers: no integers as %s", to))
		}
	}
	return b.NewArray()
}
