package sim

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"analyzer/columnar/vfs"
	"analyzer/compose/control"
	"analyzer/compose/job"
	"analyzer/compose/worker"
)

// Config says what to simulate.
type Config struct {
	Seed     uint64
	Replicas int
	Budget   int64 // bytes of operators' state on each worker
	Kills    int   // of workers and gateways
	Restarts int   // of the broker
	Steps    int   // after which a run that has not ended is stuck
	Knobs    worker.Knobs
}

// Input is one job to simulate, with the messages that its client will send.
type Input struct {
	Spec   *job.Spec
	Tables []Table
}

// Table is the batches of one scan, in order.
type Table struct {
	Scan    int
	Batches [][]Message // what each batch becomes
	Ends    []string    // queues that are told how many batches there are
	End     func(queue string, n int) []byte
}

// Message is one message to a queue.
type Message struct {
	Queue string
	Body  []byte
}

// world is a broker, workers and a client, and the time they live in.
type world struct {
	cfg    Config
	rng    *rand.Rand
	hub    *hub
	nodes  []*node
	client *client
	opened map[int]bool
	time   time.Time
	notes  []string
	err    error // the world itself is broken
}

func (w *world) now() time.Time { return w.time }

func (w *world) note(format string, args ...any) {
	w.notes = append(w.notes, fmt.Sprintf(format, args...))
}

// Result is what a simulation came to.
type Result struct {
	Answers map[string][][]byte // pages by query
	Failed  string
	Notes   []string // what happened
}

// Run simulates one job from its opening to the end. Its error says that the
// world broke a rule: a job that never ends, or one that leaves something behind.
func Run(cfg Config, in Input) (Result, error) {
	w := &world{cfg: cfg, rng: rand.New(rand.NewPCG(cfg.Seed, 0x51D)), opened: make(map[int]bool), time: time.Unix(1e9, 0)}
	w.hub = newHub(w.rng)
	for r := range cfg.Replicas {
		n := &node{w: w, replica: r, disk: vfs.NewMem(), fuse: -1}
		w.nodes = append(w.nodes, n)
		if err := n.start(); err != nil {
			return Result{}, err
		}
	}
	w.client = newClient(w, in)
	res := Result{}
	err := w.run(&res, in.Spec)
	res.Notes = w.notes
	return res, err
}

// collectEvery is after how many steps somebody looks for answers.
const collectEvery = 25

// run lets things happen until the job has ended and all is gone.
func (w *world) run(res *Result, spec *job.Spec) error {
	kills, restarts := w.cfg.Kills, w.cfg.Restarts
	for step := range w.cfg.Steps {
		w.time = w.time.Add(20 * time.Millisecond)
		if kills > 0 && w.rng.IntN(200) == 0 {
			kills--
			if err := w.kill(); err != nil {
				return err
			}
		}
		if restarts > 0 && w.rng.IntN(800) == 0 {
			restarts--
			w.note("step %d: the broker restarts", step)
			w.hub.crash()
		}
		if err := w.step(); err != nil {
			return err
		}
		if res.Failed == "" && res.Answers == nil {
			if step%collectEvery != 0 {
				continue
			}
			if w.collect(res, spec); w.err != nil {
				return w.err
			}
			continue
		}
		if w.client.ended(spec.ID) && kills == 0 && restarts == 0 {
			return w.settle(spec)
		}
	}
	return fmt.Errorf("the job does not end: %s", w.stuck())
}

func (w *world) step() error {
	switch w.rng.IntN(4) {
	case 0:
		w.client.step()
		return nil
	case 1:
		return w.nodes[w.rng.IntN(len(w.nodes))].run()
	}
	if !w.hub.step() {
		return w.nodes[w.rng.IntN(len(w.nodes))].run()
	}
	return nil
}

// kill ends a process at once, or lights a fuse that ends it within one of its
// next steps.
func (w *world) kill() error {
	i := w.rng.IntN(len(w.nodes) + 1)
	if i == len(w.nodes) {
		w.note("the gateway dies")
		w.client.restart()
		return nil
	}
	n := w.nodes[i]
	if w.rng.IntN(4) == 0 {
		w.note("replica %d dies between two steps", i)
		return n.restart()
	}
	n.fuse = w.rng.IntN(40)
	return nil
}

// collect takes the answers when all are there, or the reason why there are none,
// and has the job ended.
func (w *world) collect(res *Result, spec *job.Spec) {
	answers := make(map[string][][]byte)
	for _, n := range w.nodes {
		p := n.parts[spec.ID]
		if p == nil {
			return
		}
		if s := p.Status(); s.State == control.Failing {
			res.Failed = s.Reason
			w.client.end(spec.ID)
			return
		}
	}
	for _, a := range spec.Plan.Answers {
		_, replica, err := spec.AnswerNode(a.Query)
		if err != nil {
			return
		}
		p := w.nodes[replica].parts[spec.ID]
		for page := 0; ; page++ {
			r := &control.Response{}
			w.err = errors.Join(w.err, w.nodes[replica].alive(func() {
				r = p.Serve(&control.Request{Type: control.Page, Job: spec.ID, Query: a.Query, Page: page})
			}))
			if r.Code != "" || !r.Ready {
				return
			}
			if page >= r.Pages {
				break
			}
			answers[a.Query] = append(answers[a.Query], r.Data)
		}
	}
	res.Answers = answers
	w.client.end(spec.ID)
}

