package e2e_test

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"analyzer/columnar"
	"analyzer/compose/answers"
	"analyzer/compose/cluster/e2e"
	"analyzer/compose/cluster/gateway"
	"analyzer/compose/cluster/worker"
	"analyzer/datasets/catalog"
)

// TestFollow holds all answers that come while tables are uploaded, and processes die,
// to those of a run over files that end where each says. Workers have little memory, and
// their number is another for each data set.
func TestFollow(t *testing.T) {
	lengthy(t)
	t.Parallel()
	c := shared.Start(t, e2e.Options{Workers: 3, Gateways: 2, Memory: "16MiB"})
	for i, s := range followable(t, c) {
		t.Run(s.name, func(t *testing.T) {
			workers := 3 - i
			takeWorkers(c, workers)
			last := c.Worker(workers - 1)
			last.Crash(worker.PointManifest + ":5")
			c.Gateway(0).Crash(gateway.PointHalfForward + ":20")
			parts := s.follow(t, c, "--every", "200ms", "--block-size", "4KiB")
			if parts == 0 || !last.WasHit() {
				t.Errorf("%d parts were answered for; a worker died: %v", parts, last.WasHit())
			}
			t.Logf("%d parts by %d workers", parts, workers)
		})
	}
	c.Leftovers()
}

// TestFollowMatrix ends a process at each point, early and in the midst, while each of
// the data sets is followed, by one to five workers of little memory: make crash-matrix.
func TestFollowMatrix(t *testing.T) {
	if !*matrix {
		t.Skip("it takes minutes: make crash-matrix")
	}
	if *seed == 0 {
		*seed = rand.Uint64()
	}
	t.Logf("go test ./compose/cluster/e2e -run TestFollowMatrix -matrix -seed %d -v", *seed)
	rng := rand.New(rand.NewPCG(*seed, 2))
	c := shared.Start(t, e2e.Options{Workers: 5, Gateways: 2, Memory: "16MiB"})
	sets := append(followable(t, c), unlike(t, c))
	t.Logf("%-20s %5s %-10s %7s %-9s %-4s %5s %s", "point", "pass", "data set", "workers", "process", "hit", "parts", "seconds")
	for n, point := range append(worker.Points(), gateway.Points()...) {
		t.Run(point, func(t *testing.T) {
			for i, s := range sets {
				job := n*len(sets) + i
				workers := 1 + job%5
				if point == gateway.PointHalfForward {
					workers = max(workers, 2) // one has no half
				}
				at := shot{dataset: s.name, point: point, pass: passes[point][job/5%2], replica: rng.IntN(workers)}
				followAndDie(t, c, s, at, workers, rng)
			}
		})
	}
	if !t.Failed() {
		c.Leftovers()
	}
}

// followAndDie follows a data set while a process ends, and prints a line of the matrix.
func followAndDie(t *testing.T, c *e2e.Cluster, s followed, at shot, workers int, rng *rand.Rand) {
	t.Helper()
	takeWorkers(c, workers)
	p := c.Process(at.process())
	if p.Crash(at.at()); p.Kind() == "gateway" {
		c.AwaitListening(p)
	}
	began := time.Now()
	every, block := []string{"10ms", "50ms", "200ms"}[rng.IntN(3)], strconv.Itoa(2+rng.IntN(6))+"KiB"
	parts := s.follow(t, c, "--every", every, "--block-size", block)
	hit := p.WasHit()
	p.Calm()
	t.Logf("%-20s %5d %-10s %7d %-9s %-4v %5d %.1f", at.point, at.pass, s.name, workers, at.process(), hit, parts, time.Since(began).Seconds())
	if !hit {
		t.Errorf("%+v was not passed", at)
	}
}

// takeWorkers has jobs from now on taken by that many workers.
func takeWorkers(c *e2e.Cluster, workers int) {
	for i := range 2 {
		c.Gateway(i).Give("--replicas", strconv.Itoa(workers))
		c.Gateway(i).Kill()
	}
	c.AwaitReady()
}

// followed is a data set that is answered for while its tables are uploaded.
type followed struct {
	name, source, dir string
	tables            []*columnar.Table
	queries           int
}

// followable returns the data sets of the program.
func followable(t *testing.T, c *e2e.Cluster) (all []followed) {
	t.Helper()
	for _, d := range catalog.All() {
		all = append(all, followed{d.Name, d.Name, c.Generated(d.Name, "0.001"), d.Tables, len(d.Queries)})
	}
	return all
}

