package aggregate

import (
	"fmt"

	"analyzer/columnar"
	"analyzer/operators/plan"
)

// addState finds the columns of one aggregate in the input and gives its state
// words of the record.
func (g *groups) addState(a plan.Agg, known columnar.Type, words *int) error {
	arg, err := g.argOf(a, known)
	if err != nil {
		return err
	}
	fields, err := stateFields(a, arg)
	if err != nil {
		return err
	}
	if g.cfg.FromStates {
		at := g.cfg.Input.Index(fields[0].Name)
		if at < 0 {
			return fmt.Errorf("aggregate: there is no state column %q", fields[0].Name)
		}
		for i, f := range fields {
			if at+i >= len(g.cfg.Input) || g.cfg.Input[at+i] != f {
				return fmt.Errorf("aggregate: the state of %q is not of columns %s", a.Name, columnar.Schema(fields))
			}
		}
		g.stateIn = append(g.stateIn, at)
	}
	s, err := newState(a, arg)
	if err != nil {
		return err
	}
	g.stateLen = append(g.stateLen, len(fields))
	g.output = append(g.output, fields...)
	g.values = append(g.values, columnar.Field{Name: a.Name, Type: valueType(a, arg)})
	g.states = append(g.states, s)
	g.at = append(g.at, *words)
	*words += s.words()
	return nil
}

// argOf finds an aggregate's argument in rows and returns its type.
func (g *groups) argOf(a plan.Agg, known columnar.Type) (columnar.Type, error) {
	if g.cfg.FromStates {
		return known, nil
	}
	if a.Arg == "" {
		g.args = append(g.args, -1)
		return columnar.Invalid, nil
	}
	at := g.cfg.Input.Index(a.Arg)
	if at < 0 {
		return columnar.Invalid, fmt.Errorf("aggregate: there is no column %q for %s", a.Arg, a.Name)
	}
	g.args = append(g.args, at)
	return g.cfg.Input[at].Type, nil
}
