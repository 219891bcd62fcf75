package sim

import (
	"fmt"
	"log/slog"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"analyzer/compose/worker"
)

// Config says what to simulate.
type Config struct {
	Seed     uint64
	Replicas int
	Budget   int64 // bytes of operators' state on each worker; 0: no limit
	Kills    int   // of workers and gateways
	Restarts int   // of the broker
	Drops    int   // of single connections
	Pauses   int   // of single workers
	Fills    int   // of workers' disks
	Losses   int   // of queues
	Steps    int   // after which a run that has not ended is stuck
	Knobs    worker.Knobs
	Disk     DiskKnobs
	Trace    func(note string) // is told what happens; may be nil
}

// Message is one message to a queue.
type Message struct {
	Queue string
	Body  []byte
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
}

// Result is what a simulation came to.
type Result struct {
	Outcomes []Outcome // by job
	Deaths   int       // the most that one worker died
	Moments  int       // steps, points passed and operations on disks
}

// world is a broker, workers and clients, and the time they live in.
type world struct {
	cfg     Config
	rng     *rand.Rand
	hub     *hub
	nodes   []*node
	clients []*client
	time    time.Time
	moments int
	gates   int // that there were

	kills, restarts, drops, pauses, fills, losses int // that are to come
}

// What a world's time is made of.
const (
	tick     = 20 * time.Millisecond // of a step
	haste    = 25                    // how much faster time goes when no client waits
	remember = 24 * time.Hour        // of ended jobs
)

// Run simulates jobs from their opening until nothing of them is left. Its error
// says that the world broke a rule: a job that never ends, that leaves something
// behind, or that comes back.
func Run(cfg Config, jobs ...Job) (Result, error) {
	w := &world{
		cfg: cfg, rng: rand.New(rand.NewPCG(cfg.Seed, 0x51D)), time: time.Unix(1e9, 0),
		kills: cfg.Kills, restarts: cfg.Restarts, drops: cfg.Drops, pauses: cfg.Pauses, fills: cfg.Fills, losses: cfg.Losses,
	}
	w.hub = newHub(w.rng)
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
	w.start()
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

// start lets trouble begin at once, now and then: otherwise it would seldom meet
// the opening of a job.
func (w *world) start() {
	n := w.someNode()
	if w.kills > 0 && w.rng.IntN(4) == 0 {
		w.kills--
		n.fuse = w.rng.IntN(60)
	}
	if w.fills > 0 && w.rng.IntN(2) == 0 {
		w.fills--
		n.disk.fill()
	}
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
	return w.kills == 0 && w.restarts == 0 && w.drops == 0 && w.pauses == 0 && w.fills == 0 && w.losses == 0
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
	if !w.hub.step() {
		return w.someNode().run()
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

// trouble decides whether something bad happens now.
func (w *world) trouble() error {
	often := 200
	if !w.waited() {
		often = 40 // what is to come yet comes while jobs are cleaned away
	}
	switch {
	case w.due(&w.kills, often):
		return w.kill()
	case w.due(&w.restarts, 4*often):
		w.note("the broker restarts")
		w.hub.crash()
	case w.due(&w.drops, often):
		i := w.rng.IntN(len(w.hub.conns))
		w.note("connection %d is lost", i)
		w.hub.conns[i].drop()
	case w.due(&w.pauses, often):
		n := w.someNode()
		n.paused = w.rng.IntN(100)
		w.note("replica %d is stopped for %d turns", n.replica, n.paused)
	case w.due(&w.fills, often):
		n := w.someNode()
		n.disk.fill()
		w.note("the disk of replica %d is full after %d operations, for %d", n.replica, n.disk.until, n.disk.lack)
	case w.due(&w.losses, often):
		w.loseQueue()
	}
	return nil
}

// loseQueue loses a queue of a job, if there is one.
func (w *world) loseQueue() {
	var queues []*queue
	for _, q := range w.hub.sorted {
		if w.ofJob(q) {
			queues = append(queues, q)
		}
	}
	if len(queues) > 0 {
		q := queues[w.rng.IntN(len(queues))]
		w.note("the broker loses %s", q.name)
		w.hub.lose(q)
	}
}

// ofJob reports whether a queue belongs to a job.
func (w *world) ofJob(q *queue) bool {
	return slices.ContainsFunc(w.clients, func(c *client) bool { return strings.Contains(q.name, c.job.Spec.ID.String()) })
}

func (w *world) due(left *int, often int) bool {
	if *left == 0 || w.rng.IntN(often) > 0 {
		return false
	}
	*left--
	return true
}

// kill ends a process at once, or lights a fuse that ends it within one of its
// next steps.
func (w *world) kill() error {
	if w.rng.IntN(4) == 0 {
		w.clients[w.rng.IntN(len(w.clients))].killGate()
		return nil
	}
	n := w.someNode()
	if n.proc != nil && w.rng.IntN(4) == 0 {
		return n.restart(n.proc, "no point")
	}
	n.fuse = w.rng.IntN(60)
	return nil
}

func (w *world) now() time.Time { return w.time }

func (w *world) note(format string, args ...any) {
	if w.cfg.Trace != nil {
		w.cfg.Trace(fmt.Sprintf("%6d ", w.moments) + fmt.Sprintf(format, args...))
	}
}

// logger makes what a worker logs part of the notes.
func (w *world) logger(replica int) *slog.Logger {
	if w.cfg.Trace == nil {
		return slog.New(slog.DiscardHandler)
	}
	return slog.New(slog.NewTextHandler(noteWriter{w, replica}, &slog.HandlerOptions{
		ReplaceAttr: func(groups []string, a slog.Attr) slog.Attr {
			if len(groups) == 0 && a.Key == slog.TimeKey {
				return slog.Attr{}
			}
			return a
		},
	}))
}

type noteWriter struct {
	w       *world
	replica int
}

func (n noteWriter) Write(p []byte) (int, error) {
	n.w.note("replica %d logs %s", n.replica, strings.TrimSpace(string(p)))
	return len(p), nil
}

// stuck says, for people, what everybody waits for.
func (w *world) stuck() string {
	var b strings.Builder
	for i, c := range w.clients {
		fmt.Fprintf(&b, "client %d: gone %t, ending %t, opened %v, ends %v; ", i, c.gone, c.ending, c.opened, c.ends)
	}
	for _, n := range w.nodes {
		if n.proc == nil {
			fmt.Fprintf(&b, "replica %d is down; ", n.replica)
			continue
		}
		for _, s := range n.proc.worker.Status() {
			fmt.Fprintf(&b, "replica %d job %s %s %s %+v waiting %v; ", n.replica, s.ID, s.State, s.Reason, s.Stages, s.Waiting)
		}
	}
	for _, q := range w.hub.sorted {
		if len(q.ready) > 0 {
			fmt.Fprintf(&b, "%s holds %d; ", q.name, len(q.ready))
		}
	}
	return b.String()
}
