// Package scan reads a table from a CSV or Parquet file into typed columns, with many
// workers in parallel. The rest of this text is about CSV files. The columns of a Parquet
// file must have the types of the table and no nulls where they are required; otherwise
// the scan ends with an InputError.
//
// Package csv finds the records and fields. A Worker takes one block of records at a
// time, checks every required column of the table in every record, and returns the valid
// ones as a Chunk. At this point only the required numbers have been converted: the
// consumer asks a Chunk to Materialise the columns that a filter needs, and then the
// other columns for the rows that pass the filter.
//
// # Valid rows
//
// A record is rejected for the first of these reasons that applies; otherwise it is a
// valid row:
//
//	blank            it is an empty line (only counted)
//	unclosed-quote   the file ends within its quotes
//	too-few-fields   it has fewer fields than the header
//	empty            a required cell is empty
//	not-an-int …     a required cell does not fit its format, or a cell of a strict
//	                 column does not, and is neither empty nor a null word such as NA
//	duplicate-key    the table has a key, and an earlier row of the file has the same key
//
// Columns are checked in the order of the Table. Which rows are valid, and why others
// are not, depends on the file and its Table alone, not on the columns asked for, the
// block size or the number of workers. A record with more fields than the header is
// valid; its extra fields are ignored, and it is counted as extra-fields.
//
// # Cells
//
// The text of a cell is the result of csv.AppendUnquoted, in UTF-8: each maximal subpart
// of invalid bytes becomes one U+FFFD (Unicode Standard, 3.9, "Substitution of Maximal
// Subparts"; W3C encodings and Python's errors="replace" do the same). If the table
// names Nulls, "empty" in this text means a cell with one of these texts. A cell without
// text is then not empty, unless "" is one of the Nulls.
//
// In a column that is not required, a number, date or truth value that is empty or does
// not parse becomes null, an empty text becomes the empty string, and an empty list cell
// becomes the empty list. A list cell that does not parse becomes the empty list and is
// counted as malformed-list.
package scan
