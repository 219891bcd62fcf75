package expr

import "analyzer/columnar"

// fixed compiles a list that is the same in all rows, which it computes: a coded vector of one value. ok is false if e is
// no such list, or null, or computing it fails, which it must not do before there are rows.
func (c *compiler) fixed(e *Expr) (o operand, ok bool) {
	if !e.isFixed(nil) {
		return o, false
	}
	list, err := e.computed(c.env)
	if err != nil || list.Type.Kind() != columnar.KindList || list.IsNull(0) {
		return o, false
	}
	of := &fixedList{columnar.Vector{Type: list.Type, Dictionary: list}}
	return operand{node: of, typ: list.Type, list: list, expr: e}, true
}

// fixedList is a list that is the same in all rows.
type fixedList struct{ coded columnar.Vector }

func (f *fixedList) eval(in *input) (*columnar.Vector, error) {
	if len(f.coded.Places) < in.rows {
		f.coded.Places = make([]int32, in.rows)
	}
	f.coded.Len = in.rows
	return &f.coded, nil
}
