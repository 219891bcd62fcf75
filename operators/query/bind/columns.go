package bind

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"analyzer/columnar"
	"analyzer/operators/expr"
	"analyzer/operators/query/scalar"
	"analyzer/operators/query/sql"
)

// columnsWithin returns the COLUMNS within an expression, nil if there is none. If there are
// several, they are the same, and stand for one column at a time.
func columnsWithin(e *sql.Expr) (found *sql.Expr) {
	e.Walk(func(e *sql.Expr) bool {
		if e.Kind != sql.Columns {
			return true
		}
		if found != nil && found.String() != e.String() {
			panic(sql.Wrong(e.At, "", "an expression has two different COLUMNS"))
		}
		found = e
		return false
	})
	return found
}

// unpacked returns an expression with the columns that *COLUMNS stands for among the arguments around it.
func (b *binder) unpacked(e *sql.Expr, fields []field) *sql.Expr {
	many := func(e *sql.Expr) bool { return e != nil && e.Kind == sql.Columns && e.Text == sql.Unpacked }
	if !has(e, many) {
		return e
	}
	return e.Replaced(func(part *sql.Expr) *sql.Expr {
		if !slices.ContainsFunc(part.Args, many) {
			return nil
		}
		out := *part
		out.Args = nil
		for _, a := range part.Args {
			if many(a) {
				out.Args = append(out.Args, columnar.Each(b.fieldsOf(a, fields), func(f field) *sql.Expr { return f.inColumns(a) })...)
			} else {
				out.Args = append(out.Args, b.unpacked(a, fields))
			}
		}
		return &out
	})
}

// ofColumns returns the columns of a SELECT that an item with COLUMNS stands for: one for each of
// its columns, under whose name it is.
func (b *binder) ofColumns(item sql.Item, columns *sql.Expr, in *relation) []*selected {
	return columnar.Each(b.fieldsOf(columns, in.fields), func(f field) *selected {
		name := nameIn(columns.Args[0], f)
		if item.Alias != "" {
			name = partsOfName.ReplaceAllStringFunc(item.Alias, func(group string) string { return groupOfName(columns.Args[0], name, group[1]-'0') })
		}
		return &selected{name: name, at: item.Expr.At, ast: ofColumn(item.Expr, f)}
	})
}

// partsOfName are the places of a name that a group of the regular expression of COLUMNS fills.
var partsOfName = regexp.MustCompile(`\\[0-9]`)

// groupOfName is what a group of the pattern of COLUMNS matches in a name, nothing if there is no such group.
// Without a pattern it is the name.
func groupOfName(pattern *sql.Expr, name string, group byte) string {
	if pattern.Kind != sql.String {
		return name
	}
	found := regexp.MustCompile(pattern.Text).FindStringSubmatch(name)
	if int(group) >= len(found) {
		return ""
	}
	return found[group]
}

// ordersOf returns the keys of ORDER BY, with one for each of its columns in place of a key with COLUMNS.
func ordersOf(b *binder, q *sql.Query, fields []field) (all []sql.Order) {
	for _, o := range q.Order {
		refuseText(o.Expr)
		columns := columnsWithin(o.Expr)
		if columns == nil {
			all = append(all, o)
			continue
		}
		for _, f := range b.fieldsOf(columns, fields) {
			key := o
			key.Expr = ofColumn(o.Expr, f)
			all = append(all, key)
		}
	}
	return all
}

// refuseText refuses a text in quotes where a column is meant.
func refuseText(e *sql.Expr) {
	if e.Kind == sql.String {
		panic(sql.Wrong(e.At, "Next: write the name of a column without quotes, or in double ones.", "a text is no column"))
	}
}

// ofColumn returns an expression with a field in place of its COLUMNS.
func ofColumn(e *sql.Expr, f field) *sql.Expr {
	return e.Replaced(func(part *sql.Expr) *sql.Expr {
		if part.Kind == sql.Columns {
			return f.inColumns(part)
		}
		return nil
	})
}

