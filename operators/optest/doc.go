// Package optest tests operators. A Case is an operator with its input and its
// answer. Check runs it with batches and budgets of many sizes, Faults with a
// file system that fails. Cancel and Close stop it at many points, early ones
// above all.
//
// All of them hold an operator to its contract:
//
//  1. The answer does not depend on how the input is cut into batches, on the
//     budget, or on what the operator did before.
//  2. Pushed rows are read only during the call, and not changed: they are
//     overwritten when the call returns.
//  3. Pages have the columns of the schema, and no more rows than
//     operators.PageRows or the batch.
//  4. After the last Finish, and after Close, nothing is held: no memory of the
//     allocator, no reservation, no open file, no file.
//  5. Close is legal at any time, and again.
//  6. Columns that it says it takes coded, or hands on, may be coded or not, in every batch.
package optest
