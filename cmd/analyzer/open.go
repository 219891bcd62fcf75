package main

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"

	"github.com/urfave/cli/v2"

	"analyzer/cmd/analyzer/internal/settings"
	"analyzer/columnar/scan"
	"analyzer/compose/answers"
	"analyzer/compose/cluster/client"
	"analyzer/compose/cluster/protocol"
	"analyzer/compose/engine"
	"analyzer/compose/session"
	"analyzer/compose/session/fault"
	"analyzer/compose/session/inputs"
)

func appendCommand(p *program) *cli.Command {
	return &cli.Command{
		Name: "append", Usage: "add rows to the tables of an open job", ArgsUsage: "JOB",
		Description: "JOB is the number that “submit --open” printed. On the machine that submitted it the first digits are\n" +
			"enough; elsewhere give the whole number and --gateway. Only the new rows are sent, and the answers are\n" +
			"those of all rows, as if they had been there from the start. A file that does not fit its table is\n" +
			"refused whole. If append was interrupted or killed, run it again and it continues: a file that is in\n" +
			"its table already is not sent twice. It recognises a file by its bytes and the time it was written,\n" +
			"which cp -p keeps.\n\n" +
			"   tail -n +1 -f ratings.csv | analyzer append JOB --table ratings=- --every 5s\n\n" +
			"A pipe must begin with the header. Its rows are appended as often as --every says, and at its end.\n\n" +
			"   analyzer append JOB --watch ratings=exports --watch 'log=logs/*.csv' --every 5s\n\n" +
			"--watch appends what is new in a directory: new files, and rows at the ends of files that grow, also\n" +
			"after they were renamed, as logs are. Each row counts once, however often append is ended or killed\n" +
			"and run again on this machine. Without --every it looks once.",
		Flags: slices.Concat([]cli.Flag{
			p.tableFlag(),
			settings.Pairs(&p.follow.watch, "watch", "append what is new in a directory: `NAME=DIR`, or NAME='DIR/*.csv'"),
			settings.Into(&p.follow.every, settings.Time, "every", "every `TIME`, such as 5s, append what has come through a pipe or is new, and answer", "once"),
			settings.Switch(&p.follow.changes, "changes", "with --every and the format jsonl, write only the rows that were added or removed"),
			p.formatFlag(), p.limitFlag(), p.outputFlag(),
			p.maxRejectsFlag(), p.quietFlag(),
		}, p.connectionFlags()),
		Action: p.action(p.appendTo, 1, "JOB"),
	}
}

func closeCommand(p *program) *cli.Command {
	return &cli.Command{
		Name: "close", Usage: "end an open job and write its last answers", ArgsUsage: "JOB",
		Description: "JOB is the number that “submit --open” printed; on the machine that submitted it the first digits\n" +
			"are enough. Once the answers are written, the cluster deletes the job.",
		Flags: slices.Concat([]cli.Flag{
			p.formatFlag(), p.limitFlag(), p.outputFlag(),
			p.quietFlag(),
		}, p.connectionFlags()),
		Action: p.action(p.closeJob, 1, "JOB"),
	}
}

// openJob takes up a job that stays open. If it was submitted here, the first digits of its
// number are enough.
func (p *program) openJob(ctx context.Context, job string) (u feeder, err error) {
	u = feeder{&submission{runner: runner{p}, record: p.newRecord()}}
	id, err := oneJob(job, knownJobs(p.fs), " submitted here", "Next: analyzer jobs lists them; of one that was submitted elsewhere give the whole number.")
	if err != nil {
		return u, err
	}
	if err = u.resume(ctx, id); errors.Is(err, client.ErrNoJournal) {
		err = u.adopt(ctx, id)
	}
	if err == nil && !u.job.Spec.Open {
		err = fault.WrongUsage("Next: analyzer submit DATASET DIR --open", "job %s does not stay open: its tables have ended with their files", id)
	}
	if err != nil {
		return u, errors.Join(clusterFailure(err), u.close())
	}
	if err := u.tryAnswers(); err != nil {
		return u, errors.Join(err, u.close())
	}
	return u, nil
}

// adopt takes up an open job that was submitted elsewhere. The cluster knows everything that
// appending needs.
func (u feeder) adopt(ctx context.Context, id protocol.JobID) (err error) {
	u.record.line = commandLine{Dataset: session.StatementName}
	if u.record.line.Gateways, err = u.gatewaysOr(); err != nil {
		return err
	}
	if u.client, err = u.connect(); err != nil {
		return err
	}
	if u.job, err = u.client.Job(ctx, id); err != nil || !u.job.Spec.Open {
		return err
	}
	if err := u.record.begin(u.job.Spec); err != nil {
		return err
	}
	return u.recall(ctx)
}

