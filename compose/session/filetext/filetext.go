// Package filetext puts into words how files are written, as sniffing found it out (for people, for
// programs, and as declarations of tables), and what a run has read of them.
package filetext

import (
	"cmp"
	"fmt"
	"strings"

	"analyzer/columnar"
	"analyzer/columnar/sniff"
	"analyzer/compose/answers"
	"analyzer/operators/query/fileoptions"
	"analyzer/operators/query/scalar"
	"analyzer/operators/query/sql"
)

// Text says for people how a file is written.
func Text(f *sniff.File) string {
	what := shapeOf(f)
	if f.Format.Describe != nil {
		what = "a " + f.Format.Name + " file"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\n", f.Name, what)
	if f.Uniform < 1 {
		fmt.Fprintf(&b, "  %.1f%% of the records at its beginning have %d fields\n", 100*f.Uniform, len(f.Columns))
	}
	for _, note := range f.Notes() {
		fmt.Fprintf(&b, "  %s\n", note)
	}
	if f.Invalid {
		b.WriteString("  it is no UTF-8: read_csv(…, encoding = 'windows-1252') may be right\n")
	}
	width := 0
	for _, c := range f.Columns {
		width = max(width, len([]rune(answers.Visible(c.Name))))
	}
	for _, c := range f.Columns {
		fmt.Fprintf(&b, "  %-*s  %s%s\n", width, answers.Visible(c.Name), typeOfCells(c), answers.Visible(whyText(c)))
	}
	for _, c := range f.Unread {
		fmt.Fprintf(&b, "  %s is not read\n", answers.Visible(c))
	}
	options := dialectOptions(f)
	if f.Captioned {
		names := columnar.Each(f.Columns, func(c sniff.Column) string { return sql.QuoteText(c.Name) })
		options = append(options, dialectOption{"names", "[" + strings.Join(names, ", ") + "]"})
	}
	if options != nil {
		fmt.Fprintf(&b, "  FROM read_csv(%s", sql.QuoteText(f.Name))
		for _, o := range options {
			b.WriteString(", " + o.name + " = " + o.value)
		}
		b.WriteString(")\n")
	}
	return b.String()
}

// whyText says why a column is text; "" if it is usual that it is.
func whyText(c sniff.Column) string {
	if why := fileoptions.WhyText(c); why != "" {
		return ", " + why
	}
	return ""
}

// typeOfCells returns a type as tables.sql declares it, with the cell format if it is not the
// type's usual one.
func typeOfCells(c sniff.Column) string {
	name := scalar.TypeName(c.Type())
	if form := c.Form.String(); form != "" {
		return name + " FORMAT " + sql.QuoteText(form)
	}
	if !c.IsUsual() {
		name += " FORMAT " + c.Format.String()
	}
	return name
}

// shapeOf describes the dialect of a file.
func shapeOf(f *sniff.File) string {
	lines := map[bool]string{true: "line", false: "lines"}[f.Skip == 1]
	var parts []string
	for _, part := range []struct {
		is   bool
		text string
	}{
		{f.Widths == nil, "fields separated by " + delimiterName(f.Delimiter)},
		{f.Widths != nil, "fields of fixed widths"},
		{f.Last > 0, "and all that follows the others in the last one"},
		{f.Quote != "", "quotes are " + f.Quote},
		{f.Spaced, "spaces around quotes"},
		{f.LineQuotes, "lines quoted as a whole"},
		{f.Escape != "", "escaped by " + f.Escape},
		{f.Encoding != "", "encoded in " + f.Encoding},
		{f.Skip > 0, fmt.Sprintf("behind %d %s of something else", f.Skip, lines)},
		{f.Comment != "" && !f.Trailing, "with comments that begin with " + strings.ReplaceAll(f.Comment, "\f", "a form feed")},
		{f.Trailing, "with comments, also behind records, that begin with " + f.Comment},
		{f.Headless, "without a header"},
		{!f.Headless, "with a header"},
	} {
		if part.is {
			parts = append(parts, part.text)
		}
	}
	return strings.Join(parts, ", ")
}

func delimiterName(d string) string {
	known := map[string]string{
		"\t": "tabs", ",": "commas", ";": "semicolons", "|": "bars", " ": "spaces", columnar.Blanks: "any number of spaces or tabs",
		columnar.WideBlanks: "two or more spaces",
	}
	return cmp.Or(known[d], fmt.Sprintf("%q", d))
}
