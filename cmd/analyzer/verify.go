package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v2"

	"analyzer/cmd/analyzer/internal/settings"
	"analyzer/compose/answers"
	"analyzer/compose/engine"
	"analyzer/compose/session/fault"
	"analyzer/datasets"
	"analyzer/datasets/published"
)

func verifyCommand(p *program) *cli.Command {
	return &cli.Command{
		Name: "verify", Usage: "compare answers over the full files with the published ones", ArgsUsage: "DATASET DIR",
		Description: "DIR holds the full files from Kaggle. Answers that depend on a sentiment or language model are\n" +
			"not compared. The exit status is 1 when an answer differs,\n" +
			"or none could be compared. The expected answers of a data set in a\n" +
			"directory are its files answers/NAME.json, in the form that “run --format json” writes.",
		Flags:  append([]cli.Flag{settings.List(&p.queries, flagQuery, "compare only these `QUERIES`, such as q1,q3", "")}, p.resourceFlags()...),
		Action: p.action(verifier{runner{p}}.verify, 2, "DATASET", "DIR"),
	}
}

// verifier compares answers with published ones.
type verifier struct{ runner }

func (p verifier) verify(c *cli.Context, arguments []string) (err error) {
	d, err := p.verifiable(c.Context, arguments[0])
	if err != nil {
		return err
	}
	sel, err := p.selectQueries(&d.Source)
	if err != nil {
		return err
	}
	var text bytes.Buffer
	out, err := answers.NewStream(&text, answers.Options{Format: answers.JSON, Queries: len(sel.Queries)})
	if err != nil {
		return err
	}
	defer discarding(&err, out)
	_, report, err := p.executeOver(c.Context, sel, arguments[1], out)
	if err != nil {
		return err
	}
	if err := out.Finish(); err != nil {
		return err
	}
	return p.sayVerdict(d, &text, report)
}

// verifiable returns a data set with its known answers. A directory has them in
// answers/NAME.json, as run --output DIR/answers --format json writes them.
func (p verifier) verifiable(ctx context.Context, given string) (*datasets.Dataset, error) {
	src, err := p.findSource(ctx, given, nil)
	if err != nil {
		return nil, err
	}
	if src.Dir == "" {
		return findDataset(given, nil)
	}
	d := &datasets.Dataset{Source: *src}
	for _, q := range src.Queries {
		known, err := p.knownAnswer(filepath.Join(src.Dir, "answers", q.Name+".json"), q.Name)
		if err != nil {
			return nil, err
		}
		d.Published.Answers = append(d.Published.Answers, known)
	}
	return d, nil
}

func (p verifier) knownAnswer(file, query string) (known datasets.PublishedAnswer, err error) {
	f, err := p.fs.Open(file)
	if errors.Is(err, fs.ErrNotExist) {
		return datasets.PublishedAnswer{Query: query, Why: "there is no " + file}, nil
	}
	if err != nil {
		return known, fault.BadInput("Next: check who may read the file.", err)
	}
	known, err = published.Known(query, f)
	if err = errors.Join(err, f.Close()); err != nil {
		return known, fault.BadInput("Next: write it anew with run --output DIR --format json.", fmt.Errorf("%s: %w", file, err))
	}
	return known, nil
}

func (p verifier) sayVerdict(d *datasets.Dataset, text *bytes.Buffer, report *engine.Report) error {
	results, err := published.Compare(text, d.Published)
	if err != nil {
		return err
	}
	differ, compared := false, false
	for _, r := range results {
		line := r.Query + "  " + string(r.Verdict)
		if r.Detail != "" {
			line += ": " + r.Detail
		}
		if err := p.printf("%s\n", line); err != nil {
			return err
		}
		differ = differ || r.Verdict == published.Differs
		compared = compared || r.Verdict != published.NotComparable
	}
	p.summarise(report, "")
	if !compared {
		return fault.Failure("Next: choose other queries; a data set in a directory has its expected answers in answers/NAME.json.", errors.New("no answer could be compared"))
	}
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
	return &fault.Error{Kind: fault.Failed}
}
