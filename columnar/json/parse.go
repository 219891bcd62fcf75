package json

import (
	"bytes"
	"fmt"
	"unicode/utf8"

	"analyzer/columnar/jsontext"
)

// parser finds the cells of objects. The functions that parse something take the position where
// it begins and return the one behind it, or -1 if it is not valid.
type parser struct {
	data  []byte
	marks marks // of data
	block *Block
	grow  bool  // unknown keys become nodes
	first int64 // offset of the row in the file
	depth int
	// more means that there is a column that the nodes do not have.
	more bool

	wrong mistake
}

// mistake is the first thing in a block that is not valid.
type mistake struct {
	at   int
	what string
}

// maxDepth is how deep objects and arrays may be nested, as in encoding/json.
const maxDepth = 10_000

// newParser returns a parser of data.
func newParser(data []byte) parser { return parser{data: data, marks: marks(nil).mark(data)} }

func (p *parser) fail(at int, format string, args ...any) int {
	p.wrong = mistake{at, fmt.Sprintf(format, args...)}
	return -1
}

// expect fails since something else stands at a position.
func (p *parser) expect(at int, what string) int {
	if at >= len(p.data) {
		return p.fail(len(p.data), "the text ends where %s is expected", what)
	}
	_, size := utf8.DecodeRune(p.data[at:])
	return p.fail(at, "there is %q where %s is expected", p.data[at:at+size], what)
}

// byteAt returns the byte at a position, zero behind the end.
func (p *parser) byteAt(i int) byte {
	if i < len(p.data) {
		return p.data[i]
	}
	return 0
}

// space returns the first position from i on that is no white space.
func (p *parser) space(i int) int {
	for i < len(p.data) {
		if c := p.data[i]; c > ' ' || c != ' ' && c != '\n' && c != '\t' && c != '\r' {
			return i
		}
		i++
	}
	return i
}

func (p *parser) enter(i int) bool {
	if p.depth++; p.depth > maxDepth {
		p.fail(i, "objects and arrays are nested deeper than %d", maxDepth)
		return false
	}
	return true
}

// object parses an object, of which n is the node; nil: nobody wants it.
func (p *parser) object(i int, n *node) int {
	if !p.enter(i) {
		return -1
	}
	defer func() { p.depth-- }()
	if i = p.space(i + 1); p.byteAt(i) == '}' {
		if n != nil && p.grow {
			n.empty = true
		}
		return i + 1
	}
	for next := 0; ; {
		var child *node
		if i, child, next = p.key(i, n, next); i < 0 {
			return i
		}
		if p.byteAt(i) != ':' {
			if i = p.space(i); p.byteAt(i) != ':' {
				return p.expect(i, "a colon")
			}
		}
		if i++; p.byteAt(i) <= ' ' {
			i = p.space(i)
		}
		if i = p.value(i, child); i < 0 {
			return i
		}
		if p.byteAt(i) <= ' ' {
			i = p.space(i)
		}
		switch p.byteAt(i) {
		case '}':
			return i + 1
		case ',':
			if i++; p.byteAt(i) <= ' ' {
				i = p.space(i)
			}
		default:
			return p.expect(i, "a comma or }")
		}
	}
}

// key parses a key, and returns its node among the children of n.
func (p *parser) key(i int, n *node, next int) (end int, child *node, after int) {
	if n != nil {
		if c := n.follows(p.data[min(i, len(p.data)):], next); c != nil {
			return i + len(c.quoted), c, next + 1
		}
	}
	if p.byteAt(i) != '"' {
		return p.expect(i, "a key in quotes"), nil, 0
	}
	end, plain := p.text(i)
	if end < 0 || n == nil {
		return end, nil, next
	}
	key := p.data[i+1 : end-1]
	if !plain {
		key = jsontext.AppendPlain(nil, key)
	}
	if !utf8.Valid(key) {
		key = bytes.ToValidUTF8(key, []byte("\ufffd"))
	}
	if at, ok := n.byKey[string(key)]; ok {
		return end, n.children[at], at + 1
	}
	p.more = true
	if !p.grow {
		return end, nil, next
	}
	return end, n.child(string(key), p.first), len(n.children)
}

