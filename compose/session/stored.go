package session

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"unicode"

	"analyzer/columnar"
	"analyzer/columnar/number"
	"analyzer/columnar/vfs"
	"analyzer/compose/session/fault"
	"analyzer/operators/query/scalar"
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
	if strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' }) {
		name = "rows"
	}
	return filepath.Join(dir, name+".csv"), s.fs.MkdirAll(dir)
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

// What a cell is that is NULL, and what stands before each item of a list, with the letters of items
// that have a value and that have none. No text of a file has these characters at its beginning, or
// it is refused.
const (
	nullCell  = "\x1e"
	itemMark  = "\x1f"
	itemValue = "v"
	itemNull  = "n"
)

// rowsFile writes rows to a file, from which read gets them back with the same types. It implements
// engine.Answers.
type rowsFile struct {
	path    string
	columns columnar.Schema
	rows    int64

	file vfs.File
	to   *bufio.Writer
	cell []byte
	also *rowsFile // another file that gets the same rows
}

// create makes a file of rows on a shelf.
func (s *shelf) create(name string) (*rowsFile, error) {
	path, err := s.file(name)
	if err != nil {
		return nil, err
	}
	f := &rowsFile{path: path}
	if f.file, err = s.fs.Create(path); err != nil {
		return nil, err
	}
	f.to = bufio.NewWriterSize(f.file, 256<<10)
	return f, nil
}

// Begin writes the header, unless the file is continued.
func (f *rowsFile) Begin(query string, columns columnar.Schema) error {
	if f.also != nil {
		if err := f.also.Begin(query, columns); err != nil {
			return err
		}
	}
	if f.columns != nil {
		return nil
	}
	f.columns = columns
	for i := range columns {
		fmt.Fprintf(f.to, "%s%q", strings.Repeat(",", min(i, 1)), cellName(i))
	}
	return f.to.WriteByte('\n')
}

func cellName(i int) string { return fmt.Sprintf("c%d", i) }

// Write writes rows.
func (f *rowsFile) Write(rows columnar.Rows) error {
	if f.also != nil {
		if err := f.also.Write(rows); err != nil {
			return err
		}
	}
	f.rows += int64(rows.Len)
	for i := range rows.Len {
		for c, column := range rows.Cols {
			if c > 0 {
				_ = f.to.WriteByte(',') // the flush has the error
			}
			if err := f.write(column, i); err != nil {
				return err
			}
		}
		_ = f.to.WriteByte('\n') // as above
	}
	return nil
}

// write writes a value as a cell in quotes.
func (f *rowsFile) write(v *columnar.Vector, i int) error {
	if v.IsNull(i) {
		_, err := f.to.WriteString(nullCell)
		return err
	}
	f.cell = f.cell[:0]
	if !fits(v, i) {
		return fmt.Errorf("the number %s has more than 12 digits before the point, and cannot be kept", f.append(nil, v, i))
	}
	if v.Child == nil {
		return f.quoted(f.append(f.cell, v, i), v.Type == columnar.Text)
	}
	for j := int(v.Offsets[i]); j < int(v.Offsets[i+1]); j++ {
		mark := itemMark + itemValue
		if v.Child.IsNull(j) {
			f.cell = append(f.cell, itemMark+itemNull...)
			continue
		}
		f.cell = append(f.cell, mark...)
		begin := len(f.cell)
		f.cell = f.append(f.cell, v.Child, j)
		if strings.Contains(string(f.cell[begin:]), itemMark) {
			return errors.New("a text in a list has the character U+001F, which cannot be kept")
		}
	}
	return f.quoted(f.cell, false)
}

func (f *rowsFile) append(dst []byte, v *columnar.Vector, i int) []byte {
	return v.AppendText(dst, i)
}

// mostKept bounds the decimals that a file keeps, in millionths: as many digits as are read from
// any file.
const mostKept = 1_000_000_000_000 * number.One

// fits reports whether a value is read as the same type again.
func fits(v *columnar.Vector, i int) bool {
	if v.Type != columnar.Decimal {
		return true
	}
	n := v.Ints[i]
	return n < mostKept && n > -mostKept
}

