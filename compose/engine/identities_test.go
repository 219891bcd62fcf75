package engine_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"analyzer/compose/engine"
	"analyzer/operators/query"
	"analyzer/operators/query/plan"
	"analyzer/operators/query/sql"
)

var (
	identitySeed  = flag.Uint64("identity-seed", 1, "the first seed of TestIdentities")
	identityCount = flag.Int("identities", 400, "how many seeds TestIdentities tries")
)

// identity is two lists of statements whose answers have the same rows, taken together.
type identity struct{ left, right []string }

// TestIdentities asks statements in two ways that differ in what a compiler makes of them: by
// whether a condition is true, false or null, and by whether it is a condition at all. Both find
// wrong answers without another program to compare with (Rigger and Su, "Finding Bugs in Database
// Systems via Query Partitioning", OOPSLA 2020, and "Detecting Optimization Bugs in Database Engines
// via Non-Optimizing Reference Engine Construction", ESEC/FSE 2020).
func TestIdentities(t *testing.T) {
	count := *identityCount
	if testing.Short() {
		count /= 8
	}
	var all []*world
	for w := range worlds(t) {
		all = append(all, w)
	}
	held := 0
	for seed := *identitySeed; seed < *identitySeed+uint64(count); seed++ {
		rng := rand.New(rand.NewPCG(seed, 3))
		w := one(rng, all...)
		kind := one(rng, identityKinds()...)
		which := fmt.Sprintf("%s, -identity-seed %d -identities 1", kind.name, seed)
		if agrees(t, w, which, kind.make(rng), engine.Options{Replicas: 1 + rng.IntN(4), BlockSize: 1000, Memory: int64(rng.IntN(2))}) {
			held++
		}
	}
	t.Logf("%d pairs have the same rows, %d cannot be asked", held, count-held)
	if held < count*9/10 {
		t.Errorf("only %d of %d pairs could be asked", held, count)
	}
}

// agrees runs both sides of an identity in one job. It returns false if one of them cannot be asked:
// it has an overflow, or calls for a constant where it has a column.
func agrees(t *testing.T, w *world, which string, i identity, o engine.Options) bool {
	t.Helper()
	catalog, tables, files := w.tables()
	j := job{tables: tables, open: inMemory(t, files)}
	for n, text := range slices.Concat(i.left, i.right) {
		parsed, err := sql.Parse(nil, text)
		if err != nil {
			t.Fatalf("%s: %s: %v", which, text, err)
		}
		root, err := query.Plan(nil, parsed.Query, catalog, nil, nil)
		if err != nil {
			t.Logf("%s: %s: %v", which, text, err)
			return false
		}
		j.queries = append(j.queries, &plan.Query{Version: plan.CurrentVersion, Name: fmt.Sprint("q", n), Root: root})
	}
	got := j.run(t, t.Context(), o)
	if got.err != nil {
		t.Logf("%s: %s: %v", which, i.left[0], got.err)
		return false
	}
	rows := make(map[string]struct{ Rows []json.RawMessage })
	if err := json.Unmarshal([]byte(got.json), &rows); err != nil {
		t.Fatal(err)
	}
	var sides [2][]string
	for n := range j.queries {
		side := 0
		if n >= len(i.left) {
			side = 1
		}
		for _, row := range rows[fmt.Sprint("q", n)].Rows {
			sides[side] = append(sides[side], string(row))
		}
	}
	slices.Sort(sides[0])
	slices.Sort(sides[1])
	if !slices.Equal(sides[0], sides[1]) {
		t.Errorf("%s, %s:\n%s\nhas %d rows\n%s\nand\n%s\nhas %d\n%s", which, describe(o), strings.Join(i.left, "\n"), len(sides[0]), strings.Join(sides[0], "\n"),
			strings.Join(i.right, "\n"), len(sides[1]), strings.Join(sides[1], "\n"))
	}
	return true
}

// inThree are the values that a condition may have.
func inThree(p string) []string {
	return []string{p, fmt.Sprintf("NOT (%s)", p), fmt.Sprintf("(%s) IS NULL", p)}
}

