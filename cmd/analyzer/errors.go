package main

import (
	"cmp"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"analyzer/cmd/analyzer/internal/exit"
	"analyzer/cmd/analyzer/internal/settings"
)

const flagErrors = "errors"

// addErrorsFlag adds the flag about errors to commands and their subcommands.
func (p *program) addErrorsFlag(commands []*cli.Command) {
	styles := slices.Sorted(maps.Keys(exit.Styles()))
	for _, c := range commands {
		if c.Hidden {
			continue
		}
		p.addErrorsFlag(c.Subcommands)
		c.Flags = append(c.Flags, settings.OneOf(&p.errors, "style of errors", styles, flagErrors,
			"write errors as `STYLE`: text, or json, an object on the last line of the standard error", "text"))
	}
}

// errorStyle returns how errors are written. What is wrong may be the command line, so the
// flag is looked up in it as it was typed.
func (p *program) errorStyle(line []string) exit.Style {
	chosen := cmp.Or(p.errors, os.Getenv(settings.Variable(flagErrors)))
	for i, arg := range line {
		name, value, joined := strings.Cut(strings.TrimLeft(arg, "-"), "=")
		if name != flagErrors || !strings.HasPrefix(arg, "-") {
			continue
		}
		if !joined && i+1 < len(line) {
			value = line[i+1]
		}
		chosen = value
	}
	if style, known := exit.Styles()[chosen]; known {
		return style
	}
	return exit.Text
}
