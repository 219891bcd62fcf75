package worker

import (
	"strings"
	"testing"

	"analyzer/columnar/vfs"
	"analyzer/compose/cluster/protocol"
)

// A cut answers for the first batches that have come to all replicas, in whatever order
// they came. It survives the death of a worker at any point, as any job does. So does the
// job that is cut, which may already have computed what the cut computes.
func TestCut(t *testing.T) {
	for _, point := range append(Points(), "none") {
		t.Run(point, func(t *testing.T) {
			w := newWorld(t, 2)
			j := newJob(w)
			j.spec.Follow = true
			j.open()
			for _, b := range []int{3, 1, 0, 2} {
				j.send(0, b)
			}
			j.end(0)
			for _, b := range []int{6, 0, 2, 1, 5, 3} {
				j.send(1, b)
			}
			j.publish(1, 0, 4) // and not to replica 1
			part := j.cut([2]uint64{4, 4})
			m := w.machines[1]
			hit := 0
			m.pass = func(passed string) {
				if hit++; passed == point && m.deaths < 2 && hit%2 == 0 {
					m.die()
				}
			}
			part.take()
			part.endAt(0, 4)
			part.endAt(1, 4)
			part.exactOf(4 * perBatch)

			for b := range batches(voteCount) { // some of them again
				j.send(1, b)
			}
			j.end(1)
			j.exact()
			whole := j.cut([2]uint64{4, 12})
			whole.take()
			part.exactOf(4 * perBatch)
			whole.endAt(0, 4)
			whole.endAt(1, 12)
			whole.exact()
			j.finish(part, whole)
		})
	}
}

// cut waits until so many batches of films and votes have come everywhere, and makes
// a cut of the job.
func (j *testJob) cut(wanted [2]uint64) *testJob {
	j.w.t.Helper()
	for range 100 {
		var reached []map[int]uint64
		for r := range j.w.machines {
			reached = append(reached, j.w.ask(r, protocol.Request{Action: protocol.ActionReach, Job: j.spec.ID}).Reach)
		}
		spec, err := j.spec.NewCut(protocol.NewJobID(), reached, j.w.time)
		if err != nil {
			j.w.t.Fatal(err)
		}
		if come := spec.CutTables(); come["films"] == wanted[0] && come["votes"] == wanted[1] {
			return &testJob{w: j.w, spec: spec}
		}
	}
	j.w.t.Fatalf("%v batches have never come", wanted)
	return nil
}

// take opens a cut on all replicas. One that has died may have to wait for batches
// that come again.
func (j *testJob) take() {
	j.w.t.Helper()
	text, err := j.spec.Encode()
	if err != nil {
		j.w.t.Fatal(err)
	}
	for r := range j.w.machines {
		j.w.until("the cut is open", func() bool {
			out := j.w.ask(r, protocol.Request{Action: protocol.ActionOpen, Job: j.spec.ID, Spec: text})
			if out.Code != "" && out.Code != protocol.Trouble {
				j.w.t.Fatalf("open on %d: %s %s", r, out.Code, out.Error)
			}
			return out.Code == ""
		})
	}
}

// What is not there, not followed or has ended has no cuts.
func TestNoCut(t *testing.T) {
	w := newWorld(t, 1)
	j := newJob(w)
	reached := []map[int]uint64{{}}
	if _, err := j.spec.NewCut(protocol.NewJobID(), reached, w.time); err == nil {
		t.Error("a job that is not followed has a cut")
	}
	j.spec.Follow = true
	spec, err := j.spec.NewCut(protocol.NewJobID(), []map[int]uint64{{0: 2, 1: 0}}, w.time)
	if err != nil {
		t.Fatal(err)
	}
	part := &testJob{w: w, spec: spec}
	code := func(want protocol.Code) {
		t.Helper()
		text, err := part.spec.Encode()
		if err != nil {
			t.Fatal(err)
		}
		if out := w.ask(0, protocol.Request{Action: protocol.ActionOpen, Job: part.spec.ID, Spec: text}); out.Code != want {
			t.Errorf("%s %s, not %s", out.Code, out.Error, want)
		}
	}
	code(protocol.Refused)
	j.open()
	code(protocol.Trouble) // the batches have not come
	j.finish()
	code(protocol.Refused)
}

// A duplicate request to open a cut waits for the job that is cut. If it is served after
// the end of the cut, it does not bring the cut back.
func TestACutThatHasEndedStaysEnded(t *testing.T) {
	w := newWorld(t, 1)
	j := newOpenJob(w).open()
	j.send(0, 0)
	part := j.cut([2]uint64{1, 0})
	part.take()
	for range 100 { // steps that it has to wait for
		w.tell(0, protocol.Request{Action: protocol.ActionStatus, Job: j.spec.ID})
	}
	text, err := part.spec.Encode()
	if err != nil {
		t.Fatal(err)
	}
	w.tell(0, protocol.Request{Action: protocol.ActionOpen, Job: part.spec.ID, Spec: text})
	box := w.machines[0].worker.member(j.spec.ID).box
	for ; box.waiting() <= 100; w.broker.Step() {
		w.machines[0].hear()
	}
	part.cancel()
	there := func() bool { return len(w.machines[0].jobs()) > 1 }
	w.until("the cut has ended", func() bool { return !there() })
	waiting := box.waiting()
	if waiting < 10 {
		t.Fatal("the request did not wait")
	}
	for range 2 * waiting { // each is a step of the job, and there may be ticks
		w.machines[0].step()
	}
	if there() {
		t.Error("the cut is there again")
	}
	j.finish()
}

// A cut has one segment open at a time, of the job that is cut as well as its own.
func TestACutOpensFewFiles(t *testing.T) {
	w := newWorld(t, 1)
	j := newOpenJob(w).open()
	m := w.machines[0]
	for b := range 2 { // each is a commit of its own
		j.send(0, b)
		j.send(1, b)
		w.settle()
	}
	opened, open, most := 0, make(map[string]bool), 0
	m.op = func(op vfs.Op) error {
		if !strings.HasSuffix(op.Name, ".arrow") {
			return nil
		}
		switch op.Kind {
		case vfs.OpOpen:
			opened++
			open[op.Name] = true
		case vfs.OpClose:
			delete(open, op.Name)
		}
		most = max(most, len(open))
		return nil
	}
	part := j.cut([2]uint64{2, 2})
	part.take()
	if opened < 4 || most > 1 {
		t.Errorf("%d segments were opened, at most %d at a time", opened, most)
	}
	j.finish(part)
}
