package sql

import (
	"math/big"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"analyzer/columnar/budget"
)

// tokenKind is the kind of a token.
type tokenKind uint8

const (
	endOfText  tokenKind = iota
	word                 // a keyword or a name
	quotedName           // a name in double quotes
	number
	text // in single quotes
	param
	symbol // an operator or a mark
)

// token is a lexical unit of a statement. Its text has no quotes.
type token struct {
	kind tokenKind
	text string
	at   Span
}

// is reports whether a token is a keyword or a symbol. Keywords are given in
// capitals.
func (t token) is(what string) bool {
	switch t.kind {
	case word:
		return strings.EqualFold(t.text, what)
	case symbol:
		return t.text == what
	}
	return false
}

// upper returns a word in capitals, a symbol as it is, and "" for other tokens.
func (t token) upper() string {
	if t.kind == word || t.kind == symbol {
		return strings.ToUpper(t.text)
	}
	return ""
}

// isAny reports whether a token is one of these keywords and symbols.
func (t token) isAny(these ...string) bool { return slices.ContainsFunc(these, t.is) }

// lexer cuts a text into tokens.
type lexer struct {
	src string
	at  int
}

// tokensOfStep is how many tokens are as much work as one step of binding.
const tokensOfStep = 4

// all returns the tokens of the text, the last of which is endOfText.
func (l *lexer) all(work *budget.Work) []token {
	var tokens []token
	for {
		if len(tokens)%tokensOfStep == 0 {
			work.Do(1)
		}
		t := l.next()
		tokens = append(tokens, t)
		if t.kind == endOfText {
			return tokens
		}
	}
}

// try returns the next token, or the error where there is no valid one.
func (l *lexer) try() (t token, err error) {
	defer Catch(&err)
	return l.next(), nil
}

// skip passes over space and comments.
func (l *lexer) skip() {
	for l.at < len(l.src) {
		rest := l.src[l.at:]
		r, size := utf8.DecodeRuneInString(rest)
		switch {
		case unicode.IsSpace(r) || r == '\ufeff':
			l.at += size
		case strings.HasPrefix(rest, "--"):
			if n := strings.IndexByte(rest, '\n'); n >= 0 {
				l.at += n
			} else {
				l.at = len(l.src)
			}
		case strings.HasPrefix(rest, "/*"):
			n := commentLength(rest)
			if n < 0 {
				panic(l.unclosed(Span{l.at, l.at + 2}, "Next: close it with */.", "a comment is not closed"))
			}
			l.at += n
		default:
			return
		}
	}
}

// commentLength returns the length of a comment and of those within it, -1 if one is not closed.
func commentLength(src string) int {
	depth := 0
	for i := 0; i+1 < len(src); i++ {
		switch src[i : i+2] {
		case "/*":
			depth++
			i++
		case "*/":
			depth--
			if i++; depth == 0 {
				return i + 1
			}
		}
	}
	return -1
}

// next returns the next token.
func (l *lexer) next() token {
	l.skip()
	begin, rest := l.at, l.src[l.at:]
	if rest == "" {
		return token{kind: endOfText, at: Span{begin, begin}}
	}
	r, size := utf8.DecodeRuneInString(rest)
	switch {
	case r == utf8.RuneError && size == 1:
		panic(Wrong(Span{begin, begin + 1}, "", "the statement is not valid UTF-8"))
	case r == '\'' || r|0x20 == 'e' && strings.HasPrefix(rest[1:], "'"):
		return l.literal()
	case r == '"':
		return l.quoted(quotedName, '"', "a name is not closed", "Next: close it with a double quote; one within it is written twice.")
	case isDigit(r) || r == '.' && len(rest) > 1 && isDigit(rune(rest[1])):
		return l.number()
	case isNameStart(r):
		l.at += nameLength(rest)
		return token{word, l.src[begin:l.at], Span{begin, l.at}}
	case r == '$' && len(rest) > 1:
		n := nameLength(rest[1:])
		if tag := rest[:1+n]; strings.HasPrefix(rest[1+n:], "$") && (n == 0 || !isDigit(rune(rest[1]))) {
			return l.dollarQuoted(tag + "$")
		}
		if n > 0 {
			l.at += 1 + n
			return token{param, rest[1 : 1+n], Span{begin, l.at}}
		}
	}
	for _, s := range [...]string{"::", "<->", "<=>", "<>", "!=", "<@", "<=", ">=", "==", "||", "<<", ">>", "//", "**", "!~~*", "!~~", "~~~", "~~*", "~~", "!~", "&&", "@>", "^@", "->>", "->", ":=", "=>"} {
		if strings.HasPrefix(rest, s) {
			l.at += len(s)
			return token{symbol, s, Span{begin, l.at}}
		}
	}
	if strings.IndexByte("()[]{},.;+-*/%^<>=?:~@&|!#", rest[0]) < 0 {
		panic(Wrong(Span{begin, begin + size}, insteadOf[string(r)], "%q does not belong into a statement", r))
	}
	l.at++
	return token{symbol, rest[:1], Span{begin, l.at}}
}

// unclosed returns the error of a text, name or comment that takes all that follows, and passes over it.
func (l *lexer) unclosed(at Span, hint, what string) *Error {
	l.at = len(l.src)
	return Wrong(at, hint, "%s", what)
}

