package client

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"analyzer/columnar/scan"
	"analyzer/columnar/vfs"
	"analyzer/compose/cluster/protocol"
	"analyzer/compose/engine"
	"analyzer/operators/query/physical"
	"analyzer/shuffle/broker"
)

// feeder appends files by journals, as Append does, now from one machine and then from
// another, and is killed now and then.
type feeder struct {
	*rapid.T
	fs   *vfs.Mem
	spec *protocol.Spec
	// cluster is what each batch is of, by scan.
	cluster [2]map[uint64]string
	note    protocol.Note   // of the table
	files   map[string]bool // those that the job remembers
	// meanwhile is what somebody else does, who lives at the same time.
	meanwhile func()
	busy      string // the machine of who appends
}

// Note implements notes.
func (f *feeder) Note(_ context.Context, _ string, file []byte) (protocol.Note, error) {
	n := f.note
	n.File, n.Known = file, f.files[string(file)]
	f.others()
	return n, nil
}

func (f *feeder) others() {
	if do := f.meanwhile; do != nil && rapid.IntRange(0, 7).Draw(f.T, "others") == 0 {
		f.meanwhile = nil
		do()
		f.meanwhile = do
	}
}

// Keep implements notes. Who has written one may not live to hear of it.
func (f *feeder) Keep(_ context.Context, n protocol.Note) error {
	if n.Version == f.note.Version+1 {
		f.note = n
		f.files[string(n.File)] = n.File != nil
	}
	if n.Version != f.note.Version || !bytes.Equal(n.Text, f.note.Text) {
		return ErrOvertaken
	}
	if !f.lives() {
		return errKilled
	}
	return nil
}

var errKilled = errors.New("the process was killed")

// machine is a directory of journals, of which one process at a time has the lock.
func (f *feeder) machine() string {
	switch f.busy {
	case "/here":
		return "/there"
	case "/there":
		return "/here"
	}
	return rapid.SampledFrom([]string{"/here", "/there"}).Draw(f.T, "machine")
}

const fed = "votes"

// lives reports whether the process goes on.
func (f *feeder) lives() bool { return rapid.IntRange(0, 11).Draw(f.T, "fate") > 0 }

// feed appends a file of so many blocks, and reports whether it is through.
func (f *feeder) feed(name string, blocks int) (through bool, err error) {
	source, machine := "", f.machine()
	if f.meanwhile != nil {
		f.busy = machine
	}
	j, err := OpenJournal(f.fs, machine, f.spec.ID, &source, func(err error) { f.Error(err) })
	if err != nil {
		f.Fatal(err)
	}
	defer func() {
		if f.meanwhile != nil {
			f.busy = ""
		}
		if errors.Is(err, errKilled) || errors.Is(err, ErrOvertaken) {
			through, err = false, nil
		}
	}()
	if err := j.mayAppend(f.Context(), f, f.spec, nil); err != nil {
		return false, err
	}
	open := func(string) (vfs.File, error) { return f.fs.Open(name) }
	left, _, err := j.sort(f.Context(), []string{fed}, open)
	if err != nil || len(left) == 0 {
		return err == nil, err
	}
	first := j.Grown()[fed].Batches
	for scanned := range f.cluster {
		if j.ended(scanned) {
			continue
		}
		file, err := open(fed)
		if err != nil {
			f.Fatal(err)
		}
		if err := errors.Join(j.begin(f.Context(), fed, file), file.Close()); err != nil {
			return false, err
		}
		for b := range blocks {
			if f.others(); !f.lives() {
				return false, nil
			}
			if j.has(scanned, first+uint64(b)) {
				continue
			}
			f.send(scanned, first+uint64(b), blockOf(b, name))
			j.acked(scanned, first+uint64(b))
			if rapid.Bool().Draw(f.T, "saves") {
				j.save()
			}
		}
		read := engine.TableReport{Table: fed}
		read.Stats.Blocks = int64(blocks)
		j.end([]int{scanned}, read)
		if rapid.Bool().Draw(f.T, "saves") {
			j.save()
		}
		if !f.lives() {
			return false, nil
		}
	}
	err = j.settle(f.Context(), f.spec)
	return err == nil, err
}

