package scan

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"

	"analyzer/columnar"
	"analyzer/columnar/csv"
	"analyzer/columnar/input"
	"analyzer/columnar/input/known"
	"analyzer/columnar/vfs"
)

// Scan reads a table from a file once. NewWorker, Stats and Progress are safe for
// concurrent use.
type Scan struct {
	file    string
	opts    Options
	strict  bool // wrong quotes are errors
	input   input.Reader
	cells   input.CellReader   // input, if its rows come as cells
	rows    input.VectorReader // input, if its rows come as vectors
	fields  int                // how many fields a record must have
	checks  []column           // the required columns, in the table's order
	vectors int                // how many of the checks keep numbers
	outputs []column           // the columns asked for
	key     []column           // the columns of the table's key
	schema  columnar.Schema
	turns   *Turns
	tally   *tally
	records csv.RecordNumbers // of all workers
	valid   atomic.Int64      // rows
	rejects int64             // without blank lines; guarded by turns
}

// Open finds out which format f has, reads which columns it has, and prepares to read
// table t from it. columns are the names, in t, of the columns that any consumer will
// materialise. Open returns a *InputError if f does not hold the table. The caller keeps
// f and closes it after the Scan.
func Open(ctx context.Context, f vfs.File, t *columnar.Table, columns []string, opts Options) (*Scan, error) {
	s := &Scan{file: f.Name(), opts: opts.withDefaults(), strict: t.Strict, turns: NewTurns()}
	if len(t.Key) > 0 && opts.Duplicates == nil {
		return nil, &InputError{
			File: f.Name(), Reason: ReasonKey, Detail: fmt.Sprintf("table %s has a key, by which its file is read twice, and here it is read once", t.Name),
			Hint: "name the file with analyzer run, sql or submit, without --open",
		}
	}
	header, err := s.open(ctx, f, t, columns)
	if err != nil {
		return nil, fmt.Errorf("open table %s: %w", t.Name, err)
	}
	s.turns.Skip(0, s.opts.CSV.First)
	l, err := newLayout(f.Name(), t, header, columns, s.cells != nil)
	if err == nil {
		s.arrange(t, l, columns)
		err = s.checkTypes()
		s.seek()
	}
	if err != nil {
		return nil, fmt.Errorf("open table %s: %w", t.Name, errors.Join(err, s.Close()))
	}
	return s, nil
}

// open opens the file in its format and returns the names of the columns.
func (s *Scan) open(ctx context.Context, f vfs.File, t *columnar.Table, columns []string) (names []string, err error) {
	format, f, err := known.Of(f, t.Format)
	if err != nil {
		return nil, err
	}
	s.divide(format)
	if s.input, err = format.Open(ctx, f, t, input.Options{Options: s.opts.CSV, Wanted: s.wanted(t, columns)}); err != nil {
		return nil, err
	}
	s.cells, _ = s.input.(input.CellReader)
	s.rows, _ = s.input.(input.VectorReader)
	for _, c := range s.input.Columns() {
		names = append(names, c.Name)
	}
	return names, nil
}

// divide has blocks read in parts, which are the blocks of the input.
func (s *Scan) divide(format *input.Format) {
	if !format.Parts {
		s.opts.Parts = 1
	}
	o := &s.opts.CSV
	o.BlockSize /= s.opts.Parts
	o.First *= int64(s.opts.Parts)
	o.Blocks *= int64(s.opts.Parts)
}

// wanted returns the columns that are read: those asked for, checked or watched. If there are none, it is not nil.
func (s *Scan) wanted(t *columnar.Table, columns []string) []string {
	all := append([]string{}, slices.Concat(columns, t.Key, s.opts.Watched)...)
	for _, c := range t.Columns {
		if c.Required || c.Strict {
			all = append(all, c.Name)
		}
	}
	return all
}

// arrange decides which columns are checked and which are output.
func (s *Scan) arrange(t *columnar.Table, l *layout, columns []string) {
	s.fields = l.fields
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
	byName := make(map[string]int, len(l.columns))
	for i, c := range l.columns {
		byName[c.Name] = i
	}
	for _, name := range columns {
		c := l.columns[byName[name]]
		s.outputs = append(s.outputs, c)
		s.schema = append(s.schema, columnar.Field{Name: c.Name, Type: c.Type()})
	}
	for _, name := range t.Key {
		s.key = append(s.key, l.columns[byName[name]])
	}
	s.tally = newTally(s, l.notices)
}

// seek has the rows come first that are sought. Those of tables with a key are looked at in the order of the file.
func (s *Scan) seek() {
	at := s.schema.Index(s.opts.Sought.Column)
	if to, ok := s.input.(input.Seeker); ok && at >= 0 && s.outputs[at].field >= 0 && s.opts.Duplicates == nil {
		to.Seek(s.outputs[at].field, s.opts.Sought)
	}
}

// strict returns the check of a strict column, which may be empty. It keeps no values.
func (c *column) strict() column {
	check, format := *c, *c.cellFormat
	fits := format.fits
	if format.number != nil {
		fits = func(text []byte) bool {
			_, ok := c.number(text)
			return ok
		}
	}
	if format.number != nil || format.wide != nil {
		format.fits = func(text []byte) bool { return fits(text) || c.null == nil && columnar.IsNullWord(text) }
	}
	check.cellFormat = &format
	return check
}

// Schema returns the columns asked for, in the order of the request.
func (s *Scan) Schema() columnar.Schema { return s.schema }

// Close ends the scan. No call of a worker may be running; chunks are invalid afterwards.
func (s *Scan) Close() error { return s.input.Close() }

// free reports whether a worker need not wait for another to get a block.
func (s *Scan) free() bool {
	streamed, ok := s.input.(input.Streamed)
	return !ok || streamed.Free()
}

// passage returns the edges around the blocks that were read, of a file that can be read in ranges.
func (s *Scan) passage() (p csv.Passage) {
	if ranged, ok := s.input.(input.Ranged); ok {
		p = ranged.Passage()
	}
	return p
}

// Progress says how much of a file has been scanned.
type Progress struct {
	csv.Progress `json:"-"`
	Rows         int64 `json:"rows"` // valid rows
}

// Progress returns how much has been scanned.
func (s *Scan) Progress() Progress {
	p := Progress{Progress: s.input.Progress(), Rows: s.valid.Load()}
	p.Blocks = (p.Blocks + int64(s.opts.Parts) - 1) / int64(s.opts.Parts)
	return p
}
