package client

import (
	"bytes"
	"errors"
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"analyzer/columnar"
	"analyzer/columnar/scan"
	"analyzer/columnar/vfs"
	"analyzer/compose/cluster/protocol"
	"analyzer/compose/engine"
	"analyzer/operators/planner"
)

// feeder appends files by a journal, as Append does, and is killed now and then.
type feeder struct {
	*rapid.T
	fs   *vfs.Mem
	spec *protocol.Spec
	// cluster is what each batch is of, by scan.
	cluster [2]map[uint64]string
}

const fed = "votes"

// lives reports whether the process goes on.
func (f *feeder) lives() bool { return rapid.IntRange(0, 11).Draw(f.T, "fate") > 0 }

// feed appends a file of so many blocks, and reports whether it is through.
func (f *feeder) feed(name string, blocks int) (through bool, err error) {
	source := ""
	j, err := OpenJournal(f.fs, "/jobs", f.spec.ID, &source, func(err error) { f.Error(err) })
	if err != nil {
		f.Fatal(err)
	}
	if err := j.mayAppend(f.spec, nil); err != nil {
		return false, err
	}
	open := func(string) (vfs.File, error) { return f.fs.Open(name) }
	left, _, err := j.sort(f.Context(), []string{fed}, open)
	if err != nil || len(left) == 0 {
		return err == nil, err
	}
	first := j.grown(fed).Batches
	for scanned := range f.cluster {
		if j.ended(scanned) {
			continue
		}
		file, err := open(fed)
		if err != nil {
			f.Fatal(err)
		}
		if err := errors.Join(j.begin(f.Context(), fed, file), file.Close()); err != nil {
			f.Fatal(err)
		}
		for b := range uint64(blocks) {
			if !f.lives() {
				return false, nil
			}
			if j.has(scanned, first+b) {
				continue
			}
			f.send(scanned, first+b, fmt.Sprintf("block %d of %s", b, name))
			j.acked(scanned, first+b)
			if rapid.Bool().Draw(f.T, "saves") {
				j.save()
			}
		}
		p := &engine.Pass{Table: &columnar.Table{Name: fed}, Stats: scan.Stats{}}
		p.Stats.Blocks = int64(blocks)
		j.end(scanned, p)
		if rapid.Bool().Draw(f.T, "saves") {
			j.save()
		}
		if !f.lives() {
			return false, nil
		}
	}
	return true, j.settle(f.spec)
}

func (f *feeder) send(scanned int, number uint64, what string) {
	if before := f.cluster[scanned][number]; before != "" && before != what {
		f.Fatalf("batch %d of scan %d is %s, and was %s", number, scanned, what, before)
	}
	f.cluster[scanned][number] = what
}

// However often whoever appends is killed, and whatever he had not written down: a number
// stands for one block, and each file is there once when it was appended until it was
// through, some of them again.
func TestAppendingIsExactlyOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		spec := newSpec()
		spec.Open, spec.Plan = true, &planner.Plan{Nodes: []*planner.Node{
			{ID: 0, Scan: &planner.Scan{Table: fed}}, {ID: 1, Scan: &planner.Scan{Table: fed}},
		}}
		f := &feeder{T: t, fs: vfs.NewMem(), spec: spec, cluster: [2]map[uint64]string{{}, {}}}
		if _, err := NewJournal(f.fs, "/jobs", spec, "", nil); err != nil {
			t.Fatal(err)
		}
		var want []string
		files := rapid.IntRange(1, 4).Draw(t, "files")
		blocks := make([]int, files)
		for i := range files {
			name := fmt.Sprintf("/file%d", i)
			if err := vfs.Replace(f.fs, name, bytes.Repeat([]byte("x"), i+1)); err != nil {
				t.Fatal(err)
			}
			blocks[i] = rapid.IntRange(0, 4).Draw(t, "blocks")
			for through := false; !through; {
				var err error
				if through, err = f.feed(name, blocks[i]); err != nil {
					t.Fatal(err)
				}
				other := rapid.IntRange(0, i).Draw(t, "other")
				if through || other == i {
					continue
				}
				// Another one, that is in its table, while this one may be there in part.
				if _, err := f.feed(fmt.Sprintf("/file%d", other), blocks[other]); err != nil && !errors.Is(err, ErrHalfSent) {
					t.Fatal(err)
				}
			}
			for b := range blocks[i] {
				want = append(want, fmt.Sprintf("block %d of %s", b, name))
			}
		}
		for scanned, got := range f.cluster {
			if len(got) != len(want) {
				t.Fatalf("scan %d has the batches %v", scanned, got)
			}
			for n, what := range want {
				if got[uint64(n)] != what {
					t.Fatalf("batch %d of scan %d is %q, not %q", n, scanned, got[uint64(n)], what)
				}
			}
		}
	})
}
