// Package draw makes the random choices of the generators.
//
// Everything here is integer arithmetic: floating point may be fused or
// rounded differently from one processor to the next, and generated files must
// have the same bytes everywhere. A row's choices depend on a key and the row's
// number only, so that any core may make any row.
package draw
