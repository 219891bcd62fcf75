package supervisor

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"net/http"
	"sync"
	"time"

	"analyzer/compose/cluster/membership"
	"analyzer/process"
	"analyzer/shuffle/rabbit"
)

// Probe says how nodes are probed for life.
type Probe struct {
	Interval time.Duration // between two probes; 0: 500 ms
	Timeout  time.Duration // of an answer; 0: 2 s
	Attempts int           // how many missed answers in a row mean that a node hangs; 0: 3
	Startup  time.Duration // for the first answer of a node that has just begun; 0: 30 s
}

// brokerFactor is how much more time brokers have for everything. A broker works off the
// load of all others, waits at its start for the brokers that it forms one with, and logs
// each probe.
const brokerFactor = 4

// of returns how a node is probed.
func (p Probe) of(n Node) Probe {
	if n.Role == membership.Broker {
		p.Interval, p.Timeout, p.Startup = brokerFactor*p.Interval, brokerFactor*p.Timeout, brokerFactor*p.Startup
	}
	return p
}

func (p Probe) withDefaults() Probe {
	p.Interval = cmp.Or(p.Interval, 500*time.Millisecond)
	p.Timeout = cmp.Or(p.Timeout, 2*time.Second)
	p.Attempts = cmp.Or(p.Attempts, 3)
	p.Startup = cmp.Or(p.Startup, 30*time.Second)
	return p
}

const (
	// settled is how long a node must run before its next death counts as a first one.
	settled = 10 * time.Second
	// failing is how many deaths in a row, each within settled, make a node one that is not
	// expected to recover by itself.
	failing = 3
)

// watch is a leader's watch over one node.
type watch struct {
	of   *Supervisor
	cfg  Config
	node Node
	how  Probe
	http *http.Client

	// Used by run only.
	backoff process.Backoff
	misses  int
	missed  time.Time // when the first of them was
	reached time.Time // start time of the process that has answered

	mu       sync.Mutex
	about    membership.Node
	answered time.Time // when it last did
	inARow   int       // deaths, each soon after a start
}

func newWatch(s *Supervisor, n Node) *watch {
	return &watch{
		of: s, cfg: s.cfg, node: n, how: s.cfg.Probe.of(n),
		about: membership.Node{Name: n.Name, Role: n.Role, Host: n.Host, HTTP: n.HTTP, State: membership.Away},
		// A kept-alive connection would not show that a process hangs.
		http: &http.Client{Transport: &http.Transport{DisableKeepAlives: true}},
	}
}

// run watches the node until the context ends.
func (w *watch) run(ctx context.Context) {
	for ctx.Err() == nil {
		w.look(ctx)
		_ = process.Sleep(ctx, w.how.Interval)
	}
}

// look looks at the node once, and starts or kills it if necessary.
func (w *watch) look(ctx context.Context) {
	if w.cfg.Driver == nil { // somebody else starts nodes
		state := membership.Silent
		if w.probe(ctx) {
			state = membership.Running
		}
		w.note(func() { w.about.State = state })
		return
	}
	c, err := w.cfg.Driver.Look(ctx, w.node)
	if err != nil {
		w.note(func() { w.about.Why = err.Error() })
		w.cfg.Log.Warn("look whether a node runs", "node", w.node.Name, "error", err)
		return
	}
	w.note(func() {
		w.about.Restarts = max(w.about.Restarts, c.Restarts)
		w.about.PID, w.about.Since = 0, time.Time{}
		if c.Runs {
			w.about.PID, w.about.Since = c.PID, c.Since
		}
	})
	if !c.Runs {
		w.start(ctx, c)
		return
	}
	switch lives := w.probe(ctx); {
	case ctx.Err() != nil:
	case lives:
		w.misses, w.reached = 0, c.Since
		w.note(func() {
			w.answered = time.Now()
			w.well(c)
		})
	case !w.reached.Equal(c.Since) && time.Since(c.Since) < w.how.Startup:
		w.note(func() { w.set(membership.Starting) })
	default:
		w.miss(ctx, c)
	}
}

// probed reports whether there is a way to ask the node whether it lives.
func (w *watch) probed() bool {
	return w.node.HTTP != "" || w.node.AMQP != "" && w.cfg.Broker != ""
}

