package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"time"

	"github.com/urfave/cli/v2"

	"analyzer/cmd/analyzer/internal/settings"
	"analyzer/columnar"
	"analyzer/compose/answers"
	"analyzer/compose/cluster/client"
	"analyzer/compose/cluster/protocol"
	"analyzer/compose/engine"
	"analyzer/compose/session"
	"analyzer/compose/session/fault"
	"analyzer/compose/session/inputs"
	"analyzer/datasets"
)

func (p *program) followFlags() []cli.Flag {
	return []cli.Flag{
		settings.Switch(&p.follow.on, "follow", "also answer early, for the first sixteenth of the tables, the first eighth and so on"),
		settings.Into(&p.follow.every, settings.Time, "every", "with --follow, begin even earlier, and answer at most once every `TIME`, such as 5s", ""),
		settings.Switch(&p.follow.changes, "changes", "with --follow and the format jsonl, write only the rows that were added or removed"),
	}
}

// following says how answers that are repeated are written.
type following struct {
	on, changes bool
	every       time.Duration
	watch       map[string]string // what append watches, by table
}

// seen returns what remembers answers in order to compute changes; nil if no changes are
// wanted.
func (f following) seen() *answers.Changes {
	if f.changes {
		return new(answers.Changes)
	}
	return nil
}

// checkFollow checks the flags of --follow, and that the output can take repeated answers.
func (p runner) checkFollow() error {
	if p.follow.on {
		return p.fits("--follow")
	}
	if p.follow.changes || p.follow.every > 0 {
		return fault.WrongUsage("Next: add --follow, or leave them out.", "--every and --changes are about the answers of --follow")
	}
	return nil
}

// fits checks that the output can take repeated answers.
func (p *program) fits(flag string) error {
	switch {
	case p.follow.changes && (p.format != answers.JSONL || p.output != ""):
		return fault.WrongUsage("Next: add --format jsonl, without --output.", "--changes is written as jsonl to the standard output")
	case p.output == "" && p.format != answers.JSONL && p.format != answers.Table:
		return fault.WrongUsage("Next: use --format jsonl, or files that are replaced: --output DIR.",
			"%s answers more than once, and %s on the standard output has no place for that", flag, p.format)
	}
	return nil
}

// noSample is printed once to whoever follows.
const noSample = "Each answer is exact for the first part of each file. That is no sample: a file that is sorted begins with what is smallest."

// answerParts runs a plan and writes answers for growing parts of the tables, and at last for
// all of them.
func (p runner) answerParts(ctx context.Context, o engine.Options, in *inputs.Inputs, sel datasets.Selection) (report *engine.Report, err error) {
	keep, err := p.keepRejects(in)
	if err != nil {
		return nil, err
	}
	o.Reject = keep.add
	var out *atFirst
	defer func() {
		if out != nil && out.Set != nil {
			err = errors.Join(err, out.Discard())
		}
	}()
	p.tellf("%s", noSample)
	changes := p.follow.seen()
	report, err = p.watched(o, in, func(o engine.Options) (*engine.Report, error) {
		return engine.Follow(ctx, o, engine.Following{
			Every: p.follow.every, Size: in.Size,
			Begin: func(r *engine.Report, complete bool) (engine.Answers, error) {
				out, err = p.openPart(answers.Options{AsOf: session.AsOf(r, in, o.BlockBytes(), complete), Changes: changes}, sel)
				return onClearLine{out, p.progress}, err
			},
			End: func() error { return out.Finish() },
		})
	})
	return report, errors.Join(err, keep.end(ctx))
}

// runFollowed uploads the tables, meanwhile writes answers for what has arrived, and at last
// those for everything.
func (u *submission) runFollowed(ctx context.Context, o client.Upload, f client.Fetch) (*engine.Report, error) {
	u.tellf("%s", noSample)
	o.Blocks = new(client.Blocks)
	report, err := u.job.Follow(ctx, o, client.Following{
		Every: u.follow.every, Total: u.supply.inputs.Total(), Waiting: f.Waiting,
		Answer: func(ctx context.Context, cut *client.Job) error { return u.answerCut(ctx, cut, o.Blocks) },
		Trouble: func(err error) {
			u.notef("analyzer: there are no more answers before the last ones: %v", err)
		},
	})
	if err != nil {
		return report, err
	}
	return report, u.answerPart(ctx, u.job, session.AsOf(report, u.supply.inputs, u.job.Spec.Block, true), f.Waiting)
}

// answerCut writes the answers for what has arrived.
func (u *submission) answerCut(ctx context.Context, cut *client.Job, blocks *client.Blocks) error {
	return u.answerPart(ctx, cut, session.AsOfCut(cut.Spec.CutTables(), blocks, u.supply.inputs, u.job.Spec.Block), nil)
}

// answerPart writes the answers of a job for the given part of the tables.
func (u *submission) answerPart(ctx context.Context, job *client.Job, a *answers.AsOf, waiting func(string, *protocol.Status)) (err error) {
	out, err := u.openPart(answers.Options{AsOf: a, Changes: u.changes}, u.asked)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, out.Discard()) }()
	if err := job.Fetch(ctx, client.Fetch{Queries: u.wanted(u.asked).Queries, Waiting: waiting}, onClearLine{out, u.progress}); err != nil {
		return err
	}
	return out.Finish()
}

// clearScreen erases a terminal and goes to its top (ECMA-48, ED and CUP).
const clearScreen = "\x1b[2J\x1b[H"

// atFirst prints, before the first answer, which part of the tables the answers are exact for,
// unless the format says so itself. It prints that again after the last answer if the first
// line has scrolled off the terminal.
type atFirst struct {
	answers.Set
	program *program // with a standard output that counts lines
	asOf    *answers.AsOf
	said    bool
	lines   *lineCounter
}

// openPart is openAnswers for a part of the tables, or for all of them at the end.
func (p runner) openPart(o answers.Options, sel datasets.Selection) (*atFirst, error) {
	counting, lines := *p.program, &lineCounter{Writer: p.stdout}
	counting.stdout = lines
	set, err := counting.openAnswers(o, sel)
	return &atFirst{Set: set, program: &counting, asOf: o.AsOf, lines: lines}, err
}

// lineCounter counts the lines written through it.
type lineCounter struct {
	io.Writer
	lines int
}

func (c *lineCounter) Write(text []byte) (int, error) {
	c.lines += bytes.Count(text, []byte("\n"))
	return c.Writer.Write(text)
}

func (a *atFirst) Finish() error {
	if err := a.Set.Finish(); err != nil || a.asOf.Complete || a.lines.lines < a.program.height || a.program.height == 0 {
		return err
	}
	a.program.progress.Hold(true)
	defer a.program.progress.Hold(false)
	return a.program.printf("\n%s\n", a.asOf.String())
}

func (a *atFirst) Begin(query string, columns columnar.Schema) error {
	if err := a.say(); err != nil {
		return err
	}
	return a.Set.Begin(query, columns)
}

func (a *atFirst) say() error {
	if a.said {
		return nil
	}
	a.said = true
	text := a.asOf.String()
	switch {
	case a.program.output != "":
		a.program.tellf("%s", text)
	case a.program.format == answers.Table:
		if a.program.width > 0 && !a.asOf.Complete {
			text += "\n" + noSample // clearing the screen removes it
		}
		if a.program.width > 0 {
			text = clearScreen + text
		}
		return a.program.printf("%s\n\n", text)
	}
	return nil
}
