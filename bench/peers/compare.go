package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/urfave/cli/v2"

	"analyzer/bench/peers/internal/answers"
)

// percentile is the default of books q5, which no case changes.
const percentile = 0.9

func compareCommand() *cli.Command {
	return &cli.Command{
		Name:  "compare",
		Usage: "compare the answers of analyzer, DuckDB and a reference program; status 1 when any differ",
		Flags: append(programFlags(),
			&cli.StringFlag{Name: "dataset", Usage: "`NAMES`, comma-separated", Value: "movies,steam,books"},
			&cli.StringFlag{Name: "oracle", Usage: "a reference program's `COMMAND`; data set, directory and --param follow it"},
			&cli.StringSliceFlag{Name: "analyzer-flag", Usage: "a `FLAG` for analyzer run, such as --memory=64MiB; repeatable"},
			&cli.BoolFlag{Name: "no-models", Usage: "leave out the queries that run a sentiment model, which take longest"},
			&cli.IntFlag{Name: "show", Usage: "print the first `N` differences of each comparison", Value: 10},
		),
		Action: func(c *cli.Context) error {
			p, clean, err := newPrograms(c)
			if err != nil {
				return err
			}
			defer clean()
			if p.analyzer == "" && c.String("oracle") == "" {
				return errors.New("nothing to compare DuckDB with: give --analyzer, --oracle or both")
			}
			cmp := comparison{
				programs: p, oracle: c.String("oracle"), flags: c.StringSlice("analyzer-flag"),
				models: !c.Bool("no-models"), show: c.Int("show"), out: c.App.Writer,
			}
			return cmp.all(c.Context, strings.Split(c.String("dataset"), ","))
		},
	}
}

type comparison struct {
	programs programs
	oracle   string   // empty: none
	flags    []string // added to every run of analyzer
	models   bool
	show     int
	out      io.Writer
}

func (c comparison) all(ctx context.Context, names []string) error {
	different := 0
	for _, name := range names {
		d, err := findDataset(name)
		if err != nil {
			return err
		}
		for _, pc := range d.cases {
			n, err := c.one(ctx, d, pc)
			if err != nil {
				return fmt.Errorf("comparing %s, %s: %w", name, pc.name, err)
			}
			different += n
		}
	}
	if different > 0 {
		return fmt.Errorf("%d differences", different)
	}
	return nil
}

// one compares analyzer and the reference program with DuckDB, and returns the number of differences.
func (c comparison) one(ctx context.Context, d dataset, pc paramCase) (int, error) {
	var names []string
	for _, q := range d.answered {
		names = append(names, d.peerName(q))
	}
	asked := names
	if d.weighed != "" {
		asked = append(asked[:len(asked):len(asked)], d.weighed)
	}
	duck, err := ask(ctx, c.programs.duckdb(withParams(c.programs.asking(d.name, d.name, asked...), pc.params)...))
	if err != nil {
		return 0, err
	}
	different := 0
	if c.oracle != "" && pc.oracle {
		oracle, err := ask(ctx, c.programs.oracle(c.oracle, d.name, pc.params))
		if err != nil {
			return 0, err
		}
		compared := names
		if _, ok := oracle[d.weighed]; ok {
			compared = asked
		}
		different += c.print(d, pc, "oracle", duck, compared, answers.Compare(oracle, duck, compared))
	}
	if c.programs.analyzer != "" {
		found, err := c.analyzer(ctx, d, pc, duck, names)
		if err != nil {
			return 0, err
		}
		different += c.print(d, pc, "analyzer", duck, names, found)
	}
	return different, nil
}

func (c comparison) analyzer(
	ctx context.Context, d dataset, pc paramCase, duck answers.Answers, names []string,
) ([]answers.Difference, error) {
	queries := d.answered
	models := c.models && d.modelled != ""
	if models {
		queries = append(queries[:len(queries):len(queries)], d.modelled)
	}
	run := c.programs.run(d.name, queries, pc.params)
	run.argv = append(run.argv, c.flags...)
	ours, err := ask(ctx, run)
	if err != nil {
		return nil, err
	}
	for _, q := range d.answered {
		if peer := d.peerName(q); peer != q {
			ours.Rename(q, peer)
		}
	}
	found := answers.Compare(ours, duck, names)
	if !models {
		return found, nil
	}
	if d.name == "books" {
		return append(found, answers.CheckBooksSentiment(ours[d.modelled], duck[d.weighed], percentile)...), nil
	}
	return append(found, answers.CheckMoviesSentiment(ours[d.modelled], duck[d.weighed])...), nil
}

// print writes one line about what was compared, and the first differences.
func (c comparison) print(
	d dataset, pc paramCase, who string, duck answers.Answers, names []string, found []answers.Difference,
) int {
	rows := 0
	for _, name := range names {
		rows += len(duck[name].Rows)
	}
	_, _ = fmt.Fprintf(c.out, "%s, %s: %s and duckdb, %d answers, %d rows, %d differences\n",
		d.name, pc.name, who, len(names), rows, len(found))
	for _, difference := range found[:min(len(found), c.show)] {
		_, _ = fmt.Fprintf(c.out, "  %s\n", difference)
	}
	return len(found)
}

func ask(ctx context.Context, c command) (answers.Answers, error) {
	text, _, err := c.run(ctx)
	if err != nil {
		return nil, err
	}
	all, err := answers.Parse(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", c.name, err)
	}
	return all, nil
}
