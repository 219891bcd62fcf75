package main

import (
	"cmp"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"analyzer/compose/session/fault"
	"analyzer/operators/query/bind"
	"analyzer/operators/registry"
)

// showFunctions prints all functions that statements can call.
func showFunctions(w io.Writer) error {
	var b strings.Builder
	for i, g := range bind.Documentation() {
		b.WriteString(strings.Repeat("\n", min(i, 1)) + strings.ToUpper(g.Title) + "\n")
		if g.About != "" {
			b.WriteString(folded(g.About, "  "))
		}
		for _, d := range g.Docs {
			b.WriteString("\n" + functionText(d))
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// showFunction prints the functions of a name.
func showFunction(w io.Writer, name string) error {
	docs, nearest := bind.Documented(name)
	if len(docs) == 0 {
		hint := "“analyzer help functions” lists them."
		if nearest != "" {
			hint = "Did you mean " + nearest + "?"
		}
		return fault.WrongUsage(hint, "there is no function %s", name)
	}
	var b strings.Builder
	for _, d := range docs {
		b.WriteString(functionText(d))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// functionText is how a function is called, what its result is, and an example.
func functionText(d registry.Doc) string {
	const indent = "      "
	help := d.Help
	if also := d.Names[1:]; len(also) > 0 {
		help += "; also called " + strings.Join(also, ", ")
	}
	example := fmt.Sprintf("%s is %s", d.Example, cmp.Or(d.Value, "not the same in two statements"))
	return "  " + d.Usage + "\n" + folded(help, indent) + folded(example, indent)
}

// folded breaks a text into lines of at most helpWidth columns.
func folded(text, indent string) string {
	var b strings.Builder
	line := indent
	for _, word := range strings.Fields(text) {
		if len(line) > len(indent) && utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > helpWidth {
			b.WriteString(line + "\n")
			line = indent
		}
		if len(line) > len(indent) {
			line += " "
		}
		line += word
	}
	return b.String() + line + "\n"
}
