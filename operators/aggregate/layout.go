package aggregate

import (
	"errors"
	"fmt"
	"slices"

	"analyzer/columnar"
)

// Config says what to aggregate, and at which step from rows to results the operator stands.
type Config struct {
	Input columnar.Schema `json:"input"`
	Keys  []string        `json:"keys,omitempty"`
	Aggs  []Agg           `json:"aggs,omitempty"`

	// FromStates means that the input holds states instead of rows.
	FromStates bool `json:"fromStates,omitempty"`
	// ArgTypes are, for each aggregate, the types that the columns that it reads had in the
	// original rows. They are only needed with FromStates.
	ArgTypes [][]columnar.Type `json:"argTypes,omitempty"`
	// Unread are keys that are not emitted with results.
	Unread []string `json:"unread,omitempty"`
	// ToStates means that the output holds states instead of results.
	ToStates bool `json:"toStates,omitempty"`
	// Streaming allows a key to be emitted several times: the table is emitted and emptied when
	// it is full. It needs ToStates.
	Streaming bool `json:"streaming,omitempty"`
}

func (c *Config) check() error {
	if c.Streaming && !c.ToStates {
		return errors.New("aggregate: a streaming aggregation emits states")
	}
	if c.ToStates && len(c.Unread) > 0 {
		return errors.New("aggregate: states have all keys")
	}
	if c.FromStates && len(c.ArgTypes) != len(c.Aggs) {
		return errors.New("aggregate: the types of the arguments are missing")
	}
	return nil
}

// Schema returns the columns that are emitted: the keys, then the result or the state of each
// aggregate.
func (c Config) Schema() (columnar.Schema, error) {
	l, err := newLayout(c)
	if err != nil {
		return nil, err
	}
	return l.output(), nil
}

// layout says where an aggregation finds its columns in the input, and which columns it emits.
// It is read-only.
type layout struct {
	cfg         Config
	keys        []int // positions of the keys in the input
	keyTypes    []columnar.Type
	read        []bool          // which keys are emitted with results
	inputs      [][]int         // for each aggregate, positions of the columns that it reads, or of its state
	forms       []form          // of the aggregates
	stateSchema columnar.Schema // the keys and the states
	valueSchema columnar.Schema // the keys and the results
}

func newLayout(cfg Config) (*layout, error) {
	if err := cfg.check(); err != nil {
		return nil, err
	}
	l := &layout{cfg: cfg}
	for _, k := range cfg.Keys {
		i := cfg.Input.Index(k)
		if i < 0 {
			return nil, fmt.Errorf("aggregate: there is no key column %q", k)
		}
		l.keys = append(l.keys, i)
		l.keyTypes = append(l.keyTypes, cfg.Input[i].Type)
		l.stateSchema = append(l.stateSchema, cfg.Input[i])
	}
	for _, f := range l.stateSchema {
		l.read = append(l.read, !slices.Contains(cfg.Unread, f.Name))
		if !slices.Contains(cfg.Unread, f.Name) {
			l.valueSchema = append(l.valueSchema, f)
		}
	}
	for i := range cfg.Aggs {
		if err := l.addAggregate(i); err != nil {
			return nil, err
		}
	}
	return l, nil
}

func (l *layout) addAggregate(i int) error {
	a := l.cfg.Aggs[i]
	var input []int
	var f form
	var err error
	if l.cfg.FromStates {
		if f, err = a.find(l.cfg.ArgTypes[i]); err == nil {
			input, err = l.cfg.stateInputs(l.stateFields(f, a))
		}
	} else {
		f, input, err = a.over(l.cfg.Input)
	}
	if err != nil {
		return fmt.Errorf("aggregate %q: %w", a.Name, err)
	}
	l.inputs = append(l.inputs, input)
	l.forms = append(l.forms, f)
	l.stateSchema = append(l.stateSchema, l.stateFields(f, a)...)
	l.valueSchema = append(l.valueSchema, columnar.Field{Name: a.Name, Type: f.gives})
	return nil
}

// stateFields returns the columns of an aggregate's state. Their names are not those of keys.
func (l *layout) stateFields(f form, a Agg) []columnar.Field {
	fields := f.fields(a)
	for i := range fields {
		fields[i].Name = columnar.FreeName(fields[i].Name, l.cfg.Keys)
	}
	return fields
}

// stateInputs finds the columns of a state in the input.
func (c *Config) stateInputs(fields []columnar.Field) ([]int, error) {
	at := make([]int, len(fields))
	for i, f := range fields {
		at[i] = c.Input.Index(f.Name)
		if at[i] < 0 || c.Input[at[i]].Type != f.Type {
			return nil, fmt.Errorf("the input has no state column %s", columnar.Schema{f})
		}
	}
	return at, nil
}

// output returns the columns that are emitted.
func (l *layout) output() columnar.Schema {
	if l.cfg.ToStates {
		return l.stateSchema
	}
	return l.valueSchema
}
