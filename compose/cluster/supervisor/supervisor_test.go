package supervisor

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"

	"analyzer/compose/cluster/membership"
)

func TestMain(m *testing.M) {
	if page := os.Getenv(pageVariable); page != "" {
		serveAsNode(page)
	}
	goleak.VerifyTestMain(m)
}

// world is a driver of nodes that are nothing but servers of their page, and a group in
// which somebody says who leads.
type world struct {
	t *testing.T

	mu      sync.Mutex
	leader  string
	report  membership.Report // of the leader
	nodes   map[string]*fake
	looking error
}

type fake struct {
	page    *httptest.Server
	amqp    string // of a broker, which has no page
	mute    bool   // a broker that hangs
	runs    bool
	crashes bool // at each start
	left    bool // it has ended because it was asked to
	healthy bool // who runs it gets answers
	since   time.Time
	starts  []time.Time
	signals []syscall.Signal
	answer  func(w http.ResponseWriter, r *http.Request) // nil: as one that is well
}

func newWorld(t *testing.T, names ...string) *world {
	w := &world{t: t, nodes: make(map[string]*fake)}
	for _, name := range names {
		f := &fake{}
		f.page = httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
			w.mu.Lock()
			runs, answer := f.runs, f.answer
			w.mu.Unlock()
			switch {
			case !runs:
				panic(http.ErrAbortHandler)
			case answer != nil:
				answer(rw, r)
			}
		}))
		t.Cleanup(f.page.Close)
		w.nodes[name] = f
	}
	return w
}

func (w *world) topology() (t Topology) {
	t.Cluster = "test"
	for name, f := range w.nodes {
		if f.amqp != "" {
			t.Nodes = append(t.Nodes, Node{Name: name, Role: membership.Broker, AMQP: f.amqp})
			continue
		}
		t.Nodes = append(t.Nodes, Node{Name: name, Role: membership.Worker, HTTP: strings.TrimPrefix(f.page.URL, "http://")})
	}
	return t
}

func (w *world) change(f func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	f()
}

func (w *world) Look(_ context.Context, n Node) (Condition, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	f := w.nodes[n.Name]
	return Condition{Runs: f.runs, Since: f.since, Started: len(f.starts) > 0, PID: len(f.starts), Left: f.left, Healthy: f.healthy}, w.looking
}

func (w *world) Start(_ context.Context, n Node) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	f := w.nodes[n.Name]
	if f.runs {
		return nil
	}
	f.mute = false
	f.runs, f.left, f.since = !f.crashes, false, time.Now()
	f.starts = append(f.starts, f.since)
	return nil
}

func (w *world) Signal(_ context.Context, n Node, s syscall.Signal) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	f := w.nodes[n.Name]
	f.signals = append(f.signals, s)
	if s == syscall.SIGKILL || s == syscall.SIGTERM {
		f.runs, f.left, f.answer = false, s == syscall.SIGTERM, nil
	}
	return nil
}

func (w *world) Words(context.Context, Node) string {
	return "a line\nanalyzer: the reason\nthe last words"
}

// seat is the group as one supervisor sees it.
type seat struct {
	*world
	name string
}

func (s seat) Self() membership.Member {
	return membership.Member{Name: s.name, Role: membership.Supervisor, HTTP: "127.0.0.1:1"}
}

func (s seat) Members() []membership.Member { return []membership.Member{s.Self()} }

func (s seat) Leader() (membership.Member, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return membership.Member{Name: s.leader, Role: membership.Supervisor}, s.leader != ""
}

func (s seat) LeaderOf(string) (membership.Member, bool) { return s.Leader() }

func (s seat) ReportOf(context.Context, membership.Member) (membership.Report, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.report, s.report.Leader != "" && s.leader != s.name
}

