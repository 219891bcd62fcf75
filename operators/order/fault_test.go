package order_test

import (
	"testing"

	"analyzer/columnar"
	"analyzer/operators/optest"
	"analyzer/operators/order"
)

// spilling is a sort in several passes.
func spilling() optest.Case {
	return sorted(bulkySchema, bulkyRows(40), []order.Key{{Column: "a"}}, -1)
}

func TestEveryFileSystemFaultIsAnError(t *testing.T) {
	skipShort(t)
	spilling().Faults(t, 1, 10)
	percentile(randomNumbers(6000, columnar.Decimal), columnar.Decimal, 0.9).Faults(t, 1, 1000)
}

func TestCloseAtAnyPoint(t *testing.T) {
	for _, limit := range []int64{0, 1} {
		spilling().Close(t, limit, 5)
		percentile(randomNumbers(6000, columnar.Decimal), columnar.Decimal, 0.9).Close(t, limit, 1000)
	}
}

func TestCancelAtAnyPoint(t *testing.T) {
	for _, limit := range []int64{0, 1} {
		spilling().Cancel(t, limit, 5)
		percentile(randomNumbers(6000, columnar.Decimal), columnar.Decimal, 0.9).Cancel(t, limit, 1000)
	}
}
