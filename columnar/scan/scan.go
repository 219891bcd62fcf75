package scan

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"

	"analyzer/columnar"
	"analyzer/columnar/csv"
	"analyzer/columnar/vfs"
)

// Scan is one reading of a table from a file. NewWorker, Stats and Progress may
// be called at any time by anybody.
type Scan struct {
	file    string
	opts    Options
	reader  *csv.Reader
	parsers parsers
	fields  int      // how many a record must have
	checks  []column // the required columns, in the table's order
	vectors int      // how many of them are kept as numbers
	outputs []column // the columns asked for
	schema  columnar.Schema
	turns   *turns
	tally   *tally
	rows    atomic.Int64
	rejects int64 // blank lines left out; guarded by taking turns
}

// Open reads the header of f and prepares to read table t from it. columns are
// the names, in t, of the columns that any consumer will materialise. A
// *InputError tells that f does not hold the table. f stays the caller's, who
// closes it after the Scan.
func Open(ctx context.Context, f vfs.File, t *columnar.Table, columns []string, opts Options) (*Scan, error) {
	opts.CSV.NoHeader = t.Headless
	if t.Delimiter != "" {
		if opts.CSV.Delimiter = t.Delimiter[0]; len(t.Delimiter) > 1 {
			return nil, fmt.Errorf("open table %s: the delimiter %q is more than one byte", t.Name, t.Delimiter)
		}
	}
	reader, err := csv.Open(ctx, f, opts.CSV)
	if err != nil {
		return nil, fmt.Errorf("open table %s: %w", t.Name, err)
	}
	l, err := newLayout(f.Name(), t, reader.Header(), columns)
	if err != nil {
		return nil, fmt.Errorf("open table %s: %w", t.Name, errors.Join(err, reader.Close()))
	}
	s := &Scan{
		file: f.Name(), opts: opts.withDefaults(), reader: reader, parsers: newParsers(opts.CSV.Portable),
		fields: l.fields, turns: newTurns(),
	}
	for i := range l.columns {
		c := &l.columns[i]
		switch {
		case c.Required && c.number != nil:
			c.vector = s.vectors
			s.vectors++
		case !c.Required && c.Strict && c.field >= 0:
			s.checks = append(s.checks, c.strict())
			continue
		case !c.Required:
			continue
		}
		s.checks = append(s.checks, *c)
	}
	for _, name := range columns {
		i := slices.IndexFunc(l.columns, func(c column) bool { return c.Name == name })
		c := l.columns[i]
		s.outputs = append(s.outputs, c)
		s.schema = append(s.schema, columnar.Field{Name: c.Name, Type: c.Format.Type()})
	}
	s.tally = newTally(s, l.notices)
	return s, nil
}

// strict returns the check of a column that may be empty, of which nothing is kept.
func (c *column) strict() column {
	check, format := *c, *c.cellFormat
	if format.number != nil {
		format.fits = func(text []byte) bool {
			_, ok := c.number(text)
			return ok
		}
	}
	check.cellFormat = &format
	return check
}

// Schema returns the columns asked for, in the order in which they were.
func (s *Scan) Schema() columnar.Schema { return s.schema }

// Close ends the scan. No worker may be within a call; chunks are invalid
// afterwards.
func (s *Scan) Close() error { return s.reader.Close() }

// Progress says how far a scan has come.
type Progress struct {
	csv.Progress `json:"-"`
	Rows         int64 `json:"rows"` // valid ones
}

// Progress returns how far the scan has come.
func (s *Scan) Progress() Progress {
	return Progress{Progress: s.reader.Progress(), Rows: s.rows.Load()}
}