// run runs a supervisor until the test ends.
func (w *world) run(name string, change ...func(*Config)) *Supervisor {
	cfg := Config{
		Topology: w.topology(), Driver: w, Group: seat{w, name}, Log: slog.New(slog.DiscardHandler), Grace: time.Second,
		Probe: Probe{Interval: 5 * time.Millisecond, Timeout: 50 * time.Millisecond, Attempts: 3, Startup: 200 * time.Millisecond},
	}
	for _, f := range change {
		f(&cfg)
	}
	s := New(cfg)
	ctx, cancel := context.WithCancel(w.t.Context())
	done := make(chan error, 1)
	go func() { done <- s.Run(ctx) }()
	w.t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			w.t.Error(err)
		}
	})
	return s
}

func (w *world) within(what string, done func() bool) {
	w.t.Helper()
	for end := time.Now().Add(time.Minute); ; time.Sleep(time.Millisecond) {
		w.mu.Lock()
		ok := done()
		w.mu.Unlock()
		if ok {
			return
		}
		if time.Now().After(end) {
			w.t.Fatalf("not within 20 s: %s", what)
		}
	}
}

// is waits until the leader reports a node so.
func (w *world) is(s *Supervisor, name string, state membership.State) (n membership.Node) {
	w.t.Helper()
	for end := time.Now().Add(time.Minute); ; time.Sleep(time.Millisecond) {
		r, _ := s.Report()
		at := slices.IndexFunc(r.Nodes, func(n membership.Node) bool { return n.Name == name })
		if at >= 0 && r.Nodes[at].State == state {
			return r.Nodes[at]
		}
		if time.Now().After(end) {
			w.t.Fatalf("not within 20 s: %s is %s; the report is %+v", name, state, r)
		}
	}
}

func TestOnlyTheLeaderStarts(t *testing.T) {
	w := newWorld(t, "a", "b")
	one, two := w.run("one"), w.run("two")
	time.Sleep(3 * lookEvery)
	w.change(func() {
		if len(w.nodes["a"].starts) > 0 {
			t.Error("a node was started while nobody led")
		}
		w.leader = "one"
	})
	w.is(one, "a", membership.Running)
	if n := w.is(one, "b", membership.Running); n.Restarts != 0 {
		t.Errorf("%d restarts of a node that was started first", n.Restarts)
	}
	if _, ok := two.Report(); ok {
		t.Error("one that does not lead has a report of its own")
	}
	w.change(func() { w.leader = "two" })
	w.is(two, "a", membership.Running)
	w.change(func() { w.nodes["a"].runs = false })
	w.within("it runs again", func() bool { return w.nodes["a"].runs })
	if n := w.is(two, "a", membership.Running); n.Restarts != 1 || n.Why == "" {
		t.Errorf("%+v", n)
	}
	w.change(func() {
		if len(w.nodes["b"].starts) != 1 || len(w.nodes["b"].signals) != 0 {
			t.Error("a node that lived all the time was started again, or got a signal")
		}
	})
}

// TestBusyIsNotDead has nodes that say that they are not ready, fail, or take most of
// the time there is: they live.
func TestBusyIsNotDead(t *testing.T) {
	w := newWorld(t, "unready", "slow", "hiccups")
	w.leader = "s"
	count := 0
	w.nodes["unready"].answer = func(rw http.ResponseWriter, _ *http.Request) { rw.WriteHeader(http.StatusServiceUnavailable) }
	w.nodes["slow"].answer = func(http.ResponseWriter, *http.Request) { time.Sleep(10 * time.Millisecond) }
	w.nodes["hiccups"].answer = func(_ http.ResponseWriter, r *http.Request) {
		w.mu.Lock()
		count++
		hiccup := count%3 != 0 // two of three are lost: never three in a row
		w.mu.Unlock()
		if hiccup {
			panic(http.ErrAbortHandler)
		}
	}
	s := w.run("s", func(c *Config) { c.Probe.Timeout = 10 * time.Second })
	w.is(s, "unready", membership.Running)
	w.is(s, "slow", membership.Running)
	w.within("many probes", func() bool { return count > 60 })
	w.change(func() {
		for name, f := range w.nodes {
			if len(f.starts) != 1 || len(f.signals) != 0 {
				t.Errorf("%s was started %d times, and got %v", name, len(f.starts), f.signals)
			}
		}
	})
}

