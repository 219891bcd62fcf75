package engine_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"analyzer/columnar"
	"analyzer/compose/engine"
	"analyzer/operators/expr"
	"analyzer/operators/query/physical"
	"analyzer/operators/query/plan"
)

// TestCostlyFilterIsBounded asks twice for groups with many English texts: once by a text
// model, which the planner avoids for most texts, and once by a column with the language.
func TestCostlyFilterIsBounded(t *testing.T) {
	if testing.Short() {
		t.Skip("it runs the model more than fifty times")
	}
	texts := map[string]string{
		"en": "The weather was so good that we stayed in the garden for the whole afternoon and talked",
		"es": "El perro de mi vecino corre todas las mañanas por el parque cuando todavía hace frío",
	}
	x := reference{tables: plan.Tables{
		"groups": {Name: "groups", Columns: []columnar.TableColumn{
			{Name: "k", Header: "k", Format: columnar.FormatInt, Required: true},
			{Name: "name", Header: "name", Format: columnar.FormatText, Required: true},
		}},
		"texts": {Name: "texts", Columns: []columnar.TableColumn{
			{Name: "group", Header: "group", Format: columnar.FormatInt, Required: true},
			{Name: "text", Header: "text", Format: columnar.FormatText, Required: true},
			{Name: "lang", Header: "lang", Format: columnar.FormatText, Required: true},
		}},
	}}
	random := rand.New(rand.NewPCG(1, 1))
	files := map[string]string{"groups": "k,name\n", "texts": "group,text,lang\n"}
	for range 60 { // some keys more than once, with one name or several
		files["groups"] += fmt.Sprintf("%d,name %d\n", random.IntN(40), random.IntN(3))
	}
	for range 400 {
		lang := []string{"en", "es"}[random.IntN(2)]
		group := random.IntN(10) * random.IntN(10)
		files["texts"] += fmt.Sprintf("%d,%s,%s\n", group, texts[lang], lang)
	}
	byModel := expr.Eq(expr.Language(expr.Col("text")), expr.Str("en"))
	byColumn := expr.Eq(expr.Col("lang"), expr.Str("en"))
	query := func(name string, english *expr.Expr, keys []string, having *expr.Expr) *plan.Query {
		return &plan.Query{Name: name, Root: plan.From("groups").
			Join(plan.From("texts").Filter(expr.And(english, expr.Ne(expr.Col("lang"), expr.Str("")))), plan.On("k", "group")).
			Aggregate(keys, count("n")).Filter(having)}
	}
	j := job{tables: x.tables, open: inMemory(t, files)}
	for _, keys := range [][]string{{"k"}, {"name", "k"}, {"name"}} {
		for _, least := range []int64{-1, 0, 3, 7, 40, 1000} {
			for _, having := range []*expr.Expr{
				expr.Gt(expr.Col("n"), expr.Int(least)),
				expr.And(expr.Ge(expr.Col("n"), expr.Int(least)), expr.Ne(expr.Col("n"), expr.Int(9))),
				expr.Lt(expr.Col("n"), expr.Int(least)),
			} {
				j.queries = []*plan.Query{
					rewritten(t, query("model", byModel, keys, having), j.tables), rewritten(t, query("column", byColumn, keys, having), j.tables),
				}
				answers := parse(t, j.answer(t, engine.Options{Replicas: 3, BlockSize: 5000}).json)
				if string(answers["model"]) != string(answers["column"]) {
					t.Errorf("by %v having %s:\n%s\nnot\n%s", keys, having, answers["model"], answers["column"])
				}
				p, err := physical.New(nil, j.queries[:1], j.tables)
				if err != nil {
					t.Fatal(err)
				}
				bounded := strings.Contains(p.String(), " as bounded ")
				if can := len(keys) > 1 || keys[0] == "k"; bounded != (can && having.Op != expr.OpLt) {
					t.Errorf("by %v having %s is bounded: %v", keys, having, bounded)
				}
			}
		}
	}
}
