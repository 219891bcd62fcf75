package session_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"analyzer/columnar/vfs"
	"analyzer/compose/answers"
	"analyzer/compose/cluster/client"
	"analyzer/compose/engine"
	"analyzer/compose/session"
	"analyzer/operators/query/physical"
	"analyzer/operators/query/plan"
)

// writeParts writes files of one table into directories by year, half of them compressed.
func writeParts(t *testing.T, dir string, files int) {
	t.Helper()
	rows := 1500
	if testing.Short() {
		rows = 500
	}
	rng := rand.New(rand.NewPCG(7, 11))
	for i := range files {
		var text bytes.Buffer
		text.WriteString("id,k,name,price\n")
		for row := range rng.IntN(rows) {
			name := fmt.Sprintf("name %d", rng.IntN(50))
			if row%17 == 0 {
				name = "\"quoted,\n" + name + "\""
			}
			fmt.Fprintf(&text, "%d,%d,%s,%.2f\n", i*10_000+row, rng.IntN(9), name, rng.Float64()*100)
		}
		sub := filepath.Join(dir, fmt.Sprintf("year=%d", 2020+i%5))
		name, data := fmt.Sprintf("p%03d.csv", i), text.Bytes()
		if i%2 == 1 {
			var packed bytes.Buffer
			z := gzip.NewWriter(&packed)
			_, err := z.Write(data)
			if err := errors.Join(err, z.Close()); err != nil {
				t.Fatal(err)
			}
			name, data = name+".gz", packed.Bytes()
		}
		if err := errors.Join(os.MkdirAll(sub, 0o700), os.WriteFile(filepath.Join(sub, name), data, 0o600)); err != nil {
			t.Fatal(err)
		}
	}
}

// Files that are read side by side as one scan give the same bytes, with any number of cores and
// little memory, as a table for each of them, which is how clusters have them.
func TestFilesAreOneTable(t *testing.T) {
	if testing.Short() {
		t.Skip("its rows are many for the race detector")
	}
	dir := t.TempDir()
	writeParts(t, dir, 24)
	from := "read_csv('" + dir + "/*/*', filename = true)"
	statements := []string{
		"SELECT id, k, year FROM " + from + " WHERE k = 3",
		"FROM " + from + " LIMIT 700 OFFSET 1000",
		"SELECT k, year, count(*), sum(price), min(name) FROM " + from + " GROUP BY ALL ORDER BY ALL",
		"SELECT name, list(id) FROM " + from + " WHERE year > 2022 GROUP BY name ORDER BY name",
		"SELECT count(*), max(filename[-9:]) FROM " + from + " WHERE year = 2021",
		"SELECT first(id), last(name) FROM " + from,
		"SELECT a.id, b.id FROM " + from + " a JOIN " + from + " b ON a.id = b.id + 1 WHERE a.year = 2020 ORDER BY 1 LIMIT 50",
		"SELECT id FROM " + from + " TABLESAMPLE 1 PERCENT",
		"SELECT id, row_number() OVER () AS n FROM " + from + " WHERE k = 1",
		"SELECT count(*) FROM " + from + " WHERE year = 1999",
		"SELECT filename[-7:] AS f, count(*) FROM '" + dir + "/*/*.gz' WHERE filename LIKE '%p00_.csv.gz' GROUP BY f ORDER BY f",
		"SELECT count(DISTINCT f.filename), count(*) FROM '" + dir + "/*/*.csv' f",
	}
	for _, text := range statements {
		want := apart(t, text)
		for _, cores := range []int{1, 3} {
			for i, memory := range []int64{24 << 20, 256 << 20} {
				if testing.Short() && cores == 1+2*i {
					continue // little memory for three cores, and much for one
				}
				got := together(t, text, cores, memory)
				if got != want {
					t.Errorf("%s, %d cores, %d bytes: %d bytes of answer, not %d: %.200s; want %.200s", text, cores, memory, len(got), len(want), got, want)
				}
			}
		}
	}
}

func together(t *testing.T, text string, cores int, memory int64) string {
	t.Helper()
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(cores))
	ses := session.New(session.Config{FS: vfs.OS(), Own: vfs.Private(), SpillDir: t.TempDir(), Memory: memory, Replicas: cores, MaxRejects: -1})
	got, err := answer(t, ses, text)
	if err != nil {
		t.Fatal(text, err)
	}
	return got
}

