package columnar

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/decimal128"

	"analyzer/columnar/number"
)

// Type is the logical type of a column, as plans see it. It decides which operations
// are possible and how values are read and written.
type Type uint8

// The logical types.
const (
	Invalid   Type = iota
	Bool           // true or false
	Int            // a whole number of 64 bits
	Decimal        // a decimal number in millionths
	Float          // an IEEE 754 double
	Text           // UTF-8
	Date           // a day of the proleptic Gregorian calendar, in days since 1970-01-01
	Timestamp      // a date and a time of day without a zone, in microseconds since 1970-01-01
	Wide           // an exact sum of Decimals: a decimal number of 38 digits, in millionths
	FloatSum       // an exact sum of Floats, in the encoding of number.FloatSum
	Bytes          // any bytes, in states only
	TextList       // a list of Texts
	IntList        // a list of Ints
	BoolList       // a list of Bools, and so on
	DecimalList
	FloatList
	DateList
	TimestampList
	WideList
	BytesList // in states only
)

// Kind is the form of a column's values in memory. Code that hashes, compares, moves,
// stores or encodes values depends on kinds only, so a new logical type over an existing
// kind needs no change there. Plans and schemas keep apart types that share a kind but
// must not be mixed up, such as Int and Decimal.
type Kind uint8

// The kinds, each with the slice of a Vector that holds its values.
const (
	NoKind      Kind = iota
	KindBool         // Bools
	KindInt64        // Ints, ordered as integers
	KindFloat64      // Floats; the two zeros are equal as keys
	KindInt128       // Wides
	KindBytes        // Data; value i is Data[Offsets[i]:Offsets[i+1]]
	KindList         // Child; value i is items Offsets[i] to Offsets[i+1] of Child
)

// types is the table of all logical types.
var types = [...]struct {
	name   string
	kind   Kind
	item   Type           // of a list
	arrow  arrow.DataType // how values travel between stages and lie on disk
	public arrow.DataType // how other programs receive values, if not as arrow
	print  printFunc      // how people see values; nil for lists and for types of state columns only
	quoted bool           // JSON writes values as strings
}{
	Invalid:       {name: "invalid", arrow: arrow.Null},
	Bool:          {name: "bool", kind: KindBool, arrow: arrow.FixedWidthTypes.Boolean, print: printBool},
	Int:           {name: "int", kind: KindInt64, arrow: arrow.PrimitiveTypes.Int64, print: printInt},
	Decimal:       {name: "decimal", kind: KindInt64, arrow: arrow.PrimitiveTypes.Int64, public: decimal38, print: printDecimal},
	Float:         {name: "float", kind: KindFloat64, arrow: arrow.PrimitiveTypes.Float64, print: printFloat},
	Text:          {name: "text", kind: KindBytes, arrow: arrow.BinaryTypes.String, print: printText, quoted: true},
	Date:          {name: "date", kind: KindInt64, arrow: arrow.PrimitiveTypes.Int64, public: arrow.PrimitiveTypes.Date32, print: printDate, quoted: true},
	Timestamp:     {name: "timestamp", kind: KindInt64, arrow: arrow.PrimitiveTypes.Int64, public: timestampMicros, print: printTimestamp, quoted: true},
	Wide:          {name: "wide", kind: KindInt128, arrow: decimal38, print: printWide},
	FloatSum:      {name: "floatsum", kind: KindBytes, arrow: arrow.BinaryTypes.Binary},
	Bytes:         {name: "bytes", kind: KindBytes, arrow: arrow.BinaryTypes.Binary},
	TextList:      {name: "textlist", kind: KindList, arrow: arrow.ListOf(arrow.BinaryTypes.String), item: Text},
	IntList:       {name: "intlist", kind: KindList, arrow: arrow.ListOf(arrow.PrimitiveTypes.Int64), item: Int},
	BoolList:      {name: "boollist", kind: KindList, arrow: arrow.ListOf(arrow.FixedWidthTypes.Boolean), item: Bool},
	DecimalList:   {name: "decimallist", kind: KindList, arrow: arrow.ListOf(arrow.PrimitiveTypes.Int64), public: arrow.ListOf(decimal38), item: Decimal},
	FloatList:     {name: "floatlist", kind: KindList, arrow: arrow.ListOf(arrow.PrimitiveTypes.Float64), item: Float},
	DateList:      {name: "datelist", kind: KindList, arrow: arrow.ListOf(arrow.PrimitiveTypes.Int64), public: arrow.ListOf(arrow.PrimitiveTypes.Date32), item: Date},
	TimestampList: {name: "timestamplist", kind: KindList, arrow: arrow.ListOf(arrow.PrimitiveTypes.Int64), public: arrow.ListOf(timestampMicros), item: Timestamp},
	WideList:      {name: "widelist", kind: KindList, arrow: arrow.ListOf(decimal38), item: Wide},
	BytesList:     {name: "byteslist", kind: KindList, arrow: arrow.ListOf(arrow.BinaryTypes.Binary), item: Bytes},
}

