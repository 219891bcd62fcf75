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
			doc: registry.Doc{
				Group: registry.Aggregates, Names: []string{"fsum", "sumkahan", "kahan_sum"}, Usage: "fsum(number)",
				Help:    "the sum as a DOUBLE, rounded once",
				Example: "fsum(n)", Value: "7",
			},
		},
		{
			name: "favg", forms: []form{{takes: floats, gives: columnar.Float, state: []column{floatSumColumn, countColumn}, value: perGroup(floatMean)}},
			doc: registry.Doc{
				Group: registry.Aggregates, Names: []string{"favg"}, Usage: "favg(number)",
				Help:    "the mean: one division of the exact sum, rounded to a DOUBLE",
				Example: "favg(n)", Value: "2.3333333333333335",
			},
		},
	}
}
