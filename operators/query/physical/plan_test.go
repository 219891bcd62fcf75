package physical_test

import (
	"encoding"
	"flag"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"analyzer/columnar"
	"analyzer/columnar/budget"
	"analyzer/operators/expr"
	"analyzer/operators/query/physical"
	"analyzer/operators/query/plan"
)

var rewrite = flag.Bool("rewrite", false, "rewrite the plans in testdata")

// tables are films with their countries, ratings of films, and texts about them.
func tables() plan.Tables {
	table := func(name string, columns ...columnar.TableColumn) *columnar.Table {
		return &columnar.Table{Name: name, Columns: columns}
	}
	column := func(name string, f columnar.Format) columnar.TableColumn {
		return columnar.TableColumn{Name: name, Header: name, Format: f, Required: true}
	}
	return plan.Tables{
		"films": table("films", column("id", columnar.FormatInt), column("title", columnar.FormatText),
			column("countries", columnar.FormatNames), column("budget", columnar.FormatDecimal)),
		"ratings": table("ratings", column("film", columnar.FormatInt), column("user", columnar.FormatInt), column("rating", columnar.FormatDecimal)),
		"texts":   table("texts", column("film", columnar.FormatInt), column("text", columnar.FormatText)),
	}
}

func films() *plan.Node   { return plan.From("films") }
func ratings() *plan.Node { return plan.From("ratings") }

func count(name string) plan.Agg       { return plan.Agg{Func: plan.Count, Name: name} }
func avg(arg, name string) plan.Agg    { return plan.Agg{Func: plan.Avg, Args: []string{arg}, Name: name} }
func rated(film *plan.Node) *plan.Node { return film.Join(ratings(), plan.On("id", "film")) }
func of(country string) *expr.Expr {
	return expr.ListContains(expr.Col("countries"), expr.Str(country))
}

func over(column string, n int64) *expr.Expr {
	return expr.Gt(expr.Col(column), expr.Int(n))
}

