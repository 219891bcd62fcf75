package sim

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"analyzer/compose/cluster/protocol"
	"analyzer/shuffle/broker"
)

// client is a client with two gateways. It opens its job, sends each batch through one or
// both gateways until all its messages are confirmed, fetches the answers, and ends the
// job.
type client struct {
	w          *world
	job        Job
	gateways   [2]*gateway
	opened     map[int]bool                   // replicas
	text       []byte                         // the job's spec, as replica 0 holds it
	acked      [][]bool                       // batches, by table
	ends       []bool                         // tables
	asked      map[question]time.Time         // not to be asked again before that
	latest     map[question]*protocol.Request // the last request for it
	unanswered map[question]int               // requests since the last answer
	keys       map[int]map[int][]uint64       // of build sides that are complete, by join and replica
	forgotten  map[int]bool                   // joins with a replica that no longer had the keys
	seen       map[int]string                 // what each replica last said of its part
	moved      time.Time                      // when seen last changed
	pages      map[string]int                 // of each answer that is ready
	got        map[string][][]byte
	ending     bool         // the client has all answers, or has given up
	without    map[int]bool // replicas that have yet to forget the job, if replica 0 does not know it; nil if it does
	gone       bool         // the client does nothing more
	late       int          // requests to open the job that come after the client has gone
	reason     string
	refusals   int // times that a replica failed to open the job
	feed       feeding
	of         *client // if its job is a cut, the client of the job that is cut
	out        Outcome
}

// question identifies equal requests to a replica.
type question struct {
	replica int
	kind    protocol.Action
	node    int
	query   string
	page    int
	note    string
}

// questionOf returns what a request asks of a replica.
func questionOf(replica int, r *protocol.Request) question {
	q := question{replica: replica, kind: r.Action, node: r.Node, query: r.Query, page: r.Page}
	if r.Note != nil {
		q.note = fmt.Sprint(*r.Note)
	}
	return q
}

func newClient(w *world, j Job) *client {
	c := &client{
		w: w, job: j, opened: make(map[int]bool), asked: make(map[question]time.Time), latest: make(map[question]*protocol.Request), unanswered: make(map[question]int), seen: make(map[int]string),
		keys: make(map[int]map[int][]uint64), forgotten: make(map[int]bool), pages: make(map[string]int), got: make(map[string][][]byte),
	}
	for i := range c.gateways {
		c.gateways[i] = newGateway(c)
	}
	for _, t := range j.Tables {
		c.acked = append(c.acked, make([]bool, len(t.Batches)))
		c.ends = append(c.ends, false)
	}
	c.out.Spec, c.feed = j.Spec, newFeeding(c)
	return c
}

// leave makes the client leave its job, as its configuration says.
func (c *client) leave() {
	if c.gone || c.ending {
		return
	}
	c.out.Left = true
	if c.job.Leave == Cancel {
		c.w.note("the client cancels job %s", c.job.Spec.ID)
		c.end("cancelled")
		return
	}
	if c.job.Leave == GiveUp {
		c.w.note("the client of job %s gives its opening up", c.job.Spec.ID)
		c.gone, c.late = true, c.w.rng.IntN(3)
		return
	}
	c.w.note("the client of job %s vanishes", c.job.Spec.ID)
	c.vanish()
	for _, cut := range c.cutsOf() {
		if !cut.gone {
			cut.out.Left = true
			cut.vanish()
		}
	}
}

// openLate lets a request to open the job come true that a gateway had kept while it was
// stopped.
func (c *client) openLate() {
	r := c.w.rng.IntN(c.job.Spec.Replicas)
	c.w.note("a late request to open job %s goes to replica %d", c.job.Spec.ID, r)
	c.gateways[0].ask(r, protocol.Request{Action: protocol.ActionOpen, Job: c.job.Spec.ID})
}

func (c *client) vanish() {
	c.gone = true
	for _, g := range c.gateways {
		g.die()
	}
}

// end makes the client end its job.
func (c *client) end(reason string) { c.ending, c.reason = true, reason }

// killGateway kills a gateway, with all the batches that it had in hand.
func (c *client) killGateway() {
	i := c.w.rng.IntN(len(c.gateways))
	c.w.note("gateway %d of job %s dies", i, c.job.Spec.ID)
	c.lose(c.gateways[i])
}

// lose replaces a gateway that dies by another.
func (c *client) lose(g *gateway) {
	g.die()
	c.gateways[slices.Index(c.gateways[:], g)] = newGateway(c)
}

// How long a client waits for a response before it asks again, doubling up to a limit;
// and, once it has a response, how long it does not repeat the question.
const (
	patience     = 3 * time.Second
	lastPatience = 30 * time.Second
	pause        = 500 * time.Millisecond
	standstill   = 10 * time.Minute
)

