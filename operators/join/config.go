package join

import (
	"fmt"
	"slices"

	"analyzer/columnar"
)

// Config says what is joined. Columns are positions in the schema of their
// side.
type Config struct {
	Build, Probe columnar.Schema
	// BuildKeys[i] equals ProbeKeys[i] in rows that match; without any, every
	// row matches every other.
	BuildKeys, ProbeKeys []int
	// BuildOut and after them ProbeOut are the columns that are emitted.
	BuildOut, ProbeOut []int
}

// Schema returns the columns that are emitted.
func (c Config) Schema() columnar.Schema {
	return append(c.Build.Project(c.BuildOut), c.Probe.Project(c.ProbeOut)...)
}

func (c Config) validate() error {
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
	for i, b := range c.BuildKeys {
		build, probe := c.Build[b], c.Probe[c.ProbeKeys[i]]
		if build.Type != probe.Type {
			return fmt.Errorf("join: key %q is %s, key %q is %s", build.Name, build.Type, probe.Name, probe.Type)
		}
	}
	return nil
}

// side is what is kept of an input: the columns that are looked at later, in
// the order in which they are first needed.
type side struct {
	schema columnar.Schema // of what is kept
	from   []int           // position in the input of each column kept
	keys   []int           // positions among the columns kept
	out    []int           // positions among the columns kept
}

func newSide(input columnar.Schema, keys, out []int) side {
	var s side
	s.keys, s.out = s.keep(keys), s.keep(out)
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
