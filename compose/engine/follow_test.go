package engine_test

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"analyzer/columnar"
	"analyzer/columnar/vfs"
	"analyzer/compose/answers"
	"analyzer/compose/engine"
	"analyzer/datasets/catalog"
	"analyzer/operators/query"
	"analyzer/operators/query/bind"
	"analyzer/operators/query/physical"
	"analyzer/operators/query/plan"
	"analyzer/operators/query/sql"
)

// moment is what was observed of a followed run at one time.
type moment struct {
	json     string
	ends     map[string]int64 // of each table that was read, in decompressed bytes
	complete bool
}

// follow follows a job whose tables are given by their content. There are answers when due
// says so; nil: by shares.
func follow(t *testing.T, j job, o engine.Options, files map[string][]byte, due func() bool) (seen []moment) {
	t.Helper()
	fs, scratch := vfs.NewMem(), vfs.NewMem()
	for table, content := range files {
		writeFile(t, fs, "/"+table, content)
	}
	var err error
	if o.Plan, err = physical.New(nil, j.queries, j.tables); err != nil {
		t.Fatal(err)
	}
	o.Tables, o.MaxRejects, o.FS, o.SpillDir = j.tables, -1, scratch, "/"
	o.Open = func(table string) (vfs.File, error) { return fs.Open("/" + table) }
	var out bytes.Buffer
	var set answers.Set
	f := engine.Following{
		Size: func(table string) int64 { return int64(len(files[table])) },
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
	}
	if due == nil {
		_, err = engine.Follow(t.Context(), o, f)
	} else {
		_, err = engine.FollowWhen(t.Context(), o, f, due)
	}
	if err != nil {
		t.Fatalf("%s: %v", describe(o), err)
	}
	if left, err := scratch.List("/"); err != nil || len(left) > 0 || len(scratch.OpenFiles()) > 0 {
		t.Errorf("%s: spill files left: %q, %v", describe(o), left, err)
	}
	return seen
}

// TestFollow checks that every early answer has the same bytes as a run over files that
// end where its report says.
func TestFollow(t *testing.T) {
	for n, name := range catalog.Names() {
		if testing.Short() && name != "books" {
			continue
		}
		t.Run(name, func(t *testing.T) {
			d := small(t, name)
			scale := 0.0005
			if testing.Short() {
				scale = 0.0002
			}
			dir := generated(t, d, scale)
			j := ofDataset(d, vfs.OS(), dir, "")
			plain, packed := make(map[string][]byte), make(map[string][]byte)
			blocks := 0
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
				blocks += len(plain[table.Name]) >> 10
			}
			whole := j.answer(t, engine.Options{}).json
			told := 0
			o := engine.Options{Replicas: 2, BlockSize: 1 << 10, Read: func(*engine.Report) error {
				told++
				return nil
			}}
			holdTo(t, j, plain, whole, follow(t, j, o, plain, nil), 2)
			if told != 1 {
				t.Errorf("what all tables held was told %d times", told)
			}
			rng := rand.New(rand.NewPCG(uint64(n), 1))
			now := func() bool { return rng.IntN(max(blocks/8, 1)) == 0 }
			o.Read = nil
			if o.Replicas, o.Memory = 1+n, 16<<20; !testing.Short() {
				holdTo(t, j, plain, whole, follow(t, j, o, plain, now), 3)
			}
			o.Replicas, o.Memory = 5-n, 1
			holdTo(t, j, plain, whole, follow(t, j, o, packed, now), 3)
		})
	}
}

// TestFollowStatements cuts the tables of random statements anywhere, so often that the
// kept parts are merged.
func TestFollowStatements(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	held, answers := 0, 0
	for w := range worlds(t) {
		catalog, tables, files := w.tables()
		contents := make(map[string][]byte)
		for table, content := range files {
			contents[table] = []byte(content)
		}
		for i, s := range w.Statements {
			if i%4 != 0 || testing.Short() && i%16 != 0 {
				continue
			}
			parsed, err := sql.Parse(nil, s.Text)
			if err != nil {
				t.Fatal(err)
			}
			root, err := query.Plan(nil, parsed.Query, catalog, nil, nil)
			if err != nil {
				t.Fatal(err)
			}
			j := job{queries: []*plan.Query{{Version: plan.CurrentVersion, Name: "q", Root: root}}, tables: tables, open: inMemory(t, files)}
			o := engine.Options{Replicas: 1 + held%5, BlockSize: 33 + rng.IntN(100), Memory: []int64{0, 1, 16 << 20}[held%3]}
			every := 1 + rng.IntN(6)
			seen := follow(t, j, o, contents, func() bool { return rng.IntN(every) == 0 })
			if holdTo(t, j, contents, j.answer(t, engine.Options{}).json, seen, 1); t.Failed() {
				t.Fatalf("%s: %s", describe(o), s.Text)
			}
			held++
			answers += len(seen)
		}
	}
	t.Logf("%d statements, %d answers", held, answers)
	if answers < 2*held {
		t.Errorf("%d answers to %d statements are too few", answers, held)
	}
}

