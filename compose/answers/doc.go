// Package answers writes the answers of a run: as aligned text, CSV, TSV, JSON, lines
// of JSON, Markdown, Arrow IPC or Parquet, to a stream or as one file per query.
//
// # Values
//
// Every format holds exactly what was computed. Integers and decimals are
// written as exact numbers, decimals without trailing zeros; a float is the
// shortest text that reads back as the same float64. Arrow and Parquet carry
// decimals as decimal128(38, 6), those of 64 bits as decimals of 19 digits in Parquet, lists as lists,
// and nulls as nulls.
//
//	         null    empty text   list                 NaN and infinities
//	table    NULL                 a, b                 nan, inf, -inf
//	csv      empty   ""           ["a","b"], quoted    nan, inf, -inf
//	json     null    ""           ["a","b"]            null
//	markdown NULL                 a, b                 nan, inf, -inf
//
// CSV follows RFC 4180, but with line feeds. A null that is a row's only field is
// written as "", since most readers skip empty lines. TSV is the same with tabs.
//
// Markdown is GitHub's: what would be markup in a cell stands behind a backslash, and control
// characters are escaped as in tables.
//
// # Streams
//
// A stream takes the answers of a run one after the other.
//
//   - JSON is one object, from query to {"columns": …, "rows": …}.
//   - JSONL of one answer is an object per row, from column to value, on a line of its
//     own. Of several answers it is an object per answer, with its query and, if answers
//     come while tables are read, the part of the tables for which it is exact.
//   - One CSV answer is plain CSV. Of several answers, each is preceded by a line "# query",
//     and a field that begins with "#" is quoted, so that outside quotes only those lines
//     begin with it.
//   - Arrow (the IPC stream format) and Parquet can hold only one answer.
//
// # Files
//
// A directory receives one complete file per query (q1.csv and so on), for all queries
// or for none. Devices, pipes and symbolic links of these names stay, and are written to. Arrow files are in the IPC file format; a JSON file is an object with a
// single query.
package answers
