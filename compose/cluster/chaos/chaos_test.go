package chaos

import (
	"context"
	"errors"
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

	"analyzer/compose/cluster/load"
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
	list := `if [ $1 = jobs ]; then cat $0.jobs 2>/dev/null || echo '{"jobs":[]}'; exit; fi`
	script := "#!/bin/sh\nif [ $1 = run ]; then echo right; exit; fi\n" + list + "\ntrap 'exit 130' INT\necho Job 0123456789abcdef >&2\n" + submit + "\n"
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
	cfg := w.config(t, "sleep 0.2; echo right")
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
	if median, worst := r.median(); median < 50*time.Millisecond || worst.Took < median {
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

// A job that was never open cannot be cancelled, whatever its command says.
func TestCancelledIsWhatWasOpen(t *testing.T) {
	path := filepath.Join(t.TempDir(), "analyzer")
	script := "#!/bin/sh\necho analyzer: the cluster cannot be reached >&2\nsleep 0.2\nexit 1\n"
	if err := os.WriteFile(path, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	var w world
	cfg := w.config(t, "")
	cfg.Jobs.Program = path
	l := newLanes(newRun(cfg))
	l.cancelOne()
	s, err := l.submit(t.Context(), cfg.Jobs.Tables[0])
	if err != nil || s.cancelled || s.status != 1 || len(l.cancel) != 1 {
		t.Errorf("%+v, %v; %d are still to be cancelled", s, err, len(l.cancel))
	}
}

// A job is cancelled when the cluster does not list it any more, whatever its command says.
func TestCancelledIsWhatIsGone(t *testing.T) {
	const job = "0123456789abcdef0123456789abcdef"
	for left, want := range map[string]string{
		`{"jobs":[{"job":"` + job + `","state":"running"}]}`: "the end of job 01234567: it is still running",
		`{"jobs":[],"silent":[1]}`:                           "workers [1] do not answer",
		`nonsense`:                                           "read the list of jobs",
		`{"jobs":[]}`:                                        "",
	} {
		var w world
		cfg := w.config(t, "sleep 5 & wait")
		cfg.Patience = 2 * time.Second
		if err := os.WriteFile(cfg.Jobs.Program+".jobs", []byte(left), 0o600); err != nil {
			t.Fatal(err)
		}
		l := newLanes(newRun(cfg))
		l.cancelOne()
		l.job(t.Context(), cfg.Jobs.Tables[0])
		got := strings.Join(l.result.Trouble, "\n")
		if !strings.Contains(got, want) || (want == "") != (got == "") || (want == "") != (l.result.Jobs.Cancelled == 1) {
			t.Errorf("%s: %+v, trouble %q", left, l.result.Jobs, got)
		}
	}
}

// A job that is not waited for is asked to end, so that the cluster is rid of it.
func TestJobsThatAreNotWaitedForEnd(t *testing.T) {
	const enough, soon = time.Minute, 2 * time.Second
	for name, c := range map[string]struct{ interrupt, patience time.Duration }{"interrupted": {soon, enough}, "late": {enough, soon}} {
		var w world
		cfg := w.config(t, "trap 'echo >$0.ended; exit 143' TERM; sleep 60 & wait")
		cfg.Patience = c.patience
		ctx, cancel := context.WithTimeout(t.Context(), c.interrupt)
		defer cancel()
		if _, err := newLanes(newRun(cfg)).submit(ctx, cfg.Jobs.Tables[0]); err == nil {
			t.Errorf("%s: no error", name)
		}
		if _, err := os.Stat(cfg.Jobs.Program + ".ended"); err != nil {
			t.Errorf("%s: it was killed: %v", name, err)
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

func TestGrown(t *testing.T) {
	const mib, stones = "worker MiB", endedJobs
	for _, c := range []struct {
		name  string
		value func(i int) (memory, ended int64)
		want  string
	}{
		{"steady", func(i int) (int64, int64) { return 100 + int64(i%3), int64(i) }, ""},
		{"warm", func(i int) (int64, int64) { return min(100*int64(i), 1000), 0 }, ""},
		{"within the slack", func(i int) (int64, int64) { return int64(i), 0 }, ""},
		{"a peak", func(i int) (int64, int64) {
			if i == 28 {
				return 5000, 0
			}
			return 100, 0
		}, ""},
		{"memory", func(i int) (int64, int64) { return 20 * int64(i), 0 }, "worker MiB grew from 300 to 500"},
		{"tombstones", func(i int) (int64, int64) { return 100, 3 * int64(i) }, "ended jobs: 51 more after 34 jobs more"},
	} {
		var rows []Row
		for i := range 30 {
			memory, ended := c.value(i)
			rows = append(rows, Row{At: time.Duration(i) * time.Minute, Jobs: 2 * i, Taken: []Taken{{mib, memory, 32, false}, {stones, ended, 16, true}}})
		}
		if got := strings.Join(grown(rows), "; "); !strings.HasPrefix(got, c.want) || (got == "") != (c.want == "") {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
	if got := grown(nil); got != nil {
		t.Errorf("nothing grew %q", got)
	}
}

// TestGrowthIsTrouble runs for a while, in which the cluster takes more and more, and
// leaves files of jobs.
func TestGrowthIsTrouble(t *testing.T) {
	for name, c := range map[string]struct {
		step, left int64
		want       string
	}{
		"steady":       {0, 0, ""},
		"it grows":     {40, 0, "worker MiB grew"},
		"it leaves":    {0, 3, "waited 1s for the end of all jobs: 3 files of jobs are left"},
		"it is silent": {-1, 0, "it was seen only 0 times"},
	} {
		var w world
		cfg := w.config(t, "sleep 0.05; echo right")
		cfg.Kills, cfg.For, cfg.Patience = 1, time.Second, time.Second
		n := int64(0)
		cfg.Take = func(context.Context) ([]Taken, error) {
			if c.step < 0 {
				return nil, errors.New("no leader")
			}
			n++
			return []Taken{{"worker MiB", c.step * n, 32, false}, {jobFiles, c.left, 128, false}}, nil
		}
		r, err := Run(t.Context(), cfg)
		if got := strings.Join(r.Trouble, "; "); err != nil || !strings.HasPrefix(got, c.want) || (got == "") != (c.want == "") {
			t.Errorf("%s: %v, trouble %q, want %q", name, err, got, c.want)
		}
		if n > 0 && (len(r.Rows) < leastRows || r.Kills[membership.Worker]+r.Kills[membership.Gateway]+r.Kills[membership.Supervisor] < 2) {
			t.Errorf("%s: %d rows, kills %v", name, len(r.Rows), r.Kills)
		}
	}
}

func TestTableFitsATerminal(t *testing.T) {
	process := supervisor.Node{Name: "w", Role: membership.Worker, Args: []string{"worker", "--state", t.TempDir()}}
	taken, err := Take(load.Report{Report: membership.Report{Nodes: []membership.Node{{Name: "w", Role: membership.Worker, PID: os.Getpid()}}}}, supervisor.Topology{Nodes: []supervisor.Node{process}})
	if err != nil || taken[0].Name != "worker MiB" || taken[0].Value < 1 {
		t.Fatalf("%+v, %v", taken, err)
	}
	var rows []Row
	for i := range 12 {
		for j := range taken {
			taken[j].Value = 1000 + int64(i)
		}
		rows = append(rows, Row{At: time.Duration(i) * 20 * time.Second, Jobs: 10_000 + i, Taken: slices.Clone(taken)})
	}
	text := table(rows)
	if got := strings.Count(text, "\n"); got != 2+5 { // minutes 0, 1, 2, 3, and the end
		t.Errorf("%d lines:\n%s", got, text)
	}
	for line := range strings.Lines(text) {
		if len(line) > 81 {
			t.Errorf("%q does not fit", line)
		}
	}
}
