package sniff

import (
	"bytes"
	"fmt"
	"slices"
	"unicode/utf8"
)

// otherwise are texts that hold records in other forms than tables have, by how they may begin, in small letters. They
// are read all the same: their lines may be searched.
var otherwise = []struct {
	what, hint string
	begins     []string
}{
	{"a pointer of Git LFS", "git lfs pull fetches the file", []string{"version https://git-lfs"}},
	{"an SQL script", "run it in a database, and write its tables as CSV", []string{
		"insert into ", "create table ", "-- mysql dump", "--\n-- postgresql database dump", "pragma foreign_keys",
	}},
	{"what psql prints with one value in each line", "write it as CSV: psql --csv", []string{"-[ record 1 ]"}},
	{"what MySQL prints with one value in each line", `end the statement with a semicolon instead of \G`, []string{"*************************** 1. row"}},
	{"a table of MediaWiki", "copy the table of its page into a spreadsheet, and save that as CSV", []string{"{|"}},
	{"a table of LaTeX", "write the data that it was made of as CSV", []string{`\begin{tab`, `\begin{longtab`}},
	{"the counts of networks in /proc/net/dev", "ip -s -json link writes them as JSON", []string{"inter-|"}},
	{"vCards or a calendar", "export it as CSV", []string{"begin:v"}},
	{"a statement of accounts (QIF)", "export it as CSV", []string{"!type:"}},
	{"a statement of accounts (MT940)", "export it as CSV", []string{":20:"}},
}

// separators are signs that end lines in Unicode, and in no other reader of CSV.
const separators = "\u0085\u2028\u2029"

// noteSeparators says that lines end with a sign that ends none in CSV, so that all of them seem to be one.
func (l *looked) noteSeparators(text []byte) {
	if bytes.ContainsAny(bytes.TrimRight(text, "\r\n"), "\r\n") {
		return
	}
	at := bytes.IndexAny(text, separators)
	if at < 0 {
		return
	}
	sign, _ := utf8.DecodeRune(text[at:])
	l.notes = append(l.notes, Note{Line: 1, Text: fmt.Sprintf("its lines end with %U, which ends no line of CSV, so that they are one: write it with line feeds", sign)})
}

// noteOtherwise says what a text is that begins as one in another form.
func (l *looked) noteOtherwise(text []byte) {
	begin := bytes.ToLower(bytes.TrimLeft(text[:min(len(text), 100)], " \t\r\n"))
	for _, other := range otherwise {
		if slices.ContainsFunc(other.begins, func(prefix string) bool { return bytes.HasPrefix(begin, []byte(prefix)) }) {
			l.notes = append(l.notes, Note{Line: 1, Text: fmt.Sprintf("it begins like %s, whose lines are read as rows: %s", other.what, other.hint)})
			return
		}
	}
}
