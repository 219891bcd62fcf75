package columnar

import (
	"fmt"
	"slices"

	"github.com/apache/arrow/go/v17/arrow"
)

// Type is the logical type of a column: what plans see, and what decides which
// operations there are and how values are read and written.
type Type uint8

// The logical types.
const (
	Invalid  Type = iota
	Bool          // true or false
	Int           // a whole number of 64 bits
	Decimal       // a decimal number in millionths
	Float         // an IEEE 754 double
	Text          // UTF-8
	Wide          // an exact sum of Decimals: a decimal number of 38 digits, in millionths
	FloatSum      // an exact sum of Floats, in the encoding of number.FloatSum
	TextList      // a list of Texts
	IntList       // a list of Ints
)

// Kind is the form of a column's values in memory. Whatever hashes, compares,
// moves, stores or encodes values knows kinds only, so a new logical type over
// an old kind needs nothing of it. Two types of one kind that must not be mixed
// up, such as Int and Decimal, are kept apart by plans and schemas.
type Kind uint8

// The kinds, each with the slice of a Vector that holds its values.
const (
	NoKind      Kind = iota
	KindBool         // Bools
	KindInt64        // Ints, in their own order
	KindFloat64      // Floats; the two zeros are one key
	KindInt128       // Wides
	KindBytes        // Data, where value i is Data[Offsets[i]:Offsets[i+1]]
	KindList         // Child, where value i is Child's Offsets[i] to Offsets[i+1]
)

// types is the one table of logical types. arrow is how values travel between
// stages and lie on disk; answers may choose another form for other programs.
var types = [...]struct {
	name  string
	kind  Kind
	arrow arrow.DataType
	item  Type // of a list
}{
	Invalid:  {name: "invalid", arrow: arrow.Null},
	Bool:     {name: "bool", kind: KindBool, arrow: arrow.FixedWidthTypes.Boolean},
	Int:      {name: "int", kind: KindInt64, arrow: arrow.PrimitiveTypes.Int64},
	Decimal:  {name: "decimal", kind: KindInt64, arrow: arrow.PrimitiveTypes.Int64},
	Float:    {name: "float", kind: KindFloat64, arrow: arrow.PrimitiveTypes.Float64},
	Text:     {name: "text", kind: KindBytes, arrow: arrow.BinaryTypes.String},
	Wide:     {name: "wide", kind: KindInt128, arrow: &arrow.Decimal128Type{Precision: 38, Scale: 6}},
	FloatSum: {name: "floatsum", kind: KindBytes, arrow: arrow.BinaryTypes.Binary},
	TextList: {name: "textlist", kind: KindList, arrow: arrow.ListOf(arrow.BinaryTypes.String), item: Text},
	IntList:  {name: "intlist", kind: KindList, arrow: arrow.ListOf(arrow.PrimitiveTypes.Int64), item: Int},
}

// Types returns all logical types in order.
func Types() []Type {
	all := make([]Type, 0, len(types)-1)
	for t := range types[1:] {
		all = append(all, Type(t+1))
	}
	return all
}

// Known reports whether t is one of the logical types.
func (t Type) Known() bool { return t != Invalid && int(t) < len(types) }

// Kind returns the form of t's values in memory, NoKind if t is not Known.
func (t Type) Kind() Kind {
	if int(t) < len(types) {
		return types[t].kind
	}
	return NoKind
}

// Item returns the type of a list's items, Invalid if t is not a list.
func (t Type) Item() Type {
	if int(t) < len(types) {
		return types[t].item
	}
	return Invalid
}

// Arrow returns the Arrow type that carries t.
func (t Type) Arrow() arrow.DataType {
	if int(t) < len(types) {
		return types[t].arrow
	}
	return arrow.Null
}

// String returns the type's name in plans.
func (t Type) String() string {
	if int(t) < len(types) {
		return types[t].name
	}
	return fmt.Sprintf("type(%d)", uint8(t))
}

// MarshalText writes the type's name.
func (t Type) MarshalText() ([]byte, error) { return []byte(t.String()), nil }

// UnmarshalText reads a type's name.
func (t *Type) UnmarshalText(text []byte) error {
	i := slices.IndexFunc(Types(), func(t Type) bool { return t.String() == string(text) })
	if i < 0 {
		return fmt.Errorf("unknown column type %q", text)
	}
	*t = Types()[i]
	return nil
}

// Varies reports whether values of the kind differ in size: such vectors have
// Offsets.
func (k Kind) Varies() bool { return k == KindBytes || k == KindList }