// golden holds the queries of each file in testdata.
func golden() map[string][]*plan.Node {
	bestOf := func(country string) *plan.Node {
		return rated(films().Filter(of(country)).Select("id", "title")).Aggregate([]string{"id", "title"}, avg("rating", "mean"))
	}
	byUser := ratings()
	level := func(keys ...string) *plan.Node { return byUser.Aggregate(keys, count("n")) }
	ofFilms := rated(films().Select("id", "title"))
	either := plan.UnionAll(films().Project(plan.As("k", expr.Col("id")), plan.As("n", expr.Col("title"))),
		plan.From("texts").Project(plan.As("k", expr.Col("film")), plan.As("n", expr.Col("text"))))
	// seen are films with how many have rated each; who meets them by another column reads them at once, since
	// the same are read elsewhere.
	seen := ratings().Aggregate([]string{"film"}, count("n")).Filter(over("n", 5))
	return map[string][]*plan.Node{
		"read_early": {
			seen.Project(plan.As("m", expr.Col("n"))).Join(seen, plan.On("m", "n")),
			// But no earlier than the build side, which has read ratings in phase 1.
			rated(films().Select("id")).Select("id", "user").Join(seen.Project(plan.As("m", expr.Col("n"))), plan.On("user", "m")),
		},
		"scan": {films()},
		"first_of_partition": {
			// Only the first rows of each film are kept, unless a call depends on later rows.
			ratings().Window([]string{"film"}, []plan.Order{{Column: "rating", Desc: true}}, plan.Call{Func: "row_number", Name: "place"}).
				Filter(expr.Le(expr.Col("place"), expr.Int(3))),
			ratings().Window([]string{"film"}, []plan.Order{{Column: "rating", Desc: true}}, plan.Call{Func: "rank", Name: "place"}, plan.Call{Func: "count", Name: "n"}).
				Filter(expr.Le(expr.Col("place"), expr.Int(3))),
		},
		"filter": {
			// The cheapest condition is checked first.
			films().Filter(expr.And(expr.Call(expr.OpContains, expr.Lower(expr.Col("title")), expr.Str("x")), over("id", 3))).Select("id"),
		},
		"columns": {ratings().Project(plan.As("a", expr.Col("user")), plan.As("b", expr.Col("rating"))).Select("a").Distinct("a")},
		"global":  {ratings().Aggregate(nil, count("n"), avg("rating", "mean"))},
		"top":     {ratings().Top(3, plan.Order{Column: "rating", Desc: true}, plan.Asc("user")).Select("film", "rating")},
		"one_scan": {
			// Films of a country are read once for both queries, and their rows cross one exchange's
			// keys only; the third needs them elsewhere.
			rated(films().Filter(of("Spain")).Select("id", "title")).Select("title", "rating"),
			films().Filter(of("Spain")).Select("id").Join(plan.From("texts"), plan.On("id", "film")).Select("text"),
		},
		"no_shared_scan": {
			// One scan would carry budgets over the exchange by id.
			rated(films().Filter(of("Spain")).Select("id", "title")).Select("title", "rating"),
			films().Filter(of("Spain")).Aggregate([]string{"budget"}, count("n")),
		},
		"percentile": {
			ratings().Aggregate([]string{"film"}, count("n")).AtPercentile("n", 0.9).Sort(plan.Asc("film")),
		},
		"aggregate_below_join": {bestOf("Spain")},
		"aggregate_above_join": {
			// The summed column comes from the build side.
			rated(films()).Aggregate([]string{"title"}, plan.Agg{Func: plan.Sum, Args: []string{"budget"}, Name: "money"}),
			// The groups have columns of both sides.
			rated(films()).Aggregate([]string{"title", "user"}, count("n")),
		},
		"computed_below_join": {
			// The averaged expression is computed where the texts are read,
			felt(plan.From("texts"), expr.Polarity(expr.Col("text"), expr.Str("lexicon"))),
			// but not where the model would also see rows without a partner,
			felt(plan.From("texts").Top(9, plan.Asc("text")), expr.Polarity(expr.Col("text"), expr.Str("lexicon"))),
			// nor where it could fail on such rows, nor if it uses columns of both sides.
			felt(plan.From("texts"), expr.CastText(expr.Col("text"), columnar.Int, false)),
			felt(plan.From("texts"), expr.Call(expr.OpConcat, expr.Col("text"), expr.Col("title"))),
		},
		"merge": {
			// Groups by other columns than the join's key are merged after the join.
			rated(films()).Aggregate([]string{"title"}, count("n"), avg("rating", "mean")),
		},
		"gathered": {
			// Rows are already placed by the join's key.
			rated(films().Select("id", "title")).Aggregate([]string{"id", "user"}, count("n")),
		},
		"key_filter": {
			// The keys of a build side filter a scan through an aggregation by them, but not
			// through a top, which needs all rows.
			films().Select("id", "title").Join(ratings().Aggregate([]string{"film"}, count("n")), plan.On("id", "film")),
			films().Select("id").Join(ratings().Top(9, plan.Asc("user")), plan.On("id", "film")),
		},
		"levels": {
			// Groups by fewer keys are computed from the states of those by more, each from the smallest.
			plan.UnionAll(
				level("rating", "film", "user").Project(plan.As("n", expr.Col("n"))),
				level("rating", "film").Project(plan.As("n", expr.Col("n"))),
				level("rating").Project(plan.As("n", expr.Col("n"))),
				level().Project(plan.As("n", expr.Col("n"))),
				// Other aggregates, and fewer rows, are not.
				byUser.Aggregate([]string{"film"}, plan.Agg{Func: plan.Count, Args: []string{"rating"}, Name: "n"}).Project(plan.As("n", expr.Col("n"))),
				byUser.Filter(over("film", 7)).Aggregate([]string{"film"}, count("n")).Project(plan.As("n", expr.Col("n"))),
			),
			// The states come from below a join, or from both parts of a union.
			plan.UnionAll(
				ofFilms.Aggregate([]string{"id", "title"}, count("n")).Select("title", "n"),
				ofFilms.Aggregate([]string{"title"}, count("n")),
			),
			plan.UnionAll(
				either.Aggregate([]string{"k", "n"}).Select("n"),
				either.Aggregate([]string{"n"}),
			),
		},
		"kept_twice": {
			// Probe sides of nested left joins, which keep all build rows, are read at once.
			films().Select("id").
				OuterJoin(plan.Left, ratings().Aggregate([]string{"film"}, count("n")), plan.On("id", "film")).Select("id", "n").
				OuterJoin(plan.Left, ratings().Filter(expr.Gt(expr.Col("rating"), expr.Int(3))).Aggregate([]string{"film"}, count("m")), plan.On("id", "film")),
		},
		"phases": {
			films().Select("id").Join(
				ratings().Project(plan.As("id", expr.Col("film")), plan.As("user", expr.Col("user"))).Join(plan.From("texts"), plan.On("id", "film")),
				plan.On("id", "id")),
		},
		"self_join": {
			films().Select("id").Join(films().Select("id", "title"), plan.On("id", "id")),
		},
		"same_aggregate_on_both_sides": {
			ratings().Aggregate([]string{"film"}, count("n")).Join(
				ratings().Aggregate([]string{"film"}, count("n")).Project(plan.As("film", expr.Col("film")), plan.As("m", expr.Col("n"))),
				plan.On("film", "film")),
		},
		"union": {plan.UnionAll(
			bestOf("Spain").Top(1, plan.Order{Column: "mean", Desc: true}),
			bestOf("Spain").Top(1, plan.Asc("mean")),
			bestOf("France")).Sort(plan.Asc("id"))},
		"over_union": {
			// Operators above a union of files run where each file is read.
			both().Aggregate([]string{"k"}, count("n")),
			both().Aggregate(nil, count("n")),
			plan.UnionAll(topFilms(), topRatings()).Distinct("k"),
		},
		"shared": {
			bestOf("Spain").Sort(plan.Asc("title")),
			bestOf("Spain").Top(10, plan.Order{Column: "mean", Desc: true}),
			films().Filter(of("Spain")).Select("id", "title").Join(plan.From("texts"), plan.On("id", "film")),
		},
		"tied_stages": {
			// The second query unites rows of the first one's stage with rows computed from that stage.
			plan.UnionAll(topFilms(), topRatings()),
			plan.UnionAll(topFilms().Join(ratings().Project(plan.As("k", expr.Col("film"))), plan.On("k", "k")).Top(3), topRatings()),
		},
	}
}

