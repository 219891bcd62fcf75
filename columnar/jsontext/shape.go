package jsontext

import (
	"math"
	"slices"

	"analyzer/columnar"
)

// AppendStructure appends the structure of a value as JSON: in place of values it has the names of their
// types, and in place of an array its items' common one.
func AppendStructure(dst, text []byte) []byte {
	var s Shape
	s.addWithin(text, math.MaxInt)
	return s.append(dst)
}

// anyJSON is the type of values of no common type.
const (
	anyJSON = "JSON"
	huge    = "HUGEINT"
)

// maxMembers is how many names of members a shape keeps apart; objects with more of them have no common one.
const maxMembers = columnar.MaxParts

// Shape is the common structure of values. The zero Shape is that of no value but null. It depends on the
// values alone, not on how they are divided among shapes that are united; but the order of members does.
type Shape struct {
	kind   string // "": nothing but null
	lost   types  // of numbers and texts: what not all of them are
	item   *Shape // of an array
	fields map[string]*Shape
	names  []string // of the fields: those that were added in order of appearance, then those that were united in that of names
	added  int      // how many names are of the former
}

// Add adds a value. What stands in it deeper than types can be nested has no structure.
func (s *Shape) Add(text []byte) { s.addWithin(text, columnar.MaxNesting) }

// addWithin adds a value, of whose arrays and objects so many levels are looked into.
func (s *Shape) addWithin(text []byte, levels int) {
	kind := TypeOf(text)
	if levels == 0 && (kind == Array || kind == Object) {
		s.kind = anyJSON
	}
	if s.kind = commonKind(s.kind, kind); kind == Null || s.kind == anyJSON {
		return
	}
	switch kind {
	case Array:
		if s.item == nil {
			s.item = new(Shape)
		}
		for item := range Items(text) {
			s.item.addWithin(item, levels-1)
		}
	case Object:
		for name, value := range Members(text) {
			if field := s.field(name); field != nil {
				field.addWithin(value, levels-1)
				continue
			}
			plain := string(AppendString(nil, name))
			s.addField(plain, new(Shape))
			s.fields[plain].addWithin(value, levels-1)
		}
		s.added = len(s.names)
	default:
		s.lost |= lostBy(kind, Trim(text))
	}
}

// field returns the field of a name in quotes, nil if there is none.
func (s *Shape) field(name []byte) *Shape {
	if inside := name[1 : len(name)-1]; !slices.Contains(inside, '\\') {
		return s.fields[string(inside)]
	}
	return s.fields[string(AppendString(nil, name))]
}

func (s *Shape) addField(name string, field *Shape) {
	if s.fields == nil {
		s.fields = make(map[string]*Shape)
	}
	if s.fields[name], s.names = field, append(s.names, name); len(s.names) > maxMembers {
		s.kind = anyJSON
	}
}

// Holds reports whether a value would certainly not change the type of the shape.
func (s *Shape) Holds(text []byte) bool {
	kind := TypeOf(text)
	if commonKind(s.kind, kind) != s.kind && !(isNumber(s.kind) && isNumber(kind)) {
		return false
	}
	if kind == Null || s.kind == anyJSON {
		return true
	}
	switch kind {
	case Array:
		for item := range Items(text) {
			if !s.item.Holds(item) {
				return false
			}
		}
	case Object:
		for name, value := range Members(text) {
			if field := s.field(name); field == nil || !field.Holds(value) {
				return false
			}
		}
	case String:
		return s.lost&(isDay|isTimestamp|isUTC) == isDay|isTimestamp|isUTC || lostBy(kind, Trim(text))&^s.lost == 0
	default:
		return lostBy(kind, Trim(text))&^s.lost == 0
	}
	return true
}

// United returns the shape of the values of both. Either may be nil, and neither changes. Members that only the
// other has follow in the order of their names, so that it does not matter which of several is united first.
func (s *Shape) United(with *Shape) *Shape {
	if with == nil {
		return s
	}
	if s == nil {
		s = new(Shape)
	}
	both := &Shape{kind: commonKind(s.kind, with.kind), lost: s.lost | with.lost, item: s.item.United(with.item), added: s.added}
	for _, name := range s.names {
		both.addField(name, s.fields[name].United(with.fields[name]))
	}
	for _, name := range with.names {
		if s.fields[name] == nil {
			both.addField(name, new(Shape).United(with.fields[name]))
		}
	}
	slices.Sort(both.names[both.added:])
	return both
}

func isNumber(kind string) bool {
	return kind == Whole || kind == Positive || kind == huge || kind == Double
}

func commonKind(a, b string) string {
	switch {
	case b == Null || b == "" || a == b:
		return a
	case a == "":
		return b
	case !isNumber(a) || !isNumber(b):
		return anyJSON
	case a == Double || b == Double:
		return Double
	}
	return huge
}

func (s *Shape) append(dst []byte) []byte {
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
