package rules

import (
	"slices"

	"analyzer/columnar"
	"analyzer/columnar/budget"
	"analyzer/operators/expr"
	"analyzer/operators/query/plan"
)

// Outer is a set of outer columns, by their names.
type Outer map[string]bool

// Reads reports whether an expression reads outer columns.
func (o Outer) Reads(e *expr.Expr) bool { return slices.ContainsFunc(e.Columns(), o.has) }

func (o Outer) has(column string) bool { return o[column] }

// plans knows which nodes read outer columns, and the columns that nodes yield.
type plans struct {
	work   *budget.Work
	tables plan.Tables
	fresh  Fresh
	outer  Outer

	depends map[*plan.Node]bool
	yields  map[*plan.Node][]string
}

func newPlans(work *budget.Work, tables plan.Tables, outer Outer, fresh Fresh) plans {
	return plans{work: work, tables: tables, fresh: fresh, outer: outer, depends: make(map[*plan.Node]bool), yields: make(map[*plan.Node][]string)}
}

// dependent reports whether a node, or one below it, reads outer columns.
func (p *plans) dependent(n *plan.Node) bool {
	known, ok := p.depends[n]
	if !ok {
		p.work.Do(1)
		known = slices.ContainsFunc(n.Reads(), func(c string) bool { return p.outer[c] && !p.given(n, c) }) || slices.ContainsFunc(n.Inputs, p.dependent)
		p.depends[n] = known
	}
	return known
}

// given reports whether a node has a column from its own inputs. If a query around it reads the same
// one of WITH, an outer column may have the same name.
func (p *plans) given(n *plan.Node, column string) bool {
	return n.Op == plan.Scan || slices.ContainsFunc(n.Inputs, func(in *plan.Node) bool { return slices.Contains(p.columns(in), column) })
}

// columns returns the names of the columns that a node yields.
func (p *plans) columns(n *plan.Node) []string {
	known, ok := p.yields[n]
	if !ok {
		known = p.columnsOf(n)
		p.work.Do(1 + len(known)/8)
		p.yields[n] = known
	}
	return known
}

func (p *plans) columnsOf(n *plan.Node) []string {
	exprName := func(e plan.Named) string { return e.Name }
	switch n.Op {
	case plan.Scan:
		if len(n.Exprs) > 0 {
			return columnar.Each(n.Exprs, exprName)
		}
		return p.tables[n.Table].Schema().Names()
	case plan.Project:
		return columnar.Each(n.Exprs, exprName)
	case plan.Aggregate:
		return slices.Concat(n.Keys, columnar.Each(n.Aggs, func(a plan.Agg) string { return a.Name }))
	case plan.Window:
		return slices.Concat(p.columns(n.Inputs[0]), columnar.Each(n.Calls, func(c plan.Call) string { return c.Name }))
	case plan.Unnest:
		columns := slices.Clone(p.columns(n.Inputs[0]))
		for _, l := range n.Lists {
			columns[slices.Index(p.columns(n.Inputs[0]), l.Column)] = l.As
		}
		return columns
	case plan.Join:
		probe := p.columns(n.Inputs[1])
		if n.Kind == plan.Inner {
			probe = columnar.Without(probe, plan.ProbeKeys(n.On))
		}
		return slices.Concat(p.columns(n.Inputs[0]), probe)
	case plan.Apply:
		return slices.Concat(p.columns(n.Inputs[0]), p.columns(n.Inputs[1]))
	}
	return p.columns(n.Inputs[0])
}
