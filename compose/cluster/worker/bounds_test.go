package worker

import (
	"strings"
	"testing"

	"analyzer/compose/cluster/protocol"
)

// Who has as many jobs as one client may is refused by name, others are not, and all are
// once there are as many as there may be. What has ended makes room, and cuts are counted
// apart.
func TestBoundsOfJobs(t *testing.T) {
	w := newWorld(t, 1)
	w.machines[0].worker.Bounds = Bounds{All: 3, Owned: 2}
	open := func(owner string) (*testJob, *protocol.Response) {
		t.Helper()
		j := newOpenJob(w)
		j.spec.Owner = owner
		text, err := j.spec.Encode()
		if err != nil {
			t.Fatal(err)
		}
		return j, w.ask(0, protocol.Request{Action: protocol.ActionOpen, Job: j.spec.ID, Spec: text})
	}
	well := func(owner string) *testJob {
		t.Helper()
		j, out := open(owner)
		if out.Code != "" {
			t.Fatalf("a job of %s: %s %s", owner, out.Code, out.Error)
		}
		return j
	}
	full := func(owner, want string) {
		t.Helper()
		if _, out := open(owner); out.Code != protocol.TooMany || !strings.Contains(out.Error, want) {
			t.Errorf("a job of %s: %s %q, want %q", owner, out.Code, out.Error, want)
		}
	}
	first := well("greedy")
	again := well("greedy")
	full("greedy", "greedy has 2 jobs, and one client may have 2")
	last := well("modest")
	full("other", "there are 3 jobs, 0 of them of other, and 3 are possible")
	first.send(0, 0)
	cut := first.cut([2]uint64{1, 0})
	cut.take()
	cut.cancel()
	first.cancel()
	w.until("it has ended", func() bool { return len(w.machines[0].jobs()) == 2 })
	for _, j := range []*testJob{well("other"), again, last} {
		j.cancel()
	}
	w.nothing()
}
