package answers

import (
	"bytes"
	"io"

	"analyzer/columnar"
)

// csvEncoder writes answers as CSV, or with another separator. If there are several, a line with its query's name
// precedes each.
type csvEncoder struct {
	ended
	lineWriter
	several   bool
	separator byte
	special   string // characters for which a field is quoted
	cell      []byte
}

func newCSV(w io.Writer, o Options, separator byte) *csvEncoder {
	return &csvEncoder{lineWriter: newLineWriter(w), several: o.Queries > 1, separator: separator, special: string(separator) + "\"\r\n"}
}

func (e *csvEncoder) begin(query string, columns columnar.Schema) error {
	b := e.line[:0]
	if e.several {
		b = append(b, "# "...)
		b = append(b, query...)
		b = append(b, '\n')
	}
	for j, c := range columns {
		if j > 0 {
			b = append(b, e.separator)
		}
		b = e.appendText(b, []byte(c.Name))
	}
	return e.put(append(b, '\n'))
}

func (e *csvEncoder) write(rows columnar.Rows) error {
	for i := range rows.Len {
		b := e.line[:0]
		for j, v := range rows.Cols {
			if j > 0 {
				b = append(b, e.separator)
			}
			b = e.appendValue(b, v, i)
		}
		if len(b) == 0 {
			b = append(b, `""`...)
		}
		if err := e.put(append(b, '\n')); err != nil {
			return err
		}
	}
	return nil
}

func (e *csvEncoder) appendValue(dst []byte, v *columnar.Vector, i int) []byte {
	if v.IsNull(i) {
		return dst
	}
	switch v.Type.Kind() {
	case columnar.KindBytes:
		return e.appendText(dst, v.Bytes(i))
	case columnar.KindList:
		e.cell = appendJSON(e.cell[:0], v, i)
		return e.appendText(dst, e.cell)
	}
	return v.AppendText(dst, i)
}

// appendText appends a field, in quotes if it would not read back without them.
func (e *csvEncoder) appendText(dst, text []byte) []byte {
	if len(text) > 0 && !bytes.ContainsAny(text, e.special) && !isSpace(text[0]) && !isSpace(text[len(text)-1]) &&
		!(e.several && text[0] == '#') {
		return append(dst, text...)
	}
	dst = append(dst, '"')
	for {
		i := bytes.IndexByte(text, '"')
		if i < 0 {
			break
		}
		dst = append(append(dst, text[:i+1]...), '"')
		text = text[i+1:]
	}
	return append(append(dst, text...), '"')
}

// isSpace reports whether some readers trim a byte from an unquoted field.
func isSpace(b byte) bool { return b == ' ' || b == '\t' }

func (e *csvEncoder) end() error { return e.w.Flush() }
