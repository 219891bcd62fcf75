package aggregate

import (
	"analyzer/columnar"
	"analyzer/operators/registry"
)

// The functions that count.
const (
	Count   Func = "count"    // rows, or values that are not null
	CountIf Func = "count_if" // rows in which a bool is true
)

func init() { functions.Add(countFunctions) }

func countFunctions() []function {
	return []function{
		{
			name: Count, forms: countForms(),
		},
		{
			name: CountIf, forms: []form{{
				takes: []columnar.Type{columnar.Bool}, gives: columnar.Int,
				state: []column{{"count", columnar.Int, func(*memory) accumulator { return &count{onlyTrue: true} }}},
			}},
		},
	}
}

var countColumn = column{"count", columnar.Int, func(*memory) accumulator { return &count{} }}

// countForms counts rows, and values of any type.
func countForms() []form {
	forms := []form{{gives: columnar.Int, state: []column{countColumn}}}
	for _, t := range append(columnar.Types(), registry.Any) {
		forms = append(forms, form{takes: []columnar.Type{t}, gives: columnar.Int, state: []column{countColumn}})
	}
	return forms
}

// count counts rows, values that are not null, or true ones, in one word.
type count struct {
	inRecord
	onlyTrue bool
	ones     columnar.Vector // states of single rows
}

func (*count) words() int { return 1 }

func (c *count) update(r records, arg *columnar.Vector) {
	switch {
	case c.onlyTrue:
		for i, ref := range r.refs {
			if arg.Bools[i] && !arg.IsNull(i) {
				*r.pages.word(ref, r.at)++
			}
		}
	case arg != nil && arg.Valid != nil && !r.inRuns():
		for i, valid := range arg.Valid[:len(r.refs)] {
			*r.pages.word(r.refs[i], r.at) += one(valid)
		}
	case arg != nil && arg.Valid != nil:
		for i := 0; i < len(r.refs); {
			end := r.runEnd(i)
			n := uint64(0)
			for _, valid := range arg.Valid[i:end] {
				n += one(valid)
			}
			*r.pages.word(r.refs[i], r.at) += n
			i = end
		}
	case !r.inRuns():
		if page := r.only(); page != nil {
			for _, ref := range r.refs {
				page[(int(ref)+r.at)&pageMask]++
			}
			return
		}
		for _, ref := range r.refs {
			*r.pages.word(ref, r.at)++
		}
	default:
		for i := 0; i < len(r.refs); {
			end := r.runEnd(i)
			*r.pages.word(r.refs[i], r.at) += uint64(end - i)
			i = end
		}
	}
}

// one returns 1 if b is true, and 0 otherwise, without a branch that nobody can predict.
func one(b bool) uint64 {
	n := uint64(0)
	if b {
		n = 1
	}
	return n
}

func (c *count) remove(r records, arg *columnar.Vector) bool {
	if r.same && !c.onlyTrue && (arg == nil || arg.Valid == nil) {
		*r.pages.word(r.refs[0], r.at) -= uint64(len(r.refs))
		return true
	}
	for i, ref := range r.refs {
		if arg == nil || !arg.IsNull(i) && (!c.onlyTrue || arg.Bools[i]) {
			*r.pages.word(ref, r.at)--
		}
	}
	return true
}

func (*count) merge(r records, states *columnar.Vector) error {
	counts := states.Ints[:len(r.refs)]
	for i, ref := range r.refs {
		*r.pages.word(ref, r.at) += uint64(counts[i])
	}
	return nil
}

func (*count) appendTo(r records, out *columnar.Vector) error {
	appendInts(out, r)
	return nil
}

func (c *count) single(arg *columnar.Vector, rows int) *columnar.Vector {
	c.ones.Type, c.ones.Len = columnar.Int, rows
	c.ones.Ints = grow(c.ones.Ints[:0], rows)
	for i := range c.ones.Ints {
		c.ones.Ints[i] = 1
		if arg != nil && (arg.IsNull(i) || c.onlyTrue && !arg.Bools[i]) {
			c.ones.Ints[i] = 0
		}
	}
	return &c.ones
}
