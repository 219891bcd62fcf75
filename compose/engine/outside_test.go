package engine_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"analyzer/columnar/vfs"
	"analyzer/compose/engine"
	"analyzer/operators/query"
	"analyzer/operators/query/bind"
	"analyzer/operators/query/physical"
	"analyzer/operators/query/plan"
	"analyzer/operators/query/sql"
)

// outside holds the tables that untrusted plans run over, and the plans that they are made
// from.
type outside struct {
	tables plan.Tables
	open   func(table string) (vfs.File, error)
	seeds  [][]byte // queries as JSON
}

func newOutside(t testing.TB) *outside {
	t.Helper()
	o, n := &outside{}, 0
	for w := range worlds(t) {
		if n++; n > 6 {
			break
		}
		catalog, tables, files := w.tables()
		o.tables, o.open = tables, inMemory(t, files)
		for _, s := range w.Statements {
			o.add(t, s.Text, catalog)
		}
	}
	return o
}

func (o *outside) add(t testing.TB, text string, catalog bind.Catalog) {
	t.Helper()
	st, err := sql.Parse(nil, text)
	if err != nil {
		t.Fatal(err)
	}
	root, err := query.Plan(nil, st.Query, catalog, nil, nil)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	seed, err := json.Marshal(&plan.Query{Version: plan.CurrentVersion, Name: "q", Root: root})
	if err != nil {
		t.Fatal(err)
	}
	o.seeds = append(o.seeds, seed)
}

// take treats a plan like one from a client: it is decoded, checked, planned for one process
// and for a cluster, and run. Anything wrong with it must give an error.
func (o *outside) take(t testing.TB, data []byte) (err error) {
	q := new(plan.Query)
	if err := json.Unmarshal(data, q); err != nil {
		return err
	}
	queries := []*plan.Query{q}
	if err := plan.Check(nil, queries); err != nil {
		return err
	}
	if _, err := physical.NewDistributed(nil, queries, o.tables); err != nil {
		return err
	}
	j := job{queries: queries, tables: o.tables, open: o.open}
	if j.plan, err = physical.New(nil, queries, o.tables); err != nil {
		return err
	}
	if wrong := malformed(j.plan, false); wrong != "" {
		t.Errorf("%s\n%s", wrong, data)
	}
	return j.run(t, t.Context(), engine.Options{Replicas: 2, Memory: 1}).err
}

// FuzzOutsidePlan replaces some parts of statements' plans by other parts, valid there or not,
// and takes them as if from a client: nothing may panic, hang, or leave anything behind.
func FuzzOutsidePlan(f *testing.F) {
	o := newOutside(f)
	seeds := uint64(400)
	if testing.Short() {
		seeds = 100
	}
	for seed := range seeds {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		m := mutation{rng: rand.New(rand.NewPCG(seed, 7))}
		var doc any
		d := json.NewDecoder(bytes.NewReader(o.seeds[m.rng.IntN(len(o.seeds))]))
		d.UseNumber()
		if err := d.Decode(&doc); err != nil {
			t.Fatal(err)
		}
		m.collect(doc)
		for range 1 + m.rng.IntN(3) {
			doc = m.change(doc, 1+m.rng.IntN(m.values))
		}
		data, err := json.Marshal(doc)
		if err != nil {
			t.Fatal(err)
		}
		defer func() {
			if p := recover(); p != nil {
				t.Fatalf("panic: %v\n%s", p, data)
			}
		}()
		_ = o.take(t, data)
	})
}

// mutation changes a plan as JSON.
type mutation struct {
	rng    *rand.Rand
	texts  []any // that occur in the plan
	nodes  []any
	values int
	at     int
}

// collect collects the values that may replace others.
func (m *mutation) collect(v any) {
	m.values++
	switch v := v.(type) {
	case string:
		m.texts = append(m.texts, v)
	case []any:
		for _, item := range v {
			m.collect(item)
		}
	case map[string]any:
		m.nodes = append(m.nodes, v)
		for _, name := range slices.Sorted(maps.Keys(v)) {
			m.collect(v[name])
		}
	}
}

// change replaces the value that is reached after a number of others.
func (m *mutation) change(v any, after int) any {
	m.at = after
	return m.visit(v)
}

