// Package pieces cuts what grows into pieces of whole rows for the tables of an open job: what comes
// through a pipe (Pipe), and what is new in the files of a directory (Watch).
//
// A piece is a file that begins with the header of what it was cut from. It stays as it is until it is
// in the table, so that it can be sent any number of times, and counts once.
package pieces
