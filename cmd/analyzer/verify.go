package main

import (
	"bytes"
	"errors"
	"strings"

	"github.com/urfave/cli/v2"

	"analyzer/cmd/analyzer/internal/exit"
	"analyzer/cmd/analyzer/internal/published"
	"analyzer/compose/answers"
	"analyzer/compose/engine"
	"analyzer/datasets"
)

func (p *program) verifyCommand() *cli.Command {
	return &cli.Command{
		Name: "verify", Usage: "compare answers over the full files with the published ones", ArgsUsage: "DATASET DIR",
		Description: "For those who have the full files of Kaggle in DIR. Answers that depend on a sentiment or\n" +
			"language model are not compared. The exit status is 1 when an answer differs.",
		Flags:  append([]cli.Flag{&cli.StringSliceFlag{Name: flagQuery, Usage: "compare these `QUERIES` alone, such as q1,q3"}}, resourceFlags()...),
		Action: p.verify,
	}
}

func (p *program) verify(c *cli.Context) (err error) {
	arguments, s, err := p.begin(c, 2, "DATASET", "DIR")
	if err != nil {
		return err
	}
	d, err := findDataset(arguments[0])
	if err != nil {
		return err
	}
	sel, err := selectQueries(&d.Source, s.List(flagQuery), s)
	if err != nil {
		return err
	}
	o, in, err := p.readTables(c.Context, sel, arguments[1], s)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	var text bytes.Buffer
	out, err := answers.NewStream(&text, answers.Options{Format: answers.JSON, Queries: len(sel.Queries)})
	if err != nil {
		return err
	}
	defer discarding(&err, out)
	report, err := p.execute(c.Context, o, in, out, s)
	if err != nil {
		return p.tooManyRejects(err, report, s)
	}
	if err := out.Finish(); err != nil {
		return err
	}
	return p.sayVerdict(d, &text, report)
}

func (p *program) sayVerdict(d *datasets.Dataset, text *bytes.Buffer, report *engine.Report) error {
	results, err := published.Compare(text, d.Published)
	if err != nil {
		return err
	}
	differ := false
	for _, r := range results {
		line := r.Query + "  " + string(r.Verdict)
		if r.Detail != "" {
			line += ": " + r.Detail
		}
		if err := p.printf("%s\n", line); err != nil {
			return err
		}
		differ = differ || r.Verdict == published.Differs
	}
	p.summarise(report, "")
	if !differ {
		return nil
	}
	rows := make(map[string]int64)
	for _, t := range report.Tables {
		rows[t.Table] = t.Stats.Rows + t.Stats.RejectedRows()
	}
	if partial := published.Partial(rows, d.Published); len(partial) > 0 {
		p.tellf("These do not look like the full files: %s.\nNext: verify with the complete files of %s.", strings.Join(partial, "; "), d.Title)
	} else {
		p.tellf("Next: look at the answers themselves with analyzer run %s; other copies of the files may differ a little.", d.Name)
	}
	return &exit.Error{Status: exit.Failed}
}
