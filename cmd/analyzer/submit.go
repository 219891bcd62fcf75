package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/urfave/cli/v2"

	"analyzer/cmd/analyzer/internal/settings"
	"analyzer/columnar"
	"analyzer/columnar/scan"
	"analyzer/columnar/size"
	"analyzer/columnar/vfs"
	"analyzer/compose/answers"
	"analyzer/compose/cluster/client"
	"analyzer/compose/cluster/protocol"
	"analyzer/compose/session"
	"analyzer/compose/session/fault"
	"analyzer/compose/session/inputs"
	"analyzer/compose/session/plantext"
	"analyzer/datasets"
	"analyzer/operators/query/plan"
	"analyzer/shuffle/broker"
)

const flagResume = "resume"

const usualTTL = 24 * time.Hour

func submitCommand(p *program) *cli.Command {
	u := &submission{runner: runner{p}}
	return &cli.Command{
		Name: "submit", Usage: "answer the queries of a data set on a cluster", ArgsUsage: "DATASET [DIR]",
		Description: "Streams the tables of DATASET in DIR to a cluster and writes the same answers as run does: with --output\n" +
			"each into a file as soon as it is ready, else in the order of the queries. It prints the number of the job\n" +
			"first, on the standard error. Interrupted, it cancels the job; after it was killed or lost its connection,\n" +
			"“submit --resume JOB” continues where it was.",
		Flags: slices.Concat(p.answerFlags(), p.followFlags(), []cli.Flag{
			p.tableFlag(), p.uniqueFlag(),
			settings.Text(&p.spillDir, flagSpillDir, "put copies of pipes below `DIR`", "the system's"),
			p.maxRejectsFlag(), p.summaryFlag(), p.quietFlag(),
			p.blockSizeFlag(), p.atFlag(),
			settings.Into(&u.ttl, parseTTL, "job-ttl", "end the job when no client has asked about it for `TIME`", usualTTL.String()),
			settings.Switch(&u.detach, "detach", "return once the tables are uploaded; never cancel the job"),
			settings.Switch(&u.keep, flagKeep, "keep the answers on the cluster until the job expires"),
			settings.Switch(&u.open, "open", "keep the job open, so that “append” can add to its tables, until “close”"),
			settings.Plain(flagResume, "go on with `JOB`, which was submitted on this machine", ""),
		}, p.connectionFlags()),
		Action: p.action(u.submit, 0, "DATASET", "DIR"),
	}
}

func (c *connection) blockSizeFlag() cli.Flag {
	return settings.Into(&c.block, parseBlockSize, "block-size", "send `SIZE` of a table at a time to a cluster", size.Binary(client.DefaultBlock))
}

// submit runs a submit command.
func (u *submission) submit(c *cli.Context, _ []string) (err error) {
	if err := u.trySummary(); err != nil {
		return err
	}
	if err := u.checkFollow(); err != nil {
		return err
	}
	u.changes = u.follow.seen()
	prepare := u.prepareNew
	if u.settings.Has(flagResume) {
		prepare = u.prepareResumed
		if u.follow.on {
			return fault.WrongUsage("Next: leave --follow out.", "--follow and --resume do not go together: of what was uploaded before nobody knows where it ends")
		}
	}
	if u.follow.on && u.detach {
		return fault.WrongUsage("Next: leave one of them out.", "--follow waits for answers, --detach for none")
	}
	if u.at != "" && (u.follow.on || u.open) {
		return errAtFollowed
	}
	if u.open && (u.follow.on || u.detach || u.keep) {
		return fault.WrongUsage("Next: leave the others out.", "--open answers for what append adds, and does not go together with --follow, --detach and --keep")
	}
	for first := *u; ; *u = first {
		again, err := u.once(c.Context, func() error { return prepare(c) })
		if !again {
			return err
		}
		first.jobs = u.jobs
	}
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
	fixed := u.open || u.detach && !cut || u.follow.on || u.settings.Has(flagResume)
	if again = !fixed && u.jobs.Again(err, u.inputs); !again {
		return false, err
	}
	why := "a part of it was lost"
	if cut {
		why = "a file may have been cut within quotes, and is read as a whole now"
	}
	u.notef("analyzer: job %s begins again as another one: %s", u.job.Spec.ID, why)
	return true, err
}

