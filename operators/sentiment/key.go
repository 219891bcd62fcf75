package sentiment

import "encoding/binary"

// keyWords is how many 8-byte words a dictionary key has. The longest entry of
// the lexicon has 20 bytes.
const (
	keyWords = 3
	maxKey   = 8 * keyWords
)

// key is a word of at most maxKey bytes, padded with zeros, and its length:
// two keys are equal if and only if the words are.
type key struct {
	w [keyWords]uint64
	n int
}

// makeKey returns the key of word, which has at most maxKey bytes.
func makeKey(word []byte) key {
	var padded [maxKey]byte
	k := key{n: copy(padded[:], word)}
	for i := range k.w {
		k.w[i] = binary.LittleEndian.Uint64(padded[8*i:])
	}
	return k
}

// hash mixes the words with odd constants (the fractional digits of the golden
// ratio, and of the square roots of 2 and 3) and folds the product down.
func (k *key) hash() uint64 {
	h := (k.w[0]^uint64(k.n))*0x9e3779b97f4a7c15 ^ k.w[1]*0x6a09e667f3bcc909 ^ k.w[2]*0xbb67ae8584caa73b
	return h ^ h>>32
}

// The functions below work on eight ASCII bytes at once. Bytes from 0x80 on
// are never letters.
const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
)

// inRange sets the high bit of every byte of w that is ASCII and lies in
// lo..hi; lo > 0 and hi < 0x7f.
func inRange(w uint64, lo, hi byte) uint64 {
	low := w &^ highs
	atLeast := low + uint64(0x80-lo)*ones
	above := low + uint64(0x7f-hi)*ones
	return atLeast &^ above &^ w & highs
}

// upperMask sets the high bit of every byte in A..Z.
func upperMask(w uint64) uint64 { return inRange(w, 'A', 'Z') }

// lowerMask sets the high bit of every byte in a..z.
func lowerMask(w uint64) uint64 { return inRange(w, 'a', 'z') }

// firstSpaces sets the high bit of every space of w. A bit above the lowest
// set one may be wrong, because a borrow runs upwards from it.
func firstSpaces(w uint64) uint64 {
	x := w ^ ' '*ones
	return (x - ones) &^ x & highs
}
