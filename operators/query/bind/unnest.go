package bind

import (
	"cmp"
	"math"
	"strings"

	"analyzer/columnar"
	"analyzer/operators/expr"
	"analyzer/operators/query/plan"
	"analyzer/operators/query/scalar"
	"analyzer/operators/query/sql"
)

// unnestName is the function that turns the items of a list into rows.
const unnestName = "unnest"

func isUnnest(e *sql.Expr) bool { return e.Kind == sql.Call && e.Text == unnestName }

// asUnnest returns a column of SELECT that gives rows as unnest of the list of these, and any other as it is: a
// function such as generate_subscripts, or an expression of unnested items, which is computed for each item of
// the list, or of the lists side by side.
func asUnnest(e *sql.Expr) *sql.Expr {
	if list := rowsList(e); list != nil {
		return e.At.Call(unnestName, list)
	}
	lists := unnestsWithin(e)
	if lists == nil {
		return e
	}
	parameter := e.String() // which no name within it is
	item := e.At.Column(parameter)
	all := e.At.Call("list_zip", columnar.Each(lists, rowsList)...)
	if len(lists) == 1 {
		all = all.Args[0]
	}
	places := 0
	of := e.Replaced(func(part *sql.Expr) *sql.Expr {
		switch {
		case rowsList(part) == nil:
			return nil
		case len(lists) == 1:
			return item
		}
		places++
		return e.At.Item(item, places)
	})
	lambda := &sql.Expr{Kind: sql.Lambda, Path: []string{parameter}, Args: []*sql.Expr{of}, At: e.At}
	return asUnnest(e.At.Call(unnestName, e.At.Call("list_transform", all, lambda)))
}

// placed unnests lists of a node of those columns, and numbers the items that a row becomes, for their order.
func (b *binder) placed(n *plan.Node, columns []string, lists ...plan.Unnested) (out *plan.Node, order plan.Order) {
	place := b.Unique("place")
	b.Types[place] = columnar.Int
	longest := expr.Call(expr.OpGreatest, columnar.Each(lists, func(l plan.Unnested) *expr.Expr { return expr.Len(expr.Col(l.Column)) })...)
	if len(lists) == 1 {
		longest = longest.Args[0]
	}
	numbers := plan.As(place, expr.Call(expr.OpRange, expr.Int(0), longest, expr.Int(1)))
	lists = append(lists, plan.Unnested{Column: place, As: place, Place: true})
	return n.Project(append(plan.Cols(columns...), numbers)...).UnnestAll(lists...), plan.Asc(place)
}

// hasOneRow reports whether a plan has one row at most, as an aggregation without keys, or a query without FROM, which
// reads nothing.
func hasOneRow(n *plan.Node, nothing *Table) bool {
	switch n.Op {
	case plan.Aggregate:
		return len(n.Keys) == 0
	case plan.Scan:
		return nothing != nil && n.Table == nothing.Parts[0].Name
	case plan.Project, plan.Filter:
		return hasOneRow(n.Inputs[0], nothing)
	}
	return false
}

// rowsList is the list whose items a call gives as rows, nil if it is no such call.
func rowsList(e *sql.Expr) *sql.Expr {
	if e.Kind != sql.Call || e.Window != nil {
		return nil
	}
	switch e.Text {
	case unnestName, "unlist":
		if len(e.Args) == 1 {
			return e.Args[0]
		}
	case "regexp_split_to_table":
		scalar.Functions.Find(e.Text).CheckCount(e)
		list := *e
		list.Text = "string_split_regex"
		return &list
	case "generate_subscripts":
		scalar.Functions.Find(e.Text).CheckCount(e)
		length := e.At.Call("array_length", e.Args...)
		return e.At.Call("generate_series", e.At.Number(1), length)
	}
	return nil
}

// withUnnested returns an expression with the calls that give rows in place of their names, where no column has these.
func withUnnested(e *sql.Expr, aliases map[string]*sql.Expr, fields []field) *sql.Expr {
	named := func(part *sql.Expr) *sql.Expr {
		if part.Kind != sql.Column || len(part.Path) != 1 || indexOf(fields, part.Path[0]) >= 0 {
			return nil
		}
		if of := aliases[strings.ToLower(part.Path[0])]; of != nil && rowsList(of) != nil {
			return of
		}
		return nil
	}
	if !has(e, func(part *sql.Expr) bool { return named(part) != nil }) { // it stays the one that its name is for
		return e
	}
	return e.Replaced(func(part *sql.Expr) *sql.Expr {
		if part.Kind == sql.Lambda { // which has names of its own
			return part
		}
		return named(part)
	})
}