// TestFollowReadAgain follows statements that read their table twice, one whose rows stay
// in the order of the file, and a table with a key.
func TestFollowReadAgain(t *testing.T) {
	numbers := &columnar.Table{Name: "numbers", Columns: []columnar.TableColumn{
		{Name: "id", Header: "id", Format: columnar.FormatInt},
		{Name: "x", Header: "x", Format: columnar.FormatInt},
		{Name: "position", Header: "position", Format: columnar.FormatPosition},
	}}
	keyed := *numbers
	keyed.Name, keyed.Key = "keyed", []string{"id"}
	rng := rand.New(rand.NewPCG(3, 3))
	var file strings.Builder
	file.WriteString("id,x\n")
	for x := range 1000 {
		fmt.Fprintf(&file, "%d,%d\n", rng.IntN(500), x)
	}
	text := file.String()
	tables := plan.Tables{numbers.Name: numbers, keyed.Name: &keyed}
	catalog := bind.Catalog{Tables: make(map[string]*bind.Table)}
	for name, table := range tables {
		catalog.Tables[name] = &bind.Table{Parts: []*columnar.Table{table}, Stats: &plan.Stats{Rows: float64(len(text))}}
	}
	for _, statement := range []string{
		"SELECT count(*), min(x) FROM numbers WHERE id IN (SELECT id FROM numbers GROUP BY id HAVING count(*) < 3)",
		"SELECT id, x FROM numbers WHERE x = (SELECT max(x) FROM numbers)",
		"SELECT a.x FROM numbers a JOIN numbers b ON a.id = b.x WHERE b.id > 100 ORDER BY ALL",
		"SELECT id + x FROM numbers WHERE id % 3 = 0",
		"SELECT id, x FROM numbers LIMIT 500",
		"SELECT count(*), sum(x), max(id) FROM keyed",
	} {
		parsed, err := sql.Parse(nil, statement)
		if err != nil {
			t.Fatal(err)
		}
		root, err := query.Plan(nil, parsed.Query, catalog, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		files := map[string]string{numbers.Name: text, keyed.Name: text}
		contents := map[string][]byte{numbers.Name: []byte(text), keyed.Name: []byte(text)}
		j := job{queries: []*plan.Query{{Version: plan.CurrentVersion, Name: "q", Root: root}}, tables: tables, open: inMemory(t, files)}
		o := engine.Options{Replicas: 2, BlockSize: 200}
		seen := follow(t, j, o, contents, func() bool { return rng.IntN(3) == 0 })
		if holdTo(t, j, contents, j.answer(t, engine.Options{}).json, seen, 2); t.Failed() {
			t.Fatal(statement)
		}
	}
}

// TestSchedule checks that answers are due at a sixteenth of a table, an eighth and so on, or at
// intervals, and later if they take more than a third of the time of reading.
func TestSchedule(t *testing.T) {
	p, err := physical.New(nil, []*plan.Query{{Name: "q", Root: plan.From("t").Select("x")}}, plan.Tables{"t": {
		Name: "t", Columns: []columnar.TableColumn{{Name: "x", Header: "x", Format: columnar.FormatInt}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	type step struct {
		reading time.Duration // before it
		read    int64
		due     bool
		took    time.Duration // what is answered, if anything is
	}
	for name, c := range map[string]struct {
		every time.Duration
		size  int64
		steps []step
	}{
		"shares": {0, 1600, []step{
			{0, 99, false, 0}, {0, 100, true, 0}, {0, 199, false, 0}, {0, 250, true, 0}, {0, 399, false, 0}, {0, 900, true, 0}, {0, 1600, false, 0},
		}},
		"dear shares": {0, 1600, []step{
			{time.Second, 100, true, 2 * time.Second}, {time.Second, 200, false, 0}, {8 * time.Second, 200, false, 0}, {10 * time.Second, 200, true, 0},
		}},
		"a pipe":         {0, 0, []step{{time.Hour, 64<<20 - 1, false, 0}, {0, 64 << 20, true, 0}, {0, 127 << 20, false, 0}, {0, 1 << 50, true, 0}}},
		"by time":        {time.Second, 2048, []step{{0, 1, false, 0}, {0, 2, true, 0}, {time.Second - 1, 3, false, 0}, {1, 4, true, 0}}},
		"a pipe by time": {time.Second, 0, []step{{0, 1, true, 0}, {time.Second, 2, true, 0}, {time.Millisecond, 3, false, 0}}},
	} {
		synctest.Test(t, func(t *testing.T) {
			s := engine.NewSchedule(engine.Following{Every: c.every, Size: func(string) int64 { return c.size }}, p)
			for i, step := range c.steps {
				time.Sleep(step.reading)
				if due := s.Due(step.read); due != step.due {
					t.Errorf("%s: step %d: due: %v", name, i, due)
				}
				if step.due {
					time.Sleep(step.took)
					s.Answered(step.read, step.took)
				}
			}
		})
	}
}

// holdTo compares each moment with a run over files that end there, and checks how many
// moments there are.
func holdTo(t *testing.T, j job, files map[string][]byte, whole string, seen []moment, least int) {
	t.Helper()
	if len(seen) < least || least > 1 && seen[0].json == whole {
		t.Errorf("there are %d answers; the first is all: %v", len(seen), seen[0].json == whole)
	}
	for i, m := range seen {
		want := whole
		if testing.Short() && !m.complete && i%3 > 0 {
			continue // each is held to a run of its own
		}
		if !m.complete {
			part := make(map[string]string)
			for table, content := range files {
				part[table] = string(content[:max(m.ends[table], int64(bytes.IndexByte(content, '\n'))+1)])
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
