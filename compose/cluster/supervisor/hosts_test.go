package supervisor

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"analyzer/compose/cluster/membership"
)

// hosts are supervisors of several hosts, of which each sees the others that are not cut off.
type hosts struct {
	*testing.T
	worlds map[string]*world // by host
	nodes  []Node            // of all

	mu   sync.Mutex
	up   map[string]*Supervisor // by name
	cut  map[string]bool        // hosts that hear nobody, and are not heard
	stop map[string]func()
}

// newHosts makes hosts a and b, each with a worker and two supervisors, of which none runs.
func newHosts(t *testing.T) *hosts {
	h := &hosts{T: t, worlds: make(map[string]*world), up: make(map[string]*Supervisor), cut: make(map[string]bool), stop: make(map[string]func())}
	for _, host := range []string{"a", "b"} {
		w := newWorld(t, "worker-"+host)
		h.worlds[host] = w
		for _, n := range w.topology().Nodes {
			n.Host = host
			h.nodes = append(h.nodes, n)
		}
		for i := range 2 {
			name := fmt.Sprintf("supervisor-%s%d", host, i)
			w.nodes[name] = &fake{runs: true, since: time.Now()}
			h.nodes = append(h.nodes, Node{Name: name, Role: membership.Supervisor, Host: host})
		}
	}
	return h
}

// place is what one supervisor of hosts sees.
type place struct {
	*hosts
	name, host string
}

func (p place) Self() membership.Member { return memberOf(p.name) }

// memberOf ranks supervisors as their names are ordered.
func memberOf(name string) membership.Member {
	host := strings.TrimPrefix(name, "supervisor-")
	return membership.Member{Name: name, Role: membership.Supervisor, Host: host[:1], Rank: int(host[0])*2 + int(host[1]), PID: 7}
}

func (p place) Members() (out []membership.Member) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for name := range p.up {
		if m := memberOf(name); m.Host == p.host || !p.cut[m.Host] && !p.cut[p.host] {
			out = append(out, m)
		}
	}
	return out
}

func (p place) Leader() (membership.Member, bool) {
	return membership.Leader(p.Members(), time.Now())
}

func (p place) LeaderOf(host string) (membership.Member, bool) {
	return membership.LeaderOf(p.Members(), host, time.Now())
}

func (p place) ReportOf(_ context.Context, m membership.Member) (membership.Report, bool) {
	p.mu.Lock()
	s := p.up[m.Name]
	p.mu.Unlock()
	if s == nil {
		return membership.Report{}, false
	}
	return s.Report()
}

// start starts a supervisor, until end is called or the test ends.
func (h *hosts) start(names ...string) {
	h.Helper()
	for _, name := range names {
		host := memberOf(name).Host
		s := New(Config{
			Topology: Topology{Cluster: "test", Nodes: h.nodes}, Driver: h.worlds[host], Group: place{h, name, host}, Log: slog.New(slog.DiscardHandler),
			Probe: Probe{Interval: 5 * time.Millisecond, Timeout: 50 * time.Millisecond, Attempts: 3, Startup: 200 * time.Millisecond},
		})
		ctx, cancel := context.WithCancel(h.Context())
		done := make(chan error, 1)
		end := sync.OnceFunc(func() {
			cancel()
			if err := <-done; err != nil {
				h.Error(err)
			}
		})
		h.change(func() { h.up[name], h.stop[name] = s, end })
		go func() { done <- s.Run(ctx) }()
		h.Cleanup(end)
	}
}

func (h *hosts) change(f func()) {
	h.mu.Lock()
	defer h.mu.Unlock()
	f()
}

// end ends a supervisor.
func (h *hosts) end(name string) {
	h.change(func() { delete(h.up, name) })
	h.stop[name]()
}

// states are those of the nodes, as a supervisor tells; "": it does not lead.
func (h *hosts) states(by string) (leader, states string) {
	h.mu.Lock()
	s := h.up[by]
	h.mu.Unlock()
	r, ok := s.Report()
	if !ok {
		return "", ""
	}
	for _, n := range r.Nodes {
		if n.Role == membership.Worker {
			states += fmt.Sprintf("%s on %s %s; ", n.Name, n.Host, n.State)
		}
	}
	return r.Leader, states
}

