package columnar

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unique"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/decimal128"

	"analyzer/columnar/number"
)

// Type is the logical type of a column, as plans see it. It decides which operations
// are possible and how values are read and written. Lists are of any type, lists too.
// Types are equal, and may be keys of maps, when they are the same type.
type Type struct {
	base   base                 // which type it is, or of which the innermost lists are
	lists  uint8                // in how many lists it stands
	digits uint8                // of wide decimals: how many digits they may have
	places uint8                // and how many of them stand behind the point
	fields unique.Handle[field] // of a struct: the first field; of a map: the key, and then the value
}

// base is a place in the table of types.
type base uint8

const (
	invalid base = iota
	boolean
	whole
	decimal
	float
	text
	date
	timestamp
	instant
	clock
	wide
	floatSum
	bytesType
	huge
	interval
	uuid
	structure
	mapping
	variable1 // what values have stands above
	variable2
)

// The types that are not lists.
var (
	Invalid   Type
	Bool      = Type{base: boolean}   // true or false
	Int       = Type{base: whole}     // a whole number of 64 bits
	Decimal   = Type{base: decimal}   // a decimal number in millionths
	Float     = Type{base: float}     // an IEEE 754 double
	Text      = Type{base: text}      // UTF-8
	Date      = Type{base: date}      // a day of the proleptic Gregorian calendar, in days since 1970-01-01
	Timestamp = Type{base: timestamp} // a date and a time of day without a zone, in microseconds since 1970-01-01
	Instant   = Type{base: instant}   // a moment, in microseconds since 1970 began in UTC, in which it is written
	Time      = Type{base: clock}     // a time of day, in microseconds since midnight; 24:00 is one too
	Wide      = DecimalOf(38, 6)      // an exact sum of Decimals; in signatures, any DecimalOf
	FloatSum  = Type{base: floatSum}  // an exact sum of Floats, in the encoding of number.FloatSum
	Bytes     = Type{base: bytesType} // any bytes
	Huge      = Type{base: huge}      // a whole number of 128 bits
	Interval  = Type{base: interval}  // months, days and microseconds, in the bits of number.Interval
	UUID      = Type{base: uuid}      // a universally unique identifier, in the bits of number.UUIDOf
)

// The types that stand in signatures of functions for any type. No value has them.
var (
	Variable1 = Type{base: variable1}
	Variable2 = Type{base: variable2}
)

// The lists that the program itself makes; see ListOf.
var (
	TextList  = ListOf(Text)
	IntList   = ListOf(Int)
	FloatList = ListOf(Float)
	BytesList = ListOf(Bytes)
)

// MaxNesting is in how many lists and structs a value may stand.
const MaxNesting = 8

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

