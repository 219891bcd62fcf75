// Package order holds the operators that depend on the order of all rows: sort,
// with or without a limit, and percentile.
//
// The order is total: rows with equal keys are ordered by their other columns,
// in the order of the schema, ascending. Numbers are ordered by value, with NaN
// after them; text by its bytes; lists item by item; false before true. Nulls
// are last in both directions, as in DuckDB, unless a key puts them first.
//
// Rows are kept in pages and never move. What is sorted is entries: the first
// key's value, abbreviated to a word with the same order, and the row's id.
// Rows with equal words are compared themselves. Over budget, the rows in
// memory are sorted and spilled as a run. At the end the runs are merged, a
// bounded number at a time, with one block of each in memory.
//
// Where the runtime allows several goroutines, entries are divided by their
// first bits into pieces, each of which is sorted in any of them, and a page is
// filled while the one before is emitted. The order is total, so that all of
// this changes no answer.
package order
