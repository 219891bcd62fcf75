package worker

import (
	"strings"
	"testing"
	"time"

	"analyzer/columnar/vfs"
	"analyzer/compose/cluster/protocol"
)

func TestAJobFromOpeningToItsEnd(t *testing.T) {
	for _, replicas := range []int{1, 2, 3} {
		w := newWorld(t, replicas)
		j := newJob(w).open().upload()
		j.exact()
		j.finish()
	}
}

// The state of a worker can be moved: half done, done, and by a path that is
// relative first.
func TestStateCanBeMoved(t *testing.T) {
	move := func(w *world) {
		for _, m := range w.machines {
			m.kill()
			if err := m.disk.Rename(m.state, m.state+"-moved"); err != nil {
				t.Fatal(err)
			}
			m.state += "-moved"
			m.start()
		}
	}
	w := newWorld(t, 2)
	j := newJob(w).open()
	j.send(0, 0)
	j.send(1, 0)
	w.until("rows are taken in", func() bool { return j.status(0).Status.Rows > 0 && j.status(1).Status.Rows > 0 })
	move(w)
	j.upload()
	j.exact()
	move(w)
	j.exact()
	j.finish()
}

// A worker refuses the jobs of another: their ids, seen by the other, would be
// dropped as duplicates. It takes a directory without jobs.
func TestStateOfAnotherWorkerIsRefused(t *testing.T) {
	w := newWorld(t, 3)
	j := newJob(w).open()
	a, b := w.machines[1], w.machines[2]
	a.kill()
	b.kill()
	a.disk, b.disk = b.disk, a.disk
	for m, whose := range map[*machine]string{a: "worker 2 of 3", b: "worker 1 of 3"} {
		if err := m.begin(); err == nil || !strings.Contains(err.Error(), whose) {
			t.Errorf("worker %d with the state of %s: %v", m.replica, whose, err)
		}
	}
	a.disk, b.disk = b.disk, a.disk
	a.start()
	b.start()
	j.upload()
	j.exact()
	j.finish()
	a.kill()
	b.kill()
	a.disk, b.disk = b.disk, a.disk
	a.start()
	b.start()
}

func TestTombstonesAreSweptWhenTheirTimeComes(t *testing.T) {
	disk, now := vfs.NewMem(), time.Unix(1e9, 0)
	open := func() *Tombstones {
		t.Helper()
		stones, err := OpenTombstones(disk, "/ended", time.Hour, func() time.Time { return now })
		if err != nil {
			t.Fatal(err)
		}
		return stones
	}
	stones := open()
	var ids []protocol.JobID
	for range 3 {
		ids = append(ids, protocol.NewJobID())
		if err := stones.Add(ids[len(ids)-1], "done"); err != nil {
			t.Fatal(err)
		}
		now = now.Add(20 * time.Minute)
	}
	unfinished, err := disk.Create("/ended/" + protocol.NewJobID().String() + vfs.NewSuffix)
	if err != nil {
		t.Fatal(err)
	}
	if err := unfinished.Close(); err != nil {
		t.Fatal(err)
	}
	for known := 2; known >= 0; known-- {
		for _, s := range []*Tombstones{stones, open()} {
			if err := s.Sweep(); err != nil {
				t.Fatal(err)
			}
			for i, id := range ids {
				if _, ended := s.Ended(id); ended != (i >= 3-known) {
					t.Errorf("with %d to be known, job %d is: %t", known, i, ended)
				}
			}
		}
		if names, err := disk.List("/ended"); err != nil || len(names) != known {
			t.Errorf("files %q, %v, want %d", names, err, known)
		}
		now = now.Add(20 * time.Minute)
	}
}
