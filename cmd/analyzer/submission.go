package main

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"analyzer/cmd/analyzer/internal/progress"
	"analyzer/columnar/scan"
	"analyzer/columnar/size"
	"analyzer/columnar/vfs"
	"analyzer/compose/answers"
	"analyzer/compose/cluster/client"
	"analyzer/compose/cluster/protocol"
	"analyzer/compose/engine"
	"analyzer/compose/session"
	"analyzer/compose/session/fault"
	"analyzer/compose/session/inputs"
	"analyzer/compose/session/plantext"
	"analyzer/datasets"
	"analyzer/process"
)

// submission is a job that a command submits, or takes up, and what becomes of it.
type submission struct {
	runner
	flags   submitFlags
	asked   datasets.Selection
	supply  supply
	client  *client.Client
	job     *client.Job
	record  record
	answers answers.Set      // nil if nobody waits for them, or they are repeated
	changes *answers.Changes // for repeated answers
	analyze bool             // show what the plan did instead of answers
	jobs    session.Beginning
}

// submitFlags are the flags that only submit has.
type submitFlags struct {
	detach, keep, open bool
	ttl                time.Duration
}

// supply is where the rows of a job's tables come from, and where those go that are rejected.
type supply struct {
	inputs  *inputs.Inputs
	sources map[string]protocol.Source // what gateways read; nil: inputs are read here
	// files are those of a table that has several; nil: none has. together says that there are such tables,
	// of whose files no journal can keep account.
	files    func(table string) *scan.Files
	together bool
	allRows  bool // no row may be rejected, whatever --max-rejects allows
	kept     kept
}

func (u *submission) close() error {
	var errs []error
	if u.supply.kept.file != nil {
		errs = append(errs, u.supply.kept.file.Discard())
	}
	if u.answers != nil {
		errs = append(errs, u.answers.Discard())
	}
	if u.supply.inputs != nil {
		errs = append(errs, u.supply.inputs.Close())
	}
	if u.client != nil {
		errs = append(errs, u.client.Close())
	}
	return errors.Join(append(errs, u.record.letGo())...)
}

// once opens a job and runs it. again says whether to begin another one after an error.
func (u *submission) once(ctx context.Context, open func() error) (again bool, err error) {
	defer func() { err = errors.Join(err, u.close()) }()
	if err := open(); err != nil {
		return false, clusterFailure(err)
	}
	err = u.run(ctx)
	if u.answers == nil || !u.answers.Given() {
		u.jobs.Discarded() // by close
	}
	cut := errors.Is(err, client.ErrWithinQuotes)
	fixed := u.flags.open || u.flags.detach && !cut || u.follow.on || u.settings.Has(flagResume)
	if again = !fixed && u.jobs.Again(err, u.supply.inputs); !again {
		return false, err
	}
	why := "a part of it was lost"
	if cut {
		why = "a file may have been cut within quotes, and is read as a whole now"
	}
	u.notef("analyzer: job %s begins again as another one: %s", u.job.Spec.ID, why)
	return true, err
}

