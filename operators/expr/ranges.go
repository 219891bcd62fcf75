package expr

import (
	"fmt"
	"math"

	"github.com/apache/arrow/go/v17/arrow/decimal128"

	"analyzer/columnar"
	"analyzer/columnar/number"
	"analyzer/operators/registry"
)

// OpInRange checks that whole numbers are in the range of an integer type that has no form of its
// own, such as 'UTINYINT'. Where one is not, it is null if the last argument is true, and an error
// otherwise.
const OpInRange Op = "in_range"

// Range is the name of an integer type in statements, and its least and greatest number.
type Range struct {
	Name            string
	Is              columnar.Type // that holds its numbers
	Least, Greatest number.Int128
}

// Ranges are the integer types that are a part of the range of another one. UHUGEINT ends where HUGEINT does.
func Ranges() []Range {
	signed := func(name string, bits uint) Range {
		return Range{name, columnar.Int, decimal128.FromI64(-1 << (bits - 1)), decimal128.FromI64(1<<(bits-1) - 1)}
	}
	unsigned := func(name string, bits uint) Range {
		return Range{name, columnar.Int, number.Int128{}, decimal128.FromI64(1<<bits - 1)}
	}
	return []Range{
		signed("INTEGER", 32), signed("SMALLINT", 16), signed("TINYINT", 8),
		unsigned("UINTEGER", 32), unsigned("USMALLINT", 16), unsigned("UTINYINT", 8),
		{"UBIGINT", columnar.Huge, number.Int128{}, decimal128.FromU64(1<<64 - 1)},
		{"UHUGEINT", columnar.Huge, number.Int128{}, decimal128.New(math.MaxInt64, math.MaxUint64)},
	}
}

// RangeNamed returns the range of an integer type, nil if it has none.
func RangeNamed(name string) *Range {
	for _, r := range Ranges() {
		if r.Name == name {
			return &r
		}
	}
	return nil
}

// Has reports whether n is in the range.
func (r *Range) Has(n number.Int128) bool { return !n.Less(r.Least) && !r.Greatest.Less(n) }

// InRange checks that whole numbers, which are of the type that holds those of the range, are in
// it.
func InRange(n *Expr, r *Range, try bool) *Expr {
	return Call(OpInRange, n, Str(r.Name), Bool(try))
}

func init() {
	functions.Add(func() []function {
		return []function{{
			op: OpInRange, takes: "a whole number, the name of its type and a bool", cost: costFixed, canFail: true, build: buildInRange,
			types: []registry.Signature{
				sig(columnar.Int, columnar.Int, columnar.Text, columnar.Bool), sig(columnar.Huge, columnar.Huge, columnar.Text, columnar.Bool),
			},
		}}
	})
}

func buildInRange(b *build) (kernel, error) {
	name, try := b.literal(1), b.literal(2)
	if name == nil || try == nil || RangeNamed(name.Text) == nil {
		return nil, fmt.Errorf("%s takes the name of an integer type that is known beforehand", OpInRange)
	}
	r := RangeNamed(name.Text)
	b.keep(0)
	outside := func(out *result, v *columnar.Vector, i int) error {
		switch {
		case out.IsNull(i):
		case try.Bool:
			out.setNull(i)
		default:
			return fmt.Errorf("%s is not in the range of %s: %w", v.AppendText(nil, i), r.Name, ErrCast)
		}
		return nil
	}
	if b.typ == columnar.Huge {
		return func(out *result, args []*columnar.Vector) error {
			for i, n := range args[0].Wides[:out.Len] {
				if out.Wides[i] = n; !r.Has(n) {
					if err := outside(out, args[0], i); err != nil {
						return err
					}
				}
			}
			return nil
		}, nil
	}
	least, greatest := int64(r.Least.LowBits()), int64(r.Greatest.LowBits())
	return func(out *result, args []*columnar.Vector) error {
		for i, n := range args[0].Ints[:out.Len] {
			if out.Ints[i] = n; n < least || n > greatest {
				if err := outside(out, args[0], i); err != nil {
					return err
				}
			}
		}
		return nil
	}, nil
}
