package e2e_test

import (
	"bytes"
	"regexp"
	"strings"
	"testing"
	"time"

	"analyzer/compose/cluster/e2e"
)

// saved is how long a client may take to write down what was acknowledged.
const saved = 1500 * time.Millisecond

const (
	batchesMetric = "analyzer_gateway_batches_total"
	ackedMetric   = "analyzer_gateway_acked_total"
)

// TestClientKilled ends a client by kill -9 in the midst of its upload. Another one
// goes on, and sends what was not acknowledged and little else. While the first one lives,
// another says so at once.
func TestClientKilled(t *testing.T) {
	lengthy(t)
	t.Parallel()
	c := shared.Start(t, e2e.Options{GatewayFlags: e2e.Serve})
	g := c.Gateway(0)
	args := []string{"movies", c.Generated("movies", "0.02"), "--block-size", "4KiB"}
	c.Exact(c.Submit(t.Context(), args...), args[:2]...)
	all := g.Metric(batchesMetric)

	k := c.Begin(t.Context(), "", c.Submission(args...)...)
	job := k.AwaitJob().Job()
	if !acked(c, k, all+all/2) {
		t.Fatalf("the upload was over before the client could be killed:\n%s", k.Wait().Stderr)
	}
	g.Stop()
	time.Sleep(saved)
	if r := c.Command(t.Context(), "submit", "--resume", job); r.Code != 1 || !strings.Contains(string(r.Stderr), "another process of this machine goes on with it") {
		t.Errorf("a second client ended with status %d:\n%s", r.Code, r.Stderr)
	}
	k.Kill()
	g.Continue()
	time.Sleep(200 * time.Millisecond) // for what was on its way
	known, before := g.Metric(ackedMetric)-all, g.Metric(batchesMetric)

	r := c.Command(t.Context(), "submit", "--resume", job, "--format", "json")
	c.Exact(r, args[:2]...)
	sent := g.Metric(batchesMetric) - before
	// What a gateway has acknowledged and the client has not heard of is not more
	// than what may be on its way: two workers, five scans, eight batches.
	if onTheWay := int64(2 * 5 * 8); sent < all-known || sent > all-known+onTheWay {
		t.Errorf("of %d batches %d were acknowledged, and then %d sent", all, known, sent)
	}
	t.Logf("of %d batches %d were acknowledged, and then %d sent", all, known, sent)
	c.Leftovers()
}

var resumeLine = regexp.MustCompile(`(?m)^Next: analyzer (submit --resume [0-9a-f]+)$`)

// TestClientCutOff takes all gateways away from a client. The command that it
// prints goes on.
func TestClientCutOff(t *testing.T) {
	lengthy(t)
	t.Parallel()
	c := shared.Start(t, e2e.Options{Gateways: 2})
	dir := c.Generated("steam", "0.02")
	k := c.Begin(t.Context(), "", c.Submission("steam", dir, "--block-size", "32KiB", "--patience", "1s")...)
	k.AwaitJob()
	time.Sleep(300 * time.Millisecond)
	for i := range 2 {
		c.Gateway(i).Down()
	}
	cut := k.Wait()
	next := resumeLine.FindSubmatch(cut.Stderr)
	if cut.Code != 1 || next == nil {
		t.Fatalf("a client that is cut off ended with status %d:\n%s", cut.Code, cut.Stderr)
	}
	for i := range 2 {
		c.Gateway(i).Up()
	}
	r := c.Command(t.Context(), append(strings.Fields(string(next[1])), "--format", "json")...)
	c.Exact(r, "steam", dir)
	if !bytes.HasPrefix(r.Stdout, cut.Stdout) {
		t.Errorf("the client that was cut off had answered\n%s", cut.Stdout)
	}
	c.Leftovers()
}

// TestClientKilledWhileItWaits ends a client by kill -9 when its tables are on the
// cluster.
func TestClientKilledWhileItWaits(t *testing.T) {
	lengthy(t)
	t.Parallel()
	c := shared.Start(t, e2e.Options{})
	r := c.Submit(t.Context(), "books", "--detach")
	if r.Code != 0 {
		t.Fatalf("submit --detach: status %d\n%s", r.Code, r.Stderr)
	}
	for range 2 { // as often as one likes
		c.Exact(c.Command(t.Context(), "jobs", "results", r.Job(), "--format", "json", "--gateway", c.Gateways()), "books")
	}
	c.Exact(c.Command(t.Context(), "submit", "--resume", r.Job(), "--format", "json"), "books")
	c.Leftovers()
}
