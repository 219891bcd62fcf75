package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"analyzer/cmd/analyzer/internal/settings"
	"analyzer/cmd/analyzer/internal/size"
	"analyzer/columnar"
	"analyzer/compose/answers"
	"analyzer/compose/cluster/client"
	"analyzer/compose/cluster/protocol"
	"analyzer/compose/engine"
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
				out, err = p.openPart(answers.Options{AsOf: partsOf(r, in, o.BlockBytes(), complete), Changes: changes}, sel)
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
		Every: u.follow.every, Total: u.inputs.Total(), Waiting: f.Waiting,
		Answer: func(ctx context.Context, cut *client.Job) error { return u.answerCut(ctx, cut, o.Blocks) },
		Trouble: func(err error) {
			u.notef("analyzer: there are no more answers before the last ones: %v", err)
		},
	})
	if err != nil {
		return report, err
	}
	return report, u.answerPart(ctx, u.job, partsOf(report, u.inputs, u.job.Spec.Block, true), f.Waiting)
}

// answerCut writes the answers for what has arrived.
func (u *submission) answerCut(ctx context.Context, cut *client.Job, blocks *client.Blocks) error {
	come := cut.Spec.CutTables()
	a := new(answers.AsOf)
	for _, table := range slices.Sorted(maps.Keys(come)) {
		bytes, rows := blocks.First(table, come[table])
		a.Tables = append(a.Tables, answers.Part{
			Table: table, Blocks: int64(come[table]), Bytes: bytes, Rows: rows,
			Share: u.shareOf(table, bytes), All: allBlocks(u.inputs, table, u.job.Spec.Block),
		})
	}
	return u.answerPart(ctx, cut, a, nil)
}

// shareOf returns the share of a table that so many decompressed bytes are; 0 if unknown.
func (u *submission) shareOf(table string, bytes int64) float64 {
	size := u.inputs.Size(table)
	if size == 0 || u.inputs.Compressed(table) {
		return 0
	}
	return share(bytes, size)
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
	return a.program.printf("\n%s\n", asOfText(a.asOf))
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
	text := asOfText(a.asOf)
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

// partsOf returns how far each table was read.
func partsOf(r *engine.Report, in *inputs.Inputs, block int, complete bool) *answers.AsOf {
	a := &answers.AsOf{Complete: complete}
	for _, t := range r.Tables {
		read := t.Stats.Progress
		done := read.File
		if read.Data == read.File { // not compressed
			done = read.End
		}
		part := answers.Part{
			Table: t.Table, Blocks: read.Blocks, Bytes: read.End, Rows: read.Rows,
			All: allBlocks(in, t.Table, block),
		}
		if size := in.Size(t.Table); size > 0 {
			part.Share = share(done, size)
		}
		if complete {
			part.Share = 1
		}
		a.Tables = append(a.Tables, part)
	}
	return a
}

// allBlocks returns how many blocks a table has; 0 if unknown.
func allBlocks(in *inputs.Inputs, table string, block int) int64 {
	if in.Compressed(table) {
		return 0
	}
	return (in.Size(table) + int64(block) - 1) / int64(block)
}

// asOfText describes for people what the answers are exact for.
func asOfText(a *answers.AsOf) string {
	if a.Complete {
		return "complete"
	}
	var parts []string
	for _, t := range a.Tables {
		if t.Blocks == 0 {
			parts = append(parts, t.Table+" (nothing yet)")
			continue
		}
		text, of := t.Table, ""
		if t.Share > 0 {
			text += fmt.Sprintf(" %.0f %%", 100*t.Share)
		}
		if t.All > 0 {
			of = " of " + size.Count(max(t.All, t.Blocks))
		}
		parts = append(parts, fmt.Sprintf("%s (block %s%s)", text, size.Count(t.Blocks), of))
	}
	return "as of " + strings.Join(parts, ", ") + ", exact for that part"
}

// share returns part/all, at most 1, rounded to four digits.
func share(part, all int64) float64 {
	return math.Round(1e4*min(float64(part)/float64(all), 1)) / 1e4
}
