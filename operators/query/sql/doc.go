// Package sql parses and prints the language of queries: DuckDB's dialect of SQL, which
// is PostgreSQL's with friendlier forms.
//
// [Parse] turns a text into a [Statement], and [Statement.String] turns a statement into
// a text; each is the inverse of the other. The parser accepts more than can be
// answered, so that an unsupported feature is refused by name and not as a syntax error:
// by the parser itself if the tree has no node for it, and otherwise by packages bind and scalar,
// which turn statements into plans.
//
// Every error in a statement is an [*Error]. It holds its position in the text, which
// [Show] points out. Within this package, bind and scalar, functions report a mistake by
// panicking with an *Error; exported functions recover and return it ([Catch]).
package sql
