package aggregate_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"analyzer/columnar"
	"analyzer/operators"
	"analyzer/operators/aggregate"
	"analyzer/operators/optest"
)

// handing is a set of operators that take rows in turn and hand their groups over to others.
type handing struct {
	rt             *operators.Runtime
	partial, final aggregate.Config
	from, to       []*aggregate.Operator
	handed         *aggregate.Handed
	next           int
}

func newHanding(rt *operators.Runtime, partial, final aggregate.Config) (*handing, error) {
	h := &handing{rt: rt, partial: partial, final: final, handed: aggregate.NewHanded(rt.Budget, 2)}
	for i, cfg := range []aggregate.Config{partial, partial, final, final} {
		op, err := aggregate.New(rt, cfg)
		if err != nil {
			return nil, err
		}
		if i < 2 {
			op.HandOver(h.handed)
			h.from = append(h.from, op)
		} else {
			op.TakeOver(h.handed)
			h.to = append(h.to, op)
		}
	}
	return h, nil
}

func (h *handing) Push(ctx context.Context, _ int, rows columnar.Rows, _ operators.Emit) error {
	h.next++
	none := func(columnar.Rows) error { return errors.New("groups are emitted that are to be handed over") }
	return h.from[h.next%len(h.from)].Push(ctx, 0, rows, none)
}

func (h *handing) Finish(ctx context.Context, _ int, emit operators.Emit) error {
	var out, in int64
	for _, op := range slices.Concat(h.from, h.to) {
		if err := op.Finish(ctx, 0, emit); err != nil {
			return err
		}
		out, in = out+op.Crossed().Out, in+op.Crossed().In
	}
	if in != out {
		return fmt.Errorf("%d groups were handed over, %d taken", out, in)
	}
	err := h.handed.Close()
	again, fail := newHanding(h.rt, h.partial, h.final)
	if fail == nil {
		*h = *again
	}
	return errors.Join(err, fail)
}

func (h *handing) Close() error {
	var errs []error
	for _, op := range slices.Concat(h.from, h.to) {
		errs = append(errs, op.Close())
	}
	return errors.Join(append(errs, h.handed.Close())...)
}

// handed aggregates rows in two operators, which hand their groups to two others.
func handed(rows columnar.Rows, keys []string, aggs []aggregate.Agg) optest.Case {
	c := whole(rows, keys, aggs)
	c.New = func(rt *operators.Runtime) (operators.Operator, error) {
		partial, final := partialAndFinal(keys, aggs)
		return newHanding(rt, partial, final)
	}
	return c
}

func TestHandedOver(t *testing.T) {
	aggs := everyAgg[:len(everyAgg)-1] // without a list
	everyShape(t, keysOfAllKinds[1:], func(t *testing.T, rows columnar.Rows, keys []string) {
		handed(rows, keys, aggs).Check(t, []int64{0, 1, 1 << 20}, []int{7, 600, 2500})
	})
}

func TestHandedOverFaults(t *testing.T) {
	rows := randomRows(rand.New(rand.NewPCG(12, 12)), 1500, optest.Shape{Distinct: 4000, Nulls: 1})
	c := handed(rows, []string{"text", "int"}, everyAgg[:5])
	c.Faults(t, 1, 300)
	c.Close(t, 1, 300)
	c.Cancel(t, 1, 300)
}

// States that grow with the rows of a group, and an aggregation without keys, are not handed
// over.
func TestCanHandOver(t *testing.T) {
	for _, c := range []struct {
		keys []string
		agg  aggregate.Agg
		can  bool
	}{
		{[]string{"int"}, aggregate.Agg{Func: aggregate.Sum, Args: []string{"ratio"}, Name: "a"}, true},
		{nil, aggregate.Agg{Func: aggregate.Sum, Args: []string{"ratio"}, Name: "a"}, false},
		{[]string{"int"}, aggregate.Agg{Func: aggregate.List, Args: []string{"n"}, Name: "a"}, false},
		{[]string{"int"}, aggregate.Agg{Func: aggregate.QuantileCont, Args: []string{"n"}, Name: "a"}, false},
		{[]string{"int"}, aggregate.Agg{Func: aggregate.Min, Args: []string{"text"}, Name: "a"}, false},
	} {
		partial, final := partialAndFinal(c.keys, []aggregate.Agg{c.agg})
		if got := partial.CanHandOver(); got != c.can {
			t.Errorf("%v by %v: %t", c.agg, c.keys, got)
		}
		if final.CanHandOver() {
			t.Errorf("%v by %v: values can be handed over", c.agg, c.keys)
		}
	}
}