func TestOneThatHangsIsKilled(t *testing.T) {
	w := newWorld(t, "a")
	w.leader = "s"
	s := w.run("s")
	w.is(s, "a", membership.Running)
	w.change(func() {
		w.nodes["a"].answer = func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }
	})
	w.within("it was started again", func() bool { return len(w.nodes["a"].starts) == 2 })
	n := w.is(s, "a", membership.Running)
	if !strings.Contains(n.Why, "did not answer 3 times") || n.Restarts != 1 {
		t.Errorf("%+v", n)
	}
	w.change(func() {
		if got := w.nodes["a"].signals; !slices.Equal(got, []syscall.Signal{syscall.SIGKILL}) {
			t.Errorf("signals %v", got)
		}
	})
}

// TestCutOffFromNodes has nodes answer who runs them, as Docker asks from inside, and not the
// supervisor: then they are left alone. One that nobody gets an answer from is killed.
func TestCutOffFromNodes(t *testing.T) {
	w := newWorld(t, "a", "b", "c")
	w.leader = "s"
	s := w.run("s")
	asked := 0
	for name := range w.nodes {
		w.is(s, name, membership.Running)
	}
	w.change(func() {
		for _, f := range w.nodes {
			f.healthy = true
			f.answer = func(_ http.ResponseWriter, r *http.Request) {
				w.change(func() { asked++ })
				<-r.Context().Done()
			}
		}
	})
	w.within("many probes", func() bool { return asked > 50 })
	w.change(func() {
		for name, f := range w.nodes {
			if len(f.starts) != 1 || len(f.signals) != 0 {
				t.Errorf("%s was started %d times, and got %v", name, len(f.starts), f.signals)
			}
		}
		w.nodes["a"].healthy = false
	})
	w.within("it was started again", func() bool { return len(w.nodes["a"].starts) == 2 })
}

// TestHealthyIsNotAnAnswer has a node that hangs pass the check of who runs it, while the
// others answer the supervisor: it is killed all the same.
func TestHealthyIsNotAnAnswer(t *testing.T) {
	w := newWorld(t, "a", "b", "c")
	w.leader = "s"
	s := w.run("s")
	for name := range w.nodes {
		w.is(s, name, membership.Running)
	}
	w.change(func() {
		w.nodes["a"].healthy = true
		w.nodes["a"].answer = func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }
	})
	w.within("it was started again", func() bool { return len(w.nodes["a"].starts) == 2 })
	w.is(s, "a", membership.Running)
}

// TestAskedToEnd asks a node to end again and again, as who restarts nodes does: it is
// started at once each time, and nobody takes it for one that fails.
func TestAskedToEnd(t *testing.T) {
	w := newWorld(t, "a")
	w.leader = "s"
	s := w.run("s")
	for n := range 2 * failing {
		w.is(s, "a", membership.Running)
		if err := w.Signal(t.Context(), Node{Name: "a"}, syscall.SIGTERM); err != nil {
			t.Fatal(err)
		}
		w.within("it was started again", func() bool { return len(w.nodes["a"].starts) == n+2 })
	}
	if n := w.is(s, "a", membership.Running); n.Why != "it was asked to end" || n.Restarts != 2*failing {
		t.Errorf("%+v", n)
	}
}

