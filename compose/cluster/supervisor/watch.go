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
)

// Probe says how nodes are asked whether they live.
type Probe struct {
	Interval time.Duration // between two looks; 0: 500 ms
	Timeout  time.Duration // of an answer; 0: 2 s
	Attempts int           // without an answer in a row make a node one that hangs; 0: 3
	Startup  time.Duration // for the first answer of a node that has just begun; 0: 30 s
}

func (p Probe) withDefaults() Probe {
	p.Interval = cmp.Or(p.Interval, 500*time.Millisecond)
	p.Timeout = cmp.Or(p.Timeout, 2*time.Second)
	p.Attempts = cmp.Or(p.Attempts, 3)
	p.Startup = cmp.Or(p.Startup, 30*time.Second)
	return p
}

const (
	// settled is how long a node must run to be counted as new when it dies.
	settled = 10 * time.Second
	// failing is how often in a row a node has died then that nobody expects to come
	// back by itself.
	failing = 3
)

// watch is one node under the eyes of a leader.
type watch struct {
	cfg  Config
	node Node
	http *http.Client

	// Of run alone.
	backoff process.Backoff
	misses  int
	reached time.Time // the start of the process that has answered

	mu     sync.Mutex
	about  membership.Node
	inARow int // deaths, each soon after a start
}

func newWatch(cfg Config, n Node) *watch {
	return &watch{
		cfg: cfg, node: n, about: membership.Node{Name: n.Name, Role: n.Role, HTTP: n.HTTP, State: membership.Away},
		// A connection that is kept says nothing of a process that hangs.
		http: &http.Client{Timeout: cfg.Probe.Timeout, Transport: &http.Transport{DisableKeepAlives: true}},
	}
}

// run looks after the node until the context ends.
func (w *watch) run(ctx context.Context) {
	for ctx.Err() == nil {
		w.look(ctx)
		_ = process.Sleep(ctx, w.cfg.Probe.Interval)
	}
}

// look looks once, and does what is to be done.
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
		w.note(func() { w.well(c) })
	case !w.reached.Equal(c.Since) && time.Since(c.Since) < w.cfg.Probe.Startup:
		w.note(func() { w.set(membership.Starting) })
	case c.Healthy: // it is this supervisor that hears nothing
		w.misses = 0
		w.note(func() { w.set(membership.Silent) })
	default:
		w.miss(ctx, c)
	}
}

// probe reports whether the node answers. Whatever it answers, it lives.
func (w *watch) probe(ctx context.Context) bool {
	if w.node.HTTP == "" {
		return true
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

// miss counts that a node that runs has not answered, and kills it at last.
func (w *watch) miss(ctx context.Context, c Condition) {
	w.misses++
	w.note(func() { w.set(membership.Silent) })
	if w.misses < w.cfg.Probe.Attempts {
		return
	}
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
	case c.Left: // as who restarts all nodes in turn asks them to; it says nothing against it
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

// died notes that a node does not run any more, and was not asked to end.
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

// note changes what others may read.
func (w *watch) note(change func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	change()
}

// well notes, within note, that the node answers. One that has been failing is well
// once it has run for a while.
func (w *watch) well(c Condition) {
	if w.inARow >= failing && time.Since(c.Since) < settled {
		return
	}
	w.about.State, w.about.Log = membership.Running, ""
}

// set sets the state, within note, of a node that is not well; one that is failing
// stays so.
func (w *watch) set(state membership.State) {
	if w.inARow >= failing {
		state = membership.Failing
	}
	w.about.State = state
}

// learn takes over what the leader has said of the node; not while run does.
func (w *watch) learn(n membership.Node) {
	w.note(func() {
		w.about.Restarts = max(w.about.Restarts, n.Restarts)
		w.about.Why, w.about.State, w.about.Log = n.Why, n.State, n.Log
	})
	if n.State == membership.Running {
		w.reached = n.Since
	}
}

func (w *watch) report() membership.Node {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.about
}
