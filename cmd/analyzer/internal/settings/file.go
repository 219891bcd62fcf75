package settings

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/urfave/cli/v2"
	"go.yaml.in/yaml/v3"

	"analyzer/columnar/vfs"
	"analyzer/compose/session/fault"
)

// maxFile bounds the configuration file: somebody may name a table by mistake.
const maxFile = 1 << 20

// readFile reads the values in a configuration file.
func readFile(name string, commands []*cli.Command) (map[string][]Value, error) {
	const hint = "Next: correct --config; the file is YAML, such as “memory: 256MiB”."
	text, err := contents(name)
	if err != nil {
		return nil, fault.WrongUsage(hint, "read the configuration: %w", err)
	}
	var document yaml.Node
	if err := yaml.Unmarshal(text, &document); err != nil {
		return nil, fault.WrongUsage(hint, "read the configuration: %s: %w", name, err)
	}
	values := make(map[string][]Value)
	if len(document.Content) == 0 {
		return values, nil
	}
	root := document.Content[0]
	if root.Kind != yaml.MappingNode {
		return nil, fault.WrongUsage(hint, "%s:%d: expected flags with their values", name, root.Line)
	}
	for i := 0; i+1 < len(root.Content); i += 2 {
		key, value := root.Content[i], root.Content[i+1]
		origin := fmt.Sprintf("%s:%d: %s", name, key.Line, key.Value)
		if !isFlag(key.Value, commands) {
			return nil, unknown(origin, key.Value, commands)
		}
		if _, twice := values[key.Value]; twice {
			return nil, fault.WrongUsage(hint, "%s: it stands twice; several values are a list", origin)
		}
		texts, ok := scalars(value)
		if !ok {
			return nil, fault.WrongUsage(hint, "%s: expected a value, a list of values, or names with values", origin)
		}
		for _, text := range texts {
			values[key.Value] = append(values[key.Value], Value{Text: text, Origin: origin})
		}
	}
	return values, nil
}

func contents(name string) (text []byte, err error) {
	f, err := vfs.OS().Open(name)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	text, err = io.ReadAll(io.LimitReader(f, maxFile+1))
	if err == nil && (len(text) > maxFile || bytes.IndexByte(text, 0) >= 0) {
		err = fmt.Errorf("%s is not a configuration file", name)
	}
	return text, err
}

func isFlag(name string, commands []*cli.Command) bool {
	return name != Config && slices.ContainsFunc(commands, func(c *cli.Command) bool { return hasFlag(c, name) })
}

func hasFlag(c *cli.Command, name string) bool { return slices.Contains(Names(c.Flags), name) }

// scalars reads a value, a list of values, or a mapping as name=value pairs.
func scalars(n *yaml.Node) (texts []string, ok bool) {
	switch n.Kind {
	case yaml.ScalarNode:
		return []string{n.Value}, true
	case yaml.SequenceNode:
		for _, item := range n.Content {
			if item.Kind != yaml.ScalarNode {
				return nil, false
			}
			texts = append(texts, item.Value)
		}
		return texts, true
	case yaml.MappingNode:
		for i := 0; i+1 < len(n.Content); i += 2 {
			if n.Content[i+1].Kind != yaml.ScalarNode {
				return nil, false
			}
			texts = append(texts, n.Content[i].Value+"="+n.Content[i+1].Value)
		}
		return texts, true
	}
	return nil, false
}
