package worker

import (
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"analyzer/columnar/segment"
	"analyzer/columnar/vfs"
	"analyzer/compose/cluster/protocol"
)

var rewrite = flag.Bool("rewrite", false, "rewrite the state of this version in testdata")

// stateOf is the directory in which a worker of a version has left its state.
func stateOf(version int) string { return fmt.Sprintf("testdata/state-%d", version) }

// TestStateOfThisVersion recovers the state that a worker of this version once left, and that of
// one of the version before. If the test fails, the state or the plan of
// jobs has changed, and the version has to change as well: a worker of the new program
// would misread the old state. Then make a new directory with -rewrite, keep this one, which
// is that of the version before, and read both.
func TestStateOfThisVersion(t *testing.T) {
	if *rewrite {
		leave(newWorld(t, 1))
	}
	for version := protocol.Oldest; version <= protocol.Version; version++ {
		t.Run(fmt.Sprint(version), func(t *testing.T) { recoverState(t, stateOf(version)) })
	}
}

// recoverState goes on with a job that was done, one whose tables had come in part, one whose
// worker died while emitting, one that had failed, and one that had ended.
func recoverState(t *testing.T, state string) {
	t.Helper()
	w := newWorld(t, 1)
	m := w.machines[0]
	m.kill()
	m.load(state)
	found := make(map[string]*testJob)
	for _, id := range jobsIn(t, state) {
		j := &testJob{w: w, spec: m.specOf(id)}
		found[j.spec.Label] = j
		if j.spec.Label == "receiving" || j.spec.Label == "emitting" {
			if err := w.gateway.Declare(t.Context(), j.spec.OwnQueue(0)); err != nil {
				t.Fatal(err)
			}
		}
	}
	if len(found) != 4 {
		t.Fatalf("there are %d jobs", len(found))
	}
	m.start()
	found["done"].exact()
	for _, label := range []string{"receiving", "emitting"} {
		j := found[label]
		before := j.status(0).Status
		if before.Rows == 0 {
			t.Errorf("%s: nothing has come to it", label)
		}
		for i := range filesLeft {
			if label == "receiving" && !j.knows(i) {
				t.Errorf("file %d was forgotten", i)
			}
		}
		j.upload().exact()
		if after := j.status(0).Status; label == "emitting" && after.Stages[0].Batches != before.Stages[0].Batches {
			t.Errorf("%s: messages count twice: %+v, then %+v", label, before.Stages, after.Stages)
		}
	}
	if out := found["failed"].status(0); out.Status.State != protocol.Failing || !strings.Contains(out.Status.Reason, "the broker has lost the queue") {
		t.Errorf("failed: %+v", out.Status)
	}
	ended, err := os.ReadDir(state + "/ended")
	if err != nil || len(ended) != 1 {
		t.Fatalf("ended: %v %v", ended, err)
	}
	id, err := protocol.ParseJobID(ended[0].Name())
	if err != nil {
		t.Fatal(err)
	}
	if out := w.ask(0, protocol.Request{Action: protocol.ActionStatus, Job: id}); out.Code != protocol.JobEnded || out.Error != "done" {
		t.Errorf("ended: %s %s", out.Code, out.Error)
	}
	found["done"].finish(found["receiving"], found["emitting"], found["failed"])
}

// filesLeft is how many appended files the state knows: some of them in segments.
const filesLeft = 10

// leave brings a worker to the state that is kept.
func leave(w *world) {
	m := w.machines[0]
	named := func(label string) *testJob {
		j := newJob(w)
		j.spec.Label = label
		return j.open()
	}
	named("ended").upload().cancel()
	w.nothing()
	named("done").upload().exact()
	j := named("receiving")
	j.send(0, 1)
	j.end(0)
	j.send(1, 3)
	w.until("they are written down", func() bool { return j.status(0).Status.Rows == 2*perBatch })
	for i := range filesLeft {
		j.append(i)
	}
	j = named("failed")
	if err := w.gateway.Delete(w.t.Context(), j.spec.QueueNames()...); err != nil {
		w.t.Fatal(err)
	}
	w.until("it fails", func() bool { return j.status(0).Status.State == protocol.Failing })
	j = named("emitting").upload()
	m.pass = func(point string) {
		if point == PointEmitPartial {
			m.die()
		}
	}
	w.until("it dies", func() bool { return m.deaths > 0 })
	m.save(stateOf(protocol.Version))
}

