package aggregate

import (
	"analyzer/columnar"
	"analyzer/operators/registry"
)

// The functions that collect the values of all rows, in the order of the call, and otherwise in
// their own.
const (
	StringAgg Func = "string_agg" // the texts, with the parameter between them
	ArrayAgg  Func = "array_agg"  // a list of the values, nulls among them
)

func init() { functions.Add(collectedFunctions) }

func collectedFunctions() []function {
	joined := form{
		takes: []columnar.Type{columnar.Text}, gives: columnar.Text, rows: &orderedRows{},
		state: []column{rowListColumn}, value: joinedTexts,
	}
	listed := form{
		takes: []columnar.Type{registry.Any}, gives: columnar.ListOf(registry.Any), rows: &orderedRows{nulls: true},
		state: []column{rowListColumn}, value: listedValues,
	}
	return []function{
		{name: StringAgg, ordered: true, param: func(string) error { return nil }, forms: []form{joined}},
		{name: ArrayAgg, ordered: true, forms: []form{listed}},
	}
}

func joinedTexts(s *state, r records, out *columnar.Vector) error {
	var joined []byte
	return s.acc[0].(*rowList).sorted(s.column(0, r), func(rows [][]byte, size int) error {
		if size += len(rows) * len(s.agg.Param); len(out.Data)+size > columnar.MaxVectorBytes {
			return tooLong(size)
		}
		if len(rows) == 0 {
			out.AppendNull()
			return nil
		}
		joined = joined[:0]
		for i, row := range rows {
			if i > 0 {
				joined = append(joined, s.agg.Param...)
			}
			text, _ := s.code.last(row)
			joined = append(joined, text...)
		}
		out.AppendBytes(joined)
		return nil
	})
}

func listedValues(s *state, r records, out *columnar.Vector) error {
	return s.acc[0].(*rowList).sorted(s.column(0, r), func(rows [][]byte, size int) error {
		if len(out.Child.Data)+size > columnar.MaxVectorBytes {
			return tooLong(size)
		}
		if len(rows) == 0 {
			out.AppendNull()
			return nil
		}
		for _, row := range rows {
			if err := s.code.appendValue(out.Child, row); err != nil {
				return err
			}
		}
		out.EndList()
		return nil
	})
}
