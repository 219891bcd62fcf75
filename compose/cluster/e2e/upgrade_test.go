package e2e_test

import (
	"flag"
	"fmt"
	"path/filepath"
	"regexp"
	"testing"

	"analyzer/compose/cluster/e2e"
	"analyzer/compose/cluster/protocol"
)

var before = flag.String("before", "", "the program of the release before, for TestUpgrade; default: this one, as far as it speaks the protocol of that release")

// TestUpgrade replaces the processes of a cluster by those of the next version one by one, as
// they are asked to end, while clients of both versions upload tables and have gateways read them.
// Each job is exact, and has the newest version that all speak. What a job of the version before has
// received, computed or been appended before counts after.
func TestUpgrade(t *testing.T) {
	lengthy(t)
	t.Parallel()
	old, now := *before, shared.Program(t)
	if old == "" {
		old = shared.ProgramBefore(t)
	}
	programs := make(map[string]string)
	for _, name := range []string{"worker 0", "worker 1", "gateway 0", "gateway 1"} {
		programs[name] = old
	}
	c, source := reading(t, e2e.Options{Gateways: 2, Programs: programs}, "steam")
	both := []*e2e.Cluster{c.ClientsOf(old), c.ClientsOf(now)}
	movies, steam := c.Generated("movies", "0.001"), filepath.Join(source, "steam")
	parts := splitTable(t, filepath.Join(movies, "ratings.csv"), 2)

	kept := both[0].Submit(t.Context(), "movies", movies, "--detach").Job()
	open := both[0].Submit(t.Context(), "movies", movies, "--open", "--table", "ratings="+parts[0])
	if kept == "" || open.Code != 0 {
		t.Fatalf("jobs of before: %q, %s", kept, open.Stderr)
	}
	for i, name := range []string{"worker 1", "gateway 0", "worker 0", "gateway 1"} {
		var running []*e2e.Client
		for _, by := range both {
			running = append(running, by.Begin(t.Context(), "", by.Submission("movies", movies, "--block-size", "4KiB")...))
		}
		running = append(running, both[i%2].Begin(t.Context(), "", c.Submission("steam", "--at", steam, "--block-size", "256KiB")...))
		for _, k := range running {
			k.AwaitJob()
		}
		p := c.Process(name)
		p.Runs(now)
		if status, took := p.Terminate(); status != 0 {
			t.Errorf("%s ended with status %d after %v", name, status, took)
		}
		exact := c.Exact(running[0].Wait(), "movies", movies) && c.Exact(running[1].Wait(), "movies", movies) && c.Exact(running[2].Wait(), "steam", steam)
		if !exact {
			t.Errorf("%s was replaced while these jobs ran", name)
		}
		c.AwaitReady()
	}
	if r := c.Command(t.Context(), "append", open.Job(), "--table", "ratings="+parts[1], "--gateway", c.Gateways()); r.Code != 0 {
		t.Errorf("append to a job of before: %s", r.Stderr)
	}
	c.Exact(c.Command(t.Context(), "close", open.Job(), "--gateway", c.Gateways(), "--format", "json"), "movies", movies)
	c.Exact(c.Command(t.Context(), "jobs", "results", kept, "--gateway", c.Gateways(), "--format", "json"), "movies", movies)
	for i, want := range []int{protocol.Oldest, protocol.Version} {
		r := both[i].Submit(t.Context(), "movies", movies)
		c.Exact(r, "movies", movies)
		opened := regexp.MustCompile(fmt.Sprintf(`msg="job opened" .*job=%s .*version=%d\n`, r.Job(), want))
		if log := c.Gateway(0).Log() + c.Gateway(1).Log(); !opened.MatchString(log) {
			t.Errorf("job %s of client %d is not of version %d", r.Job(), i, want)
		}
	}
	if r := c.Command(t.Context(), "jobs", "cancel", kept, "--gateway", c.Gateways()); r.Code != 0 {
		t.Errorf("jobs cancel: %s", r.Stderr)
	}
	c.Leftovers()
}
