package worker

import (
	"log/slog"
	"testing"

	"analyzer/compose/cluster/protocol"
)

// A worker that has been started listens at once, and says that it has not taken up all of its
// jobs as long as it has not.
func TestAWorkerListensBeforeItTakesUpItsJobs(t *testing.T) {
	w := newWorld(t, 1)
	m := w.machines[0]
	before := newJob(w).open().upload()
	before.exact()
	m.kill()
	m.start()
	r := &protocol.Request{Action: protocol.ActionList, Owner: before.spec.Owner}
	if out := m.worker.list(r); len(out.Jobs) > 0 || !out.Partial {
		t.Errorf("a worker that has just been started lists %d jobs, partial: %v", len(out.Jobs), out.Partial)
	}
	before.exact()
	for m.steps[before.spec.ID] != nil {
		m.run(before.spec.ID)
	}
	if out := m.worker.list(r); len(out.Jobs) != 1 || out.Jobs[0].Job != before.spec.ID || out.Partial {
		t.Errorf("later it lists %v, partial: %v", out.Jobs, out.Partial)
	}
	before.finish()
}

// A list of more jobs than one answer holds comes in several, and has nobody else's jobs.
func TestListOfManyJobs(t *testing.T) {
	w := New(Config{}, nil, nil, slog.New(slog.DiscardHandler), nil)
	for i := range 2*mostListed + 1 {
		for _, owner := range []string{"ann", "bob"} {
			m := &member{owner: owner}
			if m.part.Store(&Part{spec: &protocol.Spec{ID: protocol.NewJobID()}}); i < mostListed || owner == "ann" {
				w.parts[m.part.Load().spec.ID] = m
			}
		}
	}
	for owner, want := range map[string]int{"ann": 2*mostListed + 1, "bob": mostListed, "eve": 0} {
		seen := make(map[*member]bool)
		var after protocol.JobID
		for more := true; more; {
			var members []*member
			if members, more = w.owned(owner, after); len(members) > mostListed {
				t.Errorf("%d jobs at once", len(members))
			}
			for _, m := range members {
				if seen[m] || m.owner != owner {
					t.Errorf("a job of %s is there twice, or is not of %s", m.owner, owner)
				}
				seen[m], after = true, m.part.Load().spec.ID
			}
		}
		if len(seen) != want {
			t.Errorf("%s has %d jobs, want %d", owner, len(seen), want)
		}
	}
}
