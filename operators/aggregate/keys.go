package aggregate

import (
	"math"

	"analyzer/columnar"
	"analyzer/columnar/number"
)

// keys holds the keys of one batch in the form in which a table keeps them, and
// brings them back into columns.
type keys interface {
	// words is how many words of a record hold the key; they come first.
	words() int
	// encode takes the keys of a batch in, which it may borrow until the next,
	// and returns a hash of each, to be read only and until the next batch as
	// well. Equal keys have equal hashes in all batches.
	encode(cols []*columnar.Vector, rows int) []uint64
	// same reports whether a record's key is that of a row.
	same(rec []uint64, row int) bool
	// put makes a row's key that of a record.
	put(rec []uint64, row int)
	// decode appends the keys of records, but for those of columns that are nil.
	decode(r records, out []*columnar.Vector)
	// size returns about how many bytes a record's key takes in columns.
	size(rec []uint64) int
	// reset forgets what is kept outside records and keeps the memory; free
	// gives that up too.
	reset()
	free()
}

// newKeys returns words for columns of one word each, and bytes for all others.
func newKeys(types []columnar.Type, mem *memory) keys {
	for _, t := range types {
		switch t.Kind() {
		case columnar.KindInt64, columnar.KindFloat64, columnar.KindBool:
		default:
			return newByteKeys(types, mem)
		}
	}
	if len(types) > maskBits {
		return newByteKeys(types, mem)
	}
	return &wordKeys{cols: len(types)}
}

// wordOf returns a value of a one-word type. The two zeros of Float are one
// word, and so is everything that is not a number.
func wordOf(v *columnar.Vector, i int) uint64 {
	switch v.Type.Kind() {
	case columnar.KindFloat64:
		return number.FloatBits(v.Floats[i])
	case columnar.KindBool:
		if v.Bools[i] {
			return 1
		}
		return 0
	}
	return uint64(v.Ints[i])
}

func appendWord(v *columnar.Vector, w uint64) {
	switch v.Type.Kind() {
	case columnar.KindFloat64:
		v.AppendFloat(math.Float64frombits(w))
	case columnar.KindBool:
		v.AppendBool(w == 1)
	default:
		v.AppendInt(int64(w))
	}
}
