package optest

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"analyzer/columnar"
	"analyzer/operators"
)

// Case is an operator with an input and the expected answer.
type Case struct {
	New    func(rt *operators.Runtime) (operators.Operator, error)
	Inputs []Input // in the order in which they are pushed
	Output columnar.Schema
	Want   []string // the expected rows, in the form of Line
	// Ordered says that the order of the rows matters.
	Ordered bool
}

// Input is all rows of one input of an operator.
type Input struct {
	Schema columnar.Schema
	Rows   columnar.Rows
}

// Check runs the operator with each budget (0 for none) and each batch size, twice each. The n-th
// budget goes with the n-th batch size; of the shorter list the first follow the last.
func (c Case) Check(t *testing.T, budgets []int64, batches []int) {
	t.Helper()
	for i := range max(len(budgets), len(batches)) {
		limit, batch := budgets[i%len(budgets)], batches[i%len(batches)]
		if c.check(t, limit, batch); t.Failed() {
			t.Fatalf("with a budget of %d bytes, in batches of %d rows", limit, batch)
		}
	}
}

func (c Case) check(t *testing.T, limit int64, batch int) {
	t.Helper()
	w := NewWorld(limit, nil)
	op, err := c.New(w.Runtime)
	if err != nil {
		t.Fatal(err)
	}
	for epoch := range 2 {
		got, err := c.Run(op, batch)
		if err != nil {
			t.Fatalf("epoch %d: %v", epoch, err)
		}
		if diff := c.compare(got); diff != "" {
			t.Errorf("epoch %d: %s", epoch, diff)
		}
		w.CheckEmpty(t)
	}
	for range 2 {
		if err := op.Close(); err != nil {
			t.Error(err)
		}
	}
	w.CheckEmpty(t)
	if err := w.Scratch.Close(); err != nil {
		t.Error(err)
	}
}

// Run pushes and finishes all inputs of an operator and returns the rows that it emits.
func (c Case) Run(op operators.Operator, batch int) ([]string, error) {
	out := collector{schema: c.Output, most: max(operators.PageRows, batch)}
	err := c.drive(context.Background(), op, batch, out.emit)
	return out.lines, err
}

func (c Case) drive(ctx context.Context, op operators.Operator, batch int, emit operators.Emit) error {
	for i, in := range c.Inputs {
		forms := forms(op, in.Rows)
		for lo := 0; lo < in.Rows.Len; lo += batch {
			rows := forms[(lo/batch+batch)%len(forms)]
			if err := push(ctx, op, in.Schema, i, rows, lo, min(lo+batch, in.Rows.Len), emit); err != nil {
				return err
			}
		}
		if err := op.Finish(ctx, i, emit); err != nil {
			return err
		}
	}
	return nil
}

// compare describes how an answer differs from the expected one; "" if it does not.
func (c Case) compare(got []string) string {
	want := c.Want
	if !c.Ordered {
		got, want = slices.Sorted(slices.Values(got)), slices.Sorted(slices.Values(want))
	}
	for i := range min(len(got), len(want)) {
		if got[i] != want[i] {
			return fmt.Sprintf("row %d of %d is\n%s, want\n%s", i, len(got), head(got[i]), head(want[i]))
		}
	}
	if len(got) != len(want) {
		return fmt.Sprintf("%d rows, want %d", len(got), len(want))
	}
	return ""
}

func head(s string) string { return s[:min(len(s), 500)] }
