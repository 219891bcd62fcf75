package main

import (
	"github.com/urfave/cli/v2"

	"analyzer/cmd/analyzer/internal/settings"
	"analyzer/compose/session/filetext"
)

func sniffCommand(p *program) *cli.Command {
	format := "table"
	return &cli.Command{
		Name: "sniff", Usage: "show the columns of CSV files and their types", ArgsUsage: "FILE…",
		Description: "The type of a column is the narrowest one that holds every cell of the whole file without loss: so 007\n" +
			"is a text, as is an integer of more than 64 bits. “analyzer sql” uses these types.",
		Flags: []cli.Flag{
			settings.OneOf(&format, "format", []string{"table", "json"}, flagFormat, "write it as `FORMAT`: table or json", format),
			p.quietFlag(), settings.ConfigFlag(),
		},
		Action: p.action(func(c *cli.Context, files []string) error { return p.sniff(c, files, format == "json") }, 1, "FILE…"),
	}
}

func (p *program) sniff(c *cli.Context, files []string, inJSON bool) error {
	var all []string
	for _, file := range files {
		found, err := p.session().Matching(c.Context, file)
		if err != nil {
			return err
		}
		all = append(all, found...)
	}
	for _, file := range all {
		f, err := p.session().Sniff(c.Context, file)
		if err != nil {
			return err
		}
		if inJSON {
			err = p.printJSON(filetext.Of(f))
		} else {
			err = p.printf("%s", filetext.Text(f))
		}
		if err != nil {
			return err
		}
	}
	return nil
}
