package datasets

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"analyzer/columnar"
	"analyzer/operators/query/plan"
)

// Source is tables, and named queries over them, wherever they come from. It is read only.
type Source struct {
	Name    string            // as on the command line
	Title   string            // for people
	Tables  []*columnar.Table // in the order that is best for reading them
	Queries []*plan.Query     // in the order of their answers
	Samples fs.FS             // small files of the tables, under their usual names
	// Wrong holds, by query, why a parameter cannot have the value it is set to. Select
	// returns these errors.
	Wrong map[string]error
	// Texts are the SQL files from which the source was made, by name, such as q1.sql; none
	// if it was not made from SQL files.
	Texts map[string]string
	// Dir is the directory that holds the tables' files by default; "": the samples are the
	// default.
	Dir string
}

// Selection is some queries of a source, with values for their parameters.
type Selection struct {
	Source  *Source
	Queries []*plan.Query
	Params  Settings // values that are set; other parameters have their defaults
	// To is the file for the only answer, in Format; "": the usual destination.
	To, Format string
	Writing    columnar.Writing // how that file is written
}

// QueryNames returns the names of the queries.
func (s Selection) QueryNames() []string { return namesOf(s.Queries) }

// TableMap returns the tables by name.
func (s *Source) TableMap() plan.Tables { return plan.TablesOf(s.Tables) }

// Table returns the named table, or an error that lists the tables there are.
func (s *Source) Table(name string) (*columnar.Table, error) {
	for _, t := range s.Tables {
		if t.Name == name {
			return t, nil
		}
	}
	return nil, fmt.Errorf("%s has no table %q; there are %s", s.Name, name, strings.Join(s.TableNames(), ", "))
}

// TableNames returns the names of all tables.
func (s *Source) TableNames() []string {
	return columnar.Each(s.Tables, func(t *columnar.Table) string { return t.Name })
}

// QueryNames returns the names of all queries.
func (s *Source) QueryNames() []string {
	return namesOf(s.Queries)
}

func namesOf(queries []*plan.Query) []string {
	return columnar.Each(queries, func(q *plan.Query) string { return q.Name })
}

// Select returns the named queries in the source's order, or all if no names are given. Its
// error is one of Wrong, or lists the queries there are.
func (s *Source) Select(names ...string) ([]*plan.Query, error) {
	known := s.QueryNames()
	if len(names) == 0 {
		names = known
	}
	for _, name := range names {
		if !slices.Contains(known, name) {
			return nil, fmt.Errorf("%s has no query %q; there are %s", s.Name, name, strings.Join(known, ", "))
		}
	}
	var out []*plan.Query
	for _, q := range s.Queries {
		if !slices.Contains(names, q.Name) {
			continue
		}
		if err := s.Wrong[q.Name]; err != nil {
			return nil, err
		}
		out = append(out, q)
	}
	return out, nil
}
