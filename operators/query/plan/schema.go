package plan

import (
	"fmt"
	"slices"
	"strings"

	"analyzer/columnar"
	"analyzer/columnar/budget"
	"analyzer/operators/expr"
)

// Tables maps names to descriptions of tables.
type Tables map[string]*columnar.Table

// TablesOf returns tables indexed by their names.
func TablesOf(all []*columnar.Table) Tables {
	m := make(Tables, len(all))
	for _, t := range all {
		m[t.Name] = t
	}
	return m
}

// Schema returns the columns that a node yields. An error names what is wrong
// with the node or one below it.
func (n *Node) Schema(tables Tables) (columnar.Schema, error) {
	return NewSchemas(nil, tables).Of(n)
}

// Schemas finds the columns of nodes, and remembers them. The nodes must not change meanwhile.
type Schemas struct {
	work   *budget.Work
	tables Tables
	known  map[*Node]columnar.Schema
}

// NewSchemas returns what finds the columns of plans over tables as part of some work.
func NewSchemas(work *budget.Work, tables Tables) *Schemas {
	return &Schemas{work: work, tables: tables, known: make(map[*Node]columnar.Schema)}
}

// Of returns the columns that a node yields. An error names what is wrong with the node or one
// below it.
func (s *Schemas) Of(n *Node) (columnar.Schema, error) {
	if known, ok := s.known[n]; ok {
		return known, nil
	}
	inputs := make([]columnar.Schema, len(n.Inputs))
	for i, in := range n.Inputs {
		var err error
		if inputs[i], err = s.Of(in); err != nil {
			return nil, err
		}
	}
	columns, err := n.schemaOver(inputs, s.tables)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", n.Op, err)
	}
	s.work.Do(1 + len(columns))
	s.known[n] = columns
	return columns, nil
}

func (n *Node) schemaOver(in []columnar.Schema, tables Tables) (columnar.Schema, error) {
	if want, ok := inputCount[n.Op]; !ok {
		return nil, fmt.Errorf("there is no such node")
	} else if want >= 0 && len(in) != want {
		return nil, fmt.Errorf("has %d inputs, needs %d", len(in), want)
	}
	switch n.Op {
	case Scan:
		t, ok := tables[n.Table]
		if !ok {
			return nil, fmt.Errorf("there is no table %q", n.Table)
		}
		if len(n.Exprs) > 0 {
			return n.projectSchema(t.Schema())
		}
		return t.Schema(), nil
	case Filter:
		return in[0], wantType(n.Where, in[0], columnar.Bool)
	case Project:
		return n.projectSchema(in[0])
	case Unnest:
		return n.unnestSchema(in[0])
	case Join:
		return n.joinSchema(in[0], in[1])
	case Aggregate:
		return n.aggregateSchema(in[0])
	case Sort:
		return in[0], n.checkSort(in[0])
	case Window:
		return n.windowSchema(in[0])
	case Percentile:
		return in[0], n.checkPercentile(in[0])
	default:
		return n.unionSchema(in)
	}
}

var inputCount = map[Op]int{
	Scan: 0, Filter: 1, Project: 1, Unnest: 1, Join: 2, Aggregate: 1, Sort: 1, Percentile: 1, Union: -1, Window: 1,
}

func wantType(e *expr.Expr, in columnar.Schema, want columnar.Type) error {
	if e == nil {
		return fmt.Errorf("the expression is missing")
	}
	t, err := e.TypeOf(in)
	if err != nil {
		return err
	}
	if t != want {
		return fmt.Errorf("%s is %s, not %s", e, t, want)
	}
	return nil
}

// typesIn returns the types of columns by their names. Looking thousands of them up one by one in
// the schema would take time quadratic in their number.
func typesIn(in columnar.Schema) map[string]columnar.Type {
	known := make(map[string]columnar.Type, len(in))
	for _, f := range in {
		known[f.Name] = f.Type
	}
	return known
}

// output collects the columns that a node yields, each of another name.
type output struct {
	columns columnar.Schema
	had     map[string]bool
}

func newOutput(size int) *output {
	return &output{columns: make(columnar.Schema, 0, size), had: make(map[string]bool, size)}
}

func (o *output) add(name string, t columnar.Type) error {
	if o.had[name] {
		return fmt.Errorf("column %q stands twice", name)
	}
	o.had[name] = true
	o.columns = append(o.columns, columnar.Field{Name: name, Type: t})
	return nil
}

// addAll adds the columns of an input.
func (o *output) addAll(in columnar.Schema) error {
	for _, f := range in {
		if err := o.add(f.Name, f.Type); err != nil {
			return err
		}
	}
	return nil
}

// column returns the type of a column, or an error that lists the existing
// columns.
func column(in columnar.Schema, name string) (columnar.Type, error) {
	i := in.Index(name)
	if i < 0 {
		return columnar.Invalid, fmt.Errorf("there is no column %q; there are %s", name, strings.Join(in.Names(), ", "))
	}
	return in[i].Type, nil
}