func (m *mutation) visit(v any) any {
	if m.at--; m.at == 0 {
		return m.other(v)
	}
	switch v := v.(type) {
	case []any:
		out := make([]any, len(v))
		for i, item := range v {
			out[i] = m.visit(item)
		}
		return out
	case map[string]any:
		out := make(map[string]any, len(v))
		for _, name := range slices.Sorted(maps.Keys(v)) {
			out[name] = m.visit(v[name])
		}
		return out
	}
	return v
}

func (m *mutation) other(v any) any {
	switch v := v.(type) {
	case string:
		if m.rng.IntN(4) == 0 {
			return m.pick([]any{"", "\x00", strings.Repeat("x", 300), "regexp_matches", "int", "text", "textlist", "wide", "floatsum", "unnest", "window", "percentile"})
		}
		return m.pick(m.texts)
	case json.Number:
		return m.pick([]any{json.Number("0"), json.Number("-1"), json.Number("9223372036854775807"), json.Number("-9223372036854775808"), json.Number("1e308"), json.Number("0.5"), "1"})
	case bool:
		return !v
	case []any:
		if len(v) == 0 || m.rng.IntN(3) == 0 {
			return append([]any{m.pick(m.nodes)}, v...)
		}
		i := m.rng.IntN(len(v))
		return append(append([]any{}, v[:i]...), append([]any{v[m.rng.IntN(len(v))]}, v[i+m.rng.IntN(2):]...)...)
	case map[string]any:
		return m.pick(append([]any{nil, []any{}, 1}, m.nodes...))
	}
	return m.pick(m.nodes)
}

func (m *mutation) pick(from []any) any { return from[m.rng.IntN(len(from))] }

// TestHostilePlans takes small plans that ask for a lot.
func TestHostilePlans(t *testing.T) {
	if testing.Short() {
		t.Skip("most plans are refused before anything runs concurrently")
	}
	o := newOutside(t)
	chain := func(depth int, first, next string) string {
		node := `{"op":"project","inputs":[{"op":"scan","table":"u"}],"exprs":[{"name":"x","expr":` + first + `}]}`
		for range depth {
			node = `{"op":"project","inputs":[` + node + `],"exprs":[{"name":"x","expr":` + next + `}]}`
		}
		return node
	}
	x := `{"op":"column","name":"x"}`
	text, number := `{"op":"column","name":"w"}`, `{"op":"column","name":"k"}`
	call := func(op string, args ...string) string {
		return fmt.Sprintf(`{"op":%q,"args":[%s]}`, op, strings.Join(args, ","))
	}
	literal := func(s string) string { return fmt.Sprintf(`{"op":"literal","value":{"type":"text","text":%q}}`, s) }
	for want, root := range map[string]string{
		"more than 64 MiB of text":    chain(50, text, call("||", x, x)),
		"":                            chain(50, number, call("-", x, call("//", x, `{"op":"literal","value":{"type":"int","int":2}}`))),
		"on top of each other":        chain(60, number, x),
		"nested deeper than 4000":     chain(0, strings.Repeat(`{"op":"not","args":[`, 4500)+`{"op":"literal","value":{"type":"bool"}}`+strings.Repeat("]}", 4500), x),
		"steps; 10000 are possible":   chain(0, call("regexp_matches", text, literal(strings.Repeat("a{1000}", 11))), x),
		"more than 1048576 bytes":     chain(0, literal(strings.Repeat("x", 1<<20+1)), x),
		"stands twice":                `{"op":"aggregate","inputs":[{"op":"scan","table":"u"}],"keys":["k","k"]}`,
		`there is no column "nobody"`: `{"op":"sort","inputs":[{"op":"scan","table":"u"}],"order":[{"column":"nobody"}]}`,
		"less than 0 rows":            `{"op":"sort","inputs":[{"op":"scan","table":"u"}],"limit":-1}`,
		"not a list":                  `{"op":"unnest","inputs":[{"op":"scan","table":"u"}],"lists":[{"column":"k","as":"x"}]}`,
	} {
		err := o.take(t, []byte(fmt.Sprintf(`{"version":%d,"name":"q","root":%s}`, plan.CurrentVersion, root)))
		if want == "" && err == nil {
			continue
		}
		if err == nil || want == "" || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}
