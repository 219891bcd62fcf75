package sim_test

import (
	"math/rand/v2"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"analyzer/columnar/ipc"
	"analyzer/compose/cluster/protocol"
	"analyzer/compose/cluster/sim"
)

func decode(spec *protocol.Spec, query string, pages [][]byte) (string, error) {
	node, _, err := spec.AnswerNode(query)
	if err != nil {
		return "", err
	}
	schema := spec.Plan.Nodes[node].Schema
	out := ""
	for _, page := range pages {
		rows, err := ipc.Decode(schema, page)
		if err != nil {
			return "", err
		}
		out += text(schema, rows)
	}
	return out, nil
}

// config configures a simulation, including how its clients leave. Each job has one
// client.
type config struct {
	sim.Config
	leaves []leave
}

type leave struct {
	how   sim.Leave
	at    int
	spare int // workers that take no part in the job
	// follow: cuts are made of the job. open: it is fed by several appends.
	follow, open bool
}

// About how many moments it takes until jobs are open, and until they have ended.
const (
	opening = 400
	typical = 6000
)

// configure draws a simulation. Two of three have two jobs, and in half of those a client
// leaves one job; the two jobs may be for different numbers of workers. A fifth has full
// disks, and an eighth loses a queue. A sixth of the jobs are followed, and half of these
// stay open.
func configure(seed uint64) config {
	rng := rand.New(rand.NewPCG(seed, 3))
	cfg := config{Config: sim.Config{
		Seed: seed, Replicas: 1 + rng.IntN(3), Kills: rng.IntN(9), Restarts: rng.IntN(3), Drops: rng.IntN(4), Pauses: rng.IntN(3),
		Steps: 200_000,
	}, leaves: []leave{{}}}
	if rng.IntN(5) == 0 {
		cfg.Fills = 1 + rng.IntN(3)
	}
	if rng.IntN(8) == 0 {
		cfg.Losses = 1
	}
	if rng.IntN(8) == 0 {
		cfg.Wipes = 1 + rng.IntN(2)
	}
	if rng.IntN(2) == 0 {
		cfg.Reserve, cfg.Stuffed = 64<<10, true
	}
	cfg.Clocks = rng.IntN(4) == 0
	cfg.Sick = rng.IntN(10) == 0
	if rng.IntN(4) == 0 {
		cfg.Budget = 8 << 10
	}
	if rng.IntN(3) > 0 {
		cfg.leaves = append(cfg.leaves, leave{})
	}
	if rng.IntN(2) == 0 {
		how := []sim.Leave{sim.Cancel, sim.Cancel, sim.Vanish, sim.GiveUp}[rng.IntN(4)]
		cfg.leaves[len(cfg.leaves)-1] = leave{how: how, at: rng.IntN([]int{opening, typical}[rng.IntN(2)])}
	}
	if last := &cfg.leaves[len(cfg.leaves)-1]; len(cfg.leaves) > 1 {
		last.spare = rng.IntN(cfg.Replicas)
	}
	cfg.Commit.Prefetch = []int{8, 8, 8, 1, 64, 1000}[rng.IntN(6)]
	cfg.Commit.Bytes = []int64{0, 0, 1, 2 << 10}[rng.IntN(4)]
	cfg.Commit.Interval = []time.Duration{0, 0, time.Nanosecond, time.Hour}[rng.IntN(4)]
	cfg.Commit.Merge = 2
	for i := range cfg.leaves {
		l := &cfg.leaves[i]
		l.follow = rng.IntN(6) == 0
		l.open = l.follow && rng.IntN(2) == 0
	}
	return cfg
}

// Whatever happens, the answers equal those of a run in one process, and nothing is left
// behind. With enough seeds, every kind of event occurs.
func TestEverySeedIsExact(t *testing.T) {
	jobs := &scenarios{known: make(map[[3]uint64]scenario)}
	if *seed != 0 {
		if err := jobs.simulate(t, configure(*seed)); err != nil {
			t.Fatal(err)
		}
		return
	}
	last := uint64(*seeds)
	if testing.Short() {
		last /= 50
	}
	// Worlds are small, so garbage collection would take a fifth of the time.
	defer debug.SetGCPercent(debug.SetGCPercent(400))
	seen := newCoverage()
	var next atomic.Uint64
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for s := next.Add(1); s <= last && (*all || !t.Failed()); s = next.Add(1) {
				cfg := configure(s)
				var notes strings.Builder
				if len(seen.left()) > 0 {
					cfg.Trace = func(note string) { notes.WriteString(note + "\n") }
				}
				err := jobs.simulate(t, cfg)
				seen.see(notes.String())
				if err != nil {
					t.Errorf("%v\nrepeat with: go test ./compose/cluster/sim -run TestEverySeedIsExact -seed %d -v", err, s)
				}
			}
		})
	}
	wg.Wait()
	if !t.Failed() {
		t.Logf("%d seeds, all exact", last)
	}
	if left := seen.left(); len(left) > 0 && last >= enough {
		t.Errorf("never happened: %q", left)
	}
}

// enough is how many seeds it takes for every kind of event to occur.
const enough = 600
