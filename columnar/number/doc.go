// Package number reads the numbers, truth values and dates of text cells, and
// adds numbers up exactly.
//
// Decimal numbers become scaled integers, value*10^Scale in an int64, which add
// up in an Int128 without rounding; a mean is that sum over the count, rounded
// once. Where float64 values must be added, FloatSum does so exactly, and ShortSum in
// less room where the values allow. All give
// the same bits in whatever order and grouping the values come, and have one
// encoding for each value, so that partial sums from several places merge to
// the same bytes.
//
// Cells are a column of cells, which is read many times as fast as cell by cell, where the
// processor can.
//
// The parsers take the bytes of a cell, do not keep or change them, allocate
// nothing and may be called concurrently. None of them reads digits other than
// ASCII.
package number
