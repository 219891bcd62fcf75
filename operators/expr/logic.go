package expr

import "analyzer/columnar"

// The functions of three-valued logic.
const (
	OpAnd    Op = "and"
	OpOr     Op = "or"
	OpNot    Op = "not"
	OpIsNull Op = "is_null"
)

// And is true where every argument is true, and false where any is false.
func And(args ...*Expr) *Expr { return Call(OpAnd, args...) }

// Or is true where any argument is true, and false where all are false.
func Or(args ...*Expr) *Expr { return Call(OpOr, args...) }

// Not is true where a is false.
func Not(a *Expr) *Expr { return Call(OpNot, a) }

// IsNull is true where a is null and false elsewhere.
func IsNull(a *Expr) *Expr { return Call(OpIsNull, a) }

func init() { functions.Add(logicFunctions) }

func logicFunctions() []function {
	return []function{
		{
			op: OpAnd, takes: "bools", types: oneOf(columnar.Bool, columnar.Bool), many: true,
			cost: costFixed, seesNulls: true, binds: bindAnd, byValue: true,
		},
		{
			op: OpOr, takes: "bools", types: oneOf(columnar.Bool, columnar.Bool), many: true,
			cost: costFixed, seesNulls: true, binds: bindOr, byValue: true,
		},
		{
			op: OpNot, takes: "a bool", types: oneOf(columnar.Bool, columnar.Bool), cost: costFixed, binds: bindNot, byValue: true,
			build: just(not),
		},
		{
			op: OpIsNull, takes: "any value", types: append(oneOf(columnar.Bool, columnar.Types()...), sig(columnar.Bool, anyItem)),
			cost: costFixed, seesNulls: true, binds: bindCompare, byValue: true, build: just(isNull),
		},
	}
}

func not(out *result, args []*columnar.Vector) error {
	each1(out.Bools, args[0].Bools, func(b bool) bool { return !b })
	return nil
}

func isNull(out *result, args []*columnar.Vector) error {
	clear(out.Bools)
	if valid := args[0].Valid; valid != nil {
		each1(out.Bools, valid, func(ok bool) bool { return !ok })
	}
	return nil
}

// logic is the node of and or of or. It folds its arguments into the result one by one. A
// true decides or, and a false decides and, whatever the other arguments are.
type logic struct {
	result
	decisive bool
	args     []argument
}

// argument is an argument of logic. It has a guard if it is computed only for the
// undecided rows.
type argument struct {
	node  node
	guard *guard
}

// logic compiles e's arguments, the first for every row.
func (c *compiler) logic(e *Expr) (node, error) {
	n := &logic{decisive: e.Op == OpOr}
	for i := 0; i < len(e.Args); {
		if taken, err := c.takeSet(n, e, i); taken > 0 || err != nil {
			if err != nil {
				return nil, err
			}
			i += taken
			continue
		}
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

// takeSet adds arguments of or from the i-th on as one that looks a value up in a set, and returns how many. It adds none
// if they are few, or the value should be computed only for some rows.
func (c *compiler) takeSet(n *logic, e *Expr, i int) (taken int, err error) {
	if e.Op != OpOr {
		return 0, nil
	}
	taken = c.equalities(e.Args[i:])
	if taken < leastSet || i > 0 && c.scope.wantsGuard(c, e.Args[i].Args[0]) {
		return 0, nil
	}
	set, err := c.among(e, e.Args[i:i+taken])
	if set == nil {
		return 0, err
	}
	n.args = append(n.args, argument{node: set})
	return taken, nil
}

// wantsGuard reports whether an argument should be guarded: whether it can fail or is
// expensive, apart from the parts that the scope computes for every row anyway.
func (s *scope) wantsGuard(c *compiler, e *Expr) bool {
	cost, canFail := s.extra(c, e)
	return canFail || cost >= costText
}

// extra returns the cost of e and whether it can fail, without the parts that the scope
// computes already.
func (s *scope) extra(c *compiler, e *Expr) (cost int, canFail bool) {
	if _, ok := s.made[c.id(e)]; ok {
		return 0, false
	}
	cost, canFail = e.ownCost(), e.canFail()
	for _, a := range e.Args {
		more, fails := s.extra(c, a)
		cost, canFail = cost+more, canFail || fails
	}
	return cost, canFail
}

// guardArgs adds a guarded argument to n: the first of args, together with the ones that
// follow it if they want a guard too but would not within this one, because they share
// its parts. It returns how many it took.
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
	g := c.newGuard(outer)
	g.always = canFail || cost >= Expensive
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
	l.start(columnar.Bool, in.rows)
	out := &l.Vector
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

// evalGuarded folds in an argument for the undecided rows. done means that there are
// none.
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
	dst = resizeKeep(dst, n+l.Len)
	valid := l.Valid
	for i, b := range l.Bools {
		dst[n] = int32(i)
		if b != l.decisive || (valid != nil && !valid[i]) {
			n++
		}
	}
	return dst[:n]
}

// takeAll folds in an argument that was computed for every row.
func (l *logic) takeAll(v *columnar.Vector) {
	out := l.Bools
	bools := v.Bools[:len(out)]
	switch {
	case l.Valid != nil || v.Valid != nil:
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
	d, out, known := l.decisive, l.Bools, l.ownValidity()
	for i, b := range bools {
		had, has := known[i], valid == nil || valid[i]
		decided := (had && out[i] == d) || (has && b == d)
		known[i] = decided || (had && has)
		out[i] = known[i] && decided == d
	}
}

// takeSome folds in an argument that was computed for the given rows.
func (l *logic) takeSome(rows []int32, v *columnar.Vector) {
	d, out, known := l.decisive, l.Bools, l.Valid
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

// gatherShare limits when undecided rows are gathered: copying them together pays only up
// to one row in gatherShare, for an argument that is neither expensive nor able to fail.
const gatherShare = 3

// guard prepares the input of a part of a tree that is computed only for some
// rows of a batch.
type guard struct {
	always   bool // always gather: never compute rows that do not need it
	cols     []int
	gathered []gathered
	in       input
	rows     []int32
}

// gathered holds a column's values in the rows of a guard. The memory for validity is kept
// separately, since a vector drops it when it is reset.
type gathered struct {
	vec   *columnar.Vector
	valid []bool
}

// pass makes all rows of in the guard's input.
func (g *guard) pass(in *input) {
	for _, i := range g.cols {
		g.in.cols[i] = in.cols[i]
	}
	g.in.rows = in.rows
	g.in.pass++
}

// gather copies the rows of the guard into its input.
func (g *guard) gather(in *input) {
	for k, i := range g.cols {
		g.gathered[k].fill(in.cols[i], g.rows)
		g.in.cols[i] = g.gathered[k].vec
	}
	g.in.rows = len(g.rows)
	g.in.pass++
}

func (c *gathered) fill(src *columnar.Vector, rows []int32) {
	if src.Dictionary != nil {
		c.vec.Code(src, rows)
		return
	}
	if c.vec.Valid != nil {
		c.valid = c.vec.Valid
	}
	c.vec.Reset()
	if src.Valid != nil {
		c.vec.Valid = resize(c.valid, len(rows))[:0]
	}
	c.vec.AppendGather(src, rows)
}
