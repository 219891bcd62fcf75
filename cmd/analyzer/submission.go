package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/urfave/cli/v2"

	"analyzer/cmd/analyzer/internal/exit"
	"analyzer/cmd/analyzer/internal/inputs"
	"analyzer/cmd/analyzer/internal/progress"
	"analyzer/cmd/analyzer/internal/rejects"
	"analyzer/cmd/analyzer/internal/size"
	"analyzer/columnar/vfs"
	"analyzer/compose/answers"
	"analyzer/compose/cluster/client"
	"analyzer/compose/cluster/protocol"
	"analyzer/compose/engine"
	"analyzer/datasets"
	"analyzer/operators/plan"
)

// source is what a journal keeps of a command line, to go on with. It holds no
// secret.
type source struct {
	Dataset  string            `json:"dataset"`
	Dir      string            `json:"dir,omitempty"` // absolute; "": the samples
	Tables   map[string]string `json:"tables,omitempty"`
	Queries  []string          `json:"queries"`
	Params   plan.Settings     `json:"params,omitempty"`
	Gateways []string          `json:"gateways"`
}

func newSource(
	d *datasets.Dataset, dir string, tables map[string]string, queries []*plan.Query, params plan.Settings, gateways []string,
) (source, error) {
	src := source{Dataset: d.Name, Tables: make(map[string]string), Params: params, Gateways: gateways}
	for _, q := range queries {
		src.Queries = append(src.Queries, q.Name)
	}
	var err error
	if dir != "" {
		if src.Dir, err = filepath.Abs(dir); err != nil {
			return src, err
		}
	}
	for name, file := range tables {
		if file != "" && file != inputs.Stdin {
			if file, err = filepath.Abs(file); err != nil {
				return src, err
			}
		}
		src.Tables[name] = file
	}
	return src, nil
}

// journals is the directory of the journals of this user's jobs.
func journals() (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("find a place for the journal: %w", err)
	}
	return filepath.Join(cache, name, "jobs"), nil
}

func (u *submission) newJournal(spec *protocol.Spec) (*client.Journal, error) {
	dir, err := journals()
	if err != nil {
		return nil, err
	}
	return client.NewJournal(u.fs, dir, spec, u.source, u.journalTrouble)
}

func (u *submission) journalTrouble(err error) {
	u.notef("analyzer: if the job is cut off, it cannot be resumed: %v", err)
}

// sourceOf returns what this machine knows of how a job was submitted.
func (p *program) sourceOf(id protocol.JobID) (*source, error) {
	dir, err := journals()
	if err != nil {
		return nil, err
	}
	src := new(source)
	_, err = client.OpenJournal(p.fs, dir, id, src, func(error) {})
	return src, err
}

// prepareResumed goes on with a job. Which data set and files it is about is known
// from when it was submitted.
func (u *submission) prepareResumed(c *cli.Context) error {
	if _, err := positional(c, 0); err != nil {
		return err
	}
	v, _ := u.settings.One(flagResume)
	id, err := protocol.ParseJobID(v.Text)
	if err != nil {
		return v.Wrong("%w", err)
	}
	dir, err := journals()
	if err != nil {
		return err
	}
	if u.journal, err = client.OpenJournal(u.fs, dir, id, &u.source, u.journalTrouble); err != nil {
		return exit.BadInput("Next: resume it where it was submitted, by the same user; or submit it again.", err)
	}
	if u.dataset, err = findDataset(u.source.Dataset); err != nil {
		return err
	}
	if u.queries, err = u.dataset.Select(u.source.Queries...); err != nil {
		return err
	}
	if u.client, err = u.connect(u.settings, u.source.Gateways...); err != nil {
		return err
	}
	if u.job, err = u.client.Job(c.Context, id); err != nil {
		return err
	}
	u.notef("Job %s", id)
	return u.open(c.Context, client.Reads(u.job.Spec, u.journal))
}

// upload uploads the tables, showing progress and keeping rejected rows.
func (u *submission) upload(ctx context.Context) (report *engine.Report, err error) {
	o := client.Upload{
		Open:       func(table string) (vfs.File, error) { return u.inputs.Open(ctx, table) },
		MaxRejects: u.maxRejects, Journal: u.journal,
		Progress: func(at client.Progress) {
			u.progress.Show(progress.State{What: at.Doing, Rows: at.Rows, Bytes: at.Bytes, Total: u.inputs.Total()})
		},
	}
	if rejected := u.settings.Text(flagRejects); rejected != "" {
		var file *rejects.File
		if file, err = rejects.Create(u.fs, rejected, u.inputs.TableOf); err != nil {
			return nil, err
		}
		o.Reject = file.Add
		defer func() {
			if ctx.Err() == nil {
				err = errors.Join(err, file.Commit())
			}
			discarding(&err, file)
		}()
	}
	report, err = u.job.Upload(ctx, o)
	u.progress.Clear()
	return report, err
}

// fetchAnswers writes answers, waiting for those that are not there.
func (p *program) fetchAnswers(ctx context.Context, j *client.Job, queries []*plan.Query, out answers.Set) error {
	f := client.Fetch{Waiting: func(query string, s *protocol.Status) {
		p.progress.Show(progress.State{What: waitingFor(query, s)})
	}}
	for _, q := range queries {
		f.Queries = append(f.Queries, q.Name)
	}
	err := j.Fetch(ctx, f, onClearLine{out, p.progress})
	p.progress.Clear()
	if err == nil {
		err = out.Finish()
	}
	return err
}

// waitingFor says, for people, what there is to wait for.
func waitingFor(query string, s *protocol.Status) string {
	done := 0
	for _, stage := range s.Stages {
		if stage.Phases["emitted"] == stage.Replicas {
			done++
		}
	}
	text := fmt.Sprintf("waiting for %s  %d of %d stages  %s taken in", query, done, len(s.Stages), size.Plural(s.Rows, "row"))
	for _, replica := range s.Silent {
		text += fmt.Sprintf("  worker %d is silent", replica)
	}
	return text
}

// summariseUpload says on the standard error what a submit did.
func (u *submission) summariseUpload(r *engine.Report) {
	for _, t := range r.Tables {
		u.summariseTable(t)
	}
	took := time.Since(u.began)
	u.notef("%s, %s in %s (%s/s), peak memory here %s",
		size.Plural(r.Rows, "row"), size.Decimal(r.Bytes), roundTime(took),
		size.Decimal(int64(float64(r.Bytes)/took.Seconds())), size.Binary(peakMemory()))
}
