package expr

import (
	"slices"

	"analyzer/columnar"
)

// Fold returns an expression of the same meaning in which what does not depend
// on columns or parameters has been computed, except for the text models, and
// in which and and or have lost the arguments that cannot matter. What would
// overflow stays, to fail when it is evaluated. e must be valid.
func (e *Expr) Fold() *Expr {
	if e == nil || len(e.Args) == 0 {
		return e
	}
	folded := e.mapArgs((*Expr).Fold)
	switch folded.Op {
	case OpAnd, OpOr:
		return folded.foldLogic()
	case OpNot:
		if inner := folded.Args[0]; inner.Op == OpNot && len(inner.Args) == 1 {
			return inner.Args[0]
		}
	}
	return folded.foldCall()
}

// foldLogic folds and and or: an argument that decides the result is the result,
// and one that never does goes.
func (e *Expr) foldLogic() *Expr {
	decisive := e.Op == OpOr
	var rest []*Expr
	null := false
	for _, a := range e.flatten(e.Op, nil) {
		switch {
		case a.IsBool(decisive):
			return Bool(decisive)
		case a.IsBool(!decisive):
		case a.isNullOf(columnar.Bool):
			if !null {
				rest = append(rest, a)
			}
			null = true
		default:
			rest = append(rest, a)
		}
	}
	switch {
	case len(rest) == 0:
		return Bool(!decisive)
	case len(rest) == 1:
		return rest[0]
	case slices.Equal(rest, e.Args):
		return e
	}
	return e.with(rest)
}

func (e *Expr) isNullOf(t columnar.Type) bool {
	return e.isLiteral() && e.Value.Null && e.Value.Type == t
}

// foldCall computes a function whose arguments are all literals, or one of which
// is null where that settles the result. What runs a text model stays.
func (e *Expr) foldCall() *Expr {
	f := byOp[e.Op]
	if f == nil || f.cost >= Expensive {
		return e
	}
	literals := 0
	for _, a := range e.Args {
		if a.isLiteral() {
			literals++
			if t := f.givesOnly(); a.Value.Null && !f.seesNulls && t == columnar.Bool {
				return Null(t)
			}
		}
	}
	if literals < len(e.Args) {
		return e
	}
	if v, err := e.compute(nil); err == nil && v.Value.size() <= maxFolded {
		return v
	}
	return e
}

// maxFolded is how many bytes a text has at most that takes the place of what makes it: a
// plan that is folded must not become much larger than it came.
const maxFolded = 64 << 10

// compute evaluates an expression without columns for one row.
func (e *Expr) compute(env *Env) (*Expr, error) {
	t, err := e.TypeOf(nil)
	if err != nil {
		return nil, err
	}
	ev, err := newEvaluator(e, nil, t, env)
	if err != nil {
		return nil, err
	}
	v, err := ev.Eval(nil, 1)
	if err != nil {
		return nil, err
	}
	return literalAt(v, 0)
}
