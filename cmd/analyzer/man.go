package main

import (
	"strings"

	"github.com/urfave/cli/v2"

	"analyzer/cmd/analyzer/internal/manpage"
	"analyzer/datasets/catalog"
)

func (p *program) manCommand() *cli.Command {
	return &cli.Command{
		Name: "man", Usage: "print the manual page",
		Description: "analyzer man | man -l -",
		Action: func(c *cli.Context) error {
			if _, err := positional(c, 0); err != nil {
				return err
			}
			return manpage.Write(p.stdout, c.App,
				parametersSection(), settingsSection(), formatsSection(), statusSection(), examplesSection())
		},
	}
}

func parametersSection() manpage.Section {
	s := manpage.Section{Title: "QUERIES AND PARAMETERS"}
	for _, d := range catalog.All() {
		s.Items = append(s.Items, manpage.Item{Text: d.Name + ": " + d.Title})
		for _, q := range d.Queries {
			text := q.Title + "."
			for _, param := range q.Params {
				text += "\n" + param.Name + "=" + param.Default
			}
			s.Items = append(s.Items, manpage.Item{Tag: d.Name + " " + q.Name, Text: text, Literal: true})
		}
	}
	return s
}

func settingsSection() manpage.Section {
	return manpage.Section{Title: "ENVIRONMENT AND CONFIGURATION", Items: []manpage.Item{
		{Text: "A flag that is not on the command line is taken from the environment, and then from the file that --config names. " +
			"--max-rejects is ANALYZER_MAX_REJECTS there, several values with semicolons between them, and max-rejects in the file, which is YAML:"},
		{Literal: true, Text: "memory: 256MiB\nquery: [q1, q3]\nparam: {q4.top: 20}\ntable: {ratings: ratings_small.csv}"},
	}}
}

func formatsSection() manpage.Section {
	return manpage.Section{Title: "FORMATS", Items: []manpage.Item{
		{Tag: "table", Text: "Aligned text for people. On a terminal, wide cells are cut."},
		{Tag: "csv", Text: "RFC 4180 with line feeds. Lists are JSON arrays; a null is an empty field, empty text is \"\". " +
			"Several answers on one stream stand below lines “# q1”."},
		{Tag: "json", Text: "One object, from query to columns and rows."},
		{Tag: "arrow", Text: "Arrow IPC: the stream format on the standard output, for one query; the file format with --output."},
		{Tag: "parquet", Text: "Parquet, for one query on the standard output."},
	}}
}

func statusSection() manpage.Section {
	return manpage.Section{Title: "EXIT STATUS", Items: []manpage.Item{
		{Tag: "0", Text: "Everything was done."},
		{Tag: "1", Text: "It failed, or verify found a difference."},
		{Tag: "2", Text: "The command line is wrong."},
		{Tag: "3", Text: "The input is bad: a file is missing or cannot be read, a column is missing, or more rows were rejected than --max-rejects allows."},
		{Tag: "130", Text: "Interrupted. Another signal n gives 128 + n."},
	}}
}

func examplesSection() manpage.Section {
	return manpage.Section{Title: "EXAMPLES", Items: []manpage.Item{{Literal: true, Text: strings.Join([]string{
		"analyzer run movies",
		"analyzer run movies ~/kaggle/movies --query q1,q3 --param q3.country=Spain",
		"zstdcat ratings.csv.zst | analyzer run movies DIR --table ratings=- --format json",
		"analyzer run books DIR --memory 256MiB --format parquet --output answers",
		"analyzer explain movies q3 --analyze DIR",
	}, "\n")}}}
}
