package exec

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"analyzer/columnar"
	"analyzer/columnar/budget"
	"analyzer/columnar/scan"
	"analyzer/operators/expr"
	"analyzer/operators/keyset"
	"analyzer/operators/query/physical"
)

// codedChunk is rows in memory of which some columns are stored as values and places.
type codedChunk struct {
	scan.Chunk
	rows   columnar.Rows
	values []*columnar.Vector // by column; nil: it is not stored so
	places [][]int32
	read   []int // how many rows of each column were materialised
	hidden bool  // values are known with their places only
}

func (c *codedChunk) Rows() int { return c.rows.Len }

func (c *codedChunk) Coded(column int) (*columnar.Vector, []int32, error) {
	if c.values[column] == nil {
		return nil, nil, nil
	}
	return c.values[column], c.places[column], nil
}

func (c *codedChunk) Values(column int) (*columnar.Vector, error) {
	if c.hidden {
		return nil, nil
	}
	return c.values[column], nil
}

func (c *codedChunk) Materialise(columns []int, sel []int32) (columnar.Rows, error) {
	part := c.rows.Project(columns)
	if sel != nil {
		out := columnar.NewRows(pairs.Project(columns))
		out.AppendGather(part, sel)
		part = out
	}
	for _, column := range columns {
		c.read[column] += part.Len
	}
	return part, nil
}

// code stores a column of the chunk as its values and their places. The values also have some that
// no row has, and a null.
func (c *codedChunk) code(column int, others *columnar.Vector) {
	values := columnar.NewVector(pairs[column].Type)
	values.AppendRange(others, 0, others.Len)
	values.AppendRange(c.rows.Cols[column], 0, c.rows.Len)
	values.AppendNull()
	c.values[column], c.places[column] = values, nil
	for i := range c.rows.Len {
		c.places[column] = append(c.places[column], int32(others.Len+i))
	}
}

// decoded returns rows without coded columns.
func decoded(rows columnar.Rows) columnar.Rows {
	rows.Cols = slices.Clone(rows.Cols)
	for i, v := range rows.Cols {
		if v.Dictionary != nil {
			rows.Cols[i] = columnar.NewVector(v.Type)
			rows.Cols[i].AppendGather(v.Dictionary, v.Places)
		}
	}
	return rows
}

func TestSelectionOfCodedColumns(t *testing.T) {
	rt := newRuntime(t)
	where := []*expr.Expr{
		expr.Gt(expr.Col("k"), expr.Int(2)), expr.Ne(expr.Col("v"), expr.Str("b")),
		expr.Ne(expr.Lower(expr.Col("v")), expr.Str("c")),
	}
	odd := keyset.NewBuilder(budget.New(0))
	defer odd.Close()
	odd.Add(columnar.HashRows(nil, pairsOf("1_ 3_ 5_ 7_ 9_").Cols[:1], 5))
	sel, err := NewSelection(rt, &physical.Scan{Columns: []string{"k", "v"}, Where: where, Filters: []physical.KeyFilter{{Columns: []string{"k"}}}}, pairs, []*keyset.Set{odd.Build()})
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(t *rapid.T) {
		var words []string
		for range rapid.IntRange(0, 50).Draw(t, "rows") {
			words = append(words, fmt.Sprintf("%d%s", rapid.IntRange(0, 9).Draw(t, "k"), rapid.SampledFrom([]string{"a", "b", "c"}).Draw(t, "v")))
		}
		rows, others := pairsOf(strings.Join(words, " ")), pairsOf(strings.Repeat("0z 7a ", rapid.IntRange(0, 3).Draw(t, "others")))
		c := &codedChunk{rows: rows, values: make([]*columnar.Vector, 2), places: make([][]int32, 2), read: make([]int, 2)}
		c.hidden = rapid.Bool().Draw(t, "hidden")
		for column := range pairs {
			if rapid.Bool().Draw(t, "coded") {
				c.code(column, others.Cols[column])
			}
		}
		sel.TakeCoded([]bool{rapid.Bool().Draw(t, "k may be coded"), rapid.Bool().Draw(t, "v may be coded")})
		// Later chunks have the same values, of which the selection knows after some rows.
		for range 3 {
			var got, want []string
			err := sel.Each(c, func(rows columnar.Rows) error { got = append(got, written(decoded(rows))...); return nil })
			if err := errors.Join(err, sel.EachOf(rows, func(rows columnar.Rows) error { want = append(want, written(rows)...); return nil })); err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(got, want) {
				t.Fatalf("of %q: %q, want %q", words, got, want)
			}
		}
	})
}

// TestValuesAreJudgedOnce reads no row for a condition on a coded column once its values are known, and
// does not mind values for which the condition fails and which no row has.
func TestValuesAreJudgedOnce(t *testing.T) {
	for _, c := range []struct {
		others string
		read   int // rows of the condition's column in three chunks of three rows, of which one is kept
	}{{"", 3}, {"0y", 9 + 3}} {
		where := []*expr.Expr{expr.Eq(expr.CastText(expr.Col("v"), columnar.Int, false), expr.Int(2))}
		sel, err := NewSelection(newRuntime(t), &physical.Scan{Columns: []string{"v"}, Where: where}, pairs, nil)
		if err != nil {
			t.Fatal(err)
		}
		chunk := &codedChunk{rows: pairsOf("11 12 13"), values: make([]*columnar.Vector, 2), places: make([][]int32, 2), read: make([]int, 2)}
		chunk.code(1, pairsOf(c.others).Cols[1])
		chunk.values[1] = chunk.values[1].Slice(0, chunk.values[1].Len-1) // no null, so that three rows are enough
		for range 3 {
			rows := 0
			if err := sel.Each(chunk, func(r columnar.Rows) error { rows += r.Len; return nil }); err != nil || rows != 1 {
				t.Errorf("with the values %q: %d rows, %v", c.others, rows, err)
			}
		}
		if chunk.read[1] != c.read {
			t.Errorf("with the values %q: %d rows were read, want %d", c.others, chunk.read[1], c.read)
		}
	}
}
