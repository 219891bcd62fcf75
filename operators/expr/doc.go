// Package expr represents the expressions of plans as plain data, and evaluates them
// over vectors.
//
// An [Expr] is a tree that is built with constructors, travels as JSON, prints
// like SQL and is immutable: every operation returns a new tree that shares the
// unchanged parts of the old one. [Compile] turns a tree into an [Evaluator] for
// batches of one schema.
//
// # Functions
//
// Every operation, operators included, is an entry of a table: its argument and
// result types, its cost, whether it can fail, and how its kernel is built.
// Checking, compiling and printing all use the table. To add a function, write an
// entry and its kernel beside related ones (text.go, list.go, …), and test cases
// for it. Tests evaluate every entry, and random trees of all of them.
//
// # Values
//
// Nulls follow SQL: and, or and not are three-valued, is_null is never null, and
// everything else is null where an argument is. A condition selects a row only
// where it is true.
//
// Int, Decimal and Wide are exact. They never wrap around: a result that does not
// fit is an [ErrOverflow] that names the expression. They compare by value.
// Dividing exact numbers gives the float64 nearest to the exact quotient, so the
// result is the same everywhere; dividing by zero gives null. In an operation with
// a Float, an exact number is first converted to the nearest Float.
//
// Text is UTF-8 and compares bytewise, which is the order of code points.
//
// # Skipped rows
//
// The operation and evaluates an argument that is expensive or can fail only in
// rows where no earlier argument is false; or does so only where none is true. So
// an overflow in such an argument is an error only in rows that are not yet decided.
// Whether a row fails depends on that row alone, not on how rows are cut into
// batches. [Expr.Fold] may drop arguments that cannot matter, and their errors.
package expr