func (f *feeder) send(scanned int, number uint64, what string) {
	if before := f.cluster[scanned][number]; before != "" && before != what {
		f.Fatalf("batch %d of scan %d is %s, and was %s", number, scanned, what, before)
	}
	f.cluster[scanned][number] = what
}

// However often whoever appends is killed, on whichever machine he is, whatever he had not
// written down, and whoever else appends meanwhile: a number stands for one block, and each
// file is there once when it was appended until it was through, some of them again.
func TestAppendingIsExactlyOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		spec := newSpec()
		spec.Open, spec.Plan = true, &physical.Plan{Nodes: []*physical.Node{
			{ID: 0, Scan: &physical.Scan{Table: fed}}, {ID: 1, Scan: &physical.Scan{Table: fed}},
		}, Stages: []*physical.Stage{{Table: fed}}}
		f := &feeder{T: t, fs: vfs.NewMem(), spec: spec, cluster: [2]map[uint64]string{{}, {}}, files: make(map[string]bool)}
		for _, machine := range []string{"/here", "/there"} {
			if _, err := NewJournal(f.fs, machine, spec, "", nil); err != nil {
				t.Fatal(err)
			}
		}
		blocks := make([]int, rapid.IntRange(1, 4).Draw(t, "files"))
		for i := range blocks {
			if err := vfs.Replace(f.fs, fileOf(i), bytes.Repeat([]byte("x"), i+1)); err != nil {
				t.Fatal(err)
			}
			blocks[i] = rapid.IntRange(0, 4).Draw(t, "blocks")
		}
		through := make([]bool, len(blocks))
		some := func() {
			i := rapid.IntRange(0, len(blocks)-1).Draw(t, "file")
			is, err := f.feed(fileOf(i), blocks[i])
			if err != nil && !errors.Is(err, ErrHalfSent) {
				t.Fatal(err)
			}
			through[i] = through[i] || is
		}
		for f.meanwhile = some; slices.Contains(through, false); {
			some()
		}
		f.check(blocks)
	})
}

func fileOf(i int) string { return fmt.Sprintf("/file%d", i) }

func blockOf(b int, name string) string { return fmt.Sprintf("block %d of %s", b, name) }

// check holds that all files are there, in any order, and nothing else.
func (f *feeder) check(blocks []int) {
	got, seen := f.cluster[0], make([]bool, len(blocks))
	if !maps.Equal(got, f.cluster[1]) {
		f.Fatalf("the scans have %v", f.cluster)
	}
	for n := uint64(0); n < uint64(len(got)); {
		i := 0
		for i < len(blocks) && (seen[i] || blocks[i] == 0 || got[n] != blockOf(0, fileOf(i))) {
			i++
		}
		if i == len(blocks) {
			f.Fatalf("batch %d begins no file: %v", n, got)
		}
		for b := range blocks[i] {
			if got[n] != blockOf(b, fileOf(i)) {
				f.Fatalf("batch %d is none of %s: %v", n, fileOf(i), got)
			}
			n++
		}
		seen[i] = true
	}
	for i := range blocks {
		if blocks[i] > 0 && !seen[i] {
			f.Fatalf("%s is not there: %v", fileOf(i), got)
		}
	}
}

// A file is refused that lacks a column of any scan of its table, before anything of it is
// sent for another one.
func TestAppendedFilesFitAllScans(t *testing.T) {
	w := newStreamed(t, map[string]string{"t": ""}, map[string][]string{"t": {"k", "a", "b", "s"}})
	spec, err := protocol.NewSpec(nil, protocol.OpenRequest{
		Label: "sql", Tables: w.tables, Queries: w.parse(t, "SELECT x.a, y.b FROM t x JOIN t y ON x.k = y.k"), Block: block, TTL: time.Hour, Follow: true, Open: true,
	}, "ann", 2, broker.Classic, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	j := &Job{Spec: spec}
	for text, fits := range map[string]bool{"k,a,b,s\n1,2,3,x\n": true, "k,a,s\n1,2,x\n": false, "k,b,s\n1,2,x\n": false} {
		put(t, w.files, "/t", text)
		open := func(table string) (vfs.File, error) { return w.files.Open("/" + table) }
		if _, err := j.check(t.Context(), Upload{Open: open, MaxRejects: -1}, []string{"t"}); (err == nil) != fits || err != nil && !scan.IsInput(err) {
			t.Errorf("%q: %v", text, err)
		}
	}
}
