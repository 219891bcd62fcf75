package engine_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"analyzer/columnar/scan"
	"analyzer/columnar/vfs"
	"analyzer/compose/answers"
	"analyzer/compose/engine"
	"analyzer/datasets"
	"analyzer/datasets/catalog"
	"analyzer/operators/query/physical"
	"analyzer/operators/query/plan"
)

// TestQueryScripts runs the files in testdata/queries, named DATASET_*.txt. Each is a txtar
// archive: tables under their usual names, then runs with what they must print.
//
//	-- ratings.csv --
//	userId,movieId,rating
//	1,31,2.5
//	-- run --query q3 --param q3.country=Spain --
//	{…answers as JSON…}
//
// A table whose name ends in " escaped" is written with Go's escapes: \r, \xff.
// After the answers come rejected rows, warnings and notices, or the error.
// Each run is repeated with other numbers of replicas, block sizes and memory
// limits, and must print the same each time.
func TestQueryScripts(t *testing.T) {
	files, err := filepath.Glob("testdata/queries/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no scripts: %v", err)
	}
	for i, file := range files {
		if testing.Short() && i%4 != 0 {
			continue
		}
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) { runScript(t, file) })
	}
}

func runScript(t *testing.T, file string) {
	archive, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	name, _, _ := strings.Cut(filepath.Base(file), "_")
	fs := vfs.NewMem()
	for i := range archive.Files {
		section := &archive.Files[i]
		line, isRun := strings.CutPrefix(section.Name, "run")
		if !isRun {
			writeTable(t, fs, section.Name, section.Data)
			continue
		}
		r := parseRun(t, name, line)
		got := r.print(t, fs, engine.Options{Replicas: 2})
		for _, o := range variations() {
			if again := r.print(t, fs, o); again != got {
				t.Errorf("%s: with %d replicas, blocks of %d bytes and %d bytes of memory it prints\n%s\nnot\n%s",
					section.Name, o.Replicas, o.BlockSize, o.Memory, again, got)
			}
		}
		if *rewrite {
			section.Data = []byte(got)
		} else if got != string(section.Data) {
			t.Errorf("%s prints\n%s\nnot (run with -rewrite to accept)\n%s", section.Name, got, section.Data)
		}
	}
	if *rewrite {
		if err := os.WriteFile(file, txtar.Format(archive), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func variations() []engine.Options {
	return []engine.Options{
		{Replicas: 5, BlockSize: 100}, {Replicas: 3, BlockSize: 1, Memory: 1}, {Replicas: 1, BlockSize: 33, Memory: 1},
	}
}

func writeTable(t *testing.T, fs vfs.FS, name string, data []byte) {
	t.Helper()
	if plain, ok := strings.CutSuffix(name, " escaped"); ok {
		var out []byte
		for _, line := range strings.SplitAfter(string(data), "\n") {
			for rest := strings.TrimSuffix(line, "\n"); rest != ""; {
				r, multibyte, tail, err := strconv.UnquoteChar(rest, 0)
				if err != nil {
					t.Fatalf("%s: %q: %v", name, rest, err)
				}
				if multibyte {
					out = append(out, string(r)...)
				} else {
					out = append(out, byte(r))
				}
				rest = tail
			}
		}
		name, data = plain, out
	}
	f, err := fs.Create("/" + name)
	if err != nil {
		t.Fatal(err)
	}
	_, err = f.Write(data)
	if err := errors.Join(err, f.Close()); err != nil {
		t.Fatal(err)
	}
}

// scriptRun is one run of a script.
type scriptRun struct {
	dataset    *datasets.Dataset
	queries    []*plan.Query
	maxRejects int64
	wrong      error // of a parameter
}

func parseRun(t *testing.T, dataset, line string) scriptRun {
	t.Helper()
	r, chosen, params := scriptRun{maxRejects: -1}, []string(nil), datasets.Settings{}
	for _, field := range strings.Split(line, " --")[1:] {
		flag, value, _ := strings.Cut(field, " ")
		var err error
		switch flag {
		case "query":
			chosen = strings.Split(value, ",")
		case "param":
			name, v, _ := strings.Cut(value, "=")
			params[name] = v
		case "max-rejects":
			r.maxRejects, err = strconv.ParseInt(value, 10, 64)
		default:
			err = fmt.Errorf("there is no flag %q", flag)
		}
		if err != nil {
			t.Fatalf("run%s: %v", line, err)
		}
	}
	if r.dataset, r.wrong = catalog.Find(dataset, params); r.wrong != nil {
		return r
	}
	r.queries, r.wrong = r.dataset.Select(chosen...)
	return r
}

// print runs the queries and returns their answers, with rejects and notices or the error.
func (r scriptRun) print(t *testing.T, fs vfs.FS, o engine.Options) string {
	t.Helper()
	if r.wrong != nil {
		return fmt.Sprintf("error: %v\n", r.wrong)
	}
	var out, rejected bytes.Buffer
	set, err := answers.NewStream(&out, answers.Options{Format: answers.JSON, Queries: len(r.queries)})
	if err != nil {
		t.Fatal(err)
	}
	o.Tables, o.MaxRejects = r.dataset.TableMap(), r.maxRejects
	o.FS, o.SpillDir = vfs.NewMem(), "/"
	o.Open = func(table string) (vfs.File, error) {
		t, err := r.dataset.Table(table)
		if err != nil {
			return nil, err
		}
		return fs.Open("/" + t.Files[0])
	}
	o.Reject = func(x scan.Reject) error {
		_, err := fmt.Fprintf(&rejected, "rejected %s:%d: %s %q %q\n", x.File, x.Line, x.Reason, x.Column, x.Cell)
		return err
	}
	var report *engine.Report
	if o.Plan, err = physical.New(nil, r.queries, o.Tables); err == nil {
		report, err = engine.Run(context.Background(), o, set)
	}
	if err == nil {
		err = set.Finish()
	}
	if err != nil {
		return fmt.Sprintf("error: %v\n", err)
	}
	out.Write(rejected.Bytes())
	slices.SortFunc(report.Tables, func(a, b engine.TableReport) int { return strings.Compare(a.Table, b.Table) })
	for _, table := range report.Tables {
		for _, c := range table.Stats.Warnings {
			fmt.Fprintf(&out, "warning %s: %d %s %q\n", table.Table, c.Count, c.What, c.Column)
		}
		for _, c := range table.Stats.Rejected {
			if c.What == scan.RejectBlank {
				fmt.Fprintf(&out, "blank lines in %s: %d\n", table.Table, c.Count)
			}
		}
		for _, notice := range table.Stats.Notices {
			fmt.Fprintf(&out, "notice %s: %s\n", table.Table, notice)
		}
	}
	return out.String()
}
