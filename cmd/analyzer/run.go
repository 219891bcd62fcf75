package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"analyzer/cmd/analyzer/internal/progress"
	"analyzer/columnar"
	"analyzer/columnar/scan"
	"analyzer/columnar/vfs"
	"analyzer/compose/answers"
	"analyzer/compose/cluster/failpoint"
	"analyzer/compose/engine"
	"analyzer/compose/session"
	"analyzer/compose/session/fault"
	"analyzer/compose/session/inputs"
	"analyzer/compose/session/rejects"
	"analyzer/datasets"
	"analyzer/operators/query/physical"
)

func runCommand(p *program) *cli.Command {
	return &cli.Command{
		Name: "run", Usage: "answer the queries of a data set", ArgsUsage: "DATASET [DIR]",
		Description: "DATASET is movies, steam or books. DIR holds its files under the names they have on Kaggle,\n" +
			"plain or compressed (.gz, .zst, .xz, .bz2, .lz4, .zip); without DIR the samples inside the program are read. Answers go to the\n" +
			"standard output, everything else to the standard error. DATASET can also be a directory\n" +
			"with your own tables and queries, which “analyzer init” makes.\n\n" +
			"“analyzer queries DATASET” lists the queries with their parameters.",
		Flags:  slices.Concat(p.answerFlags(), p.followFlags(), []cli.Flag{p.uniqueFlag()}, p.resourceFlags()),
		Action: p.action(runner{p}.run, 1, "DATASET", "DIR"),
	}
}

// runner answers in this process.
type runner struct{ *program }

func (p runner) run(c *cli.Context, arguments []string) (err error) {
	defer p.limitMemory()()
	sel, err := p.selectionOf(c.Context, arguments[0])
	if err != nil {
		return err
	}
	if err := p.checkFollow(); err != nil {
		return err
	}
	asked, err := p.session().Ask(c.Context, sel, arguments[1])
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, asked.Close()) }()
	report, _, err := p.answerHere(c.Context, asked)
	if err != nil {
		return err
	}
	p.summarise(report, p.rejects)
	p.sayNext("run "+sel.Source.Name, asked.Inputs())
	return nil
}

// answerHere runs in this process and writes the answers: one of each query, or with --follow
// several.
func (p runner) answerHere(ctx context.Context, asked *session.Prepared) (report *engine.Report, sel datasets.Selection, err error) {
	answer := p.answerAll
	if p.follow.on {
		answer = p.answerParts
	}
	report, err = asked.Attempt(ctx, func(bound datasets.Selection, o engine.Options) (*engine.Report, error) {
		sel = bound
		if err := p.trySpillDir(); err != nil {
			return nil, err
		}
		return answer(ctx, o, asked.Inputs(), sel)
	})
	return report, sel, p.tooManyRejects(err, report)
}

// runOver runs in this process. It returns the plan too.
func (p runner) runOver(ctx context.Context, asked *session.Prepared, out engine.Answers) (physical *physical.Plan, report *engine.Report, err error) {
	report, err = asked.Attempt(ctx, func(_ datasets.Selection, o engine.Options) (*engine.Report, error) {
		physical = o.Plan
		if err := p.trySpillDir(); err != nil {
			return nil, err
		}
		return p.execute(ctx, o, asked.Inputs(), out)
	})
	return physical, report, p.tooManyRejects(err, report)
}

// executeOver runs the plan of queries over the tables in a directory, or over the samples.
func (p runner) executeOver(ctx context.Context, sel datasets.Selection, dir string, out engine.Answers) (_ *physical.Plan, _ *engine.Report, err error) {
	asked, err := p.session().Ask(ctx, sel, dir)
	if err != nil {
		return nil, nil, err
	}
	defer func() { err = errors.Join(err, asked.Close()) }()
	return p.runOver(ctx, asked, out)
}

// answerAll runs a plan and writes its answers, and the rejected rows if they are kept.
func (p runner) answerAll(ctx context.Context, o engine.Options, in *inputs.Inputs, sel datasets.Selection) (report *engine.Report, err error) {
	out, err := p.openAnswers(answers.Options{}, sel)
	if err != nil {
		return nil, err
	}
	defer discarding(&err, out)
	keep, err := p.keepRejects(in)
	if err != nil {
		return nil, err
	}
	o.Reject = keep.add
	o.Early = sel.To != "" || p.output != "" // files appear only once all is complete
	report, err = p.execute(ctx, o, in, out)
	if err = errors.Join(err, keep.end(ctx)); err != nil {
		return report, err
	}
	return report, out.Finish()
}

// usualFormat is the default format of answers.
func (p *program) usualFormat() answers.Format {
	if p.width > 0 && p.output == "" {
		return answers.Table
	}
	return answers.CSV
}

// titles describes what each query answers, with its parameters.
func titles(sel datasets.Selection) map[string]string {
	out := make(map[string]string)
	for _, q := range sel.Queries {
		title := q.Title
		for i, param := range q.Params {
			title += []string{"  ", "\n    "}[max(0, 1-i)] + param.Name + "=" + param.Value
		}
		out[q.Name] = title
	}
	return out
}

