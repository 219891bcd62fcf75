// Package draw makes the random choices of the generators.
//
// Everything here is integer arithmetic: floating point may be fused or
// rounded differently from one processor to the next, and generated files must
// have the same bytes everywhere. A row's choices depend only on a key and the row's
// number, so that any core may make any row.
package draw

import (
	"math/bits"
	"math/rand/v2"
)

// Source is the stream of random choices for one row. The zero value is not
// ready: call Reset first. One goroutine uses it at a time.
type Source struct {
	pcg  rand.PCG
	bits uint64
	left int
}

// Reset starts the stream of a row: the same key and row give the same choices.
func (s *Source) Reset(key uint64, row int) {
	n := Mix(key, uint64(row))
	s.pcg.Seed(n, Mix(n, key))
	s.left = 0
}

// Bits returns 64 random bits.
func (s *Source) Bits() uint64 { return s.pcg.Uint64() }

// Below returns a number from 0 to n-1; n is at least 1. Four small choices share one
// draw of 64 bits; the bias from that (at most 1 part in 16 for n = 4096) does not
// matter here.
func (s *Source) Below(n int) int {
	if n > 1<<12 {
		hi, _ := bits.Mul64(s.pcg.Uint64(), uint64(n))
		return int(hi)
	}
	if s.left == 0 {
		s.bits, s.left = s.pcg.Uint64(), 4
	}
	piece := s.bits & 0xffff
	s.bits >>= 16
	s.left--
	return int(piece * uint64(n) >> 16)
}

// OneIn returns true once in n times on average.
func (s *Source) OneIn(n int) bool { return s.Below(n) == 0 }

// Percent returns true p times in a hundred on average.
func (s *Source) Percent(p int) bool { return s.Below(100) < p }

// Pick returns one of list, which must not be empty.
func Pick[T any](s *Source, list []T) T { return list[s.Below(len(list))] }

// Mix hashes two numbers into one, with the finaliser of SplitMix64
// (Steele, Lea, Flood: "Fast splittable pseudorandom number generators", 2014).
func Mix(a, b uint64) uint64 {
	x := a ^ bits.RotateLeft64(b*0x9e3779b97f4a7c15, 31)
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// Key derives a key from a seed and a name, such as the name of a table.
func Key(seed uint64, name string) uint64 {
	h := Mix(seed, uint64(len(name)))
	for i := range len(name) {
		h = Mix(h, uint64(name[i]))
	}
	return h
}

// Other returns a number below n that is not before, or any if before is -1; n
// must be at least 2. It avoids choosing the same thing twice in a row.
func (s *Source) Other(n, before int) int {
	if before < 0 {
		return s.Below(n)
	}
	return (before + 1 + s.Below(n-1)) % n
}

// Due reports whether something that happens once in every period rows happens in
// this row: exactly once in rows 0 to period-1, once in the next period rows, and so
// on, in a row that depends on key. Unlike a random draw, it always happens in a file
// of at least period rows.
func Due(key uint64, row, period int) bool {
	return uint64(row%period) == Mix(key, uint64(row/period))%uint64(period)
}

// Turn assigns kinds in turn to the rows of a file, one kind in every period rows: the
// first period*len(kinds) rows have each kind once. Other rows get the zero value.
func Turn[T any](key uint64, row, period int, kinds []T) (none T) {
	if Due(key, row, period) {
		return kinds[row/period%len(kinds)]
	}
	return none
}
