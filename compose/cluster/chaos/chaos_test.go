package chaos

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"

	"analyzer/compose/cluster/membership"
	"analyzer/compose/cluster/supervisor"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// world is a cluster whose nodes come back by themselves.
type world struct {
	mu    sync.Mutex
	pids  map[string]int
	lost  string // a node that does not come back
	said  []string
	dead  map[string]bool
	alive int // supervisors, at the least
}

func (w *world) topology() (t supervisor.Topology) {
	for name, role := range map[string]membership.Role{
		"w-0": membership.Worker, "w-1": membership.Worker, "g-0": membership.Gateway, "b": membership.Broker,
		"s-0": membership.Supervisor, "s-1": membership.Supervisor,
	} {
		t.Nodes = append(t.Nodes, supervisor.Node{Name: name, Role: role})
	}
	slices.SortFunc(t.Nodes, func(a, b supervisor.Node) int { return strings.Compare(a.Name, b.Name) })
	return t
}

func (w *world) ask(context.Context) (membership.Report, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	r := membership.Report{Leader: "s-1"}
	for name, pid := range w.pids {
		state := membership.Running
		if w.dead[name] {
			state = membership.Away
		}
		r.Nodes = append(r.Nodes, membership.Node{Name: name, State: state, PID: pid})
	}
	return r, nil
}

func (w *world) Look(_ context.Context, n supervisor.Node) (supervisor.Condition, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return supervisor.Condition{Runs: !w.dead[n.Name], PID: w.pids[n.Name]}, nil
}

func (w *world) Start(context.Context, supervisor.Node) error { return nil }

func (w *world) Words(context.Context, supervisor.Node) string { return "" }

func (w *world) Signal(_ context.Context, n supervisor.Node, s syscall.Signal) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if s != syscall.SIGKILL {
		return nil
	}
	w.dead[n.Name] = true
	supervisors := 0
	for _, name := range []string{"s-0", "s-1"} {
		if !w.dead[name] {
			supervisors++
		}
	}
	w.alive = min(w.alive, supervisors)
	if n.Name != w.lost {
		time.AfterFunc(50*time.Millisecond, func() {
			w.mu.Lock()
			defer w.mu.Unlock()
			w.dead[n.Name] = false
			w.pids[n.Name] += 10
		})
	}
	return nil
}

// program is a script that answers as run and submit do; what submit answers is the
// test's.
func program(t *testing.T, submit string) string {
	path := filepath.Join(t.TempDir(), "analyzer")
	script := "#!/bin/sh\nif [ $1 = run ]; then echo right; exit; fi\necho Job 0123456789abcdef >&2\n" + submit + "\n"
	if err := os.WriteFile(path, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	return path
}

func (w *world) config(t *testing.T, submit string) Config {
	*w = world{pids: make(map[string]int), dead: make(map[string]bool), alive: 2, lost: w.lost}
	topology := w.topology()
	for i, n := range topology.Nodes {
		w.pids[n.Name] = i + 1
	}
	return Config{
		Topology: topology, Driver: w, Ask: w.ask, Lanes: 2, Gap: 20 * time.Millisecond, Patience: 20 * time.Second,
		Jobs: Jobs{Program: program(t, submit), Tables: []Tables{{"movies", "."}}},
		Say: func(line string) {
			w.mu.Lock()
			defer w.mu.Unlock()
			w.said = append(w.said, line)
		},
	}
}

func TestEverythingIsDone(t *testing.T) {
	var w world
	cfg := w.config(t, "trap 'exit 130' INT; sleep 0.2; echo right")
	cfg.Kills, cfg.BrokerKills, cfg.Cancels, cfg.AllBut, cfg.Kill = 3, 1, 1, 1, "g-0"
	r, err := Run(t.Context(), cfg)
	if err != nil || len(r.Trouble) > 0 {
		t.Fatalf("%v, trouble %q:\n%s", err, r.Trouble, strings.Join(w.said, "\n"))
	}
	kills := 0
	for _, n := range r.Kills {
		kills += n
	}
	if kills != 3+1+1+5 || len(r.Recovery) != kills || w.alive < 1 {
		t.Errorf("%d kills, %d recoveries, at least %d supervisors", kills, len(r.Recovery), w.alive)
	}
	if median, worst := r.Median(); median < 50*time.Millisecond || worst.Took < median {
		t.Errorf("median %v, worst %v", median, worst)
	}
	if r.Jobs.Same == 0 || r.Jobs.Cancelled != 1 {
		t.Errorf("jobs %+v", r.Jobs)
	}
}

// TestSeedDecides compares what two runs from one seed do.
func TestSeedDecides(t *testing.T) {
	var orders []string
	for range 2 {
		var w world
		cfg := w.config(t, "echo right")
		cfg.Seed, cfg.Kills = 42, 2
		if _, err := Run(t.Context(), cfg); err != nil {
			t.Fatal(err)
		}
		var kills []string
		for _, line := range w.said {
			if _, what, ok := strings.Cut(line, " s  kill "); ok {
				kills = append(kills, what)
			}
		}
		orders = append(orders, fmt.Sprint(kills))
	}
	if orders[0] != orders[1] || len(orders[0]) < 8 {
		t.Errorf("one seed kills %s and %s", orders[0], orders[1])
	}
}

func TestTroubleIsToldOf(t *testing.T) {
	for name, c := range map[string]struct{ submit, lost, want string }{
		"another answer":    {"[ -e $0.first ] && echo wrong || echo right; : >$0.first", "", "its answers are not those of one process"},
		"no answer":         {"[ -e $0.first ] && { echo analyzer: no idea >&2; exit 1; }; : >$0.first; echo right", "", "failed 4 times, last: no idea"},
		"a node that stays": {"echo right; sleep 0.1", "w-1", "w-1 has not come back"},
	} {
		w := world{lost: c.lost}
		cfg := w.config(t, c.submit)
		cfg.Kill, cfg.Patience = "w-1", time.Second
		r, err := Run(t.Context(), cfg)
		if err != nil || !strings.Contains(strings.Join(r.Trouble, "\n"), c.want) {
			t.Errorf("%s: %v, trouble %q, want %q", name, err, r.Trouble, c.want)
		}
	}
}

func TestNothingIsDoneToAClusterThatIsNotWell(t *testing.T) {
	var w world
	cfg := w.config(t, "echo right")
	cfg.Kills, cfg.Patience, w.dead["w-0"] = 1, 300*time.Millisecond, true
	if r, err := Run(t.Context(), cfg); err == nil || !strings.Contains(err.Error(), "w-0 not well") || len(r.Kills) > 0 {
		t.Errorf("%v, %+v", err, r)
	}
	cfg = w.config(t, "echo analyzer: no broker >&2; exit 1")
	cfg.Kills = 1
	if r, err := Run(t.Context(), cfg); err == nil || !strings.Contains(err.Error(), "no broker") || len(r.Kills) > 0 {
		t.Errorf("%v, %+v", err, r)
	}
}