// source is what stands behind FROM, with the columns that it has.
type source struct {
	text    string
	columns []sqlColumn
}

func someSource(rng *rand.Rand) source {
	both := slices.Concat(columnsOfT, columnsOfU)
	on := "t.i = u.k"
	if rng.IntN(2) == 0 {
		on += " AND " + (&sqlGrower{rng: rng, reads: both}).condition(1)
	}
	joined := func(kind string) source { return source{fmt.Sprintf("t %s JOIN u ON %s", kind, on), both} }
	switch rng.IntN(14) {
	case 0:
		return joined(one(rng, "INNER", "RIGHT"))
	case 1:
		return joined("LEFT")
	case 2:
		return joined("FULL")
	case 6:
		return source{joined(one(rng, "SEMI", "ANTI")).text, columnsOfT}
	case 7: // conditions must not go below the LIMIT, nor below what chooses rows of a group
		return source{one(rng,
			"(SELECT * FROM t ORDER BY d DESC, id LIMIT 20) AS t",
			"(SELECT DISTINCT ON (i, b) * FROM t ORDER BY i, b, s DESC, id) AS t",
			"(SELECT * FROM t QUALIFY row_number() OVER (PARTITION BY b ORDER BY f, id) < 9) AS t"), columnsOfT}
	case 8:
		return source{"(SELECT i, b, count(*) AS n FROM t GROUP BY " + one(rng, "ROLLUP (i, b)", "CUBE (i, b)", "GROUPING SETS ((i), (b), (i, b))") + ") AS t", []sqlColumn{
			columnsOfT[1], columnsOfT[6], {"t.n", columnsOfT[0].typ},
		}}
	case 9:
		return source{"t, (SELECT count(*) AS n, max(u.w) AS w FROM u WHERE u.k " + one(rng, "=", "<") + " t.i) AS v", append(slices.Clone(columnsOfT), sqlColumn{"v.n", columnsOfT[0].typ}, sqlColumn{"v.w", columnsOfT[5].typ})}
	case 10:
		return source{"(SELECT i, s, b FROM t " + one(rng, "UNION", "INTERSECT", "EXCEPT", "EXCEPT ALL") + " SELECT k, w, k > 1 FROM u) AS t", []sqlColumn{columnsOfT[1], columnsOfT[5], columnsOfT[6]}}
	case 11:
		return source{"t CROSS JOIN unnest([t.i, t.id, 1, NULL]) AS v(x)", append(slices.Clone(columnsOfT), sqlColumn{"v.x", columnsOfT[0].typ})}
	case 3:
		return source{"(SELECT i, b, count(*) AS n, max(s) AS s, min(f) AS f FROM t GROUP BY i, b) AS t", []sqlColumn{
			columnsOfT[1], columnsOfT[6], {"t.n", columnsOfT[0].typ}, columnsOfT[5], columnsOfT[4],
		}}
	case 4:
		return source{
			"(SELECT *, row_number() OVER (PARTITION BY i ORDER BY id) AS n, lag(f) OVER (ORDER BY id) AS y FROM t) AS t",
			append(slices.Clone(columnsOfT), sqlColumn{"t.n", columnsOfT[0].typ}, sqlColumn{"t.y", columnsOfT[4].typ}),
		}
	case 5:
		return source{"(SELECT id, f, s, dt FROM t UNION ALL SELECT k, y, w, du FROM u) AS t", []sqlColumn{columnsOfT[0], columnsOfT[4], columnsOfT[5], columnsOfT[7]}}
	}
	return source{"t", columnsOfT}
}

// items are a few columns and values, to be selected; often the last column, which some queries compute.
func (g *sqlGrower) items() string {
	items := []string{one(g.rng, one(g.rng, g.reads...), g.reads[len(g.reads)-1]).text + " AS x"}
	for n := range g.rng.IntN(3) {
		items = append(items, fmt.Sprintf("%s AS x%d", g.value(g.someType(), 1), n))
	}
	return strings.Join(items, ", ")
}
