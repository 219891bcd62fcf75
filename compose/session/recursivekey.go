package session

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"analyzer/operators/query/sql"
)

// recurring is the schema in which a recursive query USING KEY finds all its rows so far.
const recurring = "recurring"

// isRecurring reports whether a table is all rows so far of the recursive query of a name.
func isRecurring(f *sql.From, name string) bool {
	return len(f.Path) == 2 && strings.EqualFold(f.Path[0], recurring) && strings.EqualFold(f.Path[1], name)
}

// withRecurring returns a query that reads such rows from another one.
func withRecurring(q *sql.Query, name string, rows *sql.Query) *sql.Query {
	return sql.Rewriter{From: func(f *sql.From) *sql.From {
		if !isRecurring(f, name) {
			return nil
		}
		out := *f
		if out.Path, out.Query = nil, rows; out.Alias == "" {
			out.Alias = name
		}
		return &out
	}}.Of(q)
}

// keyed computes a recursive query USING KEY: of rows with equal keys, those of the last step stay, and of
// these the last one. The next step reads all rows of the one before, and, as recurring.name, those that stayed.
func (s *steps) keyed(first *rowsFile) (*sql.Query, error) {
	at := s.cte.At
	keys, err := s.keysOf(s.cte, s.names)
	if err != nil {
		return nil, err
	}
	if s.last, err = s.store(s.begin(first, false), nil); err != nil {
		return nil, err
	}
	s.all, err = s.latest(keys, s.last, s.last, at)
	for n := 1; err == nil && s.last.rows > 0; n++ {
		if err = s.ends(s.cte, n); err == nil {
			err = s.nextKeyed(keys)
		}
	}
	if err != nil {
		return nil, err
	}
	return s.all.read(s.names, at), nil
}

// nextKeyed makes further rows of those that were made last, and of all that stayed.
func (s *steps) nextKeyed(keys []string) (err error) {
	at, last, all := s.cte.At, s.last.path, s.all.path
	step := s.over(withRecurring(s.cte.Query.Right, s.cte.Name, s.all.read(s.names, at)))
	if s.last, err = s.store(cast(step, s.types, false), nil); err != nil {
		return err
	}
	if s.all, err = s.latest(keys, s.all, s.last, at); err != nil {
		return err
	}
	return errors.Join(s.of.kept.fs.Remove(last), s.of.kept.fs.Remove(all))
}

// keysOf returns the columns of the key, by their names in files.
func (r *recursion) keysOf(c sql.CTE, names []string) (keys []string, err error) {
	for _, key := range c.Key {
		i := slices.IndexFunc(names, func(name string) bool { return strings.EqualFold(name, key) })
		if i < 0 {
			return nil, r.wrong(c.At, sql.DidYouMean(key, names), "%s has no column %q, of which its key is", c.Name, key)
		}
		keys = append(keys, cellName(i))
	}
	return keys, nil
}

// latest keeps, of rows with equal keys, the last of the newer ones, or, if there are none, of the older ones.
func (r *recursion) latest(keys []string, older, newer *rowsFile, at sql.Span) (*rowsFile, error) {
	var cells []string
	for i := range newer.columns {
		cells = append(cells, cellName(i))
	}
	columns := strings.Join(cells, ", ")
	q, err := r.parsed(fmt.Sprintf("SELECT %[1]s FROM (SELECT *, row_number() OVER (PARTITION BY %[2]s ORDER BY step DESC, place DESC) AS nth FROM ("+
		"SELECT %[1]s, 0 AS step, row_number() OVER () AS place FROM older UNION ALL SELECT %[1]s, 1, row_number() OVER () FROM newer)) WHERE nth = 1",
		columns, strings.Join(keys, ", ")),
		sql.CTE{At: at, Name: "older", Query: older.read(cells, at)}, sql.CTE{At: at, Name: "newer", Query: newer.read(cells, at)})
	if err != nil {
		return nil, err
	}
	return r.store(q, nil)
}
