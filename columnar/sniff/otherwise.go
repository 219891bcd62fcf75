package sniff

import (
	"bytes"
	"fmt"
)

// otherwise are texts that hold records in other forms than tables have, by how they begin, in small letters. They
// are read all the same: their lines may be searched.
var otherwise = []struct{ what, hint, begins string }{
	{"a pointer of Git LFS", "git lfs pull fetches the file", "version https://git-lfs"},
	{"an SQL script", "run it in a database, and write its tables as CSV", "insert into "},
	{"an SQL script", "run it in a database, and write its tables as CSV", "create table "},
	{"an SQL script", "run it in a database, and write its tables as CSV", "-- mysql dump"},
	{"an SQL script", "run it in a database, and write its tables as CSV", "--\n-- postgresql database dump"},
	{"an SQL script", "run it in a database, and write its tables as CSV", "pragma foreign_keys"},
	{"what psql prints with one value in each line", `write it as CSV: psql --csv`, "-[ record 1 ]"},
	{"what MySQL prints with one value in each line", `end the statement with a semicolon instead of \G`, "*************************** 1. row"},
	{"a table of MediaWiki", "copy the table of its page into a spreadsheet, and save that as CSV", "{|"},
	{"a table of LaTeX", "write the data that it was made of as CSV", `\begin{tab`},
	{"a table of LaTeX", "write the data that it was made of as CSV", `\begin{longtab`},
	{"vCards or a calendar", "export it as CSV", "begin:v"},
	{"a statement of accounts (QIF)", "export it as CSV", "!type:"},
	{"a statement of accounts (MT940)", "export it as CSV", ":20:"},
}

// noteOtherwise says what a text is that begins as one in another form.
func (l *looked) noteOtherwise(text []byte) {
	begin := bytes.ToLower(bytes.TrimLeft(text[:min(len(text), 100)], " \t\r\n"))
	for _, other := range otherwise {
		if bytes.HasPrefix(begin, []byte(other.begins)) {
			l.notes = append(l.notes, Note{Line: 1, Text: fmt.Sprintf("it begins like %s, whose lines are read as rows: %s", other.what, other.hint)})
			return
		}
	}
}
