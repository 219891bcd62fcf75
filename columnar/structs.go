package columnar

import (
	"slices"
	"strconv"
	"strings"
	"unique"

	"github.com/apache/arrow/go/v17/arrow"
)

// A struct is its fields one behind the other, in bytes whose order is that of structs: by the first
// fields that differ, of which null is the greatest. So it moves, spills, groups and sorts as any bytes
// do. A field is a one and its ordered value, or a two if it is null.

const structName = "struct"

// field is a field of a struct, and those behind it.
type field struct {
	name string
	typ  Type
	next unique.Handle[field]
}

// last is behind the last field.
var last unique.Handle[field]

// MaxParts is how many fields a type may have, those within its fields counted.
const MaxParts = 4096

// StructOf returns the type of structs with some fields, Invalid if there are none or more than MaxParts,
// if they are nested too deep, or if answers cannot hold one. The fields may have no names.
func StructOf(fields ...Field) Type { return nested(structure, fields...) }

func nested(of base, fields ...Field) Type {
	t, all := Type{base: of}, 0
	for _, f := range slices.Backward(fields) {
		if all += 1 + f.Type.Parts(); !f.Type.Writable() || f.Type.depth() >= MaxNesting || all > MaxParts {
			return Invalid
		}
		t.fields = unique.Make(field{f.Name, f.Type, t.fields})
	}
	if t.fields == last {
		return Invalid
	}
	return t
}

// IsNested reports whether values are structs or maps.
func (t Type) IsNested() bool { return t.fields != last && t.lists == 0 }

// IsStruct reports whether values are structs.
func (t Type) IsStruct() bool { return t.base == structure && t.lists == 0 }

// Fields returns the fields of a struct, nil if t is none.
func (t Type) Fields() []Field {
	if !t.IsStruct() {
		return nil
	}
	return t.parts()
}

// FieldAt returns the field of a struct at a position from 1 on, the zero Field if there is none.
func (t Type) FieldAt(position int64) Field {
	for f := t.fields; t.IsStruct() && f != last; f = f.Value().next {
		if position--; position == 0 {
			return Field{f.Value().name, f.Value().typ}
		}
	}
	return Field{}
}

// parts returns the fields of a struct, or the key and the value of a map, or those that its items have.
func (t Type) parts() []Field {
	var all []Field
	for f := t.fields; f != last; f = f.Value().next {
		all = append(all, Field{f.Value().name, f.Value().typ})
	}
	return all
}

func (t Type) publicNested() arrow.DataType {
	fields := Each(t.parts(), func(f Field) arrow.Field { return arrow.Field{Name: f.Name, Type: f.Type.Public(), Nullable: true} })
	if t.base == mapping {
		return arrow.MapOf(fields[0].Type, fields[1].Type)
	}
	return arrow.StructOf(fields...)
}

// Parts returns how many fields a type has, those within its fields counted; 0 of one without fields.
func (t Type) Parts() int {
	n := 0
	for _, f := range t.parts() {
		n += 1 + f.Type.Parts()
	}
	return n
}

// Holds reports whether a type is of, or values of it hold in lists, structs and maps.
func (t Type) Holds(of Type) bool {
	if t.lists > 0 {
		return t.Item().Holds(of)
	}
	return t == of || slices.ContainsFunc(t.parts(), func(f Field) bool { return f.Type.Holds(of) })
}

// depth is in how many lists and structs the innermost values of a type stand.
func (t Type) depth() int {
	deepest := 0
	for _, f := range t.parts() {
		deepest = max(deepest, 1+f.Type.depth())
	}
	return int(t.lists) + deepest
}

// fieldNames writes the fields of a struct behind the name of its type.
func (t Type) fieldNames() string {
	parts := Each(t.parts(), func(f Field) string { return strconv.Quote(f.Name) + " " + f.Type.String() })
	return "(" + strings.Join(parts, ", ") + ")"
}