// TestStartMayTakeLong starts a node that answers late, but within the time it has for
// its first answer.
func TestStartMayTakeLong(t *testing.T) {
	w := newWorld(t, "a")
	w.leader = "s"
	began := time.Now()
	w.nodes["a"].answer = func(_ http.ResponseWriter, r *http.Request) {
		if time.Since(began) < time.Second {
			panic(http.ErrAbortHandler)
		}
	}
	s := w.run("s", func(c *Config) { c.Probe.Startup = 30 * time.Second })
	w.is(s, "a", membership.Starting)
	w.is(s, "a", membership.Running)
	w.change(func() {
		if n := len(w.nodes["a"].starts); n != 1 {
			t.Errorf("it was started %d times", n)
		}
	})
}

// TestCrashingAtEachStart is what a node does whose state is broken: the pauses grow,
// and whoever asks sees what it says.
func TestCrashingAtEachStart(t *testing.T) {
	w := newWorld(t, "a", "b")
	w.leader, w.nodes["a"].crashes = "s", true
	s := w.run("s")
	n := w.is(s, "a", membership.Failing)
	if !strings.HasSuffix(n.Log, "the last words") || n.Why != "the reason" {
		t.Errorf("its log ends with %q, it failed because of %q", n.Log, n.Why)
	}
	w.within("six starts", func() bool { return len(w.nodes["a"].starts) >= 6 })
	w.change(func() {
		starts := w.nodes["a"].starts
		for i := 3; i < 6; i++ {
			if pause, least := starts[i].Sub(starts[i-1]), (100*time.Millisecond)<<(i-2); pause < least*3/4 {
				t.Errorf("pause %d was %v, want about %v", i, pause, least)
			}
		}
		w.nodes["a"].crashes = false
	})
	w.is(s, "b", membership.Running)
	w.within("it runs", func() bool { return w.nodes["a"].runs })
	if r, _ := s.Report(); !slices.ContainsFunc(r.Nodes, func(n membership.Node) bool { return n.State == membership.Failing }) {
		t.Error("what has been failing is well at once")
	}
}

// TestSuccessorKnowsWhatTheLeaderKnew lets a supervisor that has only followed take
// over. Of itself as well it knows what the leader has said.
func TestSuccessorKnowsWhatTheLeaderKnew(t *testing.T) {
	w := newWorld(t, "a", "s")
	w.leader = "other"
	w.report = membership.Report{Leader: "other", Nodes: []membership.Node{
		{Name: "a", State: membership.Running, Restarts: 7, Why: "before"}, {Name: "s", State: membership.Starting, Restarts: 2, Why: "it died"},
	}}
	w.nodes["a"].starts, w.nodes["a"].runs = []time.Time{time.Now()}, true
	s := w.run("s")
	time.Sleep(3 * lookEvery)
	w.change(func() { w.leader = "s" })
	if n := w.is(s, "a", membership.Running); n.Restarts != 7 || n.Why != "before" {
		t.Errorf("%+v", n)
	}
	if n := w.is(s, "s", membership.Running); n.Restarts != 2 || n.Why != "it died" || len(w.nodes["s"].starts) > 0 {
		t.Errorf("of itself: %+v", n)
	}
}

// TestTwoLeaders lets two take themselves for the leader, as when a network is cut in
// two, while the node hangs: both kill it and start it. In the end it runs.
func TestTwoLeaders(t *testing.T) {
	w := newWorld(t, "a")
	for _, name := range []string{"one", "two"} {
		half := &world{t: t, leader: name}
		w.run(name, func(c *Config) { c.Group = seat{half, name} })
	}
	hang := func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }
	for round := range 3 {
		w.within("it runs", func() bool { return w.nodes["a"].runs && w.nodes["a"].answer == nil })
		w.change(func() { w.nodes["a"].answer = hang })
		w.within("it was started again", func() bool { return len(w.nodes["a"].starts) > round+1 })
	}
	w.within("it runs", func() bool { return w.nodes["a"].runs && w.nodes["a"].answer == nil })
}

