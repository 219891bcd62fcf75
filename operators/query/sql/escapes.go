package sql

import (
	"cmp"
	"strings"
	"unicode/utf8"
)

// literal reads a text in quotes, and those that follow on further lines, which continue it.
func (l *lexer) literal() token {
	t := l.onlyLiteral()
	for l.continued() {
		more := l.onlyLiteral()
		t.text, t.at.End = t.text+more.text, more.at.End
	}
	return t
}

// onlyLiteral reads one text in quotes, with escapes if an E stands before it.
func (l *lexer) onlyLiteral() token {
	if l.src[l.at] != '\'' {
		return l.escaped()
	}
	return l.quoted(text, '\'', "a text is not closed", "Next: close it with a quote; a quote within it is written twice.")
}

// continued reports whether a quote stands behind a line end, and no more than spaces and comments to
// the ends of lines between; the lexer is then at the quote.
func (l *lexer) continued() bool {
	end := l.at
	l.skip()
	between := l.src[end:l.at]
	if strings.HasPrefix(l.src[l.at:], "'") && strings.Contains(between, "\n") && !strings.Contains(between, "/*") {
		return true
	}
	l.at = end
	return false
}

// escapes are the characters behind a \ that stand for another one.
var escapes = map[byte]string{'b': "\b", 'f': "\f", 'n': "\n", 'r': "\r", 't': "\t"}

// escaped reads a text such as E'a\n'.
func (l *lexer) escaped() token {
	begin := l.at
	var b strings.Builder
	var wrong *Error // the first escape that is none
	l.at += len("E'")
	for {
		n := strings.IndexAny(l.src[l.at:], `'\`)
		if n < 0 || l.at+n+1 == len(l.src) && l.src[l.at+n] == '\\' {
			panic(l.unclosed(Span{begin, begin + 2}, "Next: close it with a quote; a quote within it is written twice.", "a text is not closed"))
		}
		b.WriteString(l.src[l.at : l.at+n])
		l.at += n + 1
		switch {
		case l.src[l.at-1] == '\\':
			wrong = cmp.Or(wrong, l.escape(&b))
		case strings.HasPrefix(l.src[l.at:], "'"):
			b.WriteByte('\'')
			l.at++
		case wrong != nil:
			panic(wrong)
		default:
			return checkedText(token{text, b.String(), Span{begin, l.at}})
		}
	}
}

// escape reads what follows a \, and returns what is wrong with it, if anything is.
func (l *lexer) escape(b *strings.Builder) *Error {
	begin, c := l.at, l.src[l.at]
	l.at++
	switch {
	case c == 'x':
		if code, n := l.code(16, 2); n > 0 {
			b.WriteByte(byte(code))
		} else {
			b.WriteByte(c)
		}
	case c >= '0' && c <= '7':
		l.at = begin
		code, _ := l.code(8, 3)
		b.WriteByte(byte(code)) // more than a byte is cut off, as elsewhere
	case c == 'u' || c == 'U':
		digits := map[byte]int{'u': 4, 'U': 8}[c]
		code, n := l.code(16, digits)
		if n < digits {
			return Wrong(Span{begin - 1, l.at}, "", `behind \%c there are %d hexadecimal digits`, c, digits)
		}
		b.WriteRune(code)
	case escapes[c] != "":
		b.WriteString(escapes[c])
	default:
		b.WriteByte(c)
	}
	return nil
}

// code reads up to so many digits, and returns their number and how many there are.
func (l *lexer) code(base, most int) (code rune, n int) {
	for ; n < most && l.at < len(l.src); n++ {
		digit := strings.IndexByte("0123456789abcdef", l.src[l.at]|0x20)
		if c := l.src[l.at]; c >= '0' && c <= '9' {
			digit = int(c - '0')
		}
		if digit < 0 || digit >= base {
			break
		}
		code = code*rune(base) + rune(digit) //nolint:gosec // eight digits are beyond every character, which becomes �
		l.at++
	}
	return code, n
}

// checkedText returns a token whose text is valid.
func checkedText(t token) token {
	if !utf8.ValidString(t.text) || strings.IndexByte(t.text, 0) >= 0 {
		panic(Wrong(t.at, "", "the statement is not valid UTF-8"))
	}
	return t
}
