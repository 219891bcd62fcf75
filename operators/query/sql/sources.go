package sql

import (
	"maps"
	"slices"
	"strings"

	"analyzer/columnar/input/known"
)

// Source is a table that a statement reads: a name, a file, or a call of a function that
// reads a file.
type Source struct {
	At    Span
	Name  string   // of a table, as written
	Files []string // a file in quotes, or those of the first argument of Call; none: a table
	Call  *Expr
}

// Key identifies a file among the sources of a statement; it is "" for a table.
func (s Source) Key() string {
	switch {
	case s.Call != nil:
		return s.Call.String()
	case len(s.Files) > 0:
		return s.Files[0]
	}
	return ""
}

// ReadsFile reports whether a call in FROM reads a file.
func ReadsFile(call *Expr) bool {
	return known.Called(call.Text) != nil
}

// FilesOf returns the files that a call reads, none if it does not name them.
func FilesOf(call *Expr) (files []string) {
	if len(call.Args) == 0 {
		return nil
	}
	named := call.Args[:1]
	if named[0].Kind == List {
		named = named[0].Args
	}
	for _, e := range named {
		if e.Kind != String || e.Text == "" {
			return nil
		}
		files = append(files, e.Text)
	}
	return files
}

// Mentions says which tables a statement reads, and which of their columns it may read.
type Mentions struct {
	Sources []Source        // each once, in the order of the statement
	Columns map[string]bool // in lower case: names of columns, also where those of their fields follow
	All     bool            // it may read all columns, as by a star
	// Wholes are those of Columns that no name of a field follows, and Tables the names of tables among them: a table
	// as a value is a struct of its columns.
	Wholes, Tables map[string]bool
}

// Mentions returns what a statement reads. Names of WITH are not among its tables. A view
// is replaced by the sources that its query reads, positioned where the statement names the
// view. views maps names in lower case to queries.
func (s *Statement) Mentions(views map[string]*Query) Mentions {
	m := mentions{
		Mentions: Mentions{Columns: make(map[string]bool), Wholes: make(map[string]bool), Tables: make(map[string]bool)},
		views:    views, seen: make(map[[2]string]bool), known: make(map[string]int),
	}
	m.query(s.Query)
	maps.DeleteFunc(m.Tables, func(name string, _ bool) bool { return !m.Wholes[name] })
	return m.Mentions
}

type mentions struct {
	Mentions
	views map[string]*Query
	named *Span              // where the statement names the view being read; nil outside views
	seen  map[[2]string]bool // by name and key of a file, one of which is ""
	known map[string]int     // names of WITH around the query being read, and how often each is there
}

func (m *mentions) query(q *Query) {
	if q == nil {
		return
	}
	for _, c := range q.With {
		m.query(c.Query)
		m.known[strings.ToLower(c.Name)]++
	}
	defer func() {
		for _, c := range q.With {
			m.known[strings.ToLower(c.Name)]--
		}
	}()
	m.query(q.Left)
	m.query(q.Right)
	all := slices.Concat(q.Values...)
	if s := q.Select; s != nil {
		m.from(s.From)
		for _, item := range s.Items {
			all = append(all, item.Expr)
		}
		all = slices.Concat(all, s.DistinctOn, s.GroupBy, []*Expr{s.Where, s.Having, s.Qualify})
		for _, w := range s.Windows {
			all = append(all, &Expr{Window: w.Window})
		}
	}
	for _, o := range q.Order {
		all = append(all, o.Expr)
	}
	for _, e := range append(all, q.Limit, q.Offset) {
		m.expr(e)
	}
}

func (m *mentions) expr(e *Expr) {
	e.Walk(func(e *Expr) bool {
		switch e.Kind {
		case Column:
			for i, name := range e.Path {
				whole := strings.ToLower(strings.Join(e.Path[i:], "."))
				m.Columns[strings.ToLower(name)], m.Columns[whole], m.Wholes[whole] = true, true, true
			}
		case Star, Columns, Place:
			m.All = true
		case Call:
			if len(e.Args) == 1 && e.Args[0].Kind == Star { // count(*)
				m.expr(e.Filter)
				return false
			}
		}
		m.query(e.Query)
		return true
	})
}

func (m *mentions) from(f *From) {
	if f != nil {
		m.Tables[strings.ToLower(f.Name())] = true
	}
	switch {
	case f == nil:
	case f.Join != nil:
		j := f.Join
		m.All = m.All || j.Natural
		for _, name := range j.Using {
			m.Columns[strings.ToLower(name)] = true
		}
		m.from(j.Left)
		m.from(j.Right)
		m.expr(j.On)
	case f.Query != nil:
		m.query(f.Query)
	case f.Pivot != nil:
		m.All = true
		m.from(f.Pivot.Of)
	case f.Unpivot != nil:
		m.All = true
		m.from(f.Unpivot.Of)
	case f.File != "":
		m.source(Source{At: f.At, Files: []string{f.File}})
	case f.Call != nil && ReadsFile(f.Call) && len(FilesOf(f.Call)) > 0:
		m.source(Source{At: f.At, Files: FilesOf(f.Call), Call: f.Call})
	case f.Call != nil:
		m.expr(f.Call)
	case len(f.Path) == 1 && m.known[strings.ToLower(f.Path[0])] > 0:
		return
	case len(f.Path) == 1 || m.views[strings.ToLower(f.Table())] != nil:
		m.table(f)
	}
	if f != nil && len(f.Columns) > 0 { // new names hide which columns are read
		m.All = true
	}
}

// table adds the source of a name or, if it names a view, what the view reads.
func (m *mentions) table(f *From) {
	name := strings.ToLower(f.Table())
	view := m.views[name]
	switch {
	case view == nil:
		m.source(Source{At: f.At, Name: f.Table()})
		return
	case !m.first(name, ""):
		return
	case m.named == nil:
		m.named = &f.At
		defer func() { m.named = nil }()
	}
	around := m.known
	m.known = make(map[string]int)
	m.query(view)
	m.known = around
}

func (m *mentions) source(s Source) {
	if m.named != nil {
		s.At = *m.named
	}
	if m.first(strings.ToLower(s.Name), s.Key()) {
		m.Sources = append(m.Sources, s)
	}
}

// first reports whether a name or the key of a file is new, and records it.
func (m *mentions) first(name, key string) bool {
	before := m.seen[[2]string{name, key}]
	m.seen[[2]string{name, key}] = true
	return !before
}