func (h *hosts) await(by, leader, states string) {
	h.Helper()
	var isLeader, are string
	for end := time.Now().Add(20 * time.Second); ; time.Sleep(5 * time.Millisecond) {
		if isLeader, are = h.states(by); isLeader == leader && are == states {
			return
		}
		if time.Now().After(end) {
			h.Fatalf("%s says that %q leads, and %q; want %q, %q", by, isLeader, are, leader, states)
		}
	}
}

// Each host starts its own nodes, and hears of those of the other one, whether it can reach it or not.
func TestHostsStartTheirOwnNodes(t *testing.T) {
	h := newHosts(t)
	const both = "worker-a on a running; worker-b on b running; "
	h.start("supervisor-a0", "supervisor-a1")
	h.await("supervisor-a1", "supervisor-a1", "worker-a on a running; worker-b on b away; ")
	r, _ := h.up["supervisor-a1"].Report()
	for _, n := range r.Nodes {
		if n.Name == "worker-b" && n.Why != "no supervisor of host b is heard of" {
			t.Errorf("why: %q", n.Why)
		}
	}
	if starts := len(h.worlds["b"].nodes["worker-b"].starts); starts > 0 {
		t.Errorf("the node of a host without supervisors was started %d times", starts)
	}
	h.start("supervisor-b0", "supervisor-b1")
	h.await("supervisor-b1", "supervisor-b1", both)
	h.await("supervisor-a1", "supervisor-b1", both)
	if _, ok := h.up["supervisor-a0"].Report(); ok {
		t.Error("a supervisor that does not lead those of its host reports")
	}

	// Cut off from each other, both go on.
	h.change(func() { h.cut["b"] = true })
	h.await("supervisor-a1", "supervisor-a1", "worker-a on a running; worker-b on b away; ")
	h.await("supervisor-b1", "supervisor-b1", "worker-a on a away; worker-b on b running; ")
	for host, w := range h.worlds {
		w.change(func() { w.nodes["worker-"+host].runs = false })
	}
	h.await("supervisor-a1", "supervisor-a1", "worker-a on a running; worker-b on b away; ")
	h.await("supervisor-b1", "supervisor-b1", "worker-a on a away; worker-b on b running; ")

	// The next supervisor of a host takes over there.
	h.change(func() { h.cut["b"] = false })
	h.await("supervisor-a1", "supervisor-b1", both)
	h.end("supervisor-b1")
	h.worlds["b"].change(func() { h.worlds["b"].nodes["worker-b"].runs = false })
	h.await("supervisor-b0", "supervisor-b0", both)
	h.await("supervisor-a1", "supervisor-b0", both)
	for host, w := range h.worlds {
		if starts := len(w.nodes["worker-"+host].starts); starts < 2 {
			t.Errorf("the worker of host %s was started %d times", host, starts)
		}
	}
}

func TestTopologiesOfHosts(t *testing.T) {
	node := func(name string, role membership.Role, host string) Node {
		return Node{Name: name, Role: role, Host: host}
	}
	a, b := node("s-a", membership.Supervisor, "a"), node("s-b", membership.Supervisor, "b")
	for _, c := range []struct {
		t    Topology
		want string
	}{
		{Topology{Cluster: "c", Nodes: []Node{a, b, node("w", membership.Worker, "b")}}, ""},
		{Topology{Cluster: "c", Nodes: []Node{a, node("w", membership.Worker, "b")}}, `host "b" has no supervisor`},
		{Topology{Cluster: "c", Nodes: []Node{a, node("w", membership.Worker, "")}}, `w has the host ""`},
		{Topology{Cluster: "c", Owned: true, Nodes: []Node{a, b}}, "an owner"},
	} {
		err := c.t.Validate()
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v, want %q", c.t, err, c.want)
		}
	}
	two := Topology{Nodes: []Node{a, b}}
	if host, err := two.HostOf("s-b"); host != "b" || err != nil {
		t.Errorf("host %q, %v", host, err)
	}
	if _, err := two.HostOf("onlooker"); err == nil || !strings.Contains(err.Error(), "s-a, s-b") {
		t.Errorf("who is on no host: %v", err)
	}
	if _, err := (Topology{Nodes: []Node{node("s", membership.Supervisor, "")}}).HostOf("onlooker"); err != nil {
		t.Error(err)
	}
}
