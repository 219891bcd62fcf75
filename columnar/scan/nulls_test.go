package scan

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"analyzer/columnar"
)

// firstRows returns the rows of the first block of a file, with all columns of its table.
func firstRows(t *testing.T, text string, table *columnar.Table) columnar.Rows {
	t.Helper()
	var columns []string
	var all []int
	for i, c := range table.Columns {
		columns, all = append(columns, c.Name), append(all, i)
	}
	s, err := Open(t.Context(), memFile(t, "t.csv", []byte(text)), table, columns, Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	chunk, err := s.NewWorker().Next(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	rows, err := chunk.Materialise(all, nil)
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// TestNullSlots checks that the slot of a null is zero if the cell is a number among the Nulls.
func TestNullSlots(t *testing.T) {
	table := &columnar.Table{Name: "t", Nulls: []string{"-1"}, Columns: []columnar.TableColumn{
		{Name: "f", Header: "f", Format: columnar.FormatFloat},
		{Name: "n", Header: "n", Format: columnar.FormatInt},
		{Name: "b", Header: "b", Format: columnar.FormatBool},
	}}
	rows := firstRows(t, "f,n,b\n-1,-1,-1\n2.5,3,true\n", table)
	f, n, b := rows.Cols[0], rows.Cols[1], rows.Cols[2]
	for _, v := range rows.Cols {
		if !v.IsNull(0) || v.IsNull(1) {
			t.Errorf("%s: %v", v.Type, v.Valid)
		}
	}
	if f.Floats[0] != 0 || n.Ints[0] != 0 || b.Bools[0] {
		t.Errorf("nulls hold %v, %v and %v", f.Floats[0], n.Ints[0], b.Bools[0])
	}
}

// Numbers are read between any number of cells that are empty or words for null.
func TestManyNulls(t *testing.T) {
	for _, tt := range []struct{ nulls, cells []string }{
		{nil, []string{"1", "", "-2", "NA", "3", "4"}},
		{[]string{"none"}, []string{"1", "none", "-2", "none", "\"3\"", "NA"}},
		{[]string{"-2", "x"}, []string{"1", "x", "-2", "x"}},
	} {
		table := &columnar.Table{Name: "t", Nulls: tt.nulls, Columns: []columnar.TableColumn{{Name: "n", Header: "n", Format: columnar.FormatInt}}}
		n := firstRows(t, "n,b\n"+strings.Repeat(strings.Join(tt.cells, ",\n")+",\n", 50), table).Cols[0]
		if n.Len != 50*len(tt.cells) {
			t.Fatalf("%d rows of %q", n.Len, tt.cells)
		}
		for i := range n.Len {
			cell := tt.cells[i%len(tt.cells)]
			want, err := strconv.ParseInt(strings.Trim(cell, `"`), 10, 64)
			if err != nil || slices.Contains(tt.nulls, cell) {
				want = 0
			}
			if n.IsNull(i) != (want == 0) || n.Ints[i] != want {
				t.Errorf("%q is %d, null: %v", cell, n.Ints[i], n.IsNull(i))
			}
		}
	}
}

// Texts are read without the spaces around them, or without the formula, and those without any other character
// are null.
func TestBareTexts(t *testing.T) {
	for _, tt := range []struct {
		format columnar.Format
		text   string
		want   []string
	}{
		{columnar.FormatTrimmed, "a,b\n x ,\n,\n   ,\n\"  y z\",\né ,\nw,\n", []string{"x", "NULL", "NULL", "y z", "é", "w"}},
		{columnar.FormatFormula, "a,b\n=\"007\",\n\"=\"\"0,8\"\"\",\n=\"\",\n009,\n,\n\"=(\"\"a\"\"\"\"b\"\")\",\n=x,\n", []string{"007", "0,8", "NULL", "009", "NULL", `a"b`, "=x"}},
	} {
		table := &columnar.Table{Name: "t", Columns: []columnar.TableColumn{{Name: "a", Header: "a", Format: tt.format}}}
		rows := firstRows(t, tt.text, table)
		var got []string
		for i := range rows.Len {
			if got = append(got, string(rows.Cols[0].Bytes(i))); rows.Cols[0].IsNull(i) {
				got[i] = "NULL"
			}
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%v: %q, want %q", tt.format, got, tt.want)
		}
	}
}
