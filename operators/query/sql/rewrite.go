package sql

import "slices"

// Rewriter makes copies of queries in which some parts are others. A function may be nil.
type Rewriter struct {
	// Query is asked for each query, before what is in it, and returns what stands in its place.
	Query func(*Query) *Query
	// Expr is asked for each part of an expression, and From for each table, parents first. They
	// return what stands in its place, in which nothing more is rewritten, or nil to go on.
	Expr func(*Expr) *Expr
	From func(*From) *From
}

// Of returns a copy of a query; nil stays nil.
func (r Rewriter) Of(q *Query) *Query {
	if q == nil {
		return nil
	}
	if r.Query != nil {
		q = r.Query(q)
	}
	out := *q
	out.With = slices.Clone(q.With)
	for i := range out.With {
		out.With[i].Query = r.Of(out.With[i].Query)
	}
	out.Left, out.Right = r.Of(q.Left), r.Of(q.Right)
	out.Values = slices.Clone(q.Values)
	for i, row := range out.Values {
		out.Values[i] = r.all(row)
	}
	if q.Select != nil {
		out.Select = r.selected(q.Select)
	}
	out.Order, out.Limit, out.Offset = r.orders(q.Order), r.expr(q.Limit), r.expr(q.Offset)
	return &out
}

func (r Rewriter) selected(s *Select) *Select {
	out := *s
	out.DistinctOn, out.GroupBy = r.all(s.DistinctOn), r.all(s.GroupBy)
	out.Items = r.items(s.Items)
	for i, item := range s.Items { // columns keep their names
		if e := item.Expr; item.Alias == "" && e.Kind != Column && e.Kind != Star && !e.isOfColumns() && (r.Expr != nil || r.Query != nil) {
			if before := e.String(); before != out.Items[i].Expr.String() {
				out.Items[i].Alias = before
			}
		}
	}
	out.From, out.Where, out.Having, out.Qualify = r.from(s.From), r.expr(s.Where), r.expr(s.Having), r.expr(s.Qualify)
	out.Windows = slices.Clone(s.Windows)
	for i, w := range out.Windows {
		out.Windows[i].Window = r.expr(&Expr{Window: w.Window}).Window
	}
	return &out
}

func (r Rewriter) items(items []Item) []Item {
	out := slices.Clone(items)
	for i := range out {
		out[i].Expr = r.expr(out[i].Expr)
	}
	return out
}

func (r Rewriter) from(f *From) *From {
	if f == nil {
		return nil
	}
	if r.From != nil {
		if other := r.From(f); other != nil {
			return other
		}
	}
	out := *f
	out.Query, out.Call = r.Of(f.Query), r.expr(f.Call)
	if f.Join != nil {
		j := *f.Join
		j.Left, j.Right, j.On = r.from(j.Left), r.from(j.Right), r.expr(j.On)
		out.Join = &j
	}
	if f.Pivot != nil {
		p := *f.Pivot
		p.Of, p.Using, p.On = r.from(p.Of), r.items(p.Using), slices.Clone(p.On)
		for i, on := range p.On {
			p.On[i].Query = r.Of(on.Query)
		}
		out.Pivot = &p
	}
	if f.Unpivot != nil {
		u := *f.Unpivot
		u.Of = r.from(u.Of)
		out.Unpivot = &u
	}
	return &out
}

func (r Rewriter) all(es []*Expr) []*Expr {
	out := slices.Clone(es) // nil stays nil
	for i, e := range es {
		out[i] = r.expr(e)
	}
	return out
}

func (r Rewriter) orders(orders []Order) []Order {
	out := slices.Clone(orders)
	for i := range out {
		out[i].Expr = r.expr(out[i].Expr)
	}
	return out
}

// expr returns a copy of an expression, with the queries in it.
func (r Rewriter) expr(e *Expr) *Expr {
	return e.Replaced(func(part *Expr) *Expr {
		if r.Expr != nil {
			if other := r.Expr(part); other != nil {
				return other
			}
		}
		if part.Query == nil && len(part.Replace) == 0 {
			return nil
		}
		out := *part
		out.Query, out.Args, out.Replace = r.Of(part.Query), r.all(part.Args), r.items(part.Replace)
		return &out
	})
}