// step lets the client do one thing.
func (c *client) step() {
	c.gateways[c.w.rng.IntN(len(c.gateways))].retry()
	switch {
	case c.gone:
	case c.without != nil:
		for r := range c.job.Spec.Replicas {
			if c.without[r] {
				c.ask(r, protocol.Request{Action: protocol.ActionClean, Reason: c.reason, All: true})
			}
		}
	case c.ending:
		c.ask(0, protocol.Request{Action: protocol.ActionEnd, Reason: c.reason})
	case len(c.opened) < c.job.Spec.Replicas || c.job.Leave == GiveUp:
		for r := range c.job.Spec.Replicas { // also who has opened it, or it would expire there
			if r == 0 || c.opened[0] {
				c.ask(r, protocol.Request{Action: protocol.ActionOpen})
			}
		}
	case c.job.Spec.Follow && c.follow():
	case c.w.rng.IntN(4) == 0 || !c.upload():
		c.poll()
	}
}

// poll asks for the job's status, and for the next page of each answer.
func (c *client) poll() {
	for r := range c.job.Spec.Replicas {
		c.ask(r, protocol.Request{Action: protocol.ActionStatus})
	}
	for _, join := range c.job.joins() {
		for _, r := range c.job.Spec.StageReplicas(c.job.Spec.Plan.Nodes[join].Stage) {
			if _, known := c.keys[join][r]; !known {
				c.ask(r, protocol.Request{Action: protocol.ActionKeys, Node: join})
			}
		}
	}
	for _, a := range c.job.Spec.Plan.Answers {
		if pages, known := c.pages[a.Query]; known && len(c.got[a.Query]) == pages {
			continue
		}
		_, r, err := c.job.Spec.AnswerNode(a.Query)
		if err != nil {
			panic(err)
		}
		c.ask(r, protocol.Request{Action: protocol.ActionPage, Query: a.Query, Page: len(c.got[a.Query])})
	}
}

// ask asks a replica through some gateway, unless it was asked just now.
func (c *client) ask(replica int, r protocol.Request) {
	r.Job = c.job.Spec.ID
	key := questionOf(replica, &r)
	if c.w.now().Before(c.asked[key]) {
		return
	}
	c.asked[key] = c.w.now().Add(min(patience<<min(c.unanswered[key], 10), lastPatience))
	c.unanswered[key]++
	c.latest[key] = c.gateways[c.w.rng.IntN(len(c.gateways))].ask(replica, r)
}

// request encodes a request.
func (c *client) request(r protocol.Request) []byte {
	if r.Action == protocol.ActionOpen {
		r.Spec = c.planned()
	}
	body, err := protocol.EncodeRequest(&r)
	if err != nil {
		panic(err)
	}
	return body
}

// planned returns the spec that a gateway sends a replica to open: the one that replica 0
// holds, or the gateway's own, planned at a time of its own.
func (c *client) planned() []byte {
	if c.text != nil {
		return c.text
	}
	spec := *c.job.Spec
	spec.Opened = spec.Opened.Add(time.Duration(c.w.rng.IntN(3)) * time.Second)
	text, err := spec.Encode()
	if err != nil {
		panic(err)
	}
	return text
}

// hold takes the spec that a replica holds, which must be equal on all replicas.
func (c *client) hold(out *protocol.Response) {
	if c.text == nil && out.Replica == 0 {
		c.text = out.Data
	}
	if !bytes.Equal(out.Data, c.text) {
		c.fail("two replicas have opened two jobs of one name")
	}
	c.opened[out.Replica] = true
}

// answer takes a replica's response to a request. The response to a request that was
// repeated meanwhile does not reset the pause between requests, or the pause would never
// grow.
func (c *client) answer(r *protocol.Request, out *protocol.Response) {
	c.w.note("replica %d answers %s of job %s: %s %s", out.Replica, r.Action, r.Job, out.Code, out.Error)
	key := questionOf(out.Replica, r)
	if c.latest[key] == r {
		c.asked[key] = c.w.now().Add(pause)
		delete(c.unanswered, key)
	}
	switch {
	case c.gone:
	case c.ending:
		c.endAnswer(*r, out)
	case out.Code != "" && c.orphaned():
		c.abandon(out.Error)
	case out.Code == protocol.Trouble && r.Action == protocol.ActionOpen && c.refused():
		c.fail("it could not be opened: " + out.Error)
	case out.Code == protocol.Trouble: // again
	case out.Code == protocol.JobEnded || out.Code == protocol.NoJob && r.Action != protocol.ActionOpen:
		c.fail("the job is gone: " + out.Error)
	case out.Code != "":
		c.fail(out.Error)
	case r.Action == protocol.ActionOpen:
		c.hold(out)
	case r.Action == protocol.ActionStatus && out.Status.State == protocol.Failing:
		c.fail(out.Status.Reason)
	case r.Action == protocol.ActionStatus:
		c.heed(out)
	case r.Action == protocol.ActionReach:
		c.reach(out)
	case r.Action == protocol.ActionNote:
		c.reminded(r.Note, out.Note)
	case r.Action == protocol.ActionKeys && out.Ready:
		c.learn(r.Node, out)
	case r.Action == protocol.ActionPage && out.Ready:
		c.page(*r, out)
	}
}

