package expr

import (
	"cmp"
	"slices"
	"strconv"
)

// Columns returns the names of the columns e reads, sorted, each once.
func (e *Expr) Columns() []string {
	var names []string
	e.walk(func(n *Expr) {
		if n.Op == OpColumn {
			names = append(names, n.Name)
		}
	})
	slices.Sort(names)
	return slices.Compact(names)
}

func (e *Expr) walk(visit func(*Expr)) {
	if e == nil {
		return
	}
	visit(e)
	for _, a := range e.Args {
		a.walk(visit)
	}
}

// Rename returns e with every column replaced by what f returns for its name; the column
// stays if that is nil. Parts that do not change are shared with e.
func (e *Expr) Rename(f func(name string) *Expr) *Expr {
	if e == nil {
		return nil
	}
	if e.Op == OpColumn {
		return cmp.Or(f(e.Name), e)
	}
	return e.mapArgs(func(a *Expr) *Expr { return a.Rename(f) })
}

// Canonical describes an expression, as String does, with variables named by their order. So
// expressions that differ in names of variables only have one text.
func (e *Expr) Canonical() string {
	names := make(map[string]string)
	e.walk(func(n *Expr) {
		if n.Op == OpVariable && names[n.Name] == "" {
			names[n.Name] = "variable " + strconv.Itoa(len(names))
		}
	})
	if len(names) == 0 {
		return e.String()
	}
	return e.named(names).String()
}

// named returns an expression with other names of its variables.
func (e *Expr) named(names map[string]string) *Expr {
	if e.Op == OpVariable {
		v := *e
		v.Name = names[e.Name]
		return &v
	}
	return e.mapArgs(func(a *Expr) *Expr { return a.named(names) })
}

// mapArgs returns e with each argument replaced by what f returns for it, or e itself if
// nothing changes.
func (e *Expr) mapArgs(f func(*Expr) *Expr) *Expr {
	args, changed := make([]*Expr, len(e.Args)), false
	for i, a := range e.Args {
		args[i] = f(a)
		changed = changed || args[i] != a
	}
	if !changed {
		return e
	}
	return e.with(args)
}

// Replace returns e with parts replaced by what f returns for them; what is in a part is looked at if that is nil. f does
// not see what is computed in some rows only, such as branches, nor what depends on variables.
func (e *Expr) Replace(f func(part *Expr) *Expr) *Expr {
	if other := f(e); other != nil {
		return other
	}
	if known := e.Op.find(); e.Op == OpIf || e.Op == OpTry || known == nil || known.lambda != nil {
		return e
	}
	return e.mapArgs(func(a *Expr) *Expr { return a.Replace(f) })
}

// Conjuncts returns the conditions that must all be true for e to be, in order:
// the arguments of and, flattened. It returns none for nil.
func Conjuncts(e *Expr) []*Expr {
	if e == nil {
		return nil
	}
	return e.flatten(OpAnd, nil)
}

// Disjuncts returns the conditions of which one must be true for e to be, in order: the arguments of or, flattened.
func Disjuncts(e *Expr) []*Expr { return e.flatten(OpOr, nil) }

// flatten appends the arguments of e if it is the operation op, flattening arguments that are
// the same operation; it appends e itself if it is another operation.
func (e *Expr) flatten(op Op, dst []*Expr) []*Expr {
	if e.Op != op {
		return append(dst, e)
	}
	for _, a := range e.Args {
		dst = a.flatten(op, dst)
	}
	return dst
}

// Conjoin returns the condition that is true where all conditions are: nil if there are
// none, and the condition itself if there is one.
func Conjoin(conditions []*Expr) *Expr {
	switch len(conditions) {
	case 0:
		return nil
	case 1:
		return conditions[0]
	}
	return And(conditions...)
}

// Parts returns how many parts an expression has, each counted as often as it stands there.
func (e *Expr) Parts() (n int) {
	e.walk(func(*Expr) { n++ })
	return n
}
