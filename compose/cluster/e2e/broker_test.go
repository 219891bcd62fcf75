package e2e_test

import (
	"context"
	"flag"
	"strings"
	"testing"
	"time"

	"analyzer/compose/cluster/e2e"
	"analyzer/shuffle/broker"
	"analyzer/shuffle/rabbit/node/nodetest"
)

var long = flag.Bool("long", false, "more of what takes long: make long")

// halt begins a submit, holds its upload up when the job is open, and lets it go on
// when the broker has written down the queues. It returns when so many batches are
// through, and reports whether the upload was still going on then.
func halt(t *testing.T, c *e2e.Cluster, batches int64, args ...string) (k *e2e.Client, midst bool) {
	t.Helper()
	k = c.Begin(t.Context(), "", c.Submission(args...)...)
	k.AwaitJob()
	c.Gateway(0).Stop()
	if err := nodetest.Sync(context.Background(), c.Node()); err != nil {
		t.Fatal(err)
	}
	c.Gateway(0).Continue()
	return k, acked(c, k, batches)
}

// acked waits until the first gateway has acknowledged so many batches, and reports
// whether the submit was still going on then.
func acked(c *e2e.Cluster, k *e2e.Client, batches int64) bool {
	ended := make(chan struct{})
	go func() { k.Wait(); close(ended) }()
	for {
		select {
		case <-ended:
			return false
		default:
		}
		if c.Gateway(0).Metric(ackedMetric) >= batches {
			return true
		}
		time.Sleep(time.Millisecond) // or who asks takes the processor from who is asked
	}
}

// TestBrokerKilled ends the broker by kill -9 in the midst of an upload, and starts
// it again.
func TestBrokerKilled(t *testing.T) {
	lengthy(t)
	c := shared.Start(t, e2e.Options{GatewayFlags: e2e.Serve})
	killBroker(t, c, 0, "movies", c.Generated("movies", "0.01"), "--block-size", "8KiB")
	if *long {
		killBroker(t, c, 5*time.Second, "steam", c.Generated("steam", "0.02"), "--block-size", "8KiB")
		killBroker(t, c, 0, "books", c.Generated("books", "0.02"), "--block-size", "8KiB")
	}
}

// TestBrokerKilledQuorum is TestBrokerKilled with quorum queues.
func TestBrokerKilledQuorum(t *testing.T) {
	lengthy(t)
	flags := []string{"--queue-type", broker.Quorum.String()}
	c := shared.Start(t, e2e.Options{WorkerFlags: flags, GatewayFlags: append(flags, e2e.Serve...)})
	killBroker(t, c, 0, "movies", c.Generated("movies", "0.02"), "--block-size", "16KiB")
}

// killBroker ends the broker in the midst of the upload of a job, for some time.
func killBroker(t *testing.T, c *e2e.Cluster, away time.Duration, args ...string) {
	t.Helper()
	already := c.Gateway(0).Metric(ackedMetric)
	k, midst := halt(t, c, already+500, args...)
	if !midst {
		t.Fatalf("the upload was over before the broker could be killed:\n%s", k.Wait().Stderr)
	}
	nodetest.Kill(t, c.Node())
	time.Sleep(away)
	if err := c.Node().Restart(context.Background()); err != nil {
		t.Fatal(err)
	}
	r := k.Wait()
	c.Exact(r, args[0], args[1])
	c.Leftovers()
	t.Logf("submit of %s took %v", args[0], r.Took)
}

// TestBlockedBroker gives the broker an alarm in the midst of a job: gateways and workers say
// that it is blocked, workers that are asked to end do so soon, and this job and one that is
// submitted then go on after it. A process hears of an alarm when it publishes, which a worker
// does every few seconds, jobs or not.
func TestBlockedBroker(t *testing.T) {
	if !*long {
		t.Skip("it asks rabbitmqctl three times: make long")
	}
	c := shared.Start(t, e2e.Options{WorkerFlags: e2e.Serve, GatewayFlags: e2e.Serve})
	alarm := func(on bool) {
		if err := nodetest.Alarm(context.Background(), c.Node(), on); err != nil {
			t.Fatal(err)
		}
	}
	dir := c.Generated("movies", "0.02")
	old := c.Begin(t.Context(), "", c.Submission("movies", dir, "--block-size", "4KiB")...)
	if !acked(c, old, 100) {
		t.Fatalf("the job was over before the alarm:\n%s", old.Wait().Stderr)
	}
	alarm(true)
	defer func() { alarm(false) }() // others use the broker
	k := c.Begin(t.Context(), "", c.Submission("movies")...)
	agree := func(what string, ready bool, says string) {
		for _, p := range c.Processes() {
			c.Await(p.Name()+" to say that the broker is "+what, func() (string, bool) {
				is, text := p.Ready()
				return text, is == ready && strings.Contains(text, says)
			})
		}
	}
	agree("blocked", false, "the broker is blocked: memory alarm")
	for i := range 2 {
		status, took := c.Worker(i).Terminate()
		if t.Logf("worker %d ended after %v", i, took); status != 0 || took > 8*time.Second {
			t.Errorf("worker %d ended with status %d after %v", i, status, took)
		}
	}
	alarm(false)
	agree("there", true, "ready")
	c.Exact(old.Wait(), "movies", dir)
	c.Exact(k.Wait(), "movies")
	c.Leftovers()
}
