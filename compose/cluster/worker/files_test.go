package worker

import (
	"crypto/sha256"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"analyzer/columnar/vfs"
	"analyzer/compose/cluster/protocol"
)

var files = flag.Int("files", 3000, "files of TestManyFiles")

// note returns the request for the note of a table, of which a file is asked.
func (j *testJob) note(file int) protocol.Request {
	name := sha256.Sum256(fmt.Append(nil, file))
	return protocol.Request{Action: protocol.ActionNote, Job: j.spec.ID, Note: &protocol.Note{Table: j.spec.Tables[0].Name, File: name[:protocol.FileBytes]}}
}

// knows asks whether the job remembers a file.
func (j *testJob) knows(file int) bool {
	j.w.t.Helper()
	return j.w.ask(0, j.note(file)).Note.Known
}

// append writes a note with a file.
func (j *testJob) append(file int) {
	j.w.t.Helper()
	r := j.note(file)
	r.Note.Version = j.w.ask(0, r).Note.Version + 1
	r.Note.Text = fmt.Append(nil, file)
	if out := j.w.ask(0, r); out.Note == nil || !out.Note.Known || string(out.Note.Text) != fmt.Sprint(file) {
		j.w.t.Fatalf("file %d: %+v %s", file, out.Note, out.Error)
	}
}

// A job remembers all of its files, and no others, while its worker dies at any point.
func TestFiles(t *testing.T) {
	w := newWorld(t, 1)
	j := newOpenJob(w).open()
	m := w.machines[0]
	rng := rand.New(rand.NewPCG(1, 2))
	const all = 150
	m.pass = func(string) {
		if rng.IntN(20) == 0 {
			m.die()
		}
	}
	m.op = func(vfs.Op) error {
		if rng.IntN(150) == 0 {
			m.die()
		}
		return nil
	}
	for i := range all {
		if i > 0 && !j.knows(rng.IntN(i)) {
			t.Fatalf("after %d files one was forgotten", i)
		}
		if j.knows(i + rng.IntN(all)) {
			t.Fatalf("after %d files another one is known", i)
		}
		j.append(i)
	}
	m.pass, m.op = nil, nil
	for i := range 2 * all {
		if j.knows(i) != (i < all) {
			t.Fatalf("file %d is known %v", i, i >= all)
		}
	}
	if m.deaths < 10 {
		t.Errorf("the worker died %d times", m.deaths)
	}
	if n := len(m.part(j.spec.ID).d.Files.Segments); n < 2 || n > 9 {
		t.Errorf("%d files are in %d segments", all, n)
	}
	j.finish()
}

// A file that comes with a note which is too late is not remembered, nor is one that is named
// in a question. A name of another length is refused.
func TestFilesComeWithTheirNotes(t *testing.T) {
	w := newWorld(t, 1)
	j := newOpenJob(w).open()
	j.append(0)
	late := j.note(1)
	late.Note.Version, late.Note.Text = 1, []byte("late")
	if out := w.ask(0, late); out.Note.Known || out.Note.Version != 1 || string(out.Note.Text) != "0" {
		t.Errorf("a note that is too late: %+v", out.Note)
	}
	if j.knows(1) || !j.knows(0) {
		t.Error("a file is not known, or one is that came too late")
	}
	long := j.note(2)
	long.Note.File = append(long.Note.File, 0)
	if out := w.ask(0, long); out.Code != protocol.Refused {
		t.Errorf("a name of %d bytes: %+v", len(long.Note.File), out)
	}
	j.finish()
}

// Two clients send each of many files twice, in any order, while the worker is killed now and
// then: each is taken once. The state is small, and so is what is written for a file.
func TestManyFiles(t *testing.T) {
	w := newWorld(t, 1)
	j := newOpenJob(w).open()
	m := w.machines[0]
	part := func() *Part {
		w.until("its part is open", func() bool { return m.part(j.spec.ID) != nil })
		p := m.part(j.spec.ID)
		p.worker.Commit.Merge = GroupCommit{}.withDefaults().Merge
		return p
	}
	written := 0
	m.op = func(op vfs.Op) error {
		if op.Kind == vfs.OpWrite {
			written += op.Bytes
		}
		return nil
	}
	rng := rand.New(rand.NewPCG(3, 4))
	p, seen := part(), [2]uint64{} // versions of the note, as the clients know them
	taken := make([]int, *files)
	left := rng.Perm(2 * *files)
	for len(left) > 0 {
		if rng.IntN(2000) == 0 {
			m.kill()
			p = part()
		}
		client, file := rng.IntN(len(seen)), left[0]%*files
		r := j.note(file)
		now := p.Serve(&r).Note
		if now.Known != (taken[file] > 0) {
			t.Fatalf("file %d was taken %d times and is known %v", file, taken[file], now.Known)
		}
		if r.Note.Version, r.Note.Text = seen[client]+1, []byte("through"); !now.Known {
			if out := p.Serve(&r).Note; out.Known {
				taken[file]++
				now = out
			}
		}
		if seen[client] = now.Version; taken[file] > 0 {
			left = left[1:]
		}
	}
	if slices.Max(taken) > 1 {
		t.Error("a file was taken twice")
	}
	if size := p.store.Size(); size > int64(*files*(protocol.FileBytes+1)) {
		t.Errorf("%d files take %d bytes", *files, size)
	}
	if each := written / *files; each > 8<<10 {
		t.Errorf("%d bytes were written for each file", each)
	}
	t.Logf("%d files: %d bytes, in segments of %d; %d bytes were written", *files, p.store.Size(), len(p.d.Files.Segments), written)
	j.finish()
}
