package expr

import "analyzer/columnar"

// logic is and or or. It takes its arguments one by one into its result: true
// decides or, false decides and, for good.
type logic struct {
	result
	decisive bool
	args     []argument
}

// argument is one of and or or's, with a guard if it is computed only for the
// rows that are not decided.
type argument struct {
	node  node
	guard *guard
}

// logic compiles e's arguments, the first for every row.
func (c *compiler) logic(e *Expr) (node, error) {
	n := &logic{decisive: e.Op == OpOr}
	for i := 0; i < len(e.Args); {
		if i > 0 && c.scope.wantsGuard(c, e.Args[i]) {
			taken, err := c.guardArgs(n, e.Op, e.Args[i:])
			if err != nil {
				return nil, err
			}
			i += taken
			continue
		}
		arg, err := c.compile(e.Args[i])
		if err != nil {
			return nil, err
		}
		n.args = append(n.args, argument{node: arg.node})
		i++
	}
	return n, nil
}

// wantsGuard reports whether an argument is better not computed for every row of
// a scope, considering what is computed for them anyway.
func (s *scope) wantsGuard(c *compiler, e *Expr) bool {
	cost, canFail := s.extra(c, e)
	return canFail || cost >= costText
}

// extra is what e costs, and whether it can fail, without the parts that the
// scope computes already.
func (s *scope) extra(c *compiler, e *Expr) (cost int, canFail bool) {
	if _, ok := s.made[c.id(e)]; ok {
		return 0, false
	}
	cost, canFail = e.ownCost(), e.opCanFail()
	for _, a := range e.Args {
		more, fails := s.extra(c, a)
		cost, canFail = cost+more, canFail || fails
	}
	return cost, canFail
}

// guardArgs adds a guarded argument to n: the first of args, joined by those
// next to it that would be guarded as well but cost little once it is computed. It returns how many it took.
func (c *compiler) guardArgs(n *logic, op Op, args []*Expr) (taken int, err error) {
	outer := c.scope
	cost, canFail := outer.extra(c, args[0])
	c.scope = newScope()
	defer func() { c.scope = outer }()

	group := &logic{decisive: op == OpOr}
	for taken < len(args) && (taken == 0 || outer.wantsGuard(c, args[taken]) && !c.scope.wantsGuard(c, args[taken])) {
		arg, err := c.compile(args[taken])
		if err != nil {
			return 0, err
		}
		group.args = append(group.args, argument{node: arg.node})
		taken++
	}
	g := &guard{always: canFail || cost >= Expensive, cols: c.scope.columns()}
	for _, i := range g.cols {
		outer.reads[i] = true
		g.gathered = append(g.gathered, gathered{vec: columnar.NewVector(c.schema[i].Type)})
	}
	g.in.cols = make([]*columnar.Vector, len(c.schema))
	arg := argument{node: group, guard: g}
	if taken == 1 {
		arg.node = group.args[0].node
	}
	n.args = append(n.args, arg)
	return taken, nil
}

func (l *logic) eval(in *input) (*columnar.Vector, error) {
	first, err := l.args[0].node.eval(in)
	if err != nil {
		return nil, err
	}
	out := l.start(columnar.Bool, in.rows)
	copy(out.Bools, first.Bools[:in.rows])
	if first.Valid != nil {
		copy(l.validity(), first.Valid)
	}
	for _, arg := range l.args[1:] {
		if arg.guard == nil {
			v, err := arg.node.eval(in)
			if err != nil {
				return nil, err
			}
			l.takeAll(v)
			continue
		}
		done, err := l.evalGuarded(in, arg)
		if done || err != nil {
			return out, err
		}
	}
	return out, nil
}

// evalGuarded takes in an argument for the undecided rows; it is done if there
// are none.
func (l *logic) evalGuarded(in *input, arg argument) (done bool, err error) {
	g := arg.guard
	g.rows = l.undecided(g.rows[:0])
	if len(g.rows) == 0 {
		return true, nil
	}
	all := len(g.rows) == in.rows || (!g.always && len(g.rows) > in.rows/gatherShare)
	if all {
		g.pass(in)
	} else {
		g.gather(in)
	}
	v, err := arg.node.eval(&g.in)
	switch {
	case err != nil:
	case all:
		l.takeAll(v)
	default:
		l.takeSome(g.rows, v)
	}
	return false, err
}

// undecided appends the rows whose result another argument can change.
func (l *logic) undecided(dst []int32) []int32 {
	n := len(dst)
	dst = resizeKeep(dst, n+l.vec.Len)
	valid := l.vec.Valid
	for i, b := range l.vec.Bools {
		dst[n] = int32(i)
		if b != l.decisive || (valid != nil && !valid[i]) {
			n++
		}
	}
	return dst[:n]
}

// takeAll takes in an argument that was computed for every row.
func (l *logic) takeAll(v *columnar.Vector) {
	out := l.vec.Bools
	bools := v.Bools[:len(out)]
	switch {
	case l.vec.Valid != nil || v.Valid != nil:
		l.takeNulls(bools, v.Valid)
	case l.decisive:
		for i, b := range bools {
			a := out[i]
			out[i] = a || b
		}
	default:
		for i, b := range bools {
			a := out[i]
			out[i] = a && b
		}
	}
}

// takeNulls is takeAll where there are nulls.
func (l *logic) takeNulls(bools, valid []bool) {
	d, out, known := l.decisive, l.vec.Bools, l.ownValidity()
	for i, b := range bools {
		had, has := known[i], valid == nil || valid[i]
		decided := (had && out[i] == d) || (has && b == d)
		known[i] = decided || (had && has)
		out[i] = known[i] && decided == d
	}
}

// takeSome takes in an argument that was computed for the given rows.
func (l *logic) takeSome(rows []int32, v *columnar.Vector) {
	d, out, known := l.decisive, l.vec.Bools, l.vec.Valid
	if v.Valid != nil {
		known = l.ownValidity()
	}
	for k, i := range rows { // none is decided yet
		b, has := v.Bools[k], v.Valid == nil || v.Valid[k]
		decided := has && b == d
		if known != nil {
			known[i] = decided || (known[i] && has)
		}
		out[i] = decided == d && (known == nil || known[i])
	}
}

// ownValidity gives the result a validity if it has none, and returns it.
func (l *logic) ownValidity() []bool {
	if l.vec.Valid == nil {
		known := l.validity()
		for i := range known {
			known[i] = true
		}
	}
	return l.vec.Valid
}
