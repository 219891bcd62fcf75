package sim_test

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"analyzer/columnar"
	"analyzer/columnar/vfs"
	"analyzer/compose/cluster/protocol"
	"analyzer/compose/cluster/sim"
	"analyzer/compose/engine"
	"analyzer/operators/expr"
	"analyzer/operators/query/physical"
	"analyzer/operators/query/plan"
	"analyzer/shuffle/broker"
)

var (
	seeds = flag.Int("seeds", 600, "how many seeds to simulate")
	all   = flag.Bool("all", false, "go on after a seed that fails")
	seed  = flag.Uint64("seed", 0, "simulate this seed alone, and say what happens")
)

var films = &columnar.Table{Name: "films", Files: []string{"films.csv"}, Columns: []columnar.TableColumn{
	{Name: "id", Header: "id", Format: columnar.FormatInt, Required: true},
	{Name: "title", Header: "title", Format: columnar.FormatText, Required: true},
	{Name: "country", Header: "country", Format: columnar.FormatText, Required: true},
}}

var votes = &columnar.Table{Name: "votes", Files: []string{"votes.csv"}, Columns: []columnar.TableColumn{
	{Name: "film", Header: "film", Format: columnar.FormatInt, Required: true},
	{Name: "score", Header: "score", Format: columnar.FormatDecimal, Required: true},
}}

// queries returns a join with an aggregation below it, a plain aggregation, a join whose
// rows are grouped by columns of both sides and counted, and a percentile.
func queries() []*plan.Query {
	argentine := plan.From("films").Filter(expr.Eq(expr.Col("country"), expr.Str("Argentina")))
	return []*plan.Query{
		{Name: "best", Root: argentine.Select("id", "title").
			Join(plan.From("votes"), plan.On("id", "film")).
			Aggregate([]string{"id", "title"}, plan.Agg{Func: plan.Avg, Args: []string{"score"}, Name: "mean"}, plan.Agg{Func: plan.Count, Name: "votes"}).
			Top(5, plan.Order{Column: "mean", Desc: true}, plan.Asc("id"))},
		{Name: "countries", Root: plan.From("films").
			Aggregate([]string{"country"}, plan.Agg{Func: plan.Count, Name: "films"}).Sort(plan.Asc("country"))},
		{Name: "scores", Root: plan.From("films").Select("id", "country").
			Join(plan.From("votes"), plan.On("id", "film")).
			Aggregate([]string{"country", "score"}, plan.Agg{Func: plan.Count, Name: "votes"}).
			AtPercentile("votes", 0.5).Sort(plan.Asc("country"), plan.Asc("score"))},
	}
}

func files(seed uint64) fstest.MapFS {
	rng := rand.New(rand.NewPCG(seed, 7))
	var f, v bytes.Buffer
	f.WriteString("id,title,country\n")
	for id := range 20 + rng.IntN(60) {
		fmt.Fprintf(&f, "%d,\"Film, number %d\",%s\n", id, id, []string{"Argentina", "Spain", "France"}[rng.IntN(3)])
	}
	v.WriteString("film,score\n")
	for range 200 + rng.IntN(600) {
		fmt.Fprintf(&v, "%d,%d.%d\n", rng.IntN(90), rng.IntN(5), 5*rng.IntN(2))
	}
	return fstest.MapFS{"films": {Data: f.Bytes()}, "votes": {Data: v.Bytes()}}
}

// texts collects the answers of an embedded run.
type texts struct {
	name    string
	schema  columnar.Schema
	answers map[string]string
}

func (t *texts) Begin(query string, s columnar.Schema) error {
	t.name, t.schema = query, s
	t.answers[query] = ""
	return nil
}

func (t *texts) Write(rows columnar.Rows) error {
	t.answers[t.name] += text(t.schema, rows)
	return nil
}

func (t *texts) End() error { return nil }

