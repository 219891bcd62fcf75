package worker

import (
	"bytes"
	"strings"
	"testing"

	"analyzer/columnar/frame"
	"analyzer/columnar/segment"
	"analyzer/columnar/vfs"
	"analyzer/compose/cluster/protocol"
)

// dir is where a machine keeps a job.
func (m *machine) dir(j *testJob) string { return m.state + "/jobs/" + j.spec.ID.String() }

// rewrite changes a file.
func (m *machine) rewrite(path string, change func([]byte) []byte) {
	m.w.t.Helper()
	content, err := vfs.ReadFile(m.disk, path)
	if err == nil {
		err = vfs.Replace(m.disk, path, change(content))
	}
	if err != nil {
		m.w.t.Fatal(err)
	}
}

// A job whose state cannot be read fails with a reason, and its state is kept. The other
// jobs are served, and once the job has ended nothing of it is left at the broker.
func TestAJobWhoseStateCannotBeReadIsSetAside(t *testing.T) {
	for name, damage := range map[string]func(m *machine, j *testJob){
		"a manifest cut short": func(m *machine, j *testJob) {
			m.rewrite(m.dir(j)+"/MANIFEST", func(b []byte) []byte { return b[:len(b)-5] })
		},
		"another version": func(m *machine, j *testJob) {
			store, err := segment.OpenStore(m.disk, m.dir(j))
			if err != nil {
				t.Fatal(err)
			}
			spec, rest, err := frame.Decode(store.Payload(), len(store.Payload()))
			if err != nil {
				t.Fatal(err)
			}
			other := bytes.Replace(spec, []byte(`"version":`), []byte(`"version":9`), 1)
			if err := store.Commit(segment.Change{Payload: append(frame.Append(nil, other), rest...)}); err != nil {
				t.Fatal(err)
			}
		},
	} {
		for _, replica := range []int{0, 1} {
			w := newWorld(t, 2)
			sick, sound := newJob(w).open().upload(), newJob(w).open().upload()
			sick.exact()
			sound.exact()
			m := w.machines[replica]
			for range 2 {
				m.kill()
				if len(m.w.machines) > 0 && m.deaths == 0 {
					damage(m, sick)
					m.deaths++
				}
				m.start()
				sound.exact()
				out := sick.status(replica)
				if out.Code != protocol.JobFailed || !strings.Contains(out.Error, "submit the job again") || strings.Contains(out.Error, m.state+"/") {
					t.Errorf("%s on %d: %s %q", name, replica, out.Code, out.Error)
				}
			}
			sick.endAnyhow()
			sound.finish()
			if names, err := m.disk.List(m.state + "/aside"); err != nil || len(names) != 1 {
				t.Errorf("%s: set aside are %q, %v", name, names, err)
			}
		}
	}
}

// An answer that is damaged on disk fails its job, by name, as soon as it is asked for;
// the others are served.
func TestADamagedAnswer(t *testing.T) {
	w := newWorld(t, 1)
	m := w.machines[0]
	sick, sound := newJob(w).open().upload(), newJob(w).open().upload()
	sick.exact()
	sound.exact()
	names, err := m.disk.List(m.dir(sick))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		if strings.HasSuffix(name, ".arrow") {
			m.rewrite(m.dir(sick)+"/"+name, func(b []byte) []byte { b[len(b)/2] ^= 1; return b })
		}
	}
	for range 2 {
		out := w.ask(0, protocol.Request{Action: protocol.ActionPage, Job: sick.spec.ID, Query: "q"})
		if out.Code != protocol.JobFailed || !strings.Contains(out.Error, "submit the job again") || strings.Contains(out.Error, m.state+"/") {
			t.Errorf("%s %q", out.Code, out.Error)
		}
		m.kill()
		m.start()
	}
	sound.exact()
	sound.finish(sick)
}

// endAnyhow ends a job as a gateway does: if replica 0 does not have it, on the others.
func (j *testJob) endAnyhow() {
	j.w.t.Helper()
	out := j.w.ask(0, protocol.Request{Action: protocol.ActionEnd, Job: j.spec.ID, Reason: "cancelled"})
	if out.Code == "" {
		return
	}
	if out.Code != protocol.NoJob {
		j.w.t.Fatalf("end: %s %s", out.Code, out.Error)
	}
	for r := 1; r < len(j.w.machines); r++ {
		out := j.w.ask(r, protocol.Request{Action: protocol.ActionClean, Job: j.spec.ID, Reason: "cancelled", All: true})
		if out.Code != "" {
			j.w.t.Fatalf("clean: %s %s", out.Code, out.Error)
		}
	}
}

// Whenever a worker loses its disk, the job can be ended, and nothing is left of it.
func TestALostDiskLeavesNothingAtTheBroker(t *testing.T) {
	for _, replica := range []int{0, 1, 2} {
		for _, uploaded := range []bool{false, true} {
			w := newWorld(t, 3)
			j := newJob(w).open()
			if uploaded {
				j.upload()
				j.exact()
			}
			m := w.machines[replica]
			m.kill()
			m.disk = vfs.NewMem()
			m.start()
			if out := j.status(replica); out.Code != protocol.NoJob {
				t.Errorf("worker %d without its disk says %s %s", replica, out.Code, out.Error)
			}
			j.endAnyhow()
			w.nothing()
		}
	}
}

// If nobody asks for a job that worker 0 has lost with its disk, the others ask worker 0,
// and the whole job is removed.
func TestAJobThatWorker0HasLostExpires(t *testing.T) {
	w := newWorld(t, 2)
	j := newJob(w).open().upload()
	j.exact()
	first, second := w.machines[0], w.machines[1]
	first.kill()
	first.disk = vfs.NewMem()
	first.start()
	for range 110 { // in steps that are no absence
		w.time = w.time.Add(j.spec.TTL / 100)
		second.step()
	}
	w.until("the job is gone", func() bool { return len(second.jobs()) == 0 })
	for replica := range w.machines {
		if out := j.status(replica); out.Code != protocol.JobEnded || !strings.Contains(out.Error, "it was never opened on all workers") {
			t.Errorf("worker %d says %s %s", replica, out.Code, out.Error)
		}
	}
	w.nothing()
}
