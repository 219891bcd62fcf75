package aggregate

import "analyzer/columnar"

// The functions that join the bits of integers.
const (
	BitAnd Func = "bit_and"
	BitOr  Func = "bit_or"
	BitXor Func = "bit_xor"
)

var bitFunctions = []function{
	ofBits(BitAnd, "the bits that all have", "0", func(x, y uint64) uint64 { return x & y }),
	ofBits(BitOr, "the bits that some have", "7", func(x, y uint64) uint64 { return x | y }),
	ofBits(BitXor, "the bits that an odd number of them have", "7", func(x, y uint64) uint64 { return x ^ y }),
}

func ofBits(f Func, help, example string, join func(x, y uint64) uint64) function {
	make := func(*memory) accumulator { return &bitwise{join: join} }
	return function{
		name: f, help: help, example: example,
		forms: []form{{takes: columnar.Int, gives: columnar.Int, state: []column{{string(f), columnar.Int, make}}}},
	}
}

// bitwise joins words. Its state is that of an extreme: a flag and the word.
type bitwise struct {
	extreme
	join func(x, y uint64) uint64
}

func (b *bitwise) update(r records, arg *columnar.Vector) {
	for i, ref := range r.refs {
		if arg.IsNull(i) {
			continue
		}
		rec, w := r.pages.pair(ref, r.at), wordOf(arg, i)
		if rec[0] == 1 {
			w = b.join(rec[1], w)
		}
		rec[0], rec[1] = 1, w
	}
}

func (b *bitwise) merge(r records, states *columnar.Vector) error {
	b.update(r, states)
	return nil
}
