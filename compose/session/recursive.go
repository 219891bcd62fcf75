package session

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"analyzer/columnar"
	"analyzer/compose/engine"
	"analyzer/operators/query/scalar"
	"analyzer/operators/query/sql"
)

// defaultIterations is how often a recursive query is computed at most, unless Config says otherwise.
const defaultIterations = 10_000

// recursion computes the queries of WITH RECURSIVE that read themselves. Their rows are kept in
// files, so that the statement reads them as it reads any table, and a cluster too.
type recursion struct{ asking }

// withoutRecursion returns a query in which each query of WITH that reads itself is one that reads
// its rows. They are kept on the shelf of p.
func (p *Prepared) withoutRecursion(ctx context.Context, q *sql.Query) (*sql.Query, error) {
	r := &recursion{asking{of: p, ctx: ctx}}
	out := sql.Rewriter{Query: r.query}.Of(q)
	return out, r.err
}

// query replaces the recursive queries of one WITH. Those before them are in scope.
func (r *recursion) query(q *sql.Query) *sql.Query {
	if r.err != nil {
		return q
	}
	if !q.Recursive {
		return r.pivoted(q)
	}
	out := *q
	out.Recursive, out.With = false, nil
	for i, c := range q.With {
		if reads(c.Query, c.Name) {
			if c.Query, r.err = r.rows(c, out.With, limitOf(q, i)); r.err != nil {
				return q
			}
			c.Columns, c.Key = nil, nil
		} else if len(c.Key) > 0 {
			r.err = r.noRecursion(c)
			return q
		}
		out.With = append(out.With, c)
	}
	return r.pivoted(&out)
}

// reads reports whether a query reads a table of that name.
func reads(q *sql.Query, name string) bool {
	found := false
	sql.Rewriter{From: func(f *sql.From) *sql.From {
		found = found || len(f.Path) == 1 && strings.EqualFold(f.Path[0], name) || isRecurring(f, name)
		return nil
	}}.Of(q)
	return found
}

// rows computes a recursive query: its first part, and then the second one over the rows that were
// made last, until there are no more, or limit has enough.
func (r *recursion) rows(c sql.CTE, before []sql.CTE, limit *sql.Query) (*sql.Query, error) {
	q, at := c.Query, c.At
	if q.Op != sql.Union && q.Op != sql.UnionAll || reads(q.Left, c.Name) || len(q.With) > 0 || len(q.Order) > 0 || q.OrderAll != nil || q.Limit != nil || q.Offset != nil {
		return nil, r.noRecursion(c)
	}
	first, err := r.store(within(before, q.Left), nil)
	if err != nil {
		return nil, err
	}
	names := first.names()
	if len(c.Columns) > len(names) {
		return nil, r.wrong(at, "", "%s has %d columns, and %d names are given", c.Name, len(names), len(c.Columns))
	}
	copy(names, c.Columns)
	types, err := r.types(c, before, first, names)
	if err != nil {
		return nil, err
	}
	steps := &steps{recursion: r, cte: c, before: before, names: names, types: types}
	if len(c.Key) > 0 {
		return steps.keyed(first)
	}
	return steps.union(first, limit)
}

// steps is a recursive query that is being computed.
type steps struct {
	*recursion
	cte       sql.CTE
	before    []sql.CTE // what is in scope
	names     []string
	types     []columnar.Type
	all, last *rowsFile // all rows, and those that were made last
}

// over returns a query in which the name of the recursive one stands for the rows that were made last.
func (s *steps) over(q *sql.Query) *sql.Query {
	last := sql.CTE{At: s.cte.At, Name: s.cte.Name, Query: s.last.read(s.names, s.cte.At)}
	return within(append(slices.Clone(s.before), last), q)
}

// begin returns the query of the first rows.
func (s *steps) begin(first *rowsFile, distinct bool) *sql.Query {
	return cast(first.read(first.names(), s.cte.At), s.types, distinct)
}

// union computes a recursive query that is a UNION or UNION ALL.
func (s *steps) union(first *rowsFile, limit *sql.Query) (_ *sql.Query, err error) {
	if s.all, err = s.of.kept.create(s.cte.Name); err != nil {
		return nil, err
	}
	most, enough := s.of.ses.iterations(), false
	s.last, err = s.store(s.begin(first, s.cte.Query.Op == sql.Union), s.all)
	for n := 1; err == nil && !enough && s.last.rows > 0; n++ {
		if err = s.ends(s.cte, n); err == nil {
			err = s.next()
		}
		if err == nil && limit != nil && (n&(n-1) == 0 || n == most) {
			enough, err = s.enough(limit)
		}
	}
	return s.all.read(s.names, s.cte.At), s.all.close(err)
}

