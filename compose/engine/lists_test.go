package engine_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"analyzer/compose/engine"
	"analyzer/operators/query"
	"analyzer/operators/query/plan"
	"analyzer/operators/query/sql"
)

// TestListsOfEveryType collects lists of each type, groups by them, joins and unnests them. The
// answers are the same in memory, with spill, and with any number of replicas.
func TestListsOfEveryType(t *testing.T) {
	rows, rng := []string{"k,d,f,b,dt,ts"}, rand.New(rand.NewPCG(1, 1))
	n := 6000
	if testing.Short() {
		n = 1500
	}
	for i := range n {
		cells := []string{
			fmt.Sprint(i % 1500), fmt.Sprintf("%d.%d", rng.IntN(9), rng.IntN(1e6)), fmt.Sprint(rng.NormFloat64()), fmt.Sprint(i%3 > 0),
			fmt.Sprintf("2020-02-%02d", 1+rng.IntN(29)), fmt.Sprintf("2020-02-%02d 10:%02d:00.5", 1+rng.IntN(29), rng.IntN(60)),
		}
		if at := 1 + rng.IntN(20); at < len(cells) {
			cells[at] = ""
		}
		rows = append(rows, strings.Join(cells, ","))
	}
	columns := []map[string]string{
		{"name": "k", "type": "BIGINT"},
		{"name": "d", "type": "DECIMAL(18,6)"},
		{"name": "f", "type": "DOUBLE"},
		{"name": "b", "type": "BOOLEAN"},
		{"name": "dt", "type": "DATE"},
		{"name": "ts", "type": "TIMESTAMP"},
	}
	data, err := json.Marshal(map[string]any{"tables": []any{map[string]any{"name": "t", "columns": columns, "csv": strings.Join(rows, "\n") + "\n"}}})
	if err != nil {
		t.Fatal(err)
	}
	w := new(world)
	if err := json.Unmarshal(data, w); err != nil {
		t.Fatal(err)
	}
	catalog, tables, files := w.tables()
	j := job{tables: tables, open: inMemory(t, files)}
	const lists = "SELECT k, list(d) AS d, list(f ORDER BY ts DESC) AS f, list(b ORDER BY f) AS b, list(DISTINCT dt) AS dt, list(ts) AS ts FROM t GROUP BY k"
	for i, text := range []string{
		lists + " ORDER BY k",
		"SELECT b, count(*), min(k), max(list_max(dt)), sum(list_sum(d)), list(list_sum(d) ORDER BY k) FROM (" + lists + ") GROUP BY b",
		"SELECT d, f, b, dt, ts, count(*) FROM (" + lists + ") GROUP BY ALL ORDER BY 6, min(k)",
		"SELECT l.*, t.d FROM (" + lists + ") l JOIN t ON l.k = t.k AND list_contains(l.dt, t.dt)",
		"SELECT b[1], list(dt ORDER BY d DESC), first(ts ORDER BY dt), max(d), min(b), any_value(f), arg_max(dt, ts), count(d) FROM (" + lists + ") GROUP BY b[1]",
		"SELECT l, count(*), list(k) FROM (SELECT k % 100 AS k, list([b, b]) AS l FROM t GROUP BY 1) GROUP BY l",
		"SELECT x, count(*), list(k) FROM (SELECT k, unnest(ts) AS x FROM (" + lists + ")) GROUP BY x",
	} {
		parsed, err := sql.Parse(nil, text)
		if err != nil {
			t.Fatal(err)
		}
		root, err := query.Plan(nil, parsed.Query, catalog, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		j.queries = append(j.queries, &plan.Query{Version: plan.CurrentVersion, Name: fmt.Sprintf("q%d", i), Root: root})
	}
	want := j.answer(t, engine.Options{Replicas: 1}).json
	for _, o := range []engine.Options{{Replicas: 4, BlockSize: 5000}, {Replicas: 3, BlockSize: 20_000, Memory: 1}, {Replicas: 1, Memory: 1}} {
		if got := j.same(t, want, o); o.Memory > 0 && got.report.Spilled == 0 {
			t.Errorf("%s: nothing is spilled", describe(o))
		}
	}
}
