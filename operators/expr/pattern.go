package expr

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
	"unsafe"

	"analyzer/columnar"
)

// OpLike matches a text against a pattern, which need not be a literal.
const OpLike Op = "like"

// Like is true where a whole text matches a pattern, in which % stands for any sequence
// of code points and _ for exactly one. escape, unless it is empty, makes the character
// after it an ordinary one.
func Like(text *Expr, pattern, escape string) *Expr {
	return Call(OpLike, text, Str(pattern), Str(escape))
}

func init() { functions.Add(patternFunctions) }

func patternFunctions() []function {
	return []function{
		{
			op: OpLike, takes: "a text, a pattern and a character or none", cost: costText * 2, pattern: 1, check: shortPattern, build: buildLike,
			types: only(columnar.Bool, columnar.Text, columnar.Text, columnar.Text),
		},
	}
}

// maxPattern bounds the bytes of a pattern, since every row is matched against it.
const maxPattern = 10_000

// shortPattern checks the length of the second argument of a function, if it is a literal.
func shortPattern(args []*Expr) error {
	if v := args[1].Value; v != nil && len(v.Text) > maxPattern {
		return fmt.Errorf("a pattern of %d bytes; %d are possible", len(v.Text), maxPattern)
	}
	return nil
}

// pattern returns argument i, which must be a literal.
func (b *build) pattern(i int) (string, error) {
	if v := b.literal(i); v != nil {
		return v.Text, nil
	}
	return "", errors.New("the pattern must be a literal")
}

func buildLike(b *build) (kernel, error) {
	escape, err := b.pattern(2)
	if err != nil {
		return nil, err
	}
	if escape == "" && b.literal(1) == nil {
		b.dropLiterals()
		return predicate(func(text, pattern *columnar.Vector, i int) bool { return isLike(text.Bytes(i), pattern.Bytes(i)) }), nil
	}
	likes, err := patternsOf(b, 1, func(text string) (like, int, error) { return likeParts(text, escape) })
	if err != nil {
		return nil, err
	}
	b.dropLiterals()
	if likes.each {
		return likes.kernel(func(parts like, out *result, args []*columnar.Vector, i int) error {
			out.Bools[i] = parts.fit(args[0].Bytes(i))
			return nil
		}), nil
	}
	return likeOf(likes.made), nil
}

// likeOf is the kernel of a pattern that is a literal. To test a text takes so little time that asking for
// each row whether it is null would add a fifth (BenchmarkEval).
//
//go:noinline
func likeOf(parts like) kernel {
	if text := parts.within(); len(text) > 0 {
		return containsLiteral(text)
	}
	return predicate(func(a, _ *columnar.Vector, i int) bool { return parts.fit(a.Bytes(i)) })
}

// isLike reports whether a whole text matches a pattern that is not worth taking apart, since the next row has another.
// What a % stands for grows until what is behind it matches.
func isLike(text, pattern []byte) bool {
	any, behind, from := false, pattern, text // of the last %: what is behind it, and what of the text it does not stand for
	for {
		switch {
		case len(pattern) > 0 && pattern[0] == '%':
			if pattern = pattern[1:]; len(pattern) == 0 {
				return true
			}
			any, behind, from = true, pattern, text
			continue
		case len(text) == 0:
			return len(pattern) == 0
		case len(pattern) > 0 && pattern[0] == '_':
			_, size := utf8.DecodeRune(text)
			text, pattern = text[size:], pattern[1:]
			continue
		case len(pattern) > 0 && pattern[0] == text[0]:
			text, pattern = text[1:], pattern[1:]
			continue
		}
		if !any || len(from) == 0 {
			return false
		}
		_, size := utf8.DecodeRune(from)
		from = from[size:]
		if c := behind[0]; c != '_' {
			at := bytes.IndexByte(from, c)
			if at < 0 {
				return false
			}
			from = from[at:]
		}
		text, pattern = from, behind
	}
}

// like is a pattern: the parts between its %.
type like []likePart

// within returns the text that is all that a pattern asks for, anywhere; nil: it asks for something else.
func (l like) within() []byte {
	if len(l) != 3 || len(l[0]) != 1 || len(l[0][0]) > 0 || len(l[1]) != 1 || len(l[2]) != 1 || len(l[2][0]) > 0 {
		return nil
	}
	return l[1][0]
}

// likePart is a part of a pattern without %: texts with one arbitrary code point between
// each two.
type likePart [][]byte

// likeParts takes a pattern apart. It also returns about how many bytes the parts hold.
func likeParts(pattern, escape string) (parts like, size int, err error) {
	if utf8.RuneCountInString(escape) > 1 {
		return nil, 0, fmt.Errorf("%q is more than one character", escape)
	}
	text := []byte{}
	parts, size = like{likePart{}}, len(pattern)
	end := func() {
		last := len(parts) - 1
		parts[last], text = append(parts[last], text), []byte{}
		size += 2 * int(unsafe.Sizeof(text))
	}
	for rest := pattern; rest != ""; {
		r, size := utf8.DecodeRuneInString(rest)
		switch {
		case escape != "" && strings.HasPrefix(rest, escape):
			rest = rest[size:]
			if rest == "" {
				return nil, 0, fmt.Errorf("the pattern %q ends with its escape character", pattern)
			}
			_, size = utf8.DecodeRuneInString(rest)
			text = append(text, rest[:size]...)
		case r == '%':
			end()
			parts = append(parts, likePart{})
		case r == '_':
			end()
		default:
			text = append(text, rest[:size]...)
		}
		rest = rest[size:]
	}
	end()
	return parts, size, nil
}

// fit reports whether a whole text matches. Each part between the first and the last is
// matched at the first position where it is found.
func (l like) fit(text []byte) bool {
	n, ok := l[0].at(text)
	if len(l) == 1 {
		return ok && n == len(text)
	}
	if !ok {
		return false
	}
	last := l[len(l)-1]
	if text = text[n:]; len(l) > 2 && !last.ends(text) { // which takes less than to search
		return false
	}
	for _, p := range l[1 : len(l)-1] {
		if text, ok = p.behind(text); !ok {
			return false
		}
	}
	return last.ends(text)
}

// at reports whether a text begins with the part, and how many bytes of it match.
func (p likePart) at(text []byte) (n int, ok bool) {
	for i, s := range p {
		if i > 0 {
			_, size := utf8.DecodeRune(text[n:])
			if size == 0 {
				return 0, false
			}
			n += size
		}
		if !bytes.HasPrefix(text[n:], s) {
			return 0, false
		}
		n += len(s)
	}
	return n, true
}

// behind returns the rest of a text after the first occurrence of the part.
func (p likePart) behind(text []byte) ([]byte, bool) {
	for {
		at := bytes.Index(text, p[0])
		if at < 0 {
			return nil, false
		}
		if n, ok := p.at(text[at:]); ok {
			return text[at+n:], true
		}
		_, size := utf8.DecodeRune(text[at:])
		if size == 0 {
			return nil, false
		}
		text = text[at+size:]
	}
}

// ends reports whether a text ends with the part.
func (p likePart) ends(text []byte) bool {
	for i, s := range slices.Backward(p) {
		if !bytes.HasSuffix(text, s) {
			return false
		}
		text = text[:len(text)-len(s)]
		if i > 0 {
			_, size := utf8.DecodeLastRune(text)
			if size == 0 {
				return false
			}
			text = text[:len(text)-size]
		}
	}
	return true
}