// inColumns is what COLUMNS stands for at a field: its name, or what REPLACE has for it.
func (f field) inColumns(columns *sql.Expr) *sql.Expr {
	for _, r := range columns.Args[0].Replace {
		if strings.EqualFold(r.Alias, f.name) {
			return r.Expr
		}
	}
	return f.named(columns.At)
}

// nameIn is the name of a field behind a star, which RENAME may change.
func nameIn(star *sql.Expr, f field) string {
	for _, r := range star.Rename {
		if strings.EqualFold(ownName(r.Expr), f.name) {
			return r.Alias
		}
	}
	return f.name
}

// named returns the name of a field, as a statement writes it, and as Text its column, which tells it
// from others of the same name.
func (f field) named(at sql.Span) *sql.Expr {
	e := &sql.Expr{Kind: sql.Column, Path: []string{f.name}, Text: f.column, At: at}
	if f.table != "" {
		e.Path = []string{f.table, f.name}
	}
	return e
}

// fieldsOf returns the fields that COLUMNS stands for.
func (b *binder) fieldsOf(e *sql.Expr, fields []field) []field {
	switch of := e.Args[0]; of.Kind {
	case sql.Star:
		return b.starOf(of, fields)
	case sql.String:
		re, err := regexp.Compile(of.Text)
		if err != nil {
			panic(sql.Wrong(of.At, "", "%q is no regular expression: %v", of.Text, err))
		}
		found := visible(fields, func(f field) bool { return re.MatchString(f.name) })
		if len(found) == 0 {
			panic(sql.Wrong(of.At, "", "no column has a name like %q", of.Text))
		}
		return found
	case sql.Lambda:
		return visible(fields, func(f field) bool {
			name := scalar.TextOf(expr.Str(f.name))
			v := b.constant("COLUMNS").Lambda(of, name).Expr.Fold().Literal()
			return v != nil && v.Type == columnar.Bool && v.Bool
		})
	case sql.List:
		named := make(map[string]bool)
		for _, name := range of.Args {
			f := namespace{fields: fields}.mustResolve(name.At.Column(sql.TextOf(name)))
			named[f.column] = true
		}
		return visible(fields, func(f field) bool { return named[f.column] })
	}
	panic(sql.Unsupported(e.At, "Next: write a star, a regular expression, a lambda of the name or a list of names.", "such COLUMNS"))
}

// visible returns the fields that a star stands for, of those that are wanted.
func visible(fields []field, wanted func(field) bool) []field {
	return columnar.Only(fields, func(f field) bool { return !f.merged && !f.virtual && wanted(f) })
}

// atPlace returns the column of FROM that #1 and the like refer to.
func atPlace(e *sql.Expr, fields []field) *sql.Expr {
	all := visible(fields, func(field) bool { return true })
	n, err := strconv.Atoi(e.Text)
	if err != nil || n < 1 || n > len(all) {
		panic(sql.Certainly(e.At, "", "there is no column %s; there are 1 to %d", e, len(all)))
	}
	return all[n-1].named(e.At)
}

// likeName keeps the fields whose names are like the pattern behind a star.
func (b *binder) likeName(fields []field, star *sql.Expr) []field {
	pattern := star.Args[0]
	if star.Text == "SIMILAR TO" && !star.Not && pattern.Kind == sql.String { // a part of the name, as in DuckDB
		pattern = pattern.At.Text(".*(" + pattern.Text + ").*")
	}
	return slices.DeleteFunc(fields, func(f field) bool {
		name := star.At.Text(f.name)
		like := b.constant("the pattern of names").Like(&sql.Expr{Kind: sql.Like, Text: star.Text, Not: star.Not, Args: []*sql.Expr{name, pattern}, At: star.At})
		v := like.Expr.Fold().Literal()
		return v == nil || v.Null || !v.Bool
	})
}
