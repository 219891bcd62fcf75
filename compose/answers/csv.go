package answers

import (
	"bytes"
	"cmp"
	"io"
	"slices"
	"strings"

	"analyzer/columnar"
	"analyzer/columnar/number"
	"analyzer/operators/expr"
)

// csvEncoder writes answers as CSV, or with another separator. If there are several, a line with its query's name
// precedes each.
type csvEncoder struct {
	ended
	lineWriter
	several          bool
	how              columnar.Writing // with nothing left out
	special          string           // the bytes of which a text without quotes has none
	days, moments    expr.TimeForm
	inQuotes         []bool // by column: all values are in quotes
	cell             []byte
	ownDays, ownTime bool // dates, and timestamps, have a form of their own
}

func newCSV(w io.Writer, o Options, delimiter string) *csvEncoder {
	how := o.Writing
	how.Delimiter, how.Quote = cmp.Or(how.Delimiter, delimiter), cmp.Or(how.Quote, `"`)
	how.Escape = cmp.Or(how.Escape, how.Quote)
	e := &csvEncoder{lineWriter: newLineWriter(w), several: o.Queries > 1, how: how, special: how.Delimiter + how.Quote + "\r\n"}
	// The forms were checked when they were given.
	e.days, _ = expr.NewTimeForm(how.Date)
	e.moments, _ = expr.NewTimeForm(how.Timestamp)
	e.ownDays, e.ownTime = how.Date != "", how.Timestamp != ""
	return e
}

func (e *csvEncoder) begin(query string, columns columnar.Schema) error {
	e.inQuotes = make([]bool, len(columns))
	for j, c := range columns {
		e.inQuotes[j] = slices.ContainsFunc(e.how.Quoted, func(name string) bool { return name == "*" || strings.EqualFold(c.Name, name) })
	}
	b := e.line[:0]
	if e.several {
		b = append(b, "# "...)
		b = append(b, query...)
		b = append(b, '\n')
	}
	if e.how.Headless {
		return e.put(b)
	}
	for j, c := range columns {
		if j > 0 {
			b = append(b, e.how.Delimiter...)
		}
		b = e.appendText(b, []byte(c.Name), e.inQuotes[j])
	}
	return e.put(append(b, '\n'))
}

func (e *csvEncoder) write(rows columnar.Rows) error {
	for i := range rows.Len {
		b := e.line[:0]
		for j, v := range rows.Cols {
			if j > 0 {
				b = append(b, e.how.Delimiter...)
			}
			b = e.appendValue(b, v, i, e.inQuotes[j])
		}
		if len(b) == 0 {
			b = append(append(b, e.how.Quote...), e.how.Quote...)
		}
		if err := e.put(append(b, '\n')); err != nil {
			return err
		}
	}
	return nil
}

func (e *csvEncoder) appendValue(dst []byte, v *columnar.Vector, i int, quoted bool) []byte {
	if v.IsNull(i) {
		return append(dst, e.how.Null...)
	}
	e.cell = e.cell[:0]
	switch kind := v.Type.Kind(); {
	case kind == columnar.KindList || v.Type.IsNested():
		e.cell = appendJSON(e.cell, v, i)
	case kind == columnar.KindBytes:
		return e.appendText(dst, v.Printed(i), quoted)
	case e.ownDays && v.Type == columnar.Date:
		e.cell = e.days.Append(e.cell, number.TimestampOf(v.Ints[i]))
	case e.ownTime && v.Type == columnar.Timestamp:
		e.cell = e.moments.Append(e.cell, v.Ints[i])
	case quoted || len(e.how.Delimiter) > 1 || !isPlainDelimiter(e.how.Delimiter[0]) || e.how.Null != "":
		e.cell = v.AppendText(e.cell, i)
	default:
		return v.AppendText(dst, i)
	}
	return e.appendText(dst, e.cell, quoted)
}

// isPlainDelimiter reports whether a delimiter stands in no number, date or truth value.
func isPlainDelimiter(c byte) bool { return c == ',' || c == ';' || c == '\t' || c == '|' }

// appendText appends a field, in quotes if it would not read back without them.
func (e *csvEncoder) appendText(dst, text []byte, quoted bool) []byte {
	if !quoted && len(text) > 0 && !bytes.ContainsAny(text, e.special) && !isSpace(text[0]) && !isSpace(text[len(text)-1]) &&
		!(e.several && text[0] == '#') && string(text) != e.how.Null {
		return append(dst, text...)
	}
	dst = append(dst, e.how.Quote...)
	quote, escape := e.how.Quote[0], e.how.Escape[0]
	for quote == escape {
		i := bytes.IndexByte(text, quote)
		if i < 0 {
			break
		}
		dst = append(append(dst, text[:i+1]...), quote)
		text = text[i+1:]
	}
	for quote != escape && len(text) > 0 {
		if text[0] == quote || text[0] == escape {
			dst = append(dst, escape)
		}
		dst, text = append(dst, text[0]), text[1:]
	}
	dst = append(dst, text...)
	return append(dst, e.how.Quote...)
}

// isSpace reports whether some readers trim a byte from an unquoted field.
func isSpace(b byte) bool { return b == ' ' || b == '\t' }

func (e *csvEncoder) end() error { return e.w.Flush() }
