package membership

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"analyzer/compose/cluster/monitor"
	"analyzer/compose/cluster/protocol"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// quick is short enough for tests, and long enough for a machine that is busy.
const quick = 60 * time.Millisecond

var old = time.Now().Add(-time.Hour)

func member(role Role, rank int) Member {
	return Member{Name: fmt.Sprintf("%s-%d", role, rank), Role: role, Rank: rank, Since: old}
}

func start(t *testing.T, self Member, key string, join ...*Group) *Group {
	t.Helper()
	cfg := Config{Self: self, Cluster: "test", Listen: "127.0.0.1:0", Every: quick, Log: slog.New(slog.DiscardHandler)}
	for _, g := range join {
		cfg.Join = append(cfg.Join, g.Addr())
	}
	if key != "" {
		cfg.Key = []byte(key)
	}
	g, err := Start(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := g.Close(); err != nil {
			t.Error(err)
		}
	})
	return g
}

func supervisors(t *testing.T, n int) (out []*Group) {
	for i := range n {
		out = append(out, start(t, member(Supervisor, i+1), "", out...))
	}
	return out
}

func within(t *testing.T, patience time.Duration, what string, done func() bool) {
	t.Helper()
	for end := time.Now().Add(patience); !done(); time.Sleep(2 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("not within %v: %s", patience, what)
		}
	}
}

// agree waits until all of them say that one leads.
func agree(t *testing.T, name string, all ...*Group) {
	t.Helper()
	within(t, 20*time.Second, name+" leads", func() bool {
		return !slices.ContainsFunc(all, func(g *Group) bool { l, _ := g.Leader(); return l.Name != name })
	})
}

func (g *Group) names() (out []string) {
	for _, m := range g.Members() {
		out = append(out, m.Name)
	}
	return out
}

func TestSupervisorsKilledOneAfterAnother(t *testing.T) {
	all := supervisors(t, 4)
	w := start(t, member(Worker, 0), "", all[0])
	for n := len(all); n > 0; n-- {
		agree(t, fmt.Sprintf("supervisor-%d", n), append(all[:n:n], w)...)
		if err := all[n-1].Close(); err != nil {
			t.Fatal(err)
		}
	}
	within(t, 20*time.Second, "nobody leads", func() bool { _, ok := w.Leader(); return !ok })
}

// TestCandidateDies kills the leader, and before anybody has noticed the one that
// would be the next.
func TestCandidateDies(t *testing.T) {
	all := supervisors(t, 4)
	agree(t, "supervisor-4", all...)
	_ = all[3].Close()
	_ = all[2].Close()
	agree(t, "supervisor-2", all[:2]...)
}

func TestNodeDiesDuringElection(t *testing.T) {
	all := supervisors(t, 3)
	w := start(t, member(Worker, 0), "", all...)
	agree(t, "supervisor-3", append(all, w)...)
	_ = all[2].Close()
	_ = w.Close()
	agree(t, "supervisor-2", all[:2]...)
	within(t, 20*time.Second, "the worker is missed", func() bool {
		return slices.Equal(all[1].names(), []string{"supervisor-1", "supervisor-2"})
	})
}

// TestNodeDiesBeforeItHasRejoined starts a node again at its old address before the
// others have missed it, kills that one too, and starts it once more.
func TestNodeDiesBeforeItHasRejoined(t *testing.T) {
	all := supervisors(t, 2)
	self := member(Worker, 0)
	w := start(t, self, "", all...)
	within(t, 20*time.Second, "it is a member", func() bool { return len(all[0].Members()) == 3 })
	address := w.Addr()
	_ = w.Close()
	for i := range 3 {
		self.Since = old.Add(time.Duration(i+1) * time.Minute)
		again, err := Start(Config{
			Self: self, Cluster: "test", Listen: address, Every: quick, Join: []string{all[0].Addr()}, Log: slog.New(slog.DiscardHandler),
		})
		if err != nil {
			t.Fatal(err)
		}
		if i < 2 {
			_ = again.Close()
			continue
		}
		defer func() { _ = again.Close() }()
	}
	within(t, 20*time.Second, "the last one is the member", func() bool {
		return !slices.ContainsFunc(all, func(g *Group) bool {
			return !slices.ContainsFunc(g.Members(), func(m Member) bool { return m.Role == Worker && m.Since.Equal(self.Since) })
		})
	})
}

