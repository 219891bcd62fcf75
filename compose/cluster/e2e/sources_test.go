package e2e_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	arrowipc "github.com/apache/arrow/go/v17/arrow/ipc"
	"github.com/apache/arrow/go/v17/arrow/memory"
	"github.com/apache/arrow/go/v17/parquet/pqarrow"

	"analyzer/columnar/vfs"
	"analyzer/columnar/vfs/remote/remotetest"
	"analyzer/compose/cluster/e2e"
	"analyzer/compose/cluster/gateway"
	"analyzer/compose/cluster/worker"
	"analyzer/operators/query/plan"
)

// reading starts a cluster whose gateways read what is below a directory, in which it generates
// data sets.
func reading(t *testing.T, o e2e.Options, datasets ...string) (c *e2e.Cluster, source string) {
	t.Helper()
	source, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	o.GatewayFlags = append(o.GatewayFlags, "--source", source)
	c = shared.Start(t, o)
	for _, d := range datasets {
		if r := c.Command(t.Context(), "generate", d, "--scale", "0.01", "--output", filepath.Join(source, d)); r.Code != 0 {
			t.Fatalf("generate %s: %s", d, r.Stderr)
		}
	}
	return c, source
}

// The answers to files that gateways read are the bytes of a run over them, whichever point of the
// reading a gateway dies at.
func TestGatewaysThatReadDie(t *testing.T) {
	lengthy(t)
	t.Parallel()
	c, source := reading(t, e2e.Options{Workers: 3, Gateways: 2}, "movies", "steam")
	for _, shot := range []struct{ dataset, point string }{
		{"movies", gateway.PointListed + ":1"},
		{"movies", gateway.PointHalfForward + ":40"},
		{"steam", gateway.PointLeased + ":1"},
		{"steam", gateway.PointAccept + ":70"},
		{"steam", gateway.PointPreAck + ":20"},
	} {
		c.Worker(1).Crash(worker.PointManifest + ":3")
		for i := range 2 { // one after the other, since either may read
			c.Gateway(i).Crash(shot.point)
			c.AwaitListening(c.Gateway(i))
		}
		dir := filepath.Join(source, shot.dataset)
		r := c.Submit(t.Context(), shot.dataset, "--at", dir, "--block-size", "16KiB")
		if !c.Exact(r, shot.dataset, dir) {
			t.Errorf("%v", shot)
		}
		if !c.Gateway(0).WasHit() && !c.Gateway(1).WasHit() {
			t.Errorf("%v: both gateways lived on", shot)
		}
		for i := range 2 {
			c.Gateway(i).Calm()
			c.AwaitListening(c.Gateway(i))
		}
	}
	c.Leftovers()
}

