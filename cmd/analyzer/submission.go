package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync/atomic"

	"github.com/urfave/cli/v2"

	"analyzer/cmd/analyzer/internal/progress"
	"analyzer/columnar"
	"analyzer/columnar/size"
	"analyzer/columnar/vfs"
	"analyzer/columnar/vfs/remote"
	"analyzer/compose/cluster/client"
	"analyzer/compose/cluster/protocol"
	"analyzer/compose/engine"
	"analyzer/compose/session"
	"analyzer/compose/session/fault"
	"analyzer/compose/session/inputs"
	"analyzer/datasets"
	"analyzer/operators/query/plan"
	"analyzer/process"
)

// commandLine is the part of a command line that a journal keeps so that the job can be
// resumed. It holds no secret.
type commandLine struct {
	Dataset  string            `json:"dataset"`
	Dir      string            `json:"dir,omitempty"` // absolute; "": the samples
	Tables   map[string]string `json:"tables,omitempty"`
	Queries  []string          `json:"queries"`
	Params   datasets.Settings `json:"params,omitempty"`
	Gateways []string          `json:"gateways"`
	Rejects  string            `json:"maxRejects,omitempty"`
	To       string            `json:"to,omitempty"` // absolute; "": the default
	Format   string            `json:"format,omitempty"`
	Writing  columnar.Writing  `json:"writing,omitzero"`
}

func newCommandLine(asked datasets.Selection, dir string, tables map[string]string, gateways []string) (line commandLine, err error) {
	absolute := func(path string) string {
		if path == "" || path == inputs.Stdin || remote.Is(path) {
			return path
		}
		full, failed := filepath.Abs(path)
		err = errors.Join(err, failed)
		return full
	}
	line = commandLine{
		Dataset: cmp.Or(absolute(asked.Source.Dir), asked.Source.Name), Dir: absolute(cmp.Or(dir, asked.Source.Dir)),
		Tables: make(map[string]string), Queries: asked.QueryNames(), Params: asked.Params, Gateways: gateways,
		To: absolute(asked.To), Format: asked.Format, Writing: asked.Writing,
	}
	for name, file := range tables {
		line.Tables[name] = absolute(file)
	}
	return line, err
}

// journals returns the directory with the journals of this user's jobs.
func journals() (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("find a place for the journal: %w", err)
	}
	return filepath.Join(cache, name, "jobs"), nil
}

// newJournal begins the journal of the job.
func (u *submission) newJournal() (err error) {
	if u.dir, err = journals(); err == nil {
		u.journal, err = client.NewJournal(u.own, u.dir, u.job.Spec, u.line, u.journalTrouble)
	}
	if err == nil && !u.job.Spec.Open {
		err = u.hold(u.job.Spec.ID)
	}
	return err
}

// errHeld means that another process of this machine goes on with the job.
var errHeld = errors.New("it goes on with the job")

// hold keeps other processes of this machine from going on with a job, until letGo. It does
// not wait for one that does. Of an open job, each append is held by itself, and waits.
func (u *submission) hold(id protocol.JobID) error {
	dir, err := journals()
	if err != nil {
		return err
	}
	once, cancel := context.WithCancelCause(context.Background())
	cancel(errHeld)
	u.held, err = client.LockJournal(once, dir, id)
	return err
}

// letGo is the opposite of hold.
func (u *submission) letGo() error {
	held := u.held
	if u.held = nil; held == nil {
		return nil
	}
	return held.Unlock()
}

// openJournal reads the journal of a job that was submitted here.
func (u *submission) openJournal(id protocol.JobID) (err error) {
	if u.dir, err = journals(); err == nil {
		u.journal, err = client.OpenJournal(u.own, u.dir, id, &u.line, u.journalTrouble)
	}
	return err
}

func (u *submission) journalTrouble(err error) {
	u.notef("analyzer: if the job is cut off, it cannot be resumed: %v", err)
}

// forget removes the local state of a job that nobody will resume.
func (p *program) forget(id protocol.JobID) {
	dir, err := journals()
	if err == nil {
		err = client.RemoveJournal(p.own, dir, id)
	}
	if err != nil {
		p.notef("analyzer: %v", err)
	}
}

// prepareResumed resumes a job. Its journal says which data set and files it is about.
func (u *submission) prepareResumed(c *cli.Context) error {
	if _, err := positional(c, 0); err != nil {
		return err
	}
	v, _ := u.settings.One(flagResume)
	id, err := protocol.ParseJobID(v.Text)
	if err != nil {
		return v.Wrong("%w", err)
	}
	err = u.hold(id)
	switch {
	case errors.Is(err, errHeld):
		return fault.Failure(fmt.Sprintf("Next: leave it to that one; analyzer jobs show %s says how far the job is.", id),
			fmt.Errorf("job %s: another process of this machine goes on with it", id))
	case err == nil, errors.Is(err, fs.ErrNotExist): // without the directory, there is no journal either
		err = u.resume(c.Context, id)
	}
	if errors.Is(err, client.ErrNoJournal) {
		u.forget(id) // which removes the lock
	}
	if err == nil && u.job.Spec.Open {
		err = u.letGo()
	}
	if err != nil {
		return err
	}
	if !u.settings.Has(flagMaxRejects) && u.line.Rejects != "" {
		if u.maxRejects, err = parseMaxRejects(u.line.Rejects); err != nil {
			return err
		}
	}
	u.notef("Job %s", id)
	if u.sources = u.job.Spec.Sources; u.sources != nil {
		u.inputs = inputs.Elsewhere(u.asked.Source, session.Sizes(u.sources))
	}
	return u.openFiles(client.Reads(u.job.Spec, u.journal))
}

