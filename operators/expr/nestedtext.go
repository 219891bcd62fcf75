package expr

import (
	"bytes"
	"errors"
	"slices"
	"strings"

	"analyzer/columnar"
)

// The functions that read lists, maps and structs as casts to texts write them: [a, 'b, c', NULL], {a=1, b=x}
// and {'a': 1, 'b': x}, or (1, x) by position. Quotes may be double, and names need none. Parts of lists and
// structs that are such themselves stay texts.
const (
	OpListOfText   Op = "list_of_text"   // text, whether it is null where it is no list
	OpPairsOfText  Op = "pairs_of_text"  // likewise: the keys and values of a map in turn
	OpFieldsOfText Op = "fields_of_text" // text, the names of the fields, likewise
)

func init() { functions.Add(nestedTextFunctions) }

func nestedTextFunctions() []function {
	return []function{
		{
			op: OpListOfText, takes: "a text and a bool", cost: costCase, canFail: true, build: just(partsOfText('[', ']', ",")),
			types: only(columnar.TextList, columnar.Text, columnar.Bool),
		},
		{
			op: OpPairsOfText, takes: "a text and a bool", cost: costCase, canFail: true, build: just(partsOfText('{', '}', "=", ",")),
			types: only(columnar.TextList, columnar.Text, columnar.Bool),
		},
		{
			op: OpFieldsOfText, takes: "a text, a list of names and a bool", cost: costCase, canFail: true, check: checkNames, build: buildFieldsOfText,
			types: only(columnar.TextList, columnar.Text, columnar.TextList, columnar.Bool),
		},
	}
}

func checkNames(args []*Expr) error {
	if names := args[1].Literal(); names == nil || len(names.Texts) == 0 {
		return errors.New("the names of the fields are a list of texts")
	}
	return nil
}

// partsOfText reads parts between two brackets, behind which there are the stops in turn, the last of which is a comma.
// A part before another stop is a key, and not null.
func partsOfText(open, closed byte, stops ...string) func(out *result, args []*columnar.Vector) error {
	return eachRow(func(out *result, args []*columnar.Vector, i int) error {
		before := out.Child.Len
		inside, ok := within(args[0].Bytes(i), open, closed)
		for p := (partText{text: inside}); ok && p.next(); {
			for _, stop := range stops {
				ok = ok && p.read(stop) && (stop == "," || !p.null)
				p.appendTo(out.Child)
			}
		}
		if !ok {
			if !args[1].Bools[i] {
				return &CastError{string(args[0].Bytes(i)), out.Type}
			}
			out.truncate(before)
			out.setNull(i)
		}
		return nil
	})
}

// truncate drops the items of a list that has not ended, from item n on.
func (r *result) truncate(n int) {
	kept := columnar.NewVector(r.Child.Type)
	kept.AppendRange(r.Child, 0, n)
	*r.Child = *kept
}

func buildFieldsOfText(b *build) (kernel, error) {
	names := b.literal(1).Texts
	t := columnar.StructOf(slices.Collect(func(yield func(columnar.Field) bool) {
		for _, name := range names {
			if !yield(columnar.Field{Name: name, Type: columnar.Text}) {
				return
			}
		}
	})...)
	values := make([]partText, len(names))
	return eachRow(func(out *result, args []*columnar.Vector, i int) error {
		switch ok := readFields(args[0].Bytes(i), names, values); {
		case ok:
			for _, v := range values {
				v.appendTo(out.Child)
			}
		case args[2].Bools[i]:
			out.setNull(i)
		default:
			return &CastError{string(args[0].Bytes(i)), t}
		}
		return nil
	}), nil
}

// readFields reads the values of fields. Those that the text does not have are null.
func readFields(text []byte, names []string, values []partText) bool {
	for i := range values {
		values[i] = partText{null: true}
	}
	if inside, ok := within(text, '(', ')'); ok {
		p := partText{text: inside}
		for i := range values {
			if !p.next() || !p.read(",") {
				return false
			}
			values[i] = p.kept()
		}
		return !p.next()
	}
	inside, ok := within(text, '{', '}')
	if !ok {
		return false
	}
	for p := (partText{text: inside}); p.next(); {
		if !p.read(":") {
			return false
		}
		name := string(p.part)
		at := slices.IndexFunc(names, func(known string) bool { return strings.EqualFold(known, name) })
		if !p.next() || !p.read(",") || at < 0 {
			return false
		}
		values[at] = p.kept()
	}
	return true
}

// within returns what stands between two brackets.
func within(text []byte, open, closed byte) (inside []byte, ok bool) {
	text = bytes.TrimSpace(text)
	if len(text) < 2 || text[0] != open || text[len(text)-1] != closed {
		return nil, false
	}
	return text[1 : len(text)-1], true
}

// partText reads one part of a list or a struct after the other.
type partText struct {
	text  []byte // what is left
	after bool   // a comma was before it, so that a part must follow
	part  []byte
	null  bool
}

// next reports whether there is another part.
func (p *partText) next() bool {
	p.text = bytes.TrimLeft(p.text, " \t\r\n")
	return len(p.text) > 0 || p.after
}

// kept returns the part that was read last, for later.
func (p *partText) kept() partText { return partText{part: bytes.Clone(p.part), null: p.null} }

func (p *partText) appendTo(out *columnar.Vector) {
	if p.null {
		out.AppendNull()
	} else {
		out.AppendBytes(p.part)
	}
}

// read reads the part up to the next stop, which is ",", ":" or "="; the last part has no comma behind it.
func (p *partText) read(stop string) bool {
	p.null, p.after = false, false
	if p.text = bytes.TrimLeft(p.text, " \t\r\n"); len(p.text) > 0 && (p.text[0] == '\'' || p.text[0] == '"') {
		if !p.quoted() {
			return false
		}
	} else if !p.plain(stop[0]) {
		return false
	}
	p.text = bytes.TrimLeft(p.text, " \t\r\n")
	if len(p.text) == 0 {
		return stop == ","
	}
	p.after = p.text[0] == stop[0]
	p.text = p.text[1:]
	return p.after
}

// quoted reads a part in quotes.
func (p *partText) quoted() bool {
	quote, at := p.text[0], 1
	p.part = p.part[:0]
	for ; at < len(p.text) && p.text[at] != quote; at++ {
		if p.text[at] == '\\' && at+1 < len(p.text) {
			at++
		}
		p.part = append(p.part, p.text[at])
	}
	if at == len(p.text) {
		return false
	}
	p.text = p.text[at+1:]
	return true
}

// plain reads a part without quotes, in which brackets and the quotes between them belong together.
func (p *partText) plain(stop byte) bool {
	depth, at := 0, 0
	for ; at < len(p.text) && (depth > 0 || p.text[at] != stop); at++ {
		switch c := p.text[at]; c {
		case '[', '{', '(':
			depth++
		case ']', '}', ')':
			depth--
		case '\'', '"':
			if depth == 0 {
				continue
			}
			for at++; at < len(p.text) && p.text[at] != c; at++ {
				if p.text[at] == '\\' {
					at++
				}
			}
		}
		if depth < 0 {
			return false
		}
	}
	if depth != 0 || at > len(p.text) {
		return false
	}
	p.part = append(p.part[:0], bytes.TrimRight(p.text[:at], " \t\r\n")...)
	p.null = bytes.EqualFold(p.part, []byte("null"))
	p.text = p.text[at:]
	return true
}