// Statements over files of gateways answer as they do over files here, also in a shell's order: views
// are gateways' too.
func TestStatementsOverFilesOfGateways(t *testing.T) {
	lengthy(t)
	t.Parallel()
	c, source := reading(t, e2e.Options{Gateways: 2}, "movies")
	parts := filepath.Join(source, "parts", "year=2026")
	if err := os.MkdirAll(parts, 0o700); err != nil {
		t.Fatal(err)
	}
	for i, name := range []string{"a.csv", "b.csv", "c.csv"} {
		text := "shop,sold\n" + strings.Repeat([]string{"1,2\n", "2,3.5\n", "x3,7\n"}[i], 1000) // the last one makes shop a text
		if err := os.WriteFile(filepath.Join(parts, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, text := range []string{
		"SELECT userId, count(*) AS n, avg(rating) AS a FROM '" + source + "/movies/ratings.csv' GROUP BY ALL ORDER BY n DESC, userId LIMIT 100",
		"FROM '" + source + "/movies/ratings.csv' LIMIT 3000", // in the order of the file
		"SELECT shop, year, sum(sold) AS s FROM '" + source + "/parts/*/*.csv' GROUP BY ALL ORDER BY ALL",
		"SELECT shop, filename FROM '" + source + "/**/a.csv' UNION ALL SELECT 0, NULL",
		"DESCRIBE FROM '" + source + "/parts/year=2026/?.csv'",
		"SELECT sum(userId + 9223372036854000000) AS large FROM '" + source + "/movies/ratings.csv'",
		"CREATE VIEW v AS SELECT sold FROM '" + source + "/parts/*/*.csv'; CREATE MACRO twice(x) AS 2 * x; SELECT twice(max(sold)) AS m FROM v",
		"SELECT 1 + 1 AS two",
	} {
		want := c.Command(t.Context(), "sql", text)
		got := c.Command(t.Context(), "sql", text, "--gateway", c.Gateways(), "--at", source, "--block-size", "64KiB")
		if want.Code != 0 || got.Code != 0 || len(want.Stdout) == 0 || !bytes.Equal(want.Stdout, got.Stdout) {
			t.Errorf("%s: status %d here, %d there\n%s\n%s%s", text, want.Code, got.Code, got.Stdout, want.Stderr, got.Stderr)
		}
	}
	got := c.Command(t.Context(), "sql", "SELECT sum(sold) AS s FROM 'parts/*/a.csv'", "--gateway", c.Gateways(), "--at", source)
	if string(got.Stdout) != "s\n2000\n" {
		t.Errorf("by a relative name: %q, %s", got.Stdout, got.Stderr)
	}
	short := filepath.Join(parts, "short.csv")
	if err := os.WriteFile(short, []byte("a,b\n1,2\nx\n3,4\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	strict := []string{"sql", "FROM read_csv('" + short + "', ignore_errors = false)", "--block-size", "64KiB"}
	for _, where := range [][]string{nil, {"--gateway", c.Gateways()}, {"--gateway", c.Gateways(), "--at", source}} {
		if r := c.Command(t.Context(), append(strict[:len(strict):len(strict)], where...)...); r.Code != 3 || !bytes.Contains(r.Stderr, []byte("short.csv:3: row 1 that is rejected (too-few-fields), 0 are allowed")) {
			t.Errorf("a row that may not be rejected, %v: status %d\n%s", where, r.Code, r.Stderr)
		}
	}
	c.Leftovers()
}

// readWhileGatewaysDie runs a command over files of gateways, each of three of which dies at a point, and reports
// whether one has. Without a point none dies, and several must have read.
func readWhileGatewaysDie(t *testing.T, c *e2e.Cluster, point string, args []string) (r e2e.Result, hit bool) {
	t.Helper()
	for i := range 3 {
		if point != "" {
			c.Gateway(i).Crash(point)
		}
		c.AwaitListening(c.Gateway(i))
	}
	r = c.Command(t.Context(), args...)
	reading := 0
	for i := range 3 {
		hit = hit || c.Gateway(i).WasHit()
		if c.Gateway(i).Metric(ackedMetric) > 0 {
			reading++
		}
	}
	if point == "" && reading < 2 {
		t.Errorf("%d gateways have read", reading)
	}
	for i := range 3 {
		c.Gateway(i).Calm()
		c.AwaitListening(c.Gateway(i))
	}
	return r, hit || point == ""
}

// More files than a job has tables are one table, which all gateways read, whichever point they die at, and
// each of the files is the one that the job was opened for.
func TestManyFilesOfGateways(t *testing.T) {
	lengthy(t)
	t.Parallel()
	c, source := reading(t, e2e.Options{Gateways: 3, GatewayFlags: e2e.Serve})
	var last string
	for i := range plan.MaxTables + 30 {
		dir := filepath.Join(source, fmt.Sprintf("year=%d", 2020+i%3))
		last = filepath.Join(dir, fmt.Sprintf("%03d.csv", i))
		text := fmt.Sprintf("id,name\n%d,x\n%d,y%d\n", 10*i, 10*i+1, i) + strings.Repeat(fmt.Sprintf("%d,yes\n", -i), 100+i)
		if i%10 == 0 {
			text = strings.ReplaceAll(text, ",", ";")
		}
		if err := errors.Join(os.MkdirAll(dir, 0o700), os.WriteFile(last, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	from := " FROM read_csv('" + source + "/*/*.csv', filename = true)"
	there := []string{"--gateway", c.Gateways(), "--at", source, "--block-size", "2KiB"}
	for point, text := range map[string]string{
		"":                          "SELECT sum(id) AS ids, count(*) AS n" + from,
		gateway.PointListed + ":1":  "SELECT id, name, year, filename" + from + " LIMIT 100 OFFSET 12000",
		gateway.PointLeased + ":1":  "SELECT year, count(*) AS n, sum(id) AS ids, min(filename) AS f" + from + " GROUP BY year ORDER BY year",
		gateway.PointPreAck + ":20": "SELECT id, row_number() OVER () AS n" + from + " WHERE name LIKE 'y%' AND year > 2020",
	} {
		want := c.Command(t.Context(), "sql", text)
		got, hit := readWhileGatewaysDie(t, c, point, append([]string{"sql", text}, there...))
		if want.Code != 0 || got.Code != 0 || len(want.Stdout) < 10 || !bytes.Equal(want.Stdout, got.Stdout) || !hit {
			t.Errorf("%s: %s: status %d here, %d there, gateways died: %v\n%.300s\n%s%s", point, text, want.Code, got.Code, hit, got.Stdout, want.Stderr, got.Stderr)
		}
	}
	for i := range 3 {
		c.Gateway(i).Crash(gateway.PointLeased + ":1")
		c.AwaitListening(c.Gateway(i))
	}
	k := c.Begin(t.Context(), "", append([]string{"sql", "SELECT count(*) AS n" + from}, there...)...)
	c.Await("gateways to die", func() (string, bool) {
		return "they live", c.Gateway(0).WasHit() && c.Gateway(1).WasHit() && c.Gateway(2).WasHit()
	})
	if err := os.WriteFile(last, []byte("id,name\n1,x\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if r := k.Wait(); r.Code == 0 || !bytes.Contains(r.Stderr, []byte("a source has changed")) || !bytes.Contains(r.Stderr, []byte(filepath.Base(last))) {
		t.Errorf("status %d\n%s%s", r.Code, r.Stdout, r.Stderr)
	}
	c.Leftovers()
}

// All gateways read a large file at once, in ranges, although quotes enclose lines and rows are rejected
// anywhere, and whichever point they die at.
func TestRangesOfAFile(t *testing.T) {
	t.Parallel()
	rows := 20_000
	if testing.Short() {
		rows /= 2
	}
	rejected := rows / 50
	c, source := reading(t, e2e.Options{Gateways: 3, GatewayFlags: e2e.Serve})
	file, text := filepath.Join(source, "notes.csv"), []byte("id,kind,note\n")
	for i := range rows {
		note := "plain"
		switch i % 50 {
		case 3:
			note = fmt.Sprintf("\"a note of \"\"%d\"\",\n0,0,lines\n\"", i)
		case 17:
			note = "\"" + strings.Repeat("1,2,3\n", i%1000) + "\""
		case 40:
			text = append(text, "short\n"...)
		}
		text = fmt.Appendf(text, "%d,%d,%s\n", i, i%7, note)
	}
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	mine, theirs := filepath.Join(c.Scratch(), "mine.csv"), filepath.Join(c.Scratch(), "theirs.csv")
	there := []string{"--gateway", c.Gateways(), "--at", source, "--block-size", "16KiB"}
	for point, q := range map[string]struct {
		text    string
		rejects bool
	}{
		"":                          {"SELECT kind, count(*) AS n, sum(length(note)) AS l, max(note) AS m FROM 'notes.csv' GROUP BY kind ORDER BY kind", false},
		gateway.PointLeased + ":2":  {"SELECT id, row_number() OVER (ORDER BY note, id) AS n FROM 'notes.csv'", false},
		gateway.PointPreAck + ":30": {"SELECT id, note FROM 'notes.csv' WHERE kind = 3", false},
		gateway.PointPreAck + ":10": {"SELECT a.id FROM 'notes.csv' a JOIN 'notes.csv' b USING (id) WHERE b.kind = 5", true},
	} {
		if testing.Short() && !q.rejects {
			continue
		}
		here := []string{"sql", strings.ReplaceAll(q.text, "'notes.csv'", "'"+file+"'")}
		asked := append([]string{"sql", q.text}, there...)
		if q.rejects {
			here, asked = append(here, "--rejects", mine), append(asked, "--rejects", theirs)
		}
		want := c.Command(t.Context(), here...)
		got, hit := readWhileGatewaysDie(t, c, point, asked)
		if want.Code != 0 || got.Code != 0 || len(want.Stdout) < 100 || !bytes.Equal(want.Stdout, got.Stdout) || !hit || !bytes.Contains(got.Stderr, fmt.Appendf(nil, "%d rejected", rejected)) {
			t.Errorf("%s: %s: status %d here, %d there, gateways died: %v\n%.300s\n%s%s", point, q.text, want.Code, got.Code, hit, got.Stdout, want.Stderr, got.Stderr)
		}
	}
	one, err1 := os.ReadFile(mine)
	other, err2 := os.ReadFile(theirs)
	if err := errors.Join(err1, err2); err != nil || !bytes.Equal(one, other) {
		t.Errorf("rejected rows: %v, %d bytes here, %d there", err, len(one), len(other))
	}
	// A text of many blocks that looks like rows, if not like rows of numbers: what precedes ranges is guessed wrong.
	text = fmt.Appendf(nil, "id,kind,note\n%s1,1,\"%s\"\n", strings.Repeat("7,5,x\n", 20_000), strings.Repeat("1,b,3\n", 100_000))
	if err := os.WriteFile(filepath.Join(source, "text.csv"), append(text, strings.Repeat("8,6,y\n", 20_000)...), 0o600); err != nil {
		t.Fatal(err)
	}
	const sums = "SELECT kind, count(*) AS n, sum(id) AS ids, sum(length(note)) AS l FROM 'text.csv' GROUP BY kind ORDER BY kind"
	for _, most := range []string{"1000000", "0"} {
		r := c.Command(t.Context(), append([]string{"sql", sums, "--max-rejects", most}, there...)...)
		if r.Code != 0 || string(r.Stdout) != "kind,n,ids,l\n1,1,1,600000\n5,20000,140000,20000\n6,20000,160000,20000\n" || !bytes.Contains(r.Stderr, []byte("begins again as another one")) {
			t.Errorf("a text that looks like rows, of which %s may be rejected: status %d\n%s%s", most, r.Code, r.Stdout, r.Stderr)
		}
	}
	for _, most := range []struct{ rows, code int }{{rejected - 1, 3}, {rejected, 0}} {
		r := c.Command(t.Context(), append([]string{"sql", "SELECT count(*) AS n FROM 'notes.csv'", "--max-rejects", fmt.Sprint(most.rows)}, there...)...)
		if r.Code != most.code || most.code != 0 && !bytes.Contains(r.Stderr, fmt.Appendf(nil, "%d of %d rows are rejected", rejected, rows+rejected)) {
			t.Errorf("%d rejected rows are allowed: status %d\n%s%s", most.rows, r.Code, r.Stdout, r.Stderr)
		}
	}
	c.Leftovers()
}

// All gateways read a file of row groups or batches, or of an object on each line, in ranges, whichever point they die at.
func TestRangesOfOtherFiles(t *testing.T) {
	t.Parallel()
	c, source := reading(t, e2e.Options{Gateways: 3, GatewayFlags: e2e.Serve})
	var text []byte
	for i := range 20_000 {
		text = fmt.Appendf(text, "{\"id\": %d, \"kind\": %d, \"note\": \"%x\"}\n", i, i%7, i*i)
	}
	rows, _, err := array.RecordFromJSON(memory.DefaultAllocator, arrow.NewSchema([]arrow.Field{
		{Name: "id", Type: arrow.PrimitiveTypes.Int64}, {Name: "kind", Type: arrow.PrimitiveTypes.Int64}, {Name: "note", Type: arrow.BinaryTypes.String},
	}, nil), bytes.NewReader(text), array.WithMultipleDocs())
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Release()
	for _, of := range []struct {
		name, point, text string
		content           []byte
	}{
		{"notes.jsonl", gateway.PointLeased + ":3", "SELECT kind, count(*) AS n, sum(length(note)) AS l, max(note) AS m FROM '%s' GROUP BY kind ORDER BY kind", text},
		{"notes.parquet", gateway.PointPreAck + ":20", "SELECT id, note FROM '%s' WHERE kind = 3", inRowGroups(t, rows)},
		{"notes.arrow", gateway.PointLeased + ":3", "SELECT note, id FROM '%s' WHERE kind = 4", inBatches(t, rows)},
	} {
		file := filepath.Join(source, of.name)
		if err := os.WriteFile(file, of.content, 0o600); err != nil {
			t.Fatal(err)
		}
		want := c.Command(t.Context(), "sql", fmt.Sprintf(of.text, file))
		got, hit := readWhileGatewaysDie(t, c, of.point, []string{"sql", fmt.Sprintf(of.text, of.name), "--gateway", c.Gateways(), "--at", source, "--block-size", "4KiB"})
		if want.Code != 0 || got.Code != 0 || len(want.Stdout) < 100 || !bytes.Equal(want.Stdout, got.Stdout) || !hit {
			t.Errorf("%s: status %d here, %d there, gateways died: %v\n%.300s\n%s%s", of.name, want.Code, got.Code, hit, got.Stdout, want.Stderr, got.Stderr)
		}
	}
	c.Leftovers()
}

// inRowGroups returns a Parquet file.
func inRowGroups(t *testing.T, rows arrow.Record) []byte {
	t.Helper()
	var stored bytes.Buffer
	table := array.NewTableFromRecords(rows.Schema(), []arrow.Record{rows})
	defer table.Release()
	if err := pqarrow.WriteTable(table, &stored, 500, nil, pqarrow.DefaultWriterProps()); err != nil {
		t.Fatal(err)
	}
	return stored.Bytes()
}

// inBatches returns an Arrow IPC stream.
func inBatches(t *testing.T, rows arrow.Record) []byte {
	t.Helper()
	var stored bytes.Buffer
	w := arrowipc.NewWriter(&stored, arrowipc.WithSchema(rows.Schema()))
	for at := int64(0); at < rows.NumRows(); at += 500 {
		batch := rows.NewSlice(at, min(at+500, rows.NumRows()))
		if err := w.Write(batch); err != nil {
			t.Fatal(err)
		}
		batch.Release()
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return stored.Bytes()
}

// Rejected rows come to the client that asks for them, each once, although the gateway dies that
// sends them.
func TestRejectedRowsOfGateways(t *testing.T) {
	lengthy(t)
	t.Parallel()
	c, source := reading(t, e2e.Options{Gateways: 1}, "movies")
	dir := filepath.Join(source, "movies")
	here, there := filepath.Join(c.Scratch(), "here.csv"), filepath.Join(c.Scratch(), "there.csv")
	if r := c.Command(t.Context(), "run", "movies", dir, "--rejects", here); r.Code != 0 {
		t.Fatalf("%s", r.Stderr)
	}
	c.Gateway(0).Crash(gateway.PointPreAck + ":200")
	c.AwaitListening(c.Gateway(0))
	r := c.Submit(t.Context(), "movies", "--at", dir, "--rejects", there, "--block-size", "4KiB")
	want, _ := os.ReadFile(here)
	got, err := os.ReadFile(there)
	if r.Code != 0 || err != nil || len(want) < 500 || !bytes.Equal(got, want) || !c.Gateway(0).WasHit() {
		t.Errorf("status %d, %v, %d bytes of rejected rows, %d here, gateway died: %v\n%s", r.Code, err, len(got), len(want), c.Gateway(0).WasHit(), r.Stderr)
	}
	r = c.Submit(t.Context(), "movies", "--at", dir, "--max-rejects", "0")
	if r.Code != 3 || !bytes.Contains(r.Stderr, []byte("movies_metadata.csv")) {
		t.Errorf("more rejected rows than allowed: status %d\n%s", r.Code, r.Stderr)
	}
	c.Leftovers()
}

// A file that changes while it is read, or between two readings, fails the job by name.
func TestASourceThatChanges(t *testing.T) {
	lengthy(t)
	t.Parallel()
	for name, change := range map[string]func(t *testing.T, file string){
		"written to": func(t *testing.T, file string) {
			f, err := os.OpenFile(file, os.O_APPEND|os.O_WRONLY, 0)
			if err == nil {
				_, err = f.WriteString("1,1,5.0,1\n")
			}
			if err != nil || f.Close() != nil {
				t.Error(err)
			}
		},
		"gone": func(t *testing.T, file string) {
			if err := os.Remove(file); err != nil {
				t.Error(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c, source := reading(t, e2e.Options{Gateways: 1}, "movies")
			dir := filepath.Join(source, "movies")
			file := filepath.Join(dir, "ratings.csv")
			// The gateway dies before it reads, and the next one finds another file.
			c.Gateway(0).Crash(gateway.PointLeased + ":1")
			c.AwaitListening(c.Gateway(0))
			k := c.Begin(t.Context(), "", c.Submission("movies", "--at", dir)...)
			k.AwaitJob()
			c.Await("the gateway to die", func() (string, bool) { return "it lives", c.Gateway(0).WasHit() })
			change(t, file)
			r := k.Wait()
			if r.Code == 0 || bytes.Contains(r.Stdout, []byte(`"q3"`)) || !regexp.MustCompile(`a source has changed .*ratings\.csv`).Match(r.Stderr) {
				t.Errorf("status %d\n%s%s", r.Code, r.Stdout, r.Stderr)
			}
			c.Leftovers()
		})
	}
}

// What is not below a source is refused, by name and through links, and nobody without a token has
// anything read.
func TestOnlySourcesAreRead(t *testing.T) {
	t.Parallel()
	tokens := filepath.Join(t.TempDir(), "tokens")
	const whole, part, elsewhere = "a-token-that-is-long-enough", "a-token-for-a-part-of-it", "a-token-for-another-place"
	if err := os.WriteFile(tokens, fmt.Appendf(nil, "ann %s\n", whole), 0o600); err != nil {
		t.Fatal(err)
	}
	c, source := reading(t, e2e.Options{Token: whole, GatewayFlags: []string{"--token-file", tokens}}, "movies")
	some := filepath.Join(source, "some")
	if err := errors.Join(
		os.WriteFile(tokens, fmt.Appendf(nil, "ann %s\nben %s %s\ncid %s %s\n", whole, part, some, elsewhere, filepath.Dir(source)), 0o600),
		os.Mkdir(some, 0o700), os.Symlink("../movies/ratings.csv", filepath.Join(some, "link.csv")), os.WriteFile(filepath.Join(some, "own.csv"), []byte("a\n7\n"), 0o600),
	); err != nil {
		t.Fatal(err)
	}
	secret := filepath.Join(filepath.Dir(source), "secret.csv")
	if err := os.WriteFile(secret, []byte("a\n1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for link, to := range map[string]string{"link.csv": secret, "up": ".."} {
		if err := os.Symlink(to, filepath.Join(source, link)); err != nil {
			t.Fatal(err)
		}
	}
	at := []string{"--gateway", c.Gateways(), "--at", source}
	for _, file := range []string{secret, "../secret.csv", source + "/../secret.csv", "link.csv", "up/secret.csv", "/etc/passwd", "/etc/*", "s3://bucket/x.csv", "https://localhost/x.csv"} {
		r := c.Command(t.Context(), append([]string{"sql", "FROM '" + file + "'"}, at...)...)
		if r.Code == 0 || !bytes.Contains(r.Stderr, []byte("not below a source")) || bytes.Contains(r.Stdout, []byte("1")) {
			t.Errorf("%s: status %d\n%s%s", file, r.Code, r.Stdout, r.Stderr)
		}
	}
	for _, dir := range []string{filepath.Dir(source), source + "/up", source + "/movies/../.."} {
		r := c.Submit(t.Context(), "movies", "--at", dir)
		if r.Code == 0 || !bytes.Contains(r.Stderr, []byte("not below a source")) {
			t.Errorf("--at %s: status %d\n%s", dir, r.Code, r.Stderr)
		}
	}
	r := c.Command(t.Context(), append([]string{"sql", "FROM 'movies/ratings.csv' LIMIT 1", "--token", "a-token-that-is-not-known"}, at...)...)
	if r.Code == 0 || len(r.Stdout) > 0 || !bytes.Contains(r.Stderr, []byte("token")) {
		t.Errorf("with a wrong token: status %d\n%s%s", r.Code, r.Stdout, r.Stderr)
	}
	if r := c.Command(t.Context(), append([]string{"sql", "SELECT count(*) FROM 'movies/ratings.csv'"}, at...)...); r.Code != 0 {
		t.Errorf("with the right one: status %d\n%s", r.Code, r.Stderr)
	}
	c.Await("the new tokens", func() (string, bool) {
		r := c.Command(t.Context(), append([]string{"sql", "FROM 'some/own.csv'", "--token", part}, at...)...)
		return string(r.Stderr), r.Code == 0 && string(r.Stdout) == "a\n7\n"
	})
	for token, files := range map[string][]string{part: {"movies/ratings.csv", "some/link.csv", "some/../movies/ratings.csv"}, elsewhere: {"movies/ratings.csv", secret}} {
		for _, file := range files {
			r := c.Command(t.Context(), append([]string{"sql", "SELECT count(*) FROM '" + file + "'", "--token", token}, at...)...)
			if r.Code == 0 || !bytes.Contains(r.Stderr, []byte("not below a source")) {
				t.Errorf("%s with the token for a part: status %d\n%s%s", file, r.Code, r.Stdout, r.Stderr)
			}
		}
	}
	c.Leftovers()
}

// A job whose client dies is taken up where it was submitted, without the files.
func TestResumeWhatGatewaysRead(t *testing.T) {
	lengthy(t)
	t.Parallel()
	c, source := reading(t, e2e.Options{Gateways: 1}, "movies")
	dir := filepath.Join(source, "movies")
	k := c.Begin(t.Context(), "", c.Submission("movies", "--at", dir, "--block-size", "2KiB")...)
	job := k.AwaitJob().Job()
	c.Await("rows to come", func() (string, bool) {
		s := c.Jobs()[job]
		return string(s.State), s.Rows > 0
	})
	c.Worker(0).Stop() // so that the job is not done before its client is gone
	killed := k.Kill()
	if c.Worker(0).Continue(); !killed.Killed {
		t.Fatalf("the job was done before its client was killed: %s", killed.Stderr)
	}
	c.Exact(c.Command(t.Context(), "submit", "--resume", job, "--format", "json"), "movies", dir)
	c.Leftovers()
}

// Gateways read a bucket whose server fails now and then, and a file of it that becomes another one
// ends the job.
func TestGatewaysReadABucket(t *testing.T) {
	lengthy(t)
	t.Parallel()
	server := &remotetest.Server{Files: make(map[string][]byte)}
	var change atomic.Bool
	server.Fault = func(n int64) string {
		switch {
		case change.CompareAndSwap(true, false):
			return "change"
		case n%5 == 0:
			return "503"
		case n%7 == 0:
			return "cut"
		}
		return ""
	}
	url, _ := server.Start(t, vfs.NewMem())
	c := shared.Start(t, e2e.Options{
		Gateways: 2, GatewayFlags: []string{"--source", "s3://bucket/data"},
		Env: []string{"AWS_ENDPOINT_URL=" + url, "AWS_ACCESS_KEY_ID=me", "AWS_SECRET_ACCESS_KEY=secret"},
	})
	dir := c.Generated("movies", "0.01")
	for _, name := range []string{"movies_metadata.csv", "ratings.csv", "credits.csv"} {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		server.Put("bucket/data/movies/"+name, text)
	}
	server.Put("bucket/secret.csv", []byte("a\n1\n"))
	c.Gateway(0).Crash(gateway.PointAccept + ":50")
	c.Gateway(1).Crash(gateway.PointAccept + ":60")
	r := c.Submit(t.Context(), "movies", "--at", "s3://bucket/data/movies", "--block-size", "16KiB")
	if c.Exact(r, "movies", dir); !c.Gateway(0).WasHit() && !c.Gateway(1).WasHit() {
		t.Error("both gateways lived on")
	}
	c.Gateway(0).Calm()
	c.Gateway(1).Calm()
	r = c.Command(t.Context(), "sql", "SELECT count(*) AS n FROM '*/ratings.csv'", "--gateway", c.Gateways(), "--at", "s3://bucket/data")
	want := c.Command(t.Context(), "sql", "SELECT count(*) AS n FROM '"+dir+"/ratings.csv'")
	if r.Code != 0 || !bytes.Equal(r.Stdout, want.Stdout) {
		t.Errorf("status %d, %q, want %q\n%s", r.Code, r.Stdout, want.Stdout, r.Stderr)
	}
	for _, file := range []string{"s3://bucket/secret.csv", "s3://bucket/data/../secret.csv", "s3://bucket/*", "/etc/passwd"} {
		r := c.Command(t.Context(), "sql", "FROM '"+file+"'", "--gateway", c.Gateways(), "--at", "s3://bucket/data")
		if r.Code == 0 || !bytes.Contains(r.Stderr, []byte("not below a source")) {
			t.Errorf("%s: status %d\n%s%s", file, r.Code, r.Stdout, r.Stderr)
		}
	}
	k := c.Begin(t.Context(), "", c.Submission("movies", "--at", "s3://bucket/data/movies", "--block-size", "2KiB")...)
	k.AwaitJob()
	change.Store(true)
	if r := k.Wait(); r.Code == 0 || !bytes.Contains(r.Stderr, []byte("a source has changed")) {
		t.Errorf("a file changed, and the status is %d\n%s", r.Code, r.Stderr)
	}
	c.Leftovers()
}
