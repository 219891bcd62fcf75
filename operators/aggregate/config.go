package aggregate

import (
	"errors"
	"fmt"

	"analyzer/columnar"
	"analyzer/operators/plan"
)

// Config says what to aggregate and where on the way from rows to values the
// operator stands.
type Config struct {
	Input columnar.Schema `json:"input"`
	Keys  []string        `json:"keys,omitempty"`
	Aggs  []plan.Agg      `json:"aggs,omitempty"`

	FromStates bool `json:"fromStates,omitempty"` // the input holds states instead of rows
	// ArgTypes are the types the aggregates' arguments had in the rows that
	// states were made of; it is only asked for with FromStates.
	ArgTypes []columnar.Type `json:"argTypes,omitempty"`
	ToStates bool            `json:"toStates,omitempty"` // the output holds states instead of values
	// Streaming allows a key to be emitted several times: the table is emitted
	// and emptied when it is full. It needs ToStates.
	Streaming bool `json:"streaming,omitempty"`
}

func (c *Config) check() error {
	if c.Streaming && !c.ToStates {
		return errors.New("aggregate: a streaming aggregation emits states")
	}
	if c.FromStates && len(c.ArgTypes) != len(c.Aggs) {
		return errors.New("aggregate: the types of the arguments are missing")
	}
	return nil
}

// StateSchema returns the columns of the states of a plan.Aggregate over the
// given rows: the keys, then those of each aggregate.
func StateSchema(rows columnar.Schema, keys []string, aggs []plan.Agg) (columnar.Schema, error) {
	l, err := newLayout(Config{Input: rows, Keys: keys, Aggs: aggs, ToStates: true})
	if err != nil {
		return nil, err
	}
	return l.stateSchema, nil
}

// stateFields returns the columns of one aggregate's state. Their names start
// with the aggregate's, so that they are as distinct as those are.
func stateFields(a plan.Agg, arg columnar.Type) []columnar.Field {
	count := columnar.Field{Name: a.Name + ".count", Type: columnar.Int}
	sum := columnar.Field{Name: a.Name + ".sum", Type: columnar.Wide}
	if arg == columnar.Float {
		sum.Type = columnar.FloatSum
	}
	switch a.Func {
	case plan.Sum:
		return []columnar.Field{sum}
	case plan.Avg:
		return []columnar.Field{sum, count}
	case plan.Min, plan.Max:
		return []columnar.Field{{Name: a.Name + "." + string(a.Func), Type: arg}}
	case plan.List:
		return []columnar.Field{{Name: a.Name + ".list", Type: columnar.IntList}}
	}
	return []columnar.Field{count}
}

// valueType returns the type of an aggregate's value, and an error where the
// function does not take such an argument.
func valueType(a plan.Agg, arg columnar.Type) (columnar.Type, error) {
	t, err := a.Type(columnar.Schema{{Name: a.Arg, Type: arg}})
	if err != nil {
		return columnar.Invalid, fmt.Errorf("aggregate %q: %w", a.Name, err)
	}
	return t, nil
}
