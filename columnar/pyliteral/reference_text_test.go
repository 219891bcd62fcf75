package pyliteral

import (
	"strconv"
	"strings"
)

func (r *reference) literal() (any, error) {
	quote := r.rest[:1]
	r.rest = r.rest[1:]
	var out strings.Builder
	for !strings.HasPrefix(r.rest, quote) {
		piece, err := r.character()
		if err != nil {
			return nil, err
		}
		out.WriteString(piece)
	}
	r.rest = r.rest[1:]
	return refText(out.String()), nil
}

func (r *reference) character() (string, error) {
	if r.rest == "" {
		return "", errRef
	}
	c := r.rest[:1]
	r.rest = r.rest[1:]
	if c != `\` {
		return c, nil
	}
	if r.rest == "" {
		return "", errRef
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
	if strings.IndexByte("xuUN", next) >= 0 {
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
