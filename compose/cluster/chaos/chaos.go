// Package chaos kills and pauses nodes of a running cluster at random, from a seed, while
// jobs run on it. It measures how long each node takes to recover, and checks that no answer
// changes.
package chaos

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"analyzer/compose/cluster/membership"
	"analyzer/compose/cluster/supervisor"
	"analyzer/process"
)

// Config says what is done to which cluster.
type Config struct {
	Seed uint64
	// How often each thing is done. Kills hit workers, gateways and supervisors; at least one
	// supervisor always lives.
	Kills, BrokerKills, Pauses, Cancels int
	// AllBut is how often all nodes but one supervisor are killed at once.
	AllBut int
	Kill   string // a node to kill once; "": none
	// For is how long all this is repeated; 0: it is done once. While it is repeated, Take
	// measures what the cluster uses, which must not grow.
	For  time.Duration
	Take func(ctx context.Context) ([]Taken, error)

	Topology supervisor.Topology
	Driver   supervisor.Driver
	Ask      func(ctx context.Context) (membership.Report, error)
	Jobs     Jobs
	Lanes    int           // jobs at a time
	Gap      time.Duration // the longest pause between two actions
	// Patience bounds how long a node may take to recover, and a job to end.
	Patience time.Duration
	Say      func(line string) // for people; from any goroutine
}

// Result is the outcome of a run.
type Result struct {
	Seed     uint64
	Kills    map[membership.Role]int
	Pauses   int
	Recovery []Recovery // of each kill and pause
	Jobs     Tally
	Rows     []Row    // what the cluster used, if it was measured
	Trouble  []string // why the run has failed; empty: it has not, and no answer differs
}

// Recovery is how long a node took to be well again after a kill or pause.
type Recovery struct {
	Node string
	Took time.Duration
}

// median returns the median recovery time and the worst recovery.
func (r Result) median() (median time.Duration, worst Recovery) {
	all := slices.Clone(r.Recovery)
	slices.SortFunc(all, func(a, b Recovery) int { return int(a.Took - b.Took) })
	if len(all) == 0 {
		return 0, worst
	}
	return all[len(all)/2].Took, all[len(all)-1]
}

// Text is the result for people.
func (r Result) Text() string {
	var out strings.Builder
	median, worst := r.median()
	if len(r.Rows) > 0 {
		fmt.Fprintf(&out, "%s\n", table(r.Rows))
	}
	fmt.Fprintf(&out, "seed      %d\n", r.Seed)
	fmt.Fprintf(&out, "kills     %d workers, %d gateways, %d supervisors, %d brokers; %d pauses\n",
		r.Kills[membership.Worker], r.Kills[membership.Gateway], r.Kills[membership.Supervisor], r.Kills[membership.Broker], r.Pauses)
	fmt.Fprintf(&out, "recovery  median %.1f s, worst %.1f s (%s)\n", median.Seconds(), worst.Took.Seconds(), worst.Node)
	fmt.Fprintf(&out, "jobs      %d with the answers of one process, %d cancelled, %d submitted again\n", r.Jobs.Same, r.Jobs.Cancelled, r.Jobs.Again)
	verdict := "no answer differs, and all nodes came back"
	if len(r.Rows) > 0 {
		verdict = "no answer differs, all nodes came back, and nothing grew"
	}
	if len(r.Trouble) > 0 {
		verdict = fmt.Sprintf("%d times trouble: %s", len(r.Trouble), strings.Join(r.Trouble, "; "))
	}
	fmt.Fprintf(&out, "verdict   %s\n", verdict)
	return out.String()
}

// run is the state of one run.
type run struct {
	cfg   Config
	rng   *rand.Rand
	began time.Time
	wait  sync.WaitGroup // recoveries being waited for

	submitted atomic.Int64 // jobs, counting those submitted again

	mu     sync.Mutex
	down   map[string]bool
	result Result
}

func newRun(cfg Config) *run {
	return &run{
		cfg: cfg, rng: rand.New(rand.NewPCG(cfg.Seed, 0)), began: time.Now(), down: make(map[string]bool),
		result: Result{Seed: cfg.Seed, Kills: make(map[membership.Role]int)},
	}
}

// Run does what the configuration says, once all nodes are well. An error says that it could
// not, or not to the end; problems of the cluster are in the result.
func Run(ctx context.Context, cfg Config) (Result, error) {
	r := newRun(cfg)
	if err := r.awaitAll(ctx); err != nil {
		return r.result, fmt.Errorf("the cluster is not well to begin with: %w", err)
	}
	r.say("all %d nodes are well", len(cfg.Topology.Nodes))
	lanes := newLanes(r)
	// A node may be well before it is ready, so a first job runs alone.
	if lanes.job(ctx, cfg.Jobs.Tables[0]); len(r.result.Trouble) > 0 {
		return r.result, fmt.Errorf("the cluster does not work to begin with: %s", r.result.Trouble[0])
	}
	lanes.start(ctx)
	watching, stop := context.WithCancel(ctx)
	defer stop()
	var watch sync.WaitGroup
	if cfg.For > 0 {
		watch.Go(func() { r.watch(watching) })
	}
	err := r.torment(ctx, lanes)
	for err == nil && time.Since(r.began) < cfg.For {
		err = r.torment(ctx, lanes)
	}
	r.wait.Wait()
	stop()
	watch.Wait()
	if err == nil {
		if wellErr := r.awaitAll(ctx); wellErr != nil {
			r.trouble("%v", wellErr)
		}
	}
	r.say("all that was to be done is done; waiting for %d jobs", cfg.Lanes)
	lanes.finish()
	if cfg.For > 0 && err == nil {
		r.judge(ctx)
	}
	return r.result, err
}

