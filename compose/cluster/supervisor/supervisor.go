// Package supervisor keeps the nodes of a cluster running: workers, gateways, and
// other supervisors. What nodes there are to be stands in a Topology. Of all
// supervisors the leader (package membership) watches the nodes and starts those again
// that have died, or that hang: that run and have not answered several times in a row.
// The others follow what it knows, so that each can take over.
//
// A node that answers is never started again, whatever it says: one that waits for its
// broker lives. What starts and ends nodes is a Driver.
//
// Two leaders for a moment, as when a network is cut in two, do no harm. Both may start
// a node; of processes on one machine the second start does nothing (process.Slot), and
// a worker that has a double is refused by the protocol.
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

// Group is what a supervisor knows of the others; a membership.Group is one.
type Group interface {
	Self() membership.Member
	Members() []membership.Member
	Leader() (membership.Member, bool)
	// LeaderReport asks the leader, if that is another member.
	LeaderReport(ctx context.Context) (membership.Report, bool)
}

// Config is what a Supervisor needs.
type Config struct {
	Topology Topology
	Driver   Driver // nil: somebody else starts nodes, and this one only watches
	Group    Group
	// About is put into reports: what the driver is called, where the topology stands.
	About struct{ Driver, Topology string }
	Probe Probe
	// Ownerless reports whether the cluster is to end, since the process that owns it
	// has; nil: it never is.
	Ownerless func() bool
	Grace     time.Duration // for nodes to end, when the cluster does
	Log       *slog.Logger
}

// Supervisor watches a cluster while it leads, and follows the leader while it does
// not. It is used for one Run.
type Supervisor struct {
	cfg     Config
	watches map[string]*watch

	watching sync.WaitGroup
	stop     context.CancelFunc // nil: it does not lead
}

// New returns a supervisor that does nothing yet.
func New(cfg Config) *Supervisor {
	cfg.Probe = cfg.Probe.withDefaults()
	s := &Supervisor{cfg: cfg, watches: make(map[string]*watch)}
	for _, n := range cfg.Topology.Nodes {
		s.watches[n.Name] = newWatch(s.cfg, n)
	}
	return s
}

// lookEvery is how often a supervisor asks itself whether it leads.
const lookEvery = 100 * time.Millisecond

// Run watches until the context ends, or the cluster does. Nodes go on without it.
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
			if time.Since(asked) >= s.cfg.Probe.Interval {
				asked = time.Now()
				s.learn(ctx)
			}
		}
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
	}
}

func (s *Supervisor) leads() bool {
	leader, ok := s.cfg.Group.Leader()
	return ok && leader.Name == s.cfg.Group.Self().Name
}

// lead begins to watch the nodes.
func (s *Supervisor) lead(ctx context.Context) {
	if s.stop != nil {
		return
	}
	s.cfg.Log.Info("this supervisor leads")
	ctx, s.stop = context.WithCancel(ctx)
	for name, w := range s.watches {
		if name != s.cfg.Group.Self().Name { // of which it knows what others have told
			s.watching.Go(func() { w.run(ctx) })
		}
	}
}

// follow leaves the nodes to another one.
func (s *Supervisor) follow() {
	if s.stop == nil {
		return
	}
	s.cfg.Log.Info("this supervisor does not lead any more")
	s.stop()
	s.watching.Wait()
	s.stop = nil
}

// learn takes over what the leader knows.
func (s *Supervisor) learn(ctx context.Context) {
	report, ok := s.cfg.Group.LeaderReport(ctx)
	if !ok {
		return
	}
	for _, n := range report.Nodes {
		if w := s.watches[n.Name]; w != nil {
			w.learn(n)
		}
	}
}

// windUp ends the nodes that are no supervisors; the leader does, and the others wait
// in case it dies meanwhile.
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

// HaltAll halts nodes at the same time, brokers once nobody needs them any more.
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

// Report returns what this supervisor knows, if it leads.
func (s *Supervisor) Report() (membership.Report, bool) {
	if !s.leads() {
		return membership.Report{}, false
	}
	self := s.cfg.Group.Self()
	out := membership.Report{Leader: self.Name, By: self.Name, Driver: s.cfg.About.Driver, Topology: s.cfg.About.Topology}
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
			about.Rank, about.Leads = m.Rank, m.Name == self.Name
			if about.PID == 0 && about.State == membership.Running {
				about.PID, about.Since = m.PID, m.Since
			}
		}
		out.Nodes = append(out.Nodes, about)
	}
	return out, true
}
