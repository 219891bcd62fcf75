package worker

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"analyzer/columnar"
	"analyzer/compose/cluster/protocol"
)

// newOpenJob returns a job that stays open.
func newOpenJob(w *world) *testJob {
	j := newJob(w)
	j.spec.Follow, j.spec.Open = true, true
	return j
}

// A job that is fed in many small pieces has a log of few segments, and a state that hardly
// grows; its cuts and answers are exact.
func TestTinyAppends(t *testing.T) {
	w := newWorld(t, 1)
	j := newOpenJob(w).open()
	for b := range 4 {
		j.send(0, b)
	}
	m, all := w.machines[0], batches(voteCount)
	for b := range all {
		j.send(1, b)
		scan := j.join(1, 0).Senders[0].Number
		for w.ask(0, protocol.Request{Action: protocol.ActionReach, Job: j.spec.ID}).Reach[scan] < uint64(b+1) {
			w.time = w.time.Add(time.Second)
		}
		if b%4 == 3 {
			m.kill()
			m.start()
		}
	}
	w.until("its part is open", func() bool { return m.part(j.spec.ID) != nil })
	d := m.part(j.spec.ID).d
	if n := len(d.Logs[1]); n > 3 || len(d.Logged[1].Recent) != 1 {
		t.Errorf("after %d appends the log has %d segments, and numbers %v", all, n, d.Logged[1])
	}
	part := j.cut([2]uint64{4, uint64(all)})
	part.take()
	part.endAt(0, 4)
	part.endAt(1, all)
	part.exactOf(voteCount)
	j.end(0)
	j.end(1)
	j.exact()
	j.finish(part)
}

// Of most appended files a replica gets no rows, so the numbers of its logged messages have gaps.
// What each commit writes of them is bounded all the same, and cuts know which message is which,
// while the worker is killed now and then.
func TestGapsInALog(t *testing.T) {
	const votes = 1500
	w := newWorld(t, 1)
	j := newOpenJob(w).open()
	for b := range batches(filmCount) {
		j.send(0, b)
	}
	m := w.machines[0]
	port := j.join(1, 0)
	schema, scan := j.spec.Upstream(port).Schema, port.Senders[0].Number
	part := func() *Part {
		w.until("its part is open", func() bool { return m.part(j.spec.ID) != nil })
		return m.part(j.spec.ID)
	}
	come := func() int {
		return int(w.ask(0, protocol.Request{Action: protocol.ActionReach, Job: j.spec.ID}).Reach[scan])
	}
	rng := rand.New(rand.NewPCG(5, 6))
	for sent := 0; sent < 2*votes; {
		upTo := min(sent+40, 2*votes)
		for _, i := range rng.Perm(upTo - sent) {
			number, rows := sent+i, columnar.NewRows(schema)
			if number%2 == 0 {
				film, score := vote(number / 2)
				rows.Cols[0].AppendInt(film)
				rows.Cols[1].AppendInt(score)
				rows.Len = 1
			}
			j.publishRows(port, 0, number, rows)
		}
		w.until("they have come", func() bool { return come() == upTo })
		if sent = upTo; rng.IntN(10) == 0 {
			m.kill()
		}
		p := part()
		if n := len(p.d.Logged[1].Recent); n >= p.worker.Commit.Merge {
			t.Fatalf("after %d messages a commit holds %d runs of numbers", sent, n)
		}
		if n := len(p.d.Logged[1].Segments); n > 11 { // log₂ of votes
			t.Fatalf("after %d messages there are %d segments of numbers", sent, n)
		}
	}
	if p := part(); len(p.store.Payload()) > len(p.d.Spec)+2000 {
		t.Errorf("after %d messages a commit writes %d bytes besides the spec", 2*votes, len(p.store.Payload())-len(p.d.Spec))
	}
	var cuts []*testJob
	for _, n := range []int{0, 1, 700, votes} {
		reached := map[int]uint64{j.join(0, 0).Senders[0].Number: 4, scan: uint64(2 * n)}
		spec, err := j.spec.NewCut(protocol.NewJobID(), []map[int]uint64{reached}, w.time)
		if err != nil {
			t.Fatal(err)
		}
		cut := &testJob{w: w, spec: spec}
		cut.take()
		cut.endAt(0, 4)
		cut.endAt(1, 2*n)
		cut.exactOf(n)
		cuts = append(cuts, cut)
	}
	j.finish(cuts...)
}

