package aggregate

import (
	"analyzer/columnar"
)

// times says how often values are in a frame in which equal ones count once. The first of them
// counts, and the last that is removed.
type times struct {
	mem   *memory
	of    map[string]int64
	key   []byte
	kept  columnar.Vector
	valid []bool
}

// timesBytes is about what an entry takes beside its key.
const timesBytes = 64

func newTimes(mem *memory) *times { return &times{mem: mem, of: make(map[string]int64)} }

// add returns values of which those are null that are in the frame already, and how many are not
// null. They are valid until the next call.
func (t *times) add(arg *columnar.Vector, n int) (*columnar.Vector, int64) {
	return t.choose(arg, n, func() bool {
		count, ok := t.of[string(t.key)]
		if !ok {
			t.mem.claim(timesBytes + int64(len(t.key)))
		}
		t.of[string(t.key)] = count + 1
		return count == 0
	})
}

// remove does the same with values that leave the frame.
func (t *times) remove(arg *columnar.Vector, n int) (*columnar.Vector, int64) {
	return t.choose(arg, n, func() bool {
		count := t.of[string(t.key)]
		if count > 1 {
			t.of[string(t.key)] = count - 1
			return false
		}
		delete(t.of, string(t.key))
		t.mem.unclaim(timesBytes + int64(len(t.key)))
		return true
	})
}

func (t *times) choose(arg *columnar.Vector, n int, counts func() bool) (*columnar.Vector, int64) {
	t.valid = t.valid[:0]
	chosen := int64(0)
	for i := range n {
		ok := !arg.IsNull(i)
		if ok {
			t.key = appendKey(appendKey(t.key[:0], arg, i), argOther(arg), i)
			ok = counts()
		}
		if t.valid = append(t.valid, ok); ok {
			chosen++
		}
	}
	t.kept = *arg
	t.kept.Valid = t.valid
	return &t.kept, chosen
}

// argOther returns the second of two columns that were put together.
func argOther(arg *columnar.Vector) *columnar.Vector {
	if arg.Type.Item() != columnar.Invalid {
		return nil
	}
	return arg.Child
}

// appendKey appends bytes that are equal for equal values; v may be nil.
func appendKey(dst []byte, v *columnar.Vector, i int) []byte {
	if v == nil {
		return dst
	}
	return columnar.AppendOrdered(dst, v, i)
}

func (t *times) reset() {
	for key := range t.of {
		t.mem.unclaim(timesBytes + int64(len(key)))
	}
	clear(t.of)
}