func TestNewcomerJoinsTheLeaderItFinds(t *testing.T) {
	first := start(t, member(Supervisor, 1), "")
	self := member(Supervisor, 9)
	self.Since = time.Now()
	second := start(t, self, "", first)
	within(t, 20*time.Second, "they know each other", func() bool { return len(first.Members()) == 2 && len(second.Members()) == 2 })
	for _, g := range []*Group{first, second} {
		for age, want := range map[time.Duration]string{0: "supervisor-1", Newcomer: "supervisor-9"} {
			if l, _ := Leader(g.Members(), self.Since.Add(age)); l.Name != want {
				t.Errorf("when the newcomer is %v old %s leads, want %s", age, l.Name, want)
			}
		}
	}
}

func TestLeaderLeaves(t *testing.T) {
	all := supervisors(t, 3)
	within(t, 20*time.Second, "all are there", func() bool { return len(all[0].Members()) == 3 })
	if err := all[2].Leave(); err != nil {
		t.Fatal(err)
	}
	agree(t, "supervisor-2", all[:2]...)
}

// TestOneAloneIsJoined starts members before the one that they are to join.
func TestOneAloneIsJoined(t *testing.T) {
	later := start(t, member(Supervisor, 1), "")
	address := later.Addr()
	_ = later.Close()
	var early []*Group
	for i := range 2 {
		g, err := Start(Config{
			Self: member(Worker, i), Cluster: "test", Listen: "127.0.0.1:0", Every: quick, Join: []string{address}, Log: slog.New(slog.DiscardHandler),
		})
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = g.Close() }()
		early = append(early, g)
	}
	now, err := Start(Config{Self: member(Supervisor, 2), Cluster: "test", Listen: address, Every: quick, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = now.Close() }()
	agree(t, "supervisor-2", early...)
}