// specOf reads the spec of a job from its state.
func (m *machine) specOf(id protocol.JobID) *protocol.Spec {
	m.w.t.Helper()
	store, err := segment.OpenStore(m.disk, m.state+"/jobs/"+id.String())
	if err != nil {
		m.w.t.Fatal(err)
	}
	_, spec, err := decodeDurable(store.Payload(), 0)
	if err = errors.Join(err, store.Close()); err != nil {
		m.w.t.Fatal(err)
	}
	return spec
}

// Jobs of the version before the last fail with a reason, since plans have changed, and the worker
// serves new jobs.
func TestStateOfAnEarlierVersion(t *testing.T) {
	const version = protocol.Oldest - 1
	w := newWorld(t, 1)
	m := w.machines[0]
	m.kill()
	m.load(stateOf(version))
	m.start()
	for _, id := range jobsIn(t, stateOf(version)) {
		out := w.ask(0, protocol.Request{Action: protocol.ActionStatus, Job: id})
		if out.Code != protocol.JobFailed || !strings.Contains(out.Error, fmt.Sprintf("version %d of the protocol", version)) {
			t.Errorf("job %s: %s %s", id, out.Code, out.Error)
		}
	}
	j := newJob(w).open().upload()
	j.exact()
	j.finish()
}

// A request that a worker does not know is refused as such; otherwise the sender would
// conclude that there is no such job.
func TestARequestOfAnotherVersion(t *testing.T) {
	w := newWorld(t, 1)
	for _, action := range []protocol.Action{"", "dance"} {
		out := w.ask(0, protocol.Request{Action: action, Job: protocol.NewJobID()})
		if out.Code != protocol.Refused || !strings.Contains(out.Error, "another version of the program") {
			t.Errorf("%q: %s %s", action, out.Code, out.Error)
		}
	}
}

// jobsIn returns the jobs of a state.
func jobsIn(t *testing.T, state string) (ids []protocol.JobID) {
	t.Helper()
	entries, err := os.ReadDir(state + "/jobs")
	for _, e := range entries {
		id, wrong := protocol.ParseJobID(e.Name())
		if wrong != nil {
			err = wrong
		}
		ids = append(ids, id)
	}
	if err != nil || len(ids) == 0 {
		t.Fatalf("%d jobs in %s: %v", len(ids), state, err)
	}
	return ids
}

// load copies files of the real file system into a worker's state.
func (m *machine) load(dir string) {
	m.w.t.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		to := m.state + strings.TrimPrefix(path, dir)
		if d.IsDir() {
			return m.disk.MkdirAll(to)
		}
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		f, err := m.disk.Create(to)
		if err != nil {
			return err
		}
		if _, err := f.Write(content); err != nil {
			return err
		}
		return f.Close()
	})
	if err != nil {
		m.w.t.Fatal(err)
	}
}

// save copies a worker's state to the real file system, without the reserve.
func (m *machine) save(dir string) {
	m.w.t.Helper()
	if err := os.RemoveAll(dir); err != nil {
		m.w.t.Fatal(err)
	}
	var save func(from, to string) error
	save = func(from, to string) error {
		names, err := m.disk.List(from)
		if err != nil {
			content, err := vfs.ReadFile(m.disk, from)
			if err != nil || filepath.Base(from) == reserveName {
				return err
			}
			return os.WriteFile(to, content, 0o644)
		}
		err = os.MkdirAll(to, 0o755)
		for _, name := range names {
			if err == nil {
				err = save(filepath.Join(from, name), filepath.Join(to, name))
			}
		}
		return err
	}
	if err := save(m.state, dir); err != nil {
		m.w.t.Fatal(err)
	}
}
