// Package number parses numbers, truth values and dates in text cells, and adds numbers
// exactly.
//
// Decimal numbers become scaled integers, value*10^Scale in an int64. Their sum in an
// Int128 is never rounded; a mean is that sum over the count, rounded once. FloatSum
// adds float64 values exactly; ShortSum does so in less memory, where the values allow
// it. All sums have the same bits for any order and grouping of the values, and one
// encoding per value, so that partial sums from several replicas merge to the same
// bytes.
//
// Cells parses a whole column, many times as fast as cell by cell where the processor
// supports it.
//
// The parsers take the bytes of a cell, neither keep nor change them, allocate nothing
// and may be called concurrently. They accept ASCII digits only.
package number
