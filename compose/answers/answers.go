package answers

import (
	"fmt"

	"analyzer/columnar"
)

// Options says how answers are written.
type Options struct {
	Format Format
	// Titles says, by query, what it answers. It is the heading of the query's table.
	Titles map[string]string
	// Queries is how many answers there will be.
	Queries int
	// Width is the width of the terminal, in columns, that tables are cut to; 0
	// cuts nothing.
	Width int
	// Rows is how many rows of an answer a table on a terminal shows, half of them the first
	// and half the last; 0 shows all.
	Rows int
	// Each makes each file of a directory appear as soon as its answer is complete.
	Each bool
	// File is the name of the file, in a directory, of the only answer; "" names it after
	// its query.
	File string
	// Scratch is the directory where answers to devices and pipes are kept until they are
	// complete; "" is the system's directory for temporary files.
	Scratch string
	// AsOf is the part of the tables that the answers cover; nil: all of them.
	AsOf *AsOf
	// Writing is how the file of an answer is written, beyond its format.
	Writing columnar.Writing
	// Changes makes JSONL hold only the rows that came and went since the previous answers,
	// which Changes remembers; nil: all rows.
	Changes *Changes
}

// Set receives the answers of one run, one query after the other. It is not safe for
// concurrent use. The caller always calls Discard in the end.
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
	// Given reports whether a part of the answers is where Discard does not take it back.
	Given() bool
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

// begin begins an answer. It fails if a column has a type that cannot be written, such as
// the state of a sum.
func begin(e encoder, query string, columns columnar.Schema) error {
	for _, c := range columns {
		if !c.Type.Writable() {
			return fmt.Errorf("column %q is %s, which cannot be written", c.Name, c.Type)
		}
	}
	return e.begin(query, columns)
}

// ended is embedded in encoders that have nothing left to write after their last answer.
type ended struct{}

func (ended) finish() error { return nil }
