// Package text writes the words of generated files: it holds the vocabulary,
// fills in sentences, and appends CSV cells and Python literals to a buffer.
//
// # Vocabulary
//
// The files under words hold sections. A section begins with its name in
// brackets and holds one entry per line; "words" after the name says that
// entries stand apart by white space (an underscore is a space inside one), and
// "weighted" that each line begins with a weight and a bar. Lines that begin
// with # are comments. An entry read as a phrase may name other sections in
// braces: one of their entries, chosen anew each time, takes that place.
package text
