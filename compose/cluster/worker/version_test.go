package worker

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"analyzer/compose/cluster/protocol"
)

// A state directory as the first version of the program has left it, with two jobs
// that are done. Plans are others today, so that its jobs fail, saying why, and the
// worker serves new ones. Where the state or the plan of a job changes once more, the
// version does, and a directory of the one before joins this one.
func TestStateOfVersionOne(t *testing.T) {
	w := newWorld(t, 1)
	m := w.machines[0]
	m.kill()
	m.load("testdata/state-1/jobs")
	m.start()
	for _, name := range []string{"389ef892c25ec051837b2394960bf045", "951517e95e337f61abe6e7d8abe142a3"} {
		id, err := protocol.ParseJobID(name)
		if err != nil {
			t.Fatal(err)
		}
		out := w.ask(0, protocol.Request{Action: protocol.ActionStatus, Job: id})
		if out.Code != protocol.JobFailed || !strings.Contains(out.Error, "version 1 of the protocol") {
			t.Errorf("job %s: %s %s", id, out.Code, out.Error)
		}
	}
	j := newJob(w).open().upload()
	j.exact()
	j.finish()
}

// A request that a worker does not know is refused for that: who sent it would take it
// otherwise for a job that is not there.
func TestARequestOfAnotherVersion(t *testing.T) {
	w := newWorld(t, 1)
	for _, action := range []protocol.Action{"", "dance"} {
		out := w.ask(0, protocol.Request{Action: action, Job: protocol.NewJobID()})
		if out.Code != protocol.Refused || !strings.Contains(out.Error, "another version of the program") {
			t.Errorf("%q: %s %s", action, out.Code, out.Error)
		}
	}
}

// load puts files of the machine that tests run on among a worker's jobs.
func (m *machine) load(dir string) {
	m.w.t.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		to := m.state + "/jobs" + strings.TrimPrefix(path, dir)
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
