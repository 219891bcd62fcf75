package answers

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"analyzer/columnar"
)

// Format is how answers are written.
type Format string

// The formats.
const (
	Table   Format = "table"
	CSV     Format = "csv"
	JSON    Format = "json"
	JSONL   Format = "jsonl"
	Arrow   Format = "arrow"
	Parquet Format = "parquet"
)

// Formats returns the names of all formats.
func Formats() []string {
	return []string{string(Table), string(CSV), string(JSON), string(JSONL), string(Arrow), string(Parquet)}
}

// ParseFormat finds a format by its name; its error lists the formats there are.
func ParseFormat(name string) (Format, error) {
	if slices.Contains(Formats(), name) {
		return Format(name), nil
	}
	return "", fmt.Errorf("there is no format %q; there are %s", name, strings.Join(Formats(), ", "))
}

// FormatOf returns the format that the name of a file speaks for.
func FormatOf(file string) (f Format, ok bool) {
	for _, name := range Formats() {
		if f := Format(name); strings.HasSuffix(strings.ToLower(file), f.extension()) {
			return f, true
		}
	}
	return "", false
}

// extension is what the names of files end in.
func (f Format) extension() string {
	if f == Table {
		return ".txt"
	}
	return "." + string(f)
}

// Options says how answers are written.
type Options struct {
	Format Format
	// Titles says what each query answers; tables are headed by it.
	Titles map[string]string
	// Queries is how many answers there will be.
	Queries int
	// Width is the number of columns of the terminal that tables are cut to; 0
	// cuts nothing.
	Width int
	// Rows is how many rows of an answer a table on a terminal shows, the first and the
	// last ones; 0 shows all.
	Rows int
	// Each has each file of a directory appear as soon as its answer is complete.
	Each bool
	// File is the name, in a directory, of the file of the only answer; "" for that of
	// its query.
	File string
	// AsOf says for which part of the tables the answers are; nil: for all of them.
	AsOf *AsOf
	// Changes has JSONL hold the rows that came and went since the answers before, which
	// it remembers; nil: all rows.
	Changes *Changes
}

// AsOf is the part of the tables that an answer is exact for.
type AsOf struct {
	Tables   []Part
	Complete bool // there is no more of any table
}

// Part is how much of a table was read, from its beginning.
type Part struct {
	Table  string  `json:"-"`
	Blocks int64   `json:"blocks"`
	Bytes  int64   `json:"bytes"` // decompressed, up to the end of the last record
	Rows   int64   `json:"rows"`  // valid ones
	Share  float64 `json:"share,omitempty"`
	All    int64   `json:"-"` // blocks of the table; 0: that is not known
}

// Set receives the answers of one run, one query after the other. It has one
// user at a time, who calls Discard in the end, whatever happened.
type Set interface {
	// Begin starts a query's answer with its columns.
	Begin(query string, columns columnar.Schema) error
	// Write adds rows, which it borrows.
	Write(rows columnar.Rows) error
	// End completes the answer begun last.
	End() error
	// Finish completes the set: everything is written when it returns nil.
	Finish() error
	// Discard gives up what Finish has not completed, files included. It does
	// nothing after Finish.
	Discard() error
}

// encoder writes answers in one format to one writer.
type encoder interface {
	begin(query string, columns columnar.Schema) error
	write(rows columnar.Rows) error
	// end completes an answer and passes on every byte of it.
	end() error
	// finish completes the output. It does not close the writer.
	finish() error
}

// begin begins an answer, unless a column is of a type that answers cannot have, such
// as a sum that is not complete.
func begin(e encoder, query string, columns columnar.Schema) error {
	for _, c := range columns {
		if !c.Type.Writable() {
			return fmt.Errorf("column %q is %s, which cannot be written", c.Name, c.Type)
		}
	}
	return e.begin(query, columns)
}

// ended is of encoders that have nothing more to write once their answers have ended.
type ended struct{}

func (ended) finish() error { return nil }

func newEncoder(w io.Writer, o Options, file bool) encoder {
	switch o.Format {
	case Table:
		return newTable(w, o)
	case CSV:
		return &csvEncoder{lineWriter: newLineWriter(w), several: o.Queries > 1}
	case JSON:
		return &jsonEncoder{lineWriter: newLineWriter(w), answers: list{first: "{\n", between: ",\n"}}
	case JSONL:
		if o.Queries == 1 && o.AsOf == nil {
			return &jsonRows{lineWriter: newLineWriter(w)}
		}
		return newJSONLines(w, o)
	case Arrow:
		return &paged{encoder: &arrowEncoder{out: w, stream: !file}}
	default:
		return &paged{encoder: &parquetEncoder{out: &latch{w: w}}}
	}
}
