// Command peers compares analyzer with other programs over the same files. It compares answers with those of DuckDB
// and, on request, of a reference program; it compares time and memory with those of DuckDB and other peers.
//
// DuckDB runs in a Node package, so that no part of it gets into analyzer. README.md says how to run the comparison and
// why it is fair.
package main