var (
	decimal38       = &arrow.Decimal128Type{Precision: 38, Scale: number.Scale}
	timestampMicros = &arrow.TimestampType{Unit: arrow.Microsecond}
)

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

// Lists returns the types of lists that answers can hold, in order.
func Lists() []Type {
	return slices.DeleteFunc(Types(), func(t Type) bool { return t.Item() == Invalid || !t.Writable() })
}

// ListOf returns the type of lists of items, Invalid if there is none.
func ListOf(item Type) Type {
	for _, t := range Lists() {
		if t.Item() == item {
			return t
		}
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

// Public returns the Arrow type in which other programs receive t.
func (t Type) Public() arrow.DataType {
	if int(t) < len(types) && types[t].public != nil {
		return types[t].public
	}
	return t.Arrow()
}

// Writable reports whether an answer can hold values of t, or of the items if t is a list.
func (t Type) Writable() bool {
	return t.Known() && (types[t].print != nil || t.Item().Writable())
}

// Quoted reports whether JSON writes values of t as strings.
func (t Type) Quoted() bool { return t.Known() && types[t].quoted }

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

// Varies reports whether values of the kind differ in size. Their vectors have Offsets.
func (k Kind) Varies() bool { return k == KindBytes || k == KindList }

// printFunc appends value i, which is not null, as people write it.
type printFunc func(dst []byte, v *Vector, i int) []byte

// AppendText appends value i as people write it. The value must not be null, and its
// type must be Writable and not a list.
func (v *Vector) AppendText(dst []byte, i int) []byte { return types[v.Type].print(dst, v, i) }

func printBool(dst []byte, v *Vector, i int) []byte { return strconv.AppendBool(dst, v.Bools[i]) }

func printInt(dst []byte, v *Vector, i int) []byte { return strconv.AppendInt(dst, v.Ints[i], 10) }

func printDecimal(dst []byte, v *Vector, i int) []byte {
	return number.AppendDecimal(dst, decimal128.FromI64(v.Ints[i]))
}

func printWide(dst []byte, v *Vector, i int) []byte { return number.AppendDecimal(dst, v.Wides[i]) }

func printDate(dst []byte, v *Vector, i int) []byte { return number.AppendDate(dst, v.Ints[i]) }

func printTimestamp(dst []byte, v *Vector, i int) []byte {
	return number.AppendTimestamp(dst, v.Ints[i])
}

func printText(dst []byte, v *Vector, i int) []byte { return append(dst, v.Bytes(i)...) }

// printFloat appends the shortest text that parses back to the same float. As in JSON,
// only very large and very small numbers have an exponent.
func printFloat(dst []byte, v *Vector, i int) []byte {
	f, form := v.Floats[i], byte('f')
	if abs := max(f, -f); abs != 0 && (abs < 1e-6 || abs >= 1e21) {
		form = 'e'
	}
	return strconv.AppendFloat(dst, f, form, -1, 64)
}
