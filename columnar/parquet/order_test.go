package parquet

import (
	"testing"

	"github.com/apache/arrow/go/v17/parquet"

	"analyzer/columnar/vfs"
)

// TestBoundsWithoutOrder takes only bounds by signed comparison from a file that does not say by which order
// the others are bounds.
func TestBoundsWithoutOrder(t *testing.T) {
	file, err := vfs.OS().Open("testdata/v1.parquet")
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := file.Close(); err != nil {
			t.Error(err)
		}
	}()
	f, err := Open(file, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	for _, order := range []parquet.ColumnOrder{parquet.ColumnOrders.TypeDefinedOrder, parquet.ColumnOrders.Undefined} {
		orders := make([]parquet.ColumnOrder, f.footer.schema.NumColumns())
		for i := range orders {
			orders[i] = order
		}
		f.footer.schema.UpdateColumnOrders(orders)
		for i, c := range f.columns {
			signed, bounded := c.Name == "i", c.Name == "u8" || c.Name == "u64" || c.Name == "low"
			if !signed && !bounded {
				continue
			}
			b, err := f.boundsOf(0, &f.columns[i])
			want := signed || order == parquet.ColumnOrders.TypeDefinedOrder
			if err != nil || (b.Least != nil) != want || (b.Greatest != nil) != want {
				t.Errorf("order %v, column %v: %v, %v", order, c, b, err)
			}
		}
	}
}
