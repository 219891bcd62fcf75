package e2e_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"analyzer/compose/cluster/e2e"
	"analyzer/compose/cluster/gateway"
	"analyzer/compose/cluster/worker"
)

// TestConstructs answers a statement of every construct of the language on clusters of
// several sizes whose processes have little memory and die meanwhile: the answers are
// the bytes of a single process.
func TestConstructs(t *testing.T) {
	lengthy(t)
	t.Parallel()
	c := shared.Start(t, e2e.Options{Workers: 4, Gateways: 2, Memory: "16MiB"})
	dir, queries := constructs(t, c)
	const most = 16 // of a job, which has 500 nodes at most, and a directory named after them
	jobs := (len(queries) + most - 1) / most
	for n, some := range slices.Collect(slices.Chunk(queries, (len(queries)+jobs-1)/jobs)) {
		for i, workers := range []int{1, 2, 4} {
			if !*long && i != n%3 {
				continue
			}
			takeWorkers(c, workers)
			answerConstructs(t, c, workers, []string{dir, "--query", strings.Join(some, ",")})
		}
	}
	c.Leftovers()
}

// answerConstructs compares the answers of a job whose workers die, each in another step.
func answerConstructs(t *testing.T, c *e2e.Cluster, workers int, args []string) {
	deaths := []shot{{point: worker.PointCompute, pass: 5}, {point: worker.PointManifest, pass: 10}, {point: worker.PointFreeze, pass: 3}, {point: worker.PointAppend, pass: 5}}
	for i := range workers {
		c.Worker(i).Crash(deaths[i].at())
	}
	c.Gateway(0).Crash(gateway.PointHalfForward + ":4")
	out := filepath.Join(c.Scratch(), "answers")
	r := c.Submit(t.Context(), append(args, "--block-size", "2KiB", "--output", out)...)
	if _, other := c.ExactFiles(out, args...); r.Code != 0 || len(other) > 0 {
		t.Errorf("%d workers: status %d, other answers than in one process: %s\n%s", workers, r.Code, strings.Join(other, ", "), r.Stderr)
	}
	for i := range workers {
		if !c.Worker(i).WasHit() {
			t.Errorf("%d workers: worker %d has not passed %s", workers, i, deaths[i].at())
		}
		c.Worker(i).Calm()
	}
}

// constructs makes a data set of the statements in testdata, with its files.
func constructs(t *testing.T, c *e2e.Cluster) (dir string, queries []string) {
	t.Helper()
	dir = c.Scratch()
	all, err := txtar.ParseFile("testdata/constructs.txtar")
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(7, 0))
	all.Files = append(all.Files,
		made("t.csv", "id,k,s,d,f,b,day,at", 600, func(row int) []string {
			return []string{
				fmt.Sprint(row), maybe(rng, rng.IntN(30)), maybe(rng, oneOf(rng, "a", "b", "Ab", `"a,b"`, `"say ""hi"""`, "zz top", "ß", "100%", "2020-02-29", "17")),
				maybe(rng, float64(rng.IntN(4000)-2000)/8), maybe(rng, oneOf(rng, "-0e0", "0e0", "1e15", "-1e308", "0.1e0", "123456789.123456789e0")),
				maybe(rng, rng.IntN(2) == 0), maybe(rng, day(rng, 2010)), day(rng, 2018) + fmt.Sprintf(" %02d:%02d:%09.6f", rng.IntN(24), rng.IntN(60), 60*rng.Float64()*0.99),
			}
		}),
		made("u.csv", "k,name,w,born", 40, func(int) []string {
			return []string{
				maybe(rng, rng.IntN(25)), maybe(rng, oneOf(rng, "ann", "Bob", `"c,d"`, "Ωmega", "x y")),
				maybe(rng, oneOf(rng, "-0e0", "0e0", "1e-3", "2.5e2", "1e300", "-7.25e0")), maybe(rng, day(rng, 2010)),
			}
		}),
	)
	for _, f := range all.Files {
		if name, is := strings.CutSuffix(f.Name, ".sql"); is && name != "tables" {
			queries = append(queries, name)
		}
		if err := os.WriteFile(filepath.Join(dir, f.Name), f.Data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir, queries
}

// made is a CSV file.
func made(name, header string, rows int, row func(int) []string) txtar.File {
	text := header + "\n"
	for i := range rows {
		text += strings.Join(row(i), ",") + "\n"
	}
	return txtar.File{Name: name, Data: []byte(text)}
}

// maybe is a cell of a value, or an empty one.
func maybe(rng *rand.Rand, v any) string {
	if rng.IntN(8) == 0 {
		return ""
	}
	return fmt.Sprint(v)
}

func oneOf(rng *rand.Rand, texts ...string) string { return texts[rng.IntN(len(texts))] }

func day(rng *rand.Rand, since int) string {
	return fmt.Sprintf("%d-%02d-%02d", since+rng.IntN(14), 1+rng.IntN(12), 1+rng.IntN(28))
}