var errAtFollowed = fault.WrongUsage("Next: leave --at out; the files are read here then.", "gateways read whole files, and --follow and --open answer for parts of them")

// submission is the state of one submit command.
type submission struct {
	runner
	detach, keep bool
	open         bool
	ttl          time.Duration
	changes      *answers.Changes // for repeated answers

	line    commandLine
	asked   datasets.Selection
	client  *client.Client
	inputs  *inputs.Inputs
	sources map[string]protocol.Source // what gateways read; nil: inputs are read here
	// files are those of a table that has several; nil: none has. together says that there are such tables,
	// of whose files no journal can keep account.
	files    func(table string) *scan.Files
	together bool
	kept     kept
	answers  answers.Set // nil if nobody waits for them, or they are repeated
	analyze  bool        // show what the plan did instead of answers
	allRows  bool        // no row may be rejected, whatever --max-rejects allows
	jobs     session.Beginning
	job      *client.Job
	journal  *client.Journal
	dir      string        // of the journal
	held     *vfs.FileLock // on the journal; nil: none
}

func (u *submission) close() error {
	var errs []error
	if u.kept.file != nil {
		errs = append(errs, u.kept.file.Discard())
	}
	if u.answers != nil {
		errs = append(errs, u.answers.Discard())
	}
	if u.inputs != nil {
		errs = append(errs, u.inputs.Close())
	}
	if u.client != nil {
		errs = append(errs, u.client.Close())
	}
	return errors.Join(append(errs, u.letGo())...)
}

// prepareNew opens a job for a data set.
func (u *submission) prepareNew(c *cli.Context) error {
	arguments, err := positional(c, 1, "DATASET", "DIR")
	if err != nil {
		return err
	}
	if u.asked, err = u.selectionOf(c.Context, arguments[0]); err != nil {
		return err
	}
	if u.at != "" && arguments[1] != "" {
		return fault.WrongUsage("Next: leave one of them out.", "the files are in %s or, with --at, in %s", arguments[1], u.at)
	}
	return u.begin(c.Context, arguments[1], u.tables)
}

// begin checks everything that can be checked here, and then opens a job for the chosen
// queries. The files of tables are in a directory, or named one by one.
func (u *submission) begin(ctx context.Context, dir string, tables map[string]string) error {
	src := u.asked.Source
	gateways, err := u.gatewaysOr()
	if err != nil {
		return err
	}
	if u.line, err = newCommandLine(u.asked, dir, tables, gateways); err != nil {
		return err
	}
	rejects, _ := u.settings.One(flagMaxRejects)
	if u.line.Rejects = rejects.Text; u.allRows {
		u.line.Rejects = "0"
	}
	if u.client, err = u.connect(); err != nil {
		return err
	}
	request := protocol.OpenRequest{
		Label: src.Name, Tables: src.Tables, Queries: u.asked.Queries, Block: int(u.block), TTL: cmp.Or(u.ttl, usualTTL),
		Follow: u.followed() || u.open, Open: u.open,
	}
	// Makes the spec as a gateway would, to find errors before anything starts.
	spec, err := protocol.NewSpec(u.work(ctx), request, protocol.Anyone, 1, broker.Classic, time.Now())
	if err != nil {
		return fault.Planning(paramHint, err)
	}
	times := client.Reads(spec, nil)
	if u.at != "" && u.inputs == nil {
		if err := u.findThere(ctx, times, tables); err != nil {
			return err
		}
	}
	if err := u.openFiles(times); err != nil {
		return err
	}
	request.Sources = u.jobs.Sources(u.sources)
	if u.job, err = u.client.Open(ctx, request); err != nil {
		return err
	}
	id := u.job.Spec.ID
	u.notef("Job %s", id)
	if u.together {
		u.notef("analyzer: if it is cut off, it cannot be resumed: its tables have more than %d files", plan.MaxTables-1)
		return nil
	}
	if err = u.newJournal(); err != nil && u.open {
		return errors.Join(err, u.client.End(ctx, id, "its client cannot keep a journal"))
	} else if err != nil {
		u.notef("analyzer: if it is cut off, it cannot be resumed: %v", err)
	}
	return nil
}

