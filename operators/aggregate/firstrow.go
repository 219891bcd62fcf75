package aggregate

import "analyzer/columnar"

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
		return function{name: f, ordered: !rows.bySecond, forms: rowForms(rows, greatest)}
	}
	return []function{
		of(First, orderedRows{nulls: true}, false),
		of(Last, orderedRows{nulls: true}, true),
		of(AnyValue, orderedRows{}, false),
		of(ArgMin, orderedRows{bySecond: true}, false),
		of(ArgMax, orderedRows{bySecond: true}, true),
	}
}

// rowForms returns the forms of a function that keeps the first or the last of the encoded rows.
func rowForms(rows orderedRows, greatest bool) []form {
	var forms []form
	for _, t := range valueTypes {
		f := form{gives: t, rows: &rows, value: valueOfRow, state: []column{{"row", columnar.Bytes, func(mem *memory) accumulator {
			return &textExtreme{arena: arena[byte]{mem: mem}, greatest: greatest}
		}}}}
		if !rows.bySecond {
			f.takes = []columnar.Type{t}
			forms = append(forms, f)
			continue
		}
		for _, by := range valueTypes {
			f.takes = []columnar.Type{t, by}
			forms = append(forms, f)
		}
	}
	return forms
}

func valueOfRow(s *state, r records, out *columnar.Vector) error {
	kept := s.acc[0].(*textExtreme)
	r = s.column(0, r)
	for _, ref := range r.refs {
		rec := (*[textWords]uint64)(r.pages.rest(ref, r.at))
		if rec[textAt] == 0 {
			out.AppendNull()
		} else if err := s.code.appendValue(out, kept.text(rec)); err != nil {
			return err
		}
	}
	return nil
}
