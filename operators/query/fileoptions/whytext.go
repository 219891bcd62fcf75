package fileoptions

import (
	"fmt"
	"strings"

	"analyzer/columnar"
	"analyzer/columnar/sniff"
	"analyzer/operators/query/scalar"
	"analyzer/operators/query/sql"
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
		return fmt.Sprintf("perhaps %s, but %s, as in line %d: %q%s", name, m.Doubt(), m.Line, columnar.Excerpt(m.Cell, 40), advice)
	case m.Count == 1:
		return fmt.Sprintf("%s but for %q in line %d%s", name, columnar.Excerpt(m.Cell, 40), m.Line, advice)
	}
	return fmt.Sprintf("%s but for %d cells, the first %q in line %d%s", name, m.Count, columnar.Excerpt(m.Cell, 40), m.Line, advice)
}

// Advice says what gives a type to a column that has a Misfit.
func Advice(c sniff.Column) string {
	m := c.Misfit
	if m.Flags != nil {
		return withoutFlags(c)
	}
	options := m.Advice(c.Name, scalar.TypeName(m.Format.Type()))
	for i, option := range options {
		options[i] = "read_csv(…, " + option + ")"
	}
	return strings.Join(options, " or ")
}

// withoutFlags returns an expression for the numbers of a column in which flags follow some.
func withoutFlags(c sniff.Column) string {
	m := c.Misfit
	decimal, thousands := string(m.Form.Marks.Decimal()), ""
	if mark := m.Form.Marks.Thousands(); mark > 0 {
		thousands = string(mark)
	}
	signs := "-+0-9" + decimal + thousands
	text := fmt.Sprintf("regexp_extract(%s, %s)", sql.QuoteName(c.Name), sql.QuoteText("^["+signs+"]*[0-9]"))
	if thousands != "" {
		text = fmt.Sprintf("replace(%s, %s, '')", text, sql.QuoteText(thousands))
	}
	if decimal == "," {
		text = fmt.Sprintf("replace(%s, ',', '.')", text)
	}
	return fmt.Sprintf("TRY_CAST(%s AS %s)", text, scalar.TypeName(m.Format.Type()))
}
