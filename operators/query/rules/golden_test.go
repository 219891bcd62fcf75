package rules_test

import (
	"flag"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"analyzer/columnar"
	"analyzer/operators/expr"
	"analyzer/operators/query/plan"
	"analyzer/operators/query/rules"
	"analyzer/operators/window"
)

var rewrite = flag.Bool("rewrite", false, "rewrite the plans in testdata")

// sized is the scan of a table that has so many rows.
func sized(table string, rows float64) *plan.Node {
	n := plan.From(table)
	n.Stats = &plan.Stats{Rows: rows}
	return n
}

// films are films with their countries, ratings of films, and texts about them.
func films() plan.Tables {
	table := func(name string, columns ...columnar.TableColumn) *columnar.Table {
		return &columnar.Table{Name: name, Columns: columns}
	}
	column := func(name string, f columnar.Format) columnar.TableColumn {
		return columnar.TableColumn{Name: name, Header: name, Format: f}
	}
	film := column("film", columnar.FormatInt)
	return plan.TablesOf([]*columnar.Table{
		table("films", column("id", columnar.FormatInt), column("title", columnar.FormatText), column("countries", columnar.FormatNames)),
		table("ratings", film, column("user", columnar.FormatInt), column("rating", columnar.FormatDecimal)),
		table("texts", film, column("text", columnar.FormatText)),
		table("visits", film, column("user", columnar.FormatInt), column("page", columnar.FormatText), column("position", columnar.FormatPosition)),
	})
}

func over(column string, n int64) *expr.Expr { return expr.Gt(expr.Col(column), expr.Int(n)) }

// shared joins a node with itself.
func shared(n *plan.Node) *plan.Node {
	return n.Join(n.Project(plan.As("id_2", expr.Col("id")), plan.As("text_2", expr.Col("text"))))
}

