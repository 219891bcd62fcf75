package answers

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
)

// Table is the answer to one query. A cell is nil, a bool, a string, a [json.Number] or a []any of these.
type Table struct {
	Columns []string `json:"columns"`
	Rows    [][]any  `json:"rows"`
}

// Answers maps the name of a query to its answer.
type Answers map[string]Table

// Parse reads one JSON object of answers. It refuses anything after the object, and rows whose width is not that of
// the columns.
func Parse(text []byte) (Answers, error) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	var all Answers
	if err := decoder.Decode(&all); err != nil {
		return nil, fmt.Errorf("reading answers: %w", err)
	}
	if _, err := decoder.Token(); err != io.EOF {
		return nil, fmt.Errorf("reading answers: text after the JSON object at byte %d", decoder.InputOffset())
	}
	for name, table := range all {
		for i, row := range table.Rows {
			if len(row) != len(table.Columns) {
				return nil, fmt.Errorf("reading answers: %s row %d has %d cells for %d columns",
					name, i+1, len(row), len(table.Columns))
			}
		}
	}
	return all, nil
}

// Rename moves an answer to another name, if it is there.
func (a Answers) Rename(from, to string) {
	if table, ok := a[from]; ok {
		delete(a, from)
		a[to] = table
	}
}