func TestStrangersAreNotHeard(t *testing.T) {
	const key = "a key of enough characters"
	first := start(t, member(Supervisor, 1), key)
	second := start(t, member(Supervisor, 2), key, first)
	within(t, 20*time.Second, "those with the key know each other", func() bool { return len(first.Members()) == 2 })
	open := start(t, member(Supervisor, 3), "", first, second)
	wrong := start(t, member(Supervisor, 4), strings.ToUpper(key), first, second)
	elsewhere, err := Start(Config{
		Self: member(Supervisor, 5), Cluster: "another", Listen: "127.0.0.1:0", Every: quick, Key: []byte(key),
		Join: []string{first.Addr()}, Log: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = elsewhere.Close() }()
	time.Sleep(5 * quick)
	for _, g := range []*Group{first, second} {
		if got := g.names(); !slices.Equal(got, []string{"supervisor-1", "supervisor-2"}) {
			t.Errorf("members %q", got)
		}
	}
	for _, g := range []*Group{open, wrong, elsewhere} {
		if len(g.Members()) != 1 {
			t.Errorf("a stranger knows %q", g.names())
		}
	}
}

func TestSettingsSayWhatIsWrong(t *testing.T) {
	for want, cfg := range map[string]Config{
		"expected host:port":        {Listen: "127.0.0.1"},
		"it must have 16 or more":   {Listen: "127.0.0.1:0", Key: []byte("short")},
		"what x says of itself":     {Listen: "127.0.0.1:0", Self: Member{Name: "x", HTTP: strings.Repeat("x", 1000)}},
		"listen on 192.0.2.1:4000 ": {Listen: "192.0.2.1:4000", Self: Member{Name: "x"}},
	} {
		cfg.Log = slog.New(slog.DiscardHandler)
		if g, err := Start(cfg); err == nil {
			_ = g.Close()
			t.Errorf("no error; want %q", want)
		} else if !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
	if _, err := ParseKey([]byte(" short \n")); err == nil {
		t.Error("a short key was taken")
	}
	if key, err := ParseKey([]byte(" 0123456789abcdef\n")); err != nil || string(key) != "0123456789abcdef" {
		t.Errorf("key %q, %v", key, err)
	}
}

// TestGossipBeyondThisMachineNeedsAKey has members listen where others could reach them.
func TestGossipBeyondThisMachineNeedsAKey(t *testing.T) {
	for key, allowed := range map[string]bool{"": false, "0123456789abcdef": true} {
		cfg := Config{Self: member(Worker, 0), Listen: "0.0.0.0:0", Every: quick, Log: slog.New(slog.DiscardHandler)}
		if key != "" {
			cfg.Key = []byte(key)
		}
		g, err := Start(cfg)
		if (err == nil) != allowed {
			t.Errorf("with key %q: %v", key, err)
		}
		if err == nil {
			_ = g.Close() // nobody has joined
		}
	}
}

// TestMembersAskByTheirKey has a leader let in nobody but members of its cluster.
func TestMembersAskByTheirKey(t *testing.T) {
	const key = "0123456789abcdef"
	if Token(nil) != "" || strings.Contains(Token([]byte(key)), key) || Token([]byte(key)) == Token([]byte(key+"g")) {
		t.Errorf("tokens %q, %q, %q", Token(nil), Token([]byte(key)), Token([]byte(key+"g")))
	}
	nobody := func(context.Context, []string) (context.Context, error) {
		return nil, protocol.Errorf(protocol.NoToken, "the token is not known here")
	}
	page, err := monitor.Start("127.0.0.1:0", monitor.Config{
		Ready: func() error { return nil }, Door: monitor.Door{Admit: nobody}, Member: Token([]byte(key)), Log: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = page.Close() }() // it has answered
	self := member(Supervisor, 1)
	self.HTTP = page.Addr()
	leader := start(t, self, key)
	page.HandleInside("GET "+PagePath, leader.Page(func() (Report, bool) { return Report{Leader: "supervisor-1"}, true }))
	w := start(t, member(Worker, 0), key, leader)
	agree(t, "supervisor-1", w)
	if r, ok := w.LeaderReport(t.Context()); !ok || r.Leader != "supervisor-1" {
		t.Errorf("a member is told %+v, %v", r, ok)
	}
	if r, err := Ask(t.Context(), page.Addr()); protocol.CodeOf(err) != protocol.NoToken {
		t.Errorf("a stranger is told %+v, %v", r, err)
	}
}

// TestPage asks a worker: it shows what the leader says, and what gossip tells when
// that is gone.
func TestPage(t *testing.T) {
	report := Report{Leader: "supervisor-1", By: "supervisor-1", Nodes: []Node{{Name: "worker-0", Restarts: 7, State: Failing}}}
	var leads http.Handler
	page := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { leads.ServeHTTP(w, r) }))
	self := member(Supervisor, 1)
	self.HTTP = strings.TrimPrefix(page.URL, "http://")
	leader := start(t, self, "")
	leads = leader.Page(func() (Report, bool) { return report, true })
	w := start(t, member(Worker, 0), "", leader)
	agree(t, "supervisor-1", w)
	other := httptest.NewServer(w.Page(nil))
	defer other.Close()
	defer http.DefaultClient.CloseIdleConnections()
	ask := func() Report {
		t.Helper()
		r, err := Ask(context.Background(), strings.TrimPrefix(other.URL, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	if r := ask(); r.Leader != "supervisor-1" || len(r.Nodes) != 1 || r.Nodes[0].Restarts != 7 {
		t.Errorf("report %+v", r)
	}
	page.Close()
	if r := ask(); r.Leader != "" || r.By != "worker-0" || len(r.Nodes) != 2 {
		t.Errorf("report without the leader %+v", r)
	}
	if _, err := Ask(context.Background(), "127.0.0.1:1"); err == nil {
		t.Error("no error where nobody listens")
	}
}
