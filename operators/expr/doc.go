// Package expr holds the expressions of plans as plain data, and evaluates them
// over vectors.
//
// An [Expr] is a tree that is built with constructors, travels as JSON, prints
// like SQL and is never changed once built: every operation returns a new tree
// that shares what it kept. [Compile] turns one into an [Evaluator] for batches
// of one schema.
//
// # Functions
//
// Every operation, operators included, is an entry of a table: what it takes and
// gives, what it costs, whether it can fail, how its kernel is built, a line of
// help and an example. Whatever is done with expressions follows from the
// entries. To add a function, write an entry and its kernel beside related ones
// (text.go, list.go, …), and cases of it in a test; random trees of all entries
// are tested as well, and the examples are computed.
//
// # Values
//
// Nulls follow SQL: and, or and not are three-valued, is_null is never null, and
// everything else is null where an argument is. A condition selects a row only
// where it is true.
//
// Numbers are exact. Int and Decimal never wrap: what does not fit is an
// [ErrOverflow] that names the expression. Int, Decimal and Wide compare by
// value. Division gives the float64 nearest to the exact quotient of exact
// numbers, so it is the same everywhere; dividing by zero gives null. An exact
// number that meets a Float is converted to the nearest Float first.
//
// Text is UTF-8 and compares by its bytes, which is the order of code points.
//
// # Skipped rows
//
// and evaluates an argument that is expensive or can fail only in rows where no
// earlier argument is false, or likewise in rows where none is true. So an
// overflow in such an argument is an error only if its row still counted.
// Whether it is one follows from the row alone, not from how rows were cut into
// batches. [Expr.Fold] may drop arguments that cannot matter, errors with them.
package expr
