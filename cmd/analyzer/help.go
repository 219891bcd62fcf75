package main

import (
	_ "embed"
	"io"
	"strings"

	"github.com/urfave/cli/v2"
)

// helpWidth is the width of help: that of the narrowest usual terminal.
const helpWidth = 80

const appHelp = `{{.Name}} - {{.Usage}}

USAGE:
   {{wrap .UsageText 3}}

COMMANDS:{{template "visibleCommandTemplate" .}}

“analyzer help COMMAND” shows the flags of a command.
`

const commandHelp = `{{.HelpName}} - {{.Usage}}

USAGE:
   {{.HelpName}}{{if gt (len .VisibleFlags) 1}} [flags]{{end}}{{with .ArgsUsage}} {{.}}{{end}}
{{with .Description}}
   {{wrap (flow .) 3}}
{{end}}{{if .VisibleCommands}}
COMMANDS:{{template "visibleCommandTemplate" .}}
{{end}}
FLAGS:{{range .VisibleFlags}}
   {{flag .}}
       {{wrap (says .) 7}}{{end}}
`

// printHelp writes the help of the program or of a command in helpWidth columns.
func printHelp(w io.Writer, _ string, data any) {
	text := commandHelp
	if _, ok := data.(*cli.App); ok {
		text = appHelp
	}
	cli.HelpPrinterCustom(w, text, data, map[string]any{
		"wrapAt": func() int { return helpWidth },
		"flag": func(f cli.Flag) string {
			placeholder, _ := unquote(f.(cli.DocGenerationFlag).GetUsage())
			name := "--" + f.Names()[0]
			for _, other := range f.Names()[1:] {
				if len(other) == 1 { // longer ones are names of the past
					name += ", -" + other
				}
			}
			return strings.TrimRight(name+" "+placeholder, " ")
		},
		"says": flagText, "flow": flow,
	})
}

// flow takes the line breaks out of paragraphs.
func flow(text string) string {
	const paragraph = "\n\n"
	parts := strings.Split(text, paragraph)
	for i := range parts {
		parts[i] = strings.ReplaceAll(parts[i], "\n", " ")
	}
	return strings.Join(parts, paragraph)
}

// flagText says what a flag is for, and what counts without it.
func flagText(f cli.Flag) string {
	d := f.(cli.DocGenerationFlag)
	_, text := unquote(d.GetUsage())
	if usual := d.GetDefaultText(); d.TakesValue() && usual != "" && usual != `""` {
		text += " (default: " + usual + ")"
	}
	return text
}

// unquote takes the quotes off the placeholder in a flag's usage.
func unquote(usage string) (placeholder, rest string) {
	parts := strings.Split(usage, "`")
	if len(parts) != 3 {
		return "", usage
	}
	return parts[1], strings.Join(parts, "")
}

//go:embed analyzer.1
var manualPage string

func manCommand(p *program) *cli.Command {
	return &cli.Command{
		Name: "man", Usage: "print the manual page",
		Description: "analyzer man | man -l -",
		Action:      p.action(func(*cli.Context, []string) error { return p.printf("%s", manualPage) }, 0),
	}
}
