package sql

import (
	"slices"
)

func (p *parser) startsQuery() bool { return p.peek().beginsQuery() || p.sees("(") }

// beginsQuery reports whether a query without parentheses can begin with the token.
func (t token) beginsQuery() bool {
	return t.isAny("SELECT", "FROM", "WITH", "VALUES", "TABLE") || t.pivots()
}

// query reads a query with its WITH, ORDER BY, LIMIT and OFFSET.
func (p *parser) query() *Query {
	defer p.deeper()()
	begin := p.peek().at
	var with []CTE
	recursive := false
	if p.accept("WITH") {
		recursive = p.accept("RECURSIVE")
		with = commas(p, p.cte)
	}
	names := make(map[string]bool, len(with))
	for _, c := range with {
		folded := Folded(c.Name)
		if names[folded] {
			panic(Wrong(c.At, "Next: give one of them another name.", "there are two queries of the name %q in WITH", c.Name))
		}
		names[folded] = true
	}
	if i := slices.IndexFunc(with, func(c CTE) bool { return len(c.Key) > 0 && !recursive }); i >= 0 {
		panic(Wrong(with[i].At, "Next: write WITH RECURSIVE.", "USING KEY stands with a recursive query"))
	}
	q := p.setOperation(0)
	if len(with) > 0 {
		if len(q.With) > 0 || q.hasTail() {
			q = StarOf(&From{At: q.At, Query: q})
		}
		q.With, q.Recursive = with, recursive
	}
	q.At = begin.Join(p.last())
	if p.peek().isAny("ORDER", "LIMIT", "FETCH", "OFFSET") {
		if q.hasTail() {
			with, recursive := q.With, q.Recursive
			q.With, q.Recursive = nil, false
			q = StarOf(&From{At: q.At, Query: q})
			q.With, q.Recursive = with, recursive
		}
		p.tail(q)
	}
	return q
}

func (q *Query) hasTail() bool {
	return len(q.Order) > 0 || q.OrderAll != nil || q.Limit != nil || q.Offset != nil
}

func (p *parser) cte() CTE {
	c := CTE{At: p.peek().at, Name: p.name("a name")}
	if p.sees("(") {
		c.Columns = p.names()
	}
	if p.accept("USING", "KEY") {
		c.Key = p.names()
	}
	p.expect("AS")
	p.which("NOT MATERIALIZED", "MATERIALIZED") // ignored: a plan shares equal parts in any case
	c.Query = parentheses(p, p.query)
	return c
}

// setOperation reads queries joined by set operations that bind tighter than least.
// INTERSECT binds tighter than the others.
func (p *parser) setOperation(least int) *Query {
	left := p.simpleQuery()
	for {
		op := SetOp(p.peek().upper())
		tight := map[SetOp]int{Union: 1, Except: 1, Intersect: 2}[op]
		if tight <= least {
			return left
		}
		at := p.take().at
		if p.which("ALL", "DISTINCT") == "ALL" {
			op += " ALL"
		}
		byName := p.accept("BY", "NAME")
		right := p.setOperation(tight)
		left = &Query{At: at, OpAt: at, Op: op, ByName: byName, Left: left, Right: right}
	}
}

// simpleQuery reads one SELECT, VALUES or query in parentheses.
func (p *parser) simpleQuery() *Query {
	begin := p.peek().at
	switch {
	case p.sees("("):
		return parentheses(p, p.query)
	case p.accept("VALUES"):
		row := func() []*Expr { return parentheses(p, p.exprs) }
		return &Query{At: begin, Values: commas(p, row)}
	case p.sees("SELECT"), p.sees("FROM"):
		s := p.selectClauses()
		return &Query{At: s.At, Select: s}
	case p.peek().pivots():
		return p.pivotStatement()
	case p.accept("TABLE"):
		return StarOf(p.fromItem())
	}
	panic(p.unexpected("a query"))
}

// tail reads the ORDER BY, LIMIT, FETCH and OFFSET of a query.
func (p *parser) tail(q *Query) {
	if p.accept("ORDER") {
		p.expect("BY")
		if p.sees("ALL") || p.sees("*") {
			all := Order{At: p.take().at}
			p.direction(&all)
			q.OrderAll = &all
		} else {
			q.Order = commas(p, p.order)
		}
	}
	for {
		switch {
		case q.Limit == nil && p.accept("LIMIT"):
			if p.accept("ALL") {
				continue
			}
			p.limit(q)
		case q.Limit == nil && p.accept("FETCH"):
			p.fetch(q)
		case q.Offset == nil && p.accept("OFFSET"):
			q.Offset = p.expr()
			p.which("ROWS", "ROW")
		default:
			return
		}
	}
}

// limit reads how many rows LIMIT leaves, or how many percent of them.
func (p *parser) limit(q *Query) {
	if p.percentage() {
		q.Limit = p.binding(bindSign)
	} else {
		q.Limit = p.expr()
	}
	q.Percent = p.which("%", "PERCENT") != ""
}

// percentage reports whether a number, or what stands in parentheses, has a per cent sign behind it that nothing
// follows which could be divided by.
func (p *parser) percentage() bool {
	n := 0
	if p.sees("-") { // so that it is the percentage that is refused
		n = 1
	}
	if p.ahead(n).is("(") {
		n = p.behindParentheses(n) - 1
	} else if p.ahead(n).kind != number {
		return false
	}
	next := p.ahead(n + 2)
	return p.ahead(n+1).is("%") && (next.kind == endOfText || next.isAny(")", ";", "OFFSET"))
}

// fetch reads the clause after FETCH, which is another way to write LIMIT.
func (p *parser) fetch(q *Query) {
	p.oneOf("FIRST", "NEXT")
	q.Limit = &Expr{Kind: Number, Text: "1", At: p.last()}
	if !p.peek().isAny("ROW", "ROWS") {
		p.limit(q)
	}
	if p.which("ROWS", "ROW") == "" {
		panic(p.unexpected("ROWS"))
	}
	if p.sees("WITH") {
		panic(Unsupported(p.peek().at, "Next: write ONLY, or use rank() with QUALIFY.", "FETCH clauses WITH TIES"))
	}
	p.expect("ONLY")
}

func (p *parser) order() Order {
	e := p.expr()
	o := Order{At: e.At, Expr: e}
	p.direction(&o)
	return o
}

func (p *parser) direction(o *Order) {
	o.Desc = p.which("DESC", "ASC") == "DESC"
	if p.accept("NULLS") {
		o.Nulls = p.oneOf("FIRST", "LAST")
	}
	o.At = o.At.Join(p.last())
}
