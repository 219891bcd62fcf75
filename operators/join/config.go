package join

import (
	"fmt"
	"slices"

	"analyzer/columnar"
)

// Kind says of which sides a join keeps the rows without a partner. In these rows the columns
// of the other side are null.
type Kind string

// The kinds of joins. The build side is the left one.
const (
	Inner Kind = "" // of neither side
	Left  Kind = "left"
	Right Kind = "right"
	Full  Kind = "full"
)

// KeepsBuild reports whether build rows without a partner are kept.
func (k Kind) KeepsBuild() bool { return k == Left || k == Full }

// KeepsProbe reports whether probe rows without a partner are kept.
func (k Kind) KeepsProbe() bool { return k == Right || k == Full }

// Check returns an error if the kind does not exist.
func (k Kind) Check() error {
	if k == Inner || k.KeepsBuild() || k.KeepsProbe() {
		return nil
	}
	return fmt.Errorf("there is no kind of join %q; there are %s, %s, %s, and inner ones, which have none", k, Left, Right, Full)
}

// Config says what is joined. Columns are positions in the schema of their side.
type Config struct {
	Kind         Kind
	Build, Probe columnar.Schema
	// BuildKeys[i] equals ProbeKeys[i] in rows that match. Without keys, every row matches
	// every other.
	BuildKeys, ProbeKeys []int
	// Bounds are comparisons that only matter without keys, and if the join is inner.
	Bounds []Bound
	// BuildOut, followed by ProbeOut, are the columns that are emitted.
	BuildOut, ProbeOut []int
}

// Schema returns the columns that are emitted.
func (c Config) Schema() columnar.Schema {
	return append(c.Build.Project(c.BuildOut), c.Probe.Project(c.ProbeOut)...)
}

// isProduct reports whether rows are found in ranges, those of all rows if there are no bounds.
func (c Config) isProduct() bool { return len(c.BuildKeys) == 0 && c.Kind == Inner }

func (c Config) validate() error {
	if err := c.Kind.Check(); err != nil {
		return fmt.Errorf("join: %w", err)
	}
	if len(c.BuildKeys) != len(c.ProbeKeys) {
		return fmt.Errorf("join: %d keys on the build side, %d on the probe side", len(c.BuildKeys), len(c.ProbeKeys))
	}
	for _, columns := range []struct {
		at     []int
		schema columnar.Schema
	}{{c.BuildKeys, c.Build}, {c.BuildOut, c.Build}, {c.ProbeKeys, c.Probe}, {c.ProbeOut, c.Probe}} {
		for _, at := range columns.at {
			if at < 0 || at >= len(columns.schema) {
				return fmt.Errorf("join: there is no column %d among %s", at, columns.schema)
			}
		}
	}
	for _, b := range c.Bounds {
		if err := b.check(c.Build, c.Probe); err != nil {
			return err
		}
	}
	for i, b := range c.BuildKeys {
		build, probe := c.Build[b], c.Probe[c.ProbeKeys[i]]
		if build.Type != probe.Type {
			return fmt.Errorf("join: key %q is %s, key %q is %s", build.Name, build.Type, probe.Name, probe.Type)
		}
	}
	return nil
}

// side is what is kept of an input: the columns that are needed later, in the order in which
// they are first needed.
type side struct {
	schema columnar.Schema // of what is kept
	from   []int           // position in the input of each column kept
	keys   []int           // positions among the columns kept
	bounds []int           // positions among the columns kept
	out    []int           // positions among the columns kept
}

func newSide(input columnar.Schema, keys, bounds, out []int) side {
	var s side
	s.keys, s.bounds, s.out = s.keep(keys), s.keep(bounds), s.keep(out)
	s.schema = input.Project(s.from)
	return s
}

func (s *side) keep(columns []int) []int {
	kept := make([]int, len(columns))
	for i, c := range columns {
		if kept[i] = slices.Index(s.from, c); kept[i] < 0 {
			kept[i] = len(s.from)
			s.from = append(s.from, c)
		}
	}
	return kept
}
