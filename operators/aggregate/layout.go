package aggregate

import (
	"errors"
	"fmt"
	"slices"
	"strings"

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
	forms       []form          // of the aggregates
	owners      []int           // for each state, the first aggregate that has it
	stateOf     []int           // for each aggregate, which state it has
	inputs      [][]int         // for each state, positions of the columns that its aggregate reads, or of the state
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
	alike := make(map[likeness][]int)
	for i := range cfg.Aggs {
		if err := l.addAggregate(i, alike); err != nil {
			return nil, err
		}
	}
	return l, nil
}

// likeness is what aggregates that share a state have in common, and hardly any others: a statement may have
// thousands.
type likeness struct {
	call        Func
	args, where string
}

// addAggregate adds an aggregate, and its state if no aggregate before it has the same one. alike are the
// states that there are.
func (l *layout) addAggregate(i int, alike map[likeness][]int) error {
	a := l.cfg.Aggs[i]
	var f form
	var at []int
	var err error
	if l.cfg.FromStates {
		f, err = a.find(l.cfg.ArgTypes[i])
	} else {
		f, at, err = a.over(l.cfg.Input)
	}
	key := likeness{a.Func, strings.Join(a.Args, ","), a.Where}
	state, shared := l.sharedBy(a, alike[key])
	if err == nil && !shared {
		alike[key] = append(alike[key], state)
		err = l.addState(i, f, at)
	}
	if err != nil {
		return fmt.Errorf("aggregate %q: %w", a.Name, err)
	}
	l.forms = append(l.forms, f)
	l.stateOf = append(l.stateOf, state)
	l.valueSchema = append(l.valueSchema, columnar.Field{Name: a.Name, Type: f.gives})
	return nil
}

// sharedBy returns which of some states an aggregate has too; if it has none of them, its own comes behind all
// there are.
func (l *layout) sharedBy(a Agg, states []int) (state int, shared bool) {
	for _, state := range states {
		if a.sharesState(l.cfg.Aggs[l.owners[state]]) {
			return state, true
		}
	}
	return len(l.owners), false
}

// addState adds the state of aggregate i, which reads the columns at some positions of rows.
func (l *layout) addState(i int, f form, at []int) (err error) {
	fields := l.stateFields(f, l.cfg.Aggs[i])
	if l.cfg.FromStates {
		at, err = l.cfg.stateInputs(fields)
	}
	l.owners = append(l.owners, i)
	l.inputs = append(l.inputs, at)
	l.stateSchema = append(l.stateSchema, fields...)
	return err
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