// types is the table of the types that are not lists.
var types = [...]struct {
	name   string
	sql    string // the name of types of single values in statements
	kind   Kind
	digits int            // of exact numbers, but of wide decimals
	scale  int            // decimal places of exact numbers, whose values are multiples of 10^-scale
	arrow  arrow.DataType // how values travel between stages and lie on disk
	public arrow.DataType // how other programs receive values, if not as arrow
	print  printFunc      // how people see values; nil for types of state columns only
	parse  parseFunc      // how casts read values of times
	quoted bool           // JSON writes values as strings
}{
	invalid:   {name: "invalid", arrow: arrow.Null},
	boolean:   {name: "bool", sql: "BOOLEAN", kind: KindBool, arrow: arrow.FixedWidthTypes.Boolean, print: printBool},
	whole:     {name: "int", sql: "BIGINT", kind: KindInt64, digits: 19, arrow: arrow.PrimitiveTypes.Int64, print: printInt},
	decimal:   {name: "decimal", sql: "DECIMAL", kind: KindInt64, digits: 19, scale: number.Scale, arrow: arrow.PrimitiveTypes.Int64, public: decimal19, print: printDecimal},
	float:     {name: "float", sql: "DOUBLE", kind: KindFloat64, arrow: arrow.PrimitiveTypes.Float64, print: printFloat},
	text:      {name: "text", sql: "VARCHAR", kind: KindBytes, arrow: arrow.BinaryTypes.String, print: printText, quoted: true},
	date:      {name: "date", sql: "DATE", kind: KindInt64, arrow: arrow.PrimitiveTypes.Int64, public: arrow.PrimitiveTypes.Date32, print: printDate, parse: number.CastDate, quoted: true},
	timestamp: {name: "timestamp", sql: "TIMESTAMP", kind: KindInt64, arrow: arrow.PrimitiveTypes.Int64, public: timestampMicros, print: printTimestamp, parse: number.CastTimestamp, quoted: true},
	instant:   {name: "timestamptz", sql: "TIMESTAMP WITH TIME ZONE", kind: KindInt64, arrow: arrow.PrimitiveTypes.Int64, public: arrow.FixedWidthTypes.Timestamp_us, print: printInstant, parse: number.CastInstant, quoted: true},
	clock:     {name: "time", sql: "TIME", kind: KindInt64, arrow: arrow.PrimitiveTypes.Int64, public: arrow.FixedWidthTypes.Time64us, print: printClock, parse: number.CastClock, quoted: true},
	wide:      {name: "wide", kind: KindInt128, print: printWide},
	floatSum:  {name: "floatsum", kind: KindBytes, arrow: arrow.BinaryTypes.Binary},
	bytesType: {name: "bytes", sql: "BLOB", kind: KindBytes, arrow: arrow.BinaryTypes.Binary, print: printBytes, quoted: true},
	huge:      {name: "huge", sql: "HUGEINT", kind: KindInt128, digits: 39, arrow: whole38, print: printHuge},
	interval:  {name: "interval", sql: "INTERVAL", kind: KindInt128, arrow: whole38, public: arrow.FixedWidthTypes.MonthDayNanoInterval, print: printInterval, quoted: true},
	uuid:      {name: "uuid", sql: "UUID", kind: KindInt128, arrow: whole38, public: uuids, print: printUUID, quoted: true},
	mapping:   {name: mapName, kind: KindBytes, arrow: arrow.BinaryTypes.Binary},
	structure: {name: structName, kind: KindBytes, arrow: arrow.BinaryTypes.Binary},
	variable1: {name: "any"},
	variable2: {name: "other"},
}

// ErrNoForm means that a value or a type has no form in the format of an answer, while its text has.
var ErrNoForm = errors.New("it has no form in this format")

// listName ends the name of a list's type, behind that of its items.
const listName = "list"

var (
	whole38         = &arrow.Decimal128Type{Precision: number.MaxPlaces}
	decimal19       = &arrow.Decimal128Type{Precision: 19, Scale: number.Scale} // of 64 bits
	timestampMicros = &arrow.TimestampType{Unit: arrow.Microsecond}
)

// Types returns the types that are no lists, structs or maps, and the lists of them. Of the wide decimals
// there are two.
func Types() []Type {
	var all, lists []Type
	for b := invalid + 1; b < structure; b++ {
		if all = append(all, Type{base: b}); b == wide {
			all[len(all)-1] = Wide
			all = append(all, DecimalOf(30, 10))
		}
	}
	for _, t := range all {
		if list := ListOf(t); list.Writable() {
			lists = append(lists, list)
		}
	}
	return append(all, lists...)
}

// ListOf returns the type of lists of items, Invalid if they are nested too deep already.
func ListOf(item Type) Type {
	if item == Invalid || item.depth() >= MaxNesting {
		return Invalid
	}
	item.lists++
	return item
}

// Known reports whether values can have the type: it is not Invalid and no variable.
func (t Type) Known() bool { return t.base != invalid && t.base < variable1 }

// Kind returns the form of t's values in memory, NoKind if t is not Known.
func (t Type) Kind() Kind {
	if t.lists > 0 {
		return KindList
	}
	return types[t.base].kind
}

// Item returns the type of a list's items, Invalid if t is not a list.
func (t Type) Item() Type {
	if t.lists == 0 {
		return Invalid
	}
	t.lists--
	return t
}