// apart answers with a scan for each file.
func apart(t *testing.T, text string) string {
	t.Helper()
	ses := session.New(session.Config{FS: vfs.OS(), Own: vfs.Private(), SpillDir: t.TempDir(), MaxRejects: -1})
	asked, err := ses.Prepare(t.Context(), text, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer asked.Close()
	sel, err := asked.Selection(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	planned, err := physical.New(nil, sel.Queries, sel.Source.TableMap())
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	to, err := answers.NewStream(&out, answers.Options{Format: answers.CSV, Queries: 1})
	if err != nil {
		t.Fatal(err)
	}
	_, err = engine.Run(t.Context(), engine.Options{
		Plan: planned, Tables: sel.Source.TableMap(), FS: vfs.Private(), SpillDir: t.TempDir(), MaxRejects: -1,
		Open: func(table string) (vfs.File, error) { return asked.Inputs().Open(t.Context(), table) },
	}, to)
	if err := errors.Join(err, to.Finish()); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// More files than a job has tables are one table of a cluster too, whose rows are in the same order, and so are files
// that lack columns of each other.
func TestManyFilesOnACluster(t *testing.T) {
	dir := t.TempDir()
	for i := range plan.MaxTables + 30 {
		sub := filepath.Join(dir, fmt.Sprintf("year=%d", 2020+i%3))
		text := fmt.Sprintf("id,name\n%d,x\n%d,y%d\n", 10*i, 10*i+1, i)
		if err := errors.Join(os.MkdirAll(sub, 0o700), os.WriteFile(filepath.Join(sub, fmt.Sprintf("%03d.csv", i)), []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	few := t.TempDir()
	united := " FROM read_csv('" + few + "/*', union_by_name = true, filename = true)"
	for name, text := range map[string]string{"a.csv": "id,name\n1,x\n2,y\n", "b.csv": "price;ID\n1.5;3\n", "c.csv": "name,late,id\nz,2024-01-02,4\n"} {
		if err := os.WriteFile(filepath.Join(few, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	gateway, stop := startCluster()
	defer stop()
	c, err := client.New(client.Config{Gateways: []string{gateway}})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	ses := session.New(session.Config{FS: vfs.OS(), Own: vfs.Private(), SpillDir: t.TempDir(), MaxRejects: -1})
	from := " FROM read_csv('" + dir + "/*/*', filename = true)"
	for _, text := range []string{
		"SELECT id, name, year, filename" + from + " LIMIT 30 OFFSET 100",
		"SELECT year, count(*) AS n, sum(id) AS ids, min(filename) AS f" + from + " GROUP BY year ORDER BY year",
		"SELECT count(*) AS n" + from + " WHERE year = 2021",
		"SELECT id, row_number() OVER () AS n" + from + " WHERE name LIKE 'y%'",
		"SELECT *" + united,
		"SELECT name, sum(price) AS p" + united + " GROUP BY name",
	} {
		want, err := answer(t, ses, text)
		if err != nil {
			t.Fatal(err)
		}
		if got := answerOn(t, c, ses, text); got != want || want == "" {
			t.Errorf("%s: %.200q, want %.200q", text, got, want)
		}
	}
}

// answerOn is answer by a cluster.
func answerOn(t *testing.T, c *client.Client, ses *session.Session, text string) string {
	t.Helper()
	asked, err := ses.Prepare(t.Context(), text, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer asked.Close()
	if asked.FilesApart() {
		t.Error("each file is a table")
	}
	var b strings.Builder
	out, err := answers.NewStream(&b, answers.Options{Format: answers.CSV, Queries: 1})
	if err != nil {
		t.Fatal(err)
	}
	if _, err = asked.RunOn(t.Context(), c, out); err != nil {
		t.Fatal(err)
	}
	if err := out.Finish(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// What a file lacks is NULL, and what others have besides comes behind the columns of the first;
// without the option, files with other columns are refused.
func TestUnionByName(t *testing.T) {
	fs := vfs.NewMem()
	err := errors.Join(
		fs.MkdirAll("/spill"),
		vfs.Replace(fs, "/a.csv", []byte("id,name\n1,x\n2,y\n")),
		vfs.Replace(fs, "/b.csv", []byte("price;ID\n1.5;3\n")),
		vfs.Replace(fs, "/c.csv", []byte("name,late,id\nz,2024-01-02,4\n")),
	)
	if err != nil {
		t.Fatal(err)
	}
	ses := session.New(session.Config{FS: fs, Own: fs, SpillDir: "/spill", Memory: 64 << 20, MaxRejects: -1})
	const files = "read_csv(['/a.csv', '/b.csv', '/c.csv']"
	got, err := answer(t, ses, "FROM "+files+", union_by_name = true)")
	if want := "id,name,price,late\n1,x,,\n2,y,,\n3,,1.5,\n4,z,,2024-01-02\n"; err != nil || got != want {
		t.Errorf("%q, error %v", got, err)
	}
	got, err = answer(t, ses, "SELECT sum(id) s, sum(price) p, max(late) l FROM "+files+", union_by_name = true)")
	if want := "s,p,l\n10,1.5,2024-01-02\n"; err != nil || got != want {
		t.Errorf("%q, error %v", got, err)
	}
	_, err = answer(t, ses, "FROM "+files+")")
	for _, part := range []string{"/b.csv", "/a.csv", `it lacks ["id" "name"]`, `it has ["price" "ID"] besides`, "union_by_name = true"} {
		if err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("no %s in %v", part, err)
		}
	}
}

// Files of which one has all the columns are one table, unless the statement says otherwise, whatever the order:
// months of which later ones have a column more. A file without a header has no names. Of JSON that is usual, and not
// said.
func TestNestedFiles(t *testing.T) {
	t.Chdir(t.TempDir())
	var err error
	for name, text := range map[string]string{
		"m1.csv": "id,kind\n1,x\n2,y\n", "m2.csv": "track;KIND;id\n5.5;z;3\n", "m3.csv": "kind,id\nx,4\n",
		"h1.csv": "1,2\n3,4\n", "h2.csv": "1,2,3\n3,4,5\n",
		"j1.ndjson": "{\"a\":1}\n", "j2.ndjson": "{\"a\":2,\"b\":3}\n",
	} {
		err = errors.Join(err, os.WriteFile(name, []byte(text), 0o600))
	}
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		"FROM 'm*.csv'": "id,kind,track\n1,x,\n2,y,\n3,z,5.5\n4,x,\n",
		"SELECT kind, count(*) AS n FROM 'm*.csv' GROUP BY kind ORDER BY kind": "kind,n\nx,2\ny,1\nz,1\n",
		"FROM read_csv('m*.csv', union_by_name = false)":                       "union_by_name = true",
		"FROM 'h*.csv'":    "union_by_name = true",
		"FROM 'j*.ndjson'": "a,b\n1,\n2,3\n",
	} {
		var notices []string
		ses := session.New(session.Config{FS: vfs.OS(), Own: vfs.Private(), SpillDir: t.TempDir(), Memory: 64 << 20, MaxRejects: -1, Notice: func(n session.Notice) { notices = append(notices, n.Text) }})
		got, err := answer(t, ses, text)
		if err != nil {
			got = err.Error()
		} else if said := strings.Join(notices, "\n"); strings.Contains(said, "what a file lacks is NULL") == strings.Contains(text, "ndjson") || len(notices) > 1 {
			t.Errorf("%s: notices %q", text, notices)
		}
		if !strings.Contains(got, want) {
			t.Errorf("%s: %q", text, got)
		}
	}
}

// Each row has the name of its file as a column that no star stands for, unless the file has a
// column of that name.
func TestFileNameIsVirtual(t *testing.T) {
	fs := vfs.NewMem()
	err := errors.Join(
		fs.MkdirAll("/spill"),
		vfs.Replace(fs, "/a.csv", []byte("id\n1\n2\n")),
		vfs.Replace(fs, "/own.csv", []byte("filename,id\nx,1\n")),
	)
	if err != nil {
		t.Fatal(err)
	}
	ses := session.New(session.Config{FS: fs, Own: fs, SpillDir: "/spill", Memory: 64 << 20, MaxRejects: -1})
	for text, want := range map[string]string{
		"SELECT filename, id FROM '/a.csv'":                                     "filename,id\n/a.csv,1\n/a.csv,2\n",
		"SELECT * FROM '/a.csv' WHERE filename = '/a.csv' AND id = 2":           "id\n2\n",
		"SELECT filename FROM '/own.csv'":                                       "filename\nx\n",
		"SELECT filename, o.* FROM '/a.csv' a JOIN '/own.csv' o USING (id)":     "filename,filename_1,id\nx,x,1\n",
		"SELECT a.filename AS f FROM '/a.csv' a NATURAL JOIN '/own.csv' o":      "f\n/a.csv\n",
		"SELECT id % 1 AS filename, count(*) c FROM '/a.csv' GROUP BY filename": "filename,c\n0,2\n",
		"SELECT count(*) c FROM '/a.csv' WHERE filename = '/b.csv'":             "c\n0\n",
	} {
		if got, err := answer(t, ses, text); err != nil || got != want {
			t.Errorf("%s is %q, error %v", text, got, err)
		}
	}
}