// unlike returns a data set of statements that are unlike those of the program.
func unlike(t *testing.T, c *e2e.Cluster) followed {
	t.Helper()
	d := catalog.All()[0]
	dir := filepath.Join(c.Scratch(), "statements")
	if r := c.Command(t.Context(), "init", dir, d.Name); r.Code != 0 {
		t.Fatalf("init: status %d\n%s", r.Code, r.Stderr)
	}
	for n, text := range []string{
		"SELECT original_language, count(*), avg(rating) FROM movies JOIN ratings ON movie_id = id GROUP BY ALL ORDER BY ALL",
		"FROM ratings LIMIT 5000", // in the order of the file
		"SELECT user_id, movie_id, sum(rating) OVER w AS s, count(*) OVER (PARTITION BY user_id) AS n FROM ratings " +
			"WINDOW w AS (PARTITION BY user_id ORDER BY movie_id) QUALIFY row_number() OVER w <= 3 ORDER BY ALL",
		"SELECT id, title FROM movies WHERE id NOT IN (SELECT movie_id FROM ratings) UNION ALL SELECT id, CAST(NULL AS VARCHAR) FROM credits ORDER BY ALL",
		"SELECT median(rating), count(DISTINCT user_id) FROM ratings",
		"SELECT count(*), min(user_id) FROM ratings WHERE movie_id IN (SELECT movie_id FROM ratings GROUP BY movie_id HAVING count(*) < 3)",
	} {
		if err := os.WriteFile(filepath.Join(dir, "q"+strconv.Itoa(n+1)+".sql"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return followed{"statements", dir, c.Generated(d.Name, "0.001"), d.Tables, 6}
}

// follow submits a data set, compares the answers for each part of it, and those for all
// of it, with the ones of a run, and returns how many parts there were.
func (f followed) follow(t *testing.T, c *e2e.Cluster, flags ...string) (parts int) {
	t.Helper()
	r := c.Submit(t.Context(), append([]string{f.source, f.dir, "--follow", "--format", "jsonl"}, flags...)...)
	whole := c.Run(f.source, f.dir, "--format", "jsonl")
	if r.Code != 0 {
		t.Fatalf("status %d\n%s", r.Code, r.Stderr)
	}
	lines := bytes.SplitAfter(bytes.TrimSuffix(r.Stdout, []byte("\n")), []byte("\n"))
	last := bytes.Join(lines[max(0, len(lines)-f.queries):], nil)
	if got := asOf.ReplaceAll(append(last, '\n'), nil); !bytes.Equal(got, whole.Stdout) {
		t.Errorf("the last answers are\n%s\nnot\n%s", got, whole.Stdout)
	}
	parts = len(lines)/f.queries - 1
	for n := range parts {
		f.exactPart(t, c, bytes.Join(lines[n*f.queries:(n+1)*f.queries], nil))
	}
	return parts
}

// asOf is what an answer says it is exact for.
var asOf = regexp.MustCompile(`, "as_of": \{.*?\}, "complete": (true|false)`)

// exactPart compares the answers for a part of the files.
func (f followed) exactPart(t *testing.T, c *e2e.Cluster, got []byte) {
	t.Helper()
	var said struct {
		AsOf map[string]answers.Part `json:"as_of"`
	}
	if err := json.NewDecoder(bytes.NewReader(got)).Decode(&said); err != nil {
		t.Fatal(err)
	}
	part := t.TempDir()
	for _, table := range f.tables {
		content, err := os.ReadFile(filepath.Join(f.dir, table.Files[0]))
		if err != nil {
			t.Fatal(err)
		}
		end := int(said.AsOf[table.Name].Bytes)
		if end == 0 { // nothing but the header
			end = bytes.IndexByte(content, '\n') + 1
		}
		if err := os.WriteFile(filepath.Join(part, table.Files[0]), content[:end], 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want := c.Command(t.Context(), "run", f.source, part, "--format", "jsonl", "--max-rejects", "100%")
	if want.Code != 0 {
		t.Fatalf("run over a part: status %d\n%s", want.Code, want.Stderr)
	}
	if got := asOf.ReplaceAll(got, nil); strings.TrimSpace(string(got)) != strings.TrimSpace(string(want.Stdout)) {
		t.Errorf("the answers as of %v are\n%s\nnot\n%s", said.AsOf, got, want.Stdout)
	}
}
