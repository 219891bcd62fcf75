package worker

import (
	"strings"
	"testing"
	"time"

	"analyzer/columnar/vfs"
	"analyzer/compose/cluster/protocol"
)

// look asks for a job's status as an onlooker.
func (j *testJob) look(replica int) *protocol.Response {
	j.w.t.Helper()
	return j.w.ask(replica, protocol.Request{Action: protocol.ActionStatus, Job: j.spec.ID, Onlooker: true})
}

// pass lets time pass, in which others look at the job, and its workers die now and then. It
// reports whether the job is still there.
func (j *testJob) pass(d time.Duration) bool {
	j.w.t.Helper()
	for end := j.w.time.Add(d); j.w.time.Before(end); j.w.time = j.w.time.Add(5 * time.Second) {
		if j.look(0).Code != "" {
			return false
		}
		j.w.ask(0, protocol.Request{Action: protocol.ActionDescribe, Job: j.spec.ID})
	}
	for _, m := range j.w.machines {
		m.kill()
	}
	return j.look(0).Code == ""
}

// An opening that the job's client does not confirm ends soon, whoever looks at it.
func TestAnOpeningThatNobodyConfirms(t *testing.T) {
	for name, open := range map[string]func(w *world) *testJob{
		"job":      newJob,
		"open job": newOpenJob,
		"cut": func(w *world) *testJob {
			j := newOpenJob(w).open()
			j.send(0, 0)
			j.send(1, 0)
			return j.cut([2]uint64{1, 1})
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, 2)
			j := open(w)
			if j.take(); j.spec.Cut != nil { // the gateway does this by itself
				j.endAt(0, 1)
				j.endAt(1, 1)
			}
			if s := j.look(0).Status; s.State != protocol.Opening || s.Expires.Sub(w.time) > confirmTime {
				t.Errorf("at first it is %+v", s)
			}
			if s := j.look(1).Status; s.State == protocol.Opening {
				t.Errorf("worker 1 knows better: %+v", s)
			}
			for range 6 {
				if !j.pass(confirmTime / 3) {
					break
				}
			}
			if out := j.look(0); out.Code != protocol.JobEnded || !strings.Contains(out.Error, "has not gone on with it for 1m0s") {
				t.Errorf("in the end: %+v", out)
			}
			if cut := j.spec.Cut; cut != nil {
				(&testJob{w: w, spec: &protocol.Spec{ID: cut.Of}}).cancel()
			}
			w.nothing()
		})
	}
}

// A sign of life of the client makes a job of an opening, and is not forgotten.
func TestAnOpeningThatIsConfirmed(t *testing.T) {
	for name, confirm := range map[string]func(j *testJob){
		"by a look":  func(j *testJob) { j.status(0) },
		"by a batch": func(j *testJob) { j.send(0, 0) },
	} {
		w := newWorld(t, 1)
		j := newJob(w).open()
		confirm(j)
		w.until("it is confirmed", func() bool { return j.look(0).Status.State == protocol.Running })
		w.time = w.time.Add(time.Second) // for a commit
		w.until("a tick has come", func() bool { return j.look(0) != nil })
		for range 12 {
			if !j.pass(confirmTime / 3) {
				t.Fatalf("%s: it has ended: %+v", name, j.look(0))
			}
		}
		j.finish()
	}
}

// A worker that knows of a confirmed job still does after a restart, or hears it from worker 0. So
// it asks nobody again and again, and writes hardly anything while nothing happens.
func TestAConfirmedJobIsLeftAlone(t *testing.T) {
	for name, known := range map[string]bool{"worker 1 is told": true, "worker 0 alone is told": false} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, 2)
			j := newOpenJob(w)
			j.spec.TTL = 24 * time.Hour
			j.open().status(0)
			if known {
				j.status(1)
			}
			wait := func(d time.Duration) {
				for end := w.time.Add(d); w.time.Before(end); w.time = w.time.Add(time.Second) {
					for range 10 {
						w.once()
					}
				}
			}
			wait(2 * confirmAgain)
			m := w.machines[1]
			m.kill()
			if !known {
				wait(2 * confirmTime)
			}
			written := 0
			m.op = func(op vfs.Op) error {
				if op.Kind == vfs.OpWrite {
					written++
				}
				return nil
			}
			wait(5 * time.Minute)
			m.op = nil
			if written > 2 {
				t.Errorf("it has written %d times in five minutes", written)
			}
			if p := m.part(j.spec.ID); !p.confirmed.Load() || p.d.Unconfirmed {
				t.Errorf("it does not know that the job is confirmed: %v, durably %v", p.confirmed.Load(), !p.d.Unconfirmed)
			}
			j.finish()
		})
	}
}

// A request to open a job that reaches a worker after the job has ended elsewhere opens
// nothing that lasts.
func TestALateOpening(t *testing.T) {
	w := newWorld(t, 2)
	j := newJob(w)
	text, err := j.spec.Encode()
	if err != nil {
		t.Fatal(err)
	}
	if out := w.ask(0, protocol.Request{Action: protocol.ActionEnd, Job: j.spec.ID}); out.Code != protocol.NoJob {
		t.Fatalf("it is there: %+v", out)
	}
	if out := w.ask(1, protocol.Request{Action: protocol.ActionOpen, Job: j.spec.ID, Spec: text}); out.Code != "" {
		t.Fatalf("open: %+v", out)
	}
	w.time = w.time.Add(confirmTime)
	w.nothing()
}
