package pyliteral

import (
	"strconv"
	"strings"
)

func (r *reference) adjacent() (any, error) {
	all, err := r.literal()
	for err == nil {
		r.take(refSpace)
		if !refPrefix.MatchString(r.rest) {
			return all, nil
		}
		var more any
		if more, err = r.literal(); err != nil {
			break
		}
		text, isText := all.(refText)
		moreText, moreIsText := more.(refText)
		if isText != moreIsText {
			return nil, errRef
		}
		all = text + moreText
		if !isText {
			all = refBytes("")
		}
	}
	return nil, err
}

func (r *reference) literal() (any, error) {
	prefix := strings.ToLower(r.take(refPrefix))
	quote := prefix[len(prefix)-1:]
	if strings.HasPrefix(r.rest, quote+quote) {
		r.rest = r.rest[2:]
		quote += quote + quote
	}
	isBytes := strings.Contains(prefix, "b")
	var out strings.Builder
	for !strings.HasPrefix(r.rest, quote) {
		piece, err := r.character(strings.Contains(prefix, "r"), isBytes)
		if err != nil {
			return nil, err
		}
		out.WriteString(piece)
	}
	r.rest = r.rest[len(quote):]
	if isBytes {
		return refBytes(""), nil
	}
	return refText(out.String()), nil
}

func (r *reference) character(raw, isBytes bool) (string, error) {
	if r.rest == "" || isBytes && r.rest[0] >= 0x80 {
		return "", errRef
	}
	c := r.rest[:1]
	r.rest = r.rest[1:]
	if c != `\` {
		return c, nil
	}
	if r.rest == "" || isBytes && r.rest[0] >= 0x80 {
		return "", errRef
	}
	if raw {
		c += r.rest[:1]
		r.rest = r.rest[1:]
		return c, nil
	}
	if strings.HasPrefix(r.rest, "\r\n") {
		r.rest = r.rest[2:]
		return "", nil
	}
	if m := r.take(refOctal); m != "" {
		n, err := strconv.ParseUint(m, 8, 32)
		return string(rune(n)), err
	}
	next := r.rest[0]
	if text, ok := refLetters[next]; ok || next == '\r' {
		r.rest = r.rest[1:]
		return text, nil
	}
	if next == 'x' || !isBytes && strings.IndexByte("uUN", next) >= 0 {
		m := r.take(refHex)
		if m == "" {
			return "", errRef
		}
		n, err := strconv.ParseUint(m[1:], 16, 32)
		if n > 0x10FFFF {
			return "", errRef
		}
		return string(rune(n)), err
	}
	return c, nil
}
