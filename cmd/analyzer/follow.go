package main

import (
	"context"
	"errors"
	"io"
	"math"
	"strconv"
	"time"

	"github.com/urfave/cli/v2"

	"analyzer/cmd/analyzer/internal/exit"
	"analyzer/cmd/analyzer/internal/inputs"
	"analyzer/cmd/analyzer/internal/settings"
	"analyzer/compose/answers"
	"analyzer/compose/engine"
	"analyzer/datasets"
)

const (
	flagFollow  = "follow"
	flagEvery   = "every"
	flagChanges = "changes"
)

func followFlags() []cli.Flag {
	return []cli.Flag{
		&cli.BoolFlag{Name: flagFollow, Usage: "answer for the first parts of the tables as well: a sixteenth, an eighth and so on"},
		&cli.StringFlag{Name: flagEvery, Usage: "with --follow, begin with less, and answer at most once in `TIME`, such as 5s"},
		&cli.BoolFlag{Name: flagChanges, Usage: "with --follow and the format jsonl, write only the rows that came and went"},
	}
}

// following says how answers that come more than once are written.
type following struct {
	*program
	on      bool
	every   time.Duration
	changes *answers.Changes
}

// follows reads the flags of --follow, and checks that its answers can go where they are
// to go.
func (p *program) follows(format answers.Format, s *settings.Settings) (f following, err error) {
	f.program = p
	changes := false
	if err := s.Read(
		settings.Into(&f.on, flagFollow, strconv.ParseBool), settings.Into(&f.every, flagEvery, settings.Time),
		settings.Into(&changes, flagChanges, strconv.ParseBool),
	); err != nil {
		return f, err
	}
	dir := s.Text(flagOutput)
	switch {
	case !f.on && (changes || f.every > 0):
		return f, exit.WrongUsage("Next: add --follow, or leave them out.", "--every and --changes are about the answers of --follow")
	case changes && (format != answers.JSONL || dir != ""):
		return f, exit.WrongUsage("Next: add --format jsonl, without --output.", "--changes is written as jsonl to the standard output")
	case f.on && dir == "" && format != answers.JSONL && format != answers.Table:
		return f, exit.WrongUsage("Next: use --format jsonl, or files that are replaced: --output DIR.",
			"--follow answers more than once, and %s on the standard output has no place for that", format)
	}
	if changes {
		f.changes = new(answers.Changes)
	}
	return f, nil
}

// answerAll runs a plan over growing parts of the tables, and writes the answers for
// each.
func (f following) answerAll(
	ctx context.Context, o engine.Options, in *inputs.Inputs, sel datasets.Selection, format answers.Format, s *settings.Settings,
) (report *engine.Report, err error) {
	if in.Total() == 0 {
		return nil, exit.WrongUsage("Next: save it to a file.", "--follow reads tables more than once, which a pipe cannot be")
	}
	keep, err := f.keepRejects(s, in)
	if err != nil {
		return nil, err
	}
	o.Reject = keep.add
	var out answers.Set
	defer func() {
		if out != nil {
			err = errors.Join(err, out.Discard())
		}
	}()
	f.tellf("Each answer is exact for the first part of each file. That is no sample: a file that is sorted begins with what is smallest.")
	report, err = f.watched(o, in, s, func(o engine.Options) (*engine.Report, error) {
		return engine.Follow(ctx, o, engine.Following{
			Every: f.every, Size: in.Size,
			Begin: func(r *engine.Report, complete bool) (engine.Answers, error) {
				asOf := asOf(r, in, complete)
				if err := f.sayAsOf(asOf, format, s); err != nil {
					return nil, err
				}
				out, err = f.openAnswers(answers.Options{Format: format, AsOf: asOf, Changes: f.changes}, sel, s)
				return onClearLine{out, f.progress}, err
			},
			End: func() error { return out.Finish() },
		})
	})
	return report, errors.Join(err, keep.end(ctx))
}

// clearScreen erases a terminal and goes to its top (ECMA-48, ED and CUP).
const clearScreen = "\x1b[2J\x1b[H"

// sayAsOf says for what the answers that come next are exact, unless they say so.
func (p *program) sayAsOf(a *answers.AsOf, format answers.Format, s *settings.Settings) error {
	text := a.String()
	switch {
	case s.Text(flagOutput) != "":
		p.tellf("%s", text)
	case format == answers.Table:
		p.progress.Clear()
		if p.width > 0 {
			text = clearScreen + text
		}
		_, err := io.WriteString(p.stdout, text+"\n\n")
		return err
	}
	return nil
}

// asOf says how far tables were read.
func asOf(r *engine.Report, in *inputs.Inputs, complete bool) *answers.AsOf {
	a := &answers.AsOf{Complete: complete}
	for _, t := range r.Tables {
		read := t.Stats.Progress
		done := read.File
		if read.Data == read.File { // not compressed
			done = read.End
		}
		share := float64(done) / float64(max(in.Size(t.Table), 1))
		if complete {
			share = 1
		}
		a.Tables = append(a.Tables, answers.Part{Table: t.Table, Blocks: read.Blocks, Bytes: read.End, Rows: read.Rows, Share: math.Round(1e4*min(share, 1)) / 1e4})
	}
	return a
}
