package parquet

import (
	"fmt"
	"math"

	"github.com/apache/arrow/go/v17/arrow/decimal128"
	"github.com/apache/arrow/go/v17/parquet"
	"github.com/apache/thrift/lib/go/thrift"

	"analyzer/columnar/number"
)

// missingError is the error of a file that is well, and has something that this program does
// not read.
type missingError struct {
	what string
	hint string // what to do about it
}

func (e *missingError) Error() string { return e.what }

// of returns what is missing for a column, or for the file.
func (e *missingError) of(c Column) string {
	if c.In == "" {
		return e.what
	}
	return fmt.Sprintf("the column has the type %s, and %s", c.In, e.what)
}

// tooLarge is the error of a number whose type the program has only with fewer digits. most is
// the largest number that fits.
func tooLarge(value, most string) error {
	return &missingError{
		fmt.Sprintf("the number %s is too large: numbers of this type end at %s here", value, most),
		"leave the column out, or have the program that wrote the file write it as DOUBLE or text",
	}
}

var (
	mostInt     = fmt.Sprint(math.MaxInt64)
	mostDecimal = decimal128.FromI64(math.MaxInt64).ToString(number.Scale)
)

// otherWay is the error of a column that is stored in a way that is not read.
func otherWay(format string, a ...any) error {
	return &missingError{fmt.Sprintf(format, a...), "leave the column out, or write the file with other options"}
}

// checkEncoding refuses the encodings of the format that Arrow's column reader does not have.
func checkEncoding(encoding parquet.Encoding) error {
	const byteStreamSplit = 9
	if encoding == byteStreamSplit || encoding == parquet.Encodings.BitPacked {
		return otherWay("the encoding %s is not read", encoding)
	}
	return nil
}

// checkLogicalType refuses a type that is newer than Arrow's reader. It reads a union with one
// field, the type.
func checkLogicalType(p *thrift.TCompactProtocol) error {
	names := map[int16]string{16: "VARIANT", 17: "GEOMETRY", 18: "GEOGRAPHY"}
	return structFields(p, func(field int16, _ thrift.TType) (bool, error) {
		if name := names[field]; name != "" {
			return false, &missingError{"a column has the type " + name + ", which is not read", "write the file without the column"}
		}
		return false, nil
	})
}
