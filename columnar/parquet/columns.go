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

// appender reads the next n values of a column into its vector, which is empty.
type appender func(r *reading, n int) error

// columnOf determines how a field is read. leaf is its first stored column. The types are
// those of LogicalTypes.md of the format.
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
		c.Type, c.append = columnar.Bool, values(boolsOf, func(s *scratch) *[]bool { return &s.bools }, copied)
	case parquet.Types.Int32:
		integers(&c, stored, func(s *scratch) *[]int32 { return &s.int32s })
	case parquet.Types.Int64:
		integers(&c, stored, func(s *scratch) *[]int64 { return &s.int64s })
	case parquet.Types.Int96:
		c.Type, c.append = columnar.Timestamp, values(intsOf, func(s *scratch) *[]parquet.Int96 { return &s.int96s }, each(int96Micros))
	case parquet.Types.Float:
		c.Type, c.append = columnar.Float, values(floatsOf, func(s *scratch) *[]float32 { return &s.float32s }, widened)
	case parquet.Types.Double:
		c.Type, c.append = columnar.Float, values(floatsOf, func(s *scratch) *[]float64 { return &s.float64s }, copied)
	case parquet.Types.ByteArray:
		arrays(&c, stored, func(s *scratch) *[]parquet.ByteArray { return &s.arrays }, false)
	case parquet.Types.FixedLenByteArray:
		arrays(&c, stored, func(s *scratch) *[]parquet.FixedLenByteArray { return &s.fixed }, true)
	}
	return c
}

// list makes the column a list of texts if the group is one, in the usual three-level form.
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

// integers decides how a column of integers is read. They may represent dates, times or
// decimals.
func integers[S int32 | int64](c *Column, stored *schema.Column, from func(*scratch) *[]S) {
	whole := values(intsOf, from, widened[S, int64])
	switch t := stored.LogicalType().(type) {
	case schema.DateLogicalType:
		c.Type, c.append = columnar.Date, whole
	case *schema.TimestampLogicalType:
		c.Type = columnar.Timestamp
		if n := perSecond(t.TimeUnit()); n > number.Second {
			c.append = values(intsOf, from, parts[S](n/number.Second))
		} else {
			c.append = values(intsOf, from, multiples[S](number.Second/n, lateTime))
		}
	case *schema.TimeLogicalType:
		c.Type, c.append = columnar.Text, texts(from, timeOfDay[S](perSecond(t.TimeUnit())))
	case *schema.DecimalLogicalType:
		large := func(v int64) error {
			return input.TooLarge(decimal128.FromI64(v).ToString(t.Scale()), input.MostDecimal)
		}
		c.decimal(t, whole, values(intsOf, from, multiples[S](pow10(number.Scale-t.Scale()), large)), values(floatsOf, from, each(fractions[S](pow10(t.Scale())))))
	case *schema.IntLogicalType:
		if c.Type, c.append = columnar.Int, whole; !t.IsSigned() {
			c.append = values(intsOf, from, each(unsigned[S](t.BitWidth())))
		}
	default:
		c.Type, c.append = columnar.Int, whole
	}
}

// arrays decides how a column of byte arrays is read, of fixed length or not.
func arrays[S ~[]byte](c *Column, stored *schema.Column, from func(*scratch) *[]S, fixed bool) {
	switch t := stored.LogicalType().(type) {
	case *schema.DecimalLogicalType:
		c.decimal(t, values(intsOf, from, each(wideInt[S])), values(intsOf, from, each(wideDecimal[S](t.Scale()))), values(floatsOf, from, each(wideFloat[S](t.Scale()))))
	case schema.UUIDLogicalType:
		c.Type, c.append = columnar.Text, texts(from, appendUUID[S])
	case schema.StringLogicalType, schema.EnumLogicalType, schema.JSONLogicalType:
		c.Type, c.append = columnar.Text, texts(from, appendText[S])
	case schema.IntervalLogicalType, schema.Float16LogicalType, schema.BSONLogicalType:
	default:
		if !fixed { // Old programs do not mark text.
			c.Type, c.append = columnar.Text, texts(from, appendText[S])
		}
	}
}

// decimal chooses the type of decimals.
func (c *Column) decimal(t *schema.DecimalLogicalType, whole, exact, float appender) {
	switch c.Type = input.DecimalType(t.Precision(), t.Scale()); c.Type {
	case columnar.Int:
		c.append = whole
	case columnar.Decimal:
		c.append = exact
	default:
		c.append = float
	}
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
