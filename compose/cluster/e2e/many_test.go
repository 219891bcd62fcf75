package e2e_test

import (
	"bytes"
	"fmt"
	"strings"
	"syscall"
	"testing"

	"analyzer/compose/cluster/e2e"
	"analyzer/compose/cluster/protocol"
	"analyzer/datasets/catalog"
)

// begun is a job of several at a time.
type begun struct {
	dataset string
	client  *e2e.Client
}

// beginMany submits so many jobs at once, over all data sets in turn.
func beginMany(t *testing.T, c *e2e.Cluster, jobs int, flags ...string) (all []begun) {
	t.Helper()
	for i := range jobs {
		d := catalog.All()[i%len(catalog.All())]
		args := append([]string{d.Name, "--block-size", fmt.Sprintf("%dKiB", 1<<(1+i%4))}, flags...)
		all = append(all, begun{d.Name, c.Begin(t.Context(), "", c.Submission(args...)...)})
	}
	return all
}

// TestManyJobs runs eight jobs at a time.
func TestManyJobs(t *testing.T) {
	t.Parallel()
	c := shared.Start(t, e2e.Options{Gateways: 2})
	for _, j := range beginMany(t, c, 8) {
		c.Exact(j.client.Wait(), j.dataset)
	}
	c.Leftovers()
}

// TestManyJobsWithTrouble runs eight jobs at a time, while one of them is cancelled
// by somebody else and the client of another one is gone for good.
func TestManyJobsWithTrouble(t *testing.T) {
	lengthy(t)
	t.Parallel()
	c := shared.Start(t, e2e.Options{Gateways: 2})
	// Both stand still as soon as they have their jobs, so that neither is done before
	// its trouble comes, however busy the machine is.
	held := func(args ...string) (*e2e.Client, string) {
		client := c.Begin(t.Context(), "", c.Submission(args...)...)
		id := client.AwaitJob().Job()
		if err := client.Signal(syscall.SIGSTOP); err != nil {
			t.Fatal(err)
		}
		return client, id
	}
	cancelled, id := held("books", "--block-size", "1KiB")
	doomed, gone := held("steam", "--block-size", "1KiB", "--job-ttl", protocol.MinTTL.String())
	others := beginMany(t, c, 6)
	doomed.Kill()
	if list := c.Command(t.Context(), "jobs", "list", "--gateway", c.Gateways()); !strings.Contains(string(list.Stdout), gone) {
		t.Errorf("the job whose client was killed was forgotten before its time:\n%s%s", list.Stdout, list.Stderr)
	}
	if r := c.Command(t.Context(), "jobs", "cancel", id, "--gateway", c.Gateways()); r.Code != 0 {
		t.Errorf("jobs cancel: status %d\n%s", r.Code, r.Stderr)
	}
	if err := cancelled.Signal(syscall.SIGCONT); err != nil {
		t.Fatal(err)
	}
	r := cancelled.Wait()
	if r.Code != 1 || !bytes.Contains(r.Stderr, []byte("cancelled")) || len(r.Stdout) != 0 {
		t.Errorf("the client of a cancelled job ended with status %d and %d bytes of answers:\n%s", r.Code, len(r.Stdout), r.Stderr)
	}
	for _, j := range others {
		c.Exact(j.client.Wait(), j.dataset)
	}
	c.Leftovers() // waits until it has expired
	r = c.Command(t.Context(), "jobs", "show", gone, "--gateway", c.Gateways())
	if r.Code != 1 || !bytes.Contains(r.Stderr, []byte("expired")) {
		t.Errorf("jobs show of an expired job: status %d\n%s%s", r.Code, r.Stdout, r.Stderr)
	}
}
