package worker

import (
	"strings"
	"syscall"
	"testing"
	"time"

	"analyzer/columnar/vfs"
	"analyzer/compose/cluster/protocol"
)

// crash leaves what the Go runtime writes when it ends a process.
func (m *machine) crash(text string) {
	m.w.t.Helper()
	f, err := m.disk.Create(m.state + "/" + crashName)
	if err != nil {
		m.w.t.Fatal(err)
	}
	if _, err := f.Write([]byte(text)); err != nil {
		m.w.t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		m.w.t.Fatal(err)
	}
}

const outOfMemory = "runtime: out of memory: cannot allocate 4194304-byte block\nfatal error: out of memory\n\ngoroutine 7 [running]:\n"

// A job in whose steps the runtime ends processes is retried after growing pauses, and
// fails with a reason after some deaths. Another job on the same worker does not notice.
func TestAJobThatItsWorkersDieOf(t *testing.T) {
	w := newWorld(t, 2)
	m := w.machines[0]
	sick, sound := newJob(w).open(), newJob(w).open()
	var tries []time.Time
	last := ""
	m.pass = func(point string) { last = point }
	m.op = func(op vfs.Op) error {
		if last == PointCompute && op.Kind == vfs.OpCreate && strings.Contains(op.Name, sick.spec.ID.String()) {
			last = ""
			tries = append(tries, w.time)
			m.crash(outOfMemory)
			m.die()
		}
		return nil
	}
	sick.upload()
	sound.upload()
	sound.exact()
	w.until("the sick job fails", func() bool { return sick.status(0).Status.Reason != "" })
	reason := sick.status(0).Status.Reason
	if !strings.Contains(reason, "worker 0 has died of it 3 times") || !strings.Contains(reason, "out of memory") {
		t.Errorf("it failed: %s", reason)
	}
	if len(tries) != 1+maxDeaths { // the first one cannot be told from others
		t.Fatalf("it was tried at %v", tries)
	}
	if first, second := tries[2].Sub(tries[1]), tries[3].Sub(tries[2]); first < time.Second || second < 2*first {
		t.Errorf("pauses of %v and %v do not grow", first, second)
	}
	sound.exact()
	sound.finish(sick)
}

// A job that processes die of also fails on a full disk, where apart from the reserve only
// empty files have room.
func TestAJobThatItsWorkersDieOfOnAFullDisk(t *testing.T) {
	w := newWorld(t, 1)
	m := w.machines[0]
	m.bytes = 1 // so that all is logged before there is no room for that
	m.kill()
	m.start()
	j := newJob(w).open()
	full, tries := true, 0
	m.op = func(op vfs.Op) error {
		if op.Kind == vfs.OpRemove && strings.HasSuffix(op.Name, reserveName) {
			full = false
		}
		if full && tries > 0 && op.Kind == vfs.OpWrite {
			return syscall.ENOSPC
		}
		return nil
	}
	m.pass = func(point string) {
		if point == PointCompute {
			tries++
			m.crash(outOfMemory)
			m.die()
		}
	}
	j.upload()
	w.until("the job fails", func() bool { return j.status(0).Status.Reason != "" })
	if tries != 1+maxDeaths {
		t.Errorf("it was tried %d times", tries)
	}
	j.finish()
}

// A goroutine dump that somebody asked for blames no job, nor does a death without output.
func TestADeathThatIsNobodysFault(t *testing.T) {
	for _, text := range []string{"", "SIGQUIT: quit\nPC=0x1 m=0 sigcode=0\n"} {
		w := newWorld(t, 1)
		m := w.machines[0]
		m.pass = func(point string) {
			if point == PointCompute && m.deaths < 10 {
				m.crash(text)
				m.die()
			}
		}
		j := newJob(w).open().upload()
		j.exact()
		j.finish()
		if m.deaths != 10 {
			t.Errorf("it died %d times", m.deaths)
		}
	}
}

// A panic fails the job in whose step it happens.
func TestAFaultInAStep(t *testing.T) {
	w := newWorld(t, 1)
	sick, sound := newJob(w).open(), newJob(w).open()
	m := w.machines[0].worker.member(sick.spec.ID)
	m.box.within(func() { panic("boom") })
	out := sick.status(0)
	if out.Status == nil || out.Status.State != protocol.Failing || !strings.Contains(out.Status.Reason, "a fault of the program") {
		t.Errorf("the job with the fault: %+v", out)
	}
	sound.upload()
	sound.exact()
	sound.finish(sick)
}
