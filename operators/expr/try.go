package expr

import (
	"analyzer/columnar"
	"analyzer/operators/registry"
)

// OpTry is a value, or null in rows in which computing it fails.
const OpTry Op = "try"

func init() {
	functions.Add(func() []function {
		return []function{{
			op: OpTry, takes: "a value", types: only(anyItem, anyItem), cost: costFixed, seesNulls: true,
			doc: registry.AnyValue.Doc("try", "(value)", "the value, or NULL in rows in which it cannot be computed",
				"try(CAST('x' AS BIGINT))", "NULL"),
		}}
	})
}

// attempt is the node of a try.
type attempt struct {
	result
	typ  columnar.Type
	of   node
	rows *guard
}

// attempt compiles a try, whose value is a scope of its own.
func (c *compiler) attempt(e *Expr) (operand, error) {
	of, g, err := c.guarded(e.Args[0])
	if err != nil {
		return operand{}, err
	}
	return operand{node: &once{node: &attempt{typ: of.typ, of: of.node, rows: g}}, typ: of.typ}, nil
}

// eval computes all rows at once, as most of the time none fails.
func (n *attempt) eval(in *input) (*columnar.Vector, error) {
	n.rows.pass(in)
	if v, err := n.of.eval(&n.rows.in); err == nil {
		return v, nil
	}
	n.start(n.typ, in.rows)
	n.halves(in, 0, in.rows)
	return &n.Vector, nil
}

// halves computes the rows from lo up to, not including, hi, of which one or more fail together: each
// half by itself.
func (n *attempt) halves(in *input, lo, hi int) {
	switch hi - lo {
	case 0:
		return
	case 1:
		n.setNull(lo)
		n.end(lo)
		return
	}
	middle := (lo + hi) / 2
	n.part(in, lo, middle)
	n.part(in, middle, hi)
}

func (n *attempt) part(in *input, lo, hi int) {
	n.rows.rows = n.rows.rows[:0]
	for i := lo; i < hi; i++ {
		n.rows.rows = append(n.rows.rows, int32(i))
	}
	n.rows.gather(in)
	v, err := n.of.eval(&n.rows.in)
	if err != nil {
		n.halves(in, lo, hi)
		return
	}
	for i := lo; i < hi; i++ {
		if v.IsNull(i - lo) {
			n.setNull(i)
		} else {
			n.set(i, v, i-lo)
		}
		n.end(i)
	}
}