func (n *Node) projectSchema(in columnar.Schema) (columnar.Schema, error) {
	out, known := newOutput(len(n.Exprs)), in.Lookup()
	for _, e := range n.Exprs {
		if e.Expr == nil {
			return nil, fmt.Errorf("column %q has no expression", e.Name)
		}
		t, err := e.Expr.TypeOf(known.Only(e.Expr.Columns()))
		if err != nil {
			return nil, fmt.Errorf("column %q: %w", e.Name, err)
		}
		if err := out.add(e.Name, t); err != nil {
			return nil, err
		}
	}
	return out.columns, nil
}

func (n *Node) unnestSchema(in columnar.Schema) (columnar.Schema, error) {
	if len(n.Lists) == 0 {
		return nil, fmt.Errorf("has no lists")
	}
	items := slices.Clone(in)
	for _, l := range n.Lists {
		at := in.Index(l.Column)
		if at < 0 {
			_, err := column(in, l.Column)
			return nil, err
		}
		if items[at] = (columnar.Field{Name: l.As, Type: in[at].Type.Item()}); items[at].Type == columnar.Invalid {
			return nil, fmt.Errorf("column %q is %s, not a list", l.Column, in[at].Type)
		}
	}
	out := newOutput(len(items))
	return items, out.addAll(items)
}

func (n *Node) joinSchema(build, probe columnar.Schema) (columnar.Schema, error) {
	if err := n.Kind.Check(); err != nil {
		return nil, err
	}
	keys := make(map[string]bool)
	for _, p := range n.On {
		b, err := column(build, p.Build)
		if err != nil {
			return nil, fmt.Errorf("build side: %w", err)
		}
		q, err := column(probe, p.Probe)
		if err != nil {
			return nil, fmt.Errorf("probe side: %w", err)
		}
		if b != q {
			return nil, fmt.Errorf("%s is %s but %s is %s", p.Build, b, p.Probe, q)
		}
		keys[p.Probe] = n.Kind == Inner // where the probe side's key is null, the build side's may not be
	}
	out, known := append(columnar.Schema{}, build...), typesIn(build)
	for _, f := range probe {
		if keys[f.Name] {
			continue
		}
		if _, ok := known[f.Name]; ok {
			return nil, fmt.Errorf("both sides have a column %q", f.Name)
		}
		known[f.Name] = f.Type
		out = append(out, f)
	}
	return out, nil
}

func (n *Node) aggregateSchema(in columnar.Schema) (columnar.Schema, error) {
	out := newOutput(len(n.Keys) + len(n.Aggs))
	for _, k := range n.Keys {
		t, err := column(in, k)
		if err != nil {
			return nil, err
		}
		if err := out.add(k, t); err != nil {
			return nil, err
		}
	}
	for _, a := range n.Aggs {
		t, err := a.Type(in)
		if err != nil {
			return nil, err
		}
		if err := out.add(a.Name, t); err != nil {
			return nil, err
		}
	}
	return out.columns, nil
}

// orderTypes returns the types of the keys of an order.
func orderTypes(in columnar.Schema, order []Order) ([]columnar.Type, error) {
	var types []columnar.Type
	known := typesIn(in)
	for _, o := range order {
		t, ok := known[o.Column]
		if !ok {
			_, err := column(in, o.Column)
			return nil, err
		}
		types = append(types, t)
	}
	return types, nil
}

func (n *Node) windowSchema(in columnar.Schema) (columnar.Schema, error) {
	types, err := orderTypes(in, n.Order)
	if err != nil {
		return nil, err
	}
	if _, err := orderTypes(in, n.Ties); err != nil {
		return nil, err
	}
	for _, k := range n.Keys {
		if _, err := column(in, k); err != nil {
			return nil, err
		}
	}
	out := newOutput(len(in) + len(n.Calls))
	if err := out.addAll(in); err != nil {
		return nil, err
	}
	for _, c := range n.Calls {
		t, err := c.Type(in, types)
		if err != nil {
			return nil, err
		}
		if err := out.add(c.Name, t); err != nil {
			return nil, err
		}
	}
	return out.columns, nil
}

func (n *Node) checkSort(in columnar.Schema) error {
	if n.Limit != nil && *n.Limit < 0 || n.Offset < 0 {
		return fmt.Errorf("a limit or an offset is less than 0 rows")
	}
	_, err := orderTypes(in, n.Order)
	return err
}

func (n *Node) checkPercentile(in columnar.Schema) error {
	t, err := column(in, n.Column)
	if err != nil {
		return err
	}
	if t != columnar.Int && t != columnar.Decimal && t != columnar.Float {
		return fmt.Errorf("column %q is %s, not a number", n.Column, t)
	}
	if !(n.Quantile >= 0 && n.Quantile <= 1) {
		return fmt.Errorf("the quantile is %v, not from 0 to 1", n.Quantile)
	}
	return nil
}

func (n *Node) unionSchema(in []columnar.Schema) (columnar.Schema, error) {
	if len(in) == 0 {
		return nil, fmt.Errorf("has no inputs")
	}
	for _, s := range in[1:] {
		if s.String() != in[0].String() {
			return nil, fmt.Errorf("columns differ: %s and %s", in[0], s)
		}
	}
	return in[0], nil
}
