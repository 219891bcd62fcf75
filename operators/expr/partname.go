package expr

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"analyzer/columnar"
	"analyzer/columnar/number"
)

// OpPartName is the usual name of a part of a date, of which a text has any.
const OpPartName Op = "part_name"

func init() {
	functions.Add(func() []function {
		return []function{{
			op: OpPartName, takes: "a text", types: oneOf(columnar.Text, columnar.Text), cost: costCase, canFail: true, build: perRow(partNames),
		}}
	})
}

// otherParts are the usual words for other words for parts of dates that are no units of time.
var otherParts = map[string]string{"dayofweek": "dow", "weekday": "dow", "dayofyear": "doy"}

// PartName returns the usual name of a unit or part of a date, in small letters; that of a word which is
// none is the word.
func PartName(word string) string {
	word = strings.ToLower(word)
	if unit, _, ok := number.TimeUnit(word); ok {
		return unit
	}
	return cmp.Or(otherParts[word], word)
}

func partNames(out *result, args []*columnar.Vector, i int) error {
	name := PartName(string(args[0].Bytes(i)))
	if name != "epoch" && name != "julian" && !slices.Contains(TimeParts(), name) {
		return fmt.Errorf("there is no part %q of a date: %w", name, ErrCast)
	}
	out.Data = append(out.Data, name...)
	return nil
}
