package ipc

import (
	"encoding/binary"
	"fmt"
	"io"
	"slices"

	"github.com/apache/arrow/go/v17/arrow"

	"analyzer/columnar"
)

// Writer writes rows, front to back, as an Arrow IPC file or stream, which any Arrow
// implementation can read:
//
//	file    ARROW1 | schema | message | message | … | end | footer | ARROW1
//	stream           schema | message | message | … | end
//
// Its output is buffered. Only one goroutine may use it at a time.
type Writer struct {
	out    io.Writer
	schema columnar.Schema
	public bool
	header []byte   // the schema's metadata, which a footer repeats; nil for a stream
	buf    []byte   // not yet written
	parts  [][]byte // memory for the parts of a message
	limit  int      // buf is written once it is longer
	long   int      // texts of as many bytes are written from where they lie, without a copy in buf
	pos    int64    // offset of the end of buf in the output
	blocks []block
}

// block is the position of a message in the file, for the footer.
type block struct {
	offset   int64
	metadata int // bytes, including the prefix
	body     int64
}

const (
	magic       = "ARROW1"
	endOfStream = "\xff\xff\xff\xff\x00\x00\x00\x00"
	longBytes   = 1 << 20
)

// Layout selects what a Writer writes. The zero value is a file for our own programs.
type Layout struct {
	Stream bool // a stream, which can be read as it arrives
	Public bool // for other programs: values of the types columnar.Type.Public, without our metadata
}

// NewWriter begins a file or stream of rows of schema. It collects about buffer bytes for
// each write to out.
func NewWriter(out io.Writer, schema columnar.Schema, layout Layout, buffer int) (*Writer, error) {
	announced := schema.Arrow()
	if layout.Public {
		announced = publicSchema(schema)
	}
	header, err := Schema(announced)
	if err != nil {
		return nil, err
	}
	w := &Writer{out: out, schema: schema, public: layout.Public, limit: buffer, long: longBytes}
	if !layout.Stream {
		w.header = header
		w.buf = append(w.buf, magic+"\x00\x00"...)
	}
	w.buf = binary.LittleEndian.AppendUint32(w.buf, continuation)
	w.buf = binary.LittleEndian.AppendUint32(w.buf, uint32(len(header)))
	w.buf = append(w.buf, header...)
	w.pos = int64(len(w.buf))
	return w, nil
}

func publicSchema(schema columnar.Schema) *arrow.Schema {
	fields := columnar.Each(schema, func(f columnar.Field) arrow.Field {
		return arrow.Field{Name: f.Name, Type: f.Type.Public(), Nullable: true}
	})
	return arrow.NewSchema(fields, nil)
}

// Size returns how many bytes were written or buffered, which is the offset of the next
// message.
func (w *Writer) Size() int64 { return w.pos }

// Write appends rows as the next message and returns the message, in parts whose bytes are valid
// until the next call and as long as the rows are. It writes no message if there are no rows.
func (w *Writer) Write(rows columnar.Rows) (parts [][]byte, err error) {
	if err := w.flush(w.limit); err != nil {
		return nil, err
	}
	start := len(w.buf)
	e := encoder{public: w.public, long: w.long, out: w.buf}
	if err := e.message(w.schema, rows); err != nil {
		return nil, err
	}
	w.buf, w.parts = e.out, w.parts[:0]
	w.note(w.buf[start:], e.left)
	before := w.buf[:start]
	for _, a := range e.apart {
		w.parts = append(w.parts, w.buf[start:a.at], a.data)
		start = a.at
	}
	if w.parts = append(w.parts, w.buf[start:]); len(e.apart) == 0 {
		return w.parts, nil
	}
	return w.parts, w.through(append([][]byte{before}, w.parts...)...)
}

// WriteMessage appends an encoded message of the same schema unchanged.
func (w *Writer) WriteMessage(message []byte) error {
	if _, _, err := Split(message); err != nil {
		return err
	}
	if len(message)%alignment != 0 {
		return fmt.Errorf("%w: %d bytes are not padded", ErrMalformed, len(message))
	}
	if len(message) > w.limit {
		if err := w.through(w.buf, message); err != nil {
			return err
		}
	} else {
		if err := w.flush(w.limit); err != nil {
			return err
		}
		w.buf = append(w.buf, message...)
	}
	w.note(message, 0)
	return nil
}

