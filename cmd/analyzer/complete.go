package main

import (
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"analyzer/cmd/analyzer/internal/args"
	"analyzer/cmd/analyzer/internal/settings"
	"analyzer/columnar"
	"analyzer/datasets"
	"analyzer/datasets/catalog"
)

// completeCommand is called by the completion scripts. After "--" come the words of the
// command line; the last one is to be completed. It prints the candidates, or nothing where a
// file is expected.
func completeCommand(p *program) *cli.Command {
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
			for _, candidate := range (proposer{p}).candidates(c.App, words) {
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

// proposer proposes how a command line may go on.
type proposer struct{ *program }

// candidates returns the possible last words, whatever the word begins with.
func (p proposer) candidates(app *cli.App, words []string) []string {
	word, before := words[len(words)-1], words[:len(words)-1]
	if len(before) == 0 {
		if strings.HasPrefix(word, "-") {
			return prefixed("--", settings.Names(app.Flags))
		}
		return commandNames(app)
	}
	command := app.Command(before[0])
	if command == nil {
		return nil
	}
	line := typed{command: command, values: make(map[string]string)}
	flag := ""
	for _, w := range before[1:] {
		switch {
		case flag != "":
			line.values[flag], flag = w, ""
		case len(w) > 1 && strings.HasPrefix(w, "-"):
			name, value, ok := strings.Cut(strings.TrimLeft(w, "-"), "=")
			if line.values[name] = value; !ok && args.TakesValue(command.Flags, name) {
				flag = name
			}
		default:
			line.arguments = append(line.arguments, w)
		}
	}
	name, _, ok := strings.Cut(word, "=")
	switch {
	case flag != "":
		return several(word, p.flagValues(line, flag))
	case ok && strings.HasPrefix(word, "--"):
		return prefixed(name+"=", several(word[len(name)+1:], p.flagValues(line, name[2:])))
	case strings.HasPrefix(word, "-"):
		return prefixed("--", settings.Names(command.Flags))
	}
	return several(word, p.argumentValues(app, line))
}

// typed is what comes before the word to complete.
type typed struct {
	command   *cli.Command
	arguments []string
	values    map[string]string // of flags
}

// source returns the source that the first argument names, or nil.
func (t typed) source() *datasets.Source {
	if len(t.arguments) == 0 {
		return nil
	}
	d, err := catalog.Find(t.arguments[0], nil)
	if err != nil {
		return nil
	}
	return &d.Source
}

// several prepends what the word already holds, up to its last comma, to the candidates.
func several(word string, next []string) []string {
	return prefixed(word[:strings.LastIndexByte(word, ',')+1], next)
}

func prefixed(prefix string, texts []string) []string {
	return columnar.Each(texts, func(text string) string { return prefix + text })
}

func commandNames(app *cli.App) []string {
	return columnar.Each(app.VisibleCommands(), func(c *cli.Command) string { return c.Name })
}

// flagValues returns the candidates for a flag's value; none if it is a file or a number.
func (p proposer) flagValues(line typed, flag string) []string {
	if flag == flagResume {
		return knownJobs(p.fs)
	}
	for _, f := range line.command.Flags {
		if f, ok := f.(*settings.Flag); ok && f.Words != nil && slices.Contains(f.Names(), flag) {
			return f.Words
		}
	}
	src := line.source()
	if src == nil {
		return nil
	}
	switch flag {
	case flagQuery:
		return src.QueryNames()
	case flagTable:
		return columnar.Each(src.TableNames(), func(name string) string { return name + "=" })
	case flagParam:
		return paramNames(src, line.values[flagQuery])
	}
	return nil
}

// paramNames returns the parameters of the chosen queries, both plain and prefixed with the
// query's name.
func paramNames(src *datasets.Source, chosen string) (out []string) {
	for _, q := range src.Queries {
		if chosen != "" && !slices.Contains(strings.Split(chosen, ","), q.Name) {
			continue
		}
		for _, param := range q.Params {
			out = append(out, q.Name+"."+param.Name+"=")
			if !slices.Contains(out, param.Name+"=") {
				out = append(out, param.Name+"=")
			}
		}
	}
	return out
}

// argumentValues returns the candidates for the next positional argument.
func (p proposer) argumentValues(app *cli.App, line typed) []string {
	switch name, n := line.command.Name, len(line.arguments); {
	case name == "help" && n == 0:
		return commandNames(app)
	case name == "completion" && n == 0:
		return shells()
	case name == "jobs" && n == 0:
		return jobsActions()
	case name == "jobs" && n == 1 && line.arguments[0] != "list":
		return knownJobs(p.fs)
	case (name == "append" || name == "close") && n == 0:
		return knownJobs(p.fs)
	case name == "cluster" && n == 0:
		return []string{"up"}
	case strings.Contains(line.command.ArgsUsage, "DATASET") && n == 0:
		return catalog.Names()
	case name == "explain" && n == 1:
		if src := line.source(); src != nil {
			return src.QueryNames()
		}
	}
	return nil
}