// golden holds, by the name of a rule, plans that it rewrites, or leaves alone.
func golden() map[string][]*plan.Node {
	titles, ratings, texts := plan.From("films"), plan.From("ratings"), plan.From("texts")
	rated := sized("films", 1e4).Join(sized("ratings", 1e6), plan.On("id", "film"))
	english := expr.Eq(expr.Language(expr.Col("text")), expr.Str("en"))
	spanish := titles.Filter(expr.ListContains(expr.Col("countries"), expr.Str("Spain"))).Select("id", "title")
	both := plan.UnionAll(titles.Project(plan.As("k", expr.Col("id"))), ratings.Project(plan.As("k", expr.Col("film"))))
	domain := titles.Project(plan.As("id", expr.Col("id")), plan.As("k", expr.Coalesce(expr.Col("id"), expr.Int(0)))).Distinct("id", "k")
	depends := ratings.Filter(expr.And(expr.Eq(expr.Col("film"), expr.Col("id")), over("rating", 3)))
	number := plan.Call{Func: window.RowNumber, Name: "n"}
	apply := func(of *plan.Node, lookedUp bool) *plan.Node {
		return &plan.Node{Op: plan.Apply, Inputs: []*plan.Node{domain, of}, Domain: &plan.Domain{Columns: []string{"id"}, Keys: []string{"k"}, LookedUp: lookedUp}}
	}
	return map[string][]*plan.Node{
		"remove applies": {
			// The equality becomes the condition of a join with the rows around.
			apply(depends, false),
			// An aggregation has its row where there is nothing to aggregate, unless whoever looks
			// it up makes up for that.
			apply(depends.Aggregate(nil, plan.Agg{Func: plan.Count, Name: "n"}), false),
			apply(depends.Aggregate(nil, plan.Agg{Func: plan.Count, Name: "n"}), true),
			// A limit is one for each of the rows around.
			apply(depends.Top(2, plan.Order{Column: "rating", Desc: true}), false),
		},
		"name scans": {plan.NamedScan("films", plan.As("id_2", expr.Col("id")), plan.As("title", expr.Col("title"))).Filter(over("id_2", 3))},
		"order joins": {
			// Films of a country are few: texts, and then ratings, are looked up among them.
			sized("ratings", 1e6).Project(plan.As("rated", expr.Col("film")), plan.As("rating", expr.Col("rating"))).
				Join(sized("films", 1e4)).Join(sized("texts", 1e5)).
				Filter(expr.And(expr.Eq(expr.Col("rated"), expr.Col("id")), expr.Eq(expr.Col("film"), expr.Col("id")),
					expr.ListContains(expr.Col("countries"), expr.Str("Spain")), expr.Ne(expr.Col("title"), expr.Col("text")))),
			// What an OR says of one side is a condition there, and a computed key is a column.
			sized("ratings", 1e6).Join(sized("films", 1e4)).Filter(expr.And(
				expr.Eq(expr.Add(expr.Col("film"), expr.Int(1)), expr.Col("id")),
				expr.Or(expr.And(over("user", 7), over("id", 3)), expr.And(over("user", 9), expr.Eq(expr.Col("title"), expr.Str("x")))))),
			// Films that somebody has rated: few films are the build side, although that is read first.
			sized("films", 1e3).Join(sized("ratings", 1e6).Distinct("film")).Filter(expr.Eq(expr.Col("film"), expr.Col("id"))).Select("title"),
			// Both sides of a join may have a key of one name.
			sized("ratings", 1e6).Join(sized("texts", 1e4), plan.On("film", "film")).Select("user", "text", "film"),
			// A model does not see texts of films that nobody asks for.
			sized("films", 1e4).Join(sized("texts", 1e4)).Filter(expr.And(expr.Eq(expr.Col("id"), expr.Col("film")), english)),
			// An outer join keeps its sides in their order unless the other order costs less.
			sized("films", 1e4).OuterJoin(plan.Right, sized("ratings", 1e6), plan.On("id", "film")),
			sized("ratings", 1e6).OuterJoin(plan.Right, sized("films", 1e4), plan.On("film", "id")),
			// An outer join with a condition that holds for no row without a partner is an inner one.
			sized("films", 1e4).OuterJoin(plan.Right, sized("ratings", 1e6), plan.On("id", "film")).
				Filter(expr.And(expr.Gt(expr.Col("id"), expr.Col("user")), over("rating", 3))).Select("film", "title"),
			sized("films", 1e4).OuterJoin(plan.Right, sized("ratings", 1e6), plan.On("id", "film")).
				Filter(expr.Or(over("id", 7), over("user", 9))).Select("film", "title"),
			// The one row of an aggregation is a key by which tables are read.
			sized("ratings", 1e6).Aggregate(nil, plan.Agg{Func: plan.Max, Args: []string{"user"}, Name: "greatest"}).
				OuterJoin(plan.Right, sized("films", 1e4).Join(sized("texts", 1e5), plan.On("id", "film"))).
				Filter(expr.Eq(expr.Col("id"), expr.Col("greatest"))).Select("title"),
			// A product with nothing to compare, and a join that is read twice.
			shared(sized("films", 1e4).Join(sized("texts", 1e5)).Filter(expr.Eq(expr.Col("id"), expr.Col("film"))).Select("id", "text")),
			// A condition on both sides of a join that is read twice stays above it.
			plan.UnionAll(rated.Filter(expr.Lt(expr.Col("id"), expr.Col("user"))), rated).Select("id", "user"),
		},
		"choose columns": {
			// The user is not read, and names that were made to be unique are not needed.
			ratings.Project(plan.As("film_2", expr.Col("film")), plan.As("rating_2", expr.Col("rating")), plan.As("user_2", expr.Col("user"))).
				Filter(over("rating_2", 3)).Project(plan.As("film", expr.Col("film_2"))),
			// A column whose name the other side has keeps another one.
			titles.Project(plan.As("id", expr.Col("id"))).Join(
				ratings.Project(plan.As("id_2", expr.Col("film")), plan.As("n", expr.Col("user"))), plan.On("id", "id_2")).Select("n", "id"),
			// Columns break ties of a window and of a sort, but not where the place of each row does.
			plan.From("visits").Window([]string{"film"}, []plan.Order{plan.Asc("user"), plan.Asc("position")}, number).Filter(over("n", 3)).Select("film"),
			plan.From("visits").Window([]string{"film"}, []plan.Order{plan.Asc("user")}, number).Filter(over("n", 3)).Select("film"),
			// Between two windows there is no projection.
			plan.From("visits").Window([]string{"film"}, []plan.Order{plan.Asc("user"), plan.Asc("position")}, number).
				Window(nil, []plan.Order{plan.Asc("position")}, plan.Call{Func: window.RowNumber, Name: "m"}).Filter(over("n", 3)).Select("m"),
			plan.From("visits").Top(3, plan.Asc("position")).Select("page"),
			plan.From("visits").Top(3, plan.Asc("user")).Select("page"),
		},
		"limit products": {
			// Each side by its own columns, with what OFFSET leaves out.
			func() *plan.Node {
				n := titles.Join(ratings).Join(texts.Select("text")).Top(10, plan.Order{Column: "rating", Desc: true}, plan.Asc("title"), plan.Asc("user"))
				n.Offset = 5
				return n
			}(),
			// The columns of a projection are compared in its order; one that computes is left alone.
			titles.Join(ratings).Project(plan.As("n", expr.Col("user")), plan.As("name", expr.Col("title")), plan.As("f", expr.Col("film"))).
				Top(4, plan.Asc("name")),
			titles.Join(ratings).Project(plan.As("n", expr.Add(expr.Col("user"), expr.Int(1)))).Top(4),
			// So many rows that their number does not fit are all.
			func() *plan.Node {
				n := titles.Join(ratings).Top(math.MaxInt64)
				n.Offset = 1
				return n
			}(),
			// One row has no first ones, and rows that were joined are no product.
			ratings.Aggregate(nil, plan.Agg{Func: plan.Count, Name: "n"}).Join(titles.Join(texts, plan.On("id", "film"))).Top(3),
			// What is limited as far stays as it is.
			titles.Top(2).Join(ratings.Top(7)).Top(3),
		},
		"bound products": {
			// What is compared is a column of its side, computed once.
			titles.Select("id").Join(ratings.Select("film", "user")).Filter(expr.And(
				expr.Ge(expr.Col("film"), expr.Add(expr.Col("id"), expr.Int(1))), expr.Le(expr.Col("film"), expr.Add(expr.Col("id"), expr.Int(9))),
				expr.Lt(expr.Add(expr.Col("id"), expr.Int(1)), expr.Col("user")))),
			// Numbers of different types are compared as floats besides. Texts are not, nor what is of both sides.
			titles.Select("id", "title").Join(ratings.Select("film", "rating").Join(texts.Select("text"))).Filter(expr.And(
				expr.Gt(expr.Col("rating"), expr.Col("id")), expr.Lt(expr.Col("title"), expr.Col("text")),
				expr.Gt(expr.Add(expr.Col("film"), expr.Col("id")), expr.Int(3)))),
		},
		"divide alternatives": {
			// A pair that is in both ways is in the first.
			titles.Select("id", "title").Join(ratings.Select("film", "user")).Filter(expr.And(
				expr.Or(expr.Eq(expr.Col("film"), expr.Col("id")), expr.And(expr.Eq(expr.Add(expr.Col("id"), expr.Int(1)), expr.Col("user")), expr.Gt(expr.Col("id"), expr.Int(3)))),
				expr.Lt(expr.Col("id"), expr.Col("user")))),
			// An equality that holds in any case is a better join, and one way without an equality needs all pairs.
			titles.Select("id").Join(ratings.Select("film", "user")).Filter(expr.And(
				expr.Eq(expr.Col("film"), expr.Col("id")), expr.Or(expr.Eq(expr.Col("id"), expr.Col("user")), expr.Eq(expr.Col("id"), expr.Int(3))))),
			titles.Select("id").Join(ratings.Select("film", "user")).Filter(
				expr.Or(expr.Eq(expr.Col("film"), expr.Col("id")), expr.Lt(expr.Col("id"), expr.Col("user")))),
		},
		"fold constants": {
			titles.Filter(expr.Or(expr.Not(expr.Bool(true)), expr.Gt(expr.Col("id"), expr.Add(expr.Int(2), expr.Int(3))))).
				Project(plan.As("id", expr.Add(expr.Col("id"), expr.Mul(expr.Int(2), expr.Int(3))))).Top(10, plan.Asc("id")),
		},
		"push filters": {
			// Through a projection, an unnest and a join, to the side whose columns it uses.
			titles.Project(plan.As("id", expr.Col("id")), plan.As("name", expr.Lower(expr.Col("title"))), plan.As("land", expr.Col("countries"))).
				Unnest("land", "country").Join(ratings, plan.On("id", "film")).
				Filter(expr.And(expr.Call(expr.OpContains, expr.Col("name"), expr.Str("x")), expr.Eq(expr.Col("country"), expr.Str("Spain")),
					over("user", 7), over("id", 3), expr.Bool(true))).Select("id", "country"),
			// A condition on a group's key goes below the aggregation; one on its value stays above.
			ratings.Aggregate([]string{"film"}, plan.Agg{Func: plan.Count, Name: "n"}).Filter(expr.And(over("n", 5), over("film", 2))),
			// Of 0 and -0, which are one group, a comparison says the same; a text or a sign does not.
			ratings.Project(plan.As("x", expr.ToFloat(expr.Col("rating")))).Aggregate([]string{"x"}, plan.Agg{Func: plan.Count, Name: "n"}).
				Filter(expr.And(expr.Gt(expr.Col("x"), expr.Float(1)), expr.Call("signbit", expr.Add(expr.Col("x"), expr.Int(1))))),
			// Conditions and projections go to all inputs of a union.
			both.Filter(over("k", 5)).Project(plan.As("twice", expr.Mul(expr.Col("k"), expr.Int(2)))),
			// What a projection makes of constants is known: of films and texts, films are wanted.
			plan.UnionAll(
				titles.Project(plan.As("k", expr.Col("id")), plan.As("kind", expr.Str("film"))),
				texts.Project(plan.As("k", expr.Col("film")), plan.As("kind", expr.Str("text"))),
			).Filter(expr.And(expr.Eq(expr.Col("kind"), expr.Str("film")), over("k", 5))),
			// The side of an outer join that may be made of nulls keeps its condition above.
			titles.OuterJoin(plan.Left, ratings, plan.On("id", "film")).Filter(expr.And(over("id", 3), over("rating", 3))),
		},
		"bound costly": {
			// The model only sees texts of films that could have enough of them.
			spanish.Join(texts.Filter(expr.And(english, expr.Ne(expr.Col("text"), expr.Str("")))), plan.On("id", "film")).
				Aggregate([]string{"id", "title"}, plan.Agg{Func: plan.Count, Name: "n"}).Filter(over("n", 100)).Sort(plan.Asc("id")),
			// Films with the same title form one group, so the bound does not hold for each film.
			titles.Join(texts.Filter(english), plan.On("id", "film")).
				Aggregate([]string{"title"}, plan.Agg{Func: plan.Count, Name: "n"}).Filter(over("n", 100)),
		},
	}
}

// TestGolden holds what each rule makes of plans, and that it leaves the plans themselves alone.
func TestGolden(t *testing.T) {
	cases := golden()
	for _, rule := range rules.List() {
		t.Run(rule.Name, func(t *testing.T) {
			var b strings.Builder
			for _, root := range cases[rule.Name] {
				before := plan.Text(root)
				b.WriteString("before\n" + before + "after\n" + plan.Text(rule.Apply(root, films())) + "\n")
				if now := plan.Text(root); now != before {
					t.Errorf("the rule has changed the plan that it was given to\n%s", now)
				}
			}
			file := filepath.Join("testdata", strings.ReplaceAll(rule.Name, " ", "_")+".txt")
			if *rewrite {
				if err := os.WriteFile(file, []byte(b.String()), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if b.String() != string(want) {
				t.Errorf("the plans are\n%s\nnot (accept with -rewrite)\n%s", b.String(), want)
			}
		})
	}
}
