package expr

import (
	"fmt"

	"analyzer/columnar"
)

// OpSized checks that lists have a number of items. Where one does not, it is null if the last argument
// is true, and an error otherwise.
const OpSized Op = "sized"

func init() {
	functions.Add(func() []function {
		return []function{{
			op: OpSized, takes: "a list, a number and a bool", cost: costList, canFail: true, build: just(sized),
			types: only(anyList, anyList, columnar.Int, columnar.Bool),
		}}
	})
}

func sized(out *result, args []*columnar.Vector) error {
	lists, sizes, try := args[0], args[1].Ints, args[2].Bools
	for i := range out.rows() {
		n := int64(lists.Offsets[i+1] - lists.Offsets[i])
		switch {
		case out.IsNull(i):
		case n == sizes[i]:
			out.set(i, lists, i)
		case try[i]:
			out.setNull(i)
		default:
			return fmt.Errorf("a list of %d is no array of %d: %w", n, sizes[i], ErrCast)
		}
	}
	return nil
}