// next makes further rows of those that were made last; with UNION only such as there are not yet.
func (s *steps) next() error {
	at, distinct := s.cte.At, s.cte.Query.Op == sql.Union
	step := cast(s.over(s.cte.Query.Right), s.types, distinct)
	if distinct {
		known, err := s.all.soFar(&s.of.kept, s.names, at)
		if err != nil {
			return err
		}
		step = &sql.Query{At: at, OpAt: at, Op: sql.Except, Left: step, Right: known}
	}
	done := s.last.path
	var err error
	if s.last, err = s.store(step, s.all); err != nil {
		return err
	}
	return s.of.kept.fs.Remove(done)
}

// ends returns an error if a recursive query has made rows too often.
func (r *recursion) ends(c sql.CTE, n int) error {
	most := r.of.ses.iterations()
	if n <= most {
		return nil
	}
	return r.wrong(c.At, "Next: add a condition that ends it, or give --max-iterations.",
		"the recursive query %q has made rows %d times, and is not at its end", c.Name, most)
}

func (r *recursion) noRecursion(c sql.CTE) error {
	return r.wrong(c.At, "Next: write WITH RECURSIVE name AS (first rows UNION ALL further rows from name).",
		"a recursive query is a UNION of first rows, which do not read it, and of others")
}

// store keeps the rows of a query in a file, and in another one too if that is not nil.
func (r *recursion) store(q *sql.Query, also *rowsFile) (f *rowsFile, err error) {
	err = r.ask(q, func(p *Prepared) (err error) {
		if f, err = r.of.kept.create("rows"); err != nil {
			return err
		}
		f.also = also
		report, err := p.Run(r.ctx, f)
		if err = f.close(err); err == nil {
			r.of.lossy = addLossy(r.of.lossy, report.Tables)
		}
		return err
	})
	return f, err
}

// addLossy adds to what is known of tables those of which rows were lost, each once.
func addLossy(known, tables []engine.TableReport) []engine.TableReport {
	for _, t := range tables {
		if t.Stats.Lossy() && !slices.ContainsFunc(known, func(k engine.TableReport) bool { return k.Table == t.Table }) {
			known = append(known, t)
		}
	}
	return known
}

// types returns the types that both parts of a recursive query can have.
func (r *recursion) types(c sql.CTE, before []sql.CTE, first *rowsFile, names []string) (types []columnar.Type, err error) {
	both := *c.Query
	both.Op, both.Right = sql.UnionAll, withRecurring(both.Right, c.Name, first.read(names, c.At))
	q := within(append(slices.Clone(before), sql.CTE{At: c.At, Name: c.Name, Query: first.read(names, c.At)}), &both)
	err = r.ask(q, func(p *Prepared) error {
		columns, err := p.Schema(r.ctx)
		types = columnar.Each(columns, func(f columnar.Field) columnar.Type { return f.Type })
		return err
	})
	return types, err
}

// within returns a query with others in scope.
func within(with []sql.CTE, q *sql.Query) *sql.Query {
	if len(with) == 0 {
		return q
	}
	out := sql.StarOf(&sql.From{At: q.At, Query: q})
	out.With = with
	return out
}

// cast returns a query with the columns of another, cast to types.
func cast(q *sql.Query, types []columnar.Type, distinct bool) *sql.Query {
	s := &sql.Select{At: q.At, Distinct: distinct, From: &sql.From{At: q.At, Query: q, Alias: "rows"}}
	for i, t := range types {
		name := fmt.Sprintf("c%d", i)
		s.From.Columns = append(s.From.Columns, name)
		column := q.At.Column(name)
		s.Items = append(s.Items, sql.Item{Expr: q.At.Cast(column, scalar.TypeName(t)), Alias: name})
	}
	return &sql.Query{At: q.At, Select: s}
}

// silent is the session without notices, for queries within one whose files were noticed already.
func (s *Session) silent() *Session {
	quiet := *s
	quiet.cfg.Notice = nil
	return &quiet
}

func (s *Session) iterations() int {
	if s.cfg.MaxIterations > 0 {
		return s.cfg.MaxIterations
	}
	return defaultIterations
}
