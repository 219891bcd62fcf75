package sim

import (
	"slices"
	"strings"

	"analyzer/compose/cluster/protocol"
	"analyzer/shuffle/broker"
	"analyzer/shuffle/envelope"
)

// feeding is what a client does with a followed job: it makes cuts of it, each of which
// becomes a job with a client of its own. If the job stays open, the client feeds it in
// several appends, and makes a cut that holds the whole of one before it begins the next.
type feeding struct {
	cuts    int                    // to be made at random moments
	appends int                    // planned; 0: the job does not stay open
	begun   int                    // appends begun
	notes   []uint64               // versions of the tables' notes, as far as the client knows
	lapses  int                    // how often the client is killed and goes on with an old journal
	reached map[int]map[int]uint64 // by replica, while a cut is made; otherwise nil
	wanted  map[string]uint64      // batches that the cut must have, by table
	cut     *client                // of the last append
}

func newFeeding(c *client) feeding {
	switch {
	case c.job.Spec.Open:
		return feeding{appends: 1 + c.w.rng.IntN(3), begun: 1, lapses: c.w.rng.IntN(3), notes: make([]uint64, len(c.job.Tables))}
	case c.job.Spec.Follow:
		return feeding{cuts: 1 + c.w.rng.IntN(2)}
	}
	return feeding{}
}

// limit is how many batches of a table may be sent by now.
func (c *client) limit(t int) int {
	all := len(c.job.Tables[t].Batches)
	if c.feed.appends == 0 {
		return all
	}
	return all * c.begun(t) / c.feed.appends
}

// isClosed reports whether tables may end.
func (c *client) isClosed() bool {
	return c.feed.begun == c.feed.appends && c.remembered() && !c.appended()
}

// appended reports whether the job remembers all appends but the last one has no cut yet.
func (c *client) appended() bool {
	return c.feed.appends > 0 && c.feed.cut == nil && c.remembered()
}

// sent reports whether all batches of a table that may be sent were acknowledged.
func (c *client) sent(t int) bool {
	return !slices.Contains(c.acked[t][:c.limit(t)], false)
}

// follow advances the cuts and appends, and reports whether there was something to do.
func (c *client) follow() bool {
	f := &c.feed
	switch {
	case f.reached != nil:
		for r := range c.job.Spec.Replicas {
			if _, known := f.reached[r]; !known {
				c.ask(r, protocol.Request{Action: protocol.ActionReach})
			}
		}
		return c.w.rng.IntN(2) == 0
	case f.cuts > 0 && c.w.rng.IntN(20) == 0:
		f.cuts--
		f.reached = make(map[int]map[int]uint64)
	case f.cut == nil && c.appended():
		f.reached, f.wanted = make(map[int]map[int]uint64), make(map[string]uint64)
		for t := range c.job.Tables {
			f.wanted[c.tableOf(t)] = uint64(c.limit(t))
		}
	case f.cut != nil && f.cut.gone && f.begun < f.appends:
		c.w.note("the client of job %s appends", c.job.Spec.ID)
		f.begun++
		f.cut = nil
	case f.lapses > 0 && c.w.rng.IntN(60) == 0:
		f.lapses--
		c.lapse()
	default:
		return c.remind()
	}
	return true
}

// lapse kills the client in the middle of an append. The next client knows only some of
// the acknowledged batches.
func (c *client) lapse() {
	c.w.note("the client of job %s is killed, and appends the same again", c.job.Spec.ID)
	for i := range c.gateways {
		c.lose(c.gateways[i])
	}
	for t := range c.job.Tables {
		first := len(c.job.Tables[t].Batches) * (c.feed.begun - 1) / c.feed.appends
		for b := first; b < c.limit(t); b++ {
			c.acked[t][b] = c.acked[t][b] && c.w.rng.IntN(2) == 0
		}
		c.feed.notes[t] = uint64(2*c.feed.begun - 2)
	}
	c.feed.reached = nil
}

func (c *client) tableOf(t int) string {
	return c.job.Spec.Plan.Nodes[c.job.Tables[t].Scan].Scan.Table
}

// reach takes a replica's response to ActionReach.
func (c *client) reach(out *protocol.Response) {
	f := &c.feed
	if f.reached == nil {
		return // of a cut that was made, or given up
	}
	if f.reached[out.Replica] = out.Reach; len(f.reached) < c.job.Spec.Replicas {
		return
	}
	reached := f.reached
	f.reached = nil
	var all []map[int]uint64
	for r := range c.job.Spec.Replicas {
		all = append(all, reached[r])
	}
	spec, err := c.job.Spec.NewCut(c.w.nextJob(), all, c.w.now())
	if err != nil {
		panic(err)
	}
	wanted := f.wanted
	if spec.Lacks(wanted) != "" {
		return // it is asked again
	}
	f.wanted = nil
	c.w.note("a cut of job %s: %v", c.job.Spec.ID, spec.CutTables())
	child := newClient(c.w, Job{Input: c.cutInput(spec)})
	child.of = c
	c.w.clients = append(c.w.clients, child)
	if wanted != nil {
		f.cut = child
	}
}

// nextJob returns a new name of a job, the same in each run of a seed.
func (w *world) nextJob() (id protocol.JobID) {
	for i := range id {
		id[i] = byte(w.rng.IntN(256))
	}
	return id
}

// cutInput returns what gateways send to a cut: only the ends of its tables.
func (c *client) cutInput(spec *protocol.Spec) Input {
	in := Input{Spec: spec}
	for _, t := range c.job.Tables {
		cut := Table{Scan: t.Scan}
		for _, m := range t.Ends {
			e, _, err := envelope.Decode(m.Body)
			if err != nil {
				panic(err)
			}
			e.Job, e.ID = spec.ID, spec.Cut.Batches[t.Scan]
			body, err := envelope.Append(nil, e, nil)
			if err != nil {
				panic(err)
			}
			cut.Ends = append(cut.Ends, broker.Message{Queue: strings.Replace(m.Queue, c.job.Spec.ID.String(), spec.ID.String(), 1), Body: body})
		}
		in.Tables = append(in.Tables, cut)
	}
	return in
}

// orphaned reports whether a cut is of a job that is ending, so that nobody waits for it.
func (c *client) orphaned() bool { return c.of != nil && (c.of.ending || c.of.gone) }

// abandon gives up the cut of a job that is ending.
func (c *client) abandon(why string) {
	c.w.note("the cut %s is given up: %s", c.job.Spec.ID, why)
	c.out.Left = true
	c.end("given up")
}

// cutsOf returns the clients of the cuts of a job.
func (c *client) cutsOf() (out []*client) {
	for _, other := range c.w.clients {
		if other.of == c {
			out = append(out, other)
		}
	}
	return out
}
