package workbook

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"unicode/utf8"
)

// scanner reads the tags of a part of a workbook, and the text before each.
type scanner struct {
	in    *bufio.Reader
	tag   []byte // as written, without its brackets
	name  []byte // of the tag, without a prefix
	attrs []byte // as written
	text  []byte // before the tag, since the last one
	end   bool   // the tag ends an element
	empty bool   // the tag is an element
	err   error
}

// maxText is how many bytes a tag, or the text between two tags, may have. A cell of Excel has at
// most 32,767 characters.
const maxText = 1 << 20

func newScanner(r io.Reader) *scanner { return &scanner{in: bufio.NewReaderSize(r, 64<<10)} }

// next reads the next tag. It returns false at the end, or after an error.
func (s *scanner) next() bool {
	s.text = s.text[:0]
	for s.err == nil {
		if s.err = s.textUpTo(); s.err != nil {
			break
		}
		if s.err = s.tagUpTo(); s.err != nil {
			break
		}
		switch {
		case bytes.HasPrefix(s.tag, []byte("!--")):
			s.err = s.through("--")
		case bytes.HasPrefix(s.tag, []byte("![CDATA[")):
			if s.err = s.through("]]"); s.err == nil {
				s.text = append(s.text, s.tag[len("![CDATA["):len(s.tag)-len("]]")]...)
			}
		case bytes.HasPrefix(s.tag, []byte("?")):
		case bytes.HasPrefix(s.tag, []byte("!")):
			s.err = errors.New("a document type is declared")
		default:
			s.split()
			return true
		}
	}
	return false
}

// failure returns the error that ended the scanner, if it was not the end.
func (s *scanner) failure() error {
	if errors.Is(s.err, io.EOF) {
		return nil
	}
	return s.err
}

// textUpTo appends the text before a tag, with its entities replaced.
func (s *scanner) textUpTo() error {
	begin := len(s.text)
	err := s.upTo(&s.text, '<')
	if errors.Is(err, io.ErrUnexpectedEOF) && len(bytes.TrimSpace(s.text[begin:])) == 0 {
		return io.EOF
	}
	if err == nil && bytes.IndexByte(s.text[begin:], '&') >= 0 {
		s.text = unescape(s.text, begin)
	}
	return err
}

// tagUpTo reads a tag, in which brackets may stand in quotes.
func (s *scanner) tagUpTo() error {
	s.tag = s.tag[:0]
	for quote, seen := byte(0), 0; ; {
		if err := s.upTo(&s.tag, '>'); err != nil {
			return err
		}
		if len(s.tag) > 0 && (s.tag[0] == '!' || s.tag[0] == '?') {
			return nil
		}
		for ; seen < len(s.tag); seen++ {
			switch c := s.tag[seen]; {
			case c == quote:
				quote = 0
			case quote == 0 && (c == '"' || c == '\''):
				quote = c
			}
		}
		if quote == 0 {
			return nil
		}
		s.tag = append(s.tag, '>')
	}
}

// upTo appends what comes before a byte, and skips that.
func (s *scanner) upTo(dst *[]byte, end byte) error {
	for {
		part, err := s.in.ReadSlice(end)
		if *dst = append(*dst, part...); len(*dst) > maxText {
			return fmt.Errorf("a text has more than %d bytes", maxText)
		}
		switch {
		case err == nil:
			*dst = (*dst)[:len(*dst)-1]
			return nil
		case errors.Is(err, io.EOF):
			return io.ErrUnexpectedEOF
		case !errors.Is(err, bufio.ErrBufferFull):
			return err
		}
	}
}

// through goes on with a tag until it ends with some text.
func (s *scanner) through(end string) error {
	for !bytes.HasSuffix(s.tag, []byte(end)) {
		s.tag = append(s.tag, '>')
		if err := s.upTo(&s.tag, '>'); err != nil {
			return err
		}
	}
	return nil
}

// split finds the parts of the tag.
func (s *scanner) split() {
	tag := s.tag
	s.end = len(tag) > 0 && tag[0] == '/'
	if s.end {
		tag = tag[1:]
	}
	s.empty = len(tag) > 0 && tag[len(tag)-1] == '/'
	if s.empty {
		tag = tag[:len(tag)-1]
	}
	s.name, s.attrs = tag, nil
	if at := bytes.IndexAny(tag, " \t\r\n"); at >= 0 {
		s.name, s.attrs = tag[:at], tag[at:]
	}
	s.name = local(s.name)
}

func local(name []byte) []byte { return name[bytes.IndexByte(name, ':')+1:] }

// begins reports whether the tag begins an element of some name, or is one.
func (s *scanner) begins(name string) bool { return !s.end && string(s.name) == name }

// ends reports whether an element of some name is over with the tag.
func (s *scanner) ends(name string) bool { return (s.end || s.empty) && string(s.name) == name }

// attr returns the value of an attribute, nil if there is none. It is valid until the next tag.
func (s *scanner) attr(name string) []byte {
	for rest := s.attrs; ; {
		at := bytes.IndexByte(rest, '=')
		if at < 0 {
			return nil
		}
		key := local(bytes.TrimSpace(rest[:at]))
		rest = bytes.TrimLeft(rest[at+1:], " \t\r\n")
		if len(rest) < 2 {
			return nil
		}
		end := bytes.IndexByte(rest[1:], rest[0])
		if end < 0 {
			return nil
		}
		if string(key) == name {
			value := rest[1 : 1+end]
			if bytes.IndexByte(value, '&') >= 0 {
				value = unescape(bytes.Clone(value), 0)
			}
			return value
		}
		rest = rest[end+2:]
	}
}

// unescape replaces the entities in a text behind its first bytes, in place.
func unescape(text []byte, begin int) []byte {
	out := text[:begin]
	for rest := text[begin:]; len(rest) > 0; {
		at := bytes.IndexByte(rest, '&')
		if at < 0 {
			return append(out, rest...)
		}
		out = append(out, rest[:at]...)
		rest = rest[at:]
		end := bytes.IndexByte(rest[:min(len(rest), 12)], ';')
		var r rune
		ok := false
		if end > 0 {
			r, ok = entity(string(rest[1:end]))
		}
		if !ok {
			out, rest = append(out, '&'), rest[1:]
			continue
		}
		out, rest = utf8.AppendRune(out, r), rest[end+1:]
	}
	return out
}

func entity(name string) (rune, bool) {
	switch name {
	case "amp":
		return '&', true
	case "lt":
		return '<', true
	case "gt":
		return '>', true
	case "quot":
		return '"', true
	case "apos":
		return '\'', true
	}
	if len(name) < 2 || name[0] != '#' {
		return 0, false
	}
	base, digits := 10, name[1:]
	if digits[0] == 'x' || digits[0] == 'X' {
		base, digits = 16, digits[1:]
	}
	n, err := strconv.ParseUint(digits, base, 32)
	return rune(n), err == nil && n > 0 && n <= utf8.MaxRune
}
