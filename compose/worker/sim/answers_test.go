package sim_test

import (
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/apache/arrow/go/v17/arrow/memory"

	"analyzer/columnar"
	"analyzer/columnar/wire"
	"analyzer/compose/job"
	"analyzer/compose/worker"
	"analyzer/compose/worker/sim"
)

func decode(spec *job.Spec, query string, pages [][]byte) (string, error) {
	node, _, err := spec.AnswerNode(query)
	if err != nil {
		return "", err
	}
	schema := spec.Plan.Nodes[node].Schema
	out := ""
	for _, page := range pages {
		b, err := wire.Decode(schema.Arrow(), page, memory.DefaultAllocator)
		if err != nil {
			return "", err
		}
		out += text(schema, columnar.View(schema, b))
		b.Release()
	}
	return out, nil
}

func config(seed uint64) sim.Config {
	return sim.Config{
		Seed: seed, Replicas: 1 + int(seed%3), Budget: 0, Kills: int(seed % 9), Restarts: int(seed % 3), Steps: 200_000,
	}
}

// Whatever happens on the way, the answers are those of a run in one process, and
// nothing is left behind.
func TestEverySeedIsExact(t *testing.T) {
	jobs := &scenarios{known: make(map[[2]uint64]scenario)}
	if *seed != 0 {
		if err := jobs.simulate(t, config(*seed)); err != nil {
			t.Fatal(err)
		}
		return
	}
	last := uint64(*seeds)
	if testing.Short() {
		last /= 10
	}
	var next atomic.Uint64
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for s := next.Add(1); s <= last && !t.Failed(); s = next.Add(1) {
				if err := jobs.simulate(t, config(s)); err != nil {
					t.Errorf("%v\nrepeat with: go test ./compose/worker/sim -run TestEverySeedIsExact -seed %d -v", err, s)
				}
			}
		})
	}
	wg.Wait()
}

// A worker that leaves out one of the things that make answers exact is caught.
func TestMutantsAreCaught(t *testing.T) {
	for name, knobs := range map[string]worker.Knobs{
		"acknowledges first":         {AckFirst: true},
		"does not drop duplicates":   {NoDedup: true},
		"forgets its ledger":         {VolatileLedger: true},
		"is done before it has sent": {EmittedFirst: true},
		"counts messages":            {CountMessages: true, NoDedup: true},
		"forgets what has ended":     {NoTombstone: true},
	} {
		t.Run(name, func(t *testing.T) {
			jobs := &scenarios{known: make(map[[2]uint64]scenario)}
			for s := range uint64(200) {
				cfg := config(s + 1)
				cfg.Kills, cfg.Restarts, cfg.Knobs, cfg.Steps = 8, 2, knobs, 60_000
				if err := jobs.simulate(t, cfg); err != nil {
					return
				}
			}
			t.Error("200 seeds were exact all the same")
		})
	}
}
