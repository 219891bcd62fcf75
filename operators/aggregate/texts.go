package aggregate

import (
	"fmt"

	"analyzer/columnar"
)

// StringAgg concatenates all texts in ascending order, with a separator.
const StringAgg Func = "string_agg"

func init() { functions.Add(textFunctions) }

func textFunctions() []function {
	return []function{{
		name: StringAgg, param: func(string) error { return nil }, forms: []form{{
			takes: []columnar.Type{columnar.Text}, gives: columnar.Text,
			state: []column{{"texts", columnar.TextList, func(mem *memory) accumulator {
				return &textList{list: list{arena: arena[int64]{mem: mem}}, text: arena[byte]{mem: mem}}
			}}},
			value: joinedTexts,
		}},
	}}
}

// textList collects texts: a list of references to them and of their lengths.
type textList struct {
	list
	text arena[byte]
}

func (l *textList) keep(rec *listRecord, text []byte) {
	ref, room := l.text.alloc(len(text))
	copy(room, text)
	item := [2]int64{int64(ref), int64(len(text))}
	l.add(rec, item[:])
}

func (l *textList) update(r records, arg *columnar.Vector) {
	for i, ref := range r.refs {
		if !arg.IsNull(i) {
			l.keep(listOf(r, ref), arg.Bytes(i))
		}
	}
}

func (l *textList) merge(r records, lists *columnar.Vector) error {
	for i, ref := range r.refs {
		if lists.IsNull(i) {
			continue
		}
		for j := lists.Offsets[i]; j < lists.Offsets[i+1]; j++ {
			l.keep(listOf(r, ref), lists.Child.Bytes(int(j)))
		}
	}
	return nil
}

// texts calls each with the texts of a group. each borrows them.
func (l *textList) texts(rec *listRecord, each func([]byte)) error {
	items := columnar.NewVector(columnar.IntList)
	if err := l.appendList(rec, items); err != nil {
		return err
	}
	refs := items.Child.Ints
	for i := 0; i < len(refs); i += 2 {
		each(l.text.run(uint64(refs[i]), uint64(refs[i+1])))
	}
	return nil
}

func (l *textList) appendTo(r records, out *columnar.Vector) error {
	for _, ref := range r.refs {
		size := len(out.Child.Data)
		err := l.texts(listOf(r, ref), func(text []byte) {
			if size += len(text); size <= columnar.MaxVectorBytes {
				out.Child.AppendBytes(text)
			}
		})
		if err == nil && size > columnar.MaxVectorBytes {
			err = tooLong(size)
		}
		if err != nil {
			return err
		}
		out.EndList()
	}
	return nil
}

func tooLong(size int) error {
	return fmt.Errorf("has %d bytes, and can have %d", size, columnar.MaxVectorBytes)
}

func (l *textList) single(arg *columnar.Vector, rows int) *columnar.Vector {
	if l.lists.Type == columnar.Invalid {
		l.lists = *columnar.NewVector(columnar.TextList)
	}
	l.lists.Reset()
	for i := range rows {
		if !arg.IsNull(i) {
			l.lists.Child.AppendBytes(arg.Bytes(i))
		}
		l.lists.EndList()
	}
	return &l.lists
}

func (l *textList) size(words []uint64) int {
	return 64 * int(words[listLen]) // an estimate: the lengths in the list are not read for each page
}

func (l *textList) reset() {
	l.list.reset()
	l.text.reset()
}

func (l *textList) free() {
	l.list.free()
	l.text.free()
}
