package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/urfave/cli/v2"

	"analyzer/columnar"
	"analyzer/compose/cluster/client"
	"analyzer/compose/cluster/protocol"
	"analyzer/compose/session"
	"analyzer/compose/session/fault"
	"analyzer/compose/session/inputs"
	"analyzer/operators/query/plan"
	"analyzer/shuffle/broker"
)

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
	if u.record.line, err = newCommandLine(u.asked, dir, tables, gateways); err != nil {
		return err
	}
	rejects, _ := u.settings.One(flagMaxRejects)
	if u.record.line.Rejects = rejects.Text; u.supply.allRows {
		u.record.line.Rejects = "0"
	}
	if u.client, err = u.connect(); err != nil {
		return err
	}
	request := protocol.OpenRequest{
		Label: src.Name, Tables: src.Tables, Queries: u.asked.Queries, Block: int(u.block), TTL: cmp.Or(u.flags.ttl, usualTTL),
		Follow: u.followed() || u.flags.open, Open: u.flags.open,
	}
	// Makes the spec as a gateway would, to find errors before anything starts.
	spec, err := protocol.NewSpec(u.work(ctx), request, protocol.Anyone, 1, broker.Classic, time.Now())
	if err != nil {
		return fault.Planning(paramHint, err)
	}
	times := client.Reads(spec, nil)
	if u.at != "" && u.supply.inputs == nil {
		if err := u.findThere(ctx, times, tables); err != nil {
			return err
		}
	}
	if err := u.openFiles(times); err != nil {
		return err
	}
	request.Sources = u.jobs.Sources(u.supply.sources)
	if u.job, err = u.client.Open(ctx, request); err != nil {
		return err
	}
	id := u.job.Spec.ID
	u.notef("Job %s", id)
	if u.supply.together {
		u.notef("analyzer: if it is cut off, it cannot be resumed: its tables have more than %d files", plan.MaxTables-1)
		return nil
	}
	if err = u.record.begin(u.job.Spec); err != nil && u.flags.open {
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
	u.supply.sources = bound.Sources
	u.supply.inputs = inputs.Elsewhere(u.asked.Source, session.Sizes(u.supply.sources))
	return nil
}

// openFiles opens the inputs and outputs of the job.
func (u *submission) openFiles(times map[string]int) (err error) {
	if u.supply.inputs != nil {
		u.supply.inputs.Expect(times)
	} else if u.supply.inputs, err = inputs.Find(u.asked.Source, times, inputs.Options{
		Dir: u.record.line.Dir, Tables: u.record.line.Tables, FS: u.fs, Stdin: u.stdin, Spool: u.spillDir,
	}); err != nil {
		return err
	}
	if u.supply.kept, err = u.keepRejects(u.supply.inputs); err != nil || u.flags.detach {
		return err
	}
	return u.tryAnswers()
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
	err = u.record.hold(id)
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
		err = u.record.letGo()
	}
	if err != nil {
		return err
	}
	if !u.settings.Has(flagMaxRejects) && u.record.line.Rejects != "" {
		if u.maxRejects, err = parseMaxRejects(u.record.line.Rejects); err != nil {
			return err
		}
	}
	u.notef("Job %s", id)
	if u.supply.sources = u.job.Spec.Sources; u.supply.sources != nil {
		u.supply.inputs = inputs.Elsewhere(u.asked.Source, session.Sizes(u.supply.sources))
	}
	return u.openFiles(client.Reads(u.job.Spec, u.record.journal))
}

// resume takes up a job by its journal.
func (u *submission) resume(ctx context.Context, id protocol.JobID) error {
	err := u.record.open(id)
	if err != nil {
		return fault.BadInput("Next: look whether its answers are there, since it may be done; go on with it where it was submitted, by the same user; or submit it again.", err)
	}
	u.asked.Params, u.asked.To, u.asked.Format, u.asked.Writing = u.record.line.Params, u.record.line.To, u.record.line.Format, u.record.line.Writing
	if u.client, err = u.connect(u.record.line.Gateways...); err != nil {
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
	if u.record.line.Dataset == session.StatementName {
		u.asked.Source = session.SourceOf(u.job.Spec.Tables)
		for _, a := range u.job.Spec.Plan.Answers {
			u.asked.Queries = append(u.asked.Queries, &plan.Query{Name: a.Query})
		}
		u.asked.Source.Queries = u.asked.Queries
		return nil
	}
	if u.asked.Source, err = u.findSource(ctx, u.record.line.Dataset, u.record.line.Params); err != nil {
		return err
	}
	u.asked.Queries, err = u.asked.Source.Select(u.record.line.Queries...)
	return wrongDirectory(err, paramHint)
}
