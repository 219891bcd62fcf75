package e2e_test

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"testing/fstest"
	"time"

	"analyzer/columnar"
	"analyzer/columnar/vfs"
	"analyzer/compose/cluster/client"
	"analyzer/compose/cluster/e2e"
	"analyzer/compose/cluster/protocol"
	"analyzer/operators/expr"
	"analyzer/operators/query/plan"
)

// TestTerminated asks each process in turn to end in the midst of a job, as an
// update of the program does. On a fast machine that takes several jobs.
func TestTerminated(t *testing.T) {
	t.Parallel()
	c := shared.Start(t, e2e.Options{Gateways: 2, GatewayFlags: e2e.Serve})
	dir := c.Generated("movies", "0.02")
	submit := func() *e2e.Client {
		k := c.Begin(t.Context(), "", c.Submission("movies", dir, "--block-size", "4KiB")...)
		k.AwaitJob()
		time.Sleep(200 * time.Millisecond)
		return k
	}
	k := submit()
	for _, p := range c.Processes() {
		for k.Ended() {
			c.Exact(k.Wait(), "movies", dir)
			k = submit()
		}
		if status, took := p.Terminate(); status != 0 || took > 30*time.Second {
			t.Errorf("%s ended with status %d after %v", p.Name(), status, took)
		} else {
			t.Logf("%s ended after %v", p.Name(), took)
		}
	}
	c.Exact(k.Wait(), "movies", dir)
	c.Leftovers()
}

// TestTerminatedAtWork asks workers to end while they compute a stage for long.
func TestTerminatedAtWork(t *testing.T) {
	lengthy(t)
	t.Parallel()
	c := shared.Start(t, e2e.Options{})
	cl, err := client.New(client.Config{Gateways: []string{c.Gateways()}})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = cl.Close() }()
	ones := &columnar.Table{Name: "ones", Files: []string{"ones"}, Columns: []columnar.TableColumn{{Name: "one", Header: "one", Format: columnar.FormatInt}}}
	// Each row has all others for partners.
	pairs := plan.From("ones").Join(plan.From("ones").Project(plan.As("other", expr.Col("one"))), plan.On("one", "other")).
		Aggregate(nil, plan.Agg{Func: plan.Sum, Args: []string{"one"}, Name: "pairs"})
	j, err := cl.Open(t.Context(), protocol.OpenRequest{
		Tables: []*columnar.Table{ones}, Queries: []*plan.Query{{Name: "pairs", Root: pairs}}, Block: 1 << 20, TTL: time.Hour,
	})
	if err != nil {
		t.Fatal(err)
	}
	table := vfs.ReadOnly(fstest.MapFS{"ones": {Data: []byte("one\n" + strings.Repeat("1\n", 200_000))}})
	if _, err := j.Upload(t.Context(), client.Upload{MaxRejects: -1, Open: table.Open}); err != nil {
		t.Fatal(err)
	}
	computing := func() (string, bool) {
		s, err := cl.Status(t.Context(), j.Spec.ID)
		return fmt.Sprintf("%+v, %v", s, err), err == nil && slices.ContainsFunc(s.Stages, func(s protocol.Stage) bool { return s.Done > 0 })
	}
	for _, p := range c.Processes()[:2] {
		c.Await("a stage to be computed", computing)
		status, took := p.Terminate()
		if t.Logf("%s ended after %v", p.Name(), took); status != 0 || took > 30*time.Second {
			t.Errorf("%s ended with status %d after %v", p.Name(), status, took)
		}
	}
	if err := cl.End(t.Context(), j.Spec.ID, "enough"); err != nil {
		t.Error(err)
	}
	c.Quiet()
}

// TestResized has a cluster grow and shrink while jobs run. Each ends with the workers
// that it began with.
func TestResized(t *testing.T) {
	lengthy(t)
	t.Parallel()
	c := shared.Start(t, e2e.Options{GatewayFlags: e2e.Serve})
	resize(t, c, 2, 3)
	resize(t, c, 3, 2)
	c.Worker(2).Down() // its last job has ended
	c.Exact(c.Submit(t.Context(), "books"), "books")
	c.Leftovers()
}

