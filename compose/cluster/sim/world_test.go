package sim

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"analyzer/compose/cluster/protocol"
	"analyzer/compose/cluster/worker"
	"analyzer/shuffle/membroker"
)

// Config says what to simulate.
type Config struct {
	Seed     uint64
	Replicas int   // number of workers; a job may be for fewer
	Budget   int64 // bytes of operators' state on each worker; 0: no limit
	Commit   worker.GroupCommit
	Kills    int   // of workers and gateways
	Restarts int   // of the broker
	Drops    int   // of single connections
	Pauses   int   // of single workers
	Fills    int   // of workers' disks
	Losses   int   // of queues
	Wipes    int   // of workers' disks, which lose everything
	Sick     bool  // the Go runtime ends the process of each computation of the first job
	Stuffed  bool  // full disks stay full until something on them is removed
	Reserve  int64 // bytes of disk that workers reserve
	Clocks   bool  // the clocks of machines differ by days, and change with each start
	Steps    int   // after which a run that has not ended counts as stuck
	Disk     DiskKnobs
	// AnswerFirst is a knob: gateways answer before the broker has a batch.
	AnswerFirst bool
	Trace       func(note string) // called for each event; may be nil
}

// Job is what one client wants.
type Job struct {
	Input
	Leave Leave
	At    int // the moment of leaving; see Result.Moments
}

// Leave is how a client leaves its job.
type Leave int

// The ways to leave a job.
const (
	Stay   Leave = iota // the client fetches all answers, and then ends the job
	Cancel              // at some moment the client ends the job
	Vanish              // at some moment the client is gone, without ending the job
	GiveUp              // it only opens the job, until that moment, and some of its requests come later
)

// Outcome is the outcome of a job, as its client saw it.
type Outcome struct {
	Answers map[string][][]byte // pages by query; nil if not all were fetched
	Failed  string              // why there are no answers
	Left    bool                // the client left the job early
	Spec    *protocol.Spec
}

// Result is the result of a simulation.
type Result struct {
	Outcomes []Outcome // of each job, and then of each cut
	Deaths   int       // how often the worker with the most deaths died
	Moments  int       // steps, points passed and disk operations
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
	gateways int  // started so far
	clocks   bool // change by days with each start
	wiped    bool // a disk was lost

	kills, restarts, drops, pauses, fills, losses, wipes int // yet to come
}

// The time of a world.
const (
	tick     = 20 * time.Millisecond // of a step
	haste    = 25                    // how much faster time goes when no client waits
	remember = 24 * time.Hour        // of ended jobs
	// stepsOfMessage is about how many steps of the broker a message takes to arrive.
	stepsOfMessage = 3
)

// brokerConfig returns the configuration of a harsh broker with the world's seed and
// clock.
func (w *world) brokerConfig() membroker.Config {
	cfg := membroker.Harsh(w.cfg.Seed)
	cfg.Now = w.now
	if w.cfg.Trace != nil {
		cfg.Trace = func(event string) { w.note("the broker: %s", event) }
	}
	return cfg
}

// Run simulates jobs from their opening until nothing of them is left. Its error
// says which rule was broken: a job never ends, leaves something behind, or comes back.
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

// run runs the world until all jobs have ended everywhere.
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
	late := func(c *client) bool { return c.late > 0 }
	return !slices.ContainsFunc(w.clients, late) && w.kills == 0 && w.restarts == 0 && w.drops == 0 && w.pauses == 0 && w.fills == 0 && w.losses == 0 && w.wipes == 0
}

// empty reports whether no worker has a job.
func (w *world) empty() bool {
	for _, n := range w.nodes {
		if n.proc == nil || n.proc.worker.Metrics.Jobs.Load() > 0 {
			return false
		}
	}
	return true
}

// step runs one step of one participant.
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
		if c.job.Leave != Stay && c.job.At <= w.moments {
			c.leave()
		}
	}
}

// owner is that of all jobs.
func (w *world) owner() string { return w.clients[0].job.Spec.Owner }

func (w *world) now() time.Time { return w.time }