// TestNobodyStartsWithoutADriver watches only.
func TestNobodyStartsWithoutADriver(t *testing.T) {
	w := newWorld(t, "a", "b")
	w.leader, w.nodes["b"].runs = "s", true
	s := w.run("s", func(c *Config) { c.Driver = nil })
	w.is(s, "a", membership.Silent)
	w.is(s, "b", membership.Running)
	w.change(func() {
		if len(w.nodes["a"].starts) != 0 {
			t.Error("it was started")
		}
	})
}

// TestDriverInTrouble leaves nodes alone whose state cannot be seen.
func TestDriverInTrouble(t *testing.T) {
	w := newWorld(t, "a")
	w.leader = "s"
	s := w.run("s")
	w.is(s, "a", membership.Running)
	w.change(func() {
		w.looking, w.nodes["a"].answer = errors.New("no daemon"), func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }
	})
	time.Sleep(100 * time.Millisecond)
	r, _ := s.Report()
	w.change(func() {
		if len(w.nodes["a"].starts) != 1 || len(w.nodes["a"].signals) != 0 || r.Nodes[0].Why != "no daemon" {
			t.Errorf("%d starts, signals %v, report %+v", len(w.nodes["a"].starts), w.nodes["a"].signals, r)
		}
	})
}

// TestOwnerlessClusterEnds has one leader end the nodes, and all supervisors.
func TestOwnerlessClusterEnds(t *testing.T) {
	w := newWorld(t, "a", "b")
	w.leader = "one"
	owned := true
	ownerless := func(c *Config) {
		c.Ownerless = func() bool { w.mu.Lock(); defer w.mu.Unlock(); return !owned }
	}
	one, _ := w.run("one", ownerless), w.run("two", ownerless)
	w.is(one, "a", membership.Running)
	w.is(one, "b", membership.Running)
	w.change(func() { owned = false })
	w.within("they ended", func() bool { return !w.nodes["a"].runs && !w.nodes["b"].runs })
	w.change(func() {
		if got := w.nodes["a"].signals; !slices.Equal(got, []syscall.Signal{syscall.SIGTERM, syscall.SIGCONT}) {
			t.Errorf("signals %v", got)
		}
	})
}

func TestTopologySaysWhatIsWrong(t *testing.T) {
	for text, want := range map[string]string{
		`{`:                            "read the topology",
		`{"cluster":"c","nodes":[]}`:   "there are no nodes",
		`{"cluster":"c","noodles":[]}`: "noodles",
		`{"cluster":"a/b","nodes":[]}`: `"a/b" is no name of a cluster`,
		`{"nodes":[{"name":"a"}]}`:     `"" is no name of a cluster`,
		`{"cluster":"c","nodes":[{"name":"../a","role":"worker"}]}`:                           `"../a" is no name of a node`,
		`{"cluster":"c","nodes":[{"name":"a","role":"king"}]}`:                                `a has the role "king"`,
		`{"cluster":"c","nodes":[{"name":"a","role":"worker"},{"name":"a","role":"worker"}]}`: "two nodes called a",
		`{"cluster":"c","nodes":[{"name":"a","role":"worker","http":"nowhere"}]}`:             "expected host:port",
	} {
		if _, err := ParseTopology([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", text, err, want)
		}
	}
	if _, err := ParseTopology([]byte(`{"cluster":"c","nodes":[{"name":"a-1","role":"worker","http":"h:1","args":["worker"]}]}`)); err != nil {
		t.Error(err)
	}
}

func TestTopologyComesByRole(t *testing.T) {
	topology, err := ParseTopology([]byte(`{"cluster":"c","nodes":[
		{"name":"s","role":"supervisor"},{"name":"w0","role":"worker"},{"name":"g","role":"gateway"},{"name":"w1","role":"worker"}]}`))
	var names []string
	for _, n := range topology.Nodes {
		names = append(names, n.Name)
	}
	if got := strings.Join(names, " "); err != nil || got != "w0 w1 g s" {
		t.Errorf("%s, %v", got, err)
	}
}