// unnestsWithin returns the calls within an expression that give rows.
func unnestsWithin(e *sql.Expr) (all []*sql.Expr) {
	e.Walk(func(part *sql.Expr) bool {
		if part != e && rowsList(part) != nil {
			all = append(all, part)
			return false
		}
		return true
	})
	return all
}

// unnestedFields returns the columns that unnest of a struct stands for, and unnest with options; nil for anything
// else. Lists within lists are unnested alone: beside others, DuckDB repeats the rows of these.
func (w around) unnestedFields(item sql.Item, alone bool, in *relation) []*selected {
	e := item.Expr
	if !isUnnest(e) || len(e.Args) == 0 {
		return nil
	}
	how := w.b.unnestOptions(e)
	if !how.recursive {
		list := e.Args[0].Kind == sql.List || has(e.Args[0], func(e *sql.Expr) bool { return isAggregateCall(e) || e.Window != nil || e.Query != nil })
		if fields := w.b.structFields(e.Args[0], in); fields != nil || list && len(e.Args) == 1 {
			return fields
		}
	}
	list, t := e.Args[0], w.argument(e.Args[0], in).Type
	if len(e.Args) == 1 && !t.IsStruct() {
		return nil
	}
	lists, depth := 0, how.depth
	for ; t.Item() != columnar.Invalid && depth > 0; lists, depth = lists+1, depth-1 {
		if t = t.Item(); lists > 0 {
			list = e.At.Call("flatten", list)
		}
	}
	if lists > 1 && !alone {
		panic(sql.Unsupported(e.At, "Next: unnest one of them in a query in FROM.", "lists within lists that are unnested beside others"))
	}
	column := func(name string, path []int) *selected {
		return &selected{name: name, at: e.At, ast: fieldsOfItems(list, lists > 0, path)}
	}
	if !t.IsStruct() || lists > 0 && !how.recursive || depth == 0 {
		return []*selected{column(cmp.Or(item.Alias, e.String()), nil)}
	}
	return how.leaves(t, depth, "", nil, column)
}

// argument binds what is unnested, of which only the type is known then. A query within is none of the statement's.
func (w around) argument(e *sql.Expr, in *relation) scalar.Value {
	return w.scope(unnestName, in.fields).asking(w.with).expr(e)
}

// unnesting says how deep unnest goes, and whether the names of structs stand before those of their fields.
type unnesting struct {
	depth              int64
	recursive, parents bool
}

// unnestOptions reads the arguments of unnest behind the first one.
func (b *binder) unnestOptions(e *sql.Expr) unnesting {
	how := unnesting{depth: 1}
	for _, option := range e.Args[1:] {
		name, value := "", option
		if option.Kind == sql.Binary && option.Text == "=" && option.Not {
			name, value = strings.ToLower(option.Args[0].Path[0]), option.Args[1]
		}
		yes := value.Kind == sql.Boolean && value.Text == "TRUE"
		switch {
		case name == "max_depth":
			how.depth, how.recursive = b.constant("unnest").LiteralInt(value, 1, "a depth"), true
		case name == "recursive" && value.Kind == sql.Boolean:
			if how.recursive = how.recursive || yes; yes && how.depth == 1 {
				how.depth = math.MaxInt64
			}
		case name == "keep_parent_names" && value.Kind == sql.Boolean:
			how.parents = yes
		default:
			panic(sql.Wrong(e.At, "There are recursive, max_depth and keep_parent_names.", "it is %s", scalar.Functions.Find(unnestName).Usage))
		}
	}
	return how
}

// leaves returns the columns of the fields of a struct, and of structs in these as deep as that.
func (how unnesting) leaves(t columnar.Type, depth int64, within string, path []int, column func(name string, path []int) *selected) (all []*selected) {
	for i, f := range t.Fields() {
		at, name := append(path[:len(path):len(path)], i+1), f.Name
		if how.parents {
			name = within + f.Name
		}
		if f.Type.IsStruct() && depth > 1 {
			all = append(all, how.leaves(f.Type, depth-1, name+".", at, column)...)
			continue
		}
		all = append(all, column(name, at))
	}
	return all
}

// fieldsOfItems is a field of a struct, by its place in the structs around it, or of each struct in a list, which
// is unnested.
func fieldsOfItems(of *sql.Expr, isList bool, path []int) *sql.Expr {
	field := func(e *sql.Expr) *sql.Expr {
		for _, place := range path {
			e = of.At.Item(e, place)
		}
		return e
	}
	if !isList {
		return field(of)
	}
	unnested := of.At.Call(unnestName, of)
	return asUnnest(field(unnested))
}
