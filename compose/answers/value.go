package answers

import (
	"fmt"
	"strconv"

	"github.com/apache/arrow/go/v17/arrow/decimal128"

	"analyzer/columnar"
	"analyzer/columnar/number"
)

// appendNumber appends value i of a numeric or Bool vector.
func appendNumber(dst []byte, v *columnar.Vector, i int) []byte {
	switch v.Type {
	case columnar.Bool:
		return strconv.AppendBool(dst, v.Bools[i])
	case columnar.Int:
		return strconv.AppendInt(dst, v.Ints[i], 10)
	case columnar.Decimal:
		return number.AppendDecimal(dst, decimal128.FromI64(v.Ints[i]))
	case columnar.Wide:
		return number.AppendDecimal(dst, v.Wides[i])
	default:
		return appendFloat(dst, v.Floats[i])
	}
}

// appendFloat appends the shortest text that reads back as f, with an exponent
// only for very large and very small numbers, as in JSON.
func appendFloat(dst []byte, f float64) []byte {
	form := byte('f')
	if abs := max(f, -f); abs != 0 && (abs < 1e-6 || abs >= 1e21) {
		form = 'e'
	}
	return strconv.AppendFloat(dst, f, form, -1, 64)
}

// checkWritable returns an error if a column is of a type that answers cannot
// have, such as a sum that is not complete.
func checkWritable(columns columnar.Schema) error {
	for _, c := range columns {
		switch c.Type {
		case columnar.Bool, columnar.Int, columnar.Decimal, columnar.Float, columnar.Text, columnar.Wide,
			columnar.TextList, columnar.IntList:
		default:
			return fmt.Errorf("column %q is %s, which cannot be written", c.Name, c.Type)
		}
	}
	return nil
}
