package e2e_test

import (
	"encoding/json"
	"flag"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"analyzer/compose/cluster/client"
	"analyzer/compose/cluster/e2e"
	"analyzer/compose/cluster/protocol"
	"analyzer/datasets/catalog"
	"analyzer/shuffle/rabbit/node/nodetest"
)

var (
	idle = flag.Int("idle", 0, "open jobs of TestIdleJobs")
	rest = flag.Duration("rest", time.Minute, "how long TestIdleJobs measures")
)

// The bounds of what idle jobs may cost all processes of a cluster but its broker.
const (
	idleCPU    = 0.02 // of one core
	idleMemory = 1 << 30
)

// TestIdleJobs opens jobs that stay open, and measures what they cost three workers while
// nobody does anything, and how long requests and a killed worker take beside them.
func TestIdleJobs(t *testing.T) {
	if *idle == 0 {
		t.Skip("it takes minutes: make idle")
	}
	c := shared.Start(t, e2e.Options{
		Workers: 3, GatewayFlags: e2e.Serve,
		WorkerFlags: append([]string{"--max-jobs", strconv.Itoa(*idle)}, e2e.Serve...),
	})
	// A part of a job takes the broker some 40 KB, so 10,000 jobs take more than a test's node has.
	if err := nodetest.Limit(t.Context(), c.Node(), 4<<30); err != nil {
		t.Fatal(err)
	}
	cl, err := client.New(client.Config{Gateways: []string{c.Gateways()}})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = cl.Close() }()
	began := time.Now()
	last := openIdle(t, cl, *idle)
	t.Logf("%d jobs were opened in %v", *idle, time.Since(began).Round(time.Second))
	if _, err := openOne(t, cl); protocol.CodeOf(err) != protocol.TooMany {
		t.Errorf("one job too many: %v", err)
	}
	measureIdle(t, c)
	askIdle(t, c, last, *idle)
	awaitJobs(t, cl, *idle-1)

	w := c.Worker(1)
	w.Kill()
	began = time.Now()
	for ready := false; !ready; ready, _ = w.Ready() {
		time.Sleep(10 * time.Millisecond)
	}
	t.Logf("a killed worker is ready after %v", time.Since(began).Round(100*time.Millisecond))
	if _, err := openOne(t, cl); err != nil { // in the place of the one that was cancelled
		t.Fatalf("while it takes up its jobs: %v", err)
	}
	t.Logf("it has opened a job after %v", time.Since(began).Round(100*time.Millisecond))
	awaitJobs(t, cl, *idle)
	t.Logf("it has all jobs after %v", time.Since(began).Round(100*time.Millisecond))
	askIdle(t, c, protocol.JobID{}, *idle)
}

// openOne opens a job that stays open.
func openOne(t *testing.T, cl *client.Client) (*client.Job, error) {
	d := catalog.All()[0]
	return cl.Open(t.Context(), protocol.OpenRequest{
		Label: d.Name, Tables: d.Tables, Queries: d.Queries[:1], Block: 1 << 20, TTL: 24 * time.Hour, Follow: true, Open: true,
	})
}

// openIdle opens jobs, several at once, and returns one of them.
func openIdle(t *testing.T, cl *client.Client, jobs int) (one protocol.JobID) {
	t.Helper()
	todo := make(chan int, jobs)
	for i := range jobs {
		todo <- i
	}
	close(todo)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for i := range todo {
				j, err := openOne(t, cl)
				if err != nil {
					t.Errorf("open job %d: %v", i, err)
					return
				}
				if i == 0 {
					one = j.Spec.ID
				}
			}
		})
	}
	all.Wait()
	if t.Failed() {
		t.FailNow()
	}
	return one
}

// awaitJobs waits until all workers have so many jobs.
func awaitJobs(t *testing.T, cl *client.Client, want int) {
	t.Helper()
	for {
		list, err := cl.List(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if len(list.Jobs) == want && len(list.Silent) == 0 {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
}

// measureIdle waits until the cluster is at rest, and says what each process takes then.
func measureIdle(t *testing.T, c *e2e.Cluster) {
	t.Helper()
	time.Sleep(*rest / 2) // after thousands of openings there is garbage to collect
	before := spent(t, c)
	time.Sleep(*rest)
	after := spent(t, c)
	cores, bytes := 0.0, int64(0)
	for _, p := range c.Processes() {
		share := (after[p.Name()] - before[p.Name()]).Seconds() / rest.Seconds()
		now, _, err := p.Memory()
		if err != nil {
			t.Fatal(err)
		}
		cores += share
		bytes += now
		t.Logf("%s takes %.2f %% of a core and %d MiB", p.Name(), 100*share, now>>20)
	}
	t.Logf("all of them take %.2f %% of a core and %d MiB, and the broker %.2f %%",
		100*cores, bytes>>20, 100*(after[brokerName]-before[brokerName]).Seconds()/rest.Seconds())
	if cores > idleCPU || bytes > idleMemory {
		t.Errorf("at most %.0f %% of a core and %d MiB are wanted", 100*idleCPU, idleMemory>>20)
	}
}

const brokerName = "broker"

// spent returns how long each process has run on a core.
func spent(t *testing.T, c *e2e.Cluster) map[string]time.Duration {
	t.Helper()
	out := make(map[string]time.Duration)
	for _, p := range c.Processes() {
		cpu, err := p.CPU()
		if err != nil {
			t.Fatal(err)
		}
		out[p.Name()] = cpu
	}
	text, err := nodetest.Eval(t.Context(), c.Node(), "element(1, statistics(runtime))")
	if err != nil {
		t.Fatal(err)
	}
	ms, err := strconv.Atoi(strings.TrimSpace(text))
	if err != nil {
		t.Fatal(err)
	}
	out[brokerName] = time.Duration(ms) * time.Millisecond
	return out
}

// askIdle says how long commands take, and checks that the jobs are all there. It cancels one,
// if it is given one.
func askIdle(t *testing.T, c *e2e.Cluster, id protocol.JobID, want int) {
	t.Helper()
	command := func(args ...string) []byte {
		t.Helper()
		began := time.Now()
		r := c.Command(t.Context(), append(append([]string{"jobs"}, args...), "--gateway", c.Gateways())...)
		took := time.Since(began).Round(10 * time.Millisecond)
		if r.Code != 0 {
			t.Fatalf("jobs %s: status %d after %v\n%s", args[0], r.Code, took, r.Stderr)
		}
		t.Logf("jobs %s takes %v", args[0], took)
		return r.Stdout
	}
	var list protocol.List
	if err := json.Unmarshal(command("list", "--format", "json"), &list); err != nil {
		t.Fatal(err)
	}
	if len(list.Jobs) != want || len(list.Silent) > 0 {
		t.Errorf("the list has %d jobs, want %d; silent: %v", len(list.Jobs), want, list.Silent)
	}
	command("list")
	command("show", list.Jobs[len(list.Jobs)/2].Job.String())
	if id != (protocol.JobID{}) {
		command("cancel", id.String())
	}
}
