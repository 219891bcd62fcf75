package fileoptions

import (
	"fmt"
	"strings"

	"analyzer/columnar/sniff"
	"analyzer/operators/query/scalar"
)

// WhyText says why a column of a file is VARCHAR whose cells all, or nearly all, have another type,
// with the place of a cell, and which options of read_csv help; "" if it does not nearly have one.
func WhyText(c sniff.Column) string {
	m := c.Misfit
	if m == nil {
		return ""
	}
	name := scalar.TypeName(m.Format.Type())
	advice := "; write " + Advice(c)
	switch {
	case m.Doubt() != "":
		return fmt.Sprintf("perhaps %s, but %s, as in line %d: %q%s", name, m.Doubt(), m.Line, shortened(m.Cell), advice)
	case m.Count == 1:
		return fmt.Sprintf("%s but for %q in line %d%s", name, shortened(m.Cell), m.Line, advice)
	}
	return fmt.Sprintf("%s but for %d cells, the first %q in line %d%s", name, m.Count, shortened(m.Cell), m.Line, advice)
}

// Advice says what gives a type to a column that has a Misfit.
func Advice(c sniff.Column) string {
	options := c.Misfit.Advice(c.Name, scalar.TypeName(c.Misfit.Format.Type()))
	for i, option := range options {
		options[i] = "read_csv(…, " + option + ")"
	}
	return strings.Join(options, " or ")
}

// shortened returns the beginning of a text.
func shortened(text string) string {
	const most = 40
	if letters := []rune(text); len(letters) > most {
		return string(letters[:most]) + "…"
	}
	return text
}
