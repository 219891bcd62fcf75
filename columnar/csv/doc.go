// Package csv finds the records and fields in the bytes of a CSV file, on all cores in
// parallel and without ever guessing. It knows nothing of types; package scan makes
// typed batches of the records.
//
// # Blocks
//
// The file, decompressed if it is gzip or zstd, is divided into blocks of a
// fixed size. Block k holds the records whose first byte lies in
// [k*size, (k+1)*size). They are whole: the last one is read to its end beyond the block.
// So block k is a function of the file and the block size alone, no matter which worker
// reads it or when.
//
// # Records and fields
//
// The bytes mean what they mean to Python's csv.reader in its default dialect
// on a file opened with newline="":
//
//   - a comma, or another delimiter, ends a field; LF, CR or CRLF ends a record;
//   - a field whose first byte is a quote runs to the closing quote, including commas
//     and line ends; a doubled quote in it stands for one;
//   - a quote anywhere else in a field is an ordinary byte, and so is everything
//     after a closing quote up to the next comma or line end;
//   - an empty line is a record without fields.
//
// A columnar.Dialect gives other bytes these meanings: another quote or none, a delimiter of up
// to four bytes, lines that are comments (records without fields), an escape within quotes,
// where a doubled quote then has no meaning, and spaces around quotes. Files with runs of blanks
// between fields, comments behind records, or a byte of two meanings are rewritten to double quotes in order, by one
// core. So are, in effect, files in other encodings than UTF-8.
//
// A byte order mark at the beginning is skipped. There are two differences from Python: a
// field still open at the end of the file is reported (Block.Unclosed), not returned as
// if it were complete; and a quote that is not closed does not swallow the lines behind it, if they
// are records of the table by themselves (Block.Mended). Block.Doubts tells where text follows a
// closing quote.
//
// Lines that are quoted as a whole are unwrapped in order, before all that, and those whose fields have
// fixed widths are cut.
//
// # How
//
// Every 64 bytes become four 64-bit masks: quotes, ends of fields, ends of records and
// the parity of quotes (computed with AVX2, AVX-512 or NEON where available). A dialect is a few bytes
// that the same instructions look for: where it has more than one delimiter of one byte and one
// quote, some operations on the masks of 64 bytes find escaped quotes, whole delimiters,
// comments and spaces before quotes (see lexer). As long as quotes occur only where RFC 4180 allows them, a byte is
// inside quotes exactly when an odd number of quotes precede it.
//
// A worker reads the lines that begin in its block. At the beginning of a line nothing is open
// but perhaps quotes: no comment, no delimiter, no escape. So the lines can be summarised before
// their initial state is known, once for each of the two possible states, outside and inside
// quotes. The summary holds the state at the end of the lines, and whether any quote was
// irregular. Summaries compose in file order, in constant time each, while blocks are read in any
// order. If the block has an irregular quote for its true initial state, the exact state
// machine walks it instead, and the blocks after it wait for the result.
package csv
