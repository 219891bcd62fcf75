package aggregate

import (
	"math"

	"analyzer/columnar"
	"analyzer/columnar/number"
)

// keys holds the keys of one batch in the form in which a table keeps them, and
// converts keys back to columns.
type keys interface {
	// words is how many words of a record hold the key; they come first.
	words() int
	// encode takes in the keys of a batch and returns a hash of each. It may
	// borrow cols until the next batch. The hashes are read-only and also valid
	// until the next batch. Equal keys have equal hashes in all batches.
	encode(cols []*columnar.Vector, rows int) []uint64
	// same reports whether a record's key equals that of a row.
	same(rec []uint64, row int) bool
	// put writes a row's key to a record.
	put(rec []uint64, row int)
	// decode appends the keys of records to out, except to columns that are
	// nil.
	decode(r records, out []*columnar.Vector)
	// size returns roughly how many bytes a record's key takes in columns.
	size(rec []uint64) int
	// reset forgets everything outside records and keeps the memory; free gives
	// the memory up too.
	reset()
	free()
}

// newKeys returns wordKeys for columns of one word each, and byteKeys for all
// others.
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

// wordOf returns a value of a one-word type. Both zeros of Float have the same
// word, and so do all NaNs.
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
