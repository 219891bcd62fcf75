package fileoptions

import (
	"slices"
	"strconv"
	"strings"

	"analyzer/columnar"
	"analyzer/columnar/number"
	"analyzer/columnar/scan"
	"analyzer/columnar/sniff"
	"analyzer/columnar/stored"
	"analyzer/operators/query/scalar"
	"analyzer/operators/query/sql"
)

// setWidths sets how many characters each field has.
func setWidths(g *sniff.Given, v *sql.Expr) {
	g.Widths = nil
	if v.Kind == sql.List {
		for _, a := range v.Args {
			n, err := strconv.Atoi(a.Text)
			if a.Kind != sql.Number || err != nil {
				panic(sql.Wrong(a.At, "", "a number of characters is expected"))
			}
			g.Widths = append(g.Widths, n)
		}
	}
	if len(g.Widths) == 0 {
		panic(sql.Wrong(v.At, "", "widths of fields are written as [10, 8, 12]"))
	}
}

// setDecimal sets the decimal mark of numbers.
func setDecimal(g *sniff.Given, v *sql.Expr) {
	text := sql.TextOf(v)
	if text != "." && text != "," {
		panic(sql.Wrong(v.At, "Next: write '.' or ','.", "a decimal mark is a point or a comma"))
	}
	g.Decimal = text[0]
	checkMarks(g, v)
}

// setThousands sets the mark between thousands; an empty text means that there is none.
func setThousands(g *sniff.Given, v *sql.Expr) {
	text := sql.TextOf(v)
	switch {
	case text == "":
		g.Thousands = sniff.NoThousands
	case slices.Contains([]string{".", ",", " ", "'"}, text):
		g.Thousands = text
	default:
		panic(sql.Wrong(v.At, "Next: write ',', '.', ' ' (which is any kind of space) or ''''.", "a mark between thousands is a comma, a point, a space or an apostrophe"))
	}
	checkMarks(g, v)
}

func checkMarks(g *sniff.Given, v *sql.Expr) {
	if g.Decimal != 0 && string(g.Decimal) == g.Thousands {
		panic(sql.Wrong(v.At, "Next: name another mark in one of them.", "the decimal mark and the mark between thousands are the same"))
	}
}

// setDateForm sets how dates are written: the order of day, month and year, whether years have two
// digits, and whether months have names; or that they are numbers of days. It refuses forms in which columns of dates cannot be read.
func setDateForm(g *sniff.Given, v *sql.Expr) {
	if strings.EqualFold(sql.TextOf(v), "excel") {
		g.Serial = true
		return
	}
	form := strings.NewReplacer("%-", "%", "%B", "%b", "%e", "%d").Replace(sql.TextOf(v))
	date := form
	for _, clock := range []string{"%H:%M", "%H:%M:%S", "%H:%M:%S.%f", "%H:%M:%S.%g", "%I:%M %p", "%I:%M:%S %p"} {
		for _, zone := range []string{"", "%z", " %z", "Z"} {
			for _, between := range []string{" ", "T"} {
				if before, found := strings.CutSuffix(form, between+clock+zone); found {
					date, g.Zoned = before, g.Zoned || zone != ""
				}
			}
		}
	}
	if strings.Contains(date, "%b") {
		plain := strings.NewReplacer("-", " ", "/", " ", ".", "", ",", "", " de ", " ").Replace(date)
		if !slices.Contains([]string{"%d %b %Y", "%b %d %Y", "%Y %b %d", "%d %b %y", "%b %d %y", "%d%b%Y"}, plain) {
			panic(noDateForm(v))
		}
		g.MonthNames = true
		return
	}
	short := strings.Contains(date, "%y")
	date = strings.ReplaceAll(date, "%y", "%Y")
	for i, parts := range []string{number.YearFirst: "%Y-%m-%d", number.MonthFirst: "%m-%d-%Y", number.DayFirst: "%d-%m-%Y"} {
		for _, mark := range []string{"-", "/", "."} {
			if order := number.DateOrder(i); date == strings.ReplaceAll(parts, "-", mark) {
				if g.DateOrder != nil && (*g.DateOrder != order || g.ShortYears != short) {
					panic(sql.Wrong(v.At, "Next: leave one of them out.", "dates and timestamps of two orders"))
				}
				g.DateOrder, g.ShortYears = &order, short
				return
			}
		}
	}
	panic(noDateForm(v))
}

