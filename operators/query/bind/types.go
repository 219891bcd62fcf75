package bind

import (
	"slices"
	"strings"

	"analyzer/columnar"
)

// types are the names of types in statements, in capitals. The first name of each is shown.
var types = []struct {
	is    columnar.Type
	names []string
}{
	{columnar.Bool, []string{"BOOLEAN", "BOOL"}},
	// In other systems most of these have a smaller range, which is not checked here.
	{columnar.Int, []string{"BIGINT", "INT8", "LONG", "INT", "INTEGER", "INT4", "SMALLINT", "INT2", "SHORT", "TINYINT", "INT1"}},
	{columnar.Decimal, []string{"DECIMAL", "NUMERIC", "DECIMAL(18, 6)", "NUMERIC(18, 6)"}},
	{columnar.Float, []string{"DOUBLE", "FLOAT8", "FLOAT", "FLOAT4", "REAL"}},
	{columnar.Text, []string{"VARCHAR", "TEXT", "STRING"}},
	{columnar.Date, []string{"DATE"}},
	{columnar.Timestamp, []string{"TIMESTAMP", "DATETIME", "TIMESTAMP WITHOUT TIME ZONE"}},
	{columnar.Time, []string{"TIME", "TIME WITHOUT TIME ZONE"}},
	{columnar.TextList, []string{"VARCHAR[]", "TEXT[]", "STRING[]"}},
}

// TypeName returns the name of a type in statements.
func TypeName(t columnar.Type) string {
	if t == columnar.Wide {
		t = columnar.Decimal
	}
	for _, known := range types {
		if known.is == t {
			return known.names[0]
		}
	}
	if item := t.Item(); item != columnar.Invalid {
		return TypeName(item) + "[]"
	}
	return strings.ToUpper(t.String())
}

// typesOf names the types of values.
func typesOf(values []typed) string {
	return strings.Join(each(values, func(v typed) string { return TypeName(v.t) }), " and ")
}

// TypeNamed returns the type of a name, which is in capitals, as in CAST and in the columns of
// tables.
func TypeNamed(name string) (columnar.Type, bool) {
	for _, known := range types {
		if slices.Contains(known.names, name) {
			return known.is, true
		}
	}
	if item, list := strings.CutSuffix(name, "[]"); list {
		t, ok := TypeNamed(item)
		t = columnar.ListOf(t)
		return t, ok && t != columnar.Invalid
	}
	return columnar.Invalid, false
}
