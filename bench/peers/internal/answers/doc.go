// Package answers reads the answers that analyzer, DuckDB and a reference program print, and says where two of them
// differ.
//
// All of them print one JSON object: query name → {"columns": [...], "rows": [[...], ...]}. Numbers are compared by
// exact value and not as float64, so 3.0 equals 3 but 2^53 differs from 2^53+1. Columns that hold a mean
// or a ratio are compared with a relative tolerance of [Tolerance], because some programs round a quotient once and
// others twice. Everything else, including the order of rows, must be the same.
package answers
