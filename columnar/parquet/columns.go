package parquet

import (
	"fmt"
	"strings"

	"github.com/apache/arrow/go/v17/parquet"
	"github.com/apache/arrow/go/v17/parquet/schema"

	"analyzer/columnar"
	"analyzer/columnar/number"
)

// appender appends the next n values of a column to its vector, which is empty.
type appender func(r *reading, n int) error

// columnOf finds out how a field is read, of which the first stored column is leaf.
// The types are those of LogicalTypes.md of the format.
func columnOf(node schema.Node, s *schema.Schema, leaf int) Column {
	c := Column{Name: node.Name(), leaf: leaf}
	if g, nested := node.(*schema.GroupNode); nested || node.RepetitionType() == parquet.Repetitions.Repeated {
		c.In = "nested, " + nameOf(node)
		if nested {
			c.list(g, s.Column(leaf))
		}
		return c
	}
	stored := s.Column(leaf)
	c.In = strings.ToUpper(nameOf(node))
	switch stored.PhysicalType() {
	case parquet.Types.Boolean:
		c.Type, c.append = columnar.Bool, bools
	case parquet.Types.Int32:
		c.integer(stored, int32s)
	case parquet.Types.Int64:
		c.integer(stored, int64s)
	case parquet.Types.Int96:
		c.Type, c.append = columnar.Timestamp, int96s
	case parquet.Types.Float:
		c.Type, c.append = columnar.Float, float32s
	case parquet.Types.Double:
		c.Type, c.append = columnar.Float, float64s
	case parquet.Types.ByteArray:
		c.bytes(stored, byteArrays, false)
	case parquet.Types.FixedLenByteArray:
		c.bytes(stored, fixedArrays, true)
	}
	return c
}

// list decides whether a group is a list of texts, in the usual form of three levels.
func (c *Column) list(g *schema.GroupNode, stored *schema.Column) {
	if _, ok := g.LogicalType().(schema.ListLogicalType); !ok || g.NumFields() != 1 {
		return
	}
	repeated, ok := g.Field(0).(*schema.GroupNode)
	if !ok || repeated.RepetitionType() != parquet.Repetitions.Repeated || repeated.NumFields() != 1 {
		return
	}
	item, ok := repeated.Field(0).(*schema.PrimitiveNode)
	if !ok || item.PhysicalType() != parquet.Types.ByteArray {
		return
	}
	if _, ok := item.LogicalType().(schema.StringLogicalType); ok {
		c.Type, c.append = columnar.TextList, lists(g.RepetitionType() == parquet.Repetitions.Optional, stored.MaxDefinitionLevel())
	}
}

// nameOf names the type of a field.
func nameOf(node schema.Node) string {
	if t := node.LogicalType(); t != nil && t.IsValid() && !t.IsNone() {
		return t.String()
	}
	if p, ok := node.(*schema.PrimitiveNode); ok {
		return p.PhysicalType().String()
	}
	return "a struct"
}

// integer decides how a column of whole numbers is read, which may stand for something
// else.
func (c *Column) integer(stored *schema.Column, numbers func(unit unit) appender) {
	switch t := stored.LogicalType().(type) {
	case schema.DateLogicalType:
		c.Type, c.append = columnar.Date, numbers(unit{factor: 1})
	case *schema.TimestampLogicalType:
		c.Type, c.append = columnar.Timestamp, numbers(microsOf(perSecond(t.TimeUnit())))
	case *schema.TimeLogicalType:
		c.Type, c.append = columnar.Text, numbers(unit{text: timeOfDay(perSecond(t.TimeUnit()))})
	case *schema.DecimalLogicalType:
		c.decimal(t, numbers(unit{factor: pow10(number.Scale - t.Scale())}), numbers(unit{divisor: float64(pow10(t.Scale()))}))
	case *schema.IntLogicalType:
		c.Type, c.append = columnar.Int, numbers(unit{factor: 1, unsigned: !t.IsSigned()})
	default:
		c.Type, c.append = columnar.Int, numbers(unit{factor: 1})
	}
}

// bytes decides how a column of bytes is read, all of one length or not.
func (c *Column) bytes(stored *schema.Column, values func(convert) appender, fixed bool) {
	switch t := stored.LogicalType().(type) {
	case *schema.DecimalLogicalType:
		c.decimal(t, values(wideDecimal(t.Scale())), values(wideFloat(t.Scale())))
	case schema.UUIDLogicalType:
		c.Type, c.append = columnar.Text, values(convert{text: appendUUID})
	case schema.StringLogicalType, schema.EnumLogicalType, schema.JSONLogicalType:
		c.Type, c.append = columnar.Text, values(asText())
	case schema.IntervalLogicalType, schema.Float16LogicalType, schema.BSONLogicalType:
	default:
		if !fixed { // Old programs do not say which bytes are text.
			c.Type, c.append = columnar.Text, values(asText())
		}
	}
}

// decimal chooses between exact decimals and, where their digits would be lost, floats.
func (c *Column) decimal(t *schema.DecimalLogicalType, exact, float appender) {
	if t.Scale() >= 0 && t.Scale() <= number.Scale {
		c.Type, c.append = columnar.Decimal, exact
		return
	}
	c.Type, c.append = columnar.Float, float
}

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
