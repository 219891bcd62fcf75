package columnar

import (
	"encoding/binary"
	"hash/maphash"
	"math"
	"slices"
)

// HashSecretly writes one hash per row of the key columns to dst, like HashRows, and returns
// it. Whoever writes rows can choose keys that agree in HashRows, but not keys that agree here,
// since nobody knows the seed. The hashes are those of one process, so that they are for
// tables in memory alone. They take several times as long.
func HashSecretly(dst []uint64, seed maphash.Seed, keys []*Vector, rows int) []uint64 {
	dst = slices.Grow(dst[:0], rows)[:rows]
	var h maphash.Hash
	h.SetSeed(seed)
	for i := range dst {
		h.Reset()
		for _, k := range keys {
			k.hashValue(&h, i)
		}
		dst[i] = h.Sum64()
	}
	return dst
}

// hashValue adds value i to a hash. No value is the beginning of another one.
func (v *Vector) hashValue(h *maphash.Hash, i int) {
	if v.Valid != nil && !v.Valid[i] {
		hashNumber(h, 0)
		return
	}
	hashNumber(h, 1)
	switch v.Type.Kind() {
	case KindInt64:
		hashNumber(h, uint64(v.Ints[i]))
	case KindFloat64:
		hashNumber(h, math.Float64bits(v.Floats[i]+0))
	case KindBool:
		hashNumber(h, boolWord(v.Bools[i]))
	case KindInt128:
		hashNumber(h, v.Wides[i].LowBits())
		hashNumber(h, uint64(v.Wides[i].HighBits()))
	case KindBytes:
		text := v.Data[v.Offsets[i]:v.Offsets[i+1]]
		hashNumber(h, uint64(len(text)))
		_, _ = h.Write(text) // it never fails
	default:
		lo, hi := v.Offsets[i], v.Offsets[i+1]
		hashNumber(h, uint64(hi-lo))
		for item := lo; item < hi; item++ {
			v.Child.hashValue(h, int(item))
		}
	}
}

func hashNumber(h *maphash.Hash, u uint64) {
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], u)
	_, _ = h.Write(b[:]) // it never fails
}
