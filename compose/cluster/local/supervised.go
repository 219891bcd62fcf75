package local

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"slices"
	"time"

	"analyzer/columnar/vfs"
	"analyzer/compose/cluster/membership"
	"analyzer/compose/cluster/monitor"
	"analyzer/compose/cluster/supervisor"
	"analyzer/process"
)

// Files of a supervised cluster.
const (
	topologyName = "topology.json"
	keyName      = "gossip.key"
)

const clusterName = "local"

// run runs the cluster under supervisors: this process starts them, they start all other
// nodes, and this process owns the cluster. Without supervisors, this process is the
// supervisor itself.
func (cfg Config) run(ctx context.Context, dir string) (err error) {
	var claims process.PortClaims
	defer func() { err = errors.Join(err, claims.Close()) }()
	nodes, at, url, err := cfg.plan(dir, &claims)
	if err != nil {
		return err
	}
	processes := &supervisor.Processes{Program: cfg.Program, Env: append(environment(url), cfg.Env...), Dir: dir, Owned: true, Tied: cfg.Supervisors == 0}
	release, err := processes.Own()
	if err != nil {
		return fmt.Errorf("a cluster runs in %s: %w", dir, err)
	}
	defer func() { err = errors.Join(err, release()) }()
	// Nodes left by a cluster whose owner was killed are about to end.
	if err := processes.Forget(nodes); err != nil {
		return fmt.Errorf("the cluster that was in %s before has not ended yet: %w", dir, err)
	}
	defer func() { err = errors.Join(err, cfg.windUp(processes, withAdded(dir, nodes))) }()
	key := rand.Text()
	report := func(ctx context.Context) membership.Report {
		return ask(monitor.WithToken(ctx, membership.Token([]byte(key))), at.Status)
	}
	if cfg.Supervisors == 0 {
		var stop func()
		report, stop = cfg.supervise(ctx, processes, nodes, url)
		defer stop()
	} else if err := writeTopology(dir, nodes, key); err != nil {
		return err
	}
	return cfg.oversee(ctx, processes, nodes, at, report)
}

// supervise makes this process the supervisor of the nodes until stop is called.
func (cfg Config) supervise(ctx context.Context, p *supervisor.Processes, nodes []supervisor.Node, broker string) (report func(context.Context) membership.Report, stop func()) {
	s := supervisor.New(supervisor.Config{
		Topology: supervisor.Topology{Cluster: clusterName, Nodes: nodes}, Driver: p, Group: alone{}, Broker: broker, Log: slog.New(slog.DiscardHandler),
	})
	ctx, cancel := context.WithCancel(ctx)
	ended := make(chan error, 1)
	go func() { ended <- s.Run(ctx) }()
	report = func(context.Context) membership.Report { r, _ := s.Report(); return r }
	return report, func() {
		cancel()
		<-ended //nolint:errcheck // nil: it only ends with the context, since this process lives
	}
}

// alone is the group of a single supervisor, which gossips with nobody.
type alone struct{}

func (alone) Self() membership.Member {
	return membership.Member{Name: "cluster up", Role: membership.Supervisor}
}

func (a alone) Members() []membership.Member { return []membership.Member{a.Self()} }

func (a alone) Leader() (membership.Member, bool) { return a.Self(), true }

func (a alone) LeaderOf(string) (membership.Member, bool) { return a.Self(), true }

func (alone) ReportOf(context.Context, membership.Member) (membership.Report, bool) {
	return membership.Report{}, false
}

// writeTopology writes the topology for the supervisors, and the gossip key.
func writeTopology(dir string, nodes []supervisor.Node, key string) error {
	topology := supervisor.Topology{Cluster: clusterName, Owned: true, Nodes: nodes}
	text, err := json.MarshalIndent(topology, "", "  ")
	if err != nil {
		return err
	}
	files := vfs.Private()
	if err := vfs.Replace(files, filepath.Join(dir, topologyName), append(text, '\n')); err != nil {
		return fmt.Errorf("write the topology: %w", err)
	}
	if err := vfs.Replace(files, filepath.Join(dir, keyName), []byte(key+"\n")); err != nil {
		return fmt.Errorf("write the key of gossip: %w", err)
	}
	return nil
}

