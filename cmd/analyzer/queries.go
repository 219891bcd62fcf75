package main

import (
	"context"
	"strings"

	"github.com/urfave/cli/v2"

	"analyzer/compose/session/fault"
	"analyzer/datasets"
	"analyzer/datasets/catalog"
	"analyzer/datasets/directory"
)

func queriesCommand(p *program) *cli.Command {
	return &cli.Command{
		Name: "queries", Usage: "list the queries of a data set and their parameters", ArgsUsage: "[DATASET [QUERY]]",
		Description: "Prints the queries of one data set, or of all, with the default values of their parameters; given a\n" +
			"QUERY or “tables”, prints its SQL.\n\n" +
			"To ask other questions, copy a data set: “analyzer init DIR steam”. Where queries of steam\n" +
			"say “shooter” they select the genre Action: Shooter is not a genre but a tag, in the column tags.",
		Action: p.action(func(c *cli.Context, arguments []string) error {
			if arguments[1] != "" {
				return p.printQuery(c.Context, arguments[0], arguments[1])
			}
			names := catalog.Names()
			if arguments[0] != "" {
				names = arguments[:1]
			}
			for i, name := range names {
				src, err := p.findSource(c.Context, name, nil)
				if err != nil {
					return err
				}
				if err := p.printf("%s%s", strings.Repeat("\n", min(i, 1)), queriesText(src)); err != nil {
					return err
				}
			}
			return nil
		}, 0, "DATASET", "QUERY"),
	}
}

// printQuery prints the SQL of a query, or of the tables.
func (p *program) printQuery(ctx context.Context, dataset, name string) error {
	src, err := p.findSource(ctx, dataset, nil)
	if err != nil {
		return err
	}
	text, ok := src.Texts[directory.File(name)]
	if !ok {
		_, err := src.Select(name)
		return fault.WrongUsage("Next: use one of these names, or tables.", "%w", err)
	}
	return p.printf("%s", text)
}

// queriesText lists the queries of a source.
func queriesText(src *datasets.Source) string {
	var b strings.Builder
	b.WriteString(src.Name + ": " + src.Title + "\n")
	for _, q := range src.Queries {
		b.WriteString("  " + q.Name + "  " + q.Title + "\n")
		for _, param := range q.Params {
			b.WriteString("        " + param.Name + "=" + param.Default + "\n")
		}
	}
	return b.String()
}
