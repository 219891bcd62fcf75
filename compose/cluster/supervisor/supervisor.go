// Package supervisor keeps the nodes of a cluster running: workers, gateways, and other
// supervisors. A Topology says which nodes there should be. The leader of the supervisors
// (package membership) watches the nodes and restarts those that have died or that hang: a
// hanging node runs, but has not answered several times in a row. The other supervisors
// follow what the leader knows, so that each can take over.
//
// If a topology has several hosts, each host has its own supervisors and a leader among them, which starts the
// nodes of that host, whoever else can be reached. Leaders tell each other what they know. The nodes of a host
// from which nobody is heard are away, and wait for it.
//
// A node that answers is never restarted, whatever it says: a node that waits for its broker
// is alive, and so is a broker without room for messages, which still declares queues. A
// Driver starts and ends nodes.
//
// Two leaders at once, as when a network is partitioned, do no harm for a moment. Both may
// start a node. If nodes are processes on one machine, the second start does nothing
// (process.Slot); otherwise the protocol refuses the duplicate of a worker.
package supervisor

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"analyzer/compose/cluster/membership"
	"analyzer/process"
)

// Group is what a supervisor knows of the other members; a membership.Group is one.
type Group interface {
	Self() membership.Member
	Members() []membership.Member
	// Leader returns the leader of all, and LeaderOf that of the supervisors of a host.
	Leader() (membership.Member, bool)
	LeaderOf(host string) (membership.Member, bool)
	// ReportOf asks a leader for its report, if that is another member.
	ReportOf(ctx context.Context, m membership.Member) (membership.Report, bool)
}

// Config is what a Supervisor needs.
type Config struct {
	Topology Topology
	Driver   Driver // nil: somebody else starts nodes, and this supervisor only watches
	Group    Group
	// About goes into reports: the name of the driver, and the file of the topology.
	About struct{ Driver, Topology string }
	Probe Probe
	// Broker is the connection string by which brokers are probed, which is secret; "": they
	// are not. Its host does not count: each broker is asked at its own address.
	Broker string
	// Ownerless reports whether the cluster must end because the process that owns it has
	// ended; nil: it never must.
	Ownerless func() bool
	Grace     time.Duration // how long nodes may take to end, when the cluster does
	Log       *slog.Logger
}

// Supervisor watches a cluster while it leads, and follows the leader otherwise. It is used
// for one Run.
type Supervisor struct {
	cfg     Config
	watches map[string]*watch
	// killing is held while a broker that hangs is killed and started: one at a time.
	killing sync.Mutex

	watching sync.WaitGroup
	stop     context.CancelFunc // nil: this supervisor does not lead
}

// New returns a supervisor, which does nothing before Run.
func New(cfg Config) *Supervisor {
	cfg.Probe = cfg.Probe.withDefaults()
	s := &Supervisor{cfg: cfg, watches: make(map[string]*watch)}
	for _, n := range cfg.Topology.Nodes {
		s.watches[n.Name] = newWatch(s, n)
	}
	return s
}

// lookEvery is how often a supervisor checks whether it leads.
const lookEvery = 100 * time.Millisecond

// Run watches until the context ends, or the cluster does. The nodes keep running when the
// context ends.
func (s *Supervisor) Run(ctx context.Context) error {
	defer s.follow()
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	var asked time.Time
	for {
		if s.cfg.Ownerless != nil && s.cfg.Ownerless() {
			return s.windUp(ctx)
		}
		if s.leads() {
			s.lead(ctx)
		} else {
			s.follow()
		}
		if time.Since(asked) >= s.cfg.Probe.Interval {
			asked = time.Now()
			s.learn(ctx)
		}
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
	}
}

// host is where this supervisor starts nodes.
func (s *Supervisor) host() string { return s.cfg.Group.Self().Host }

// leads reports whether this supervisor leads those of its host.
func (s *Supervisor) leads() bool {
	leader, ok := s.cfg.Group.LeaderOf(s.host())
	return ok && leader.Name == s.cfg.Group.Self().Name
}

// own reports whether a node is one that this supervisor watches when it leads. Of itself it knows what others have
// told.
func (s *Supervisor) own(n Node) bool { return n.Host == s.host() && n.Name != s.cfg.Group.Self().Name }

