package aggregate

import (
	"analyzer/columnar"
	"analyzer/operators/registry"
)

// The functions that give the value of one row: the first or last in the order of the call, or
// that in which a second value is least or greatest. Of rows that are tied it is the one with the
// least value, or, of the last ones and the greatest ones, that with the greatest.
const (
	First    Func = "first"
	Last     Func = "last"
	AnyValue Func = "any_value" // that of the first row that has one
	ArgMin   Func = "arg_min"   // of rows with both values
	ArgMax   Func = "arg_max"
)

func init() { functions.Add(firstFunctions) }

func firstFunctions() []function {
	of := func(f Func, rows orderedRows, greatest bool) function {
		return function{name: f, ordered: !rows.bySecond, forms: []form{rowForm(rows, greatest)}}
	}
	return []function{
		of(First, orderedRows{nulls: true}, false),
		of(Last, orderedRows{nulls: true}, true),
		of(AnyValue, orderedRows{}, false),
		of(ArgMin, orderedRows{bySecond: true}, false),
		of(ArgMax, orderedRows{bySecond: true}, true),
	}
}

// rowForm returns the form of a function that keeps the first or the last of the encoded rows.
func rowForm(rows orderedRows, greatest bool) form {
	f := form{takes: []columnar.Type{registry.Any}, gives: registry.Any, rows: &rows, value: valueOfRow}
	if rows.bySecond {
		f.takes = append(f.takes, registry.Other)
	}
	f.state = []column{{"row", columnar.Bytes, func(mem *memory) accumulator {
		return &textExtreme{arena: arena[byte]{mem: mem}, greatest: greatest}
	}}}
	return f
}

func valueOfRow(s *state, r records, out *columnar.Vector) error {
	kept := s.acc[0].(*textExtreme)
	r = s.column(0, r)
	for _, ref := range r.refs {
		rec := (*[textWords]uint64)(r.pages.rest(ref, r.at))
		if rec[textAt] == 0 {
			out.AppendNull()
		} else if err := s.code.lendValue(out, kept.text(rec)); err != nil {
			return err
		}
	}
	return nil
}
