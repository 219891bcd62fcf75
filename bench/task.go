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
	"slices"
	"strings"
	"time"

	"analyzer/columnar/vfs"
	"analyzer/compose/answers"
	"analyzer/compose/cluster/client"
	"analyzer/compose/engine"
	"analyzer/operators/plan"
	"analyzer/operators/planner"
	"analyzer/process"
)

// Task is one run of a workload.
type Task struct {
	Workload string `json:"workload"`
	Dir      string `json:"dir"` // holds the data set's files, or a directory of its name that does
	Setting
	SpillDir string `json:"spillDir,omitempty"` // "": the system's
	// Gateways, host:port each, are those of the cluster that is to answer, which has the
	// pages of the job at PagesAt; none: this process does, with Replicas and Memory.
	Gateways []string `json:"gateways,omitempty"`
	PagesAt  string   `json:"pagesAt,omitempty"`

	env []string // of its processes, beside that of this one
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
	if len(t.Gateways) > 0 {
		return t.submit(ctx, w, client.Upload{Open: open, MaxRejects: -1}, out, f)
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

// submit has a cluster run the workload.
func (t Task) submit(ctx context.Context, w *Workload, u client.Upload, out engine.Answers, f *followed) (report *engine.Report, err error) {
	c, err := client.New(client.Config{Gateways: t.Gateways})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, c.Close()) }()
	request := w.request()
	request.Follow = t.Follow != AtEnd
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

// Serve runs the one task that it reads from in and writes to out what the process
// itself knows of the Run. It is all that such a process does.
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
		Spilled: report.Spilled, SpillFiles: int64(report.SpillFiles), Stages: stages(f.plan, report), Peak: process.PeakMemory(),
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

// stages returns the time of each stage of the plan that was run. What remains of the
// processor time is that of reading: cutting, testing and parsing cells. The time of a
// cluster's stages is not known here.
func stages(p *planner.Plan, r *engine.Report) []Stage {
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

// stageName says what a stage scans, or which of its operators hold state.
func stageName(p *planner.Plan, s *planner.Stage) string {
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
