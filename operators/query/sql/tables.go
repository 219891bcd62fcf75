package sql

import (
	"strings"

	"analyzer/columnar/budget"
)

// Table is a table as CREATE TABLE declares it:
//
//	CREATE TABLE ratings (
//	  user_id BIGINT HEADER 'userId',
//	  rating  DECIMAL NOT NULL
//	) FROM 'ratings.csv' OR 'ratings_small.csv' WITH (delimiter ';', header false);
//
// HEADER gives a column's name in the file's header if it differs from the column's own.
// FORMAT says how to read cells that are not plain values. PRIMARY KEY follows a column
// or, for a key of several, stands among the columns: PRIMARY KEY (user_id, movie_id).
type Table struct {
	At      Span
	Name    string
	Columns []TableColumn
	Key     []KeyColumn
	Files   []string // alternatives, of which one exists
	Options []Option // of WITH
	Fixes   []HeaderFix
}

// Option says how a file is written: delimiter = ';' among the arguments of read_csv, or
// DELIMITER ';' after a table.
type Option struct {
	At    Span
	Name  string // in lower case
	Value *Expr
}

// FileOptions returns the options of a call that reads a file: the arguments after the
// first one, which names the file.
func FileOptions(call *Expr) ([]Option, error) {
	var all []Option
	for i, a := range call.Args {
		named := a.Kind == Binary && a.Text == "=" && a.Args[0].Kind == Column && len(a.Args[0].Path) == 1
		switch {
		case i == 0 && len(FilesOf(call)) == 0:
			return nil, Wrong(a.At, "Next: write it in quotes, or several in brackets: ['a.csv', 'b-*.csv'].", "the first argument of %s is the name of a file", call.Text)
		case i > 0 && !named:
			return nil, Wrong(a.At, "Next: write it as name = value.", "behind the file %s has options", call.Text)
		case i > 0:
			all = append(all, Option{At: a.At, Name: strings.ToLower(a.Args[0].Path[0]), Value: a.Args[1]})
		}
	}
	if len(call.Args) == 0 {
		return nil, Wrong(call.At, "Next: name a file in quotes.", "%s reads a file", call.Text)
	}
	return all, nil
}

// TableColumn is a column of a Table.
type TableColumn struct {
	At       Span
	Name     string
	Type     string // as in CAST
	Header   string // "" if it equals Name
	Format   string // "" for the default format of the type
	Example  string // how a number is written, such as 1.234,5; "" if it is not said
	Required bool   // NOT NULL
}

// KeyColumn names a column of a table's key.
type KeyColumn struct {
	At   Span
	Name string
}

// HeaderFix describes a known error in a header: HEADER 'a' IS ('a', 'b') says that one
// name stands for two columns.
type HeaderFix struct {
	Name   string
	Become []string
}

// View is a named query, as CREATE VIEW declares it.
type View struct {
	At    Span // its name
	Name  string
	Query *Query
}

// ParseTables reads declarations of tables and views, separated by semicolons.
func ParseTables(work *budget.Work, src string) (tables []*Table, views []*View, err error) {
	defer Catch(&err)
	p := newParser(work, src)
	for p.peek().kind != endOfText {
		if p.accept("CREATE", "VIEW") {
			views = append(views, p.namedQuery())
		} else {
			tables = append(tables, p.table())
		}
		if p.peek().kind != endOfText {
			p.expect(";")
		}
	}
	return tables, views, nil
}

// namedQuery reads a name of a view or table, perhaps names of its columns, and a query.
func (p *parser) namedQuery() *View {
	v := &View{At: p.peek().at}
	v.Name = strings.Join(p.qualified("the name of a view or table"), ".")
	var columns []string
	if p.sees("(") {
		if p.ahead(1).kind == word && p.ahead(2).kind == word {
			panic(Unsupported(v.At, "Next: CREATE TABLE name AS SELECT …, or a file, which is a table as it is.", "CREATE TABLE statements with types of columns"))
		}
		columns = p.names()
	}
	p.expect("AS")
	if v.Query = p.query(); columns != nil {
		v.Query = StarOf(&From{At: v.At, Query: v.Query, Alias: v.Name, Columns: columns})
	}
	return v
}

func (p *parser) table() *Table {
	t := &Table{At: p.peek().at}
	p.expect("CREATE", "TABLE")
	t.Name = p.name("the name of a table")
	p.expect("(")
	for more := true; more; more = p.accept(",") {
		at := p.peek().at
		key := p.tableKey()
		if key == nil {
			key = p.tableColumn(t)
		}
		if len(t.Key) > 0 && len(key) > 0 {
			panic(Wrong(at.Join(p.last()), "Next: write PRIMARY KEY (a, b) for a key of several columns.", "there are two primary keys"))
		}
		t.Key = append(t.Key, key...)
	}
	p.expect(")", "FROM")
	t.Files = []string{p.quoted("the name of a file in quotes")}
	for p.accept("OR") {
		t.Files = append(t.Files, p.quoted("the name of a file in quotes"))
	}
	p.tableOptions(t)
	return t
}

// tableKey reads the PRIMARY KEY clause of a table. It returns nil if a column is next.
func (p *parser) tableKey() (key []KeyColumn) {
	if !p.accept("PRIMARY", "KEY", "(") {
		return nil
	}
	key = commas(p, func() KeyColumn { return KeyColumn{At: p.peek().at, Name: p.name("the name of a column")} })
	p.expect(")")
	return key
}

// tableColumn reads a column into t, and returns it as the key if it is PRIMARY KEY.
func (p *parser) tableColumn(t *Table) (key []KeyColumn) {
	c := TableColumn{At: p.peek().at, Name: p.name("the name of a column"), Type: p.typeName()}
	for {
		switch {
		case p.accept("NOT", "NULL"):
			c.Required = true
		case p.accept("PRIMARY", "KEY"):
			key = []KeyColumn{{At: c.At, Name: c.Name}}
		case p.accept("HEADER"):
			c.Header = p.quoted("a name in the header, in quotes")
		case p.accept("FORMAT"):
			if p.peek().kind == text {
				c.Example = p.take().text
			} else {
				c.Format = p.name("the name of a format, or an example of a number in quotes")
			}
		default:
			c.At.End = p.last().End
			t.Columns = append(t.Columns, c)
			return key
		}
	}
}

// tableOptions reads the clauses after the files.
func (p *parser) tableOptions(t *Table) {
	for p.accept("HEADER") {
		f := HeaderFix{Name: p.quoted("a name in the header, in quotes")}
		p.expect("IS", "(")
		f.Become = commas(p, func() string { return p.quoted("a name for a column, in quotes") })
		p.expect(")")
		t.Fixes = append(t.Fixes, f)
	}
	if p.accept("WITH") {
		t.Options = parentheses(p, func() []Option { return commas(p, p.option) })
	}
}

func (p *parser) option() Option {
	name := p.taken("the name of an option", word)
	p.accept("=")
	value := p.expr()
	return Option{At: name.at.Join(p.last()), Name: strings.ToLower(name.text), Value: value}
}

// quoted reads a text in quotes.
func (p *parser) quoted(what string) string {
	return p.taken(what, text).text
}
