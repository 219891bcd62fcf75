// Package csv finds the records and fields of a CSV file, in bytes, with all
// cores at once and without ever guessing. It knows nothing of types; package
// scan makes typed batches of what it finds.
//
// # Blocks
//
// The file, decompressed if it is gzip or zstd, is divided into blocks of a
// fixed size. Block k holds the records whose first byte lies in
// [k*size, (k+1)*size), whole: the last one is read to its end beyond the block.
// So block k is a function of the file and the block size alone, whichever
// worker reads it and whenever.
//
// # Records and fields
//
// The bytes mean what they mean to Python's csv.reader in its default dialect
// on a file opened with newline="":
//
//   - a comma, or another delimiter, ends a field; LF, CR or CRLF ends a record;
//   - a field whose first byte is a quote runs to the closing quote, commas and
//     line ends included; a doubled quote in it stands for one;
//   - a quote anywhere else in a field is an ordinary byte, and so is everything
//     after a closing quote up to the next comma or line end;
//   - an empty line is a record without fields.
//
// A file of another columnar.Dialect is rewritten to this one as it is read, as a
// compressed one is decompressed: other quotes, escapes, encodings, delimiters of several
// bytes and comments. Only the delimiter and lines that are left out at the beginning are the
// reader's own.
//
// A byte order mark at the beginning is skipped. The one departure: a field
// still open at the end of the file is reported (Block.Unclosed), not returned
// as if it were complete.
//
// # How
//
// Every 64 bytes become four words of bits: quotes, ends of fields, ends of records
// and the parity of quotes (with AVX2 or AVX-512 where there is). As long as quotes
// stand only where RFC 4180 has them, a byte is inside quotes exactly when an odd
// number of quotes precede it, so a block can be summarised before anybody knows
// how it begins, once for each of the two ways it can: the state at its end, and
// whether any quote stood irregularly. The summaries compose in file order, in
// constant time each, while the blocks are read in any order. Where the true
// beginning meets an irregular quote, the block is walked by the exact state
// machine instead, and the blocks after it wait for the outcome.
package csv
