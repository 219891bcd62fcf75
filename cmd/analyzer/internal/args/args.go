// Package args reorders command lines for urfave/cli, which stops looking for flags at the
// first argument that is not a flag.
package args

import (
	"slices"
	"strings"

	"github.com/urfave/cli/v2"
)

// Reorder returns args, which begin with the program's name, with the flags of the command
// moved before its other arguments. What follows "--" stays in place. A flag at the end that
// lacks its value stays at the end, and the other arguments are left out, since one would be
// taken for the value. If help is asked for, the other arguments are left out too, since they
// would be taken for its topic. Other arguments that begin with a dash are preceded by "--".
func Reorder(app *cli.App, args []string) []string {
	if len(args) < 2 {
		return args
	}
	for i := 1; i < len(args); i++ {
		if strings.HasPrefix(args[i], "-") {
			continue
		}
		command := app.Command(args[i])
		if command == nil {
			return args
		}
		for ; i+1 < len(args); i++ { // a subcommand comes right after its command
			below := subcommand(command, args[i+1])
			if below == nil {
				break
			}
			command = below
		}
		out := append([]string(nil), args[:i+1]...)
		return append(out, flagsFirst(args[i+1:], command.Flags)...)
	}
	return args
}

func subcommand(of *cli.Command, name string) *cli.Command {
	for _, c := range of.Subcommands {
		if c.HasName(name) {
			return c
		}
	}
	return nil
}

// TakesValue reports whether the flag of that name takes a value.
func TakesValue(flags []cli.Flag, name string) bool {
	return slices.ContainsFunc(flags, func(f cli.Flag) bool {
		d, ok := f.(cli.DocGenerationFlag)
		return ok && d.TakesValue() && slices.Contains(f.Names(), name)
	})
}

func flagsFirst(args []string, known []cli.Flag) []string {
	var flags, rest []string
	for i := 0; i < len(args); i++ {
		arg := args[i]
		if arg == "--" {
			rest = append(append([]string{"--"}, rest...), args[i+1:]...)
			break
		}
		if !isFlag(arg) {
			rest = append(rest, arg)
			continue
		}
		if name := strings.TrimLeft(arg, "-"); name == "help" || name == "h" {
			return []string{"--help"}
		}
		flags = append(flags, arg)
		if !TakesValue(known, strings.TrimLeft(arg, "-")) {
			continue
		}
		if i++; i == len(args) {
			return flags
		}
		flags = append(flags, args[i])
	}
	if dashed := slices.ContainsFunc(rest, hasDash); dashed && rest[0] != "--" {
		flags = append(flags, "--")
	}
	return append(flags, rest...)
}

func hasDash(arg string) bool { return len(arg) > 1 && arg[0] == '-' }

// isFlag reports whether an argument is a flag. A statement that begins with a comment is
// not: a space follows the dashes, or a line ends before any value.
func isFlag(arg string) bool {
	name, _, _ := strings.Cut(arg, "=")
	return hasDash(arg) && !strings.HasPrefix(arg, "-- ") && !strings.HasPrefix(arg, "--\t") && !strings.ContainsAny(name, "\r\n")
}