// Worker 0 keeps a note of each table across deaths. If two clients write a note, one of
// them is too late.
func TestNotes(t *testing.T) {
	w := newWorld(t, 2)
	j := newJob(w).open()
	ask := func(version uint64, text string) *protocol.Response {
		n := &protocol.Note{Table: j.spec.Tables[0].Name, Version: version}
		if text != "" {
			n.Text = []byte(text)
		}
		return w.ask(0, protocol.Request{Action: protocol.ActionNote, Job: j.spec.ID, Note: n})
	}
	for _, step := range []struct {
		version uint64
		text    string
		is      uint64
		says    string
	}{
		{0, "", 0, ""},
		{1, "one", 1, "one"},
		{1, "one", 1, "one"}, // who did not hear asks again
		{1, "other", 1, "one"},
		{3, "three", 1, "one"},
		{2, "two", 2, "two"},
		{0, "", 2, "two"},
	} {
		j.send(0, int(step.version)) // which is committed with it
		if n := ask(step.version, step.text).Note; n == nil || n.Version != step.is || string(n.Text) != step.says {
			t.Fatalf("%q as version %d: %+v is kept, want %q as %d", step.text, step.version, n, step.says, step.is)
		}
		w.machines[0].kill()
		w.machines[0].start()
	}
	if r := ask(3, strings.Repeat("x", protocol.MaxNote+1)); r.Code != protocol.Refused {
		t.Errorf("a note that is too long: %+v", r)
	}
	j.upload().exact()
	j.finish()
}

// An open job takes files appended to its tables, and a cut answers after each append.
// Another client sends partly sent batches again. When the tables end, the job answers for
// all rows. A worker dies at any point.
func TestAppend(t *testing.T) {
	for _, point := range append(Points(), "none") {
		t.Run(point, func(t *testing.T) {
			w := newWorld(t, 2)
			j := newOpenJob(w).open()
			m := w.machines[1]
			hit := 0
			m.pass = func(passed string) {
				if hit++; passed == point && m.deaths < 3 && hit%3 == 0 {
					m.die()
				}
			}
			for b := range 4 {
				j.send(0, b)
			}
			parts := []*testJob{}
			for _, upTo := range []int{3, 4, 9} { // batches of votes
				for b := range upTo {
					j.publish(1, 1, b)
				}
				for _, b := range []int{upTo - 1, 0, upTo - 1} { // half of it, and again
					j.publish(1, 0, b)
				}
				for b := range upTo {
					j.send(1, b)
				}
				part := j.cut([2]uint64{4, uint64(upTo)})
				part.take()
				part.endAt(0, 4)
				part.endAt(1, upTo)
				part.exactOf(upTo * perBatch)
				parts = append(parts, part)
			}
			if s := j.status(0).Status; !s.Open || !s.Uploading {
				t.Errorf("its state is %+v", s)
			}
			for b := range batches(voteCount) {
				j.send(1, b)
			}
			j.end(0)
			j.end(1)
			j.exact()
			if s := j.status(0).Status; s.Open {
				t.Errorf("after its end its state is %+v", s)
			}
			j.finish(parts...)
		})
	}
}

// An open job expires when its client has given no sign of life for the time to live,
// however many others look at it, and across the deaths of workers.
func TestAnOpenJobExpires(t *testing.T) {
	w := newWorld(t, 2)
	j := newOpenJob(w)
	j.spec.TTL = time.Minute
	j.open()
	look := func() bool {
		return w.ask(0, protocol.Request{Action: protocol.ActionStatus, Job: j.spec.ID, Onlooker: true}).Code == ""
	}
	for i := range 8 { // two minutes, with appends
		j.send(1, i)
		for range 3 {
			w.time = w.time.Add(5 * time.Second)
			if !look() {
				t.Fatal("it has ended")
			}
		}
		w.machines[0].kill()
	}
	for range 30 {
		if !look() {
			break
		}
		w.time = w.time.Add(5 * time.Second)
	}
	if look() {
		t.Error("it lives for ever")
	}
	w.nothing()
}

// A job's disk space is bounded. A job over its quota fails alone, says why, and can be
// ended.
func TestQuota(t *testing.T) {
	w := newWorld(t, 1)
	w.machines[0].kill()
	w.machines[0].quota = 4000
	w.machines[0].start()
	j, other := newOpenJob(w).open(), newJob(w).open()
	for b := range 4 {
		j.send(0, b)
	}
	w.until("they have come", func() bool { return j.status(0).Status.Rows == 4*perBatch })
	j.healthy()
	for b := range batches(voteCount) {
		j.send(1, b)
		w.until("it was taken in, or not", func() bool {
			s := j.status(0).Status
			return s.State == protocol.Failing || s.Rows >= int64(4*perBatch+perBatch*(b+1))
		})
	}
	s := j.status(0).Status
	if s.State != protocol.Failing || !strings.Contains(s.Reason, "--job-quota") {
		t.Errorf("it goes on: %+v", s)
	}
	if out := w.ask(0, protocol.Request{Action: protocol.ActionReach, Job: j.spec.ID}); out.Code != protocol.JobFailed {
		t.Errorf("a cut is made of it: %+v", out)
	}
	text, err := j.spec.Encode()
	if err != nil {
		t.Fatal(err)
	}
	if out := w.ask(0, protocol.Request{Action: protocol.ActionOpen, Job: j.spec.ID, Spec: text}); out.Code != protocol.JobFailed || out.Owner != "tester" {
		t.Errorf("it is opened again: %+v", out)
	}
	other.send(0, 0)
	other.healthy()
	if names, err := w.machines[0].disk.List("/state/jobs/" + j.spec.ID.String()); err != nil || !slices.Contains(names, "MANIFEST") {
		t.Errorf("%q, %v", names, err)
	}
	j.finish(other)
}