func (r *run) say(format string, a ...any) {
	r.cfg.Say(fmt.Sprintf("%7.1f s  %s", time.Since(r.began).Seconds(), fmt.Sprintf(format, a...)))
}

func (r *run) trouble(format string, a ...any) {
	text := fmt.Sprintf(format, a...)
	r.say("TROUBLE: %s", text)
	r.count(func(result *Result) { result.Trouble = append(result.Trouble, text) })
}

// count changes the result under the lock.
func (r *run) count(change func(*Result)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	change(&r.result)
}

// torment performs all actions, in an order that follows from the seed.
func (r *run) torment(ctx context.Context, lanes *lanes) error {
	var acts []func(context.Context) error
	add := func(n int, act func(context.Context) error) {
		for range n {
			acts = append(acts, act)
		}
	}
	add(r.cfg.Kills, r.killAny)
	add(r.cfg.BrokerKills, r.killBroker)
	add(r.cfg.Pauses, r.pauseAny)
	add(r.cfg.Cancels, func(context.Context) error { lanes.cancelOne(); return nil })
	add(r.cfg.AllBut, r.allButOne)
	if r.cfg.Kill != "" {
		add(1, func(ctx context.Context) error {
			named := r.nodes(func(n supervisor.Node) bool { return n.Name == r.cfg.Kill })
			if len(named) == 0 {
				return fmt.Errorf("there is no node called %s", r.cfg.Kill)
			}
			return r.kill(ctx, named[0])
		})
	}
	r.rng.Shuffle(len(acts), func(i, j int) { acts[i], acts[j] = acts[j], acts[i] })
	for _, act := range acts {
		if err := process.Sleep(ctx, time.Duration(r.rng.Int64N(int64(r.cfg.Gap)))); err != nil {
			return err
		}
		if r.cfg.For > 0 && time.Since(r.began) >= r.cfg.For {
			return nil
		}
		if err := act(ctx); err != nil {
			return err
		}
	}
	return nil
}

// killAny kills a node other than a broker.
func (r *run) killAny(ctx context.Context) error { return r.killOne(ctx, false) }

// killBroker kills a broker.
func (r *run) killBroker(ctx context.Context) error {
	if len(r.nodes(isBroker)) == 0 {
		return errors.New("the cluster has no broker of its own that could be killed")
	}
	return r.killOne(ctx, true)
}

func (r *run) killOne(ctx context.Context, broker bool) error {
	n, err := r.pick(ctx, broker)
	if err != nil {
		return err
	}
	return r.kill(ctx, n)
}

// nodes returns the cluster's nodes that satisfy a condition.
func (r *run) nodes(are func(supervisor.Node) bool) (out []supervisor.Node) {
	for _, n := range r.cfg.Topology.Nodes {
		if are(n) {
			out = append(out, n)
		}
	}
	return out
}

func isBroker(n supervisor.Node) bool     { return n.Role == membership.Broker }
func isSupervisor(n supervisor.Node) bool { return n.Role == membership.Supervisor }

// pick waits until some node is well, and returns one at random: a broker, or another node
// but never the last supervisor.
func (r *run) pick(ctx context.Context, broker bool) (supervisor.Node, error) {
	for {
		r.mu.Lock()
		well := r.nodes(func(n supervisor.Node) bool { return !r.down[n.Name] && isBroker(n) == broker })
		r.mu.Unlock()
		if i := slices.IndexFunc(well, isSupervisor); i >= 0 && !slices.ContainsFunc(well[i+1:], isSupervisor) {
			well = slices.Delete(well, i, i+1)
		}
		if len(well) > 0 {
			return well[r.rng.IntN(len(well))], nil
		}
		if err := process.Sleep(ctx, askEvery); err != nil {
			return supervisor.Node{}, err
		}
	}
}

// allButOne kills all nodes but one supervisor, once all nodes are well.
func (r *run) allButOne(ctx context.Context) error {
	r.wait.Wait()
	if err := r.awaitAll(ctx); err != nil {
		return err
	}
	supervisors := r.nodes(isSupervisor)
	left := supervisors[r.rng.IntN(len(supervisors))].Name
	r.say("kill all but %s", left)
	for _, n := range r.nodes(func(n supervisor.Node) bool { return n.Name != left }) {
		if err := r.kill(ctx, n); err != nil {
			return err
		}
	}
	r.wait.Wait()
	return nil
}

