package session

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"analyzer/columnar"
	"analyzer/columnar/scan"
	"analyzer/columnar/vfs"
	"analyzer/compose/cluster/client"
	"analyzer/compose/cluster/protocol"
	"analyzer/compose/engine"
	"analyzer/compose/session/fault"
	"analyzer/datasets"
	"analyzer/operators/query/physical"
	"analyzer/operators/query/plan"
	"analyzer/operators/query/rules"
	"analyzer/operators/query/sql"
)

// Selection returns the queries as a cluster gets them, with the types that columns have, for which it
// may have to read the files. Each file is a table if FilesApart.
func (p *Prepared) Selection(ctx context.Context) (sel datasets.Selection, err error) {
	if err := p.settle(ctx); err != nil {
		return sel, err
	}
	return p.bind(ctx, p.FilesApart(), nil)
}

// settle determines the types of all columns, unless the statement is wrong whatever they are.
func (p *Prepared) settle(ctx context.Context) error {
	if p.tables.settled {
		return nil
	}
	if _, err := p.bind(ctx, false, nil); p.tables.certain(err) {
		return err
	}
	_, err := p.tables.settle(ctx)
	return err
}

// FilesApart reports whether each file is a table for a cluster: an upload of it can then be resumed,
// since the journal knows each file. A job has not enough tables for many files, which it gets as those of
// one table, as it does files of which some lack columns of others.
func (p *Prepared) FilesApart() bool {
	files := 1 // that of queries without FROM
	for _, set := range p.tables.all {
		if files += len(set.files); set.united {
			return false
		}
	}
	return files <= plan.MaxTables
}

// TableFiles returns the files of a table that has several, and nil for others.
func (p *Prepared) TableFiles(table string) *scan.Files { return p.tables.files(table) }

// Schema returns the columns of a statement's answer. Like Selection, it may have to read the
// files.
func (p *Prepared) Schema(ctx context.Context) (columnar.Schema, error) {
	if err := p.settle(ctx); err != nil {
		return nil, err
	}
	sel, err := p.bind(ctx, false, nil)
	if err != nil {
		return nil, err
	}
	return schemaOf(sel)
}

// schemaOf returns the columns of the answer of the only query.
func schemaOf(sel datasets.Selection) (columnar.Schema, error) {
	return sel.Queries[0].Root.Schema(sel.Source.TableMap())
}

// Plan returns the plan that Run runs if no guess at a type is wrong; after Selection none is
// a guess.
func (p *Prepared) Plan(ctx context.Context) (made *physical.Plan, err error) {
	err = p.try(ctx, func(sel datasets.Selection) (err error) {
		made, err = p.planOf(ctx, sel)
		return err
	})
	return made, err
}

// Rewrites calls step for each rule that changes the plan of a statement.
func (p *Prepared) Rewrites(ctx context.Context, step rules.Step) error {
	if p.there != nil {
		return p.wrong(sql.Unsupported(p.st.At, "Next: read the files here, without --at.", "EXPLAIN (RULES) of a plan that a gateway has made"))
	}
	return p.try(ctx, func(datasets.Selection) error {
		_, err := p.bind(ctx, false, step)
		return err
	})
}

func (p *Prepared) planOf(ctx context.Context, sel datasets.Selection) (*physical.Plan, error) {
	if p.plan != nil {
		return p.plan, nil
	}
	physical, err := physical.New(p.ses.work(ctx), sel.Queries, sel.Source.TableMap())
	if err != nil {
		return nil, fault.Planning("Next: simplify the statement.", fmt.Errorf("plan the statement: %w", err))
	}
	return physical, nil
}

// Run answers in this process. What only defines something has no answer, and that of DESCRIBE are columns
// and types. Of COPY, the rows go to answers too, and the selection says which file they are
// for. EXPLAIN answers with Plan alone.
func (p *Prepared) Run(ctx context.Context, answers engine.Answers) (*engine.Report, error) {
	if p.st != nil {
		switch verb := p.st.Verb; {
		case verb.Defines():
			return p.Define(ctx)
		case verb == sql.Describe:
			return new(engine.Report), p.Describe(ctx, answers)
		case verb == sql.Explain:
			return nil, fault.WrongUsage("Next: ask for the plan.", "EXPLAIN has a plan and no rows")
		}
	}
	return p.into(ctx, answers)
}

