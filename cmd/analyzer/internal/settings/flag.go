package settings

import (
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"
)

// Flag is a flag of a command, and where its values go. Without a value the variable
// stays as it is; usual says in help what then counts.
type Flag struct {
	declared
	// Words are proposed where somebody types a value; they need not be all there are.
	Words []string
	pairs bool // its values are name=value pairs
	take  func([]Value) error
}

// declared is what urfave/cli has to know of a flag.
type declared interface {
	cli.DocGenerationFlag
	cli.VisibleFlag
}

// Into is a flag whose value is read by a parser. It can have other names.
func Into[T any](to *T, parse func(string) (T, error), name, usage, usual string, also ...string) *Flag {
	return &Flag{declared: &cli.StringFlag{Name: name, Aliases: also, Usage: usage, DefaultText: usual}, take: into(to, parse)}
}

// into returns what reads the last of some values.
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

// Text is a flag whose value is taken as it is.
func Text(to *string, name, usage, usual string, also ...string) *Flag {
	return Into(to, func(text string) (string, error) { return text, nil }, name, usage, usual, also...)
}

// Plain is a flag that is read by Settings.One, where messages say which flag is wrong.
func Plain(name, usage, usual string) *Flag { return Text(new(string), name, usage, usual) }

// OneOf is a flag whose value is one of a few words for things of some kind.
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

// Switch is a flag that is there or not.
func Switch(to *bool, name, usage string) *Flag {
	return &Flag{declared: &cli.BoolFlag{Name: name, Usage: usage}, take: into(to, strconv.ParseBool)}
}

// List is a flag of several values, which may stand behind one another with commas between
// them.
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

// Pairs is a repeatable flag of name=value pairs; of equal names the last one counts.
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

// Names returns the names of flags, of each that by which it is known.
func Names(flags []cli.Flag) (names []string) {
	for _, f := range flags {
		names = append(names, f.Names()[0])
	}
	return names
}

// texts are the values of a flag that is repeated.
type texts []string

func many(name, usage, usual string) *cli.GenericFlag {
	return &cli.GenericFlag{Name: name, Usage: usage, DefaultText: usual, Value: new(texts)}
}

// Set adds what was typed.
func (t *texts) Set(text string) error {
	*t = append(*t, text)
	return nil
}

// String returns what is in effect if nothing was typed.
func (*texts) String() string { return "" }

// ConfigFlag is the flag that names the configuration file.
func ConfigFlag() *Flag {
	return Plain(Config, "read flags from a YAML `FILE`", "")
}
