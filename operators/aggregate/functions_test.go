package aggregate_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"analyzer/columnar"
	"analyzer/operators/aggregate"
	"analyzer/operators/optest"
)

// TestEveryFunctionIsTheSameHoweverItIsComputed computes every function of arguments of all types
// that it takes, in one step and via states, with enough memory and without.
func TestEveryFunctionIsTheSameHoweverItIsComputed(t *testing.T) {
	rows := randomRows(rand.New(rand.NewPCG(1, 9)), 100, optest.Shape{Distinct: 20, Nulls: 2, Long: 40})
	for _, f := range aggregate.AllTaken() {
		args := argsOf(f.Types)
		if slices.Contains(args, "") { // of a type that only states have
			continue
		}
		aggs := []aggregate.Agg{{Func: f.Func, Args: args, Name: "x"}}
		c := inThree(rows, []string{"bool"}, aggs)
		c.Want = linesOf(t, inOne(rows, []string{"bool"}, aggs))
		c.Check(t, []int64{0, 128 << 10}, []int{1, 33})
	}
}

// argsOf returns columns of the types: of several columns of a type, the last one first.
func argsOf(types []columnar.Type) []string {
	var args []string
	for _, t := range types {
		name := ""
		for _, f := range slices.Backward(rowSchema) {
			if f.Type == t && (name == "" || slices.Contains(args, name)) {
				name = f.Name
			}
		}
		args = append(args, name)
	}
	return args
}

// linesOf returns what an operator emits.
func linesOf(t *testing.T, c optest.Case) []string {
	t.Helper()
	w := optest.NewWorld(0, nil)
	op, err := c.New(w.Runtime)
	if err != nil {
		t.Fatal(err)
	}
	lines, err := c.Run(op, 500)
	if err != nil {
		t.Fatal(err)
	}
	return lines
}
