package e2e_test

import (
	"testing"
	"time"

	"analyzer/compose/cluster/e2e"
)

// What a worker has put on disk for want of memory when it is killed is gone when
// the job has ended.
func TestKilledWhileItSpills(t *testing.T) {
	lengthy(t)
	t.Parallel()
	c := shared.Start(t, e2e.Options{Workers: 1, Memory: "1MiB"})
	dir := c.Generated("books", "0.1")
	k := c.Begin(t.Context(), "", c.Submission("books", dir, "--query", "q2")...)
	for end := time.Now().Add(time.Minute); len(c.Spilled()) == 0; time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("nothing was spilled\n%s", k.Wait().Stderr)
		}
	}
	c.Worker(0).Kill()
	c.Exact(k.Wait(), "books", dir, "--query", "q2")
	c.Leftovers()
}
