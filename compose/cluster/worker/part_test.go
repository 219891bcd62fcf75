package worker

import (
	"path/filepath"
	"slices"
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

// The state of a worker can be moved: with a job half done, with one done, and from a
// relative path.
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

// A worker refuses the state of another, whose ledgers would make it drop messages as
// duplicates. It takes over a directory without jobs.
func TestStateOfAnotherWorkerIsRefused(t *testing.T) {
	w := newWorld(t, 3)
	j := newJob(w).open()
	a, b := w.machines[1], w.machines[2]
	a.kill()
	b.kill()
	a.disk, b.disk = b.disk, a.disk
	for m, whose := range map[*machine]string{a: "that of worker 2,", b: "that of worker 1,"} {
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
		stones, err := OpenTombstones(disk, "/ended", time.Hour, nil, func() time.Time { return now })
		if err != nil {
			t.Fatal(err)
		}
		return stones
	}
	stones := open()
	var ids []protocol.JobID
	for range 3 {
		ids = append(ids, protocol.NewJobID())
		if err := stones.Add(ids[len(ids)-1], "tester", "done"); err != nil {
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
				if _, _, ended := s.Ended(id); ended != (i >= 3-known) {
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

// A damaged tombstone still counts: that it exists says what matters.
func TestADamagedTombstone(t *testing.T) {
	w := newWorld(t, 1)
	m := w.machines[0]
	j := newJob(w).open().upload()
	j.finish()
	for range 2 {
		m.kill()
		m.rewrite(m.state+"/ended/"+j.spec.ID.String(), func(b []byte) []byte { return b[:len(b)-5] })
		m.start()
		if out := j.status(0); out.Code != protocol.JobEnded || !strings.Contains(out.Error, "damaged") {
			t.Errorf("%s %s", out.Code, out.Error)
		}
	}
	w.time = w.time.Add(2 * time.Hour)
	w.until("it is forgotten", func() bool { _, _, ended := m.worker.Tombstones.Ended(j.spec.ID); return !ended })
}

// A worker that is killed thirty times at one failpoint, whichever that is, does not fail a
// healthy job. At failpoints of the disk, every second kill comes as soon as the worker
// passes the point, which is while it starts; the other kills come once it runs.
func TestPlainKillsNeverAddUp(t *testing.T) {
	for _, point := range Points() {
		t.Run(point, func(t *testing.T) {
			w := newWorld(t, 2)
			m := w.machines[0]
			m.pass = func(passed string) {
				if passed == point && m.deaths < 30 {
					m.die()
				}
			}
			j := newJob(w).open()
			m.op = func(op vfs.Op) error {
				if diskPoint(op) == point && m.deaths < 30 && (m.worker != nil || m.deaths%2 == 1) {
					m.die()
				}
				return nil
			}
			j.upload().exact()
			for range 500 { // it may be sending what nobody waits for
				w.once()
			}
			j.finish()
			// Of what was acknowledged nothing comes again, and so there are fewer
			// messages than that.
			fewer := point == PointAcked || point == PointAckPartial
			if m.deaths != 30 && (!fewer || m.deaths == 0) {
				t.Errorf("it was killed %d times", m.deaths)
			}
		})
	}
}

// A restarted worker listens before it computes, and answers requests for the status of a
// job while it computes.
func TestAWorkerListensBeforeItComputes(t *testing.T) {
	w := newWorld(t, 1)
	m := w.machines[0]
	m.pass = func(point string) {
		if point == PointCompute && m.deaths == 0 {
			m.die()
		}
	}
	j := newJob(w).open().upload()
	w.until("it dies in a computation", func() bool { return m.deaths > 0 })
	computed, says := false, false
	m.pass = func(point string) {
		if point != PointCompute || computed {
			return
		}
		computed = true
		request, err := protocol.EncodeRequest(&protocol.Request{ID: 1 << 20, ReplyTo: "replies", Action: protocol.ActionStatus, Job: j.spec.ID})
		if err != nil {
			t.Fatal(err)
		}
		w.publish(protocol.ControlQueue(0), request)
		for range 100 {
			w.broker.Step()
			m.hear()
			if out := w.answers[1<<20]; out != nil {
				says = out.Status.Stages[0].Phases[protocol.Computing] == 1
			}
		}
	}
	m.start()
	if computed {
		t.Error("it computes before it listens")
	}
	j.exact()
	if !says {
		t.Error("while it computed it did not say so")
	}
	j.finish()
}

// A job that needs no queues any more survives their loss.
func TestADoneJobNeedsNoQueues(t *testing.T) {
	w := newWorld(t, 2)
	done, running := newJob(w).open().upload(), newJob(w).open()
	done.exact()
	w.until("all is sent", func() bool {
		return done.status(0).Status.State == protocol.Done && done.status(1).Status.State == protocol.Done
	})
	for _, m := range w.machines {
		m.kill()
	}
	if err := w.gateway.Delete(t.Context(), slices.DeleteFunc(w.broker.Queues(), func(q string) bool { return q == "replies" })...); err != nil {
		t.Fatal(err)
	}
	for _, m := range w.machines {
		m.start()
	}
	done.exact()
	if out := running.status(1); out.Status == nil || !strings.Contains(out.Status.Reason, "the broker has lost the queue") {
		t.Errorf("a running job without queues: %+v", out)
	}
	done.finish(running)
}

// The time to live continues where it was when a worker is started again. The time that
// the worker was away does not count, since it could not hear signs of life.
func TestTheTimeToLiveSurvivesRestarts(t *testing.T) {
	w := newWorld(t, 1)
	j := newJob(w).open().upload()
	j.exact()
	m := w.machines[0]
	last := w.time
	for range 20 {
		for range 10 {
			w.time = w.time.Add(j.spec.TTL / 100)
			m.step()
		}
		m.kill()
		w.time = w.time.Add(j.spec.TTL)
		last = last.Add(j.spec.TTL)
		m.start()
		if len(m.jobs()) == 0 {
			break
		}
	}
	w.until("the job expires", func() bool { return len(m.jobs()) == 0 })
	if lived := w.time.Sub(last); lived < j.spec.TTL*9/10 || lived > j.spec.TTL*14/10 {
		t.Errorf("it lived for %v, its time to live is %v", lived, j.spec.TTL)
	}
	// A sign of life counts in the next process, too.
	j = newJob(w).open().upload()
	j.exact()
	for range 90 {
		w.time = w.time.Add(j.spec.TTL / 100)
		m.step()
	}
	j.healthy()
	for range 10 {
		m.step()
	}
	m.kill()
	m.start()
	for range 50 {
		w.time = w.time.Add(j.spec.TTL / 100)
		m.step()
	}
	j.exact()
	// What a crash leaves of the file counts for nothing: of "20ms", say, a lot.
	m.kill()
	f, err := m.disk.Create(filepath.Join(m.state, "jobs", j.spec.ID.String(), idleName))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Write([]byte("900h")); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	m.start()
	m.step()
	j.exact()
	j.finish()
}