// felt is the greatest value of an expression by film.
func felt(texts *plan.Node, value *expr.Expr) *plan.Node {
	return films().Select("id", "title").Join(texts, plan.On("id", "film")).
		Project(append(plan.Cols("id", "title"), plan.As("value", value))...).
		Aggregate([]string{"id", "title"}, plan.Agg{Func: plan.Max, Args: []string{"value"}, Name: "most"})
}

// both are keys out of two tables.
func both() *plan.Node {
	return plan.UnionAll(films().Project(plan.As("k", expr.Col("id"))), ratings().Project(plan.As("k", expr.Col("film"))))
}

func topFilms() *plan.Node {
	return films().Project(plan.As("k", expr.Col("id"))).Top(2, plan.Asc("k"))
}

func topRatings() *plan.Node {
	return ratings().Project(plan.As("k", expr.Col("film"))).Top(2, plan.Order{Column: "k", Desc: true})
}

func TestPlans(t *testing.T) {
	for name, roots := range golden() {
		t.Run(name, func(t *testing.T) {
			var b strings.Builder
			b.WriteString(planned(t, roots, physical.New))
			moved := strings.NewReplacer("handed over ", "", ", or joined in place", "")
			if apart := planned(t, roots, physical.NewDistributed); apart != moved.Replace(b.String()) {
				b.WriteString("\nin a cluster\n" + apart)
			}
			file := filepath.Join("testdata", name+".txt")
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
				t.Errorf("the plan is\n%s\nnot (accept with -rewrite)\n%s", b.String(), want)
			}
		})
	}
}

func planned(t *testing.T, roots []*plan.Node, newPlan func(*budget.Work, []*plan.Query, plan.Tables) (*physical.Plan, error)) string {
	t.Helper()
	var queries []*plan.Query
	for i, root := range roots {
		queries = append(queries, &plan.Query{Name: "q" + string(rune('1'+i)), Root: root})
	}
	p, err := newPlan(nil, queries, tables())
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Validate(); err != nil {
		t.Error(err)
	}
	return p.String()
}

// TestJSONHasOneStyleOfNames walks over everything that a plan in JSON can hold.
func TestJSONHasOneStyleOfNames(t *testing.T) {
	style := regexp.MustCompile(`^[a-z]+([A-Z][a-z]*)*$`)
	seen := make(map[reflect.Type]bool)
	var walk func(of reflect.Type)
	walk = func(of reflect.Type) {
		if seen[of] || of.Implements(reflect.TypeFor[encoding.TextMarshaler]()) {
			return
		}
		seen[of] = true
		switch of.Kind() {
		case reflect.Pointer, reflect.Slice:
			walk(of.Elem())
		case reflect.Struct:
			for field := range of.Fields() {
				name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
				if name == "-" {
					continue
				}
				if !style.MatchString(name) {
					t.Errorf("%s.%s is %q in JSON", of, field.Name, name)
				}
				walk(field.Type)
			}
		}
	}
	walk(reflect.TypeFor[physical.Plan]())
	walk(reflect.TypeFor[plan.Query]())
}
