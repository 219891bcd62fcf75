package jsontext

import "bytes"

// Contains reports whether a value occurs in another one, at any depth. An array occurs in one that has
// all its items, in any order, and an object in one that has all its members.
func Contains(text, part []byte) bool {
	if includes(text, part) {
		return true
	}
	for item := range Items(text) {
		if Contains(item, part) {
			return true
		}
	}
	for _, value := range Members(text) {
		if Contains(value, part) {
			return true
		}
	}
	return false
}

// includes is Contains for the value itself, and not what is in it.
func includes(text, part []byte) bool {
	text, part = trim(text), trim(part)
	switch {
	case bytes.Equal(text, part):
		return true
	case part[0] == '[' && text[0] == '[':
		return hasItems(text, part)
	case part[0] == '{' && text[0] == '{':
		return hasMembers(text, part)
	case part[0] == '"' && text[0] == '"':
		return bytes.Equal(AppendString(nil, text), AppendString(nil, part))
	}
	return false
}

func hasItems(text, part []byte) bool {
	for wanted := range Items(part) {
		found := false
		for item := range Items(text) {
			if found = includes(item, wanted); found {
				break
			}
		}
		if !found {
			return false
		}
	}
	return true
}

func hasMembers(text, part []byte) bool {
	own := membersOf(text)
	for name, wanted := range Members(part) {
		if value, ok := own[string(AppendString(nil, name))]; !ok || !includes(value, wanted) {
			return false
		}
	}
	return true
}

// membersOf returns the values of an object by their names; of equal names, the last one has it.
func membersOf(text []byte) map[string][]byte {
	all := make(map[string][]byte)
	for name, value := range Members(text) {
		all[string(AppendString(nil, name))] = value
	}
	return all
}

// AppendPatched appends a text as a patch changes it (RFC 7396): members of the patch take the place of
// those of the text, and null removes one. A patch of what is no object, or that is none, is the result.
func AppendPatched(dst, text, patch []byte) []byte {
	if trim(text)[0] != '{' || trim(patch)[0] != '{' {
		return AppendCompact(dst, patch)
	}
	return appendPatched(dst, text, patch)
}

func appendPatched(dst, text, patch []byte) []byte {
	own, others := membersOf(text), membersOf(patch)
	begin := len(dst)
	add := func(name []byte) {
		dst = append(dst, "{,"[min(len(dst)-begin, 1)])
		dst = append(AppendCompact(dst, name), ':')
	}
	for name, value := range Members(text) {
		if _, changed := others[string(AppendString(nil, name))]; !changed {
			add(name)
			dst = AppendCompact(dst, value)
		}
	}
	for name, value := range Members(patch) {
		plain := AppendString(nil, name)
		if &others[string(plain)][0] != &value[0] {
			continue // there is another one of its name
		}
		switch value = trim(value); value[0] {
		case 'n':
		case '{':
			add(name)
			before := own[string(plain)]
			if len(before) == 0 || trim(before)[0] != '{' {
				before = []byte("{}")
			}
			dst = appendPatched(dst, before, value)
		default:
			add(name)
			dst = AppendCompact(dst, value)
		}
	}
	if len(dst) == begin {
		dst = append(dst, '{')
	}
	return append(dst, '}')
}

// AppendStructure appends the structure of a value as JSON: in place of values it has the names of their
// types, and in place of an array its items' common one.
func AppendStructure(dst, text []byte) []byte {
	var s shape
	s.add(text)
	return s.append(dst)
}

// anyJSON is the type of values of no common type.
const (
	anyJSON = "JSON"
	huge    = "HUGEINT"
)

// shape is the common structure of values.
type shape struct {
	kind   string // "": nothing but null
	item   *shape // of an array
	names  []string
	fields map[string]*shape // of an object
}

func (s *shape) add(text []byte) {
	kind := TypeOf(text)
	if s.kind = commonKind(s.kind, kind); s.kind != kind {
		return
	}
	switch kind {
	case Array:
		if s.item == nil {
			s.item = new(shape)
		}
		for item := range Items(text) {
			s.item.add(item)
		}
	case Object:
		if s.fields == nil {
			s.fields = make(map[string]*shape)
		}
		for name, value := range Members(text) {
			plain := string(AppendString(nil, name))
			if s.fields[plain] == nil {
				s.fields[plain], s.names = new(shape), append(s.names, plain)
			}
			s.fields[plain].add(value)
		}
	}
}

func commonKind(a, b string) string {
	number := func(kind string) bool {
		return kind == Whole || kind == Positive || kind == huge || kind == Double
	}
	switch {
	case b == Null || a == b:
		return a
	case a == "":
		return b
	case !number(a) || !number(b):
		return anyJSON
	case a == Double || b == Double:
		return Double
	}
	return huge
}

func (s *shape) append(dst []byte) []byte {
	switch {
	case s.kind == "":
		return AppendQuoted(dst, []byte(Null))
	case s.kind == Array:
		return append(s.item.append(append(dst, '[')), ']')
	case s.kind != Object:
		return AppendQuoted(dst, []byte(s.kind))
	case len(s.names) == 0:
		return AppendQuoted(dst, []byte(anyJSON))
	}
	for i, name := range s.names {
		dst = append(AppendQuoted(append(dst, "{,"[min(i, 1)]), []byte(name)), ':')
		dst = s.fields[name].append(dst)
	}
	return append(dst, '}')
}