// Scalars returns the types of single values that answers can hold, in order: those of the
// given kinds, or all of them if none is given.
func Scalars(kinds ...Kind) []Type {
	return slices.DeleteFunc(Types(), func(t Type) bool {
		return t.Item() != Invalid || !t.Writable() || len(kinds) > 0 && !slices.Contains(kinds, t.Kind())
	})
}

// Scale returns how many decimal places the values of an exact number type have: the integers
// that a Vector holds are multiples of 10^-Scale.
func (t Type) Scale() int {
	switch {
	case t.lists > 0:
		return 0
	case t.base == wide:
		return int(t.places)
	}
	return types[t.base].scale
}

// Arrow returns the Arrow type that carries t.
func (t Type) Arrow() arrow.DataType {
	if t.lists > 0 {
		return arrow.ListOf(t.Item().Arrow())
	}
	if t.base == wide {
		return &arrow.Decimal128Type{Precision: number.MaxPlaces, Scale: int32(t.places)}
	}
	return types[t.base].arrow
}

// Public returns the Arrow type in which other programs receive t.
func (t Type) Public() arrow.DataType {
	switch {
	case t.lists > 0:
		return arrow.ListOf(t.Item().Public())
	case t.fields != last:
		return t.publicNested()
	case t.base == wide:
		return &arrow.Decimal128Type{Precision: int32(t.digits), Scale: int32(t.places)}
	case types[t.base].public != nil:
		return types[t.base].public
	}
	return t.Arrow()
}

// Writable reports whether an answer can hold values of t.
func (t Type) Writable() bool { return t.fields != last || types[t.base].print != nil }

// Quoted reports whether JSON writes values of t as strings.
func (t Type) Quoted() bool { return t.lists == 0 && types[t.base].quoted }

// Times returns the types of days and moments, which are integers and are written in quotes.
func Times() []Type {
	return slices.DeleteFunc(Scalars(), func(t Type) bool { return types[t.base].parse == nil })
}

// ParseTime reads a text as a value of one of the Times, with what casts tolerate.
func (t Type) ParseTime(text []byte) (n int64, ok bool) { return types[t.base].parse(text) }

// String returns the type's name in plans.
func (t Type) String() string {
	name := types[t.base].name
	if t.fields != last {
		name += t.fieldNames()
	}
	if t.base == wide {
		name += t.sizeName()
	}
	return name + strings.Repeat(listName, int(t.lists))
}

// SQL returns the name that statements have for a type of single values, "" for any other.
func (t Type) SQL() string {
	switch {
	case t.lists > 0:
		return ""
	case t.base == wide:
		return fmt.Sprintf("DECIMAL(%d,%d)", t.digits, t.places)
	}
	return types[t.base].sql
}

// MarshalText writes the type's name.
func (t Type) MarshalText() ([]byte, error) { return []byte(t.String()), nil }

// UnmarshalText reads a type's name.
func (t *Type) UnmarshalText(text []byte) error {
	read, rest := readType(string(text), 0)
	if read == Invalid || rest != "" {
		return fmt.Errorf("unknown column type %q", text)
	}
	*t = read
	return nil
}

// readType reads the type with which a text begins, in which it is so deep, Invalid if there is none.
func readType(text string, depth int) (t Type, rest string) {
	longest := 0
	for b := invalid + 1; b < variable1; b++ {
		if after, ok := strings.CutPrefix(text, types[b].name); ok && len(types[b].name) > longest {
			t, rest, longest = Type{base: b}, after, len(types[b].name)
		}
	}
	if t.base == structure || t.base == mapping {
		t, rest = readFields(t.base, rest, depth)
	}
	if t.base == wide {
		t, rest = readSize(rest)
	}
	for t != Invalid && strings.HasPrefix(rest, listName) {
		t, rest = ListOf(t), rest[len(listName):]
	}
	return t, rest
}

// Varies reports whether values of the kind differ in size. Their vectors have Offsets.
func (k Kind) Varies() bool { return k == KindBytes || k == KindList }

// parseFunc reads a value, which is an integer, as people write it.
type parseFunc func(text []byte) (n int64, ok bool)

// printFunc appends value i, which is not null, as people write it.
type printFunc func(dst []byte, v *Vector, i int) []byte