// findThere has a gateway find the files of the tables that are read.
func (u *submission) findThere(ctx context.Context, times map[string]int, tables map[string]string) error {
	asked := protocol.BindRequest{At: u.at, Files: tables}
	for _, t := range u.asked.Source.Tables {
		if times[t.Name] > 0 {
			asked.Tables = append(asked.Tables, &columnar.Table{Name: t.Name, Files: t.Files})
		}
	}
	bound, err := u.client.Bind(ctx, asked)
	if err != nil {
		return err
	}
	u.sources = bound.Sources
	u.inputs = inputs.Elsewhere(u.asked.Source, session.Sizes(u.sources))
	return nil
}

// openFiles opens the inputs and outputs of the job.
func (u *submission) openFiles(times map[string]int) (err error) {
	if u.inputs != nil {
		u.inputs.Expect(times)
	} else if u.inputs, err = inputs.Find(u.asked.Source, times, inputs.Options{
		Dir: u.line.Dir, Tables: u.line.Tables, FS: u.fs, Stdin: u.stdin, Spool: u.spillDir,
	}); err != nil {
		return err
	}
	if u.kept, err = u.keepRejects(u.inputs); err != nil || u.detach {
		return err
	}
	return u.tryAnswers()
}

// tryAnswers opens the output. For repeated answers it only tries to, so that errors are
// found before anything is sent.
func (u *submission) tryAnswers() (err error) {
	if u.analyze {
		return nil
	}
	u.answers, err = u.openAnswers(answers.Options{Each: true}, u.asked)
	if err == nil && (u.follow.on || u.open || u.job != nil && u.job.Spec.Open) {
		err, u.answers = u.answers.Discard(), nil
	}
	return err
}

// followed reports whether there are answers before the last ones. What is only analyzed has none.
func (u *submission) followed() bool { return u.follow.on && !u.analyze }

// run uploads the tables and writes the answers as they arrive.
func (u *submission) run(ctx context.Context) error {
	report, err := u.answer(ctx)
	if err != nil {
		return u.tooManyRejects(u.abandon(ctx, err), report)
	}
	u.summariseUpload(report)
	if u.detach {
		u.tellf("The tables are on the cluster. Next: analyzer jobs results %s", u.job.Spec.ID)
		return nil
	}
	if u.asked.Source.Name != session.StatementName {
		u.sayNext("submit "+u.asked.Source.Name, u.inputs)
	}
	if u.job.Spec.Open {
		u.sayOpen()
		return nil
	}
	if u.keep {
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
	return u.journal.Remove()
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
	case u.job.Spec.Open && len(u.journal.Grown()) > 0:
		return u.unappended(ctx, err)
	case ctx.Err() != nil && u.detach:
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
	err = errors.Join(clusterFailure(err), u.journal.Remove())
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

func parseBlockSize(text string) (int64, error) {
	n, err := size.Parse(text)
	if err == nil && (n < 1<<10 || n > protocol.MaxBlock) {
		err = fmt.Errorf("%s is no size of blocks: 1KiB to 64MiB are possible", text)
	}
	return n, err
}

func parseTTL(text string) (time.Duration, error) {
	d, err := settings.Time(text)
	if err == nil && (d < protocol.MinTTL || d > protocol.MaxTTL) {
		err = fmt.Errorf("a time to live of %s; %v to %v are possible", text, protocol.MinTTL, protocol.MaxTTL)
	}
	return d, err
}
