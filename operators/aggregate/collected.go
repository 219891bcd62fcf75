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
		{name: StringAgg, ordered: true, gathers: true, param: func(string) error { return nil }, forms: []form{joined}},
		{name: ArrayAgg, ordered: true, gathers: true, forms: []form{listed}},
	}
}

func joinedTexts(s *state, r records, out *columnar.Vector) error {
	l := s.acc[0].(*rowList)
	if l.frame != nil {
		return s.joinFrame(l.frame, out)
	}
	return l.sorted(s.column(0, r), func(rows [][]byte, size int) error {
		if err := s.fitsText(out, len(rows), size); err != nil {
			return err
		}
		if len(rows) == 0 {
			out.AppendNull()
			return nil
		}
		return s.join(rows, out)
	})
}

// fitsText returns an error if a text of so many rows is too long.
func (s *state) fitsText(out *columnar.Vector, rows, size int) error {
	if size += rows * len(s.agg.Param); len(out.Data)+size > columnar.MaxVectorBytes {
		return tooLong(size)
	}
	return nil
}

// join appends the values of rows as one text.
func (s *state) join(rows [][]byte, out *columnar.Vector) error {
	for i, row := range rows {
		if i > 0 {
			out.Data = append(out.Data, s.agg.Param...)
		}
		text, _ := s.code.last(row)
		out.Data = append(out.Data, text...)
	}
	out.AppendBytes(nil)
	return nil
}

// joinFrame appends the values of the rows of a frame as one text.
func (s *state) joinFrame(f *sortedRows, out *columnar.Vector) error {
	if err := s.fitsText(out, f.len, f.size); err != nil {
		return err
	}
	if f.len == 0 {
		out.AppendNull()
		return nil
	}
	first := true
	err := f.each(columnar.Text, s.join, func(made *columnar.Vector) {
		if !first {
			out.Data = append(out.Data, s.agg.Param...)
		}
		out.Data = append(out.Data, made.Bytes(0)...)
		first = false
	})
	out.AppendBytes(nil)
	return err
}

func listedValues(s *state, r records, out *columnar.Vector) error {
	l := s.acc[0].(*rowList)
	if l.frame != nil {
		return s.listFrame(l.frame, out)
	}
	return l.sorted(s.column(0, r), func(rows [][]byte, size int) error {
		if len(out.Child.Data)+size > columnar.MaxVectorBytes {
			return tooLong(size)
		}
		if len(rows) == 0 {
			out.AppendNull()
			return nil
		}
		if err := s.decode(rows, out.Child); err != nil {
			return err
		}
		out.EndList()
		return nil
	})
}

// decode appends the values of rows.
func (s *state) decode(rows [][]byte, out *columnar.Vector) error {
	for _, row := range rows {
		if err := s.code.appendValue(out, row); err != nil {
			return err
		}
	}
	return nil
}

// listFrame appends a list of the values of the rows of a frame.
func (s *state) listFrame(f *sortedRows, out *columnar.Vector) error {
	if len(out.Child.Data)+f.size > columnar.MaxVectorBytes {
		return tooLong(f.size)
	}
	if f.len == 0 {
		out.AppendNull()
		return nil
	}
	err := f.each(out.Child.Type, s.decode, func(made *columnar.Vector) { out.Child.AppendRange(made, 0, made.Len) })
	out.EndList()
	return err
}
