package settings

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"
)

// Flag is a flag of a command, together with the variable for its value. Without a value the
// variable keeps its own; the usual text in help describes it.
type Flag struct {
	declared
	// Words are proposed as completions; they need not be all valid values.
	Words []string
	pairs bool // its values are name=value pairs
	take  func([]Value) error
}

// declared is what urfave/cli has to know about a flag.
type declared interface {
	cli.DocGenerationFlag
	cli.VisibleFlag
}

// Into is a flag whose value is parsed into a variable. It can have aliases.
func Into[T any](to *T, parse func(string) (T, error), name, usage, usual string, also ...string) *Flag {
	return &Flag{declared: &cli.StringFlag{Name: name, Aliases: also, Usage: usage, DefaultText: usual}, take: into(to, parse)}
}

// into returns a function that parses the last of some values.
func into[T any](to *T, parse func(string) (T, error)) func([]Value) error {
	return func(values []Value) error {
		if len(values) == 0 {
			return nil
		}
		last := values[len(values)-1]
		out, err := parse(last.Text)
		if err != nil {
			return last.Wrong("%w", err)
		}
		*to = out
		return nil
	}
}

// Text is a flag whose value is taken literally.
func Text(to *string, name, usage, usual string, also ...string) *Flag {
	return Into(to, func(text string) (string, error) { return text, nil }, name, usage, usual, also...)
}

// Plain is a flag whose value is read with Settings.One, for messages that name the source of
// the value.
func Plain(name, usage, usual string) *Flag { return Text(new(string), name, usage, usual) }

// OneOf is a flag whose value is one of a few words; kind says what they are, for messages.
func OneOf[T ~string](to *T, kind string, words []T, name, usage, usual string) *Flag {
	var all []string
	for _, w := range words {
		all = append(all, string(w))
	}
	return Into(to, Among[T](kind, all...), name, usage, usual).Proposing(all...)
}

// Proposing returns the flag with its Words.
func (f *Flag) Proposing(words ...string) *Flag {
	f.Words = words
	return f
}

// Switch is a boolean flag.
func Switch(to *bool, name, usage string) *Flag {
	return &Flag{declared: &cli.BoolFlag{Name: name, Usage: usage}, take: into(to, truth)}
}

func truth(text string) (bool, error) {
	on, err := strconv.ParseBool(text)
	if err != nil {
		err = fmt.Errorf("%q is neither true nor false", text)
	}
	return on, err
}

// List is a flag with several values, which may be repeated or separated by commas.
func List(to *[]string, name, usage, usual string) *Flag {
	return &Flag{declared: many(name, usage, usual), take: func(values []Value) error {
		for _, v := range values {
			for part := range strings.SplitSeq(v.Text, ",") {
				if part = strings.TrimSpace(part); part != "" {
					*to = append(*to, part)
				}
			}
		}
		return nil
	}}
}

// Pairs is a repeatable flag of name=value pairs; the last value of a name counts.
func Pairs(to *map[string]string, name, usage string) *Flag {
	return &Flag{pairs: true, declared: many(name, usage, ""), take: func(values []Value) error {
		*to = make(map[string]string)
		for _, v := range values {
			name, value, ok := strings.Cut(v.Text, "=")
			name = strings.TrimSpace(name)
			if !ok || name == "" {
				return v.Wrong("%q is not name=value", v.Text)
			}
			(*to)[name] = value
		}
		return nil
	}}
}

// Names returns the main names of flags.
func Names(flags []cli.Flag) (names []string) {
	for _, f := range flags {
		names = append(names, f.Names()[0])
	}
	return names
}

// texts collects the values of a repeated flag.
type texts []string

func many(name, usage, usual string) *cli.GenericFlag {
	return &cli.GenericFlag{Name: name, Usage: usage, DefaultText: usual, Value: new(texts)}
}

// Set adds a value.
func (t *texts) Set(text string) error {
	*t = append(*t, text)
	return nil
}

// String returns the default value: none.
func (*texts) String() string { return "" }

// ConfigFlag is the flag that names the configuration file.
func ConfigFlag() *Flag {
	return Plain(Config, "read flags from a YAML `FILE`", "")
}