// ErrDoesNotStart says that a process of the cluster ends soon after each start.
var ErrDoesNotStart = errors.New("does not start")

const overseeEvery = 250 * time.Millisecond

// oversee reports what happens until the context ends, and starts the supervisors if none
// runs.
func (cfg Config) oversee(ctx context.Context, p *supervisor.Processes, nodes []supervisor.Node, at Addresses, ask func(context.Context) membership.Report) error {
	told := make(map[string]int)
	up := false
	for more := true; more; more = process.Sleep(ctx, overseeEvery) == nil {
		if err := revive(ctx, p, nodes); err != nil {
			return err
		}
		report := ask(ctx)
		for _, n := range report.Nodes {
			if n.State == membership.Failing && !up && ctx.Err() == nil {
				return fmt.Errorf("%s %w (%s); the end of its log:\n%s", n.Name, ErrDoesNotStart, n.Why, n.Log)
			}
			if n.Restarts > told[n.Name] {
				told[n.Name] = n.Restarts
				cfg.Notice(startedAgain(n))
			}
		}
		if !up && cfg.Probe(ctx) == nil {
			up = true
			cfg.Ready(at)
		}
	}
	return nil
}

// startedAgain says that a node was, and why, as far as that is known: one that this process
// itself has started again may have left no reason.
func startedAgain(n membership.Node) string {
	text := n.Name + " was started again"
	if n.Why != "" {
		text += " (" + n.Why + ")"
	}
	return text
}

// revive starts all supervisors if none runs.
func revive(ctx context.Context, p *supervisor.Processes, nodes []supervisor.Node) error {
	var all []supervisor.Node
	for _, n := range nodes {
		if n.Role != membership.Supervisor {
			continue
		}
		c, err := p.Look(ctx, n)
		if err != nil || c.Runs {
			return err
		}
		all = append(all, n)
	}
	for _, n := range all {
		if err := p.Start(ctx, n); err != nil {
			return fmt.Errorf("start %s: %w", n.Name, err)
		}
	}
	return nil
}

// ask returns the report of the first supervisor that answers.
func ask(ctx context.Context, pages []string) membership.Report {
	for _, page := range pages {
		ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
		report, err := membership.Ask(ctx, page)
		cancel()
		if err == nil && report.Leader != "" {
			return report
		}
	}
	return membership.Report{}
}

// withAdded returns the nodes of the cluster and those that somebody has added to its
// topology since.
func withAdded(dir string, nodes []supervisor.Node) []supervisor.Node {
	text, err := vfs.ReadFile(vfs.Private(), filepath.Join(dir, topologyName))
	if err != nil {
		return nodes
	}
	t, err := supervisor.ParseTopology(text)
	if err != nil { // what is added to it was never read by anybody else
		return nodes
	}
	for _, n := range t.Nodes {
		if !slices.ContainsFunc(nodes, func(m supervisor.Node) bool { return m.Name == n.Name }) {
			nodes = append(nodes, n)
		}
	}
	return nodes
}

// windUp ends the nodes. Supervisors end first, all at once: all of them are stopped before
// any is killed, so that none restarts another. Other nodes are asked to end only once, since
// a second request would stop them before they finish their current work.
func (cfg Config) windUp(p *supervisor.Processes, nodes []supervisor.Node) error {
	ctx := context.Background() // Halt bounds itself
	var errs []error
	var supervisors, others []supervisor.Node
	for _, n := range nodes {
		if n.Role != membership.Supervisor {
			others = append(others, n)
			continue
		}
		supervisors = append(supervisors, n)
		errs = append(errs, p.Signal(ctx, n, process.Pause))
	}
	errs = append(errs, supervisor.HaltAll(ctx, p, 0, supervisors), supervisor.HaltAll(ctx, p, cfg.grace(), others))
	return errors.Join(errs...)
}