func noDateForm(v *sql.Expr) error {
	return sql.Unsupported(v.At, "Next: leave it out, and write strptime(…, "+sql.QuoteText(v.Text)+") of the column.", "dates of this form")
}

// anyNumber and anyTruth accept any value, for options that do not change what is read.
func anyNumber(_ *sniff.Given, v *sql.Expr) {
	if v.Kind == sql.Unary && len(v.Args) == 1 {
		v = v.Args[0]
	}
	if _, err := strconv.ParseFloat(v.Text, 64); err != nil || v.Kind != sql.Number && v.Kind != sql.String {
		panic(sql.Wrong(v.At, "", "a number is expected"))
	}
}

func anyTruth(_ *sniff.Given, v *sql.Expr) { truthOf(v) }

// only accepts one truth value, and says of the other what to write instead.
func only(value bool, instead string) func(*sniff.Given, *sql.Expr) {
	return func(_ *sniff.Given, v *sql.Expr) {
		if truthOf(v) != value {
			panic(sql.Wrong(v.At, "Next: "+instead, "here this option is always %t", value))
		}
	}
}

// oneOf accepts some texts, and says of others what to write instead.
func oneOf(instead string, texts ...string) func(*sniff.Given, *sql.Expr) {
	return func(_ *sniff.Given, v *sql.Expr) {
		if text := strings.ToLower(sql.TextOf(v)); !slices.Contains(texts, text) {
			panic(sql.Wrong(v.At, "Next: "+instead, "this option cannot be %s here", sql.QuoteText(text)))
		}
	}
}

// setDirectories sets how directories with names such as year=2024 become columns.
func setDirectories(g *sniff.Given, v *sql.Expr) {
	for _, c := range columnsOf(v) {
		if format, _ := sniff.FormatOf(c.Type()); c.Format != format || c.Form != (number.Form{}) {
			panic(sql.Wrong(v.At, "Next: write the type alone.", "names of directories are written in the usual form of their type"))
		}
		g.Directories.Types = append(g.Directories.Types, c)
	}
}

// setCandidates sets which types columns are found to have.
func setCandidates(g *sniff.Given, v *sql.Expr) {
	g.Candidates = []columnar.Type{columnar.Text}
	for _, name := range textsOf(v) {
		t, ok := scalar.TypeNamed(sql.TypeName(name))
		if _, detected := sniff.FormatOf(t); !ok || !detected {
			panic(noColumnType(v, name))
		}
		g.Candidates = append(g.Candidates, t)
	}
}

// setFileName sets whether there is a column with the name of each row's file, and its name.
func setFileName(g *sniff.Given, v *sql.Expr) {
	switch g.FileName = ""; {
	case v.Kind == sql.String:
		if g.FileName = v.Text; v.Text == "" {
			panic(sql.Wrong(v.At, "Next: write true, or the name of the column.", "a column without a name"))
		}
	case truthOf(v):
		g.FileName = FileName
	}
}

