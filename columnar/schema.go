package columnar

import (
	"fmt"
	"slices"
	"strings"

	"github.com/apache/arrow/go/v17/arrow"
)

// Field is a named, typed column of a batch.
type Field struct {
	Name string `json:"name"`
	Type Type   `json:"type"`
}

// Schema is the ordered columns of a batch. Every column may hold nulls.
type Schema []Field

// Index returns the position of the named column, or -1.
func (s Schema) Index(name string) int {
	for i, f := range s {
		if f.Name == name {
			return i
		}
	}
	return -1
}

// IndexFold is Index for a name in letters of any case, as in statements.
func (s Schema) IndexFold(name string) int {
	return slices.IndexFunc(s, func(f Field) bool { return strings.EqualFold(f.Name, name) })
}

// Positions returns the positions of the named columns. If one is missing, the error
// lists the columns of the schema.
func (s Schema) Positions(names []string) ([]int, error) {
	at, index := make([]int, len(names)), s.Index
	if len(names) >= 8 {
		index = s.Lookup().Index
	}
	for i, name := range names {
		if at[i] = index(name); at[i] < 0 {
			return nil, fmt.Errorf("there is no column %q; there are %s", name, s)
		}
	}
	return at, nil
}

// Lookup finds many columns of a schema by their names, of which each would take time linear in
// the number of columns otherwise.
type Lookup struct {
	schema Schema
	at     map[string]int
}

// Lookup returns what finds the columns of s.
func (s Schema) Lookup() Lookup {
	l := Lookup{s, make(map[string]int, len(s))}
	for i, f := range slices.Backward(s) {
		l.at[f.Name] = i
	}
	return l
}

// Index is Schema.Index.
func (l Lookup) Index(name string) int {
	if i, ok := l.at[name]; ok {
		return i
	}
	return -1
}

// Only returns the named columns, or the whole schema if it lacks one of them.
func (l Lookup) Only(names []string) Schema {
	out := make(Schema, 0, len(names))
	for _, name := range names {
		i := l.Index(name)
		if i < 0 {
			return l.schema
		}
		out = append(out, l.schema[i])
	}
	return out
}

// Project returns the columns at the given positions.
func (s Schema) Project(columns []int) Schema {
	return Each(columns, func(c int) Field { return s[c] })
}

// Names returns the column names in order.
func (s Schema) Names() []string {
	return Each(s, func(f Field) string { return f.Name })
}

// String returns "name type, name type, …".
func (s Schema) String() string {
	parts := Each(s, func(f Field) string { return f.Name + " " + f.Type.String() })
	return strings.Join(parts, ", ")
}

// TypeKey is the key under which a field's metadata holds the plan's type. It
// distinguishes a Decimal from an Int in Arrow data.
const TypeKey = "analyzer.type"

// Arrow returns the Arrow schema of batches with these columns.
func (s Schema) Arrow() *arrow.Schema {
	fields := make([]arrow.Field, len(s))
	for i, f := range s {
		fields[i] = arrow.Field{
			Name: f.Name, Type: f.Type.Arrow(), Nullable: true,
			Metadata: arrow.NewMetadata([]string{TypeKey}, []string{f.Type.String()}),
		}
	}
	return arrow.NewSchema(fields, nil)
}
