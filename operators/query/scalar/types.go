package scalar

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"analyzer/columnar"
	"analyzer/operators/expr"
	"analyzer/operators/query/sql"
)

// otherNames are further names of types in statements, in capitals, beside those of columnar.Type.SQL.
var otherNames = map[columnar.Type][]string{
	columnar.Bool:      {"BOOL", "LOGICAL"},
	columnar.Int:       {"INT8", "INT64", "LONG", "OID"},
	columnar.Huge:      {"INT128"},
	columnar.Decimal:   {"NUMERIC", "DEC", "DECIMAL(18, 6)", "NUMERIC(18, 6)", "DEC(18, 6)"},
	columnar.Float:     {"FLOAT8", "FLOAT", "FLOAT4", "REAL"},
	columnar.Text:      {"TEXT", "STRING", "CHAR", "BPCHAR", "NVARCHAR"},
	columnar.Timestamp: {"DATETIME", "TIMESTAMP WITHOUT TIME ZONE", "TIMESTAMP_US", "TIMESTAMP_NS"},
	columnar.Instant:   {"TIMESTAMPTZ"},
	columnar.Time:      {"TIME WITHOUT TIME ZONE"},
	columnar.UUID:      {"GUID"},
	columnar.Bytes:     {"BYTEA", "BINARY", "VARBINARY"},
}

// ranges are the names of types whose numbers are a part of those of another one: casts check
// that. The first name of each is that of its expr.Range.
var ranges = [][]string{
	{"INTEGER", "INT", "INT4", "INT32", "SIGNED", "INTEGRAL"},
	{"SMALLINT", "INT2", "SHORT", "INT16"},
	{"TINYINT", "INT1"},
	{"UINTEGER", "UINT32"},
	{"USMALLINT", "UINT16"},
	{"UTINYINT", "UINT8"},
	{"UBIGINT", "UINT64"},
	{"UHUGEINT", "UINT128"},
}

// rangeNamed returns the range that a name in capitals stands for, nil if it is none of an integer
// type.
func rangeNamed(name string) *expr.Range {
	for _, names := range ranges {
		if slices.Contains(names, name) {
			return expr.RangeNamed(names[0])
		}
	}
	return nil
}

// TypeName returns the name of a type in statements.
func TypeName(t columnar.Type) string {
	if name := t.SQL(); name != "" {
		return name
	}
	if item := t.Item(); item != columnar.Invalid {
		return TypeName(item) + "[]"
	}
	if t.IsStruct() {
		return "STRUCT(" + strings.Join(columnar.Each(t.Fields(), func(f columnar.Field) string {
			if f.Name == "" {
				return TypeName(f.Type)
			}
			return sql.QuoteName(f.Name) + " " + TypeName(f.Type)
		}), ", ") + ")"
	}
	if entry := t.Entries().Item(); entry != columnar.Invalid {
		return fmt.Sprintf("MAP(%s, %s)", TypeName(entry.Fields()[0].Type), TypeName(entry.Fields()[1].Type))
	}
	return strings.ToUpper(t.String())
}

// TypesOf names the types of values.
func TypesOf(values []Value) string {
	return strings.Join(columnar.Each(values, func(v Value) string { return TypeName(v.Type) }), " and ")
}

// listNamed returns the type of the items of a list type, and how many there must be; -1: any number.
func listNamed(name string) (item string, size int64, ok bool) {
	at := strings.LastIndexByte(name, '[')
	if at < 0 || !strings.HasSuffix(name, "]") {
		return "", 0, false
	}
	if size = -1; at < len(name)-2 {
		n, err := strconv.ParseInt(name[at+1:len(name)-1], 10, 64)
		if err != nil {
			return "", 0, false
		}
		size = n
	}
	return name[:at], size, true
}

// PartNamed returns the type of a part of a struct or a map, or of a column of a file, Invalid if there
// is none of that name. A DECIMAL of any size is one.
func PartNamed(name string) columnar.Type {
	if d, is := decimalNamed(name); is {
		return d.Type()
	}
	t, _ := TypeNamed(name)
	return t
}

// TypeNamed returns the type of a name, which is in capitals, as in CAST and in the columns of
// tables.
func TypeNamed(name string) (columnar.Type, bool) {
	if of, size, sized := strings.Cut(name, "("); sized && !strings.Contains(size, "[") { // as in DuckDB, texts have any length
		if t, ok := TypeNamed(of); ok && t == columnar.Text {
			return t, true
		}
	}
	for _, t := range columnar.Scalars() {
		if !t.IsWide() && t.SQL() == name || slices.Contains(otherNames[t], name) {
			return t, true
		}
	}
	if fields := sql.StructFields(name); fields != nil {
		all := make([]columnar.Field, len(fields))
		for i, f := range fields {
			all[i].Name = f.Name
			all[i].Type = PartNamed(f.Type)
		}
		t := columnar.StructOf(all...)
		return t, t != columnar.Invalid
	}
	if key, value, ok := sql.MapTypes(name); ok {
		t := columnar.MapOf(PartNamed(key), PartNamed(value))
		return t, t != columnar.Invalid
	}
	if item, _, list := listNamed(name); list {
		t, ok := TypeNamed(item)
		t = columnar.ListOf(t)
		return t, ok && t != columnar.Invalid
	}
	if r := rangeNamed(name); r != nil {
		return r.Is, true
	}
	if d, is := decimalNamed(name); is && d.Type().IsWide() {
		return d.Type(), true
	}
	return columnar.Invalid, false
}
