package engine_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/klauspost/compress/zstd"

	"analyzer/columnar/csv"
	"analyzer/columnar/vfs"
	"analyzer/compose/engine"
	"analyzer/datasets"
	"analyzer/datasets/catalog"
	"analyzer/operators/query/plan"
)

// ways returns options of runs that must all give the same bytes; in a short test, fewer.
func ways() (some []engine.Options) {
	all := []engine.Options{
		{Replicas: 1},
		{Replicas: 2},
		{Replicas: 3, BlockSize: 64 << 10},
		{Replicas: 16, BlockSize: 5000},
		{Replicas: 8, Memory: 16 << 20},
		{Replicas: 1, BlockSize: 4 << 20, Memory: 1},
		{Replicas: 4, BlockSize: 3001, Memory: 1},
	}
	for i, o := range all {
		if !testing.Short() || i%3 == 0 {
			some = append(some, o)
		}
	}
	return some
}

// perDataset runs a test for every data set, with all its queries over generated
// tables; in a short test, for only one, and over smaller tables.
func perDataset(t *testing.T, scale float64, test func(t *testing.T, d *datasets.Dataset, j job, dir string)) {
	if testing.Short() {
		scale /= 4
	}
	for _, name := range catalog.Names() {
		if testing.Short() && name != "books" {
			continue
		}
		t.Run(name, func(t *testing.T) {
			d := small(t, name)
			dir := generated(t, d, scale)
			j := ofDataset(d, vfs.OS(), dir, "")
			test(t, d, j, dir)
		})
	}
}

// TestAnswersDoNotDependOnTheRun compares runs with other numbers of replicas,
// sizes of blocks and bounds of memory.
func TestAnswersDoNotDependOnTheRun(t *testing.T) {
	perDataset(t, 0.002, func(t *testing.T, d *datasets.Dataset, j job, _ string) {
		want := j.answer(t, engine.Options{})
		for name, rows := range rowsOf(t, want.json) {
			if rows == 0 {
				t.Errorf("%s has no rows: it shows nothing", name)
			}
		}
		for _, o := range ways() {
			j.same(t, want.json, o)
		}
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(5))
		j.same(t, want.json, engine.Options{BlockSize: 20_000})
	})
}

// rowsOf counts the rows of each answer.
func rowsOf(t *testing.T, text string) map[string]int {
	t.Helper()
	counts := make(map[string]int)
	for name, answer := range parse(t, text) {
		var a struct{ Rows []json.RawMessage }
		if err := json.Unmarshal(answer, &a); err != nil {
			t.Fatal(err)
		}
		counts[name] = len(a.Rows)
	}
	return counts
}

func parse(t *testing.T, text string) map[string]json.RawMessage {
	t.Helper()
	var out map[string]json.RawMessage
	if err := json.Unmarshal([]byte(text), &out); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	return out
}

// TestSamplesDoNotDependOnTheRun does the same over the samples in the program,
// whose tables hold every known fault, down to blocks of a few bytes.
func TestSamplesDoNotDependOnTheRun(t *testing.T) {
	for _, d := range catalog.All() {
		t.Run(d.Name, func(t *testing.T) {
			j := ofDataset(d, vfs.ReadOnly(d.Samples), "", "")
			want := j.answer(t, engine.Options{})
			for _, o := range append(ways(), engine.Options{Replicas: 2, BlockSize: 61}) {
				got := j.same(t, want.json, o)
				for i, table := range got.report.Tables {
					if again, first := table.Stats.RejectedRows(), want.report.Tables[i].Stats.RejectedRows(); again != first {
						t.Errorf("%s: %d rows of %s are rejected, not %d", describe(o), again, table.Table, first)
					}
				}
			}
		})
	}
}

// TestSpillingChangesNothing runs with so little memory that joins, aggregations
// and sorts go to disk.
func TestSpillingChangesNothing(t *testing.T) {
	perDataset(t, 0.01, func(t *testing.T, d *datasets.Dataset, j job, _ string) {
		want := j.answer(t, engine.Options{})
		if want.report.Spilled > 0 {
			t.Errorf("without a limit %d bytes were spilled", want.report.Spilled)
		}
		one := j.same(t, want.json, engine.Options{Replicas: 1, Memory: 1})
		j.same(t, want.json, engine.Options{Replicas: 7, Memory: 1, BlockSize: 100_000})
		if d.Name == "books" && one.report.Spilled == 0 && !testing.Short() {
			t.Error("nothing was spilled")
		}
		var nodes int64
		for _, n := range one.report.Nodes {
			nodes += n.Spilled
		}
		if nodes > one.report.Spilled {
			t.Errorf("operators spilled %d bytes of %d", nodes, one.report.Spilled)
		}
	})
}