func (f *rowsFile) quoted(cell []byte, text bool) error {
	if text && string(cell) == nullCell {
		return errors.New("a text is the character U+001E alone, which cannot be kept")
	}
	_ = f.to.WriteByte('"') // the flush has the error
	for _, b := range cell {
		if b == '"' {
			_ = f.to.WriteByte('"') // as above
		}
		_ = f.to.WriteByte(b) // as above
	}
	return f.to.WriteByte('"')
}

// End ends an answer, behind which others may follow.
func (f *rowsFile) End() error {
	if f.also != nil {
		if err := f.also.End(); err != nil {
			return err
		}
	}
	return f.to.Flush()
}

// close closes the file, which stays on its shelf.
func (f *rowsFile) close() error { return errors.Join(f.to.Flush(), f.file.Close()) }

// read is the query that gets the rows back, in their order, with names for the columns.
func (f *rowsFile) read(names []string, at sql.Span) *sql.Query {
	text := func(s string) *sql.Expr { return &sql.Expr{Kind: sql.String, Text: s, At: at} }
	types, items := &sql.Expr{Kind: sql.Struct, At: at}, []sql.Item{}
	for i, c := range f.columns {
		cell := &sql.Expr{Kind: sql.Column, Path: []string{cellName(i)}, At: at}
		name := scalar.CastName(c.Type)
		if item := c.Type.Item(); item != columnar.Invalid {
			name = "VARCHAR"
			cell = listOf(cell, scalar.CastName(item), at)
		} else if c.Type.Kind() == columnar.KindInt128 { // which cells are not read as
			cell, name = &sql.Expr{Kind: sql.Cast, Text: name, Args: []*sql.Expr{cell}, At: at}, "VARCHAR"
		}
		types.Path, types.Args = append(types.Path, cellName(i)), append(types.Args, text(name))
		items = append(items, sql.Item{Expr: cell, Alias: names[i]})
	}
	call := &sql.Expr{Kind: sql.Call, Text: "read_csv", Args: []*sql.Expr{text(f.path)}, At: at}
	for _, o := range []struct {
		name  string
		value *sql.Expr
	}{
		{"columns", types},
		{"header", &sql.Expr{Kind: sql.Boolean, Text: "TRUE", At: at}},
		{"delim", text(",")},
		{"quote", text(`"`)},
		{"escape", text(`"`)},
		{"nullstr", text(nullCell)},
		{"encoding", text("utf-8")},
	} {
		name := &sql.Expr{Kind: sql.Column, Path: []string{o.name}, At: at}
		call.Args = append(call.Args, &sql.Expr{Kind: sql.Binary, Text: "=", Args: []*sql.Expr{name, o.value}, At: at})
	}
	return &sql.Query{At: at, Select: &sql.Select{At: at, Items: items, From: &sql.From{At: at, Call: call}}}
}

// listOf is the list in a cell, of items of a type.
func listOf(cell *sql.Expr, item string, at sql.Span) *sql.Expr {
	const text = `list_transform(string_split(cell, '` + itemMark + `')[2:], lambda item: CASE WHEN left(item, 1) = '` + itemValue + `' THEN CAST(substr(item, 2) AS kind) END)`
	e, err := sql.ParseExpr(nil, strings.Replace(text, "kind", item, 1))
	if err != nil {
		panic(err)
	}
	return e.Replaced(func(part *sql.Expr) *sql.Expr {
		part.At = at
		if part.Kind == sql.Column && part.Path[0] == "cell" {
			return cell
		}
		return nil
	})
}

// store keeps the rows of a query in a file, and in another one too if that is not nil.
func (s *Session) store(ctx context.Context, on *shelf, name, text string, q *sql.Query, params map[string]string, also *rowsFile) (f *rowsFile, err error) {
	p, err := s.PrepareParsed(ctx, text, &sql.Statement{Query: q, At: q.At}, params)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, p.Close()) }()
	if f, err = on.create(name); err != nil {
		return nil, err
	}
	f.also = also
	_, err = p.Run(ctx, f)
	return f, errors.Join(err, f.close())
}

// names returns the names of a file's columns.
func (f *rowsFile) names() []string { return f.columns.Names() }
