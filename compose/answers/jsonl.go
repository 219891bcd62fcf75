package answers

import (
	"encoding/json"
	"io"

	"analyzer/columnar"
	"analyzer/columnar/jsontext"
)

// newJSONL writes the rows of one answer, or several answers.
func newJSONL(w io.Writer, o Options) encoder {
	switch rows := (jsonRows{lineWriter: newLineWriter(w)}); {
	case o.Writing.Array:
		return &jsonArray{rows, list{first: "[\n", between: ",\n"}}
	case o.Queries == 1 && o.AsOf == nil:
		return &rows
	}
	return newJSONLines(w, o)
}

// jsonRows writes each row as an object, from column to value, on a line of its own.
type jsonRows struct {
	ended
	lineWriter
	names [][]byte // of columns, with the punctuation around them
}

func (e *jsonRows) begin(_ string, columns columnar.Schema) error {
	e.names = nil
	for i, c := range columns {
		before := ", "
		if i == 0 {
			before = "{"
		}
		e.names = append(e.names, append(jsontext.AppendQuoted([]byte(before), []byte(c.Name)), ": "...))
	}
	return nil
}

func (e *jsonRows) write(rows columnar.Rows) error {
	for i := range rows.Len {
		if err := e.put(append(e.appendRow(e.line[:0], rows, i), '\n')); err != nil {
			return err
		}
	}
	return nil
}

// appendRow appends a row as an object.
func (e *jsonRows) appendRow(dst []byte, rows columnar.Rows, i int) []byte {
	for j, v := range rows.Cols {
		dst = appendJSON(append(dst, e.names[j]...), v, i)
	}
	return append(dst, '}')
}

func (e *jsonRows) end() error { return e.w.Flush() }

// jsonArray writes the rows of an answer as the items of an array, each on a line of its own.
type jsonArray struct {
	jsonRows
	list list
}

func (e *jsonArray) write(rows columnar.Rows) error {
	for i := range rows.Len {
		if err := e.put(e.appendRow(e.list.next(e.line[:0]), rows, i)); err != nil {
			return err
		}
	}
	return nil
}

func (e *jsonArray) end() error {
	b := e.line[:0]
	if !e.list.begun {
		b = append(b, '[')
	}
	if err := e.put(append(b, "\n]\n"...)); err != nil {
		return err
	}
	return e.w.Flush()
}

// jsonLines writes each answer as an object, on a line of its own.
type jsonLines struct {
	ended
	lineWriter
	asOf    []byte // the fields of AsOf, which follow the query
	changes *Changes
	query   string
	rows    []string // of the answer, if changes are wanted
	list    list     // of the rows being written
}

func newJSONLines(w io.Writer, o Options) *jsonLines {
	e := &jsonLines{lineWriter: newLineWriter(w), changes: o.Changes}
	if o.AsOf != nil {
		e.asOf = o.AsOf.appendJSON(nil)
	}
	return e
}

// appendJSON appends the fields "as_of", by table, and "complete".
func (a *AsOf) appendJSON(dst []byte) []byte {
	dst = append(dst, `, "as_of": {`...)
	for i, t := range a.Tables {
		if i > 0 {
			dst = append(dst, ", "...)
		}
		dst = append(jsontext.AppendQuoted(dst, []byte(t.Table)), ": "...)
		text, _ := json.Marshal(t) // numbers
		dst = append(dst, text...)
	}
	dst = append(dst, `}, "complete": `...)
	if a.Complete {
		return append(dst, "true"...)
	}
	return append(dst, "false"...)
}

func (e *jsonLines) begin(query string, columns columnar.Schema) error {
	e.query, e.rows, e.list = query, nil, list{between: ", "}
	b := append(e.line[:0], `{"query": `...)
	b = append(jsontext.AppendQuoted(b, []byte(query)), e.asOf...)
	b = append(appendNames(append(b, ", "...), columns), ", "...)
	if e.changes == nil {
		b = append(b, `"rows": [`...)
	}
	return e.put(b)
}

func (e *jsonLines) write(rows columnar.Rows) error {
	for i := range rows.Len {
		if e.changes != nil {
			e.line = appendJSONRow(e.line[:0], rows, i)
			e.rows = append(e.rows, string(e.line))
			continue
		}
		if err := e.put(appendJSONRow(e.list.next(e.line[:0]), rows, i)); err != nil {
			return err
		}
	}
	return nil
}

func (e *jsonLines) end() error {
	if e.changes != nil {
		came, went := e.changes.next(e.query, e.rows)
		if err := e.writeList(`"came": [`, came); err != nil {
			return err
		}
		if err := e.writeList(`], "went": [`, went); err != nil {
			return err
		}
	}
	if err := e.put(append(e.line[:0], "]}\n"...)); err != nil {
		return err
	}
	return e.w.Flush()
}

func (e *jsonLines) writeList(head string, rows []string) error {
	if err := e.put(append(e.line[:0], head...)); err != nil {
		return err
	}
	e.list = list{between: ", "}
	for _, row := range rows {
		if err := e.put(append(e.list.next(e.line[:0]), row...)); err != nil {
			return err
		}
	}
	return nil
}

// Changes remembers the rows of the previous answers. The zero value remembers none.
type Changes struct {
	rows map[string][]string // by query
}

// next returns the rows that came with an answer and those that went since the previous
// one. It compares them as multisets, and keeps the order of each answer.
func (c *Changes) next(query string, rows []string) (came, went []string) {
	before := c.rows[query]
	if c.rows == nil {
		c.rows = make(map[string][]string)
	}
	c.rows[query] = rows
	return without(rows, before), without(before, rows)
}

// without returns rows minus others, as multisets.
func without(rows, others []string) (out []string) {
	left := make(map[string]int)
	for _, row := range others {
		left[row]++
	}
	for _, row := range rows {
		if left[row]--; left[row] < 0 {
			out = append(out, row)
		}
	}
	return out
}
