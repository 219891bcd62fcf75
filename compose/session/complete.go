package session

import (
	"cmp"
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"analyzer/columnar/input/known"
	"analyzer/compose/session/inputs"
	"analyzer/operators/query/bind"
	"analyzer/operators/query/sql"
)

// Completer proposes words of a statement that is being typed. It looks up the columns of a table
// once, so a statement has a new one: files may have changed.
type Completer struct {
	ses   *Session
	known map[string][]string // columns, by table or file
}

// Completer returns a completer of one statement.
func (s *Session) Completer() *Completer {
	return &Completer{ses: s, known: make(map[string][]string)}
}

// Complete proposes words for the one that a line has before the cursor, between head and tail. The
// lines before it are earlier. What is proposed stands behind start.
func (c *Completer) Complete(earlier, head, tail string) (start string, words []string) {
	begun := lastWord(earlier + head)
	start, ok := strings.CutSuffix(head, begun)
	if !ok { // the quoted text began on an earlier line
		return head, nil
	}
	return start, Completing(begun, c.words(earlier+start, begun, tail))
}

// Completing returns the words that begin so, in either case, and go on. Each is there once.
func Completing(begun string, words []string) (out []string) {
	for _, w := range words {
		if len(w) > len(begun) && begins(w, begun) && !slices.Contains(out, w) {
			out = append(out, w)
		}
	}
	return out
}

func begins(word, begun string) bool {
	return len(word) >= len(begun) && strings.EqualFold(word[:len(begun)], begun)
}

// lastWord returns the word that a text ends with: a name or an unclosed quoted text.
func lastWord(typed string) string {
	for _, quote := range []string{"'", `"`} {
		if strings.Count(typed, quote)%2 == 1 {
			return typed[strings.LastIndex(typed, quote):]
		}
	}
	return typed[strings.LastIndexFunc(typed, func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) })+1:]
}

// words returns the completions of a word, given the text before and after it.
func (c *Completer) words(head, begun, tail string) []string {
	switch {
	case strings.HasPrefix(begun, "'"):
		return c.files(begun[1:])
	case strings.TrimSpace(head) == "":
		return inCase(begun, "SELECT", "FROM", "WITH", "VALUES", "DESCRIBE", "SUMMARIZE", "EXPLAIN", "COPY", "CREATE VIEW")
	}
	names, _ := sql.Words(head)
	if n := len(names); n > 0 && slices.Contains([]string{"FROM", "JOIN", "DESCRIBE", "SUMMARIZE", "COPY"}, strings.ToUpper(names[n-1])) {
		return append(c.ses.Readable(), inCase(begun, "SELECT", "LATERAL", "VALUES")...)
	}
	words := c.columns(head + " " + tail)
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

// files returns the quoted paths of files and directories that begin so. The quotes of a
// directory stay open, since more of the path follows.
func (c *Completer) files(begun string) (all []string) {
	fs := c.ses.cfg.FS
	dir, _ := filepath.Split(begun)
	names, _ := fs.List(cmp.Or(dir, "."))
	for _, name := range names {
		path := dir + name
		if !begins(path, begun) {
			continue
		}
		switch _, err := fs.List(path); {
		case err == nil:
			all = append(all, "'"+path+"/")
		case known.HasTable(name) || strings.HasSuffix(name, ".sql"):
			all = append(all, sql.QuoteText(path))
		}
	}
	return all
}

// Readable returns the tables, views and files that statements can read without a path.
func (s *Session) Readable() (all []string) {
	for name := range s.cfg.Tables {
		all = append(all, sql.QuoteName(name))
	}
	for _, name := range s.Views() {
		all = append(all, sql.QuoteName(name))
	}
	slices.Sort(all)
	names, _ := s.cfg.FS.List(".")
	for _, name := range names {
		if known.HasTable(name) {
			all = append(all, sql.QuoteText(name))
		}
	}
	return all
}

// columns returns the columns of all tables and files that a text mentions, found at the
// beginnings of the files.
func (c *Completer) columns(text string) (all []string) {
	names, files := sql.Words(text)
	sources := make([]string, 0, len(names)+len(files))
	for _, name := range names {
		if c.ses.HasView(name) {
			sources = append(sources, sql.QuoteName(name))
			continue
		}
		for table, file := range c.ses.cfg.Tables {
			if strings.EqualFold(name, table) && file != inputs.Stdin && !c.waits(file) { // who types may do so there
				sources = append(sources, sql.QuoteName(table))
			}
		}
	}
	for _, file := range files {
		if known.HasTable(file) && !c.waits(file) {
			sources = append(sources, sql.QuoteText(file))
		}
	}
	for _, source := range sources {
		if _, ok := c.known[source]; !ok {
			c.known[source] = c.columnsOf(source)
		}
		all = append(all, c.known[source]...)
	}
	return all
}

// waits reports whether a file is a pipe or the like, which is read once, and waits until somebody writes to it.
func (c *Completer) waits(file string) bool {
	_, err := c.ses.cfg.FS.Size(file)
	return errors.Is(err, errors.ErrUnsupported)
}

// columnsOf looks into the files of a table. An unreadable file has no columns here; it is an
// error once a statement reads it.
func (c *Completer) columnsOf(source string) []string {
	names, err := c.ses.Columns(context.Background(), "FROM "+source)
	if err != nil {
		return nil
	}
	for i, name := range names {
		names[i] = sql.QuoteName(name)
	}
	return names
}
