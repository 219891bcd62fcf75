package aggregate

import (
	"errors"

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
		state: []column{rowListColumn}, pickRows: func(s *state) rowPicker { return &joining{s: s} }, value: joinedTexts,
	}
	listed := form{
		takes: []columnar.Type{registry.Any}, gives: columnar.ListOf(registry.Any), rows: &orderedRows{nulls: true},
		state: []column{rowListColumn}, pickRows: func(s *state) rowPicker { return &listing{s: s} }, value: listedValues,
	}
	return []function{
		{name: StringAgg, ordered: true, gathers: true, param: func(string) error { return nil }, forms: []form{joined}},
		{name: ArrayAgg, ordered: true, gathers: true, forms: []form{listed}},
	}
}

func joinedTexts(s *state, r records, out *columnar.Vector) error {
	if f, ok := s.acc[0].(*rowList).frame.(*sortedRows); ok {
		return s.joinFrame(f, out)
	}
	return pickedRows(s, r, out)
}

// joining picks the texts of encoded rows, as one.
type joining struct {
	s    *state
	out  *columnar.Vector
	from int  // where the text begins
	any  bool // there is a row
}

func (j *joining) begin(rows, size int64, out *columnar.Vector) {
	j.out, j.from, j.any = out, len(out.Data), false
	reserve(out, 1, size+rows*int64(len(j.s.agg.Param)))
}

// reserve makes room for values that take much, and would be copied often as they grow.
func reserve(out *columnar.Vector, values, size int64) {
	if size > bulkyBytes {
		out.Reserve(int(values), int(min(size, columnar.MaxVectorBytes)))
	}
}

func (j *joining) take(rows [][]byte) error {
	for _, row := range rows {
		if j.any {
			j.out.Data = append(j.out.Data, j.s.agg.Param...)
		}
		j.any = true
		text, _ := j.s.code.last(row)
		if j.out.Data = append(j.out.Data, text...); len(j.out.Data) > columnar.MaxVectorBytes {
			return tooLong(len(j.out.Data) - j.from)
		}
	}
	return nil
}

func (j *joining) end() error {
	if j.any {
		j.out.AppendBytes(nil)
	} else {
		j.out.AppendNull()
	}
	return nil
}

func (j *joining) size() int64 { return int64(len(j.out.Data) - j.from) }

// join appends the values of rows as one text.
func (s *state) join(rows [][]byte, out *columnar.Vector) error {
	j := joining{s: s}
	j.begin(int64(len(rows)), 0, out)
	return errors.Join(j.take(rows), j.end())
}

// joinFrame appends the values of the rows of a frame as one text.
func (s *state) joinFrame(f *sortedRows, out *columnar.Vector) error {
	if size := f.size + f.len*len(s.agg.Param); len(out.Data)+size > columnar.MaxVectorBytes {
		return tooLong(size)
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
	if f, ok := s.acc[0].(*rowList).frame.(*sortedRows); ok {
		return s.listFrame(f, out)
	}
	return pickedRows(s, r, out)
}

// listing picks the values of encoded rows, as a list.
type listing struct {
	s    *state
	out  *columnar.Vector
	from int64 // bytes of lists before this one
	any  bool  // there is a row
}

func (l *listing) begin(rows, size int64, out *columnar.Vector) {
	l.out, l.from, l.any = out, out.Child.ValueBytes(), false
	reserve(out.Child, rows, size)
}

func (l *listing) take(rows [][]byte) error {
	if err := l.s.decode(rows, l.out.Child); err != nil {
		return err
	}
	l.any = true
	if len(l.out.Child.Data) > columnar.MaxVectorBytes || l.out.Child.Len > columnar.MaxVectorBytes {
		return tooLong(int(l.size()))
	}
	return nil
}

func (l *listing) end() error {
	if l.any {
		l.out.EndList()
	} else {
		l.out.AppendNull()
	}
	return nil
}

func (l *listing) size() int64 { return l.out.Child.ValueBytes() - l.from }

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
