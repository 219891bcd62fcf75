package parquet

import (
	"fmt"

	"github.com/apache/thrift/lib/go/thrift"

	"analyzer/columnar/input"
)

// missing returns what is missing for a column, or for the file.
func missing(e *input.MissingError, c Column) string {
	if c.In == "" {
		return e.What
	}
	return fmt.Sprintf("the column has the type %s, and %s", c.In, e.What)
}

// otherWay is the error of a column that is stored in a way that is not read.
func otherWay(format string, a ...any) error {
	return &input.MissingError{What: fmt.Sprintf(format, a...), Hint: "leave the column out, or write the file with other options"}
}

// checkLogicalType refuses a type that is newer than Arrow's reader. It reads a union with one
// field, the type.
func checkLogicalType(p *thrift.TCompactProtocol) error {
	names := map[int16]string{16: "VARIANT", 17: "GEOMETRY", 18: "GEOGRAPHY"}
	return structFields(p, func(field int16, _ thrift.TType) (bool, error) {
		if name := names[field]; name != "" {
			return false, &input.MissingError{What: "a column has the type " + name + ", which is not read", Hint: "write the file without the column"}
		}
		return false, nil
	})
}
