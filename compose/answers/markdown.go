package answers

import (
	"io"
	"strings"
	"unicode"
	"unicode/utf8"

	"analyzer/columnar"
)

// markdown writes answers as tables of GitHub's Markdown, under headings if there are several.
// It holds back nothing, so columns are not aligned in the text.
type markdown struct {
	ended
	lineWriter
	titles  map[string]string
	several bool
	begun   bool
	cell    []byte
}

func newMarkdown(w io.Writer, o Options) *markdown {
	return &markdown{lineWriter: newLineWriter(w), titles: o.Titles, several: o.Queries > 1}
}

func (e *markdown) begin(query string, columns columnar.Schema) error {
	b := e.heading(e.line[:0], query)
	for _, c := range columns {
		b = append(b, "| "...)
		b = e.appendEscaped(b, appendVisible(e.cell[:0], []byte(c.Name)))
		b = append(b, ' ')
	}
	b = append(b, "|\n"...)
	for _, c := range columns {
		if isNumber(c.Type) {
			b = append(b, "|--:"...)
		} else {
			b = append(b, "|---"...)
		}
	}
	return e.put(append(b, "|\n"...))
}

// heading appends what the answer is to, if the reader could not tell.
func (e *markdown) heading(dst []byte, query string) []byte {
	if e.begun {
		dst = append(dst, '\n')
	}
	e.begun = true
	title := e.titles[query]
	if !e.several && title == "" {
		return dst
	}
	dst = append(append(dst, "## "...), query...)
	first, rest, _ := strings.Cut(title, "\n")
	if first != "" {
		dst = append(append(dst, ": "...), first...)
	}
	for line := range strings.Lines(rest) {
		dst = append(append(dst, "\n\n"...), strings.TrimSpace(line)...)
	}
	return append(dst, "\n\n"...)
}

func (e *markdown) write(rows columnar.Rows) error {
	for i := range rows.Len {
		b := e.line[:0]
		for _, v := range rows.Cols {
			e.cell = appendCell(e.cell[:0], v, i)
			b = append(e.appendEscaped(append(b, "| "...), e.cell), ' ')
		}
		if err := e.put(append(b, "|\n"...)); err != nil {
			return err
		}
	}
	return nil
}

func (e *markdown) end() error { return e.w.Flush() }

// appendEscaped appends the text of a cell with a backslash before what would be markup there.
func (e *markdown) appendEscaped(dst, text []byte) []byte {
	for i, b := range text {
		if strings.IndexByte("\\`*[]<>|~&", b) >= 0 || b == '_' && !withinWord(text, i) {
			dst = append(dst, '\\')
		}
		dst = append(dst, b)
	}
	return dst
}

// withinWord reports whether an underscore is between letters or digits, where it is no markup.
func withinWord(text []byte, i int) bool {
	before, _ := utf8.DecodeLastRune(text[:i])
	after, _ := utf8.DecodeRune(text[i+1:])
	word := func(r rune) bool {
		return r == '_' || r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r))
	}
	return word(before) && word(after) && before != '_' && after != '_'
}
