package window_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"analyzer/columnar"
	"analyzer/columnar/budget"
	"analyzer/operators"
	"analyzer/operators/order"
	"analyzer/operators/window"
)

// mostPageBytes is the most that a page of several rows may have of computed values: some of each
// row, at most as long as the longest one.
const mostPageBytes = 4 << 20

// gather pushes texts, in their order, through a window with one call over rows from so many before
// to so many behind each, and calls check with each value.
func gather(t *testing.T, texts []string, call window.Call, check func(row int, v *columnar.Vector, i int) error) {
	schema := columnar.Schema{{Name: "n", Type: columnar.Int}, {Name: "s", Type: columnar.Text}}
	rows := columnar.NewRows(schema)
	for i, s := range texts {
		rows.Cols[0].AppendInt(int64(i))
		rows.Cols[1].AppendBytes([]byte(s))
		rows.Len++
	}
	limits := budget.New(64 << 20)
	op, err := window.New(&operators.Runtime{Budget: limits}, schema, window.Config{Order: []order.Key{{Column: "n"}}, Calls: []window.Call{call}})
	if err == nil {
		err = op.Push(t.Context(), 0, rows, nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	row := 0
	err = op.Finish(t.Context(), 0, func(page columnar.Rows) error {
		if page.Len > 1 && page.Project([]int{2}).ValueBytes() > mostPageBytes {
			return fmt.Errorf("%d rows from row %d on have %d bytes", page.Len, row, page.ValueBytes())
		}
		for i := range page.Len {
			if err := check(row, page.Cols[2], i); err != nil {
				return err
			}
			row++
		}
		return nil
	})
	if err != nil || row != len(texts) {
		t.Fatalf("after %d of %d rows: %v", row, len(texts), err)
	}
	if left := limits.Used(); left != 0 {
		t.Errorf("%d bytes are still reserved", left)
	}
}

// TestPagesOfLists checks that pages of lists of all rows before, whose size grows with the square of their
// number, stay small, and that they take no longer than it takes to write them.
func TestPagesOfLists(t *testing.T) {
	texts := make([]string, 20_000)
	for i := range texts {
		texts[i] = fmt.Sprintf("%05d", i)
	}
	for _, f := range []window.Frame{{}, running} {
		gather(t, texts, window.Call{Func: "array_agg", Args: []string{"n"}, Frame: f, Name: "list"}, func(row int, v *columnar.Vector, i int) error {
			list := v.Child.Ints[v.Offsets[i]:v.Offsets[i+1]]
			if len(list) != row+1 || list[row] != int64(row) {
				return fmt.Errorf("list %d has %d items", row, len(list))
			}
			return nil
		})
	}
	joined := []byte(strings.Join(texts, "-"))
	gather(t, texts, window.Call{Func: "string_agg", Args: []string{"s"}, Param: "-", Frame: running, Name: "text"}, func(row int, v *columnar.Vector, i int) error {
		if !bytes.Equal(v.Bytes(i), joined[:6*row+5]) {
			return fmt.Errorf("text %d has %d bytes", row, len(v.Bytes(i)))
		}
		return nil
	})
}

// TestListsOfMovingFrames compares with sorted texts, some of which are longer than a block of rows.
func TestListsOfMovingFrames(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	texts := make([]string, 2500)
	for i := range texts {
		long := 1 + rng.IntN(60)
		if rng.IntN(400) == 0 {
			long = 20_000
		}
		texts[i] = strings.Repeat(string(rune('a'+rng.IntN(26))), long)
	}
	for _, frame := range []struct{ before, behind int }{{2500, 0}, {700, 20}, {3, 600}, {0, 1}} {
		f := rowsFrom(-int64(frame.before), int64(frame.behind))
		gather(t, texts, window.Call{Func: "string_agg", Args: []string{"s"}, Param: ",", Frame: f, Name: "text"}, func(row int, v *columnar.Vector, i int) error {
			if row%7 > 0 {
				return nil
			}
			in := slices.Sorted(slices.Values(texts[max(0, row-frame.before):min(len(texts), row+frame.behind+1)]))
			if got, want := string(v.Bytes(i)), strings.Join(in, ","); got != want {
				return fmt.Errorf("text %d is of %d bytes, not %d", row, len(got), len(want))
			}
			return nil
		})
	}
}
