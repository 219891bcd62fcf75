package filetext

import (
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"analyzer/columnar/sniff"
	"analyzer/columnar/stored"
	"analyzer/operators/query/sql"
)

// Declarations declares each file as a table in SQL, and returns the names of the tables.
func Declarations(files []*sniff.File) (text string, names []string) {
	var b strings.Builder
	b.WriteString("-- Your own tables\n")
	for _, f := range files {
		file, _ := stored.CutExtension(filepath.Base(f.Name))
		name := strings.TrimSuffix(file, filepath.Ext(file))
		for n := 2; slices.Contains(names, name); n++ {
			name = fmt.Sprintf("%s_%d", strings.TrimSuffix(file, filepath.Ext(file)), n)
		}
		names = append(names, name)
		fmt.Fprintf(&b, "\nCREATE TABLE %s (\n", sql.QuoteName(name))
		width := 0
		for _, c := range f.Columns {
			width = max(width, len([]rune(sql.QuoteName(c.Name))))
		}
		for i, c := range f.Columns {
			comma := ","
			if i == len(f.Columns)-1 {
				comma = ""
			}
			fmt.Fprintf(&b, "  %-*s %s%s\n", width, sql.QuoteName(c.Name), typeOfCells(c), comma)
		}
		fmt.Fprintf(&b, ") FROM %s%s;\n", sql.QuoteText(file), tableOptions(f))
	}
	return b.String(), names
}

func tableOptions(f *sniff.File) string {
	var options []string
	for _, o := range dialectOptions(f) {
		name := strings.ToUpper(o.name)
		if name == "DELIM" {
			name = "DELIMITER"
		}
		options = append(options, name+" "+o.value)
	}
	if f.Renamed {
		options = append(options, "HEADER IGNORED")
	}
	if options == nil {
		return ""
	}
	return " WITH (" + strings.Join(options, ", ") + ")"
}

// dialectOption is an option of read_csv, written as in SQL.
type dialectOption struct{ name, value string }

// dialectOptions returns the options that describe how a file differs from plain CSV.
func dialectOptions(f *sniff.File) (all []dialectOption) {
	for _, o := range []struct{ name, text string }{
		{"delim", f.Delimiter}, {"quote", f.Quote}, {"escape", f.Escape}, {"comment", f.Comment}, {"encoding", f.Encoding},
	} {
		if o.text != "" && (o.name != "delim" || o.text != "," && f.Last == 0) {
			all = append(all, dialectOption{o.name, sql.QuoteText(o.text)})
		}
	}
	if f.Unquoted {
		all = append(all, dialectOption{"quote", "''"})
	}
	if f.Trailing {
		all = append(all, dialectOption{"trailing_comments", "TRUE"})
	}
	if f.LineQuotes {
		all = append(all, dialectOption{"line_quotes", "TRUE"})
	}
	if f.Skip > 0 {
		all = append(all, dialectOption{"skip", strconv.Itoa(f.Skip)})
	}
	if f.Pad > 0 {
		all = append(all, dialectOption{"null_padding", "TRUE"})
	}
	if f.Headless {
		all = append(all, dialectOption{"header", "FALSE"})
	}
	return all
}
