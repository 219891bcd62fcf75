// Package stored reads the bytes of files as they are stored: compressed or not, in UTF-8 or in
// another encoding, from a disk or a pipe. What it hands out, in blocks, is decompressed and in
// UTF-8. Formats of text, such as CSV, divide it into records.
//
// The first bytes of a file say how it is compressed, never its name.
package stored
