package aggregate_test

import (
	"math/rand/v2"
	"testing"

	"analyzer/operators/optest"
)

// spilling is an input most of which spills with a budget of one byte, some of
// it twice.
func spilling() optest.Case {
	rows := randomRows(rand.New(rand.NewPCG(7, 7)), 3000, optest.Shape{Distinct: 2500, Nulls: 1})
	return whole(rows, []string{"int", "text"}, everyAgg)
}

func TestEveryFileSystemFaultIsAnError(t *testing.T) { spilling().Faults(t, 1, 1000) }

func TestCloseAtAnyPoint(t *testing.T) {
	spilling().Close(t, 0, 1000)
	spilling().Close(t, 1, 1000)
}

func TestCancelAtAnyPoint(t *testing.T) {
	spilling().Cancel(t, 0, 1000)
	spilling().Cancel(t, 1, 1000)
}