// AppendText appends value i as people write it. The value must not be null, and its
// type must be Writable.
func (v *Vector) AppendText(dst []byte, i int) []byte {
	switch {
	case v.Type.lists > 0:
		return v.appendListText(dst, i)
	case v.Type.base == structure:
		return v.appendStructText(dst, i)
	case v.Type.base == mapping:
		return v.appendMapText(dst, i)
	}
	return types[v.Type.base].print(dst, v, i)
}

// appendListText appends a list as DuckDB casts it to a text: [a, NULL, 'b, c'].
func (v *Vector) appendListText(dst []byte, i int) []byte {
	dst = append(dst, '[')
	for j := int(v.Offsets[i]); j < int(v.Offsets[i+1]); j++ {
		if j > int(v.Offsets[i]) {
			dst = append(dst, ", "...)
		}
		if v.Child.IsNull(j) {
			dst = append(dst, "NULL"...)
			continue
		}
		dst = v.Child.appendPart(dst, j)
	}
	return append(dst, ']')
}

// appendPart appends value i as a part of a list or a struct.
func (v *Vector) appendPart(dst []byte, i int) []byte {
	start := len(dst)
	if dst = v.AppendText(dst, i); v.Type.lists == 0 && v.Type.fields == last && needsQuotes(dst[start:]) {
		dst = quoted(dst, start)
	}
	return dst
}

// needsQuotes reports whether an item of a list could be read as something else.
func needsQuotes(item []byte) bool {
	return len(bytes.TrimSpace(item)) < max(len(item), 1) || bytes.ContainsAny(item, `,:='"[]{}()`) || bytes.EqualFold(item, []byte("null"))
}

// quoted puts what stands in dst from start on into quotes. It writes from a copy behind it, which
// it does not overtake.
func quoted(dst []byte, start int) []byte {
	end := len(dst)
	dst = append(dst, dst[start:]...)
	text := dst[end:]
	dst = append(dst[:start], '\'')
	for _, c := range text {
		if c == '\'' || c == '\\' {
			dst = append(dst, '\\')
		}
		dst = append(dst, c)
	}
	return append(dst, '\'')
}

func printBool(dst []byte, v *Vector, i int) []byte { return strconv.AppendBool(dst, v.Bools[i]) }

func printInt(dst []byte, v *Vector, i int) []byte { return strconv.AppendInt(dst, v.Ints[i], 10) }

func printDecimal(dst []byte, v *Vector, i int) []byte {
	return number.AppendDecimal(dst, decimal128.FromI64(v.Ints[i]))
}

func printWide(dst []byte, v *Vector, i int) []byte {
	return number.AppendScaled(dst, v.Wides[i], int(v.Type.places))
}

func printHuge(dst []byte, v *Vector, i int) []byte {
	return number.AppendScaled(dst, v.Wides[i], 0)
}

func printInterval(dst []byte, v *Vector, i int) []byte {
	return number.AppendInterval(dst, number.IntervalOf(v.Wides[i]))
}

func printDate(dst []byte, v *Vector, i int) []byte { return number.AppendDate(dst, v.Ints[i]) }

func printTimestamp(dst []byte, v *Vector, i int) []byte {
	return number.AppendTimestamp(dst, v.Ints[i])
}

func printInstant(dst []byte, v *Vector, i int) []byte {
	dst = number.AppendTimestamp(dst, v.Ints[i])
	if !number.IsFiniteTime(v.Ints[i]) {
		return dst
	}
	return append(dst, "+00"...)
}

func printClock(dst []byte, v *Vector, i int) []byte { return number.AppendClock(dst, v.Ints[i]) }

func printText(dst []byte, v *Vector, i int) []byte { return append(dst, v.Bytes(i)...) }

func printBytes(dst []byte, v *Vector, i int) []byte { return number.AppendEscaped(dst, v.Bytes(i)) }

func printUUID(dst []byte, v *Vector, i int) []byte { return number.AppendUUID(dst, v.Wides[i]) }

func printFloat(dst []byte, v *Vector, i int) []byte { return number.AppendFloat(dst, v.Floats[i]) }
