package generate

import (
	"bytes"
	"context"
	"encoding/csv"
	"io"
	"testing"
)

// dataset is a generator with the files it writes.
type dataset struct {
	name  string
	run   func(context.Context, Options) error
	files []string
}

var datasets = []dataset{
	{"movies", Movies, []string{"movies_metadata.csv", "ratings.csv", "credits.csv"}},
	{"steam", Steam, []string{"games.csv", "reviews.csv"}},
	{"books", Books, []string{"books_data.csv", "Books_rating.csv"}},
}

// memory is a file that a test can look at.
type memory struct {
	bytes.Buffer
	closed int
}

func (m *memory) Close() error { m.closed++; return nil }

// generateFiles runs a generator into memory.
func generateFiles(t *testing.T, run func(context.Context, Options) error, o Options) map[string][]byte {
	t.Helper()
	files := map[string]*memory{}
	o.Create = func(name string) (io.WriteCloser, error) {
		files[name] = &memory{}
		return files[name], nil
	}
	if err := run(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	out := map[string][]byte{}
	for name, file := range files {
		if file.closed != 1 {
			t.Errorf("%s was closed %d times", name, file.closed)
		}
		out[name] = file.Bytes()
	}
	return out
}

// record is a CSV record with the names of its columns.
type record struct {
	cells   []string
	columns map[string]int
}

// get returns a cell, or the empty string where the record is too short.
func (r record) get(column string) string {
	if i := r.columns[column]; i < len(r.cells) {
		return r.cells[i]
	}
	return ""
}

// parse reads a file, and checks it with encoding/csv on the way, which does not
// show a carriage return before a line feed.
func parse(t *testing.T, content []byte) []record {
	t.Helper()
	reference := csv.NewReader(bytes.NewReader(content))
	reference.FieldsPerRecord = -1
	expected, err := reference.ReadAll()
	if err != nil {
		t.Fatalf("not valid CSV: %v", err)
	}
	rows := split(content)
	if len(rows) != len(expected) {
		t.Fatalf("%d records, encoding/csv finds %d", len(rows), len(expected))
	}
	columns := map[string]int{}
	for i, name := range gamesHeader(rows[0]) {
		columns[name] = i
	}
	var records []record
	for i, cells := range rows[1:] {
		if len(cells) != len(expected[i+1]) {
			t.Fatalf("record %d: %d cells, encoding/csv finds %d", i, len(cells), len(expected[i+1]))
		}
		records = append(records, record{cells, columns})
	}
	return records
}

// gamesHeader repairs the header of games.csv, and leaves others as they are.
func gamesHeader(names []string) []string {
	var out []string
	for _, name := range names {
		if name == "DiscountDLC count" {
			out = append(out, "Discount", "DLC count")
		} else {
			out = append(out, name)
		}
	}
	return out
}

// split splits CSV into cells, following RFC 4180.
func split(content []byte) (rows [][]string) {
	var row []string
	var cell []byte
	quoted := false
	for i := 0; i < len(content); i++ {
		b := content[i]
		switch {
		case quoted && b == '"' && i+1 < len(content) && content[i+1] == '"':
			cell = append(cell, b)
			i++
		case b == '"':
			quoted = !quoted
		case quoted:
			cell = append(cell, b)
		case b == ',' || b == '\n':
			row, cell = append(row, string(cell)), cell[:0]
			if b == '\n' {
				rows, row = append(rows, row), nil
			}
		case b == '\r' && content[i+1] == '\n':
		default:
			cell = append(cell, b)
		}
	}
	return rows
}
