package bind

import (
	"slices"
	"strings"

	"analyzer/columnar"
)

// types are the names of types in statements, in capitals. The first of each is shown.
var types = []struct {
	is    columnar.Type
	names []string
}{
	{columnar.Bool, []string{"BOOLEAN", "BOOL"}},
	// The ranges of most of these are narrower elsewhere, which is not checked.
	{columnar.Int, []string{"BIGINT", "INT8", "LONG", "INT", "INTEGER", "INT4", "SMALLINT", "INT2", "SHORT", "TINYINT", "INT1"}},
	{columnar.Decimal, []string{"DECIMAL", "NUMERIC", "DECIMAL(18, 6)", "NUMERIC(18, 6)"}},
	{columnar.Float, []string{"DOUBLE", "FLOAT8", "FLOAT", "FLOAT4", "REAL"}},
	{columnar.Text, []string{"VARCHAR", "TEXT", "STRING"}},
	{columnar.Date, []string{"DATE"}},
	{columnar.Timestamp, []string{"TIMESTAMP", "DATETIME"}},
	{columnar.TextList, []string{"VARCHAR[]", "TEXT[]", "STRING[]"}},
}

// TypeName is how statements name a type.
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

// TypeNamed returns the type of that name, in capitals, as CAST and the columns of
// tables have it.
func TypeNamed(name string) (columnar.Type, bool) {
	for _, known := range types {
		if slices.Contains(known.names, name) {
			return known.is, true
		}
	}
	return columnar.Invalid, false
}
