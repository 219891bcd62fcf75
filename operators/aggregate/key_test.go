package aggregate_test

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"analyzer/columnar"
	"analyzer/columnar/rowtest"
	"analyzer/operators/aggregate"
	"analyzer/operators/optest"
)

// Both zeros are one group, and so are all NaNs.
func TestFloatsThatAreOneKey(t *testing.T) {
	zero, nan := math.Copysign(0, -1), math.Float64frombits(0xFFF8_0000_0000_0001)
	rows := columnar.NewRows(rowSchema)
	for c, f := range rowSchema {
		for _, x := range []float64{0, math.NaN(), zero, nan, -nan} {
			if f.Name == "float" {
				rows.Cols[c].AppendFloat(x)
			} else {
				rows.Cols[c].AppendNull()
			}
		}
	}
	rows.Len = 5
	aggs := []aggregate.Agg{{Func: aggregate.Count, Name: "n"}}
	for _, c := range []optest.Case{inOne(rows, []string{"float"}, aggs), inThree(rows, []string{"float"}, aggs)} {
		c.Want = []string{
			rowtest.Line(columnar.Rows{Len: 1, Cols: []*columnar.Vector{float(0), integer(2)}}, 0),
			rowtest.Line(columnar.Rows{Len: 1, Cols: []*columnar.Vector{float(math.NaN()), integer(3)}}, 0),
		}
		c.Check(t, []int64{0, 1}, []int{1, 5})
	}
}

// Words of any size, next to texts, are distinct keys and are decoded unchanged.
func TestKeysOfAnySize(t *testing.T) {
	rows := columnar.NewRows(rowSchema)
	add := func(n int64, f float64, b bool) {
		for c, s := range rowSchema {
			switch v := rows.Cols[c]; s.Name {
			case "int", "n":
				v.AppendInt(n)
			case "float":
				v.AppendFloat(f)
			case "bool":
				v.AppendBool(b)
			case "text":
				v.AppendBytes(bytes.Repeat([]byte("x"), rows.Len%2*200))
			default:
				v.AppendNull()
			}
		}
		rows.Len++
	}
	for bit := range 64 {
		for _, near := range []int64{-1, 0, 1} {
			n := int64(1)<<bit + near
			add(n, float64(n), near == 0)
			add(-n, 1/float64(n), near == 0)
			add(n, math.Float64frombits(uint64(n)), near != 0)
		}
	}
	aggs := []aggregate.Agg{{Func: aggregate.Count, Name: "rows"}}
	for _, keys := range [][]string{{"int", "text"}, {"float", "text"}, {"text", "float", "bool", "int"}, {"int", "float", "text"}} {
		whole(rows, keys, aggs).Check(t, []int64{0, 1}, []int{100})
		split(rows, keys, aggs).Check(t, []int64{0}, []int{7})
	}
}

// Texts of any length are distinct keys, whatever the first ones are, which decide how long those in records are.
func TestKeysOfAnyLength(t *testing.T) {
	aggs := []aggregate.Agg{{Func: aggregate.Count, Name: "rows"}}
	for _, first := range []int{1, 17, 30, 62, 90} {
		rows := columnar.NewRows(rowSchema)
		for n := range 300 {
			text := bytes.Repeat([]byte("abcdefg\x00"), 12)[:n%92]
			if n < 50 {
				text = bytes.Repeat([]byte("first"), 20)[:first]
			}
			if n%3 == 1 && len(text) > 0 {
				text[n%len(text)] = 'x'
			}
			for c, s := range rowSchema {
				switch v := rows.Cols[c]; s.Name {
				case "int":
					v.AppendInt(int64(n % 2))
				case "text":
					v.AppendBytes(text)
				default:
					v.AppendNull()
				}
			}
			rows.Len++
		}
		for _, keys := range [][]string{{"text"}, {"text", "int"}} {
			whole(rows, keys, aggs).Check(t, []int64{0, 1}, []int{1, 40})
			split(rows, keys, aggs).Check(t, []int64{0, 1}, []int{40})
		}
	}
}

// There are so many keys that some have hashes with the same 32 bits that a directory compares.
func TestKeysWhoseHashesAgree(t *testing.T) {
	const keys = 300_000
	schema := columnar.Schema{
		{Name: "a", Type: columnar.Int}, {Name: "b", Type: columnar.Int}, {Name: "c", Type: columnar.Bool}, {Name: "d", Type: columnar.Text},
	}
	rows := columnar.NewRows(schema)
	for i := range keys {
		rows.Cols[0].AppendInt(int64(i))
		rows.Cols[1].AppendInt(int64(i % 7))
		rows.Cols[2].AppendBool(i%2 == 0)
		rows.Cols[3].AppendBytes(fmt.Append(nil, i))
	}
	rows.Len = keys
	for _, by := range [][]string{{"a"}, {"a", "b"}, {"b", "a"}, {"a", "b", "c"}, {"d"}} {
		w := optest.NewWorld(0, nil)
		op, err := aggregate.New(w.Runtime, aggregate.Config{Input: schema, Keys: by, Aggs: []aggregate.Agg{{Func: aggregate.Count, Name: "n"}}})
		if err != nil {
			t.Fatal(err)
		}
		groups := 0
		emit := func(page columnar.Rows) error {
			for _, n := range page.Cols[len(by)].Ints {
				if n != 2 {
					return fmt.Errorf("a group of %d rows", n)
				}
			}
			groups += page.Len
			return nil
		}
		for range 2 {
			if err := op.Push(context.Background(), 0, rows, emit); err != nil {
				t.Fatal(err)
			}
		}
		if err := op.Finish(context.Background(), 0, emit); err != nil || groups != keys {
			t.Errorf("by %s: %d groups of %d, error %v", strings.Join(by, "+"), groups, keys, err)
		}
		w.CheckEmpty(t)
	}
}
