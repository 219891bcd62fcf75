package bind

import (
	"slices"
	"strings"

	"analyzer/columnar"
	"analyzer/operators/query/sql"
)

// items lists the columns of a SELECT, with stars expanded.
func (w around) items(s *sql.Select, in *relation, sc *scope) []*selected {
	b := w.b
	var all []*selected
	unnests := 0
	for _, item := range s.Items {
		if rowsList(item.Expr) != nil || isUnnest(item.Expr) || unnestsWithin(item.Expr) != nil {
			unnests++
		}
	}
	for _, item := range s.Items {
		if item.Expr.Kind == sql.Star {
			all = append(all, b.star(item.Expr, in)...)
			continue
		}
		if fields := w.unnestedFields(item, unnests == 1, in); fields != nil {
			all = append(all, fields...)
			continue
		}
		of := withUnnested(b.unpacked(item.Expr, in.fields), sc.aliases, in.fields)
		if item.Alias == "" && (rowsList(of) != nil || unnestsWithin(of) != nil) {
			item.Alias = ownName(item.Expr)
		}
		item.Expr = asUnnest(of)
		if e := columnsWithin(item.Expr); e != nil {
			all = append(all, b.ofColumns(item, e, in)...)
			continue
		}
		name := item.Alias
		if name == "" {
			of := item.Expr
			if of.Kind == sql.Place {
				of = atPlace(of, in.fields)
			}
			name = spelled(of, sc)
		}
		all = append(all, &selected{name: name, at: item.Expr.At, ast: item.Expr})
	}
	return all
}

// ownName is the name of a column of SELECT that is given none: its text, or what it names.
func ownName(e *sql.Expr) string {
	if e.Kind == sql.Column {
		return e.Path[len(e.Path)-1]
	}
	return e.String()
}

// spelled is the ownName of an expression, in the letters in which a field has it.
func spelled(e *sql.Expr, in *scope) string {
	name := ownName(e)
	if e.Kind != sql.Column {
		return name
	}
	for _, f := range in.named(e.Path) {
		if at := len(f.name) - len(name); at >= 0 && strings.EqualFold(f.name[at:], name) {
			return f.name[at:]
		}
	}
	return name
}

func (b *binder) star(e *sql.Expr, in *relation) []*selected {
	if all := b.starOfStruct(e, in); all != nil {
		return all
	}
	named := b.starOf(e, in.fields)
	all := columnar.Each(named, func(f field) *selected { return &selected{name: f.name, at: e.At, Value: b.columnOf(f, e.At)} })
	for _, r := range e.Replace {
		for i, f := range named {
			if strings.EqualFold(f.name, r.Alias) {
				all[i] = &selected{name: f.name, at: e.At, ast: r.Expr}
			}
		}
	}
	for _, r := range e.Rename {
		column := namespace{fields: named}.mustResolve(r.Expr).column
		for i, f := range named {
			if f.column == column {
				all[i].name = r.Alias
			}
		}
	}
	return all
}

// starOf returns the fields that a star stands for.
func (b *binder) starOf(e *sql.Expr, fields []field) []field {
	of := namespace{fields: fields}
	var named []field
	for _, f := range fields {
		if f.virtual {
			continue
		}
		if len(e.Path) == 0 && !f.merged || len(e.Path) > 0 && strings.EqualFold(f.table, e.Path[len(e.Path)-1]) {
			named = append(named, f)
		}
	}
	if len(named) == 0 && len(e.Path) > 0 {
		panic(of.unknown(e, e.Path[len(e.Path)-1], "*"))
	}
	for _, path := range e.Exclude {
		before := len(named)
		named = slices.DeleteFunc(named, func(f field) bool { return f.isAt(path) })
		if len(named) == before {
			panic(of.unknown(e, "", strings.Join(path, ".")))
		}
	}
	for _, r := range e.Replace {
		if indexOf(named, r.Alias) < 0 {
			panic(of.unknown(r.Expr, "", r.Alias))
		}
	}
	if len(e.Args) > 0 {
		return b.likeName(named, e)
	}
	return named
}

// isAt reports whether a path, which may begin with the name of a table, leads to a field, or to an object that the field is
// a part of.
func (f field) isAt(path []string) bool {
	name := strings.Join(path, ".")
	return strings.EqualFold(f.name, name) || isWithin(f, name+".") ||
		len(path) > 1 && strings.EqualFold(f.table, path[0]) && f.isAt(path[1:])
}
