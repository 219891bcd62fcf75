package answers

import (
	"bufio"
	"io"

	"analyzer/columnar"
	"analyzer/columnar/jsontext"
)

// jsonEncoder writes all answers as one object, one row per line.
type jsonEncoder struct {
	lineWriter
	answers list
	rows    list
}

func newJSON(w io.Writer) *jsonEncoder {
	return &jsonEncoder{lineWriter: newLineWriter(w), answers: list{first: "{\n", between: ",\n"}}
}

// list writes the separators of a JSON list or object, item by item.
type list struct {
	first, between string // text before the first item, and before each other item
	begun          bool
}

// next appends the text before the next item.
func (l *list) next(dst []byte) []byte {
	if l.begun {
		return append(dst, l.between...)
	}
	l.begun = true
	return append(dst, l.first...)
}

// lineWriter writes text line by line. The lines share one buffer.
type lineWriter struct {
	w    *bufio.Writer
	line []byte
}

func newLineWriter(w io.Writer) lineWriter {
	return lineWriter{w: bufio.NewWriterSize(w, streamBuffer)}
}

// put writes b and keeps its memory as the buffer of the next line.
func (l *lineWriter) put(b []byte) error {
	l.line = b
	_, err := l.w.Write(b)
	return err
}

// streamBuffer is how many bytes an encoder collects before it writes.
const streamBuffer = 64 << 10

func (e *jsonEncoder) begin(query string, columns columnar.Schema) error {
	e.rows = list{first: "\n", between: ",\n"}
	b := jsontext.AppendQuoted(e.answers.next(e.line[:0]), []byte(query))
	b = appendNames(append(b, ": {"...), columns)
	return e.put(append(b, `, "rows": [`...))
}

// appendNames appends the field "columns".
func appendNames(dst []byte, columns columnar.Schema) []byte {
	dst = append(dst, `"columns": [`...)
	for i, c := range columns {
		if i > 0 {
			dst = append(dst, ", "...)
		}
		dst = jsontext.AppendQuoted(dst, []byte(c.Name))
	}
	return append(dst, ']')
}

func (e *jsonEncoder) write(rows columnar.Rows) error {
	for i := range rows.Len {
		if err := e.put(appendJSONRow(e.rows.next(e.line[:0]), rows, i)); err != nil {
			return err
		}
	}
	return nil
}

// appendJSONRow appends row i as a list.
func appendJSONRow(dst []byte, rows columnar.Rows, i int) []byte {
	dst = append(dst, '[')
	for j, v := range rows.Cols {
		if j > 0 {
			dst = append(dst, ", "...)
		}
		dst = appendJSON(dst, v, i)
	}
	return append(dst, ']')
}

func (e *jsonEncoder) end() error {
	if err := e.put(append(e.line[:0], "]}"...)); err != nil {
		return err
	}
	return e.w.Flush()
}

func (e *jsonEncoder) finish() error {
	closing := "\n}\n"
	if !e.answers.begun {
		closing = "{}\n"
	}
	if err := e.put(append(e.line[:0], closing...)); err != nil {
		return err
	}
	return e.w.Flush()
}

// appendJSON appends value i as JSON.
func appendJSON(dst []byte, v *columnar.Vector, i int) []byte {
	return jsontext.AppendValue(dst, v, i, ", ")
}
