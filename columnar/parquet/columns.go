package parquet

import (
	"fmt"
	"strings"

	"github.com/apache/arrow/go/v17/arrow/decimal128"
	"github.com/apache/arrow/go/v17/parquet"
	"github.com/apache/arrow/go/v17/parquet/schema"

	"analyzer/columnar"
	"analyzer/columnar/input"
	"analyzer/columnar/number"
)

// fields are those of a file.
type fields struct {
	*schema.Schema
	texts bool // bytes that are not marked are texts, as old programs wrote them
}

// columnOf determines how a field is read. leaf is its first stored column. The types are
// those of LogicalTypes.md of the format.
func columnOf(node schema.Node, s fields, leaf int) Column {
	c := Column{Name: node.Name(), leaf: leaf}
	if _, group := node.(*schema.GroupNode); group || node.RepetitionType() == parquet.Repetitions.Repeated {
		c.nested(node, s)
	} else {
		c.flat(node, s)
	}
	return c
}

// flat determines how values are read that have no parts.
func (c *Column) flat(node schema.Node, s fields) {
	stored := s.Column(c.leaf)
	c.In = strings.ToUpper(nameOf(node))
	switch stored.PhysicalType() {
	case parquet.Types.Boolean:
		c.read(columnar.Bool, columnar.Bool, nil)
	case parquet.Types.Int32:
		c.integers(stored, 32)
	case parquet.Types.Int64:
		c.integers(stored, 64)
	case parquet.Types.Int96: // timestamps of old programs
		c.read(columnar.Timestamp, columnar.Int, nil)
	case parquet.Types.Float, parquet.Types.Double:
		c.read(columnar.Float, columnar.Float, nil)
	case parquet.Types.ByteArray, parquet.Types.FixedLenByteArray:
		c.arrays(stored, s.texts)
	}
}

// read says what the column is read as.
func (c *Column) read(as, raw columnar.Type, convert conversion) {
	c.Type, c.raw, c.convert = as, raw, convert
}

// nameOf returns the name of a field's type.
func nameOf(node schema.Node) string {
	if t := node.LogicalType(); t != nil && t.IsValid() && !t.IsNone() {
		return t.String()
	}
	if p, ok := node.(*schema.PrimitiveNode); ok {
		return p.PhysicalType().String()
	}
	return "a struct"
}

// integers decides how a column of integers of 32 or 64 bits is read. They may represent dates, times
// or decimals.
func (c *Column) integers(stored *schema.Column, size int) {
	switch t := stored.LogicalType().(type) {
	case schema.DateLogicalType:
		c.read(columnar.Date, columnar.Int, nil)
	case *schema.TimestampLogicalType:
		as := columnar.Timestamp
		if t.IsAdjustedToUTC() && !t.IsFromConvertedType() { // old programs do not say
			as = columnar.Instant
		}
		if n := perSecond(t.TimeUnit()); n > number.Second {
			c.read(as, columnar.Int, parts(n/number.Second))
		} else {
			c.read(as, columnar.Int, multiples(number.Second/n, lateTime))
		}
	case *schema.TimeLogicalType:
		c.read(columnar.Time, columnar.Int, times(perSecond(t.TimeUnit())))
	case *schema.DecimalLogicalType:
		large := func(v int64) error {
			return input.TooLarge(decimal128.FromI64(v).ToString(t.Scale()), input.MostDecimal)
		}
		c.decimal(t, columnar.Int, nil, multiples(pow10(number.Scale-t.Scale()), large), integersOf)
	case *schema.IntLogicalType:
		if c.read(columnar.Int, columnar.Int, nil); !t.IsSigned() {
			c.convert = unsigned(size)
		}
	default:
		c.read(columnar.Int, columnar.Int, nil)
	}
}

// arrays decides how a column of byte arrays is read, of fixed length or not.
func (c *Column) arrays(stored *schema.Column, texts bool) {
	switch t := stored.LogicalType().(type) {
	case *schema.DecimalLogicalType:
		c.decimal(t, columnar.Text, wideInts, wideDecimals(t.Scale()), wideBytes)
	case schema.UUIDLogicalType:
		c.read(columnar.UUID, columnar.Bytes, uuidsOf)
	case schema.StringLogicalType, schema.EnumLogicalType, schema.JSONLogicalType:
		c.read(columnar.Text, columnar.Text, validTexts)
	case schema.IntervalLogicalType, schema.Float16LogicalType, schema.BSONLogicalType:
	default:
		if texts {
			c.read(columnar.Text, columnar.Text, validTexts)
		} else {
			c.read(columnar.Bytes, columnar.Bytes, nil)
		}
	}
}

// decimal chooses the type of decimals.
func (c *Column) decimal(t *schema.DecimalLogicalType, raw columnar.Type, whole, exact, wide conversion) {
	convert := wide
	as := input.DecimalType(t.Precision(), t.Scale())
	switch as {
	case columnar.Int:
		convert = whole
	case columnar.Decimal:
		convert = exact
	}
	c.read(as, raw, convert)
}

// lateTime is the error of a timestamp that has no number of microseconds.
func lateTime(int64) error { return input.LateTime() }

func pow10(n int32) int64 {
	p := int64(1)
	for ; n > 0 && p < 1e18; n-- {
		p *= 10
	}
	return p
}

func perSecond(unit schema.TimeUnitType) int64 {
	switch unit {
	case schema.TimeUnitMillis:
		return 1e3
	case schema.TimeUnitNanos:
		return 1e9
	}
	return 1e6
}

// String returns the name of the column and its type in the file.
func (c Column) String() string { return fmt.Sprintf("%q (%s)", c.Name, c.In) }
