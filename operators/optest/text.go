package optest

import (
	"math"
	"strconv"

	"analyzer/columnar"
)

// Lines writes each row as a line of text. Lines are equal if and only if all
// values are, down to the bits.
func Lines(rows columnar.Rows) []string {
	lines := make([]string, rows.Len)
	for i := range lines {
		lines[i] = Line(rows, i)
	}
	return lines
}

// Line writes one row as text.
func Line(rows columnar.Rows, i int) string {
	var b []byte
	for c, v := range rows.Cols {
		if c > 0 {
			b = append(b, '|')
		}
		b = appendValue(b, v, i)
	}
	return string(b)
}

// Value writes one value as text.
func Value(v *columnar.Vector, i int) string { return string(appendValue(nil, v, i)) }

func appendValue(b []byte, v *columnar.Vector, i int) []byte {
	if v.IsNull(i) {
		return append(b, "null"...)
	}
	switch v.Type.Kind() {
	case columnar.KindBool:
		return strconv.AppendBool(b, v.Bools[i])
	case columnar.KindInt64:
		return strconv.AppendInt(b, v.Ints[i], 10)
	case columnar.KindFloat64:
		b = append(strconv.AppendFloat(b, v.Floats[i], 'g', 6, 64), '/')
		return strconv.AppendUint(b, math.Float64bits(v.Floats[i]), 16)
	case columnar.KindInt128:
		return append(b, v.Wides[i].BigInt().String()...)
	case columnar.KindBytes:
		return strconv.AppendQuote(b, string(v.Bytes(i)))
	}
	b = append(b, '[')
	for j := v.Offsets[i]; j < v.Offsets[i+1]; j++ {
		b = append(appendValue(b, v.Child, int(j)), ' ')
	}
	return append(b, ']')
}
