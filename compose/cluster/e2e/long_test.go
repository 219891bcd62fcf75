package e2e_test

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"analyzer/columnar"
	"analyzer/columnar/ipc"
	"analyzer/columnar/vfs"
	"analyzer/compose/cluster/client"
	"analyzer/compose/cluster/e2e"
	"analyzer/compose/cluster/protocol"
	"analyzer/compose/cluster/worker"
	"analyzer/datasets"
	"analyzer/datasets/catalog"
	"analyzer/shuffle/rabbit/node/nodetest"
)

// TestConsumerTimeout has a broker take a worker's messages away from it that are not
// acknowledged within 20 s, while the worker computes one stage for a minute.
func TestConsumerTimeout(t *testing.T) {
	if !*long {
		t.Skip("it takes minutes: make long")
	}
	set := func(name, value string) {
		t.Helper()
		if _, err := nodetest.Eval(context.Background(), shared.Node(t), "application:set_env(rabbit, "+name+", "+value+")"); err != nil {
			t.Fatal(err)
		}
	}
	set("consumer_timeout", "20000")
	set("channel_tick_interval", "2000")
	t.Cleanup(func() { set("consumer_timeout", "1800000"); set("channel_tick_interval", "60000") })
	c := shared.Start(t, e2e.Options{})
	c.Worker(0).Crash(worker.PointCompute + ":1:60s")
	r := c.Submit(t.Context(), "movies", "--block-size", "2KiB")
	c.Exact(r, "movies")
	if log := c.Worker(0).Log(); !strings.Contains(log, "cannot go on consuming") && !strings.Contains(brokerLog(t, c), "Timeout value used: 20000") {
		t.Error("the broker took nothing away")
	}
	t.Logf("%v; the broker took messages away %d times", r.Took, strings.Count(brokerLog(t, c), "Timeout value used: 20000"))
	c.Leftovers()
}

func brokerLog(t *testing.T, c *e2e.Cluster) string {
	t.Helper()
	text, err := os.ReadFile(c.Node().LogFile())
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// resources are what processes must not take more and more of.
type resources map[string]int64

func (r resources) String() string {
	var out []string
	for name, n := range r {
		out = append(out, fmt.Sprintf("%s %d", name, n))
	}
	slices.Sort(out)
	return strings.Join(out, ", ")
}

// resourcesOf asks all processes, and the broker for its queues.
func resourcesOf(t *testing.T, c *e2e.Cluster) resources {
	t.Helper()
	out := make(resources)
	for _, p := range c.Processes() {
		now, _, err := p.Memory()
		if err != nil {
			t.Fatal(err)
		}
		out[p.Name()+": MiB"] = now >> 20
		out[p.Name()+": files"] = p.Metric("process_open_fds")
		out[p.Name()+": goroutines"] = p.Metric("go_goroutines")
	}
	out["queues"] = int64(len(c.Queues()))
	return out
}

// flat fails the test if anything has grown beyond what chance does.
func flat(t *testing.T, before, after resources) {
	t.Helper()
	t.Logf("before: %v", before)
	t.Logf("after:  %v", after)
	for name, n := range after {
		allowed := before[name] + 8
		if strings.HasSuffix(name, "MiB") {
			allowed = before[name]*5/4 + 16
		}
		if n > allowed {
			t.Errorf("%s: %d, before %d", name, n, before[name])
		}
	}
}

// rows is the rows of answers, as a message has them.
type rows struct {
	schema columnar.Schema
	text   []byte
}

func (r *rows) Begin(query string, s columnar.Schema) error {
	r.schema, r.text = s, append(r.text, query...)
	return nil
}

func (r *rows) Write(b columnar.Rows) (err error) {
	r.text, err = ipc.Append(r.text, r.schema, b)
	return err
}

func (r *rows) End() error { return nil }

// small runs a job of one query over the samples of a data set, with one client for
// many, and returns its answer.
func small(ctx context.Context, cl *client.Client, d *datasets.Dataset) (answers string, err error) {
	j, err := cl.Open(ctx, protocol.OpenRequest{Label: d.Name, Tables: d.Tables, Queries: d.Queries[:1], Block: 1 << 20, TTL: time.Hour})
	if err != nil {
		return "", err
	}
	open := func(table string) (vfs.File, error) {
		return vfs.ReadOnly(d.Samples).Open(j.Spec.Table(table).Files[0])
	}
	if _, err := j.Upload(ctx, client.Upload{MaxRejects: -1, Open: open}); err != nil {
		return "", err
	}
	var all rows
	if err := j.Fetch(ctx, client.Fetch{}, &all); err != nil {
		return "", err
	}
	return string(all.text), cl.End(ctx, j.Spec.ID, "done")
}

// TestThousandJobs runs a thousand jobs, one after the other, and two hundred at once:
// all have the same answers, and no process takes more than before.
func TestThousandJobs(t *testing.T) {
	if !*long {
		t.Skip("it takes minutes: make long")
	}
	c := shared.Start(t, e2e.Options{WorkerFlags: e2e.Serve, GatewayFlags: e2e.Serve})
	cl, err := client.New(client.Config{Gateways: []string{c.Gateways()}})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = cl.Close() }()
	want := make(map[string]string)
	one := func(i int) error {
		d := catalog.All()[i%3]
		got, err := small(t.Context(), cl, d)
		if err != nil || got != want[d.Name] {
			return fmt.Errorf("job %d over %s: %d bytes, want %d: %w", i, d.Name, len(got), len(want[d.Name]), err)
		}
		return nil
	}
	for _, d := range catalog.All() {
		c.Exact(c.Submit(t.Context(), d.Name), d.Name)
		if want[d.Name], err = small(t.Context(), cl, d); err != nil {
			t.Fatal(err)
		}
	}
	row := func(jobs int) {
		t.Helper()
		began := time.Now()
		for i := range jobs {
			if err := one(i); err != nil {
				t.Fatal(err)
			}
		}
		t.Logf("%d jobs in %v", jobs, time.Since(began).Round(time.Second))
		c.Leftovers()
	}
	row(200)
	before := resourcesOf(t, c)
	row(800)
	flat(t, before, resourcesOf(t, c))

	began := time.Now()
	var all sync.WaitGroup
	for i := range 200 {
		all.Go(func() {
			if err := one(i); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	t.Logf("200 jobs at once in %v; in the midst: %v", time.Since(began).Round(time.Second), resourcesOf(t, c))
	c.Leftovers()
	flat(t, before, resourcesOf(t, c))
}
