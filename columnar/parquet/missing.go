package parquet

import (
	"fmt"

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
func checkLogicalType(c *compact) {
	names := map[int16]string{16: "VARIANT", 17: "GEOMETRY", 18: "GEOGRAPHY"}
	for f := (element{}); c.next(&f); {
		if c.skip(f); names[f.id] != "" {
			c.err = &input.MissingError{What: "a column has the type " + names[f.id] + ", which is not read", Hint: "write the file without the column"}
		}
	}
}
