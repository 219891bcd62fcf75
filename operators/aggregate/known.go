package aggregate

import (
	"bytes"
	"cmp"
	"context"

	"analyzer/columnar"
	"analyzer/columnar/input"
	"analyzer/operators"
)

// TakeKnown takes in rows of which not the values are there but what is known of each column, and reports whether
// that is enough; otherwise it takes in nothing. Bounds may be those of more rows, all of which are taken in sooner or
// later.
func (o *Operator) TakeKnown(ctx context.Context, rows int, of func(column int) input.Bounds, emit operators.Emit) (bool, error) {
	g := o.groups
	if len(g.keys) > 0 || g.cfg.FromStates {
		return false, nil
	}
	states := columnar.Rows{Len: 1}
	for i, s := range g.states {
		state := columnar.NewVector(g.stateSchema[i].Type)
		if len(s.acc) != 1 || !s.agg.known(rows, g.inputs[i], of, state) && !g.surpassed(s, g.inputs[i], of, state) {
			return false, nil
		}
		states.Cols = append(states.Cols, state)
	}
	return true, o.takeIn(ctx, states, g.beginStored, emit)
}

// known appends the state of an aggregate over rows, if what is known of the columns that it reads tells it.
func (a Agg) known(rows int, reads []int, of func(column int) input.Bounds, state *columnar.Vector) bool {
	if a.Where != "" || len(a.Order) > 0 || len(reads) > 1 {
		return false
	}
	var b input.Bounds
	if len(reads) == 1 {
		b = of(reads[0])
	}
	switch {
	case a.Func == Count && (len(reads) == 0 || b.NoNulls):
		state.AppendInt(int64(rows))
	case a.Func == Count && b.AllNull:
		state.AppendInt(0)
	case (a.Func == Min || a.Func == Max) && b.AllNull:
		state.AppendNull()
	case a.Func == Min && b.Exact && b.Least != nil && b.Least.Type == state.Type:
		state.AppendRange(b.Least, 0, 1)
	case a.Func == Max && b.Exact && b.Greatest != nil && b.Greatest.Type == state.Type:
		state.AppendRange(b.Greatest, 0, 1)
	default:
		return false
	}
	return true
}

// surpassed appends a null, the state of no value, for rows of which none is beyond the extreme that there is already.
func (g *groups) surpassed(s *state, reads []int, of func(column int) input.Bounds, none *columnar.Vector) bool {
	if s.agg.Func != Min && s.agg.Func != Max || len(reads) != 1 || g.table.count != 1 {
		return false
	}
	b := of(reads[0])
	bound, sign := b.Least, -1
	if s.agg.Func == Max {
		bound, sign = b.Greatest, 1
	}
	has := columnar.NewVector(none.Type)
	if bound == nil || bound.Type != none.Type || s.acc[0].appendTo(s.column(0, g.records([]uint32{0})), has) != nil || has.IsNull(0) {
		return false
	}
	none.AppendNull()
	switch has.Type.Kind() {
	case columnar.KindInt64:
		return cmp.Compare(has.Ints[0], bound.Ints[0])*sign >= 0
	case columnar.KindBytes:
		return bytes.Compare(has.Bytes(0), bound.Bytes(0))*sign >= 0
	}
	return false
}