// readFields reads what fieldNames writes, of a struct or a map that is so deep in others.
func readFields(of base, text string, depth int) (t Type, rest string) {
	var fields []Field
	rest, ok := strings.CutPrefix(text, "(")
	for ok && depth < MaxNesting {
		quoted, err := strconv.QuotedPrefix(rest)
		if err != nil {
			break
		}
		name, err := strconv.Unquote(quoted)
		rest, ok = strings.CutPrefix(rest[len(quoted):], " ")
		if err != nil || !ok {
			break
		}
		f := Field{Name: name}
		f.Type, rest = readType(rest, depth+1)
		fields = append(fields, f)
		if end, ok := strings.CutPrefix(rest, ")"); ok {
			if of == mapping && len(fields) != 2 {
				return Invalid, end
			}
			return nested(of, fields...), end
		}
		rest, ok = strings.CutPrefix(rest, ", ")
	}
	return Invalid, rest
}

// AppendField appends value i, which may be null, as the next field of a struct.
func (v *Vector) AppendField(dst []byte, i int) []byte {
	if v.IsNull(i) {
		return append(dst, nullOfList)
	}
	return AppendOrdered(append(dst, itemOfList), v, i)
}

// IsNullField reports whether the first field of the rest of a struct is null.
func IsNullField(rest []byte) bool { return len(rest) > 0 && rest[0] == nullOfList }

// SkipField returns what follows the first field, of type t, of the rest of a struct; nil if it is
// damaged.
func SkipField(rest []byte, t Type) []byte { return behindItem(rest, t, 0) }

// TakeField appends the first field of the rest of a struct, and returns what follows it.
func (v *Vector) TakeField(rest []byte) ([]byte, error) {
	switch {
	case len(rest) == 0:
		return nil, ErrOrdered
	case rest[0] == nullOfList:
		v.AppendNull()
		return rest[1:], nil
	}
	return TakeOrdered(rest[1:], v)
}

// Struct returns the fields of value i of a vector of structs, which must not be null: vectors of one
// value each, valid until the next call. Fields that are damaged are null.
func (v *Vector) Struct(i int) []*Vector {
	if v.fields == nil {
		v.fields = v.Type.newFields()
	}
	rest := v.Bytes(i)
	for _, one := range v.fields {
		one.Reset()
		var err error
		if rest, err = one.TakeField(rest); err != nil {
			one.Reset()
			one.AppendNull()
		}
	}
	return v.fields
}

// newFields returns an empty vector for each field of a struct.
func (t Type) newFields() []*Vector {
	return Each(t.Fields(), func(f Field) *Vector { return NewVector(f.Type) })
}

// StructColumns returns the fields of values lo to hi of a vector of structs as columns, which are null
// where the struct is.
func (v *Vector) StructColumns(lo, hi int) ([]*Vector, error) {
	columns := v.Type.newFields()
	if err := v.AppendFields(columns, lo, hi); err != nil {
		return nil, err
	}
	return columns, nil
}

// AppendFields appends the fields of values lo to hi of a vector of structs to columns, which are null
// where the struct is. A column that is nil is not wanted.
func (v *Vector) AppendFields(columns []*Vector, lo, hi int) error {
	fields := v.Type.Fields()
	for len(columns) > 0 && columns[len(columns)-1] == nil {
		columns = columns[:len(columns)-1]
	}
	for i := lo; i < hi; i++ {
		rest := v.Bytes(i)
		for k, c := range columns {
			var err error
			switch {
			case c == nil:
				rest = SkipField(rest, fields[k].Type)
			case v.IsNull(i):
				c.AppendNull()
			default:
				rest, err = c.TakeField(rest)
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// appendStructText appends a struct as DuckDB casts it to a text: {'a': 1, 'b': x}, or (1, x) without names.
func (v *Vector) appendStructText(dst []byte, i int) []byte {
	named := v.Type.fields.Value().name != ""
	ends := "()"
	if named {
		ends = "{}"
	}
	dst = append(dst, ends[0])
	f := v.Type.fields
	for k, one := range v.Struct(i) {
		if k > 0 {
			dst = append(dst, ", "...)
		}
		if named {
			start := len(dst)
			dst = append(quoted(append(dst, f.Value().name...), start), ": "...)
		}
		f = f.Value().next
		if one.IsNull(0) {
			dst = append(dst, "NULL"...)
		} else {
			dst = one.appendPart(dst, 0)
		}
	}
	return append(dst, ends[1])
}
