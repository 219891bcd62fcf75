package session

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"analyzer/columnar"
	"analyzer/columnar/ipc"
	"analyzer/columnar/vfs"
	"analyzer/compose/session/fault"
	"analyzer/operators/query/sql"
)

// shelf is a directory for rows that statements keep in files. It is made for the first of them.
type shelf struct {
	fs   vfs.FS
	in   string // the directory in which it is made
	dir  string
	many int

	closed bool // nothing may be put on it
}

// file returns the path of a new file, whose name people see as that of a table.
func (s *shelf) file(name string) (path string, err error) {
	if s.closed {
		return "", fault.WrongUsage("Next: read the files here, without --at.", "recursive queries over files that gateways read: their rows are kept in files here")
	}
	if s.dir == "" {
		if s.dir, err = s.fs.MkdirTemp(s.in, "analyzer-rows-*"); err != nil {
			return "", err
		}
	}
	s.many++
	dir := filepath.Join(s.dir, strconv.Itoa(s.many))
	return filepath.Join(dir, fileOf(name)), s.fs.MkdirAll(dir)
}

// fileOf is the name of a file with the rows of a table, which people see as the table's.
func fileOf(name string) string {
	name = name[strings.LastIndexByte(name, '.')+1:] // behind its schema
	if strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' }) {
		name = "rows"
	}
	return name + ".arrow"
}

// holds reports whether a query reads rows that are kept here.
func (s *shelf) holds(q *sql.Query) bool {
	if q.Select == nil || q.Select.From == nil || q.Select.From.Call == nil {
		return false
	}
	return slices.ContainsFunc(sql.FilesOf(q.Select.From.Call), s.has)
}

// has reports whether a file is on the shelf.
func (s *shelf) has(file string) bool {
	return s.dir != "" && strings.HasPrefix(file, s.dir+string(filepath.Separator))
}

// close removes the files.
func (s *shelf) close() error {
	if s.dir == "" {
		return nil
	}
	err := s.fs.RemoveAll(s.dir)
	s.dir = ""
	return err
}

// rowsFile writes rows to a file, from which read gets them back as they were. It implements
// engine.Answers.
type rowsFile struct {
	path    string
	columns columnar.Schema
	rows    int64

	file vfs.File
	to   *ipc.Writer
	last columnar.Rows // not in the file yet
	also *rowsFile     // another file that gets the same rows
}

// create makes a file of rows on a shelf.
func (s *shelf) create(name string) (*rowsFile, error) {
	path, err := s.file(name)
	if err != nil {
		return nil, err
	}
	f := &rowsFile{path: path}
	f.file, err = s.fs.Create(path)
	return f, err
}

// Begin writes the schema, unless the file is continued.
func (f *rowsFile) Begin(query string, columns columnar.Schema) (err error) {
	if f.also != nil {
		if err := f.also.Begin(query, columns); err != nil {
			return err
		}
	}
	if f.columns != nil {
		return nil
	}
	f.columns = columns
	f.last = columnar.NewRows(columns)
	f.to, err = f.begin(f.file)
	return err
}

// begin begins a stream of rows, whose columns have names that differ.
func (f *rowsFile) begin(file vfs.File) (*ipc.Writer, error) {
	kept := slices.Clone(f.columns)
	for i := range kept {
		kept[i].Name = cellName(i)
	}
	return ipc.NewWriter(file, kept, ipc.Layout{Stream: true}, fewBytes)
}

func cellName(i int) string { return fmt.Sprintf("c%d", i) }

// A batch of a file has at least so many rows or bytes. Recursive queries make few rows at a time, and
// each batch takes as long to find as hundreds of rows to read.
const (
	fewRows  = 4096
	fewBytes = 256 << 10
)

// Write writes rows.
func (f *rowsFile) Write(rows columnar.Rows) error {
	if f.also != nil {
		if err := f.also.Write(rows); err != nil {
			return err
		}
	}
	f.rows += int64(rows.Len)
	if f.last.AppendRange(rows, 0, rows.Len); f.last.Len < fewRows && f.last.ValueBytes() < fewBytes {
		return nil
	}
	return f.flush(f.to)
}

// flush writes the last rows.
func (f *rowsFile) flush(to *ipc.Writer) error {
	_, err := to.Write(f.last)
	f.last.Reset()
	if err != nil {
		return err
	}
	return to.Flush()
}

// End does nothing: other answers may follow.
func (f *rowsFile) End() error {
	if f.also != nil {
		return f.also.End()
	}
	return nil
}

// close closes the file, which stays on its shelf, and returns err, which is why it has not all rows, or else its own
// errors.
func (f *rowsFile) close(err error) error {
	if f.to != nil && err == nil { // an answer has begun
		err = f.flush(f.to)
	}
	return errors.Join(err, f.file.Close())
}

// read is the query that gets the rows of a closed file back, in their order, with names for the columns.
func (f *rowsFile) read(names []string, at sql.Span) *sql.Query { return f.readAll(names, at, f.path) }

// soFar is read for a file that is not closed, whose last rows it keeps in another one until the next call.
func (f *rowsFile) soFar(s *shelf, names []string, at sql.Span) (*sql.Query, error) {
	if err := f.to.Flush(); err != nil { // the schema
		return nil, err
	}
	path := filepath.Join(filepath.Dir(f.path), "last.arrow")
	file, err := s.fs.Create(path)
	if err != nil {
		return nil, err
	}
	to, err := f.begin(file)
	if err == nil {
		_, err = to.Write(f.last)
		err = errors.Join(err, to.Flush())
	}
	return f.readAll(names, at, f.path, path), errors.Join(err, file.Close())
}

func (f *rowsFile) readAll(names []string, at sql.Span, paths ...string) *sql.Query {
	items := []sql.Item{}
	for i := range f.columns {
		items = append(items, sql.Item{Expr: at.Column(cellName(i)), Alias: names[i]})
	}
	call := at.Call("read_arrow", at.List(columnar.Each(paths, at.Text)...))
	return &sql.Query{At: at, Select: &sql.Select{At: at, Items: items, From: &sql.From{At: at, Call: call}}}
}

// names returns the names of a file's columns.
func (f *rowsFile) names() []string { return f.columns.Names() }
