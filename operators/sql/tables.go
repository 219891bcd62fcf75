package sql

// Table is a table as CREATE TABLE declares it:
//
//	CREATE TABLE ratings (
//	  user_id BIGINT HEADER 'userId',
//	  rating  DECIMAL NOT NULL
//	) FROM 'ratings.csv' OR 'ratings_small.csv' WITH (delimiter ';', header false);
//
// A column has the name in the file's header that HEADER gives, otherwise its own.
// FORMAT says how cells are read that are no plain values.
type Table struct {
	At        Span
	Name      string
	Columns   []TableColumn
	Files     []string // one of which there is
	Delimiter string   // what separates fields, "" for the comma
	// Headless means that the first record is a row, Unnamed that it is none, but has
	// not the names of the columns. They stand in their order then.
	Headless, Unnamed bool
	Fixes             []HeaderFix
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
		c, err := p.tableColumn()
		if err != nil {
			return nil, err
		}
		t.Columns = append(t.Columns, c)
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

func (p *parser) tableColumn() (c TableColumn, err error) {
	c.At = p.peek().at
	if c.Name, err = p.name("the name of a column"); err != nil {
		return c, err
	}
	if c.Type, err = p.typeName(); err != nil {
		return c, err
	}
	for {
		switch {
		case p.accept("NOT", "NULL"):
			c.Required = true
		case p.accept("HEADER"):
			if c.Header, err = p.quoted("a name in the header, in quotes"); err != nil {
				return c, err
			}
		case p.accept("FORMAT"):
			if c.Format, err = p.name("the name of a format"); err != nil {
				return c, err
			}
		default:
			c.At.End = p.last().End
			return c, nil
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
		at := p.peek()
		switch {
		case p.accept("DELIMITER"):
			t.Delimiter, err = p.quoted("a character in quotes")
		case p.accept("HEADER", "FALSE"):
			t.Headless = true
		case p.accept("HEADER", "IGNORED"):
			t.Unnamed = true
		default:
			return Wrong(at.at, "There are DELIMITER ';', HEADER FALSE and HEADER IGNORED.", "%q is no option of a table", p.src[at.at.Begin:at.at.End])
		}
		if err != nil {
			return err
		}
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