// Attempt calls run with the options of a run in this process. If that fails since a type was
// guessed wrong, it calls run again. Options.Watch and Options.Read find wrong guesses before
// any answer, unless run sets Options.Early; then it must discard what was written.
func (p *Prepared) Attempt(ctx context.Context, run func(datasets.Selection, engine.Options) (*engine.Report, error)) (report *engine.Report, err error) {
	err = p.try(ctx, func(sel datasets.Selection) (err error) {
		o := p.ses.options(sel)
		o.MaxRejects = p.maxRejects()
		if o.Plan, err = p.planOf(ctx, sel); err != nil {
			return err
		}
		p.in.Expect(engine.Readings(o))
		o.Files = p.tables.files
		o.Open = func(table string) (vfs.File, error) { return p.in.Open(ctx, table) }
		if !p.tables.settled {
			o.Watch, o.Read = p.tables.watch, p.tables.check
		}
		report, err = run(sel, o)
		if p.st != nil {
			err = Advise(err)
		}
		return err
	})
	if err == nil {
		report.Tables = addLossy(report.Tables, p.lossy)
	}
	return report, err
}

// RunOn answers on a cluster, which gets the rows and columns that it needs, or reads the files. It
// ends the job. If the cluster loses a part of the job, RunOn begins another one (Beginning).
func (p *Prepared) RunOn(ctx context.Context, c *client.Client, answers engine.Answers) (report *engine.Report, err error) {
	for jobs := (&Beginning{Answers: answers}); ; {
		sel, err := p.Selection(ctx)
		if err != nil {
			return nil, err
		}
		if report, err = p.runOn(ctx, c, sel, jobs.Sources(p.sources), jobs); !p.Outgrown(err) && !jobs.Again(err, p.in) {
			return report, err
		}
	}
}

func (p *Prepared) runOn(ctx context.Context, c *client.Client, sel datasets.Selection, sources map[string]protocol.Source, answers engine.Answers) (report *engine.Report, err error) {
	job, err := c.Open(ctx, protocol.OpenRequest{
		Label: sel.Source.Name, Tables: sel.Source.Tables, Queries: sel.Queries, Block: client.DefaultBlock, TTL: jobTTL, Sources: sources,
	})
	if err != nil {
		return nil, err
	}
	defer func() {
		reason := client.Fetched
		if err != nil {
			reason = "the client failed"
		}
		err = errors.Join(err, c.End(context.WithoutCancel(ctx), job.Spec.ID, reason))
	}()
	p.in.Expect(client.Reads(job.Spec, nil))
	u := client.Upload{
		FS: p.ses.cfg.Own, SpillDir: p.ses.cfg.SpillDir, MaxRejects: p.maxRejects(), MaxRejectShare: p.ses.cfg.MaxRejectShare,
	}
	if sources == nil {
		u.Open = func(table string) (vfs.File, error) { return p.in.Open(ctx, table) }
		u.Files = p.TableFiles
	}
	report, err = job.Run(ctx, u, client.Fetch{Queries: sel.QueryNames()}, answers)
	return report, Advise(err)
}

// AllRows reports whether a table of the statement says that no row may be rejected.
func (p *Prepared) AllRows() bool {
	return p.allRows || slices.ContainsFunc(p.tables.all, func(set *tableFiles) bool { return set.given.AllRows })
}

// maxRejects returns how many rows of a table may be rejected.
func (p *Prepared) maxRejects() int64 {
	if p.AllRows() {
		return 0
	}
	return p.ses.cfg.MaxRejects
}

// jobTTL is after what time a job ends whose client is gone.
const jobTTL = 24 * time.Hour

// Describe answers with the columns of an answer and their types.
func (p *Prepared) Describe(ctx context.Context, answers engine.Answers) error {
	columns, err := p.Schema(ctx)
	if err != nil {
		return err
	}
	if err := p.tables.tellTexts(ctx, p.ses.notice); err != nil {
		return err
	}
	names, types := columnar.NewVector(columnar.Text), columnar.NewVector(columnar.Text)
	named, typed := describe(columns)
	for i := range columns {
		names.AppendBytes([]byte(named[i]))
		types.AppendBytes([]byte(typed[i]))
	}
	return errors.Join(
		answers.Begin(AnswerName, columnar.Schema{{Name: "column_name", Type: columnar.Text}, {Name: "column_type", Type: columnar.Text}}),
		answers.Write(columnar.Rows{Len: len(columns), Cols: []*columnar.Vector{names, types}}),
		answers.End(),
	)
}
