package expr

import (
	"strconv"

	"analyzer/columnar"
	"analyzer/columnar/jsontext"
)

// The lists of the parts of a JSON text, from where a path leads to.
const (
	OpJSONEach Op = "json_each" // the members or items of a part, or itself if it has none
	OpJSONTree Op = "json_tree" // a part, and all that it holds
)

// JSONRow is a part of a JSON text as a struct. Its place in the text is its id: the number of values
// and names before it.
func JSONRow() columnar.Type {
	text := func(name string) columnar.Field { return columnar.Field{Name: name, Type: columnar.Text} }
	number := func(name string) columnar.Field { return columnar.Field{Name: name, Type: columnar.Int} }
	return columnar.StructOf(text("key"), text("value"), text("type"), text("atom"), number("id"), number("parent"), text("fullkey"), text("path"))
}

func init() {
	functions.Add(func() []function {
		types := only(columnar.ListOf(JSONRow()), columnar.Text, columnar.Text)
		of := func(op Op, deep bool) function {
			return function{
				op: op, takes: "a text that is JSON, and a path", types: types, cost: costCase * 8, canFail: true, build: jsonRows(deep),
			}
		}
		return []function{of(OpJSONEach, false), of(OpJSONTree, true)}
	})
}

// jsonRows builds the kernel of json_each or json_tree.
func jsonRows(deep bool) func(*build) (kernel, error) {
	return func(b *build) (kernel, error) {
		w := &jsonWalk{deep: deep}
		for _, f := range JSONRow().Fields() {
			w.fields = append(w.fields, columnar.NewVector(f.Type))
		}
		return overJSON(func(out *result, args []*columnar.Vector, i int, text []byte) error {
			path, err := pathOf(args[1], i)
			if err != nil {
				return err
			}
			part, ok := path.Find(text)
			if !ok {
				return nil
			}
			w.out, w.path = out.Child, appendBase(w.path[:0], args[1].Bytes(i))
			w.next = jsontext.CountValues(text[:cap(text)-cap(part)]) // the part is a slice of the text
			return w.from(part)
		})(b)
	}
}

// appendBase appends the path to the part at which a walk begins.
func appendBase(dst, path []byte) []byte {
	if len(path) > 0 && path[0] == '$' {
		return append(dst, path...)
	}
	return append(append(append(dst, `$."`...), path...), '"')
}

// jsonWalk goes through the parts of a text, in its order, and writes a struct of each.
type jsonWalk struct {
	deep   bool
	out    *columnar.Vector
	fields []*columnar.Vector // of one struct
	key    []byte
	path   []byte
	next   int64 // the id of the next value or name
}

// noParent is the parent of a part that lies in none of the parts before it.
const noParent = -1

func (w *jsonWalk) from(part []byte) error {
	id := w.next
	w.next++
	container := part[0] == '{' || part[0] == '['
	if w.deep || !container {
		if err := w.write(nil, part, id, noParent, len(w.path)); err != nil {
			return err
		}
	}
	return w.inside(part, id)
}

// inside writes what lies in a part.
func (w *jsonWalk) inside(part []byte, id int64) (err error) {
	if !w.deep {
		id = noParent
	}
	if part[0] == '{' {
		for name, value := range jsontext.Members(part) {
			w.next++ // the name
			w.key = jsontext.AppendString(w.key[:0], name)
			if err = w.member(value, id, '.', ""); err != nil {
				return err
			}
		}
	}
	if part[0] == '[' {
		place := int64(0)
		for value := range jsontext.Items(part) {
			w.key = strconv.AppendInt(w.key[:0], place, 10)
			if err = w.member(value, id, '[', "]"); err != nil {
				return err
			}
			place++
		}
	}
	return nil
}

// member writes a member or item, whose key lies between two signs in its path, and what is in it.
func (w *jsonWalk) member(value []byte, parent int64, before byte, after string) error {
	id, base := w.next, len(w.path)
	w.path = append(append(append(w.path, before), w.key...), after...)
	err := w.write(w.key, value, id, parent, base)
	if w.deep && err == nil {
		w.next++
		err = w.inside(value, id)
	} else {
		w.next += jsontext.CountValues(value)
	}
	w.path = w.path[:base]
	return err
}

// write writes a struct; base is the length of the path to what holds the part.
func (w *jsonWalk) write(key, part []byte, id, parent int64, base int) error {
	for _, f := range w.fields {
		f.Reset()
	}
	text := func(i int, append func(f *columnar.Vector)) {
		append(w.fields[i])
		w.fields[i].AppendBytes(nil)
	}
	if key == nil {
		w.fields[0].AppendNull()
	} else {
		w.fields[0].AppendBytes(key)
	}
	text(1, func(f *columnar.Vector) { f.Data = jsontext.AppendCompact(f.Data, part) })
	text(2, func(f *columnar.Vector) { f.Data = appendJSONType(f.Data, part) })
	if part[0] == '{' || part[0] == '[' || part[0] == 'n' {
		w.fields[3].AppendNull()
	} else {
		w.fields[3].AppendBytes(w.fields[1].Data)
	}
	w.fields[4].Ints, w.fields[4].Len = append(w.fields[4].Ints, id), 1
	if w.fields[5].Ints, w.fields[5].Len = append(w.fields[5].Ints, parent), 1; parent == noParent {
		w.fields[5].Reset()
		w.fields[5].AppendNull()
	}
	w.fields[6].AppendBytes(w.path)
	w.fields[7].AppendBytes(w.path[:base])
	for _, f := range w.fields {
		w.out.Data = f.AppendField(w.out.Data, 0)
	}
	if w.out.AppendBytes(nil); len(w.out.Data)+4*w.out.Len > maxMade {
		return ErrMuchText
	}
	return nil
}
