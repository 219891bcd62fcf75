package expr

import (
	"analyzer/columnar"
)

// OpHash is a number that follows from a value and a seed, and is hard to foresee. It is the same
// in every run.
const OpHash Op = "hash"

func init() {
	functions.Add(func() []function {
		return []function{{
			op: OpHash, takes: "a value and a seed", types: only(columnar.Int, anyItem, columnar.Int), cost: costFixed, build: just(hash),
		}}
	})
}

func hash(out *result, args []*columnar.Vector) error {
	seeds := args[1].Ints
	for i, h := range columnar.HashRows(nil, args[:1], out.Len) {
		out.Ints[i] = int64(columnar.Rehash(h, uint64(seeds[i])) >> 1) //nolint:gosec // 63 bits
	}
	return nil
}
