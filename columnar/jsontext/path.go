package jsontext

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Path is where parts of a JSON text lie: a chain of names of members and places in arrays.
type Path []step

// step leads from a value to a part of it. A place counts from 0, or from the end if it is negative.
type step struct {
	name  string
	place int
	how   kind
}

type kind uint8

const (
	byName kind = iota
	byPlace
	byEither // a number in a JSON pointer is a name of an object and a place of an array
	items    // every item
	members  // the value of every member
	parts    // every item, and the value of every member
	below    // the value itself, and all that is in it
)

// ParsePath parses a path in one of the forms that DuckDB takes: $.name."a name"[0][#-1][*].*..name, a
// JSON pointer /name/0 (RFC 6901), or a bare name. No text at all leads nowhere else.
func ParsePath(text string) (Path, error) {
	switch {
	case text == "":
		return nil, nil
	case strings.HasPrefix(text, "$"):
		return parseDollar(text[1:])
	case strings.HasPrefix(text, "/"):
		return parsePointer(text[1:]), nil
	}
	return Path{{name: text}}, nil
}

// Place is the path to the item of an array at a place.
func Place(n int) Path { return Path{{place: n, how: byPlace}} }

// Many reports whether a path may lead to any number of parts.
func (p Path) Many() bool {
	for _, s := range p {
		if s.how >= items {
			return true
		}
	}
	return false
}

func parsePointer(text string) Path {
	var p Path
	for name := range strings.SplitSeq(text, "/") {
		name = strings.ReplaceAll(strings.ReplaceAll(name, "~1", "/"), "~0", "~")
		s := step{name: name}
		if n, err := strconv.Atoi(name); err == nil && n >= 0 {
			s.place, s.how = n, byEither
		}
		p = append(p, s)
	}
	return p
}

func parseDollar(text string) (Path, error) {
	var p Path
	for rest := text; rest != ""; {
		s, behind, ok := parseStep(rest)
		if !ok || s.how == below && slices.Contains(p, s) {
			return nil, fmt.Errorf("the JSON path $%s cannot be read from %q on; write $.name, $.\"a name\", $[0], $[#-1], $[*], $.* or, once, $..name", text, rest)
		}
		if s.how == members && len(p) > 0 && p[len(p)-1].how == below {
			s.how = parts
		}
		p, rest = append(p, s), behind
	}
	return p, nil
}

// parseStep parses the step that a path begins with, and returns the rest of the path.
func parseStep(text string) (s step, rest string, ok bool) {
	if inside, found := strings.CutPrefix(text, "["); found {
		inside, rest, ok = strings.Cut(inside, "]")
		if inside == "*" {
			return step{how: items}, rest, ok
		}
		s.how = byPlace
		if behind, fromEnd := strings.CutPrefix(inside, "#"); fromEnd {
			inside, ok = behind, ok && strings.HasPrefix(behind, "-")
		}
		n, err := strconv.Atoi(inside)
		s.place = n
		return s, rest, ok && err == nil
	}
	if behind, found := strings.CutPrefix(text, ".."); found {
		if !strings.HasPrefix(behind, "[") {
			behind = text[1:]
		}
		return step{how: below}, behind, behind != ""
	}
	name, ok := strings.CutPrefix(text, ".")
	if !ok {
		return s, "", false
	}
	if quoted, found := strings.CutPrefix(name, `"`); found {
		s.name, rest, ok = strings.Cut(quoted, `"`)
		return s, rest, ok
	}
	end := strings.IndexAny(name, ".[")
	if end < 0 {
		end = len(name)
	}
	if s.name, rest = name[:end], name[end:]; s.name == "*" {
		s = step{how: members}
	}
	return s, rest, end > 0
}

// Find returns the part of a text that a path leads to, the first one if there are several.
func (p Path) Find(text []byte) (part []byte, ok bool) {
	p.Each(text, func(found []byte) bool {
		part, ok = found, true
		return false
	})
	return part, ok
}

// Each hands over the parts of a text that a path leads to, in their order, until yield returns
// false.
func (p Path) Each(text []byte, yield func(part []byte) bool) { p.each(text, yield) }

func (p Path) each(text []byte, yield func(part []byte) bool) bool {
	text = Trim(text)
	if len(p) == 0 {
		return yield(text)
	}
	s, rest := p[0], p[1:]
	switch {
	case s.how == below:
		return rest.each(text, yield) && eachPart(text, parts, func(part []byte) bool { return p.each(part, yield) })
	case s.how >= items:
		return eachPart(text, s.how, func(part []byte) bool { return rest.each(part, yield) })
	case text[0] == '{' && s.how != byPlace:
		for name, value := range Members(text) {
			if isNamed(name, s.name) {
				return rest.each(value, yield)
			}
		}
	case text[0] == '[' && s.how != byName:
		if part, ok := itemAt(text, s.place); ok {
			return rest.each(part, yield)
		}
	}
	return true
}

func eachPart(text []byte, of kind, yield func(part []byte) bool) bool {
	if of != members {
		for item := range Items(text) {
			if !yield(item) {
				return false
			}
		}
	}
	if of != items {
		for _, value := range Members(text) {
			if !yield(value) {
				return false
			}
		}
	}
	return true
}

func itemAt(text []byte, place int) (part []byte, ok bool) {
	if place < 0 {
		if place += Len(text); place < 0 {
			return nil, false
		}
	}
	for item := range Items(text) {
		if place == 0 {
			return item, true
		}
		place--
	}
	return nil, false
}

// isNamed reports whether the name of a member, in its quotes, is name.
func isNamed(quoted []byte, name string) bool {
	if inside := quoted[1 : len(quoted)-1]; string(inside) == name {
		return true
	}
	return bytes.IndexByte(quoted, '\\') >= 0 && string(AppendString(nil, quoted)) == name
}
