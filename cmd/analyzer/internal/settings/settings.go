// Package settings finds the values of flags: on the command line, in the environment, or in
// a configuration file, in this order.
//
// A flag --max-rejects is ANALYZER_MAX_REJECTS in the environment, and
// max-rejects in the file, which is YAML:
//
//	memory: 256MiB
//	query: [q1, q3]
//	param: {q4.top: 20}
//	table: {ratings: ratings_small.csv}
//
// In the environment, several values of a flag are separated by semicolons. Flags that
// collect name=value pairs are merged by name; for all other flags, only the first source
// with a value counts.
//
// A Flag is declared once, with its name, its help, its parser and the variable for its
// value.
package settings

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/urfave/cli/v2"

	"analyzer/compose/session/fault"
)

// Config is the name of the flag that names the configuration file.
const Config = "config"

// Value is one value of a flag and where it was written, for messages.
type Value struct {
	Text   string
	Origin string // "--memory", "ANALYZER_MEMORY" or "FILE:LINE: memory"
}

// Settings are the values of a command's flags. They are read only.
type Settings struct{ values map[string][]Value }

// Load reads the values of the command's flags and stores them in the flags' variables.
// commands are all commands of the program, since a configuration file may hold flags of any.
// Its errors are of exit's status Usage.
func Load(c *cli.Context, commands []*cli.Command) (*Settings, error) {
	s := &Settings{values: make(map[string][]Value)}
	fromFile, err := fileOf(c, commands)
	if err != nil {
		return nil, err
	}
	for _, f := range c.Command.Flags {
		f, ok := f.(*Flag)
		if !ok {
			continue
		}
		name := f.Names()[0]
		for _, layer := range [][]Value{fromFlag(c, name), fromEnvironment(name), fromFile[name]} {
			if f.pairs {
				s.values[name] = merge(s.values[name], layer)
			} else if len(s.values[name]) == 0 {
				s.values[name] = layer
			}
		}
		for _, v := range s.values[name] {
			if strings.Trim(v.Text, ", ") == "" {
				return nil, v.Wrong("there is no value; leave it out, or give one")
			}
		}
		if err := f.take(s.values[name]); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// fileOf reads the configuration file, if the command takes one.
func fileOf(c *cli.Context, commands []*cli.Command) (map[string][]Value, error) {
	if !hasFlag(c.Command, Config) {
		return nil, nil
	}
	file := cmp.Or(c.String(Config), os.Getenv(Variable(Config)))
	if file == "" {
		return nil, nil
	}
	return readFile(file, commands)
}

func fromFlag(c *cli.Context, name string) []Value {
	if !c.IsSet(name) {
		return nil
	}
	typed := texts{c.String(name)}
	if many, ok := c.Generic(name).(*texts); ok {
		typed = *many
	}
	var values []Value
	for _, text := range typed {
		values = append(values, Value{Text: text, Origin: "--" + name})
	}
	return values
}

// Variable is the environment variable of a flag.
func Variable(flag string) string {
	return "ANALYZER_" + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}

func fromEnvironment(flag string) []Value {
	text := os.Getenv(Variable(flag))
	if text == "" {
		return nil
	}
	var values []Value
	for _, part := range strings.Split(text, ";") {
		values = append(values, Value{Text: strings.TrimSpace(part), Origin: Variable(flag)})
	}
	return values
}

// merge adds the pairs of a lower layer whose names the higher layer does not set. A higher
// pair for all queries also overrides a lower one for a single query.
func merge(high, low []Value) []Value {
	set := make(map[string]bool)
	for _, v := range high {
		name, _, _ := strings.Cut(v.Text, "=")
		set[name] = true
	}
	out := high
	for _, v := range low {
		name, _, _ := strings.Cut(v.Text, "=")
		plain := name[strings.Index(name, ".")+1:]
		if !set[name] && !set[plain] {
			out = append(out, v)
		}
	}
	return out
}

// Has reports whether a flag has a value.
func (s *Settings) Has(flag string) bool { return len(s.values[flag]) > 0 }

// One returns the value of a flag; ok is false if it has none.
func (s *Settings) One(flag string) (v Value, ok bool) {
	values := s.values[flag]
	if len(values) == 0 {
		return Value{}, false
	}
	return values[len(values)-1], true
}

// Parse parses the value of a flag whose meaning differs between commands. Without a value it
// returns otherwise.
func Parse[T any](s *Settings, flag string, otherwise T, parse func(string) (T, error)) (T, error) {
	out := otherwise
	err := into(&out, parse)(s.values[flag])
	return out, err
}

// Need returns an error for the first of some flags without a value; next says what to do.
func (s *Settings) Need(next string, flags ...string) error {
	for _, flag := range flags {
		if !s.Has(flag) {
			return fault.WrongUsage(next, "--%s is missing", flag)
		}
	}
	return nil
}

// Wrong is the error of an invalid value. What to do next is what an error within it says.
func (v Value) Wrong(format string, a ...any) error {
	err, hint := fmt.Errorf(format, a...), "Next: correct "+v.Origin+"."
	if own, ok := errors.AsType[*fault.Error](err); ok {
		hint = own.Hint
	}
	return fault.WrongUsage(hint, "%s: %w", v.Origin, err)
}

// Wrong is the error of the value of a flag that does not go with something else.
func (s *Settings) Wrong(flag, format string, a ...any) error {
	v, _ := s.One(flag)
	return v.Wrong(format, a...)
}

// Blame adds to an error the flag, or the setting, that caused it.
func (s *Settings) Blame(flag string, err error) error {
	if v, ok := s.One(flag); ok && err != nil {
		return fmt.Errorf("%s: %w", v.Origin, err)
	}
	return err
}

// unknown is the error of a name in the file that is not a flag.
func unknown(origin, name string, commands []*cli.Command) error {
	var known []string
	for _, c := range commands {
		known = append(known, Names(c.Flags)...)
	}
	hint := fault.Hint(name, known, "Did you mean \"%s\"?", "Next: remove it; analyzer help COMMAND lists the flags there are.")
	return fault.WrongUsage(hint, "%s: there is no flag of this name", origin)
}
