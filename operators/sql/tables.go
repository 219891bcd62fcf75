package sql

import "strings"

// Table is a table as CREATE TABLE declares it:
//
//	CREATE TABLE ratings (
//	  user_id BIGINT HEADER 'userId',
//	  rating  DECIMAL NOT NULL
//	) FROM 'ratings.csv' OR 'ratings_small.csv' WITH (delimiter ';', header false);
//
// A column has the name in the file's header that HEADER gives, otherwise its own.
// FORMAT says how cells are read that are no plain values. PRIMARY KEY stands behind a
// column, or, for several, among the columns: PRIMARY KEY (user_id, movie_id).
type Table struct {
	At      Span
	Name    string
	Columns []TableColumn
	Key     []KeyColumn
	Files   []string // one of which there is
	Options []Option // of WITH
	Fixes   []HeaderFix
}

// Option says how a file is written: delimiter = ';' among the arguments of read_csv,
// DELIMITER ';' behind a table.
type Option struct {
	At    Span
	Name  string // in lower case
	Value *Expr
}

// FileOptions returns the options of a call that reads a file. Its first argument is the
// file.
func FileOptions(call *Expr) ([]Option, error) {
	var all []Option
	for i, a := range call.Args {
		named := a.Kind == Binary && a.Text == "=" && a.Args[0].Kind == Column && len(a.Args[0].Path) == 1
		switch {
		case i == 0 && a.Kind == List:
			return nil, Unsupported(a.At, "Next: use a pattern such as 'part-*.csv'.", "lists of files")
		case i == 0 && a.Kind != String:
			return nil, Wrong(a.At, "Next: write it in quotes.", "the first argument of %s is the name of a file", call.Text)
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
	Type     string // as CAST has it
	Header   string // "": the name
	Format   string // "" for the usual one of the type
	Required bool   // NOT NULL
}

// KeyColumn names a column of a table's key.
type KeyColumn struct {
	At   Span
	Name string
}

// HeaderFix is a known fault of a header: HEADER 'a' IS ('a', 'b') says that one name
// stands over two columns.
type HeaderFix struct {
	Name   string
	Become []string
}

// View is a query with a name, as CREATE VIEW declares it.
type View struct {
	At    Span
	Name  string
	Query *Query
}

// ParseTables reads the declarations of tables and views, each with a semicolon behind
// it.
func ParseTables(src string) (tables []*Table, views []*View, err error) {
	l := lexer{src: src}
	tokens, err := l.all()
	if err != nil {
		return nil, nil, err
	}
	p := &parser{src: src, tokens: tokens}
	for p.peek().kind != endOfText {
		if p.sees("CREATE", "VIEW") {
			v, err := p.view()
			if err != nil {
				return nil, nil, err
			}
			views = append(views, v)
		} else {
			t, err := p.table()
			if err != nil {
				return nil, nil, err
			}
			tables = append(tables, t)
		}
		if p.peek().kind != endOfText {
			if err := p.expect(";"); err != nil {
				return nil, nil, err
			}
		}
	}
	return tables, views, nil
}

func (p *parser) view() (v *View, err error) {
	v = &View{At: p.peek().at}
	if err := p.expect("CREATE", "VIEW"); err != nil {
		return nil, err
	}
	if v.Name, err = p.name("the name of a view"); err != nil {
		return nil, err
	}
	if err := p.expect("AS"); err != nil {
		return nil, err
	}
	v.Query, err = p.query()
	return v, err
}

func (p *parser) table() (*Table, error) {
	t := &Table{At: p.peek().at}
	if err := p.expect("CREATE", "TABLE"); err != nil {
		return nil, err
	}
	var err error
	if t.Name, err = p.name("the name of a table"); err != nil {
		return nil, err
	}
	if err := p.expect("("); err != nil {
		return nil, err
	}
	for {
		at := p.peek().at
		key, err := p.tableKey()
		if key == nil && err == nil {
			key, err = p.tableColumn(t)
		}
		switch {
		case err != nil:
			return nil, err
		case len(t.Key) > 0 && len(key) > 0:
			return nil, Wrong(at.Join(p.last()), "Next: write PRIMARY KEY (a, b) for a key of several columns.", "there are two primary keys")
		}
		t.Key = append(t.Key, key...)
		if !p.accept(",") {
			break
		}
	}
	if err := p.expect(")", "FROM"); err != nil {
		return nil, err
	}
	for {
		file, err := p.quoted("the name of a file in quotes")
		if err != nil {
			return nil, err
		}
		t.Files = append(t.Files, file)
		if !p.accept("OR") {
			break
		}
	}
	return t, p.tableOptions(t)
}

// tableKey reads the key of a table, nil if a column stands there.
func (p *parser) tableKey() (key []KeyColumn, err error) {
	if !p.sees("PRIMARY", "KEY", "(") {
		return nil, nil
	}
	if err := p.expect("PRIMARY", "KEY", "("); err != nil {
		return nil, err
	}
	for {
		k := KeyColumn{At: p.peek().at}
		if k.Name, err = p.name("the name of a column"); err != nil {
			return nil, err
		}
		key = append(key, k)
		if !p.accept(",") {
			return key, p.expect(")")
		}
	}
}

// tableColumn reads a column of a table, and returns it if it is the key.
func (p *parser) tableColumn(t *Table) (key []KeyColumn, err error) {
	c := TableColumn{At: p.peek().at}
	if c.Name, err = p.name("the name of a column"); err != nil {
		return nil, err
	}
	if c.Type, err = p.typeName(); err != nil {
		return nil, err
	}
	for {
		switch {
		case p.accept("NOT", "NULL"):
			c.Required = true
		case p.accept("PRIMARY", "KEY"):
			key = []KeyColumn{{At: c.At, Name: c.Name}}
		case p.accept("HEADER"):
			if c.Header, err = p.quoted("a name in the header, in quotes"); err != nil {
				return nil, err
			}
		case p.accept("FORMAT"):
			if c.Format, err = p.name("the name of a format"); err != nil {
				return nil, err
			}
		default:
			c.At.End = p.last().End
			t.Columns = append(t.Columns, c)
			return key, nil
		}
	}
}

// tableOptions reads what stands behind the files.
func (p *parser) tableOptions(t *Table) (err error) {
	for p.accept("HEADER") {
		f := HeaderFix{}
		if f.Name, err = p.quoted("a name in the header, in quotes"); err != nil {
			return err
		}
		if err := p.expect("IS", "("); err != nil {
			return err
		}
		for {
			name, err := p.quoted("a name for a column, in quotes")
			if err != nil {
				return err
			}
			f.Become = append(f.Become, name)
			if !p.accept(",") {
				break
			}
		}
		if err := p.expect(")"); err != nil {
			return err
		}
		t.Fixes = append(t.Fixes, f)
	}
	if !p.accept("WITH") {
		return nil
	}
	if err := p.expect("("); err != nil {
		return err
	}
	for {
		if p.peek().kind != word {
			return p.unexpected("the name of an option")
		}
		o := Option{At: p.peek().at, Name: strings.ToLower(p.take().text)}
		p.accept("=")
		if o.Value, err = p.expr(); err != nil {
			return err
		}
		o.At = o.At.Join(p.last())
		t.Options = append(t.Options, o)
		if !p.accept(",") {
			return p.expect(")")
		}
	}
}

// quoted reads a text in quotes.
func (p *parser) quoted(what string) (string, error) {
	if p.peek().kind != text {
		return "", p.unexpected(what)
	}
	return p.take().text, nil
}
