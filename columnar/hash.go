package columnar

import (
	"encoding/binary"
	"math"
	"math/bits"
	"slices"

	"github.com/cespare/xxhash/v2"
)

// HashRows returns the key hash of each row, in dst's memory if that is large enough.
// The hash of a single text is xxhash64 of its bytes; that of a number is xxhash64 of
// its eight little-endian bytes. The hash of a list combines those of its items, and
// that of several columns combines those of the columns. It is the same on every
// machine and in every process.
//
// It is for choosing a receiver (hash modulo count). Any other choice for the same
// keys, such as a spill partition or a slot in a table, must use Rehash with a seed of
// its own: rows routed to one receiver agree in the hash modulo the count, and would
// otherwise pile up in one bucket.
func HashRows(dst []uint64, keys []*Vector, rows int) []uint64 {
	dst = slices.Grow(dst[:0], rows)[:rows]
	if len(keys) == 0 {
		clear(dst)
		return dst
	}
	keys[0].hash(dst, false)
	for _, k := range keys[1:] {
		k.hash(dst, true)
	}
	return dst
}

// Seeds for Rehash, one for each use of a key's hash. Where rows are split repeatedly,
// the depth is added to the seed.
const (
	SeedTable = 0x9E3779B97F4A7C15 // slot of a hash table
	SeedSpill = 0xC2B2AE3D27D4EB4F // spill partition
)

// Rehash derives a new hash from a key hash, independent of it in every bit.
// It applies the finaliser of MurmurHash3 to the hash and a seed.
func Rehash(h, seed uint64) uint64 {
	h ^= seed
	h ^= h >> 33
	h *= 0xff51afd7ed558ccd
	h ^= h >> 33
	h *= 0xc4ceb9fe1a85ec53
	h ^= h >> 33
	return h
}

// The primes of xxhash64, from the specification of XXH64.
const (
	xxPrime1 = 11400714785074694791
	xxPrime2 = 14029467366897019727
	xxPrime3 = 1609587929392839161
	xxPrime4 = 9650029242287828579
	xxPrime5 = 2870177450012600261
)

// hashWord is xxhash64, seed 0, of the eight little-endian bytes of u.
func hashWord(u uint64) uint64 {
	h := uint64(xxPrime5 + 8)
	h ^= bits.RotateLeft64(u*xxPrime2, 31) * xxPrime1
	h = bits.RotateLeft64(h, 27)*xxPrime1 + xxPrime4
	h ^= h >> 33
	h *= xxPrime2
	h ^= h >> 29
	h *= xxPrime3
	return h ^ h>>32
}

// hashNull stands for a null in place of a value's hash.
const hashNull = 0x6E756C6C6E756C6C

// mix combines the hash so far with the hash of the next part.
func mix(before, next uint64) uint64 {
	return hashWord(bits.RotateLeft64(before, 23) ^ next)
}

func (v *Vector) hash(dst []uint64, more bool) {
	switch v.Type.Kind() {
	case KindInt64:
		if v.Valid == nil {
			hashInts(dst, v.Ints, more)
			return
		}
		v.hashEach(dst, more, func(i int) uint64 { return hashWord(uint64(v.Ints[i])) })
	case KindFloat64:
		v.hashEach(dst, more, func(i int) uint64 { return hashWord(math.Float64bits(v.Floats[i] + 0)) })
	case KindBool:
		v.hashEach(dst, more, func(i int) uint64 { return hashWord(boolWord(v.Bools[i])) })
	case KindInt128:
		v.hashEach(dst, more, func(i int) uint64 {
			var b [16]byte
			binary.LittleEndian.PutUint64(b[:], v.Wides[i].LowBits())
			binary.LittleEndian.PutUint64(b[8:], uint64(v.Wides[i].HighBits()))
			return xxhash.Sum64(b[:])
		})
	case KindBytes:
		if v.Valid == nil {
			hashTexts(dst, v, more)
			return
		}
		v.hashEach(dst, more, func(i int) uint64 { return xxhash.Sum64(v.Data[v.Offsets[i]:v.Offsets[i+1]]) })
	default:
		first := v.Offsets[0]
		part := v.Child.Slice(int(first), int(v.Offsets[v.Len]))
		items := HashRows(nil, []*Vector{part}, part.Len)
		v.hashEach(dst, more, func(i int) uint64 {
			h := hashWord(uint64(v.Offsets[i+1] - v.Offsets[i]))
			for _, item := range items[v.Offsets[i]-first : v.Offsets[i+1]-first] {
				h = mix(h, item)
			}
			return h
		})
	}
}

func hashInts(dst []uint64, ints []int64, more bool) {
	if more {
		for i, n := range ints[:len(dst)] {
			dst[i] = mix(dst[i], hashWord(uint64(n)))
		}
		return
	}
	for i, n := range ints[:len(dst)] {
		dst[i] = hashWord(uint64(n))
	}
}

func hashTexts(dst []uint64, v *Vector, more bool) {
	data, offsets := v.Data, v.Offsets[:len(dst)+1]
	lo := offsets[0]
	for i, hi := range offsets[1:] {
		h := xxhash.Sum64(data[lo:hi])
		if more {
			h = mix(dst[i], h)
		}
		dst[i], lo = h, hi
	}
}

func (v *Vector) hashEach(dst []uint64, more bool, value func(int) uint64) {
	for i := range dst {
		h := uint64(hashNull)
		if !v.IsNull(i) {
			h = value(i)
		}
		if more {
			h = mix(dst[i], h)
		}
		dst[i] = h
	}
}

func boolWord(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}
