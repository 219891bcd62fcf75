package main

import (
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"analyzer/cmd/analyzer/internal/settings"
	"analyzer/compose/answers"
	"analyzer/datasets/catalog"
)

// completeCommand is what the completion scripts ask: after "--" come the words
// on the command line, the last of them the one to be completed. It prints what
// the word may become, and nothing where that is a file.
func (p *program) completeCommand() *cli.Command {
	return &cli.Command{
		Name: "__complete", Hidden: true, SkipFlagParsing: true,
		Action: func(c *cli.Context) error {
			words := c.Args().Slice()
			if len(words) > 0 && words[0] == "--" {
				words = words[1:]
			}
			if len(words) == 0 {
				words = []string{""}
			}
			for _, candidate := range candidates(c.App, words) {
				if strings.HasPrefix(candidate, words[len(words)-1]) {
					if err := p.printf("%s\n", candidate); err != nil {
						return err
					}
				}
			}
			return nil
		},
	}
}

// candidates are what the last word may become, whatever it begins with.
func candidates(app *cli.App, words []string) []string {
	word, before := words[len(words)-1], words[:len(words)-1]
	if len(before) == 0 {
		if strings.HasPrefix(word, "-") {
			return flagNames(app.Flags)
		}
		return commandNames(app)
	}
	command := app.Command(before[0])
	if command == nil {
		return nil
	}
	var positionals []string
	flag := ""
	for _, w := range before[1:] {
		switch {
		case flag != "":
			flag = ""
		case len(w) > 1 && strings.HasPrefix(w, "-"):
			if name := strings.TrimLeft(w, "-"); takesValue(command.Flags, name) {
				flag = name
			}
		default:
			positionals = append(positionals, w)
		}
	}
	switch {
	case flag != "":
		return flagValues(command.Name, flag, positionals)
	case strings.HasPrefix(word, "-"):
		return flagNames(command.Flags)
	}
	return positionalValues(app, command, positionals)
}

func commandNames(app *cli.App) []string {
	var names []string
	for _, c := range app.VisibleCommands() {
		names = append(names, c.Name)
	}
	return names
}

func flagNames(flags []cli.Flag) []string {
	var names []string
	for _, f := range flags {
		names = append(names, "--"+f.Names()[0])
	}
	return names
}

func takesValue(flags []cli.Flag, name string) bool {
	return slices.ContainsFunc(flags, func(f cli.Flag) bool {
		d, ok := f.(cli.DocGenerationFlag)
		return ok && d.TakesValue() && slices.Contains(f.Names(), name)
	})
}

// flagValues are what may stand behind a flag.
func flagValues(command, flag string, positionals []string) []string {
	switch flag {
	case flagFormat:
		if command == "explain" {
			return []string{"text", "json"}
		}
		return answers.Formats()
	case settings.Config, flagOutput, flagOut, flagRejects, flagSpillDir, flagAnalyze:
		return nil
	}
	if len(positionals) == 0 {
		return nil
	}
	d, err := catalog.Find(positionals[0])
	if err != nil {
		return nil
	}
	var out []string
	switch flag {
	case flagQuery:
		return queryNames(positionals[0])
	case flagTable:
		for _, t := range d.Tables {
			out = append(out, t.Name+"=")
		}
	case flagParam:
		for _, q := range d.Queries {
			for _, p := range q.Params {
				out = append(out, q.Name+"."+p.Name+"=")
				if !slices.Contains(out, p.Name+"=") {
					out = append(out, p.Name+"=")
				}
			}
		}
	}
	return out
}

func queryNames(dataset string) []string {
	d, err := catalog.Find(dataset)
	if err != nil {
		return nil
	}
	var out []string
	for _, q := range d.Queries {
		out = append(out, q.Name)
	}
	return out
}

// positionalValues are what the next argument that is no flag may be.
func positionalValues(app *cli.App, command *cli.Command, positionals []string) []string {
	switch {
	case command.Name == "help" && len(positionals) == 0:
		return commandNames(app)
	case command.Name == "completion" && len(positionals) == 0:
		return shells()
	case strings.HasPrefix(command.ArgsUsage, "DATASET") && len(positionals) == 0:
		return catalog.Names()
	case command.Name == "explain" && len(positionals) == 1:
		return queryNames(positionals[0])
	}
	return nil
}