func text(s columnar.Schema, rows columnar.Rows) string {
	var b strings.Builder
	for i := range rows.Len {
		for c, v := range rows.Cols {
			switch s[c].Type {
			case columnar.Text:
				fmt.Fprintf(&b, "%s|", v.Bytes(i))
			case columnar.Float:
				fmt.Fprintf(&b, "%x|", v.Floats[i])
			default:
				fmt.Fprintf(&b, "%d|", v.Ints[i])
			}
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// scenarios keeps the jobs that many seeds share.
type scenarios struct {
	mu    sync.Mutex
	known map[[3]uint64]scenario
	cuts  map[cutKey]map[string]string
}

// cut returns the answers of a cut.
func (s *scenarios) cut(t testing.TB, sc scenario, spec *protocol.Spec) map[string]string {
	t.Helper()
	blocks := spec.CutTables()
	key := cutKey{spec.Cut.Of[0], blocks["films"], blocks["votes"]}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.cuts == nil {
		s.cuts = make(map[cutKey]map[string]string)
	}
	if s.cuts[key] == nil {
		s.cuts[key] = run(t, sc.data, blocks)
	}
	return s.cuts[key]
}

// cutKey is a data set and how many blocks of its tables are read.
type cutKey struct {
	data         byte
	films, votes uint64
}

// scenario is a job with its answers.
type scenario struct {
	in   sim.Input
	data fstest.MapFS
	want map[string]string
}

// get returns the scenario of a seed, whose job has so many splits of the table votes.
func (s *scenarios) get(t testing.TB, seed uint64, replicas, splits int) scenario {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	key := [3]uint64{seed, uint64(replicas), uint64(splits)}
	if _, ok := s.known[key]; !ok {
		s.known[key] = newScenario(t, seed, replicas, splits)
	}
	return s.known[key]
}

// ttl is how long a job lives without its client.
const ttl = time.Minute

// run computes the answers in one process, over the first blocks of each table; nil means
// all blocks.
func run(t testing.TB, data fstest.MapFS, blocks map[string]uint64) map[string]string {
	t.Helper()
	part := maps.Clone(data)
	for table, n := range blocks {
		part[table] = &fstest.MapFile{Data: firstBlocks(data[table].Data, n)}
	}
	want := &texts{answers: make(map[string]string)}
	tables := plan.Tables{"films": films, "votes": votes}
	p, err := physical.New(nil, queries(), tables)
	if err != nil {
		t.Fatal(err)
	}
	_, err = engine.Run(context.Background(), engine.Options{
		Plan: p, Tables: tables, Open: vfs.ReadOnly(part).Open, BlockSize: blockSize,
		FS: vfs.OS(), SpillDir: t.TempDir(), MaxRejects: -1, Replicas: 1,
	}, want)
	if err != nil {
		t.Fatal(err)
	}
	return want.answers
}

const blockSize = 1 << 10

// firstBlocks returns the header of a table and the lines that begin in its first blocks.
func firstBlocks(content []byte, blocks uint64) []byte {
	last := max(int(blocks)*blockSize-1, 0) // the byte whose line is the last one
	if last >= len(content) {
		return content
	}
	return content[:last+bytes.IndexByte(content[last:], '\n')+1]
}

func newScenario(t testing.TB, seed uint64, replicas, splits int) scenario {
	t.Helper()
	data := files(seed)
	spec, err := protocol.NewSpec(nil, protocol.OpenRequest{
		Label: "sim", Tables: []*columnar.Table{films, votes}, Queries: queries(), Block: blockSize, TTL: ttl, Sources: sources(splits),
	}, "tester", replicas, broker.Classic, time.Unix(1e9, 0))
	if err != nil {
		t.Fatal(err)
	}
	spec.ID = protocol.JobID{byte(seed), byte(replicas), byte(splits)} // so that a seed is the same run each time
	in, err := sim.Load(context.Background(), spec, vfs.ReadOnly(data).Open)
	if err != nil {
		t.Fatal(err)
	}
	return scenario{in, data, run(t, data, nil)}
}

// sources returns those of a job that gateways read side by side; nil: there is one split.
func sources(splits int) map[string]protocol.Source {
	if splits < 2 {
		return nil
	}
	files := &protocol.SourceFiles{Forms: []*columnar.Table{votes}}
	for i := range splits {
		large := protocol.Fingerprint{Size: 1 << 20}
		files.All = append(files.All, protocol.PartFile{SourceFile: protocol.SourceFile{Name: fmt.Sprint("/", i), Fingerprint: large}})
	}
	return map[string]protocol.Source{
		"films": {SourceFile: protocol.SourceFile{Name: "/films.csv"}}, "votes": {Files: files},
	}
}

// simulate runs the jobs of a configuration and checks what came of them.
func (s *scenarios) simulate(t testing.TB, cfg config) error {
	t.Helper()
	if *seed != 0 {
		cfg.Trace = func(note string) { t.Log(note) }
	}
	var known []scenario
	var jobs []sim.Job
	for i, l := range cfg.leaves {
		splits := int((cfg.Seed + uint64(i)) % 4)
		if l.follow || l.open {
			splits = 0
		}
		sc := s.get(t, (cfg.Seed+uint64(i)*3)%8, cfg.Replicas-l.spare, splits)
		known = append(known, sc)
		in, spec := sc.in, *sc.in.Spec
		if spec.Follow, spec.Open = l.follow, l.open; l.how == sim.GiveUp {
			spec.TTL = protocol.MaxTTL // which must not matter
		}
		in.Spec = &spec
		jobs = append(jobs, sim.Job{Input: in, Leave: l.how, At: l.at})
	}
	res, err := sim.Run(cfg.Config, jobs...)
	if err != nil {
		return err
	}
	for i, out := range res.Outcomes {
		if cut := out.Spec.Cut; cut != nil {
			of := slices.IndexFunc(jobs, func(j sim.Job) bool { return j.Spec.ID == cut.Of })
			sc := known[of]
			sc.want = s.cut(t, sc, out.Spec)
			if err := cfg.judge(sc, out, false); err != nil {
				return fmt.Errorf("a cut of job %d, %v: %w", of, out.Spec.CutTables(), err)
			}
			continue
		}
		if err := cfg.judge(known[i], out, cfg.Sick && i == 0); err != nil {
			return fmt.Errorf("job %d: %w", i, err)
		}
	}
	return nil
}

// ofLostDisks are the reasons for which a job may fail after a disk with a part of it was
// lost.
var ofLostDisks = []string{"the job is gone", "the broker has lost the queue", "it stands still", "here to make a cut of", "have come, not", "opened two jobs of one name", "was forgotten"}

// judge checks the outcome of one job: its answers are exact, or missing for a reason that
// the faults of the run explain.
func (cfg config) judge(sc scenario, out sim.Outcome, sick bool) error {
	switch {
	case sick && strings.Contains(out.Failed, "has died of it 3 times: fatal error: "):
		return nil
	case sick && out.Answers != nil:
		return errors.New("it has answers, though every computation of it died")
	case out.Failed != "" && cfg.Fills > 0 && strings.Contains(out.Failed, "disk full"):
		return nil
	case out.Failed != "" && cfg.Wipes > 0 && slices.ContainsFunc(ofLostDisks, func(why string) bool { return strings.Contains(out.Failed, why) }):
		return nil
	case out.Failed != "" && cfg.Losses > 0 && strings.Contains(out.Failed, "the broker has lost the queue"):
		return nil
	case out.Failed != "":
		return fmt.Errorf("it failed: %s", out.Failed)
	case out.Answers == nil && !out.Left:
		return errors.New("it has no answers")
	}
	for query, pages := range out.Answers {
		got, err := decode(sc.in.Spec, query, pages)
		if err != nil {
			return err
		}
		if got != sc.want[query] {
			return fmt.Errorf("query %s answers\n%s\nwant\n%s", query, got, sc.want[query])
		}
	}
	return nil
}
