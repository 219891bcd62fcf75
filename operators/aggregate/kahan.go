package aggregate

import (
	"analyzer/columnar"
	"analyzer/operators/registry"
)

func init() { functions.Add(kahanFunctions) }

// kahanFunctions are names of the sum and the mean of floats that ask for more exact ones. All sums
// are exact here.
func kahanFunctions() []function {
	floats := []columnar.Type{columnar.Float}
	return []function{
		{
			name: "fsum", forms: []form{{takes: floats, gives: columnar.Float, state: []column{floatSumColumn}, value: perGroup(sumOfFloats)}},
			doc: registry.Aggregates.Doc("fsum sumkahan kahan_sum", "(number)", "the sum as a DOUBLE, rounded once",
				"fsum(n)", "7"),
		},
		{
			name: "favg", forms: []form{{takes: floats, gives: columnar.Float, state: []column{floatSumColumn, countColumn}, value: perGroup(floatMean)}},
			doc: registry.Aggregates.Doc("favg", "(number)", "the mean: one division of the exact sum, rounded to a DOUBLE",
				"favg(n)", "2.3333333333333335"),
		},
	}
}