// lead begins to watch the nodes.
func (s *Supervisor) lead(ctx context.Context) {
	if s.stop != nil {
		return
	}
	s.cfg.Log.Info("this supervisor leads")
	ctx, s.stop = context.WithCancel(ctx)
	for _, w := range s.watches {
		if s.own(w.node) {
			s.watching.Go(func() { w.run(ctx) })
		}
	}
}

// follow stops watching the nodes.
func (s *Supervisor) follow() {
	if s.stop == nil {
		return
	}
	s.cfg.Log.Info("this supervisor does not lead any more")
	s.stop()
	s.watching.Wait()
	s.stop = nil
}

// learn takes over what the leaders of hosts know, each of its own.
func (s *Supervisor) learn(ctx context.Context) {
	var asking sync.WaitGroup
	for _, host := range s.cfg.Topology.Hosts() {
		leader, ok := s.cfg.Group.LeaderOf(host)
		switch {
		case !ok:
			s.lose(host, "no supervisor of host "+host+" is heard of")
		case leader.Name != s.cfg.Group.Self().Name && (host != s.host() || s.stop == nil): // whom it watches, it knows
			asking.Go(func() { s.ask(ctx, host, leader) })
		}
	}
	asking.Wait()
}

// ask takes over what the leader of a host knows.
func (s *Supervisor) ask(ctx context.Context, host string, leader membership.Member) {
	report, ok := s.cfg.Group.ReportOf(ctx, leader)
	if !ok {
		s.lose(host, leader.Name+", which leads on host "+host+", does not answer")
		return
	}
	for _, n := range report.Nodes {
		if w := s.watches[n.Name]; w != nil && w.node.Host == host {
			w.learn(n)
		}
	}
}

// lose notes that nobody tells about the nodes of another host.
func (s *Supervisor) lose(host, why string) {
	if host == s.host() {
		return
	}
	for _, w := range s.watches {
		if w.node.Host == host {
			w.note(func() { w.about.State, w.about.Why, w.about.PID, w.about.Since = membership.Away, why, 0, time.Time{} })
		}
	}
}

// windUp ends all nodes except supervisors. The leader does the work; the others wait, in
// case it dies meanwhile.
func (s *Supervisor) windUp(ctx context.Context) error {
	s.follow()
	s.cfg.Log.Info("the process that owns the cluster has ended; so does the cluster")
	for more := true; more; more = process.Sleep(ctx, lookEvery) == nil {
		var running []Node
		for _, w := range s.watches {
			if c, err := s.cfg.Driver.Look(ctx, w.node); err == nil && c.Runs && w.node.Role != membership.Supervisor {
				running = append(running, w.node)
			}
		}
		if len(running) == 0 {
			return nil
		}
		if s.leads() {
			return HaltAll(ctx, s.cfg.Driver, s.cfg.Grace, running)
		}
	}
	return nil
}

// HaltAll halts nodes concurrently; brokers last, once no other node needs them.
func HaltAll(ctx context.Context, d Driver, grace time.Duration, nodes []Node) error {
	errs := make([]error, len(nodes))
	for _, brokers := range []bool{false, true} {
		var all sync.WaitGroup
		for i, n := range nodes {
			if (n.Role == membership.Broker) == brokers {
				all.Go(func() { errs[i] = Halt(ctx, d, grace, n) })
			}
		}
		all.Wait()
	}
	return errors.Join(errs...)
}

// Report returns what this supervisor knows, if it leads those of its host.
func (s *Supervisor) Report() (membership.Report, bool) {
	leader, ok := s.cfg.Group.Leader()
	if !ok || !s.leads() {
		return membership.Report{}, false
	}
	self := s.cfg.Group.Self()
	out := membership.Report{Leader: leader.Name, By: self.Name, Driver: s.cfg.About.Driver, Topology: s.cfg.About.Topology}
	members := make(map[string]membership.Member)
	for _, m := range s.cfg.Group.Members() {
		members[m.Name] = m
	}
	for _, n := range s.cfg.Topology.Nodes {
		about := s.watches[n.Name].report()
		if n.Name == self.Name {
			about.State, about.Log = membership.Running, ""
		}
		if m, ok := members[n.Name]; ok {
			about.Rank, about.Leads = m.Rank, m.Name == leader.Name
			if about.PID == 0 && about.State == membership.Running {
				about.PID, about.Since = m.PID, m.Since
			}
		}
		out.Nodes = append(out.Nodes, about)
	}
	return out, true
}