// openAnswers begins what is written: a file per query in the directory that
// --output names, each by itself or all together, or all answers on the standard output.
func (p *program) openAnswers(o answers.Options, sel datasets.Selection) (answers.Set, error) {
	dir := p.output
	if err := p.notStdout(flagOutput, "a directory; answers go to the standard output without it"); err != nil {
		return nil, err
	}
	o.Scratch = p.spillDir
	o.Format, o.Titles, o.Queries = cmp.Or(o.Format, p.format), titles(sel), len(sel.Queries)
	if p.width > 0 {
		o.Width, o.Rows = p.width, p.limit
	}
	if sel.Writing.Partition != nil {
		o.Format, o.Writing = answers.Format(sel.Format), sel.Writing
		out, err := answers.NewTree(p.fs, sel.To, o)
		if errors.Is(err, fs.ErrExist) {
			err = fault.WrongUsage("Next: name another directory, or remove it.", "%w", err)
		}
		return out, err
	}
	if sel.To != "" {
		o.Format, o.Writing, o.File = answers.Format(sel.Format), sel.Writing, vfs.Base(sel.To)
		dir = vfs.Dir(sel.To)
	}
	if dir != "" {
		pass, err := failpoint.Parse(os.Getenv(failpoint.Variable), answers.Points())
		if err != nil {
			return nil, err
		}
		out, err := answers.NewDir(answers.CrashFS(p.fs, pass), dir, o)
		if err != nil && sel.To == "" {
			err = p.settings.Blame(flagOutput, err)
		}
		return out, err
	}
	binary := o.Format.Binary()
	if binary && p.width > 0 {
		return nil, fault.WrongUsage("Next: redirect the output to a file, or use --output DIR.", "%s is not for terminals", o.Format)
	}
	if binary && o.Queries > 1 {
		return nil, fault.WrongUsage("Next: use --output DIR, or choose one query with --query.",
			"format %s holds one answer, and %d were asked for", o.Format, o.Queries)
	}
	return answers.NewStream(p.stdout, o)
}

// execute runs the plan with progress, and writes the summary.
func (p runner) execute(ctx context.Context, o engine.Options, in *inputs.Inputs, out engine.Answers) (*engine.Report, error) {
	return p.watched(o, in, func(o engine.Options) (*engine.Report, error) {
		if !o.Early {
			out = onClearLine{out, p.progress}
		}
		return engine.Run(ctx, o, out)
	})
}

// watched shows the progress of a run, and writes its summary.
func (p runner) watched(
	o engine.Options, in *inputs.Inputs, run func(engine.Options) (*engine.Report, error),
) (*engine.Report, error) {
	if err := p.trySummary(); err != nil {
		return nil, err
	}
	o.Progress = func(at engine.Progress) {
		p.progress.Show(progress.State{What: at.Doing, Rows: at.Rows, Bytes: at.Bytes, Total: in.Total(), Spilled: at.Spilled})
	}
	report, err := run(o)
	p.progress.Clear()
	return report, errors.Join(err, p.writeSummary(report))
}

// kept is a file of rejected rows; its zero value keeps none.
type kept struct {
	add  func(scan.Reject) error
	file *rejects.File
}

// keepRejects begins the file that --rejects names.
func (p runner) keepRejects(in *inputs.Inputs) (kept, error) {
	v, ok := p.settings.One(flagRejects)
	if !ok {
		return kept{}, nil
	}
	if err := p.notStdout(flagRejects, "a file: rejected rows do not go where answers go"); err != nil {
		return kept{}, err
	}
	file, err := rejects.Create(p.fs, v.Text, p.spillDir, in.TableOf)
	if err != nil {
		return kept{}, p.settings.Blame(flagRejects, err)
	}
	return kept{file.Add, file}, nil
}

// end completes the file, even after a run that failed because of its input, but not after an
// interrupted one.
func (k kept) end(ctx context.Context) (err error) {
	if k.file == nil {
		return nil
	}
	if ctx.Err() == nil {
		err = k.file.Commit()
	}
	return errors.Join(err, k.file.Discard())
}

// tooManyRejects adds to an error about rejected rows what was rejected, and where the rows
// are kept. Other errors stay as they are.
func (p runner) tooManyRejects(err error, report *engine.Report) error {
	if report == nil || !errors.Is(err, scan.ErrTooManyRejects) {
		return err
	}
	p.summariseTables(report)
	if p.rejects != "" {
		return fault.BadInput(fmt.Sprintf("Next: look at the rejected rows in %s; a larger --max-rejects goes on.", p.rejects), err)
	}
	return err
}

// onClearLine hides the progress line while an answer is written, since both may go to the
// same terminal.
type onClearLine struct {
	engine.Answers
	line *progress.Line
}

func (a onClearLine) Begin(query string, columns columnar.Schema) error {
	a.line.Hold(true)
	return a.Answers.Begin(query, columns)
}

func (a onClearLine) End() error {
	defer a.line.Hold(false)
	return a.Answers.End()
}

// sayNext tells a user at a terminal what to do next: a command to repeat with their own
// files.
func (p runner) sayNext(command string, in *inputs.Inputs) {
	if p.output != "" {
		p.tellf("The answers are in %s.", p.output)
		return
	}
	switch samples, all := in.Samples(); {
	case all:
		p.tellf("These are answers to the samples inside the program. Next: analyzer %s DIR", command)
	case len(samples) > 0:
		p.tellf("Of these tables the samples inside the program were read: %s. Next: analyzer %s DIR", strings.Join(samples, ", "), command)
	}
}
