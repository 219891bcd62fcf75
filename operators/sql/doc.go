// Package sql is the language of queries: DuckDB's dialect of SQL, which is
// PostgreSQL's with friendlier forms.
//
// [Parse] makes a [Statement] of a text and [Statement.String] a text of a
// statement; one is the inverse of the other. The parser knows more than can be
// answered, so that what is missing is refused by its name and not as a mistake in
// grammar: by the parser itself if nothing else stands in its place, and otherwise by
// package bind, which makes plans of statements.
//
// Every error is an [*Error], which knows where in the text it is and can show it
// there. Within this package and bind a mistake is a panic with such an error, and what
// they export returns it ([Catch]).
package sql
