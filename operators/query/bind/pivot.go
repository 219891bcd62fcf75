package bind

import (
	"cmp"
	"slices"
	"strings"

	"analyzer/columnar"
	"analyzer/operators/query/sql"
)

// pivoted is the name of the table that a PIVOT or an UNPIVOT reads, in the query that it becomes.
const pivoted = "pivoted"

// pivot binds a table with columns made of values: it becomes a query with an aggregate for each
// of them, whose FILTER wants the value.
func (w around) pivot(f *sql.From) *relation {
	for _, on := range f.Pivot.On {
		if on.Values == nil {
			panic(sql.Unsupported(on.Expr.At, "Next: name the values that become columns, as in ON year IN (2000, 2010).", "PIVOTs without a list of values here"))
		}
	}
	v, rel := f.Pivot, w.query(sql.StarOf(f.Pivot.Of))
	within := w.and(sql.CTE{Name: pivoted, At: f.At}, rel)
	using := v.Using
	if len(using) == 0 {
		using = []sql.Item{sql.CountOfRows(f.At)}
	}
	groups := v.GroupBy
	if len(groups) == 0 {
		groups = notRead(v, rel.fields, f.At)
	}
	s := &sql.Select{At: f.At, From: tableNamed(pivoted, f.At), GroupBy: groups}
	for _, g := range groups {
		s.Items = append(s.Items, sql.Item{Expr: g})
	}
	for _, c := range combinations(v.On) {
		for _, u := range using {
			name := c.name
			if u.Alias != "" || len(using) > 1 {
				name += "_" + nameOf(u)
			}
			s.Items = append(s.Items, sql.Item{Expr: filtered(u.Expr, c.where), Alias: name})
		}
	}
	w.b.Work.Do(len(s.Items))
	return within.query(&sql.Query{At: f.At, Select: s})
}

func tableNamed(name string, at sql.Span) *sql.From { return &sql.From{At: at, Path: []string{name}} }

func nameOf(i sql.Item) string {
	switch {
	case i.Alias != "":
		return i.Alias
	case i.Expr.Kind == sql.String:
		return i.Expr.Text
	case i.Expr.Kind == sql.Tuple:
		return strings.Join(columnar.Each(i.Expr.Args, func(e *sql.Expr) string { return nameOf(sql.Item{Expr: e}) }), "_")
	}
	return i.Expr.String()
}

// notRead returns the columns that a PIVOT does not read otherwise, by which it groups.
func notRead(v *sql.Pivot, fields []field, at sql.Span) []*sql.Expr {
	read := make(map[string]bool)
	mark := func(e *sql.Expr) {
		e.Walk(func(e *sql.Expr) bool {
			if e.Kind == sql.Column {
				read[strings.ToLower(e.Path[len(e.Path)-1])] = true
			}
			return true
		})
	}
	for _, on := range v.On {
		mark(on.Expr)
	}
	for _, u := range v.Using {
		mark(u.Expr)
	}
	left := visible(fields, func(f field) bool { return !read[strings.ToLower(f.name)] })
	return columnar.Each(left, func(f field) *sql.Expr { return at.Column(f.name) })
}

// combination is one of the columns of a PIVOT: a value of each of its expressions.
type combination struct {
	name  string
	where *sql.Expr
}

func combinations(on []sql.PivotOn) []combination {
	all := []combination{{}}
	for _, o := range on {
		var longer []combination
		for _, c := range all {
			for _, value := range o.Values {
				next := combination{nameOf(value), value.Expr.At.Binary("=", o.Expr, value.Expr)}
				if c.where != nil {
					next = combination{c.name + "_" + next.name, next.where.At.Binary("AND", c.where, next.where)}
				}
				longer = append(longer, next)
			}
		}
		all = longer
	}
	return all
}

// filtered gives all aggregates of an expression a condition.
func filtered(e, where *sql.Expr) *sql.Expr {
	return e.Replaced(func(part *sql.Expr) *sql.Expr {
		if part.Kind != sql.Call || part.Window != nil || !isAggregate(part.Text) {
			return nil
		}
		out := *part
		if out.Filter = where; part.Filter != nil {
			out.Filter = part.Filter.At.Binary("AND", where, part.Filter)
		}
		return &out
	})
}

