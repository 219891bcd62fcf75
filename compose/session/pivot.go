package session

import (
	"context"
	"slices"
	"strings"

	"analyzer/columnar"
	"analyzer/compose/engine"
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
			v.On[i].Values, r.err = r.valuesOf(on, v.Of, with)
			v.On[i].Query = nil
		}
	}
	out.Pivot = &v
	return &out
}

// mostPivoted is how many columns a PIVOT makes at most of values that the statement does not name.
const mostPivoted = 1000

// valuesOf returns the different values of an expression over a table, in the order of their texts, or those that its
// query has, in the order of that.
func (r *recursion) valuesOf(on sql.PivotOn, of *sql.From, with []sql.CTE) (items []sql.Item, err error) {
	e, value := on.Expr, on.Expr
	if on.Query != nil {
		of, value = &sql.From{At: e.At, Query: on.Query}, &sql.Expr{Kind: sql.Place, Text: "1", At: e.At}
	}
	q := sql.StarOf(of)
	q.With = with
	q.Select.Distinct, q.Select.Items = on.Query == nil, []sql.Item{{Expr: value}, {Expr: e.At.Cast(value, "VARCHAR")}}
	if on.Query == nil { // those of a query may come again and again
		q.Limit = e.At.Number(mostPivoted + 2)
	}
	known := make(map[string]bool)
	err = r.ask(q, func(p *Prepared) error {
		_, err := p.into(r.ctx, engine.RowsTo(func(rows columnar.Rows) error {
			items = appendItems(items, known, rows, e)
			return nil
		}))
		return err
	})
	if err != nil {
		return nil, err
	}
	switch n := len(items); {
	case n == 0:
		return nil, r.wrong(e.At, "", "there are no values to make columns of")
	case n > mostPivoted:
		return nil, r.wrong(e.At, "Next: name the values that become columns, as in ON year IN (2000, 2010).", "there are more than %d values to make columns of", mostPivoted)
	}
	if on.Query == nil {
		slices.SortFunc(items, func(a, b sql.Item) int { return strings.Compare(a.Alias, b.Alias) }) // as DuckDB does
	}
	return items, nil
}

// into answers in this process.
func (p *Prepared) into(ctx context.Context, to engine.Answers) (*engine.Report, error) {
	return p.Attempt(ctx, func(_ datasets.Selection, o engine.Options) (*engine.Report, error) { return engine.Run(ctx, o, to) })
}

// appendItems appends the values of an expression in the first column that are not null, each with its text, in the second one, as its
// name. It leaves out those whose names are known, and all once there are too many.
func appendItems(items []sql.Item, known map[string]bool, rows columnar.Rows, e *sql.Expr) []sql.Item {
	v := rows.Cols[0]
	for i := range rows.Len {
		if v.IsNull(i) || v.Child != nil || len(items) > mostPivoted {
			continue
		}
		name := string(rows.Cols[1].AppendText(nil, i))
		if known[name] {
			continue
		}
		known[name] = true
		value := literalOf(v, i)
		if value.At = e.At; e.Kind == sql.Tuple {
			value.Kind, value.Path = sql.Tuple, nil
		}
		items = append(items, sql.Item{Expr: value, Alias: name})
	}
	return items
}
