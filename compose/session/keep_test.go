package session_test

import (
	"bytes"
	"fmt"
	"strings"
	"sync"
	"syscall"
	"testing"

	"analyzer/columnar/vfs"
	"analyzer/columnar/vfs/vfstest"
	"analyzer/compose/answers"
	"analyzer/compose/session"
)

// keeping runs statements in a session that keeps tables, and returns the answer of the last one and what reading the
// tables said.
func keeping(t *testing.T, files vfs.FS, change func(*session.Config), statements ...string) (answer, read string) {
	t.Helper()
	cfg := session.Config{FS: files, Own: files, SpillDir: "/spill", MaxRejects: -1, Keep: "/kept", Stdin: strings.NewReader("a\n1\n")}
	if change != nil {
		change(&cfg)
	}
	ses := session.New(cfg)
	defer func() {
		if err := ses.Close(); err != nil {
			t.Error(err)
		}
	}()
	for _, text := range statements {
		p, err := ses.Prepare(t.Context(), text, nil)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		var out bytes.Buffer
		to, err := answers.NewStream(&out, answers.Options{Format: answers.CSV, Queries: 1})
		if err != nil {
			t.Fatal(err)
		}
		report, err := p.Run(t.Context(), to)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		for _, table := range report.Tables {
			read += fmt.Sprintf("%s %d/%d; ", table.Table, table.Stats.Rows, table.Stats.RejectedRows())
		}
		if err := p.Close(); err != nil {
			t.Error(err)
		}
		answer = out.String()
	}
	return answer, read
}

// kept counts the tables that are kept.
func kept(t *testing.T, files vfs.FS) int {
	t.Helper()
	names, err := files.List("/kept")
	if err != nil {
		return 0
	}
	for _, name := range names {
		if strings.HasPrefix(name, "new-") {
			t.Errorf("%s is left", name)
		}
	}
	return len(names)
}

// Tables that sessions keep are those of the statement and of the files, and say again what was lost.
func TestKeep(t *testing.T) {
	files := vfs.NewMem()
	write := func(name, text string) {
		t.Helper()
		if err := vfs.Replace(files, name, []byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	if err := files.MkdirAll("/spill"); err != nil {
		t.Fatal(err)
	}
	write("/r.csv", "a,b\n1,x\noops,y\n3,z\n")
	const of = "FROM read_csv('/r.csv', types = {'a': 'BIGINT'})"
	table, doubled, ask := "CREATE TABLE t AS SELECT a, b "+of, "CREATE TABLE u AS SELECT 2 * a AS d FROM t", "SELECT sum(d) AS s FROM u"
	const want, read = "s\n8\n", "r.csv 2/1; t.arrow 2/0; u.arrow 2/0; "
	for range 3 { // none are kept, then both are
		if answer, said := keeping(t, files, nil, table, doubled, ask); answer != want || said != read || kept(t, files) != 2 {
			t.Fatalf("answer %q, read %q, kept %d", answer, said, kept(t, files))
		}
	}
	// Rows come from where they are kept, not from the file.
	names, err := files.List("/kept")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		rows, err := vfs.ReadFile(files, "/kept/"+name+"/t.arrow")
		if err == nil {
			write("/kept/"+name+"/t.arrow", string(bytes.Replace(rows, []byte("xz"), []byte("xq"), 1)))
		}
	}
	if answer, _ := keeping(t, files, nil, table, "SELECT b FROM t WHERE a = 3"); answer != "b\nq\n" {
		t.Errorf("the answer is %q: the rows were not taken from where they are kept", answer)
	}
	if err := files.RemoveAll("/kept"); err != nil {
		t.Fatal(err)
	}

	for name, c := range map[string]struct {
		change     func(*session.Config)
		before     string
		statement  string
		more, then int // tables kept by it, and when it runs again
	}{
		"another expression": {nil, "SELECT 1", "CREATE TABLE t AS SELECT a + 1 AS a " + of, 1, 0},
		"a view":             {nil, "CREATE VIEW v AS SELECT a " + of + " WHERE a > 1", "CREATE TABLE t AS SELECT * FROM v", 1, 0},
		"another view":       {nil, "CREATE VIEW v AS SELECT a " + of + " WHERE a > 2", "CREATE TABLE t AS SELECT * FROM v", 1, 0},
		"a variable":         {nil, "SET VARIABLE x = 5", "CREATE TABLE t AS SELECT a + getvariable('x') AS a " + of, 1, 0},
		"bounds of rejects":  {func(c *session.Config) { c.MaxRejects = 7 }, "SELECT 1", "CREATE TABLE t AS SELECT a + 1 AS a " + of, 1, 0},
		"another build":      {func(c *session.Config) { c.Build = "2.0" }, "SELECT 1", "CREATE TABLE t AS SELECT a + 1 AS a " + of, 1, 0},
		"the moment":         {nil, "SELECT 1", "CREATE TABLE t AS SELECT now() AS n, a " + of, 0, 0},
		"the standard input": {nil, "SELECT 1", "CREATE TABLE t AS SELECT * FROM '-'", 0, 0},
		"nowhere":            {func(c *session.Config) { c.Keep = "" }, "SELECT 1", "CREATE TABLE t AS SELECT a + 3 AS a " + of, 0, 0},
	} {
		before := kept(t, files)
		keeping(t, files, c.change, c.before, c.statement)
		first := kept(t, files)
		keeping(t, files, c.change, c.before, c.statement)
		if again := kept(t, files); first-before != c.more || again-first != c.then {
			t.Errorf("%s: %d tables are kept, and %d more the second time", name, first-before, again-first)
		}
	}
	before := kept(t, files)
	keeping(t, files, nil, "CREATE TABLE other AS SELECT a + 1 AS a "+of)
	if kept(t, files) != before {
		t.Error("rows are kept again for another name")
	}

	write("/r.csv", "a,b\n1,x\n5,z\n")
	if answer, said := keeping(t, files, nil, table, doubled, ask); answer != "s\n12\n" || said != "r.csv 2/0; t.arrow 2/0; u.arrow 2/0; " {
		t.Errorf("of another file: answer %q, read %q", answer, said)
	}
}

// Sessions at once keep a table once.
func TestKeepAtOnce(t *testing.T) {
	files := vfs.NewMem()
	if err := vfs.Replace(files, "/r.csv", []byte("a\n1\n2\n")); err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			if answer, _ := keeping(t, files, nil, "CREATE TABLE t AS SELECT a + 1 AS a FROM '/r.csv'", "SELECT sum(a) AS s FROM t"); answer != "s\n5\n" {
				t.Errorf("answer %q", answer)
			}
		})
	}
	all.Wait()
	if n := kept(t, files); n != 1 {
		t.Errorf("%d tables are kept", n)
	}
}