// value parses the value of a key.
func (p *parser) value(i int, n *node) int {
	wanted := n != nil && n.column >= 0
	switch c := p.byteAt(i); {
	case c == '"':
		end, plain := p.text(i)
		if wanted && end >= 0 {
			p.keep(n.column, i, end, plain)
		}
		return p.met(n, end)
	case c == '-' || c-'0' <= 9:
		end := p.number(i)
		if wanted && end >= 0 {
			p.block.set(n.column, i, end)
		}
		return p.met(n, end)
	case c == 't':
		return p.word(i, "true", n)
	case c == 'f':
		return p.word(i, "false", n)
	case c == 'n':
		if n != nil && p.grow {
			n.empty = true
		}
		if wanted {
			p.block.unset(n.column)
		}
		return p.literal(i, "null")
	case c == '{':
		end := p.object(i, n)
		if wanted && end >= 0 {
			p.block.quote(n.column, i, end)
		}
		return end
	case c == '[':
		end := p.array(i)
		if wanted && end >= 0 {
			p.block.set(n.column, i, end)
		}
		return p.met(n, end)
	}
	return p.expect(i, "a value")
}

// keep makes a text in quotes the cell of a column.
func (p *parser) keep(column, begin, end int, plain bool) {
	if p.block.cells[column].quoted = true; plain {
		p.block.set(column, begin, end)
	} else {
		p.block.unescape(column, begin, end, p.marks)
	}
}

// met notes that a value other than null and objects was met.
func (p *parser) met(n *node, end int) int {
	if n != nil && !n.leaf {
		if p.grow {
			n.leaf = true
		}
		p.more = true
	}
	return end
}

func (p *parser) word(i int, word string, n *node) int {
	end := p.literal(i, word)
	if end >= 0 && n != nil && n.column >= 0 {
		p.block.set(n.column, i, end)
	}
	return p.met(n, end)
}

func (p *parser) literal(i int, word string) int {
	if len(p.data)-i < len(word) || string(p.data[i:i+len(word)]) != word {
		return p.expect(i, "a value")
	}
	return i + len(word)
}

// array parses an array.
func (p *parser) array(i int) int {
	if !p.enter(i) {
		return -1
	}
	defer func() { p.depth-- }()
	if i = p.space(i + 1); p.byteAt(i) == ']' {
		return i + 1
	}
	for {
		if i = p.value(i, nil); i < 0 {
			return i
		}
		if i = p.space(i); p.byteAt(i) == ']' {
			return i + 1
		}
		if p.byteAt(i) != ',' {
			return p.expect(i, "a comma or ]")
		}
		i = p.space(i + 1)
	}
}

// number parses a number.
func (p *parser) number(i int) int {
	if p.byteAt(i) == '-' {
		i++
	}
	whole := i
	if i = p.digits(i); i == whole {
		return p.expect(i, "a digit")
	}
	if p.data[whole] == '0' && i > whole+1 {
		return p.fail(whole, "a number begins with a zero")
	}
	if p.byteAt(i) == '.' {
		fraction := i + 1
		if i = p.digits(fraction); i == fraction {
			return p.expect(i, "a digit")
		}
	}
	if p.byteAt(i)|0x20 == 'e' {
		if i++; p.byteAt(i) == '-' || p.byteAt(i) == '+' {
			i++
		}
		exponent := i
		if i = p.digits(i); i == exponent {
			return p.expect(i, "a digit")
		}
	}
	return i
}

func (p *parser) digits(i int) int {
	for i < len(p.data) && p.data[i]-'0' <= 9 {
		i++
	}
	return i
}

// text parses a text in quotes. plain means that it has no escapes.
func (p *parser) text(i int) (end int, plain bool) {
	begin := i
	plain = true
	for i++; ; {
		i = p.marks.next(i)
		switch c := p.byteAt(i); {
		case c == '"':
			return i + 1, plain
		case c == '\\':
			plain = false
			if i = p.escape(i); i < 0 {
				return i, false
			}
		case i >= len(p.data):
			return p.fail(begin, "a text in quotes does not end"), false
		case c < ' ':
			return p.fail(i, "there is %q in a text in quotes, which must be escaped", c), false
		default:
			i++
		}
	}
}

// escape parses an escape in a text.
func (p *parser) escape(i int) int {
	switch p.byteAt(i + 1) {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return i + 2
	case 'u':
		for n := 2; n < 6; n++ {
			if hexOf(p.byteAt(i+n)) < 0 {
				return p.fail(i, "an escape has other characters than four hexadecimal digits")
			}
		}
		return i + 6
	}
	return p.fail(i, "there is no escape like that")
}
