package e2e_test

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"analyzer/compose/cluster/e2e"
	"analyzer/compose/cluster/worker"
	"analyzer/datasets/catalog"
)

// TestCrashMatrix ends a process at each point, early and in the midst, in jobs
// over each data set, which together are all fifteen queries. The diets take turns, so
// that each point is passed on each of them. It prints what came of it: make
// crash-matrix.
func TestCrashMatrix(t *testing.T) {
	if !*matrix {
		t.Skip("it takes minutes: make crash-matrix")
	}
	began := time.Now()
	t.Logf(matrixRow, "point", "pass", "data set", "process", "hit", "exact", "seconds")
	jobs := 0
	for turn, d := range diets {
		t.Logf("prefetch %d, commits of %s, blocks of %s", d.prefetch, d.bytes, d.block)
		c := shared.Start(t, e2e.Options{Gateways: 2, WorkerFlags: d.flags()})
		jobs += crashes(t, c, d, turn)
		c.Leftovers()
	}
	t.Logf("%d points, %d jobs in %v", len(points()), jobs, time.Since(began).Round(time.Second))
}

// matrixRow is a line of what TestCrashMatrix prints.
const matrixRow = "%-20s %5s %-8s %-9s %-4s %-28s %s"

// TestMatrixOnPage holds the lines that docs/withstands.md shows of the matrix, some of an older one, to how
// it is printed, and to the points that there are.
func TestMatrixOnPage(t *testing.T) {
	page, err := os.ReadFile("../../../docs/withstands.md")
	if err != nil {
		t.Fatal(err)
	}
	text := string(page)
	header := fmt.Sprintf(matrixRow, "point", "pass", "data set", "process", "hit", "exact", "seconds") + "\n"
	_, rows, found := strings.Cut(text, "```\n"+header)
	rows, _, _ = strings.Cut(rows, "```")
	lines := regexp.MustCompile(`(?m)^(\S+) +(\d+) (\S+) +(\S+ \d) +(\S+) +(q[q0-9 ]*?) +(\S+)$`).FindAllStringSubmatch(rows, -1)
	if !found || len(lines) != 3 || strings.Count(rows, "\n") != 3 {
		t.Fatalf("the page shows below %q\n%s", header, rows)
	}
	for _, l := range lines {
		if want := fmt.Sprintf(matrixRow, l[1], l[2], l[3], l[4], l[5], l[6], l[7]); l[0] != want {
			t.Errorf("the page shows\n%s\nwhere the matrix says\n%s", l[0], want)
		}
		if !slices.Contains(points(), l[1]) {
			t.Errorf("there is no point %s", l[1])
		}
	}
	if _, n, _ := strings.Cut(text, "at each of "); !strings.HasPrefix(n, fmt.Sprint(len(points()), " named")) {
		t.Errorf("there are %d points, and the page says %.2s", len(points()), n)
	}
}

// crashes runs the jobs whose turn it is, in each of which a process ends, and returns
// how many.
func crashes(t *testing.T, c *e2e.Cluster, fed diet, turn int) (jobs int) {
	for n, point := range points() {
		both := fed.passes(point)
		for early, pass := range both {
			if early == 1 && pass == both[0] {
				continue
			}
			for i, d := range catalog.All() {
				if (n+early+i)%len(diets) != turn {
					continue
				}
				s := shot{dataset: d.Name, point: point, pass: pass, replica: (i + early + 1) % 2, diet: fed}
				row(t, c, s, len(d.Queries))
				jobs++
			}
		}
	}
	return jobs
}

// TestThirtyKills kills one worker thirty times at each operation on its disk, in one
// job: it is as healthy as before, and its answers are exact. That the other points
// are no different is tested without processes.
func TestThirtyKills(t *testing.T) {
	if !*matrix {
		t.Skip("it takes half a minute: make crash-matrix")
	}
	// One message is sent ahead, so that there are commits for all deaths in small blocks.
	c := shared.Start(t, e2e.Options{WorkerFlags: []string{"--prefetch", "1"}})
	k := c.Begin(t.Context(), "", c.Submission("books", "--block-size", "1KiB")...)
	k.AwaitJob()
	began := time.Now()
	p := c.Worker(0)
	for _, point := range []string{worker.PointFsync, worker.PointManifest, worker.PointRename, worker.PointDirectorySync} {
		for n := range 30 {
			s := shot{point: point, pass: passes[point][0] + n%2}
			p.Crash(s.at())
			c.Await(fmt.Sprintf("death %d at %s", n+1, point), func() (string, bool) { return "it lives", p.WasHit() })
		}
	}
	t.Logf("%d starts in %v", p.Starts(), time.Since(began).Round(time.Second))
	c.Exact(k.Wait(), "books")
	c.Leftovers()
}

// row runs one job and prints a line of the matrix.
func row(t *testing.T, c *e2e.Cluster, s shot, queries int) {
	t.Helper()
	began := time.Now()
	v := fire(t, c, s)
	slices.Sort(v.same)
	exact := strings.ReplaceAll(strings.Join(v.same, " "), ".json", "")
	hit := map[bool]string{true: "yes", false: "NO"}[v.hit]
	seconds := fmt.Sprintf("%.1f", time.Since(began).Seconds())
	line := fmt.Sprintf(matrixRow, s.point, strconv.Itoa(s.pass), s.dataset, s.process(), hit, exact, seconds)
	if v.good(queries) {
		t.Log(line)
		return
	}
	t.Errorf("%s; not exact: %q; status %d\n%s", line, v.other, v.result.Code, v.result.Stderr)
}