// resume takes up a job by its journal.
func (u *submission) resume(ctx context.Context, id protocol.JobID) error {
	err := u.openJournal(id)
	if err != nil {
		return fault.BadInput("Next: go on with it where it was submitted, by the same user; or submit it again.", err)
	}
	u.asked.Params, u.asked.To, u.asked.Format, u.asked.Writing = u.line.Params, u.line.To, u.line.Format, u.line.Writing
	if u.client, err = u.connect(u.line.Gateways...); err != nil {
		return err
	}
	if u.job, err = u.client.Job(ctx, id); err != nil {
		return err
	}
	return u.recall(ctx)
}

// recall finds the source and queries of the job. For a statement they come from the cluster,
// since the journal does not keep its text.
func (u *submission) recall(ctx context.Context) (err error) {
	if u.line.Dataset == session.StatementName {
		u.asked.Source = session.SourceOf(u.job.Spec.Tables)
		for _, a := range u.job.Spec.Plan.Answers {
			u.asked.Queries = append(u.asked.Queries, &plan.Query{Name: a.Query})
		}
		u.asked.Source.Queries = u.asked.Queries
		return nil
	}
	if u.asked.Source, err = u.findSource(ctx, u.line.Dataset, u.line.Params); err != nil {
		return err
	}
	u.asked.Queries, err = u.asked.Source.Select(u.line.Queries...)
	return wrongDirectory(err, paramHint)
}

// answer uploads the tables and writes the answers. It shows the progress of the upload, or of
// the job while the upload waits or after its end.
func (u *submission) answer(ctx context.Context) (report *engine.Report, err error) {
	var job atomic.Pointer[protocol.Status] // the latest seen
	var uploading atomic.Bool
	o := u.uploadOf(ctx)
	tell := o.Progress
	o.Progress = func(at engine.Progress) {
		uploading.Store(!at.Waiting)
		if s := job.Load(); at.Waiting && s != nil {
			u.progress.Show(progress.State{What: howFar(s)})
			return
		}
		tell(at)
	}
	f := u.wanted(u.asked)
	show := f.Waiting
	f.Waiting = func(query string, s *protocol.Status) {
		if job.Store(s); !uploading.Load() || !s.Uploading {
			show(query, s)
		}
	}
	if u.detach {
		f.Queries = []string{}
	}
	switch {
	case u.job.Spec.Open:
		report, err = u.grow(ctx, o, nil)
	case u.followed():
		report, err = u.runFollowed(ctx, o, f)
	default:
		to := engine.Answers(engine.RowsTo(nil))
		if u.answers != nil {
			to = onClearLine{u.answers, u.progress}
		}
		u.jobs.Answers = to
		report, err = u.job.Run(ctx, o, f, &u.jobs)
	}
	u.progress.Clear()
	err = errors.Join(err, u.kept.end(ctx), u.writeSummary(report))
	if err == nil && u.answers != nil {
		err = u.answers.Finish()
	}
	return report, err
}

// uploadOf returns the options of the upload.
func (u *submission) uploadOf(ctx context.Context) client.Upload {
	most := u.maxRejects.rows
	if u.allRows {
		most = 0
	}
	o := client.Upload{
		FS: u.own, SpillDir: u.spillDir,
		MaxRejects: most, MaxRejectShare: u.maxRejects.share, Reject: u.kept.add, Journal: u.journal,
		Progress: func(at engine.Progress) {
			u.progress.Show(progress.State{What: at.Doing, Rows: at.Rows, Bytes: at.Bytes, Total: u.inputs.Total()})
		},
	}
	if u.sources == nil {
		o.Open = func(table string) (vfs.File, error) { return u.inputs.Open(ctx, table) }
		o.Files = u.files
	}
	return o
}

// waitingFor describes for people what a job waits for.
func waitingFor(query string, s *protocol.Status) string {
	return fmt.Sprintf("waiting for %s  %s", query, howFar(s))
}

// wanted says which answers to fetch: each as soon as it is ready if answers have files of
// their own, otherwise in order.
func (p *program) wanted(asked datasets.Selection) client.Fetch {
	return client.Fetch{Queries: asked.QueryNames(), AsReady: p.output != "", Waiting: func(query string, s *protocol.Status) {
		p.progress.Show(progress.State{What: waitingFor(query, s)})
	}}
}

// summariseUpload reports on the standard error what a submit did.
func (u *submission) summariseUpload(r *engine.Report) {
	u.summariseTables(r)
	u.tellf("%s, peak memory here %s", u.rates(r), size.Binary(process.PeakMemory()))
}
