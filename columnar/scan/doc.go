// Package scan reads a table from a CSV or Parquet file into typed columns with many
// workers at once. What follows is about CSV files; the columns of a Parquet file have
// the types of the table, or the scan ends with an InputError, as it does at a null in
// a column that is required.
//
// Package csv says where the records and fields are. A Worker takes one block of
// them at a time, tests every required column of the table in every record, and
// shows the records that pass as a Chunk. Nothing but the required numbers has
// been converted then: the consumer asks a Chunk to Materialise the columns a
// filter needs, and afterwards the other columns for the rows that are left.
//
// # Valid rows
//
// A record is a valid row, or is rejected for the first of these that is true:
//
//	blank            it is an empty line (counted, and no more said)
//	unclosed-quote   the file ends within its quotes
//	too-few-fields   it has fewer fields than the header
//	empty            a required cell is empty
//	not-an-int …     a required cell does not fit its format, or one of a strict
//	                 column that is neither empty nor a word for nothing, such as NA
//	duplicate-key    the table has a key, and an earlier row of the file has the same
//
// where columns are tried in the order of the Table. Which rows are valid, and
// why others are not, follows from the file and its Table alone: not from the
// columns asked for, the block size or the number of workers. A record with more
// fields than the header is valid, the fields too many are ignored and it is
// counted as extra-fields.
//
// # Cells
//
// The text of a cell is what csv.AppendUnquoted makes of it, in UTF-8: of invalid bytes
// each maximal subpart becomes one U+FFFD (Unicode Standard, 3.9, "Substitution
// of Maximal Subparts"; what W3C encodings and Python's errors="replace" do).
// Where the table names Nulls, a cell that is one of them counts as what an empty cell
// is said to be here, and an empty one does not, unless it is among them.
//
// In a column that is not required, a number, date or truth value that is empty
// or does not fit is null, empty text is the empty string, and an empty list
// cell is the empty list. A list cell that does not parse is the empty list and
// is counted as malformed-list.
package scan
