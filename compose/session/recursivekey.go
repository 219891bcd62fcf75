package session

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"analyzer/columnar"
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
func (r *recursion) keyed(c sql.CTE, before []sql.CTE, first *rowsFile, names []string, types []columnar.Type) (*sql.Query, error) {
	keys, err := r.keysOf(c, names)
	if err != nil {
		return nil, err
	}
	last, err := r.store(cast(first.read(first.names(), c.At), types, false), nil)
	if err != nil {
		return nil, err
	}
	all, err := r.latest(keys, last, last, c.At)
	for n := 1; err == nil && last.rows > 0; n++ {
		if err = r.ends(c, n); err != nil {
			break
		}
		step := withRecurring(c.Query.Right, c.Name, all.read(names, c.At))
		step = within(append(slices.Clone(before), sql.CTE{At: c.At, Name: c.Name, Query: last.read(names, c.At)}), step)
		done := []string{last.path, all.path}
		if last, err = r.store(cast(step, types, false), nil); err != nil {
			break
		}
		if all, err = r.latest(keys, all, last, c.At); err == nil {
			err = errors.Join(r.of.kept.fs.Remove(done[0]), r.of.kept.fs.Remove(done[1]))
		}
	}
	if err != nil {
		return nil, err
	}
	return all.read(names, c.At), nil
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
