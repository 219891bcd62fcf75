package optest

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"

	"github.com/apache/arrow/go/v17/arrow/decimal128"

	"analyzer/columnar"
	"analyzer/columnar/rowtest"
)

// Shape describes random rows.
type Shape struct {
	Distinct int // values per column, more or less
	Nulls    int // nulls per 16 values
	Long     int // bytes of the longest texts; most are short
}

// EveryType returns a schema with one column for each type that plans can
// compute with, those of rowtest.Nested too. Each column is named after its type.
func EveryType() columnar.Schema {
	var s columnar.Schema
	for _, t := range append(columnar.Types(), rowtest.Nested()...) {
		if t.Writable() {
			s = append(s, columnar.Field{Name: t.String(), Type: t})
		}
	}
	return s
}

// Random returns n rows.
func Random(rng *rand.Rand, schema columnar.Schema, n int, shape Shape) columnar.Rows {
	rows := columnar.NewRows(schema)
	for _, c := range rows.Cols {
		for range n {
			if rng.IntN(16) < shape.Nulls {
				c.AppendNull()
			} else {
				appendRandom(c, rng, shape)
			}
		}
	}
	rows.Len = n
	return rows
}

func appendRandom(v *columnar.Vector, rng *rand.Rand, shape Shape) {
	if v.Type.IsNested() {
		few := Shape{Distinct: 1 + int(math.Cbrt(float64(shape.Distinct))), Nulls: shape.Nulls, Long: shape.Long}
		rowtest.AppendNested(v, func(part *columnar.Vector) { appendRandom(part, rng, few) })
		return
	}
	n := rng.IntN(shape.Distinct)
	switch v.Type.Kind() {
	case columnar.KindBool:
		v.AppendBool(n%2 == 0)
	case columnar.KindInt64:
		v.AppendInt(spread(n))
	case columnar.KindFloat64:
		v.AppendFloat(float(n))
	case columnar.KindInt128:
		v.AppendWide(decimal128.New(int64(n%5-2), uint64(spread(n))))
	case columnar.KindBytes:
		v.AppendBytes(text(rng, n, shape))
	default:
		for range n % 4 {
			if rng.IntN(8) == 0 && shape.Nulls > 0 {
				v.Child.AppendNull()
			} else {
				appendRandom(v.Child, rng, Shape{Distinct: max(2, shape.Distinct/2), Nulls: shape.Nulls})
			}
		}
		v.EndList()
	}
}

// spread returns distinct integers for distinct n ≥ 0: of both signs and all
// sizes, including the extremes.
func spread(n int) int64 {
	switch n {
	case 0:
		return 0
	case 1:
		return math.MaxInt64
	case 2:
		return math.MinInt64
	}
	v := int64(n)
	if n%2 == 0 {
		v = -v
	}
	if n%3 == 0 {
		v *= 1 << 40
	}
	return v
}

// float returns floats of all kinds, including the special ones.
func float(n int) float64 {
	special := []float64{0, math.Copysign(0, -1), math.NaN(), math.Inf(1), math.Inf(-1), math.SmallestNonzeroFloat64, math.MaxFloat64}
	if n < len(special) {
		return special[n]
	}
	return math.Ldexp(float64(n%2*2-1)*(1+1/float64(n)), n%100-50)
}

// text returns texts, some of which are prefixes of others.
func text(rng *rand.Rand, n int, shape Shape) []byte {
	if n == 0 {
		return nil
	}
	b := []byte(strings.Repeat("é", n%7) + fmt.Sprint(n))
	if shape.Long > len(b) && n%16 == 1 {
		b = append(b, bytes.Repeat([]byte{'x'}, rng.IntN(2)*(shape.Long-len(b)))...)
	}
	return b
}
