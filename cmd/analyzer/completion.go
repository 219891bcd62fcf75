package main

import (
	"embed"
	"strings"

	"github.com/urfave/cli/v2"

	"analyzer/compose/session/fault"
)

//go:embed completion
var completions embed.FS

func shells() []string { return []string{"bash", "zsh", "fish"} }

func completionCommand(p *program) *cli.Command {
	return &cli.Command{
		Name: "completion", Usage: "print a shell's completion script", ArgsUsage: "bash|zsh|fish",
		Description: "bash: source <(analyzer completion bash)\n\n" +
			"zsh: analyzer completion zsh > \"${fpath[1]}/_analyzer\"\n\n" +
			"fish: analyzer completion fish > ~/.config/fish/completions/analyzer.fish",
		Action: p.action(func(_ *cli.Context, arguments []string) error {
			script, err := completions.ReadFile("completion/" + arguments[0])
			if err != nil {
				hint := fault.Hint(arguments[0], shells(), "Did you mean %s?", "Next: use one of these.")
				return fault.WrongUsage(hint, "there is no completion for %q; there are %s", arguments[0], strings.Join(shells(), ", "))
			}
			return p.printf("%s", script)
		}, 1, "SHELL"),
	}
}