func (p *program) appendTo(c *cli.Context, arguments []string) (err error) {
	u, err := p.openJob(c.Context, arguments[0])
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, u.close()) }()
	tables := p.tables
	piped := slices.ContainsFunc(slices.Collect(maps.Values(tables)), func(file string) bool { return file == inputs.Stdin })
	switch {
	case len(u.follow.watch) > 0 && len(tables) > 0:
		return fault.WrongUsage("Next: append the files first, and then watch.", "--watch and --table do not go together")
	case len(u.follow.watch) > 0:
		return u.appendWatched(c.Context, u.follow.watch)
	case len(tables) == 0:
		return fault.WrongUsage("Next: name one, such as --table ratings=more.csv", "there is no file to append")
	case piped && len(tables) > 1:
		return fault.WrongUsage("Next: append the files first, and then the pipe.", "a pipe is appended by itself")
	case !piped && (p.follow.every > 0 || p.follow.changes):
		return fault.WrongUsage("Next: leave them out, or append the standard input: --table NAME=-", "--every and --changes are about pipes, and --watch")
	}
	if err := u.answerOften(); err != nil {
		return err
	}
	if err := u.checkTables(tables); err != nil {
		return err
	}
	for table := range tables {
		if piped {
			return u.appendPipe(c.Context, table)
		}
	}
	return u.appendFiles(c.Context, tables)
}

// answerOften checks that with --every the answers can be repeated.
func (u feeder) answerOften() error {
	if u.follow.every == 0 {
		return nil
	}
	u.changes = u.follow.seen()
	return u.fits("--every")
}

// checkTables refuses tables that no question reads.
func (u feeder) checkTables(tables map[string]string) error {
	times := client.Reads(u.job.Spec, nil)
	for table, file := range tables {
		if u.job.Spec.Table(table) != nil && times[table] == 0 {
			return fault.WrongUsage("Next: leave it out.", "--table %s=%s: no question of the job reads it", table, file)
		}
		if _, err := u.fs.Size(file); errors.Is(err, errors.ErrUnsupported) && file != inputs.Stdin {
			return fault.WrongUsage(fmt.Sprintf("Next: --table %s=- < %s", table, file), "--table %s=%s is no file that can be read twice", table, file)
		}
	}
	var err error
	u.supply.inputs, err = inputs.Find(u.asked.Source, nil, inputs.Options{Tables: tables, FS: u.fs, Stdin: u.stdin})
	return err
}

func (u feeder) appendFiles(ctx context.Context, tables map[string]string) error {
	o := u.uploadOf(ctx)
	o.Wanted = func(table string) bool { return tables[table] != "" }
	times := make(map[string]int)
	for table := range tables {
		times[table] = 1 + client.Reads(u.job.Spec, nil)[table] // one more, to check whether it fits
	}
	u.supply.inputs.Expect(times)
	report, err := u.growAndSay(ctx, o, nil)
	if err != nil {
		return err
	}
	if len(report.Tables) == 0 {
		u.tellf("All of it was there: nothing was sent.")
	}
	u.sayOpen()
	return nil
}

// growAndSay appends, and reports what was read.
func (u feeder) growAndSay(ctx context.Context, o client.Upload, next source) (*engine.Report, error) {
	report, err := u.grow(ctx, o, next)
	u.progress.Clear()
	if err != nil {
		return report, u.unappended(ctx, u.tooManyRejects(err, report))
	}
	u.summariseTables(report)
	return report, nil
}

// unappended adds to an error what to do about a file that may have been sent in part.
func (u feeder) unappended(ctx context.Context, err error) error {
	switch code := protocol.CodeOf(err); {
	case code == protocol.JobFailed || code == protocol.JobEnded || code == protocol.NoJob:
		return clusterFailure(err)
	case errors.Is(err, client.ErrHalfSent):
		return fault.BadInput("Next: wait, if somebody appends it just now; or append the same file again; or what submit --open was to send, with submit --resume; or analyzer jobs cancel JOB.", err)
	case errors.Is(err, client.ErrNoJournal): // it was there when the job was taken up
		return fault.Failure("Next: analyzer submit DATASET DIR --open, if there is more to append.", fmt.Errorf("job %s was ended here meanwhile", u.job.Spec.ID))
	case errors.Is(err, client.ErrClosing):
		return fault.Failure(fmt.Sprintf("Next: analyzer close %s", u.job.Spec.ID), err)
	case scan.IsInput(err):
		return err // nothing was sent
	case ctx.Err() != nil:
		return fault.Interruption("Next: run it again; nothing is lost, and nothing will count twice.", err)
	case errors.Is(err, client.ErrCutOff), errors.Is(err, client.ErrLost), errors.Is(err, client.ErrOvertaken):
		return fault.Failure("Next: run it again; nothing is lost, and nothing will count twice.", err)
	}
	return clusterFailure(err)
}