// statedOptions are options of DuckDB that hold here in any case, that only tune its reader, or of
// which only some values do; and that of workbooks.
var statedOptions = []option[sniff.Given]{
	{[]string{"sheet"}, func(g *sniff.Given, v *sql.Expr) { g.Sheet = sql.TextOf(v) }},
	{[]string{"auto_detect"}, func(g *sniff.Given, v *sql.Expr) { g.Undetected = !truthOf(v) }},
	{[]string{"ignore_errors"}, func(g *sniff.Given, v *sql.Expr) { g.AllRows = !truthOf(v) }},
	{[]string{"store_rejects"}, anyTruth},
	{[]string{"sample_size"}, anyNumber},
	{[]string{"files_to_sniff"}, anyNumber},
	{[]string{"buffer_size"}, anyNumber},
	{[]string{"max_line_size", "maximum_line_size"}, anyNumber},
	{[]string{"parallel"}, anyTruth},
	{[]string{"normalize_names"}, func(g *sniff.Given, v *sql.Expr) {
		if g.Rename = nil; truthOf(v) {
			g.Rename = normalName
		}
	}},
	{[]string{"strict_mode"}, func(g *sniff.Given, v *sql.Expr) { g.Strict = truthOf(v) }},
	{[]string{"allow_quoted_nulls"}, only(true, "leave it out: cells in quotes are NULL as others are.")},
	{[]string{"auto_type_candidates"}, setCandidates},
	{[]string{"binary_as_string"}, func(g *sniff.Given, v *sql.Expr) { g.ByteTexts = truthOf(v) }},
	{[]string{"hive_partitioning"}, func(g *sniff.Given, v *sql.Expr) { g.Directories.Ignored = !truthOf(v) }},
	{[]string{"hive_types"}, setDirectories},
	{[]string{"hive_types_autocast"}, func(g *sniff.Given, v *sql.Expr) { g.Directories.Texts = !truthOf(v) }},
	{[]string{"new_line"}, oneOf("leave it out: all ends of lines are read.", `\n`, `\r\n`, `\r`, "\n", "\r\n", "\r")},
	{[]string{"compression"}, oneOf(
		"leave it out: the contents of the file show it.", append(stored.Compressions(), "auto", "auto_detect", "none", "uncompressed", "gz", "bz2")...)},
}

// refusedOptions are options of DuckDB that no file takes, with what to write instead.
var refusedOptions = map[string]string{
	"rejects_table":  "leave it out: --rejects FILE keeps rejected rows, and FILE can be read as a table.",
	"rejects_scan":   "leave it out: --rejects FILE keeps rejected rows, with their lines and reasons.",
	"rejects_limit":  "leave it out: --rejects FILE keeps all rejected rows; --max-rejects N ends at the first beyond N.",
	"force_not_null": "leave it out, and write coalesce(column, '') for the column.",
}

// noColumnType refuses a type that no column of a file has.
func noColumnType(v *sql.Expr, name string) error {
	return sql.Unsupported(v.At, "There are "+strings.Join(fileTypes(), ", ")+".", "columns of type "+name)
}

// declared reads the type of a column, and perhaps how its cells are written: DECIMAL FORMAT 1.234,5 €.
func declared(v *sql.Expr) sniff.Column {
	text, written, said := strings.Cut(sql.TextOf(v), " FORMAT ")
	name := sql.TypeName(text)
	t := scalar.PartNamed(name)
	if name == "JSON" { // which is text here
		t = columnar.Text
	}
	format, readable := sniff.FormatOf(t)
	switch {
	case readable:
	case t == columnar.TextList:
		format = columnar.FormatTexts
	case scan.IsJSON(t):
		format = columnar.FormatStored
	case t != columnar.Invalid:
		panic(sql.Unsupported(v.At, "Next: leave it out, and write CAST(… AS "+name+") of the column.", "columns of type "+text))
	default:
		panic(noColumnType(v, text))
	}
	c := sniff.Column{Format: format}
	if t.IsWide() || format == columnar.FormatStored {
		c.Stored = t
	}
	if !said {
		return c
	}
	if err := c.Format.UnmarshalText([]byte(strings.ToLower(written))); err == nil && c.Format.Type() == t && c.Format != columnar.FormatPosition {
		return c
	}
	form, err := number.FormOf(strings.Trim(written, "'"))
	if err != nil || !sniff.IsNumber(format) {
		panic(sql.Wrong(v.At, "Next: write an example of a number behind FORMAT, such as 1.234,5 or $1,234.5, or leave it out.", "cells of %s are not written as %s", scalar.TypeName(t), written))
	}
	c.Format, c.Form = format, form
	return c
}