// A kept table that is damaged is named, and nothing else is used in its place.
func TestKeepDamaged(t *testing.T) {
	files := vfs.NewMem()
	if err := vfs.Replace(files, "/r.csv", []byte("a\n1\n2\n")); err != nil {
		t.Fatal(err)
	}
	const table = "CREATE TABLE t AS SELECT a FROM '/r.csv'"
	keeping(t, files, nil, table)
	names, err := files.List("/kept")
	if err != nil {
		t.Fatal(err)
	}
	if err := files.Remove("/kept/" + names[0] + "/t.arrow"); err != nil {
		t.Fatal(err)
	}
	ses := session.New(session.Config{FS: files, Own: files, MaxRejects: -1, Keep: "/kept"})
	p, err := ses.Prepare(t.Context(), table, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Define(t.Context()); err == nil || !strings.Contains(err.Error(), "/kept/"+names[0]) {
		t.Errorf("told %v", err)
	}
	if err := p.Close(); err != nil {
		t.Error(err)
	}
}

// A full disk is said once.
func TestKeepOnAFullDisk(t *testing.T) {
	files := vfs.NewMem()
	own := vfstest.Inject(vfs.NewMem(), vfstest.FillDisk(1000))
	if err := own.MkdirAll("/spill"); err != nil {
		t.Fatal(err)
	}
	ses := session.New(session.Config{FS: files, Own: own, SpillDir: "/spill", MaxRejects: -1, Keep: "/kept"})
	defer func() { _ = ses.Close() }() // its disk is full
	for _, text := range []string{"CREATE TABLE t AS SELECT unnest(range(10000)) AS n", "CREATE TABLE t AS SELECT unnest(range(100)) AS n"} {
		_, err := answer(t, ses, text)
		if err == nil || strings.Count(err.Error(), syscall.ENOSPC.Error()) != 1 {
			t.Errorf("%s: the error is %v", text, err)
		}
	}
}
