package session

import (
	"slices"

	"analyzer/columnar"
	"analyzer/compose/engine"
	"analyzer/operators/query/sql"
)

// limitOf returns the query around the i-th one of its WITH, with those behind it, if a LIMIT may end it before that one
// ends; otherwise nil.
func limitOf(q *sql.Query, i int) *sql.Query {
	before, behind := q.With[:i], q.With[i+1:]
	if q.Limit == nil || len(q.Order) > 0 || q.OrderAll != nil ||
		slices.ContainsFunc(before, func(c sql.CTE) bool { return reads(c.Query, q.With[i].Name) }) ||
		slices.ContainsFunc(behind, func(c sql.CTE) bool { return reads(c.Query, c.Name) }) {
		return nil
	}
	out := *q
	out.Recursive, out.With = false, behind
	return &out
}

// enough reports whether a query with a LIMIT takes the first rows of a recursive one, and has all that it wants in those
// that were made so far. If it fails over these, it needs no more of them to fail.
func (s *steps) enough(limit *sql.Query) (enough bool, err error) {
	known, err := s.all.soFar(&s.of.kept, s.names, s.cte.At)
	if err != nil {
		return false, err
	}
	q := *limit
	q.With = slices.Concat(s.before, []sql.CTE{{At: s.cte.At, Name: s.cte.Name, Query: known}}, limit.With)
	_ = s.ask(&q, func(p *Prepared) error { // a query that reads rows around it is none by itself
		sel, err := p.bind(s.ctx, false, nil)
		if err != nil {
			return err
		}
		plan, err := p.planOf(s.ctx, sel)
		if err != nil {
			return err
		}
		wanted, ok := plan.OfFirstRows(sel.Source.TableMap())
		if !ok {
			return nil
		}
		_, err = p.Run(s.ctx, engine.RowsTo(func(rows columnar.Rows) error {
			wanted -= int64(rows.Len)
			return nil
		}))
		enough = err != nil || wanted == 0
		return err
	})
	return enough, s.ctx.Err()
}
