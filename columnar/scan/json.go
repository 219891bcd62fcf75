package scan

import (
	"bytes"
	"math"
	"slices"
	"unicode/utf8"

	"analyzer/columnar"
	"analyzer/columnar/csv"
	"analyzer/columnar/jsontext"
	"analyzer/columnar/number"
	"analyzer/columnar/pyliteral"
)

// json reads the cells of output i, which are JSON, as values of its type. In CSV they may be Python's lists and dicts.
func (w *cellWorker) json(i int, to *cells, records []int32) {
	c, tally, typed := &w.scan.outputs[i], w.scan.tally, w.block.Quoting().Typed()
	null := c.null
	if null == nil {
		null = func(text []byte) bool { return !typed && columnar.IsNullWord(text) }
	}
	if to.json == nil {
		to.json = newJSONReader(c.Type())
	}
	to.Reset()
	w.block.Column(&w.column, c.field, records)
	for j, record := range records {
		cell := w.column.Cell(j)
		text := w.text(cell)
		if !utf8.Valid(text) {
			w.mended = csv.AppendUTF8(w.mended[:0], text)
			text = w.mended
			w.warn(&tally.invalid[i], record)
		}
		if len(cell) == 0 || null(text) {
			to.AppendNull()
			continue
		}
		var err error
		if !typed && !jsontext.Valid(text) {
			w.literal, err = pyliteral.AppendJSON(w.literal[:0], text)
			text = w.literal
		}
		switch {
		case err != nil || len(text) == 0:
			to.AppendNull()
			w.warn(&tally.malformed[i], record)
		case !to.json.appendTo(&to.Vector, text):
			w.warn(&tally.malformed[i], record)
		}
	}
}

// jsonReader reads JSON as values of a type. It is for one goroutine.
type jsonReader struct {
	typ    columnar.Type
	single *cellFormat // of values that are no lists and no structs
	item   *jsonReader // of a list
	// Of a struct: its fields and their places, vectors of one value each, and the texts of these, nil if a field is missing.
	fields  []*jsonReader
	places  map[string]int
	columns []*columnar.Vector
	texts   [][]byte
	scratch []byte
}

func newJSONReader(t columnar.Type) *jsonReader {
	r := &jsonReader{typ: t}
	if item := t.Item(); item != columnar.Invalid {
		r.item = newJSONReader(item)
		return r
	}
	for i, f := range t.Fields() {
		if r.places == nil {
			r.places = make(map[string]int)
		}
		r.places[f.Name] = i
		r.fields, r.columns = append(r.fields, newJSONReader(f.Type)), append(r.columns, columnar.NewVector(f.Type))
	}
	r.texts = make([][]byte, len(r.fields))
	r.single = singles[t]
	if t.IsWide() {
		r.single = wideFormat(t, number.Form{})
	}
	return r
}

// singles are the formats of values that are no lists and no structs, by their types. It is read only.
var singles = map[columnar.Type]*cellFormat{
	columnar.Bool:      formats[columnar.FormatBool],
	columnar.Int:       formats[columnar.FormatInt],
	columnar.Huge:      formats[columnar.FormatHuge],
	columnar.Decimal:   formats[columnar.FormatDecimal],
	columnar.Float:     formats[columnar.FormatFloat],
	columnar.Date:      formats[columnar.FormatDay],
	columnar.Timestamp: formats[columnar.FormatInstant], // as a whole file may have moments with a zone, and without
	columnar.Instant:   formats[columnar.FormatInstant],
	columnar.Time:      formats[columnar.FormatClock],
	columnar.UUID:      formats[columnar.FormatUUID],
	columnar.Bytes:     formats[columnar.FormatBytes],
}

// IsJSON reports whether cells that are JSON can be read as values of a type, which is a list or a struct.
func IsJSON(t columnar.Type) bool {
	return t.IsStruct() && !slices.ContainsFunc(t.Fields(), func(f columnar.Field) bool { return !isPartOfJSON(f.Type) }) ||
		t.Kind() == columnar.KindList && isPartOfJSON(t.Item())
}

func isPartOfJSON(t columnar.Type) bool {
	return t == columnar.Text || t.IsWide() || singles[t] != nil || IsJSON(t)
}

// appendTo appends a value, which is null if it is not of the type, and reports whether it is.
func (r *jsonReader) appendTo(v *columnar.Vector, text []byte) (fits bool) {
	switch text = jsontext.Trim(text); {
	case text[0] == 'n':
		v.AppendNull()
		return true
	case r.item != nil && text[0] == '[':
		return r.appendList(v, text)
	case r.fields != nil && text[0] == '{':
		return r.appendStruct(v, text)
	case r.typ == columnar.Text:
		v.AppendBytes(r.plain(text))
		return true
	case r.single == nil || text[0] == '[' || text[0] == '{':
		v.AppendNull()
		return false
	}
	return r.appendSingle(v, r.plain(text))
}

// plain returns what a text in quotes stands for, or any other value compactly, until the next call.
func (r *jsonReader) plain(text []byte) []byte {
	switch c := text[0]; {
	case c == '"' && bytes.IndexByte(text, '\\') < 0:
		return text[1 : len(text)-1]
	case c != '"' && c != '[' && c != '{':
		return text
	}
	r.scratch = jsontext.AppendString(r.scratch[:0], text)
	return r.scratch
}

func (r *jsonReader) appendList(v *columnar.Vector, text []byte) (fit bool) {
	fit = true
	for item := range jsontext.Items(text) {
		fit = r.item.appendTo(v.Child, item) && fit
	}
	v.EndList()
	return fit
}

// appendStruct appends an object. Of equal members the last counts, and those that are no fields are left out.
func (r *jsonReader) appendStruct(v *columnar.Vector, text []byte) (fit bool) {
	clear(r.texts)
	for name, value := range jsontext.Members(text) {
		if i, ok := r.places[string(r.plain(name))]; ok {
			r.texts[i] = value
		}
	}
	fit, r.scratch = true, r.scratch[:0]
	for i, column := range r.columns {
		if column.Reset(); r.texts[i] == nil {
			column.AppendNull()
		} else {
			fit = r.fields[i].appendTo(column, r.texts[i]) && fit
		}
		r.scratch = column.AppendField(r.scratch, 0)
	}
	v.AppendBytes(r.scratch)
	return fit
}

// appendSingle appends what a text says.
func (r *jsonReader) appendSingle(v *columnar.Vector, text []byte) (ok bool) {
	switch f := r.single; {
	case f.number != nil:
		var n int64
		switch n, ok = f.number(text); {
		case !ok:
		case r.typ.Kind() == columnar.KindBool:
			v.AppendBool(n != 0)
		case r.typ.Kind() == columnar.KindFloat64:
			v.AppendFloat(math.Float64frombits(uint64(n)))
		default:
			v.AppendInt(n)
		}
	case f.wide != nil:
		n, fits := f.wide(text)
		if ok = fits; ok {
			v.AppendWide(n)
		}
	case f.bytes != nil:
		var plain []byte
		if plain, ok = f.bytes(nil, text); ok {
			v.AppendBytes(plain)
		}
	}
	if !ok {
		v.AppendNull()
	}
	return ok
}
