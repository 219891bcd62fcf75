package main

import (
	"strings"

	"github.com/urfave/cli/v2"

	"analyzer/datasets"
	"analyzer/datasets/catalog"
)

func (p *program) queriesCommand() *cli.Command {
	return &cli.Command{
		Name: "queries", Usage: "list what can be asked, and its parameters", ArgsUsage: "[DATASET]",
		Description: "Prints the queries of a data set, or of all, with the values that their parameters have\n" +
			"unless --param sets others.",
		Action: func(c *cli.Context) error {
			arguments, err := positional(c, 0, "DATASET")
			if err != nil {
				return err
			}
			names := catalog.Names()
			if arguments[0] != "" {
				names = arguments[:1]
			}
			for i, name := range names {
				src, err := p.findSource(name, nil)
				if err != nil {
					return err
				}
				if err := p.printf("%s%s", strings.Repeat("\n", min(i, 1)), queriesText(src)); err != nil {
					return err
				}
			}
			return nil
		},
	}
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