// heed gives a job up if, after a disk was lost, nothing changes for long, as real clients
// do. A restarted broker forgets what it has delivered. So the request that opened the job
// on the lost disk may come again as though it were new, and open the job on the next
// disk, without the messages that were acknowledged.
func (c *client) heed(out *protocol.Response) {
	now := fmt.Sprint(out.Status.Stages, out.Status.Waiting)
	if c.seen[out.Replica] != now {
		c.seen[out.Replica], c.moved = now, c.w.now()
	}
	if c.w.wiped && c.w.now().Sub(c.moved) > standstill {
		c.fail("it stands still since a disk was lost")
	}
}

// refused reports whether a replica has failed to open the job too often.
func (c *client) refused() bool {
	c.refusals++
	return c.refusals > 10
}

// endAnswer takes a replica's response to the end of the job. If replica 0 does not have
// the job, all others must forget it.
func (c *client) endAnswer(r protocol.Request, out *protocol.Response) {
	switch {
	case out.Code == protocol.Trouble:
		return
	case r.Action == protocol.ActionClean:
		delete(c.without, out.Replica)
	case r.Action != protocol.ActionEnd:
		return
	case out.Code == protocol.NoJob && c.without == nil:
		c.without = make(map[int]bool)
		for r := 1; r < c.job.Spec.Replicas; r++ {
			c.without[r] = true
		}
	}
	if len(c.without) > 0 {
		return
	}
	if c.without != nil {
		_ = c.gateways[0].broker.Delete(context.Background(), c.job.Spec.QueueNames()...)
	}
	c.w.note("the client of job %s goes", c.job.Spec.ID)
	c.gone = true
}

func (c *client) fail(reason string) {
	c.out.Failed = reason
	c.end("failed: " + reason)
}

func (c *client) page(r protocol.Request, out *protocol.Response) {
	c.pages[r.Query] = out.Pages
	if r.Page < out.Pages && r.Page == len(c.got[r.Query]) {
		c.got[r.Query] = append(c.got[r.Query], out.Data)
	}
	for _, a := range c.job.Spec.Plan.Answers {
		if pages, known := c.pages[a.Query]; !known || len(c.got[a.Query]) < pages {
			return
		}
	}
	c.out.Answers = c.got
	c.end("done")
}

// inFlight is how many batches are on their way at once.
const inFlight = 4

// upload sends a batch that has not been acknowledged, or the end of a table. It
// reports whether there is more to send or to wait for.
func (c *client) upload() bool {
	more := false
	for t := range c.job.Tables {
		all := true
		for b, done := range c.acked[t][:c.limit(t)] {
			if done {
				continue
			}
			all, more = false, true
			if c.offer(batch{t, b}) {
				return true
			}
		}
		if !c.ends[t] && (c.feed.appends == 0 || c.isClosed()) {
			more = true
			if all && c.offer(batch{t, -1}) {
				return true
			}
		}
	}
	return more
}

// offer hands a batch to one gateway, or to both as if the first were slow. It reports
// whether it did.
func (c *client) offer(b batch) bool {
	for i, g := range c.gateways {
		if g.underWay[b] {
			other := c.gateways[1-i]
			if c.w.rng.IntN(20) > 0 || other.underWay[b] {
				return false
			}
			c.w.note("table %d batch %d goes through both gateways", b.table, b.number)
			other.send(b)
			return true
		}
	}
	if c.w.rng.IntN(2) == 0 || len(c.gateways[0].underWay)+len(c.gateways[1].underWay) >= inFlight {
		return false
	}
	c.gateways[c.w.rng.IntN(len(c.gateways))].send(b)
	return true
}

// confirmed notes that a gateway has acknowledged a batch, or failed to send it.
func (c *client) confirmed(b batch, err error) {
	switch {
	case errors.Is(err, broker.ErrNoQueue) && !c.ending && !c.gone:
		c.fail(fmt.Sprintf("table %d batch %d: the broker has lost the queue: %v", b.table, b.number, err))
	case err != nil: // all of it again
	case b.number < 0:
		c.ends[b.table] = true
	default:
		c.acked[b.table][b.number] = true
	}
}