// probe reports whether the node answers. Any answer means that it is alive.
func (w *watch) probe(ctx context.Context) bool {
	ctx, cancel := context.WithTimeout(ctx, w.how.Timeout)
	defer cancel()
	switch {
	case !w.probed():
		return true
	case w.node.AMQP != "":
		return rabbit.Lives(ctx, rabbit.Config{URL: w.cfg.Broker, Name: "analyzer supervisor"}, w.node.AMQP)
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+w.node.HTTP+"/healthz", nil)
	if err != nil {
		return false
	}
	response, err := w.http.Do(request)
	if err != nil {
		return false
	}
	_, err = io.Copy(io.Discard, io.LimitReader(response.Body, 1<<10))
	return response.Body.Close() == nil && err == nil
}

// miss counts a missed answer of a running node, and restarts the node after too many.
func (w *watch) miss(ctx context.Context, c Condition) {
	if w.misses++; w.misses == 1 {
		w.missed = time.Now()
	}
	w.note(func() { w.set(membership.Silent) })
	switch {
	case w.misses < w.how.Attempts:
	case c.Healthy && !w.of.heard(w.node.Name, w.missed): // it is this supervisor that is cut off
		w.misses = 0
	case w.node.Role == membership.Broker:
		w.of.killing.Lock()
		defer w.of.killing.Unlock()
		if !w.of.brokerStarts(w.node.Name) {
			w.kill(ctx, c)
		}
	default:
		w.kill(ctx, c)
	}
}

// kill kills a node that hangs, and starts it again.
func (w *watch) kill(ctx context.Context, c Condition) {
	why := fmt.Sprintf("it did not answer %d times in a row, and was killed", w.misses)
	w.misses = 0
	w.cfg.Log.Warn("kill a node that hangs", "node", w.node.Name)
	if err := Halt(ctx, w.cfg.Driver, 0, w.node); err != nil {
		w.cfg.Log.Error("kill a node that hangs", "node", w.node.Name, "error", err)
		return
	}
	c.Ending = why
	w.start(ctx, c)
}

// start starts the node, after a pause if it has died again and again.
func (w *watch) start(ctx context.Context, c Condition) {
	if time.Since(c.Since) > settled {
		w.backoff = process.Backoff{}
		w.note(func() { w.inARow = 0 })
	}
	switch {
	case c.Left: // asked to end, as in a rolling restart: not a failure
		w.cfg.Log.Info("a node left", "node", w.node.Name)
		w.note(func() {
			w.about.Why = "it was asked to end"
			w.set(membership.Away)
		})
	case c.Started:
		w.died(ctx, c)
		if w.inARow > 1 && !w.backoff.Wait(ctx) {
			return
		}
	}
	if ctx.Err() != nil {
		return
	}
	if err := w.cfg.Driver.Start(ctx, w.node); err != nil {
		w.note(func() { w.about.Why = err.Error() })
		w.cfg.Log.Error("start a node", "node", w.node.Name, "error", err)
		return
	}
	w.cfg.Log.Info("started", "node", w.node.Name)
	w.note(func() {
		w.set(membership.Starting)
		w.about.PID, w.about.Since = 0, time.Time{} // until the next look
		if c.Started {
			w.about.Restarts++
		}
	})
}

// died records that a node has ended without being asked to.
func (w *watch) died(ctx context.Context, c Condition) {
	w.cfg.Log.Warn("a node died", "node", w.node.Name, "how", c.Ending)
	words := ""
	if w.inARow+1 >= failing {
		words = w.cfg.Driver.Words(ctx, w.node)
	}
	w.note(func() {
		w.inARow++
		w.about.Log, w.about.Why = words, cmp.Or(LastError(words), c.Ending, "it died")
		w.set(membership.Away)
	})
}

// note changes, under the lock, what others may read.
func (w *watch) note(change func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	change()
}

// well records that the node answers; it is called within note. A failing node counts as well
// only once it has run for a while.
func (w *watch) well(c Condition) {
	if w.inARow >= failing && time.Since(c.Since) < settled {
		return
	}
	w.about.State, w.about.Log = membership.Running, ""
}

// set sets the state of a node that is not well; it is called within note. A failing node
// stays failing.
func (w *watch) set(state membership.State) {
	if w.inARow >= failing {
		state = membership.Failing
	}
	w.about.State = state
}

// learn takes over what the leader has said of the node. It must not be called while run
// runs.
func (w *watch) learn(n membership.Node) {
	w.note(func() {
		w.about.Restarts = max(w.about.Restarts, n.Restarts)
		w.about.Why, w.about.State, w.about.Log, w.about.PID, w.about.Since = n.Why, n.State, n.Log, n.PID, n.Since
	})
	if n.State == membership.Running {
		w.reached = n.Since
	}
}

// lastAnswer returns when the node last answered.
func (w *watch) lastAnswer() time.Time {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.answered
}

func (w *watch) report() membership.Node {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.about
}
