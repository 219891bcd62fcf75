// Command peers sets analyzer beside other programs over the same files: beside DuckDB, and on request a reference
// program, for the same answers; beside DuckDB for time and memory.
//
// DuckDB comes in through a Node package, so that nothing of it reaches analyzer. See README.md for how to run it and for
// why the comparison is fair.
package main