// TestQueriesDoNotDisturbEachOther runs each query alone.
func TestQueriesDoNotDisturbEachOther(t *testing.T) {
	perDataset(t, 0.002, func(t *testing.T, d *datasets.Dataset, j job, _ string) {
		together := parse(t, j.answer(t, engine.Options{}).json)
		for _, q := range d.Queries {
			j.queries = []*plan.Query{q}
			alone := parse(t, j.answer(t, engine.Options{Replicas: 3}).json)
			if len(alone) != 1 || string(alone[q.Name]) != string(together[q.Name]) {
				t.Errorf("%s alone answers\n%s\nnot\n%s", q.Name, alone[q.Name], together[q.Name])
			}
		}
	})
}

// TestCompressionChangesNothing reads tables compressed, and from a pipe.
func TestCompressionChangesNothing(t *testing.T) {
	if testing.Short() {
		t.Skip("files are decompressed as they are in the tests of columnar/csv")
	}
	perDataset(t, 0.002, func(t *testing.T, d *datasets.Dataset, j job, dir string) {
		want := j.answer(t, engine.Options{}).json
		compress(t, dir, ".gz", func(w io.Writer) io.WriteCloser { return gzip.NewWriter(w) })
		compress(t, dir, ".zst", func(w io.Writer) io.WriteCloser {
			z, err := zstd.NewWriter(w, zstd.WithEncoderConcurrency(1))
			if err != nil {
				t.Fatal(err)
			}
			return z
		})
		for _, extension := range []string{".gz", ".zst"} {
			ofDataset(d, vfs.OS(), dir, extension).same(t, want, engine.Options{Replicas: 2, BlockSize: 7000, Memory: 1})
		}
		for _, extension := range []string{"", ".zst"} {
			piped := j
			piped.open = func(table string) (vfs.File, error) {
				described, err := d.Table(table)
				if err != nil {
					return nil, err
				}
				content, err := os.ReadFile(dir + described.Files[0] + extension)
				return vfs.Stdin(bytes.NewReader(content)), err
			}
			piped.same(t, want, engine.Options{Replicas: 4, BlockSize: 50_000})
		}
	})
}

func compress(t *testing.T, dir, extension string, newWriter func(io.Writer) io.WriteCloser) {
	t.Helper()
	files, err := filepath.Glob(dir + "*.csv")
	if err != nil || len(files) == 0 {
		t.Fatalf("no files: %v", err)
	}
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var packed bytes.Buffer
		w := newWriter(&packed)
		_, err = w.Write(content)
		if err := errors.Join(err, w.Close(), os.WriteFile(file+extension, packed.Bytes(), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
}

// TestOrderOfRecordsChangesNothing shuffles the records of every table: answers
// have an order of their own.
func TestOrderOfRecordsChangesNothing(t *testing.T) {
	perDataset(t, 0.002, func(t *testing.T, d *datasets.Dataset, j job, dir string) {
		want := j.answer(t, engine.Options{}).json
		for seed := range uint64(2) {
			files := make(map[string]string)
			for _, table := range d.Tables {
				files[table.Name] = shuffled(t, dir+table.Files[0], seed)
			}
			mixed := j
			mixed.open = inMemory(t, files)
			if got := mixed.answer(t, engine.Options{Replicas: 3}).json; got != want {
				t.Errorf("with seed %d the answers are\n%s\nnot\n%s", seed, got, want)
			}
		}
	})
}

// shuffled returns a file with its records after the header in another order.
func shuffled(t *testing.T, file string, seed uint64) string {
	t.Helper()
	content, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	r, err := csv.Open(t.Context(), vfs.Stdin(bytes.NewReader(content)), csv.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var records []string
	for b := new(csv.Block); ; {
		if err := r.Next(t.Context(), b); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		for i := range b.Len() {
			records = append(records, string(b.Record(i)))
		}
	}
	rand.New(rand.NewPCG(seed, 1)).Shuffle(len(records), func(i, j int) { records[i], records[j] = records[j], records[i] })
	header, _, _ := bytes.Cut(content, []byte("\n"))
	var out bytes.Buffer
	fmt.Fprintf(&out, "%s\n", header)
	for _, record := range records {
		fmt.Fprintf(&out, "%s\n", record)
	}
	return out.String()
}
