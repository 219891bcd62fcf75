package aggregate

import (
	"fmt"

	"analyzer/columnar"
	"analyzer/operators/plan"
)

// Config says what to aggregate and where on the way from rows to values the
// operator stands.
type Config struct {
	Input columnar.Schema
	Keys  []string
	Aggs  []plan.Agg

	FromStates bool // the input holds states instead of rows
	// ArgTypes are the types the aggregates' arguments had in the rows that
	// states were made of; it is only asked for with FromStates.
	ArgTypes []columnar.Type
	ToStates bool // the output holds states instead of values
	// Streaming allows a key to be emitted several times: the table is emitted
	// and emptied when it is full. It needs ToStates.
	Streaming bool
}

// StateSchema returns the columns of the states of a plan.Aggregate over the
// given rows: the keys, then those of each aggregate.
func StateSchema(rows columnar.Schema, keys []string, aggs []plan.Agg) (columnar.Schema, error) {
	out := make(columnar.Schema, 0, len(keys)+len(aggs))
	for _, k := range keys {
		i := rows.Index(k)
		if i < 0 {
			return nil, fmt.Errorf("aggregate: there is no key column %q", k)
		}
		out = append(out, rows[i])
	}
	for _, a := range aggs {
		arg := columnar.Invalid
		if a.Arg != "" {
			i := rows.Index(a.Arg)
			if i < 0 {
				return nil, fmt.Errorf("aggregate: there is no column %q for %s", a.Arg, a.Name)
			}
			arg = rows[i].Type
		}
		fields, err := stateFields(a, arg)
		if err != nil {
			return nil, err
		}
		out = append(out, fields...)
	}
	return out, nil
}

// stateFields returns the columns of one aggregate's state. Their names start
// with the aggregate's, so that they are as distinct as those are.
func stateFields(a plan.Agg, arg columnar.Type) ([]columnar.Field, error) {
	count := columnar.Field{Name: a.Name + ".count", Type: columnar.Int}
	sum := columnar.Field{Name: a.Name + ".sum", Type: columnar.Wide}
	if arg == columnar.Float {
		sum.Type = columnar.FloatSum
	}
	switch a.Func {
	case plan.Count, plan.CountIf:
		return []columnar.Field{count}, nil
	case plan.Sum:
		return []columnar.Field{sum}, nil
	case plan.Avg:
		return []columnar.Field{sum, count}, nil
	case plan.Min, plan.Max:
		return []columnar.Field{{Name: a.Name + "." + string(a.Func), Type: arg}}, nil
	case plan.List:
		return []columnar.Field{{Name: a.Name + ".list", Type: columnar.IntList}}, nil
	}
	return nil, fmt.Errorf("aggregate: there is no function %q", a.Func)
}

// valueType returns the type of an aggregate's value.
func valueType(a plan.Agg, arg columnar.Type) columnar.Type {
	switch a.Func {
	case plan.Count, plan.CountIf:
		return columnar.Int
	case plan.Sum:
		if arg == columnar.Decimal {
			return columnar.Wide
		}
		return arg
	case plan.Avg:
		return columnar.Float
	case plan.List:
		return columnar.IntList
	}
	return arg
}