// quoted reads a token between two quotes. A doubled quote within stands for one.
func (l *lexer) quoted(kind tokenKind, quote byte, unclosed, hint string) token {
	begin := l.at
	var b strings.Builder
	for l.at++; ; {
		n := strings.IndexByte(l.src[l.at:], quote)
		if n < 0 {
			panic(l.unclosed(Span{begin, begin + 1}, hint, unclosed))
		}
		b.WriteString(l.src[l.at : l.at+n])
		l.at += n + 1
		if l.at >= len(l.src) || l.src[l.at] != quote {
			break
		}
		b.WriteByte(quote)
		l.at++
	}
	t := checkedText(token{kind, b.String(), Span{begin, l.at}})
	if kind == quotedName && t.text == "" {
		panic(Wrong(t.at, "", "a name is empty"))
	}
	return t
}

// dollarQuoted reads a text between two tags, such as $$ or $tag$, within which everything stands
// for itself.
func (l *lexer) dollarQuoted(tag string) token {
	begin := l.at
	n := strings.Index(l.src[begin+len(tag):], tag)
	if n < 0 {
		panic(l.unclosed(Span{begin, begin + len(tag)}, "Next: close it with "+tag+".", "a text is not closed"))
	}
	l.at = begin + n + 2*len(tag)
	return checkedText(token{text, l.src[begin+len(tag) : l.at-len(tag)], Span{begin, l.at}})
}

// inBase is an integer with the digits of another base than ten: 0xFF, 0o17 and 0b101, with _ between digits.
var inBase = regexp.MustCompile(`^0(?i:x[0-9a-f]+(?:_[0-9a-f]+)*|o[0-7]+(?:_[0-7]+)*|b[01]+(?:_[01]+)*)`)

// number reads digits with an optional fraction and exponent. 1_000 is 1000.
func (l *lexer) number() token {
	begin := l.at
	if digits := inBase.FindString(l.src[begin:]); digits != "" && nameLength(l.src[begin+len(digits):]) == 0 {
		n, _ := new(big.Int).SetString(digits, 0)
		l.at += len(digits)
		return token{number, n.String(), Span{begin, l.at}}
	}
	digits := func() {
		for l.at < len(l.src) && (isDigit(rune(l.src[l.at])) || l.src[l.at] == '_' && l.at > begin && l.at+1 < len(l.src) &&
			isDigit(rune(l.src[l.at-1])) && isDigit(rune(l.src[l.at+1]))) {
			l.at++
		}
	}
	digits()
	if l.at < len(l.src) && l.src[l.at] == '.' {
		l.at++
		digits()
	}
	if rest := l.src[l.at:]; rest != "" && rest[0]|0x20 == 'e' {
		n := 1
		if len(rest) > 1 && (rest[1] == '+' || rest[1] == '-') {
			n = 2
		}
		if len(rest) > n && isDigit(rune(rest[n])) {
			l.at += n
			digits()
		}
	}
	if n := nameLength(l.src[l.at:]); n > 0 {
		panic(Wrong(Span{begin, l.at + n}, "Next: a name that begins with a digit is written in double quotes.",
			"%q is neither a number nor a name", l.src[begin:l.at+n]))
	}
	return token{number, strings.ReplaceAll(l.src[begin:l.at], "_", ""), Span{begin, l.at}}
}

func isDigit(r rune) bool { return r >= '0' && r <= '9' }

func isNameStart(r rune) bool { return r == '_' || unicode.IsLetter(r) }

// nameLength returns the length in bytes of the longest prefix of s whose characters may
// stand in a name.
func nameLength(s string) int {
	for i, r := range s {
		if !isNameStart(r) && !isDigit(r) && !unicode.IsMark(r) {
			return i
		}
	}
	return len(s)
}

// reserved reports whether a word is a keyword that must be in double quotes to be a name.
func reserved(name string) bool { return slices.Contains(ReservedWords(), strings.ToUpper(name)) }

// ReservedWords returns the words that are names only in double quotes.
func ReservedWords() []string {
	return []string{
		"ALL", "AND", "ANTI", "ANY", "AS", "ASC", "ASOF", "BETWEEN", "BY", "CASE", "CAST", "CROSS", "DESC", "DISTINCT", "ELSE", "END",
		"EXCEPT", "EXISTS", "FALSE", "FETCH", "FOR", "FROM", "FULL", "GROUP", "HAVING", "ILIKE", "IN", "INNER", "INTERSECT", "INTERVAL", "INTO", "IS",
		"JOIN", "LATERAL", "LEFT", "LIKE", "LIMIT", "NATURAL", "NOT", "NULL", "OFFSET", "ON", "OR", "ORDER", "OUTER", "PIVOT", "POSITIONAL", "QUALIFY",
		"RIGHT", "SELECT", "SEMI", "SIMILAR", "TABLESAMPLE", "THEN", "TRUE", "TRY_CAST", "UNION", "UNPIVOT", "USING", "VALUES", "WHEN", "WHERE", "WINDOW", "WITH",
	}
}

// Words returns the words of a text (names and keywords) and its quoted texts, up to the
// first lexical error. The text may be an unfinished statement.
func Words(src string) (names, texts []string) {
	l := &lexer{src: src}
	for {
		switch t, err := l.try(); {
		case err != nil || t.kind == endOfText:
			return names, texts
		case t.kind == word || t.kind == quotedName:
			names = append(names, t.text)
		case t.kind == text:
			texts = append(texts, t.text)
		}
	}
}
