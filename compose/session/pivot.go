package session

import (
	"context"
	"errors"
	"slices"
	"strings"

	"analyzer/columnar"
	"analyzer/compose/engine"
	"analyzer/compose/session/fault"
	"analyzer/datasets"
	"analyzer/operators/query/sql"
)

// pivoted returns a query in which each PIVOT in its FROM has a list of values. Where the statement
// has none, these are the values that there are.
func (r *recursion) pivoted(q *sql.Query) *sql.Query {
	if q.Select == nil || q.Select.From == nil {
		return q
	}
	out, s := *q, *q.Select
	out.Select, s.From = &s, r.fromPivots(q.Select.From, q.With)
	return &out
}

func (r *recursion) fromPivots(f *sql.From, with []sql.CTE) *sql.From {
	out := *f
	if f.Join != nil {
		j := *f.Join
		j.Left, j.Right = r.fromPivots(j.Left, with), r.fromPivots(j.Right, with)
		out.Join = &j
	}
	if f.Pivot == nil {
		return &out
	}
	v := *f.Pivot
	v.Of, v.On = r.fromPivots(v.Of, with), slices.Clone(v.On)
	for i, on := range v.On {
		if on.Values == nil && r.err == nil {
			v.On[i].Values, r.err = r.valuesOf(on.Expr, v.Of, with)
		}
	}
	out.Pivot = &v
	return &out
}

// mostPivoted is how many columns a PIVOT makes at most of values that the statement does not name.
const mostPivoted = 1000

// valuesOf returns the different values of an expression over a table, in the order of their texts.
func (r *recursion) valuesOf(e *sql.Expr, of *sql.From, with []sql.CTE) (items []sql.Item, err error) {
	q := sql.StarOf(of)
	q.With = with
	q.Select.Distinct, q.Select.Items = true, []sql.Item{{Expr: e}}
	q.Limit = &sql.Expr{Kind: sql.Number, Text: "1002", At: e.At}
	p, err := r.ses.silent().PrepareParsed(r.ctx, r.text, &sql.Statement{Query: q, At: q.At}, r.params)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, p.Close()) }()
	all := columnItems{at: e.At}
	if _, err := p.into(r.ctx, &all); err != nil {
		return nil, err
	}
	switch n := len(all.items); {
	case n == 0:
		return nil, fault.InStatement(r.text, sql.Wrong(e.At, "", "there are no values to make columns of"))
	case n > mostPivoted:
		return nil, fault.InStatement(r.text, sql.Wrong(e.At, "Next: name the values that become columns, as in ON year IN (2000, 2010).", "there are more than %d values to make columns of", mostPivoted))
	}
	slices.SortFunc(all.items, func(a, b sql.Item) int { return strings.Compare(a.Alias, b.Alias) }) // as DuckDB does
	return all.items, nil
}

// into answers in this process.
func (p *Prepared) into(ctx context.Context, to engine.Answers) (*engine.Report, error) {
	return p.Attempt(ctx, func(_ datasets.Selection, o engine.Options) (*engine.Report, error) { return engine.Run(ctx, o, to) })
}

// columnItems takes the values of the only column of an answer that are not null, each with its text
// as its name. It implements engine.Answers.
type columnItems struct {
	at    sql.Span
	items []sql.Item
}

// Begin does nothing.
func (c *columnItems) Begin(string, columnar.Schema) error { return nil }

// Write takes values.
func (c *columnItems) Write(rows columnar.Rows) error {
	v := rows.Cols[0]
	for i := range rows.Len {
		if !v.IsNull(i) && v.Child == nil {
			value := literalOf(v, i)
			value.At = c.at
			c.items = append(c.items, sql.Item{Expr: value, Alias: string(v.AppendText(nil, i))})
		}
	}
	return nil
}

// End does nothing.
func (c *columnItems) End() error { return nil }
