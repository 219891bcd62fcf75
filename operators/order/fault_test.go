package order_test

import (
	"math/rand/v2"
	"testing"

	"analyzer/columnar"
	"analyzer/operators/optest"
	"analyzer/operators/order"
)

// spilling is a sort in several passes, of which a budget of one byte spills all.
func spilling() optest.Case {
	schema := columnar.Schema{{Name: "a", Type: columnar.Int}, {Name: "b", Type: columnar.Text}}
	rows := optest.Random(rand.New(rand.NewPCG(9, 9)), schema, 1500, optest.Shape{Distinct: 500, Long: 100_000, Nulls: 1})
	return sorted(schema, rows, []order.Key{{Column: 0}}, -1)
}

func TestEveryFileSystemFaultIsAnError(t *testing.T) {
	spilling().Faults(t, 1, 30)
	percentile(randomNumbers(6000, columnar.Decimal), columnar.Decimal, 0.9).Faults(t, 1, 1000)
}

func TestCloseAtAnyPoint(t *testing.T) {
	for _, limit := range []int64{0, 1} {
		spilling().Close(t, limit, 100)
		percentile(randomNumbers(6000, columnar.Decimal), columnar.Decimal, 0.9).Close(t, limit, 1000)
	}
}

func TestCancelAtAnyPoint(t *testing.T) {
	for _, limit := range []int64{0, 1} {
		spilling().Cancel(t, limit, 100)
		percentile(randomNumbers(6000, columnar.Decimal), columnar.Decimal, 0.9).Cancel(t, limit, 1000)
	}
}
