package engine_test

import (
	"bytes"
	"io"
	"testing"
	"time"

	"analyzer/columnar/vfs"
	"analyzer/compose/answers"
	"analyzer/compose/engine"
	"analyzer/datasets/catalog"
	"analyzer/operators/planner"
)

// moment is what there was to see of a run that is followed.
type moment struct {
	json     string
	ends     map[string]int64 // of each table that was read, in decompressed bytes
	complete bool
}

// follow follows a job, whose tables are given by their content.
func follow(t *testing.T, j job, o engine.Options, files map[string][]byte, every time.Duration) (seen []moment) {
	t.Helper()
	fs := vfs.NewMem()
	for table, content := range files {
		writeFile(t, fs, "/"+table, content)
	}
	var err error
	if o.Plan, err = planner.New(j.queries, j.tables); err != nil {
		t.Fatal(err)
	}
	o.Tables, o.MaxRejects, o.FS, o.SpillDir = j.tables, -1, vfs.NewMem(), "/"
	o.Open = func(table string) (vfs.File, error) { return fs.Open("/" + table) }
	var out bytes.Buffer
	var set answers.Set
	_, err = engine.Follow(t.Context(), o, engine.Following{
		Every: every,
		Size:  func(table string) int64 { return int64(len(files[table])) },
		Begin: func(r *engine.Report, complete bool) (engine.Answers, error) {
			m := moment{ends: make(map[string]int64), complete: complete}
			for _, t := range r.Tables {
				m.ends[t.Table] = t.Stats.End
			}
			seen = append(seen, m)
			out.Reset()
			set, err = answers.NewStream(&out, answers.Options{Format: answers.JSON, Queries: len(j.queries)})
			return set, err
		},
		End: func() error {
			err := set.Finish()
			seen[len(seen)-1].json = out.String()
			return err
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	return seen
}

// TestFollow holds every answer that comes while tables are read to the bytes of a
// run over files that end where it says.
func TestFollow(t *testing.T) {
	for _, name := range catalog.Names() {
		if testing.Short() && name != "books" {
			continue
		}
		t.Run(name, func(t *testing.T) {
			d := small(t, name)
			dir := generated(t, d, 0.0005)
			j := ofDataset(d, vfs.OS(), dir, "")
			plain, packed := make(map[string][]byte), make(map[string][]byte)
			for _, table := range d.Tables {
				f, err := j.open(table.Name)
				if err != nil {
					t.Fatal(err)
				}
				if plain[table.Name], err = io.ReadAll(f); err != nil {
					t.Fatal(err)
				}
				f.Close()
				packed[table.Name] = gzipped(t, plain[table.Name])
			}
			whole := j.answer(t, engine.Options{}).json
			told := 0
			o := engine.Options{Replicas: 2, BlockSize: 1 << 10, Read: func(*engine.Report) error {
				told++
				return nil
			}}
			holdTo(t, j, plain, whole, follow(t, j, o, plain, 0), 5)
			if told != 1 {
				t.Errorf("what all tables held was told %d times", told)
			}
			o.Replicas, o.Memory, o.Read = 3, 1, nil
			holdTo(t, j, plain, whole, follow(t, j, o, packed, time.Nanosecond), 6)
		})
	}
}

// holdTo holds what was seen to runs over files that end there, of which there are to
// be so many.
func holdTo(t *testing.T, j job, files map[string][]byte, whole string, seen []moment, least int) {
	t.Helper()
	if len(seen) < least || seen[0].json == whole {
		t.Errorf("there are %d answers; the first is all: %v", len(seen), seen[0].json == whole)
	}
	for i, m := range seen {
		want := whole
		if !m.complete {
			part := make(map[string]string)
			for table, content := range files {
				part[table] = string(content[:m.ends[table]])
			}
			want = job{queries: j.queries, tables: j.tables, open: inMemory(t, part)}.answer(t, engine.Options{Replicas: 1}).json
		}
		if m.json != want {
			t.Errorf("answer %d of %d, of %v, is\n%s\nnot\n%s", i, len(seen), m.ends, m.json, want)
		}
		if last := i == len(seen)-1; m.complete != last {
			t.Errorf("answer %d of %d: complete is %v", i, len(seen), m.complete)
		}
	}
}