// kill kills a node and measures its recovery.
func (r *run) kill(ctx context.Context, n supervisor.Node) error {
	was, err := r.hit(ctx, n, syscall.SIGKILL, func(result *Result) { result.Kills[n.Role]++ })
	if err != nil {
		return err
	}
	r.say("kill %s", n.Name)
	r.recovers(ctx, n, "", func(now membership.Node) bool { return now.PID != was.PID })
	return nil
}

// pauseAny stops a node for some time, possibly longer than supervisors wait for it.
func (r *run) pauseAny(ctx context.Context) error {
	n, err := r.pick(ctx, false)
	if err != nil {
		return err
	}
	const least, most = time.Second, 15 * time.Second
	pause := least + time.Duration(r.rng.Int64N(int64(most-least)))
	was, err := r.hit(ctx, n, process.Pause, func(result *Result) { result.Pauses++ })
	if err != nil {
		return err
	}
	r.say("pause %s for %v", n.Name, pause.Round(100*time.Millisecond))
	over := time.Now().Add(pause)
	r.wait.Go(func() {
		if process.Sleep(ctx, pause) != nil {
			_ = r.cfg.Driver.Signal(context.WithoutCancel(ctx), n, process.Resume)
			return
		}
		now, err := r.cfg.Driver.Look(ctx, n)
		if err == nil && now.PID == was.PID {
			if err := r.cfg.Driver.Signal(ctx, n, process.Resume); err != nil {
				r.trouble("let %s go on: %v", n.Name, err)
			}
		}
	})
	r.recovers(ctx, n, ", paused", func(now membership.Node) bool { return now.PID != was.PID || time.Now().After(over) })
	return nil
}

// hit sends a signal to a node, counts the node as down from then on, and returns its
// condition before.
func (r *run) hit(ctx context.Context, n supervisor.Node, s syscall.Signal, count func(*Result)) (was supervisor.Condition, err error) {
	if was, err = r.cfg.Driver.Look(ctx, n); err == nil {
		err = r.cfg.Driver.Signal(ctx, n, s)
	}
	if err != nil {
		return was, err
	}
	r.count(func(result *Result) {
		count(result)
		r.down[n.Name] = true
	})
	return was, nil
}

// recovers waits in the background until a node is well and also satisfies the condition
// also, and records how long that took.
func (r *run) recovers(ctx context.Context, n supervisor.Node, how string, also func(membership.Node) bool) {
	began := time.Now()
	r.wait.Go(func() {
		err := r.await(ctx, n.Name, func(report membership.Report) string {
			for _, now := range report.Nodes {
				if now.Name == n.Name && now.State == membership.Running && now.PID != 0 && also(now) {
					return ""
				}
			}
			return n.Name + " has not come back"
		})
		if ctx.Err() != nil {
			return
		}
		if err != nil {
			r.trouble("%v", err)
			return
		}
		took := time.Since(began)
		r.say("%s is back%s, after %.1f s", n.Name, how, took.Seconds())
		r.count(func(result *Result) {
			delete(r.down, n.Name)
			result.Recovery = append(result.Recovery, Recovery{n.Name + how, took})
		})
	})
}

// awaitAll waits until every node is well.
func (r *run) awaitAll(ctx context.Context) error {
	return r.await(ctx, "all", func(report membership.Report) string {
		well := make(map[string]bool)
		for _, n := range report.Nodes {
			well[n.Name] = n.State == membership.Running
		}
		var missing []string
		for _, n := range r.cfg.Topology.Nodes {
			if !well[n.Name] {
				missing = append(missing, n.Name)
			}
		}
		if len(missing) == 0 {
			return ""
		}
		return strings.Join(missing, ", ") + " not well"
	})
}

// await asks the cluster until a leader's report lacks nothing.
func (r *run) await(ctx context.Context, what string, lacks func(membership.Report) string) error {
	missing := "no supervisor leads"
	return r.until(ctx, what, func() string {
		report, err := r.cfg.Ask(ctx)
		if err == nil && report.Leader != "" {
			missing = lacks(report)
		}
		return missing
	})
}

const (
	askEvery  = 100 * time.Millisecond
	tellEvery = 15 * time.Second
)

// until waits until nothing is missing, and says now and then what is.
func (r *run) until(ctx context.Context, what string, missing func() string) error {
	told := time.Now()
	for end := told.Add(r.cfg.Patience); ; {
		text := missing()
		switch {
		case text == "":
			return nil
		case time.Now().After(end):
			return fmt.Errorf("waited %v for %s: %s", r.cfg.Patience, what, text)
		case time.Since(told) >= tellEvery:
			told = time.Now()
			r.say("waiting for %s: %s", what, text)
		}
		if err := process.Sleep(ctx, askEvery); err != nil {
			return err
		}
	}
}
