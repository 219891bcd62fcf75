package aggregate

import (
	"fmt"

	"analyzer/columnar"
)

// layout says where an aggregation finds what in its input, and what it makes of
// it. It is read only.
type layout struct {
	cfg         Config
	keys        []int // positions of the keys in the input
	keyTypes    []columnar.Type
	inputs      [][]int // for each aggregate, positions of its argument or its state
	argTypes    []columnar.Type
	widths      []int           // for each aggregate, the columns of its state
	stateSchema columnar.Schema // the keys and the states
	valueSchema columnar.Schema // the keys and the values
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
	l.valueSchema = append(l.valueSchema, l.stateSchema...)
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
	var arg columnar.Type
	switch {
	case l.cfg.FromStates:
		arg = l.cfg.ArgTypes[i]
	case a.Arg != "":
		at := l.cfg.Input.Index(a.Arg)
		if at < 0 {
			return fmt.Errorf("aggregate %q: there is no column %q", a.Name, a.Arg)
		}
		input, arg = []int{at}, l.cfg.Input[at].Type
	}
	value, err := valueType(a, arg)
	if err != nil {
		return err
	}
	fields := stateFields(a, arg)
	if l.cfg.FromStates {
		if input, err = l.stateInputs(fields); err != nil {
			return fmt.Errorf("aggregate %q: %w", a.Name, err)
		}
	}
	l.inputs = append(l.inputs, input)
	l.argTypes = append(l.argTypes, arg)
	l.widths = append(l.widths, len(fields))
	l.stateSchema = append(l.stateSchema, fields...)
	l.valueSchema = append(l.valueSchema, columnar.Field{Name: a.Name, Type: value})
	return nil
}

// stateInputs finds the columns of a state in the input.
func (l *layout) stateInputs(fields []columnar.Field) ([]int, error) {
	at := make([]int, len(fields))
	for i, f := range fields {
		at[i] = l.cfg.Input.Index(f.Name)
		if at[i] < 0 || l.cfg.Input[at[i]].Type != f.Type {
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

// ofStates returns the configuration of an aggregation of the states to the same
// output.
func (l *layout) ofStates() Config {
	return Config{
		Input: l.stateSchema, Keys: l.cfg.Keys, Aggs: l.cfg.Aggs,
		FromStates: true, ArgTypes: l.argTypes, ToStates: l.cfg.ToStates,
	}
}
