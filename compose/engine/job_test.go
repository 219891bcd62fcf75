package engine_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"analyzer/columnar/vfs"
	"analyzer/compose/answers"
	"analyzer/compose/engine"
	"analyzer/datasets"
	"analyzer/operators/query/physical"
	"analyzer/operators/query/plan"
)

// patience is how long a run of a test may take before it counts as hanging.
const patience = time.Minute

// job is a plan over files that a test runs repeatedly with different options.
type job struct {
	queries []*plan.Query
	tables  plan.Tables
	open    func(table string) (vfs.File, error)
	plan    *physical.Plan // nil: as Run plans it
	refuse  func() bool    // decides on each claim on the budget; nil: the memory does
}

// outcome is the result of a run.
type outcome struct {
	json   string // the answers
	report *engine.Report
	err    error
}

// run runs a job and writes its answers as JSON.
func (j job) run(t testing.TB, ctx context.Context, o engine.Options) outcome {
	t.Helper()
	var out bytes.Buffer
	set, err := answers.NewStream(&out, answers.Options{Format: answers.JSON, Queries: len(j.queries)})
	if err != nil {
		t.Fatal(err)
	}
	report, err := j.runInto(t, ctx, o, set)
	if err == nil {
		err = set.Finish()
	}
	if discarded := set.Discard(); discarded != nil {
		t.Error(discarded)
	}
	return outcome{json: out.String(), report: report, err: err}
}

// runInto runs a job and checks that, whatever its outcome, nothing is left: no memory, no
// reservation, no file in the spill directory, no open file. The spill directory is in memory
// unless o says otherwise.
func (j job) runInto(t testing.TB, ctx context.Context, o engine.Options, answers engine.Answers) (*engine.Report, error) {
	t.Helper()
	ctx, cancel := context.WithTimeoutCause(ctx, patience, errors.New("the run hangs"))
	defer cancel()
	spill := vfs.NewMem()
	if o.FS == nil {
		o.FS = spill
	}
	o.SpillDir = "/"
	o.Tables = j.tables
	if o.Open == nil {
		o.Open = j.open
	}
	if o.MaxRejects == 0 {
		o.MaxRejects = -1
	}
	if o.Plan = j.plan; o.Plan == nil {
		var err error
		if o.Plan, err = physical.New(nil, j.queries, j.tables); err != nil {
			return nil, err
		}
	}
	report, left, err := engine.RunReserved(ctx, o, answers, j.refuse)
	if left != 0 {
		t.Errorf("%d bytes of the budget are still reserved", left)
	}
	if files, err := spill.List("/"); err != nil || len(files) > 0 {
		t.Errorf("spill files left: %q, %v", files, err)
	}
	if files := spill.OpenFiles(); len(files) > 0 {
		t.Errorf("spill files open: %q", files)
	}
	return report, err
}

// answer runs a job that must succeed.
func (j job) answer(t testing.TB, o engine.Options) outcome {
	t.Helper()
	got := j.run(t, t.Context(), o)
	if got.err != nil {
		t.Fatalf("%s: %v", describe(o), got.err)
	}
	return got
}

// same runs a job and compares its answers.
func (j job) same(t testing.TB, want string, o engine.Options) outcome {
	t.Helper()
	got := j.answer(t, o)
	if got.json != want {
		t.Errorf("%s: the answers are\n%s\nnot\n%s", describe(o), got.json, want)
	}
	return got
}

func describe(o engine.Options) string {
	return fmt.Sprintf("%d replicas, blocks of %d bytes, %d bytes of memory", o.Replicas, o.BlockSize, o.Memory)
}

// ofDataset is all queries of a data set over files in a file system, by the
// usual names with an extension.
func ofDataset(d *datasets.Dataset, fs vfs.FS, dir, extension string) job {
	return job{
		queries: d.Queries, tables: d.TableMap(),
		open: func(table string) (vfs.File, error) {
			t, err := d.Table(table)
			if err != nil {
				return nil, err
			}
			return fs.Open(dir + t.Files[0] + extension)
		},
	}
}

// inMemory returns an Open for tables whose files are given by their content.
func inMemory(t testing.TB, files map[string]string) func(table string) (vfs.File, error) {
	t.Helper()
	fs := vfs.NewMem()
	for name, content := range files {
		writeFile(t, fs, "/"+name, []byte(content))
	}
	return func(table string) (vfs.File, error) { return fs.Open("/" + table) }
}

func writeFile(t testing.TB, fs vfs.FS, name string, content []byte) {
	t.Helper()
	f, err := fs.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	_, err = f.Write(content)
	if err := errors.Join(err, f.Close()); err != nil {
		t.Fatal(err)
	}
}
