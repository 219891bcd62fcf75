// Package order holds the operators that depend on the order of all rows: sort,
// with or without a limit, and percentile.
//
// The order is total: rows that agree in the keys follow by their other columns,
// in the order of the schema, ascending. Numbers go by value, and what is not a
// number after them; text by its bytes; lists item by item; false before true.
// Nulls are last in both directions, as in DuckDB, unless a key puts them first.
//
// Rows are kept in pages and never moved. What is sorted is entries: the first
// key's value, abbreviated to a word that orders as it does, and the row's id.
// Equal words are told apart by the rows themselves. Over budget, the rows in
// memory are sorted and written as a run; at the end the runs are merged, a
// bounded number at a time, with one block of each in memory.
package order
