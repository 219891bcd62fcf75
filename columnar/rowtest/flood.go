package rowtest

import (
	"encoding/binary"
	"math/bits"

	"analyzer/columnar"
)

// The primes of xxhash64; see https://github.com/Cyan4973/xxHash/blob/dev/doc/xxhash_spec.md.
const (
	prime1 = 11400714785074694791
	prime2 = 14029467366897019727
	prime3 = 1609587929392839161
	prime4 = 9650029242287828579
	prime5 = 2870177450012600261
)

// inverse returns the number whose product with an odd one is 1 modulo 2^64: each step doubles
// the number of bits that are right.
func inverse(odd uint64) uint64 {
	x := odd
	for range 6 {
		x *= 2 - odd*x
	}
	return x
}

// CollidingNumbers returns two columns of different whole numbers. All rows have one hash
// (columnar.HashRows).
func CollidingNumbers(rows int) []*columnar.Vector {
	first, second := columnar.NewVector(columnar.Int), columnar.NewVector(columnar.Int)
	for i := range rows {
		first.AppendInt(int64(i))
	}
	for _, h := range columnar.HashRows(nil, []*columnar.Vector{first}, rows) {
		// The hashes of both columns are combined by ^ after a rotation.
		second.AppendInt(int64(wordOf(bits.RotateLeft64(h, 23))))
	}
	return []*columnar.Vector{first, second}
}

// CollidingTexts returns different texts of 64 bytes that have one hash. In each of the four
// lanes, the first eight bytes are free, and the others bring the lane to the same state.
func CollidingTexts(rows int) *columnar.Vector {
	texts := columnar.NewVector(columnar.Text)
	text := make([]byte, 64)
	one, two := uint64(prime1), uint64(prime2)
	for i := range uint64(rows) {
		for lane, s := range []uint64{one + two, two, 0, -one} {
			state := bits.RotateLeft64(s+i*prime2, 31) * prime1
			end := bits.RotateLeft64(7*inverse(prime1), -31)
			binary.LittleEndian.PutUint64(text[8*lane:], i)
			binary.LittleEndian.PutUint64(text[32+8*lane:], (end-state)*inverse(prime2))
		}
		texts.AppendBytes(text)
	}
	return texts
}

// wordOf returns the word of eight bytes that has a hash.
func wordOf(h uint64) uint64 {
	h ^= h >> 32
	h *= inverse(prime3)
	h ^= h>>29 ^ h>>58
	h *= inverse(prime2)
	h ^= h >> 33
	round := bits.RotateLeft64((h-prime4)*inverse(prime1), -27) ^ (prime5 + 8)
	return bits.RotateLeft64(round*inverse(prime1), -31) * inverse(prime2)
}