// unpivot binds a table with rows made of columns: each row becomes as many as there are columns.
func (w around) unpivot(f *sql.From) *relation {
	u, rel := f.Unpivot, w.query(sql.StarOf(f.Unpivot.Of))
	columns, named := unpivotedColumns(w.b, u, rel.fields)
	made := columnar.FreeName("which", columnar.Each(rel.fields, func(f field) string { return strings.ToLower(f.name) }))
	which := f.At.Column(made)
	numbers := f.At.List()
	name := &sql.Expr{Kind: sql.Case, Args: []*sql.Expr{which}, At: f.At}
	values := columnar.Each(u.Values, func(string) *sql.Expr { return &sql.Expr{Kind: sql.Case, Args: []*sql.Expr{which}, At: f.At} })
	for i, group := range columns {
		number := f.At.Number(i + 1)
		numbers.Args = append(numbers.Args, number)
		name.Args = append(name.Args, number, f.At.Text(named[i]))
		for j, c := range group {
			values[j].Args = append(values[j].Args, number, c.value)
		}
	}
	name.Args = append(name.Args, nil)
	all := &sql.Select{At: f.At, From: tableNamed(pivoted, f.At), Items: []sql.Item{
		{Expr: &sql.Expr{Kind: sql.Star, At: f.At}},
		{Expr: f.At.Call(unnestName, numbers), Alias: made},
	}}
	s := &sql.Select{At: f.At, From: &sql.From{At: f.At, Query: &sql.Query{At: f.At, Select: all}}}
	for _, other := range visible(rel.fields, func(f field) bool { return !slices.ContainsFunc(slices.Concat(columns...), f.isOf) }) {
		s.Items = append(s.Items, sql.Item{Expr: f.At.Column(other.name)})
	}
	s.Items = append(s.Items, sql.Item{Expr: name, Alias: u.Name})
	for i, value := range values {
		value.Args = append(value.Args, nil)
		s.Items = append(s.Items, sql.Item{Expr: value, Alias: u.Values[i]})
		if is := (&sql.Expr{Kind: sql.IsNull, Not: true, Args: []*sql.Expr{value}, At: f.At}); s.Where == nil {
			s.Where = is
		} else {
			s.Where = f.At.Binary("AND", s.Where, is)
		}
	}
	if u.Nulls {
		s.Where = nil
	}
	w.b.Work.Do(len(rel.fields))
	return w.and(sql.CTE{Name: pivoted, At: f.At}, rel).query(&sql.Query{At: f.At, Select: s})
}

// turned is a column that becomes rows, and its values there.
type turned struct {
	field
	value *sql.Expr
}

func (f field) isOf(t turned) bool { return f.column == t.column }

// unpivotedColumns returns the columns that become rows, as many for each as it has values, and the names that the
// rows have.
func unpivotedColumns(b *binder, u *sql.Unpivot, fields []field) (columns [][]turned, named []string) {
	add := func(name string, group ...turned) {
		columns, named = append(columns, group), append(named, name)
	}
	for _, item := range u.On {
		e := item.Expr
		if e.Kind == sql.Star {
			e = &sql.Expr{Kind: sql.Columns, Args: []*sql.Expr{e}, At: e.At}
		}
		parts := []*sql.Expr{e}
		if e.Kind == sql.Tuple {
			parts = e.Args
		}
		if len(parts) != len(u.Values) {
			panic(sql.Wrong(e.At, "", "%d columns are named for %d values", len(parts), len(u.Values)))
		}
		if all := columnsWithin(e); all != nil {
			for _, f := range b.fieldsOf(all, fields) {
				add(f.name, turned{f, ofColumn(e, f)})
			}
			continue
		}
		group := columnar.Each(parts, func(e *sql.Expr) turned { return turned{namespace{fields: fields}.mustResolve(onlyColumn(e)), e} })
		add(cmp.Or(item.Alias, strings.Join(columnar.Each(group, func(t turned) string { return t.name }), "_")), group...)
	}
	return columns, named
}

// onlyColumn returns the column that an expression is of.
func onlyColumn(e *sql.Expr) (column *sql.Expr) {
	e.Walk(func(part *sql.Expr) bool {
		if part.Kind != sql.Column {
			return true
		}
		if column != nil && column.String() != part.String() {
			panic(sql.Wrong(e.At, "Next: compute it in a query in FROM, and name its column.", "an UNPIVOT is of one column at a time, and this has several"))
		}
		column = part
		return false
	})
	if column == nil {
		panic(sql.Wrong(e.At, "", "an UNPIVOT is of columns, and this has none"))
	}
	return column
}
