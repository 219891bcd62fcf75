package expr

import (
	"fmt"
	"slices"
)

// Columns returns the names of the columns e reads, sorted, each once.
func (e *Expr) Columns() []string { return e.names(OpColumn) }

// Params returns the names of the parameters e takes, sorted, each once.
func (e *Expr) Params() []string { return e.names(OpParam) }

func (e *Expr) names(op Op) []string {
	var names []string
	e.walk(func(n *Expr) {
		if n.Op == op {
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

// Bind returns e with every parameter replaced by what lookup returns for its
// name. lookup's errors are returned with the parameter's name.
func (e *Expr) Bind(lookup func(name string) (*Expr, error)) (*Expr, error) {
	return e.replace(OpParam, func(name string) (*Expr, error) {
		v, err := lookup(name)
		if err != nil {
			return nil, fmt.Errorf("parameter %q: %w", name, err)
		}
		if v == nil {
			return nil, fmt.Errorf("parameter %q has no value", name)
		}
		return v, nil
	})
}

// Rename returns e with every column replaced by what f returns for its name;
// where that is nil the column stays.
func (e *Expr) Rename(f func(name string) *Expr) *Expr {
	renamed, _ := e.replace(OpColumn, func(name string) (*Expr, error) { return f(name), nil })
	return renamed
}

// replace returns e with other nodes in the place of those of one operation.
// What does not change is shared with e.
func (e *Expr) replace(op Op, f func(name string) (*Expr, error)) (*Expr, error) {
	if e == nil {
		return nil, nil
	}
	if e.Op == op {
		r, err := f(e.Name)
		if r == nil && err == nil {
			r = e
		}
		return r, err
	}
	args, changed := e.Args, false
	for i, a := range e.Args {
		r, err := a.replace(op, f)
		if err != nil {
			return nil, err
		}
		if r != a && !changed {
			args, changed = slices.Clone(e.Args), true
		}
		if changed {
			args[i] = r
		}
	}
	if !changed {
		return e, nil
	}
	return e.with(args), nil
}

// Conjuncts returns the conditions that must all be true for e to be, in order:
// the arguments of and, flattened. It returns none for nil.
func Conjuncts(e *Expr) []*Expr {
	if e == nil {
		return nil
	}
	return e.flatten(OpAnd, nil)
}

// flatten appends e's arguments and, in the place of those of the same
// operation, theirs; or e itself if it is another operation.
func (e *Expr) flatten(op Op, dst []*Expr) []*Expr {
	if e.Op != op {
		return append(dst, e)
	}
	for _, a := range e.Args {
		dst = a.flatten(op, dst)
	}
	return dst
}

// Conjoin returns the condition that is true where all of conditions are: nil
// for none, and the condition itself for one.
func Conjoin(conditions []*Expr) *Expr {
	switch len(conditions) {
	case 0:
		return nil
	case 1:
		return conditions[0]
	}
	return And(conditions...)
}
