package e2e_test

import (
	"slices"
	"testing"
	"time"

	"analyzer/compose/cluster/e2e"
	"analyzer/compose/cluster/protocol"
)

// TestHoweverItEnds ends a job in each way there is, and nothing is left of it,
// not even that it was, when the time to remember it is over.
func TestHoweverItEnds(t *testing.T) {
	lengthy(t)
	t.Parallel()
	const remember = 2 * time.Second
	c := shared.Start(t, e2e.Options{WorkerFlags: []string{"--remember", remember.String()}})
	submit := func(flags ...string) *e2e.Client {
		return c.Begin(t.Context(), "", c.Submission(slices.Concat([]string{"movies"}, blocks, flags)...)...)
	}
	t.Run("answered", func(t *testing.T) {
		c.Exact(submit().Wait(), "movies")
	})
	t.Run("cancelled", func(t *testing.T) {
		k := submit()
		job := k.AwaitJob().Job()
		c.Worker(1).Stop() // or the job might be done before
		if r := c.Command(t.Context(), "jobs", "cancel", job, "--gateway", c.Gateways()); r.Code != 0 {
			t.Errorf("cancel: status %d\n%s", r.Code, r.Stderr)
		}
		c.Worker(1).Continue()
		if r := k.Wait(); r.Code == 0 {
			t.Error("the client of a cancelled job ended well")
		}
	})
	t.Run("failed", func(t *testing.T) {
		if r := submit("--max-rejects", "0").Wait(); r.Code == 0 || r.Job() == "" {
			t.Errorf("with rows rejected a job ended with status %d\n%s", r.Code, r.Stderr)
		}
	})
	t.Run("kept", func(t *testing.T) {
		r := submit("--keep").Wait()
		c.Exact(r, "movies")
		for range 2 {
			again := c.Command(t.Context(), "jobs", "results", r.Job(), "--gateway", c.Gateways(), "--format", "json")
			c.Exact(again, "movies")
		}
		c.Command(t.Context(), "jobs", "cancel", r.Job(), "--gateway", c.Gateways())
	})
	t.Run("expired", func(t *testing.T) {
		k := submit("--job-ttl", protocol.MinTTL.String())
		k.AwaitJob()
		k.Kill()
	})
	c.Leftovers()
	time.Sleep(remember)
	for end := time.Now().Add(time.Minute); c.Tombstones() > 0; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%d tombstones are left", c.Tombstones())
		}
	}
}