// through writes parts directly, without buffering. What is buffered is among them.
func (w *Writer) through(parts ...[]byte) error {
	w.buf = w.buf[:0]
	for _, part := range parts {
		if len(part) == 0 {
			continue
		}
		if _, err := w.out.Write(part); err != nil {
			return err
		}
	}
	return nil
}

// note records the position of a message for the footer, given what was encoded of it and how many bytes were left apart.
func (w *Writer) note(message []byte, apart int) {
	if len(message) == 0 {
		return
	}
	size := len(message) + apart
	if w.header != nil {
		metadata := prefixSize + int(binary.LittleEndian.Uint32(message[4:]))
		w.blocks = append(w.blocks, block{offset: w.pos, metadata: metadata, body: int64(size - metadata)})
	}
	w.pos += int64(size)
}

// Close ends the file or stream and writes all buffered bytes. It does not close the output.
func (w *Writer) Close() error {
	start := len(w.buf)
	w.buf = append(w.buf, endOfStream...)
	if w.header != nil {
		footer, err := w.appendFooter(w.buf)
		if err != nil {
			return err
		}
		w.buf = footer
	}
	w.pos += int64(len(w.buf) - start)
	return w.flush(0)
}

// Flush writes the buffered bytes. A stream can be read up to here then.
func (w *Writer) Flush() error { return w.flush(0) }

// flush writes the buffered bytes if there are more than limit.
func (w *Writer) flush(limit int) error {
	if len(w.buf) <= limit {
		return nil
	}
	if _, err := w.out.Write(w.buf); err != nil {
		return err
	}
	w.buf = w.buf[:0]
	return nil
}

// footerTemplate is the beginning of a footer, a flatbuffer. After it come the blocks, of 24
// bytes each, and the whole metadata of the schema's message. The footer can point into that
// because its offsets are relative.
const footerTemplate = "\x10\x00\x00\x00" + // 0: offset of Footer, at 16
	"\x0c\x00\x10\x00\x04\x00\x08\x00\x00\x00\x0c\x00" + // 4: vtable: its size, that of Footer; version, schema, no dictionaries, record batches
	"\x0c\x00\x00\x00" + // 16: Footer; distance to its vtable
	"\x04\x00\x00\x00" + // 20: format version V5
	"\x00\x00\x00\x00" + // 24: offset of the schema
	"\x08\x00\x00\x00" + // 28: offset of the record batches, at 36
	"\x00\x00\x00\x00" + // 32
	"\x00\x00\x00\x00" // 36: number of record batches

const (
	footerSchemaAt = 24
	footerCountAt  = 36
	blockSize      = 24
)

// appendFooter appends the footer, its size and the magic bytes that end a file.
func (w *Writer) appendFooter(dst []byte) ([]byte, error) {
	schema, err := messageTable(w.header, headerSchema)
	if err != nil {
		return nil, fmt.Errorf("write the footer: %w", err)
	}
	size := len(footerTemplate) + blockSize*len(w.blocks) + len(w.header)
	dst = slices.Grow(dst, size+4+len(magic))
	start := len(dst)
	dst = append(dst, footerTemplate...)
	for _, b := range w.blocks {
		dst = binary.LittleEndian.AppendUint64(dst, uint64(b.offset))
		dst = binary.LittleEndian.AppendUint64(dst, uint64(b.metadata)) // 32 bits, and padding
		dst = binary.LittleEndian.AppendUint64(dst, uint64(b.body))
	}
	schemaAt := len(dst) - start + schema.pos
	dst = append(dst, w.header...)
	binary.LittleEndian.PutUint32(dst[start+footerSchemaAt:], uint32(schemaAt-footerSchemaAt))
	binary.LittleEndian.PutUint32(dst[start+footerCountAt:], uint32(len(w.blocks)))
	dst = binary.LittleEndian.AppendUint32(dst, uint32(size))
	return append(dst, magic...), nil
}
