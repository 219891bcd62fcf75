// Package answers writes the answers of a run: as aligned text, CSV, JSON, lines of
// JSON, Arrow IPC or Parquet, to a stream or as one file per query.
//
// # Values
//
// Every format holds exactly what was computed. Integers and decimals are
// written as exact numbers, decimals without trailing zeros; a float is the
// shortest text that reads back as the same float64. Arrow and Parquet carry
// decimals as decimal128(38, 6), lists as lists, and nulls as nulls.
//
//	         null    empty text   list                 float that is no number
//	table    NULL                 a, b                 NaN, +Inf, -Inf
//	csv      empty   ""           ["a","b"], quoted    NaN, +Inf, -Inf
//	json     null    ""           ["a","b"]            null
//
// CSV is that of RFC 4180 with line feeds. A null that is a row's only field is
// written as "", since an empty line is no row to most readers.
//
// # Streams
//
// A stream takes the answers of a run one after the other. JSON is one object,
// from query to {"columns": …, "rows": …}. JSONL of one answer is an object for each
// row, from column to value, on a line of its own; of several it is an object for each
// answer, with its query, and what it is exact for where answers come while tables are
// read. One CSV answer is plain CSV; of
// several, each is preceded by a line "# query", and a field that begins with
// "#" is quoted, so that outside quotes only those lines begin with it. Arrow
// (the IPC stream format) and Parquet have no place for a second answer.
//
// # Files
//
// A directory receives one file per query, q1.csv and so on, all of them
// complete, or none. Arrow files are in the IPC file format; a JSON file is an
// object with its query alone.
package answers
