package worker

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"analyzer/columnar/vfs"
	"analyzer/columnar/vfs/vfstest"
	"analyzer/compose/cluster/protocol"
)

// TestEveryOperationOfAPartFails makes each operation on a worker's disk fail, one per run, from
// the opening of a job to its end. An opening that is refused leaves nothing, and can be
// repeated, as can an end that cannot be written down, and a request for a page that cannot be
// read. Whatever else fails fails the job, with an error that says why, or ends the process,
// and the next one goes on to the exact answer. In the end nothing is left.
func TestEveryOperationOfAPartFails(t *testing.T) {
	refused, lost, deaths := 0, 0, 0
	for n, failed := int64(0), true; failed; n++ {
		w := newWorld(t, 1)
		m, j := w.machines[0], newJob(w)
		what, nth := "", vfstest.FailNth(n)
		m.op = func(op vfs.Op) error {
			err := nth(op)
			if err != nil {
				what = fmt.Sprintf("operation %d, %s of %s, fails: ", n, op.Kind, op.Name)
			}
			return err
		}
		life, before := m.client, m.disk.OpenFiles()
		if out := w.ask(0, j.opening()); out.Code != "" {
			if refused++; out.Code != protocol.Trouble || out.Error == "" || what == "" {
				t.Errorf("%sthe opening is refused: %s %q", what, out.Code, out.Error)
			}
			if m.client == life && !slices.Equal(m.disk.OpenFiles(), before) {
				t.Errorf("%sfiles are open: %q", what, m.disk.OpenFiles())
			}
			w.nothing()
			j.open()
		}
		if why := j.upload().outcome(); why == "" {
			fault := m.op
			m.op = nil // the first page was already read with it
			j.exact()
			m.op = fault
		} else if lost++; !strings.Contains(why, vfstest.ErrInjected.Error()) {
			t.Errorf("%sthe job fails: %s", what, why)
		}
		ending := protocol.Request{Action: protocol.ActionEnd, Job: j.spec.ID, Reason: "done"}
		out := w.ask(0, ending)
		for out.Code == protocol.Trouble && strings.Contains(out.Error, vfstest.ErrInjected.Error()) {
			out = w.ask(0, ending)
		}
		if out.Code != "" && out.Code != protocol.JobEnded { // the process that wrote it down may have died
			t.Errorf("%sthe job does not end: %s %s", what, out.Code, out.Error)
		}
		w.nothing()
		if m.client == life && !slices.Equal(m.disk.OpenFiles(), before) {
			t.Errorf("%sin the end files are open: %q", what, m.disk.OpenFiles())
		}
		if used := m.worker.Runtime.Budget.Used(); used != 0 {
			t.Errorf("%sin the end %d bytes are reserved", what, used)
		}
		if m.client != life {
			deaths++
		}
		if failed = what != ""; t.Failed() {
			t.Fatal(what)
		}
	}
	if refused == 0 || lost == 0 || deaths == 0 {
		t.Errorf("%d openings were refused, %d jobs failed, and %d processes ended", refused, lost, deaths)
	}
}

// outcome waits for the answer, and returns why there is none.
func (j *testJob) outcome() (why string) {
	j.w.t.Helper()
	for {
		switch out := j.w.ask(0, protocol.Request{Action: protocol.ActionPage, Job: j.spec.ID, Query: "q"}); {
		case out.Code == protocol.Trouble && strings.Contains(out.Error, vfstest.ErrInjected.Error()):
		case out.Code != "":
			return out.Error
		case out.Ready:
			return ""
		}
	}
}

// TestEveryClaimOfAPartIsRefused refuses each claim on a worker's memory, one per job: the answer
// is exact all the same, and in the end nothing is reserved.
func TestEveryClaimOfAPartIsRefused(t *testing.T) {
	refused := 0
	for n, hit := 0, true; hit; n++ {
		hit = false
		w := newWorld(t, 1)
		m, j, claims := w.machines[0], newJob(w), 0
		m.worker.Runtime.Budget.Refuse(func() bool {
			claims++
			hit = hit || claims == n+1
			return claims == n+1
		})
		j.open()
		j.upload()
		j.exact()
		w.ask(0, protocol.Request{Action: protocol.ActionEnd, Job: j.spec.ID, Reason: "done"})
		w.nothing()
		if used := m.worker.Runtime.Budget.Used(); used != 0 {
			t.Errorf("claim %d: in the end %d bytes are reserved", n, used)
		}
		if hit {
			refused++
		}
		if t.Failed() {
			t.Fatalf("claim %d is refused", n)
		}
	}
	if refused == 0 {
		t.Error("no claim was refused")
	}
}
