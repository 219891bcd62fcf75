package rowwise_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"analyzer/columnar"
	"analyzer/operators"
	"analyzer/operators/expr"
	"analyzer/operators/optest"
	"analyzer/operators/query/plan"
	"analyzer/operators/rowwise"
)

var benchSchema = columnar.Schema{{Name: "n", Type: columnar.Int}, {Name: "text", Type: columnar.Text}, {Name: "list", Type: columnar.TextList}}

func BenchmarkRowwise(b *testing.B) {
	rows := optest.Random(rand.New(rand.NewPCG(1, 1)), benchSchema, 8192, optest.Shape{Distinct: 1000})
	rt := optest.NewWorld(0, nil).Runtime
	for _, bench := range []struct {
		name string
		open func() (operators.Operator, error)
	}{
		{"filter", func() (operators.Operator, error) {
			return rowwise.NewFilter(rt, benchSchema, expr.Gt(expr.Col("n"), expr.Int(0)))
		}},
		{"project", func() (operators.Operator, error) {
			return rowwise.NewProject(rt, benchSchema, []plan.Named{
				plan.As("text", expr.Col("text")), plan.As("more", expr.Add(expr.Len(expr.Col("list")), expr.Int(1))),
			})
		}},
		{"unnest", func() (operators.Operator, error) {
			return rowwise.NewUnnest(benchSchema, items("list", "item"))
		}},
	} {
		b.Run(bench.name, func(b *testing.B) {
			op, err := bench.open()
			if err != nil {
				b.Fatal(err)
			}
			b.SetBytes(rows.ValueBytes())
			b.ReportAllocs()
			emit := func(columnar.Rows) error { return nil }
			for b.Loop() {
				if err := op.Push(context.Background(), 0, rows, emit); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
