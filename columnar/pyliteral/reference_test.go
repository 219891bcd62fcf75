package pyliteral

import (
	"errors"
	"regexp"
	"strings"
)

// The reference reads a cell the plain way: recursive descent that builds every
// value, one regular expression for each kind of token, then a look at the
// result. It shares nothing with the scanner.

type (
	refText  string
	refAtom  string
	refList  []any
	refDict  []refEntry
	refEntry struct{ key, value any }
)

var (
	errRef     = errors.New("malformed")
	refSpace   = regexp.MustCompile(`^[ \t\n\r\f]*`)
	refNumber  = regexp.MustCompile(`^[-+]?[ \t\n\r\f]*(([0-9]+\.[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?|[0-9]+[eE][-+]?[0-9]+|0+|[1-9][0-9]*)`)
	refWord    = regexp.MustCompile(`^(None|True|False)`)
	refHex     = regexp.MustCompile(`^(x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8})`)
	refOctal   = regexp.MustCompile(`^[0-7]{1,3}`)
	refLetters = map[byte]string{
		'\\': "\\", '\'': "'", '"': `"`, 'a': "\a", 'b': "\b", 'f': "\f",
		'n': "\n", 'r': "\r", 't': "\t", 'v': "\v", '\n': "",
	}
)

type reference struct{ rest string }

// refCell is the list in cell.
func refCell(cell string) (refList, error) {
	r := &reference{cell}
	v, err := r.value(0)
	if err != nil {
		return nil, err
	}
	r.take(refSpace)
	list, ok := v.(refList)
	if !ok || r.rest != "" {
		return nil, errRef
	}
	return list, nil
}

func refStrings(cell string) ([]string, error) {
	list, err := refCell(cell)
	out := []string{}
	for _, item := range list {
		if text, ok := item.(refText); ok {
			out = append(out, string(text))
		}
	}
	return out, err
}

func refNames(cell, key string) ([]string, error) {
	list, err := refCell(cell)
	out := []string{}
	for _, item := range list {
		dict, _ := item.(refDict)
		var last any
		for _, e := range dict {
			if e.key == any(refText(key)) {
				last = e.value
			}
		}
		if text, ok := last.(refText); ok {
			out = append(out, string(text))
		}
	}
	return out, err
}

// take cuts what re matches off the rest.
func (r *reference) take(re *regexp.Regexp) string {
	m := re.FindString(r.rest)
	r.rest = r.rest[len(m):]
	return m
}

func (r *reference) takeByte(c string) bool {
	r.take(refSpace)
	if !strings.HasPrefix(r.rest, c) {
		return false
	}
	r.rest = r.rest[1:]
	return true
}

func (r *reference) value(depth int) (any, error) {
	r.take(refSpace)
	if m := r.take(refWord); m != "" {
		return refAtom(m), nil
	}
	if m := r.take(refNumber); m != "" {
		// A number must end where the expression stops: 007 and 1_0 do not.
		if r.rest != "" && strings.ContainsRune("0123456789.", rune(r.rest[0])) {
			return nil, errRef
		}
		return refAtom(m), nil
	}
	if r.rest != "" && strings.ContainsRune(`'"`, rune(r.rest[0])) {
		return r.literal()
	}
	if r.rest == "" || depth == MaxDepth {
		return nil, errRef
	}
	c := r.rest[0]
	r.rest = r.rest[1:]
	switch c {
	case '[':
		return r.items(depth + 1)
	case '{':
		return r.entries(depth + 1)
	}
	return nil, errRef
}

// items reads values up to the closing bracket.
func (r *reference) items(depth int) (items refList, err error) {
	for comma := true; !r.takeByte("]"); comma = r.takeByte(",") {
		if !comma {
			return nil, errRef
		}
		v, err := r.value(depth)
		if err != nil {
			return nil, err
		}
		items = append(items, v)
	}
	return items, nil
}

// entries reads keys and values up to the closing brace.
func (r *reference) entries(depth int) (dict refDict, err error) {
	for comma := true; !r.takeByte("}"); comma = r.takeByte(",") {
		if !comma {
			return nil, errRef
		}
		key, err := r.value(depth)
		if err != nil {
			return nil, err
		}
		switch key.(type) {
		case refList, refDict:
			return nil, errRef
		}
		if !r.takeByte(":") {
			return nil, errRef
		}
		value, err := r.value(depth)
		if err != nil {
			return nil, err
		}
		dict = append(dict, refEntry{key, value})
	}
	return dict, nil
}
