package engine

import (
	"fmt"
	"testing"

	"analyzer/columnar"
	"analyzer/operators/query/physical"
	"analyzer/operators/query/plan"
)

// TestVectorsOfManyColumnsCount: what the vectors of thousands of columns take is not there for state, up to half of it;
// those of few columns count for nothing.
func TestVectorsOfManyColumnsCount(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine plans and computes for some seconds")
	}
	const memory = 64 << 20
	before := int64(0)
	for _, columns := range []int{100_000, 5000, 3} {
		table := &columnar.Table{Name: "t"}
		for c := range columns {
			name := fmt.Sprint("c", c)
			table.Columns = append(table.Columns, columnar.TableColumn{Name: name, Header: name, Format: columnar.FormatInt})
		}
		p, err := physical.New(nil, []*plan.Query{{Version: plan.CurrentVersion, Name: "q", Root: plan.From("t")}}, plan.Tables{"t": table})
		if err != nil {
			t.Fatal(err)
		}
		state := newRuntime(Options{Plan: p, Memory: memory, Replicas: 2}).Budget.Limit()
		if state <= before || state < operatorBytes(memory)/2 || (state == operatorBytes(memory)) != (columns == 3) {
			t.Errorf("with %d columns operators have %d KiB for state, of %d", columns, state>>10, operatorBytes(memory)>>10)
		}
		before = state
	}
}
