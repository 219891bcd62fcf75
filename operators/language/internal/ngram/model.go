// Package ngram holds n-gram models of languages: how they are written to a
// file, and the table that answers which languages an n-gram speaks for.
//
// # File format
//
// All numbers are unsigned varints (encoding/binary) unless noted.
//
//	magic     8 bytes, "ngrams1\n"
//	body      a zstandard frame of:
//	  base      added to every stored number of points
//	  languages count, then two ASCII letters each, in ascending order
//	  letters   count, then for each range of code points, ascending:
//	            its distance from the end of the last one, its length
//	  keys      for each kind of n-gram (see [Kind]): count, then the ascending
//	            keys as distances: the first from 0, others from the one before
//	  counts    one byte for each n-gram, kinds and keys in the same order:
//	            its number of languages, 1 to 31
//	  languages one byte for each, ascending within an n-gram
//	  points    one byte for each, less base
//	checksum  8 bytes little-endian, xxhash64 of all bytes before it
//
// The columns of one field each make the frame half as large as rows would.
package ngram

import "errors"

// ErrCorrupt is wrapped by every error of [Decode].
var ErrCorrupt = errors.New("corrupt n-gram model")

// Limits of a model; a slot of the table has no room for more.
const (
	maxLanguages = 64       // languages of a model
	maxSpoken    = 31       // languages of one n-gram
	maxPoints    = 1<<9 - 1 // of one language for one n-gram
	maxScores    = 1 << 20  // scores of a model
)

// Kind says where in its word an n-gram stands.
type Kind uint8

// The kinds, in the order of the file. Whole words have one to four bytes, all
// others exactly four.
const (
	Inside Kind = iota
	Prefix
	Suffix
	Whole
	kinds
)

// Key is an n-gram: its kind in bits 32 and 33, below it the bytes, the first
// one highest, padded with zeros. It is never 0.
type Key uint64

// Of returns the key of up to four bytes packed like that.
func (k Kind) Of(packed uint32) Key { return Key(k)<<32 | Key(packed) }

// Range is a range of code points, both ends included.
type Range struct{ First, Last rune }

// Model is an n-gram model in full, as a file holds it. The n-grams are kept
// in columns.
type Model struct {
	// Languages are ISO 639-1 codes, ascending.
	Languages []string
	// Letters are the code points that words consist of, ascending and apart.
	Letters []Range
	// Keys are the n-grams, ascending.
	Keys []Key
	// Counts holds for each n-gram the number of its scores.
	Counts []byte
	// Spoken and Points hold the scores of all n-grams one after another: an
	// index into Languages, ascending within an n-gram, and how much the
	// n-gram speaks for that language, less Base.
	Spoken, Points []byte
	// Base is the least number of points, more than zero.
	Base uint16
}