// sayOpen says what can be done with a job that stays open.
func (u feeder) sayOpen() {
	id := u.job.Spec.ID
	u.tellf("The job stays open. Next: analyzer append %s --table NAME=FILE, and at last analyzer close %s", id, id)
}

// grow appends files, or the pieces of a source, and writes the answers, unless there was nothing to append.
func (u feeder) grow(ctx context.Context, o client.Upload, next source) (report *engine.Report, err error) {
	var cut *client.Job // of everything appended
	var grown map[string]client.Grown
	err = u.locked(ctx, func() (err error) {
		report, err = u.appendBoth(ctx, o, next)
		if err != nil || next != nil && len(report.Tables) == 0 {
			return err
		}
		grown = u.record.journal.Grown()
		cut, err = u.cutOfSent(ctx)
		return err
	})
	if err != nil || cut == nil {
		return report, err
	}
	defer cut.EndCut(ctx)
	return report, u.answerPart(ctx, cut, &answers.AsOf{Tables: partsSent(maps.Keys(cut.Spec.CutTables()), grown)}, u.wanted(u.asked).Waiting)
}

// partsSent returns how much of each table was sent.
func partsSent(tables iter.Seq[string], grown map[string]client.Grown) (parts []answers.Part) {
	for _, table := range slices.Sorted(tables) {
		g := grown[table]
		parts = append(parts, answers.Part{Table: table, Blocks: int64(g.Batches), Bytes: g.Bytes, Rows: g.Rows})
	}
	return parts
}

// locked does something under the job's lock.
func (u feeder) locked(ctx context.Context, do func() error) (err error) {
	unlock, err := u.record.lock(ctx, u.job.Spec.ID)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	return do()
}

// appendBoth appends the pieces of a source, or, without one, first the rest of what was to be sent before and then
// the files of the upload.
func (u feeder) appendBoth(ctx context.Context, o client.Upload, next source) (*engine.Report, error) {
	o.Journal = u.record.journal
	if next != nil {
		return u.appendAll(ctx, o, next)
	}
	if report, err := u.pending().Append(ctx, o); err != nil {
		return report, err
	}
	return u.job.Append(ctx, o)
}

// cutOfSent makes a cut of the job that has everything which was sent from here, and nothing else.
func (u feeder) cutOfSent(ctx context.Context) (*client.Job, error) {
	sent := u.record.journal.Sent()
	cut, err := u.job.Cut(ctx, sent)
	if err != nil {
		return nil, err
	}
	for table, come := range cut.Spec.CutTables() {
		if come != sent[table] {
			cut.EndCut(ctx)
			return nil, fmt.Errorf("%d batches of table %s have come, and %d were sent from here: somebody else appends to the job", come, table, sent[table])
		}
	}
	return cut, nil
}

// endTables ends the tables of the job behind all that was to be sent.
func (u feeder) endTables(ctx context.Context) error {
	o := u.uploadOf(ctx)
	o.Journal = u.record.journal
	if _, err := u.pending().Append(ctx, o); err != nil && !errors.Is(err, client.ErrClosing) {
		return err
	}
	return u.job.EndTables(ctx, u.record.journal)
}

func (p *program) closeJob(c *cli.Context, arguments []string) (err error) {
	u, err := p.openJob(c.Context, arguments[0])
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, u.close()) }()
	ctx := c.Context
	if u.supply.inputs, err = inputs.Find(u.asked.Source, nil, inputs.Options{FS: u.fs}); err != nil {
		return err
	}
	if err := u.locked(ctx, func() error { return u.endTables(ctx) }); err != nil {
		return u.unappended(ctx, err)
	}
	grown := u.record.journal.Grown()
	a := &answers.AsOf{Tables: partsSent(maps.Keys(grown), grown), Complete: true}
	for i := range a.Tables {
		a.Tables[i].Share = 1
	}
	err = u.answerPart(ctx, u.job, a, u.wanted(u.asked).Waiting)
	u.progress.Clear()
	if err != nil {
		return u.unappended(ctx, err)
	}
	if err := u.client.End(ctx, u.job.Spec.ID, client.Fetched); err != nil {
		return clusterFailure(err)
	}
	u.tellf("The job has ended.")
	return u.record.journal.Remove()
}
