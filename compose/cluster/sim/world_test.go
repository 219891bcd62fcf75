package sim

import (
	"fmt"
	"math/rand/v2"
	"time"

	"analyzer/compose/cluster/protocol"
	"analyzer/compose/cluster/worker"
	"analyzer/shuffle/membroker"
)

// Config says what to simulate.
type Config struct {
	Seed     uint64
	Replicas int   // workers there are; a job may be for fewer
	Budget   int64 // bytes of operators' state on each worker; 0: no limit
	Commit   worker.GroupCommit
	Kills    int   // of workers and gateways
	Restarts int   // of the broker
	Drops    int   // of single connections
	Pauses   int   // of single workers
	Fills    int   // of workers' disks
	Losses   int   // of queues
	Wipes    int   // of workers' disks: what was on them is lost
	Sick     bool  // each computation of the first job ends its process, which says so
	Stuffed  bool  // full disks have no room until something on them is removed
	Reserve  int64 // bytes that workers keep back of their disks
	Clocks   bool  // machines have other days than each other, another one with each start
	Steps    int   // after which a run that has not ended is stuck
	Knobs    worker.Knobs
	Disk     DiskKnobs
	// AnswerFirst is a knob: gateways answer before the broker has a batch.
	AnswerFirst bool
	Trace       func(note string) // is told what happens; may be nil
}

// Job is what one client wants.
type Job struct {
	Input
	Leave Leave
	At    int // the moment of leaving; see Result.Moments
}

// Leave is how a client lets go of its job.
type Leave int

// The ways to let go of a job.
const (
	Stay   Leave = iota // it fetches all answers, and then ends the job
	Cancel              // at some moment it ends the job
	Vanish              // at some moment it is gone without a word
)

// Outcome is what a job came to, as its client saw it.
type Outcome struct {
	Answers map[string][][]byte // pages by query; nil if not all were fetched
	Failed  string              // why there are none
	Left    bool                // the client let go of it before
	Spec    *protocol.Spec
}

// Result is what a simulation came to.
type Result struct {
	Outcomes []Outcome // by job, and behind these the cuts that were made of them
	Deaths   int       // the most that one worker died
	Moments  int       // steps, points passed and operations on disks
}

// world is a broker, workers and clients, and the time they live in.
type world struct {
	cfg      Config
	rng      *rand.Rand
	broker   *membroker.Server
	nodes    []*node
	clients  []*client
	time     time.Time
	moments  int
	gateways int  // that there were
	clocks   bool // are another day's with each start
	wiped    bool // a disk was lost

	kills, restarts, drops, pauses, fills, losses, wipes int // that are to come
}

// What a world's time is made of.
const (
	tick     = 20 * time.Millisecond // of a step
	haste    = 25                    // how much faster time goes when no client waits
	remember = 24 * time.Hour        // of ended jobs
	// stepsOfMessage is about how many steps of the broker it takes until a message
	// is where it should be.
	stepsOfMessage = 3
)

// brokerConfig is a broker that does what hurts, in order of the world's seed and
// time.
func (w *world) brokerConfig() membroker.Config {
	cfg := membroker.Harsh(w.cfg.Seed)
	cfg.Now = w.now
	if w.cfg.Trace != nil {
		cfg.Trace = func(event string) { w.note("the broker: %s", event) }
	}
	return cfg
}

// Run simulates jobs from their opening until nothing of them is left. Its error
// says that the world broke a rule: a job that never ends, that leaves something
// behind, or that comes back.
func Run(cfg Config, jobs ...Job) (Result, error) {
	w := &world{
		cfg: cfg, rng: rand.New(rand.NewPCG(cfg.Seed, 0x51D)), time: time.Unix(1e9, 0),
		kills: cfg.Kills, restarts: cfg.Restarts, drops: cfg.Drops, pauses: cfg.Pauses, fills: cfg.Fills, losses: cfg.Losses, wipes: cfg.Wipes, clocks: cfg.Clocks,
	}
	w.broker = membroker.New(w.brokerConfig())
	for r := range cfg.Replicas {
		n := newNode(w, r)
		w.nodes = append(w.nodes, n)
		if err := n.start(); err != nil {
			return Result{}, err
		}
	}
	for _, j := range jobs {
		w.clients = append(w.clients, newClient(w, j))
	}
	w.beginTrouble()
	err := w.run()
	if err == nil {
		err = w.settle()
	}
	res := Result{Moments: w.moments}
	for _, c := range w.clients {
		res.Outcomes = append(res.Outcomes, c.out)
	}
	for _, n := range w.nodes {
		res.Deaths = max(res.Deaths, n.deaths)
	}
	return res, err
}

// run lets things happen until all jobs have ended everywhere.
func (w *world) run() error {
	for range w.cfg.Steps {
		w.moment()
		if err := w.trouble(); err != nil {
			return err
		}
		if err := w.step(); err != nil {
			return err
		}
		if !w.waited() {
			w.time = w.time.Add((haste - 1) * tick)
			if w.faultless() && w.empty() {
				return nil
			}
		}
		w.time = w.time.Add(tick)
	}
	return fmt.Errorf("jobs do not end: %s", w.stuck())
}

// waited reports whether a client waits for something.
func (w *world) waited() bool {
	for _, c := range w.clients {
		if !c.gone {
			return true
		}
	}
	return false
}

func (w *world) faultless() bool {
	return w.kills == 0 && w.restarts == 0 && w.drops == 0 && w.pauses == 0 && w.fills == 0 && w.losses == 0 && w.wipes == 0
}

// empty reports whether no worker has a job.
func (w *world) empty() bool {
	for _, n := range w.nodes {
		if n.proc == nil || len(n.proc.worker.Jobs()) > 0 {
			return false
		}
	}
	return true
}

// step lets one thing happen somewhere.
func (w *world) step() error {
	switch w.rng.IntN(4) {
	case 0:
		w.clients[w.rng.IntN(len(w.clients))].step()
		return nil
	case 1:
		return w.someNode().run()
	}
	if !w.broker.Step() {
		return w.someNode().run()
	}
	for range w.rng.IntN(2 * stepsOfMessage) {
		w.broker.Step()
	}
	return nil
}

func (w *world) someNode() *node { return w.nodes[w.rng.IntN(len(w.nodes))] }

// moment counts a moment, at which clients may leave.
func (w *world) moment() {
	w.moments++
	for _, c := range w.clients {
		if c.job.Leave != Stay && c.job.At == w.moments {
			c.leave()
		}
	}
}

func (w *world) now() time.Time { return w.time }
