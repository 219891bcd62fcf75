package window_test

import (
	"cmp"
	"math"
	"slices"
	"testing"

	"analyzer/columnar"
	"analyzer/columnar/rowtest"
	"analyzer/operators"
	"analyzer/operators/optest"
	"analyzer/operators/order"
	"analyzer/operators/window"
)

// filled returns the case of filling a column over a key.
func filled(rows columnar.Rows, key order.Key, column int, want *columnar.Vector) optest.Case {
	cfg := window.Config{
		Keys: []string{"p"}, Order: []order.Key{key}, Ties: []order.Key{{Column: "id"}},
		Calls: []window.Call{{Func: window.Fill, Args: []string{schema[column].Name}, Name: "filled"}},
	}
	out := append(slices.Clone(schema), columnar.Field{Name: "filled", Type: schema[column].Type})
	return optest.Case{
		New:    func(rt *operators.Runtime) (operators.Operator, error) { return window.New(rt, schema, cfg) },
		Inputs: []optest.Input{{Schema: schema, Rows: rows}}, Output: out,
		Want: rowtest.Lines(columnar.Rows{Len: rows.Len, Cols: append(slices.Clone(rows.Cols), want)}),
	}
}

// TestFill checks values against what DuckDB 1.5 gives, but for integers that fall beyond the last
// value, where it leaves the line.
func TestFill(t *testing.T) {
	null := math.NaN()
	for _, c := range []struct{ x, y, want []float64 }{
		{[]float64{1, 2, 3, 4, 5}, []float64{10, null, null, 3, null}, []float64{10, 8, 6, 3, 1}},
		{[]float64{0, 2, 5, 7, 8}, []float64{null, 0, 7, null, null}, []float64{-5, 0, 7, 12, 14}},
		{[]float64{1, 2, 3}, []float64{null, 9, null}, []float64{9, 9, 9}},
		{[]float64{1, 2}, []float64{null, null}, []float64{null, null}},
		{[]float64{1, 1, 1, 2}, []float64{null, 5, 7, null}, []float64{5, 5, 7, 5}},
		{[]float64{1, 2, null, null}, []float64{1, 3, null, 8}, []float64{1, 3, null, 8}},
	} {
		rows, want := columnar.NewRows(schema), columnar.NewVector(columnar.Int)
		rows.Len = len(c.x)
		add := func(v *columnar.Vector, x float64) {
			if math.IsNaN(x) {
				v.AppendNull()
			} else {
				v.AppendInt(int64(x))
			}
		}
		for i, x := range c.x {
			for col, f := range schema {
				switch f.Name {
				case "k":
					add(rows.Cols[col], x)
				case "v":
					add(rows.Cols[col], c.y[i])
				case "id":
					rows.Cols[col].AppendInt(int64(i))
				default:
					rows.Cols[col].AppendNull()
				}
			}
			add(want, c.want[i])
		}
		filled(rows, order.Key{Column: "k"}, colV, want).Check(t, []int64{0}, []int{1, 3})
	}
}

// TestFillOfRandomRows compares with looking for the nearest values of each row anew.
func TestFillOfRandomRows(t *testing.T) {
	for _, key := range []order.Key{{Column: "k"}, {Column: "time", Desc: true, NullsFirst: true}} {
		rows := someRows(11, 400, 3, 60, 2000)
		for i := range rows.Len { // most are null, and some not finite
			rows.Cols[colF].Valid[i] = rows.Cols[colF].Valid[i] && i%3 == 0
			if i%7 == 0 {
				rows.Cols[colF].Floats[i] = math.Inf(1)
			}
		}
		want := columnar.NewVector(columnar.Float)
		for i := range rows.Len {
			naiveFill(rows, schema.Index(key.Column), key.Desc, i, want)
		}
		filled(rows, key, colF, want).Check(t, []int64{0, 1}, []int{33, 400})
	}
}

func naiveFill(rows columnar.Rows, key int, desc bool, row int, out *columnar.Vector) {
	f, x, p := rows.Cols[colF], rows.Cols[key], rows.Cols[colP]
	if !f.IsNull(row) || x.IsNull(row) {
		out.AppendRange(f, row, row+1)
		return
	}
	order := func(i, j int) int {
		d := cmp.Compare(x.Ints[i], x.Ints[j])
		if desc {
			d = -d
		}
		return cmp.Or(d, i-j)
	}
	var before, after []int
	for i := range rows.Len {
		switch {
		case f.IsNull(i) || x.IsNull(i) || math.IsInf(f.Floats[i], 0) || !columnar.Same(p, i, p, row):
		case order(i, row) < 0:
			before = append(before, i)
		default:
			after = append(after, i)
		}
	}
	slices.SortFunc(before, order)
	slices.SortFunc(after, order)
	near := append(before[max(0, len(before)-2):], after...)
	if len(before) > 1 && len(after) > 0 {
		near = near[1:]
	}
	switch len(near) {
	case 0:
		out.AppendNull()
	case 1:
		out.AppendFloat(f.Floats[near[0]])
	default:
		a, b := near[0], near[1]
		part := 0.0
		if x.Ints[a] != x.Ints[b] {
			part = float64(x.Ints[row]-x.Ints[a]) / float64(x.Ints[b]-x.Ints[a])
		}
		out.AppendFloat(f.Floats[a]*(1-part) + f.Floats[b]*part)
	}
}
