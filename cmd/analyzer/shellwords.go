package main

import (
	"cmp"
	"context"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"analyzer/columnar/input/known"
	"analyzer/compose/answers"
	"analyzer/compose/session/inputs"
	"analyzer/operators/query/bind"
	"analyzer/operators/query/sql"
)

// shellCommands are the commands that a line may hold instead of a statement.
func shellCommands() []string {
	return []string{".help", ".limit", ".mode", ".quit", ".read", ".schema", ".tables"}
}

// terminalFormats are the formats that a terminal can show.
func terminalFormats() []string {
	return slices.DeleteFunc(answers.Formats(), func(name string) bool { return answers.Format(name).Binary() })
}

// complete proposes completions for the word before the cursor: they stand behind start.
func (sh *shell) complete(head, tail string) (start string, completions []string) {
	begun := beginning(sh.before + head)
	start, ok := strings.CutSuffix(head, begun)
	if !ok { // the quoted text began on an earlier line
		return head, nil
	}
	for _, w := range sh.wordsFor(start, begun, tail) {
		if len(w) > len(begun) && begins(w, begun) && !slices.Contains(completions, w) {
			completions = append(completions, w)
		}
	}
	return start, completions
}

func begins(word, begun string) bool {
	return len(word) >= len(begun) && strings.EqualFold(word[:len(begun)], begun)
}

// beginning returns the word that a text ends with: a name, an unclosed quoted text, or a
// command.
func beginning(typed string) string {
	for _, quote := range []string{"'", `"`} {
		if strings.Count(typed, quote)%2 == 1 {
			return typed[strings.LastIndex(typed, quote):]
		}
	}
	i := strings.LastIndexFunc(typed, func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }) + 1
	if i > 0 && typed[i-1] == '.' && strings.TrimSpace(typed[:i-1]) == "" {
		i-- // the point of a command
	}
	return typed[i:]
}

// wordsFor returns the completions of a word, given the text before it.
func (sh *shell) wordsFor(head, begun, tail string) []string {
	command := strings.Fields(head)
	switch first := sh.before == "" && len(command) == 0; {
	case first && strings.HasPrefix(begun, "."):
		return shellCommands()
	case strings.HasPrefix(begun, "'"):
		return sh.files(begun[1:])
	case sh.before == "" && len(command) == 1 && strings.HasPrefix(command[0], "."):
		return sh.argumentsOf(command[0])
	case first:
		return inCase(begun, "SELECT", "FROM", "WITH", "VALUES", "DESCRIBE", "SUMMARIZE", "EXPLAIN", "COPY", "CREATE VIEW")
	}
	names, _ := sql.Words(sh.before + head)
	if n := len(names); n > 0 && slices.Contains([]string{"FROM", "JOIN", "DESCRIBE", "SUMMARIZE", "COPY"}, strings.ToUpper(names[n-1])) {
		return append(sh.readable(), inCase(begun, "SELECT", "LATERAL", "VALUES")...)
	}
	words := sh.columns(sh.before + head + " " + tail)
	if begun == "" || strings.HasSuffix(head, ".") {
		return words
	}
	for _, name := range bind.FunctionNames() {
		words = append(words, name+"(")
	}
	return append(words, inCase(begun, append(sql.ReservedWords(), "ANALYZE", "FILTER", "OVER", "PARTITION", "ROLLUP", "CUBE", "TO")...)...)
}

// inCase returns keywords in lower case if the word was begun in lower case.
func inCase(begun string, keywords ...string) []string {
	if begun != "" && begun == strings.ToLower(begun) {
		for i, w := range keywords {
			keywords[i] = strings.ToLower(w)
		}
	}
	return keywords
}

// argumentsOf returns the possible arguments of a command.
func (sh *shell) argumentsOf(command string) []string {
	switch command {
	case ".mode":
		return terminalFormats()
	case ".schema":
		return sh.readable()
	}
	return nil
}

// files returns the quoted paths of files and directories that begin so. The quotes of a
// directory stay open, since more of the path follows.
func (sh *shell) files(begun string) []string {
	dir, _ := filepath.Split(begun)
	var all []string
	names, _ := sh.fs.List(cmp.Or(dir, "."))
	for _, name := range names {
		path := dir + name
		if !begins(path, begun) {
			continue
		}
		switch _, err := sh.fs.List(path); {
		case err == nil:
			all = append(all, "'"+path+"/")
		case isTable(name) || strings.HasSuffix(name, ".sql"):
			all = append(all, sql.QuoteText(path))
		}
	}
	return all
}

// isTable reports whether a file's name looks like one that statements can read.
func isTable(name string) bool {
	return known.HasTable(name)
}

// readable returns the tables, views and files that statements can read without a path.
func (sh *shell) readable() []string {
	var all []string
	for name := range sh.tables {
		all = append(all, sql.QuoteName(name))
	}
	for _, name := range sh.Views() {
		all = append(all, sql.QuoteName(name))
	}
	slices.Sort(all)
	names, _ := sh.fs.List(".")
	for _, name := range names {
		if isTable(name) {
			all = append(all, sql.QuoteText(name))
		}
	}
	return all
}

// columns returns the columns of all tables and files that a text mentions, found at the
// beginnings of the files.
func (sh *shell) columns(text string) []string {
	names, files := sql.Words(text)
	sources := make([]string, 0, len(names)+len(files))
	for _, name := range names {
		if sh.HasView(name) {
			sources = append(sources, sql.QuoteName(name))
			continue
		}
		for table, file := range sh.tables {
			if strings.EqualFold(name, table) && file != inputs.Stdin { // the standard input is the terminal
				sources = append(sources, sql.QuoteName(table))
			}
		}
	}
	for _, file := range files {
		if isTable(file) {
			sources = append(sources, sql.QuoteText(file))
		}
	}
	var all []string
	for _, source := range sources {
		if _, ok := sh.known[source]; !ok {
			sh.known[source] = sh.columnsOf(source)
		}
		all = append(all, sh.known[source]...)
	}
	return all
}

// columnsOf looks into the files of a table. An unreadable file has no columns here; it is an
// error once a statement reads it.
func (sh *shell) columnsOf(source string) []string {
	names, err := sh.Columns(context.Background(), "FROM "+source)
	if err != nil {
		return nil
	}
	for i, name := range names {
		names[i] = sql.QuoteName(name)
	}
	return names
}