// run uploads the tables and writes the answers as they arrive.
func (u *submission) run(ctx context.Context) error {
	report, err := u.answer(ctx)
	if err != nil {
		return u.tooManyRejects(u.abandon(ctx, err), report)
	}
	u.summariseUpload(report)
	if u.flags.detach {
		u.tellf("The tables are on the cluster. Next: analyzer jobs results %s", u.job.Spec.ID)
		return nil
	}
	u.sayWhere(u.asked)
	if u.asked.Source.Name != session.StatementName {
		u.sayNext("submit "+u.asked.Source.Name, u.supply.inputs)
	}
	if u.job.Spec.Open {
		feeder{u}.sayOpen()
		return nil
	}
	if u.flags.keep {
		u.tellf("They are kept on the cluster. Next: analyzer jobs results %s", u.job.Spec.ID)
		return nil
	}
	if u.analyze {
		if report.Nodes, err = u.job.Did(ctx); err == nil {
			err = plantext.Tree(u.stdout, u.job.Spec.Plan, nil, report)
		}
		if err != nil {
			return u.abandon(ctx, err)
		}
	}
	if err := u.client.End(ctx, u.job.Spec.ID, client.Fetched); err != nil {
		// All answers have been fetched, and the job will expire.
		u.notef("analyzer: the job could not be ended: %v", err)
	}
	return u.record.journal.Remove()
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
	if u.flags.detach {
		f.Queries = []string{}
	}
	switch {
	case u.job.Spec.Open:
		report, err = feeder{u}.grow(ctx, o, nil)
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
	err = errors.Join(err, u.supply.kept.end(ctx), u.writeSummary(report))
	if err == nil && u.answers != nil {
		err = u.answers.Finish()
	}
	return report, err
}

// uploadOf returns the options of the upload.
func (u *submission) uploadOf(ctx context.Context) client.Upload {
	most := u.maxRejects.rows
	if u.supply.allRows {
		most = 0
	}
	o := client.Upload{
		FS: u.own, SpillDir: u.spillDir,
		MaxRejects: most, MaxRejectShare: u.maxRejects.share, Reject: u.supply.kept.add, Journal: u.record.journal,
		Progress: func(at engine.Progress) {
			u.progress.Show(progress.State{What: at.Doing, Rows: at.Rows, Bytes: at.Bytes, Total: u.supply.inputs.Total()})
		},
	}
	if u.supply.sources == nil {
		o.Open = func(table string) (vfs.File, error) { return u.supply.inputs.Open(ctx, table) }
		o.Files = u.supply.files
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

// followed reports whether there are answers before the last ones. What is only analyzed has none.
func (u *submission) followed() bool { return u.follow.on && !u.analyze }

// tryAnswers opens the output. For repeated answers it only tries to, so that errors are
// found before anything is sent.
func (u *submission) tryAnswers() (err error) {
	if u.analyze {
		return nil
	}
	u.answers, err = u.openAnswers(answers.Options{Each: true}, u.asked)
	if err == nil && (u.follow.on || u.flags.open || u.job != nil && u.job.Spec.Open) {
		err, u.answers = u.answers.Discard(), nil
	}
	return err
}

// summariseUpload reports on the standard error what a submit did.
func (u *submission) summariseUpload(r *engine.Report) {
	u.summariseTables(r)
	u.tellf("%s, peak memory here %s", u.rates(r), size.Binary(process.PeakMemory()))
}

// cancelTell is after what time people are told that the end of a given up job takes longer.
const cancelTell = 3 * time.Second

// abandon ends a job whose client failed or was interrupted, unless it may be resumed. It
// returns the error with a hint.
func (u *submission) abandon(ctx context.Context, err error) error {
	id := u.job.Spec.ID
	resume := fmt.Sprintf("Next: analyzer submit --resume %s", id)
	switch {
	case errors.Is(err, client.ErrCutOff):
		return fault.Failure(resume, err)
	case errors.Is(err, client.ErrLost):
		return fault.Failure(fmt.Sprintf("Next: analyzer jobs cancel %s and submit it again.", id), err)
	case errors.Is(err, client.ErrChanged):
		return fault.BadInput(fmt.Sprintf("Next: bring the file back and resume, or analyzer jobs cancel %s and submit it again.", id), err)
	case errors.Is(err, client.ErrUnknownFile):
		return fault.BadInput(fmt.Sprintf("Next: analyzer jobs cancel %s and submit it again; it had hardly begun.", id), err)
	case u.job.Spec.Open && len(u.record.journal.Grown()) > 0:
		return feeder{u}.unappended(ctx, err)
	case ctx.Err() != nil && u.flags.detach:
		return fault.Interruption(resume, err)
	}
	slow := time.AfterFunc(cancelTell, func() {
		u.notef("analyzer: job %s is not cancelled yet, since the cluster does not answer. Interrupt again to leave it. Later: analyzer jobs cancel %s", id, id)
	})
	defer slow.Stop()
	if failed := u.client.End(context.WithoutCancel(ctx), id, endReason(ctx, err)); failed != nil && protocol.CodeOf(failed) != protocol.JobEnded {
		hint := fmt.Sprintf("The job could not be cancelled. Next: analyzer jobs cancel %s", id)
		return fault.Interruption(hint, clusterFailure(err))
	}
	err = errors.Join(clusterFailure(err), u.record.journal.Remove())
	if ctx.Err() != nil {
		return fault.Interruption(fmt.Sprintf("Job %s was cancelled; run the command again to begin anew.", id), err)
	}
	return err
}

// endReason is what somebody who asks for the job later is told: why its client ended it.
func endReason(ctx context.Context, err error) string {
	var refused *client.Error
	switch {
	case ctx.Err() != nil:
		return "cancelled"
	case errors.As(err, &refused) && protocol.CodeOf(err) == protocol.JobFailed:
		return protocol.PrintableReason(refused.Text)
	}
	return "the client failed"
}