// resize has new jobs run on another number of workers in the midst of an old one, whose
// client stands still meanwhile.
func resize(t *testing.T, c *e2e.Cluster, from, to int) {
	t.Helper()
	g := c.Gateway(0)
	begun := g.Metric(ackedMetric)
	old := c.Begin(t.Context(), "", c.Submission("movies", "--block-size", "1KiB")...)
	if !acked(c, old, begun+100) {
		t.Fatalf("the job was over before the cluster could be resized:\n%s", old.Wait().Stderr)
	}
	if err := old.Signal(syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	if to > from {
		c.AddWorker()
	}
	g.Give("--replicas", strconv.Itoa(to))
	g.Kill() // asked to end, it would wait for who stands still
	next := c.Submit(t.Context(), "steam", "--keep")
	c.Exact(next, "steam")
	id := old.AwaitJob().Job()
	if jobs := c.Jobs(); jobs[id].Replicas != from || jobs[id].State != protocol.Running || jobs[next.Job()].Replicas != to {
		t.Errorf("job %s is to have %d workers, and job %s %d: %+v", id, from, next.Job(), to, jobs)
	}
	if r := c.Command(t.Context(), "jobs", "cancel", next.Job(), "--gateway", c.Gateways()); r.Code != 0 {
		t.Errorf("%s", r.Stderr)
	}
	if err := old.Signal(syscall.SIGCONT); err != nil {
		t.Fatal(err)
	}
	c.Exact(old.Wait(), "movies")
	c.Quiet()
}

// TestClientInterrupted interrupts clients: their jobs are cancelled.
func TestClientInterrupted(t *testing.T) {
	lengthy(t)
	t.Parallel()
	c := shared.Start(t, e2e.Options{})
	dir := c.Generated("steam", "0.02")
	for s, want := range map[syscall.Signal]int{syscall.SIGINT: 130, syscall.SIGTERM: 143} {
		k := c.Begin(t.Context(), "", c.Submission("steam", dir, "--block-size", "4KiB")...)
		job := k.AwaitJob().Job()
		time.Sleep(200 * time.Millisecond)
		if err := k.Signal(s); err != nil {
			t.Fatal(err)
		}
		r := k.Wait()
		c.Beginning(r, "steam", dir)
		if r.Code != want || !bytes.Contains(r.Stderr, []byte("Job "+job+" was cancelled")) {
			t.Errorf("%v: status %d, want %d, %d bytes of answers\n%s", s, r.Code, want, len(r.Stdout), r.Stderr)
		}
	}
	c.Leftovers()
}

// TestWorkerStopped stops a worker from running (SIGSTOP) for so long that the
// broker gives its messages to nobody's keeping, while a second instance starts on
// its state; then lets it go on, or ends it.
func TestWorkerStopped(t *testing.T) {
	lengthy(t)
	t.Parallel()
	pause, heartbeat := 40*time.Second, ""
	if !*long {
		pause, heartbeat = 8*time.Second, "?heartbeat=2" // seconds that the broker lets pass between signs of life
	}
	c := shared.Start(t, e2e.Options{GatewayFlags: e2e.Serve, Broker: func(url string) string { return url + heartbeat }})
	p := c.Worker(1)
	dir := c.Generated("movies", "0.02")
	begin := func(last int64) *e2e.Client {
		k := c.Begin(t.Context(), "", c.Submission("movies", dir, "--block-size", "4KiB")...)
		if !acked(c, k, last+500) {
			t.Fatalf("the job was over before the worker could be stopped:\n%s", k.Wait().Stderr)
		}
		p.Stop()
		return k
	}

	k := begin(0)
	second := c.Second(p)
	time.Sleep(pause)
	p.Continue()
	c.Exact(k.Wait(), "movies", dir)
	if !strings.Contains(p.Log(), "lost the broker") {
		t.Error("the worker was not away for long enough")
	}
	c.Quiet()
	if strings.Contains(second.Log(), "job ended") {
		t.Errorf("the second instance took part while the first one lived:\n%s", second.Log())
	}

	k = begin(c.Gateway(0).Metric(ackedMetric))
	p.Down()
	c.Exact(k.Wait(), "movies", dir)
	p.Up()
	c.Leftovers()
	if !strings.Contains(second.Log(), "job ended") {
		t.Errorf("the second instance did not take over:\n%s", second.Log())
	}
}

// TestDrained asks a gateway to end while its only client uploads through it. The client notices
// nothing, and the gateway ends when it is gone.
func TestDrained(t *testing.T) {
	t.Parallel()
	c := shared.Start(t, e2e.Options{Gateways: 2, GatewayFlags: append(slices.Clone(e2e.Serve), "--drain", "2m")})
	dir := c.Generated("movies", "0.004")
	g := c.Gateway(0)
	gateway, _, _ := strings.Cut(c.Gateways(), ",")
	k := c.Begin(t.Context(), "", "submit", "--gateway", gateway, "--format", "json", "movies", dir, "--block-size", "4KiB")
	k.AwaitJob()
	if ready, says := g.Ready(); !ready {
		t.Errorf("not ready: %s", says)
	}
	ended := make(chan string)
	go func() {
		status, took := g.Terminate()
		ended <- fmt.Sprint("status ", status, " after ", took.Round(time.Second))
	}()
	c.Await("the gateway to be unready", func() (string, bool) {
		ready, says := g.Ready()
		return says, !ready
	})
	r := k.Wait()
	c.Exact(r, "movies", dir)
	if said := string(r.Stderr); strings.Contains(said, "again") || strings.Contains(said, "cut off") {
		t.Errorf("the client noticed:\n%s", said)
	}
	if how := <-ended; !strings.HasPrefix(how, "status 0") {
		t.Error(how)
	}
	c.AwaitReady() // the next gateway too can be asked to end
	c.Leftovers()
}
