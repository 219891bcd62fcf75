package expr

import (
	"slices"

	"analyzer/columnar"
)

// Fold returns an equivalent expression. Parts that do not depend on columns or
// parameters are computed, unless they run a text model, and the operations and and or
// lose the arguments that cannot matter. A part that would fail stays, and fails when
// it is evaluated. e must be valid.
func (e *Expr) Fold() *Expr {
	if e == nil || len(e.Args) == 0 {
		return e
	}
	folded := e.mapArgs((*Expr).Fold)
	switch folded.Op {
	case OpAnd, OpOr:
		return folded.foldLogic()
	case OpField:
		if of, at := folded.Args[0], folded.Args[1].Literal(); of.Op == OpStruct && at != nil {
			return FieldAt(of, int(at.Int))
		}
	case OpNot:
		if inner := folded.Args[0]; inner.Op == OpNot && len(inner.Args) == 1 {
			return inner.Args[0]
		}
	}
	return folded.foldCall()
}

// foldLogic folds the operations and and or: a literal that decides the result replaces
// it, and one that never decides is dropped.
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

// foldCall computes a function whose arguments are all literals, or of which one is a null
// that determines the result. Functions that run a text model stay.
func (e *Expr) foldCall() *Expr {
	f := e.Op.find()
	if f == nil || f.cost >= Expensive {
		return e
	}
	for _, a := range e.Args {
		if a.isLiteral() {
			if t := f.givesOnly(); a.Value.Null && !f.seesNulls && t == columnar.Bool {
				return Null(t)
			}
		}
	}
	if !e.isFixed(nil) {
		return e
	}
	if v, err := e.compute(nil); err == nil && v.Value.size() <= maxFolded && v.Value.check() == nil {
		return v
	}
	return e
}

// isFixed reports whether an expression has the same value in all rows: it is a literal, or made of such
// and of variables of functions within it. own has the names of those around it.
func (e *Expr) isFixed(own []string) bool {
	if e.isLiteral() || e.Op == OpVariable {
		return e.isLiteral() || slices.Contains(own, e.Name)
	}
	if f := e.Op.find(); f != nil && f.variables > 0 {
		for _, v := range e.Args[len(e.Args)-1-f.variables : len(e.Args)-1] {
			own = append(own[:len(own):len(own)], v.Name)
		}
	}
	return len(e.Args) > 0 && !slices.ContainsFunc(e.Args, func(a *Expr) bool { return !a.isFixed(own) })
}

// maxFolded is the size in bytes up to which a computed text replaces its expression: folding
// must not make a plan much larger than it was.
const maxFolded = 64 << 10

// compute evaluates an expression without columns for one row.
func (e *Expr) compute(env *Env) (*Expr, error) {
	v, err := e.computed(env)
	if err != nil {
		return nil, err
	}
	return literalAt(v, 0)
}

// computed is compute as a vector.
func (e *Expr) computed(env *Env) (*columnar.Vector, error) {
	t, err := e.TypeOf(nil)
	if err != nil {
		return nil, err
	}
	ev, err := newEvaluator(e, nil, t, env, nil)
	if err != nil {
		return nil, err
	}
	return ev.Eval(nil, 1)
}
