package worker

import (
	"slices"
	"strings"
	"syscall"
	"testing"

	"analyzer/columnar/vfs"
	"analyzer/compose/cluster/protocol"
)

// fillDisk leaves no room on the disk but the worker's reserve, until somebody frees some.
func (m *machine) fillDisk() (free func()) {
	full := true
	m.op = func(op vfs.Op) error {
		if op.Kind == vfs.OpRemove && strings.HasSuffix(op.Name, reserveName) {
			if _, err := m.disk.Size(op.Name); err == nil {
				full = false
			}
		}
		if full && slices.Contains([]vfs.Kind{vfs.OpCreate, vfs.OpWrite}, op.Kind) {
			return syscall.ENOSPC
		}
		return nil
	}
	return func() { full = false }
}

// A job can be ended on a full disk, done or not, on the replica that decides the end and
// on others. The process goes on, and fills its reserve again.
func TestAJobEndsOnAFullDisk(t *testing.T) {
	for replica := range 2 {
		for _, uploaded := range []bool{false, true} {
			w := newWorld(t, 2)
			j := newJob(w).open()
			if uploaded {
				j.upload()
				j.exact()
			}
			m := w.machines[replica]
			m.fillDisk()
			life := m.client
			j.finish()
			if m.client != life {
				t.Errorf("worker %d died of its full disk", replica)
			}
			w.until("room is kept back again", func() bool {
				size, err := m.disk.Size(m.state + "/" + reserveName)
				return err == nil && size == m.config().Reserve
			})
		}
	}
}

// If there is no room at all, ending a job waits until there is, and no process dies.
func TestToEndAJobWaitsForRoom(t *testing.T) {
	w := newWorld(t, 2)
	j := newJob(w).open().upload()
	j.exact()
	m := w.machines[1]
	if err := m.disk.Remove(m.state + "/" + reserveName); err != nil {
		t.Fatal(err)
	}
	life, free := m.client, m.fillDisk()
	if out := w.ask(0, protocol.Request{Action: protocol.ActionEnd, Job: j.spec.ID, Reason: "done"}); out.Code != "" {
		t.Fatalf("end: %s %s", out.Code, out.Error)
	}
	for range 400 {
		w.broker.Step()
		m.step()
		w.machines[0].step()
		w.time = w.time.Add(tickEvery)
	}
	if len(m.jobs()) != 1 {
		t.Error("the job has ended without room")
	}
	free()
	w.nothing()
	if m.client != life {
		t.Error("the worker died of its full disk")
	}
}
