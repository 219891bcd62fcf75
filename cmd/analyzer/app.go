package main

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"analyzer/cmd/analyzer/internal/settings"
	"analyzer/compose/session/fault"
)

const (
	name        = "analyzer"
	description = "answers analytical questions over large, messy CSV data sets"
)

// app builds the command line interface. Its commands return errors of package exit, which
// main reports.
func (p *program) app() *cli.App {
	cli.HelpPrinter = printHelp
	p.choices = usualChoices()
	app := &cli.App{
		Name: name, Usage: description, Version: version(),
		UsageText: "analyzer sql \"SELECT … FROM 'file.csv'\" [flags]\nanalyzer run movies|steam|books [DIR] [flags]\nanalyzer COMMAND [flags] …",
		Commands: []*cli.Command{
			sqlCommand(p), sniffCommand(p), initCommand(p), runCommand(p), explainCommand(p), queriesCommand(p), generateCommand(p), verifyCommand(p), benchCommand(p),
			submitCommand(p), appendCommand(p), closeCommand(p), jobsCommand(p), clusterCommand(p), workerCommand(p), gatewayCommand(p), supervisorCommand(p), chaosCommand(p),
			composeCommand(p), healthCommand(p),
			versionCommand(p), completionCommand(p), manCommand(p), helpCommand(), completeCommand(p), benchProcessCommand(p), brokerCommand(p),
		},
		Flags:  []cli.Flag{cli.HelpFlag}, // not added automatically where there is a help command
		Writer: p.stdout, ErrWriter: p.stderr,
		HideHelpCommand: true,
		ExitErrHandler:  func(*cli.Context, error) {},
		Action: func(c *cli.Context) error {
			if c.Args().Present() {
				return unknownCommand(c.App, c.Args().First())
			}
			return cli.ShowAppHelp(c)
		},
	}
	app.OnUsageError = usageError(func() []cli.Flag { return append(app.Flags, flagsOf(app.Commands)...) }, "analyzer help")
	p.addErrorsFlag(app.Commands)
	explainUsage(app.Commands, "analyzer")
	return app
}

// flagsOf returns the flags of commands and their subcommands.
func flagsOf(commands []*cli.Command) (flags []cli.Flag) {
	for _, c := range commands {
		flags = append(append(flags, c.Flags...), flagsOf(c.Subcommands)...)
	}
	return flags
}

// explainUsage makes commands and their subcommands explain usage errors.
func explainUsage(commands []*cli.Command, above string) {
	for _, command := range commands {
		typed := above + " " + command.Name
		command.HideHelpCommand = true
		command.OnUsageError = usageError(func() []cli.Flag { return command.Flags }, typed+" --help")
		explainUsage(command.Subcommands, typed)
	}
}

func helpCommand() *cli.Command {
	return &cli.Command{
		Name: "help", Usage: "show the commands, how to use one, the functions of SQL, or the metrics", ArgsUsage: "[COMMAND|functions [NAME]|metrics]",
		Action: func(c *cli.Context) error {
			if !c.Args().Present() {
				return cli.ShowAppHelp(c)
			}
			if c.Args().First() == "functions" {
				if name := c.Args().Get(1); name != "" {
					return showFunction(c.App.Writer, name)
				}
				return showFunctions(c.App.Writer)
			}
			if c.Args().First() == "metrics" {
				return showMetrics(c.App.Writer)
			}
			if c.App.Command(c.Args().First()) == nil {
				return unknownCommand(c.App, c.Args().First())
			}
			return cli.ShowCommandHelp(c, c.Args().First())
		},
	}
}

func unknownCommand(app *cli.App, given string) error {
	known := commandNames(app)
	hint := fault.Hint(given, known, "Did you mean: analyzer %s", "Try: analyzer help")
	if strings.Contains(given, " ") {
		hint = "Did you mean: analyzer sql \"…\""
	}
	return fault.WrongUsage(hint, "there is no command %q; there are %s", given, strings.Join(known, ", "))
}

// usageError turns an error of package flag into one that names the flag as it is typed, with
// a guess at what was meant.
func usageError(flags func() []cli.Flag, help string) cli.OnUsageErrorFunc {
	return func(_ *cli.Context, err error, _ bool) error {
		text := err.Error()
		if given, ok := strings.CutPrefix(text, "flag provided but not defined: -"); ok {
			given = strings.TrimLeft(given, "-")
			if slices.Contains(settings.Names(flags()), given) {
				return fault.WrongUsage(fmt.Sprintf("Next: write --%s behind the command.", given), "--%s stands before the command", given)
			}
			return fault.WrongUsage(fault.Hint(given, settings.Names(flags()), "Did you mean --%s?", "Try: "+help), "there is no flag --%s", given)
		}
		if given, ok := strings.CutPrefix(text, "flag needs an argument: -"); ok {
			return fault.WrongUsage("Try: "+help, "flag --%s needs a value", strings.TrimLeft(given, "-"))
		}
		return fault.WrongUsage("Try: "+help, "%w", err)
	}
}

// action returns the action of a command: it reads flags and arguments and then calls do.
// names are the names of the arguments, of which at least least must be given. The last name
// stands for several arguments if it ends with an ellipsis.
func (p *program) action(do func(c *cli.Context, arguments []string) error, least int, names ...string) cli.ActionFunc {
	return func(c *cli.Context) (err error) {
		arguments, err := positional(c, least, names...)
		if err != nil {
			return err
		}
		if p.settings, err = settings.Load(c, c.App.Commands); err != nil {
			return err
		}
		if p.quiet {
			p.progress = nil
		}
		p.format = cmp.Or(p.format, p.usualFormat())
		return do(c, arguments)
	}
}

// positional returns the arguments that are not flags.
func positional(c *cli.Context, least int, names ...string) ([]string, error) {
	got, help := c.Args().Slice(), fmt.Sprintf("Try: %s --help", c.Command.HelpName)
	if len(got) < least {
		return nil, fault.WrongUsage(help, "%s is missing: %s %s", strings.TrimSuffix(names[len(got)], "…"), c.Command.HelpName, c.Command.ArgsUsage)
	}
	if len(names) > 0 && strings.HasSuffix(names[len(names)-1], "…") {
		return got, nil
	}
	if len(got) > len(names) {
		return nil, fault.WrongUsage(help, "there is an argument too many, %q: %s %s", got[len(names)], c.Command.HelpName, c.Command.ArgsUsage)
	}
	return append(got, make([]string, len(names)-len(got))...), nil
}

// discarding joins the error of discarding an unfinished output to *err.
func discarding(err *error, output interface{ Discard() error }) {
	*err = errors.Join(*err, output.Discard())
}
