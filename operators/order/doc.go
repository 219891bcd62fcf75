// Package order holds the operators that depend on the order of all rows: sort,
// with or without a limit, and percentile.
//
// The order is total: rows that agree in the keys follow by their other columns,
// in the order of the schema, ascending. Numbers go by value, text by its bytes,
// lists item by item, and nulls last in both directions, as in DuckDB.
//
// Over budget, the rows in memory are sorted and written as a run; at the end
// the runs are merged, a bounded number at a time.
package order