// settle lets everything on its way arrive, with a broker that brings back what
// it can, and checks that nothing of the job comes back to life.
func (w *world) settle(spec *job.Spec) error {
	for round := range 3 {
		for range 400 {
			w.time = w.time.Add(50 * time.Millisecond)
			if err := w.step(); err != nil {
				return err
			}
		}
		if round < 2 {
			w.hub.crash()
		}
	}
	for _, name := range w.hub.names() {
		if strings.Contains(name, spec.ID.String()) {
			return fmt.Errorf("the queue %s is left", name)
		}
	}
	for _, n := range w.nodes {
		names, err := n.disk.List(stateDir)
		if err != nil {
			return err
		}
		if len(names) > 0 || len(n.parts) > 0 {
			return fmt.Errorf("replica %d still has the job: %v", n.replica, names)
		}
	}
	return nil
}

// stuck says, for people, what every replica waits for.
func (w *world) stuck() string {
	var b strings.Builder
	for _, n := range w.nodes {
		for id, p := range n.parts {
			s := p.Status()
			fmt.Fprintf(&b, "replica %d job %s %s %s %+v waiting %v; ", n.replica, id, s.State, s.Reason, s.Stages, s.Waiting)
		}
	}
	for _, name := range w.hub.names() {
		if q := w.hub.queues[name]; len(q.ready) > 0 {
			fmt.Fprintf(&b, "%s holds %d; ", name, len(q.ready))
		}
	}
	return b.String()
}

// client is the client and its gateways: it sends each batch until all its
// messages are confirmed, from the beginning when the gateway dies.
type client struct {
	w     *world
	in    Input
	conn  *conn
	acked [][]bool
	ends  []bool
	state map[*sending]bool
	asked time.Time
	over  bool
}

// sending is a batch, or an end of a table, on its way.
type sending struct {
	table, batch int // batch -1: the end
	open         int // messages not confirmed
	failed       bool
}

func newClient(w *world, in Input) *client {
	c := &client{w: w, in: in, conn: w.hub.connect(), state: make(map[*sending]bool)}
	for _, t := range in.Tables {
		c.acked = append(c.acked, make([]bool, len(t.Batches)))
		c.ends = append(c.ends, false)
	}
	return c
}

// restart loses everything the gateway had in hand.
func (c *client) restart() {
	c.conn.kill()
	c.conn, c.state = c.w.hub.connect(), make(map[*sending]bool)
}

// inFlight is how many batches are on their way at once.
const inFlight = 4

func (c *client) step() {
	if !c.everywhere() {
		c.open()
		return
	}
	if c.over {
		c.askEnd()
		return
	}
	if len(c.state) >= inFlight {
		return
	}
	for t := range c.in.Tables {
		all := true
		for b, done := range c.acked[t] {
			if !done {
				all = false
				if !c.has(t, b) && c.w.rng.IntN(2) == 0 {
					c.send(t, b)
					return
				}
			}
		}
		if all && !c.ends[t] && !c.has(t, -1) {
			c.send(t, -1)
			return
		}
	}
}

func (c *client) has(table, batch int) bool {
	for s := range c.state {
		if s.table == table && s.batch == batch {
			return true
		}
	}
	return false
}

// send publishes the messages of a batch; a gateway that dies in between leaves
// some of them sent.
func (c *client) send(table, batch int) {
	t := c.in.Tables[table]
	var messages []Message
	if batch < 0 {
		for _, q := range t.Ends {
			messages = append(messages, Message{q, t.End(q, len(t.Batches))})
		}
	} else {
		messages = t.Batches[batch]
	}
	s := &sending{table: table, batch: batch, open: len(messages)}
	c.state[s] = true
	for i, m := range messages {
		if c.w.cfg.Kills > 0 && i > 0 && c.w.rng.IntN(150) == 0 {
			c.w.note("the gateway dies half way through table %d batch %d", table, batch)
			c.restart()
			return
		}
		c.conn.Publish(context.Background(), m.Queue, m.Body, func(err error) { c.confirmed(s, err) })
	}
}

func (c *client) confirmed(s *sending, err error) {
	s.open--
	s.failed = s.failed || err != nil
	if s.open > 0 || !c.state[s] {
		return
	}
	delete(c.state, s)
	switch {
	case s.failed: // all of it again
	case s.batch < 0:
		c.ends[s.table] = true
	default:
		c.acked[s.table][s.batch] = true
	}
}

// open asks every replica to take part, again and again.
func (c *client) open() {
	if c.w.now().Sub(c.asked) < time.Second {
		return
	}
	c.asked = c.w.now()
	spec, err := c.in.Spec.Encode()
	if err != nil {
		panic(err)
	}
	for r := range c.w.nodes {
		c.ask(r, &control.Request{Type: control.Open, Job: c.in.Spec.ID, Spec: spec})
	}
}

func (c *client) everywhere() bool { return len(c.w.opened) == len(c.w.nodes) }

func (c *client) ask(replica int, r *control.Request) {
	body, err := control.EncodeRequest(r)
	if err != nil {
		panic(err)
	}
	c.conn.Publish(context.Background(), control.Queue(replica), body, func(error) {})
}

// end has the job ended.
func (c *client) end(id job.ID) { c.over = true }

func (c *client) askEnd() {
	if c.w.now().Sub(c.asked) >= time.Second {
		c.asked = c.w.now()
		c.ask(0, &control.Request{Type: control.End, Job: c.in.Spec.ID, Reason: "done"})
	}
}

// ended reports whether every replica has forgotten the job.
func (c *client) ended(id job.ID) bool {
	if !c.over {
		return false
	}
	for _, n := range c.w.nodes {
		if n.parts[id] != nil {
			return false
		}
		if _, ended := n.stones.Ended(id); !ended && !c.w.cfg.Knobs.NoTombstone {
			return false
		}
	}
	return true
}
