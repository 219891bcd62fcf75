package main

import (
	"strings"

	"github.com/urfave/cli/v2"

	"analyzer/cmd/analyzer/internal/settings"
	"analyzer/compose/engine"
	"analyzer/compose/session/plantext"
	"analyzer/datasets/directory"
	"analyzer/operators/query/physical"
)

func explainCommand(p *program) *cli.Command {
	format, dir := "text", ""
	return &cli.Command{
		Name: "explain", Usage: "show how queries are answered", ArgsUsage: "DATASET [QUERIES]",
		Description: "Prints the queries, such as q3 or q1,q3, and their plans as trees: an operator stands\n" +
			"above its inputs. With --analyze the plan is run over the files in a directory, and each line says how\n" +
			"many rows the operator produced and how long it took, summed over its tasks.",
		Flags: append([]cli.Flag{
			p.paramFlag(),
			settings.Text(&dir, "analyze", "run the plan over the files in `DIR`, or “samples” for those inside the program", ""),
			p.uniqueFlag(),
			settings.OneOf(&format, "format", []string{"text", "json", "dot", "mermaid"}, flagFormat, "write the plan as `FORMAT`: text, json, dot or mermaid", format),
		}, p.resourceFlags()...),
		Action: p.action(func(c *cli.Context, arguments []string) error {
			return runner{p}.explain(c, arguments[0], arguments[1], dir, format)
		}, 1, "DATASET", "QUERIES"),
	}
}

// samples is the directory name with which explain --analyze reads the samples inside the
// program.
const samples = "samples"

// explain shows the plans of queries. If a directory is named, it runs them over the files
// there and shows the statistics.
func (p runner) explain(c *cli.Context, dataset, queries, dir, format string) error {
	if queries != "" {
		p.queries = strings.Split(queries, ",")
	}
	sel, err := p.selectionOf(c.Context, dataset)
	if err != nil {
		return err
	}
	var physical *physical.Plan
	var report *engine.Report
	switch dir {
	case "":
		physical, err = p.session().Plan(c.Context, sel)
	case samples:
		physical, report, err = p.executeOver(c.Context, sel, "", engine.RowsTo(nil))
	default:
		physical, report, err = p.executeOver(c.Context, sel, dir, engine.RowsTo(nil))
	}
	if err != nil {
		return err
	}
	if report != nil {
		p.summarise(report, "")
	}
	about := titles(sel)
	if format == "text" {
		for _, q := range sel.Queries {
			about[q.Name] += sqlOf(sel.Source.Texts[directory.File(q.Name)])
		}
	}
	return planWriter(format)(p.stdout, physical, about, report)
}

// sqlOf returns the SQL of a query as lines below its title, without leading comments.
func sqlOf(text string) string {
	var out strings.Builder
	for line := range strings.Lines(text) {
		if out.Len() > 0 || !strings.HasPrefix(line, "--") && strings.TrimSpace(line) != "" {
			out.WriteString("\n    " + strings.TrimRight(line, " \r\n"))
		}
	}
	return out.String()
}

func planWriter(format string) plantext.Writer {
	return map[string]plantext.Writer{"text": plantext.Tree, "json": plantext.JSON, "dot": plantext.DOT, "mermaid": plantext.Mermaid}[format]
}
