package bench

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"analyzer/columnar"
	"analyzer/columnar/vfs"
	"analyzer/compose/answers"
	"analyzer/compose/cluster/client"
	"analyzer/compose/cluster/protocol"
	"analyzer/compose/engine"
	"analyzer/operators/query/physical"
	"analyzer/operators/query/plan"
	"analyzer/process"
)

// Task is one run of a workload.
type Task struct {
	Workload string `json:"workload"`
	Dir      string `json:"dir"` // holds the data set's files, or a directory with the data set's name
	Setting
	SpillDir string `json:"spillDir,omitempty"` // "": the system's
	// Gateways are the gateways, as host:port, of the cluster that runs the task. PagesAt is
	// where it serves the pages of jobs. If there are none, this process runs the task with
	// Replicas and Memory.
	Gateways []string `json:"gateways,omitempty"`
	PagesAt  string   `json:"pagesAt,omitempty"`
	There    bool     `json:"there,omitempty"` // gateways read the files

	env []string // environment of its processes, added to this one's
}

// Run runs the task, in this process or as a client of a cluster. The answers come in
// the order of the workload's queries; progress may be nil.
func (t Task) Run(ctx context.Context, files vfs.FS, out engine.Answers, progress func(engine.Progress)) (*engine.Report, error) {
	return t.run(ctx, files, out, progress, newFollowed())
}

func (t Task) run(ctx context.Context, files vfs.FS, out engine.Answers, progress func(engine.Progress), f *followed) (*engine.Report, error) {
	selected, err := SelectWorkloads(t.Workload)
	if err != nil {
		return nil, err
	}
	w := &selected[0]
	paths, err := w.find(files, t.Dir)
	if err != nil {
		return nil, err
	}
	open := func(table string) (vfs.File, error) { return files.Open(paths[table]) }
	if f.every, err = t.Follow.every(); err != nil {
		return nil, err
	}
	f.size = func(table string) int64 {
		n, _ := files.Size(paths[table]) // 0 if that is not known
		return n
	}
	if t.There {
		open = nil
	}
	if len(t.Gateways) > 0 {
		return t.submit(ctx, w, paths, client.Upload{Open: open, MaxRejects: -1}, out, f)
	}
	if f.plan, err = w.plan(); err != nil {
		return nil, err
	}
	o := engine.Options{
		Plan: f.plan, Tables: plan.TablesOf(w.Tables), Open: open,
		Replicas: t.Replicas, Memory: t.Memory, FS: files, SpillDir: t.SpillDir,
		MaxRejects: -1, Progress: progress,
	}
	if t.Follow != AtEnd {
		return f.follow(ctx, o, out)
	}
	return engine.Run(ctx, o, out)
}

// submit has a cluster run the workload over files, by table.
func (t Task) submit(ctx context.Context, w *Workload, paths map[string]string, u client.Upload, out engine.Answers, f *followed) (report *engine.Report, err error) {
	c, err := client.New(client.Config{Gateways: t.Gateways})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, c.Close()) }()
	request := w.request()
	request.Follow = t.Follow != AtEnd
	if t.There {
		if request.Sources, err = sourcesOf(ctx, c, paths); err != nil {
			return nil, err
		}
	}
	job, err := c.Open(ctx, request)
	if err != nil {
		return nil, err
	}
	f.plan = job.Spec.Plan
	stop := lookOn(ctx, t.PagesAt, job.Spec.ID, t.Pages)
	if request.Follow {
		report, err = f.followJob(ctx, job, u, out)
	} else {
		report, err = job.Run(ctx, u, client.Fetch{}, out)
	}
	if err = errors.Join(err, stop()); err != nil {
		return nil, err
	}
	return report, c.End(ctx, job.Spec.ID, client.Fetched)
}

// sourcesOf asks a cluster for files that its gateways read, by table.
func sourcesOf(ctx context.Context, c *client.Client, paths map[string]string) (map[string]protocol.Source, error) {
	var asked protocol.BindRequest
	for table, path := range paths {
		asked.At = filepath.Dir(path)
		asked.Tables = append(asked.Tables, &columnar.Table{Name: table, Files: []string{filepath.Base(path)}})
	}
	bound, err := c.Bind(ctx, asked)
	if err != nil {
		return nil, err
	}
	return bound.Sources, nil
}

// Serve reads one task from in, runs it, and writes to out the part of the Run that the process
// itself knows. It is the main function of a process that runs a task.
func Serve(ctx context.Context, files vfs.FS, in io.Reader, out io.Writer) error {
	var t Task
	if err := json.NewDecoder(in).Decode(&t); err != nil {
		return fmt.Errorf("read the task: %w", err)
	}
	f := newFollowed()
	sum, report, err := t.digest(ctx, files, f)
	if err != nil {
		return err
	}
	done := Run{
		Answers: hex.EncodeToString(sum.Sum(nil)), Rows: report.Rows, Bytes: report.Bytes,
		Spilled: report.Spilled, SpillFiles: int64(report.SpillFiles), Stages: stages(f.plan, report), Peak: process.PeakMemory(), Program: process.ProgramMemory(),
		Cuts: f.cuts, Delay: f.delay(),
	}
	if err := json.NewEncoder(out).Encode(done); err != nil {
		return fmt.Errorf("write the outcome: %w", err)
	}
	return nil
}

// digest runs the task and hashes the answers.
func (t Task) digest(ctx context.Context, files vfs.FS, f *followed) (sum hash.Hash, report *engine.Report, err error) {
	sum = sha256.New()
	set, err := answers.NewStream(sum, answers.Options{Format: answers.JSON})
	if err != nil {
		return nil, nil, err
	}
	defer func() { err = errors.Join(err, set.Discard()) }()
	if report, err = t.run(ctx, files, set, nil, f); err != nil {
		return nil, nil, err
	}
	return sum, report, set.Finish()
}

// stages returns the time of each stage of the plan. The rest of a run's processor time is
// that of reading: cutting, testing and parsing cells. For a run in a cluster the times are
// not known here, and are 0.
func stages(p *physical.Plan, r *engine.Report) []Stage {
	all := make([]Stage, len(p.Stages))
	for i, s := range p.Stages {
		all[i].Name = stageName(p, s)
		if len(r.Nodes) == 0 {
			continue
		}
		for _, n := range s.Nodes {
			all[i].Time += time.Duration(r.Nodes[n].Nanos).Seconds()
		}
	}
	return all
}

// stageName returns a stage's number with the table it scans, or with the kinds of its
// operators that hold state.
func stageName(p *physical.Plan, s *physical.Stage) string {
	if s.Table != "" {
		return fmt.Sprintf("%d: scan %s", s.ID, s.Table)
	}
	var kinds []string
	for _, id := range s.Nodes {
		n := p.Nodes[id]
		for _, kind := range []struct {
			name string
			is   bool
		}{
			{"join", n.Join != nil}, {"aggregate", n.Aggregate != nil}, {"sort", n.Sort != nil}, {"percentile", n.Percentile != nil},
		} {
			if kind.is && !slices.Contains(kinds, kind.name) {
				kinds = append(kinds, kind.name)
			}
		}
	}
	return strings.TrimSuffix(fmt.Sprintf("%d: %s", s.ID, strings.Join(kinds, ", ")), ": ")
}
