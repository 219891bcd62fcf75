package expr

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"analyzer/columnar"
)

const benchRows = 8192

// benchBatch is a batch like one of a table of films or games. The share of the
// columns is fixed by the seed.
func benchBatch() (columnar.Schema, []*columnar.Vector) {
	s := columnar.Schema{
		{Name: "id", Type: columnar.Int},
		{Name: "price", Type: columnar.Decimal},
		{Name: "date", Type: columnar.Text},
		{Name: "title", Type: columnar.Text},
		{Name: "genres", Type: columnar.TextList},
		{Name: "budget", Type: columnar.Decimal},
	}
	cols := make([]*columnar.Vector, len(s))
	for i, f := range s {
		cols[i] = columnar.NewVector(f.Type)
	}
	words := []string{"Distributed", "computing", "The", "night", "of", "Algorithms", "and", "A", "history", "Garden"}
	genres := []string{"indie", "action", "adventure", "rpg", "casual", "simulation", "strategy"}
	r := rand.New(rand.NewPCG(1, 2))
	for range benchRows {
		cols[0].AppendInt(r.Int64N(100_000))
		cols[1].AppendInt(r.Int64N(60 * decimalOne))
		cols[2].AppendBytes(fmt.Appendf(nil, "%d-%02d-%02d", 1950+r.IntN(75), 1+r.IntN(12), 1+r.IntN(28)))
		title := words[r.IntN(len(words))]
		for range 1 + r.IntN(6) {
			title += " " + words[r.IntN(len(words))]
		}
		cols[3].AppendBytes([]byte(title))
		for range r.IntN(5) {
			cols[4].Child.AppendBytes([]byte(genres[r.IntN(len(genres))]))
		}
		cols[4].EndList()
		cols[5].AppendInt(r.Int64N(200_000_000) * decimalOne)
	}
	return s, cols
}

func benchExprs() []*Expr {
	return []*Expr{
		Gt(Col("id"), Int(50_000)),
		Lt(Col("price"), Col("budget")),
		Eq(Col("title"), Str("The night")),
		between(Year(Col("date")), Int(2000), Int(2009)),
		ListContains(Col("genres"), Str("indie")),
		ListContainsAll(Col("genres"), Texts("indie", "action")),
		Call(OpContains, Col("title"), Str("Garden of")),
		Like(Col("title"), "The%", ""),
		Lower(Col("title")),
		Call(OpContains, Lower(Col("title")), Str("distributed")),
		Element(Col("genres"), Int(1)),
		Add(Col("price"), Col("budget")),
		Mul(Col("price"), Dec(900_000)),
		Div(Col("budget"), Col("price")),
		IntDiv(Year(Col("date")), Int(10)),
		Call("&", Col("id"), Int(255)),
		Call("<<", Col("id"), Int(3)),
		And(ListContains(Col("genres"), Str("indie")), Ge(Year(Col("date")), Int(2000)), Call(OpContains, Lower(Col("title")), Str("distributed"))),
		And(Lt(Col("id"), Int(100)), Call(OpContains, Lower(Col("title")), Str("distributed"))),
	}
}

func BenchmarkEval(b *testing.B) {
	s, cols := benchBatch()
	for _, e := range benchExprs() {
		b.Run(e.String(), func(b *testing.B) {
			ev := mustCompile(b, e, s)
			b.ReportAllocs()
			for b.Loop() {
				if _, err := ev.Eval(cols, benchRows); err != nil {
					b.Fatal(err)
				}
			}
			reportRows(b)
		})
	}
}

func BenchmarkSelect(b *testing.B) {
	s, cols := benchBatch()
	ev := mustCompile(b, Gt(Col("id"), Int(50_000)), s)
	var rows []int32
	b.ReportAllocs()
	for b.Loop() {
		var err error
		if rows, err = ev.Select(cols, benchRows, rows[:0]); err != nil {
			b.Fatal(err)
		}
	}
	reportRows(b)
}

func reportRows(b *testing.B) {
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/benchRows, "ns/row")
}
