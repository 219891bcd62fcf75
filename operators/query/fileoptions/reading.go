// Package fileoptions reads the options of files in statements: of read_csv and the like, of the tables of
// data sets and of COPY. Their names are those of DuckDB. It also says which option, type or cast to
// write for a column that has no type.
package fileoptions

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"analyzer/columnar"
	"analyzer/columnar/csv"
	"analyzer/columnar/input/known"
	"analyzer/columnar/number"
	"analyzer/columnar/sniff"
	"analyzer/columnar/stored"
	"analyzer/operators/query/scalar"
	"analyzer/operators/query/sql"
)

// option is an option of files that sets something in what a T says. The names are DuckDB's.
type option[T any] struct {
	names []string
	set   func(in *T, v *sql.Expr)
}

// setAll sets options in a T. It refuses those that are given twice, and those that it does not know, with
// the error of unknown. shown is how the statement writes their names.
func setAll[T any](in *T, known []option[T], given []sql.Option, shown func(string) string, unknown func(sql.Option) error) (err error) {
	defer sql.Catch(&err)
	seen := make(map[string]bool)
	for _, o := range given {
		i := slices.IndexFunc(known, func(k option[T]) bool { return slices.Contains(k.names, o.Name) })
		if i < 0 {
			return unknown(o)
		}
		name := known[i].names[0]
		if seen[name] {
			return sql.Wrong(o.At, "Next: leave one of them out.", "the option %s is given twice", shown(name))
		}
		seen[name] = true
		known[i].set(in, o.Value)
	}
	return nil
}

// fileOptions are the options of read_csv, and of the tables of data sets.
var fileOptions = []option[sniff.Given]{
	{[]string{"delim", "sep", "delimiter"}, func(g *sniff.Given, v *sql.Expr) {
		g.Delimiter = cmp.Or(strings.ReplaceAll(sql.TextOf(v), `\t`, "\t"), "\x00") // without one, a line is a cell: no text has this
	}},
	{[]string{"widths"}, setWidths},
	{[]string{"quote"}, func(g *sniff.Given, v *sql.Expr) {
		g.Quote = sql.TextOf(v)
		g.Unquoted = g.Quote == ""
	}},
	{[]string{"escape"}, func(g *sniff.Given, v *sql.Expr) { g.Escape = sql.TextOf(v) }},
	{[]string{"comment"}, func(g *sniff.Given, v *sql.Expr) { g.Comment = sql.TextOf(v) }},
	{[]string{"trailing_comments"}, func(g *sniff.Given, v *sql.Expr) {
		if g.Trailing = truthOf(v); g.Trailing {
			g.Comment = cmp.Or(g.Comment, "#")
		}
		g.NoTrailing = !g.Trailing
	}},
	{[]string{"line_quotes"}, func(g *sniff.Given, v *sql.Expr) { g.LineQuotes = truthOf(v) }},
	{[]string{"skip"}, func(g *sniff.Given, v *sql.Expr) {
		n, err := strconv.Atoi(v.Text)
		if v.Kind != sql.Number && v.Kind != sql.String || err != nil || n < 0 || n > maxSkip {
			panic(sql.Wrong(v.At, "", "a number of lines is expected, at most %d", maxSkip))
		}
		g.Skip, g.Skipped = n, true
	}},
	{[]string{"header"}, func(g *sniff.Given, v *sql.Expr) {
		is := truthOf(v)
		g.Header = &is
	}},
	{[]string{"encoding"}, func(g *sniff.Given, v *sql.Expr) {
		text := sql.TextOf(v)
		name, ok := stored.EncodingNamed(text)
		if !ok {
			panic(sql.Wrong(v.At, "There are "+strings.Join(stored.Encodings(), ", ")+".", "there is no encoding %q", text))
		}
		g.Encoding = name
		if name == "" {
			g.Encoding = stored.Encodings()[0]
		}
	}},
	{[]string{"nullstr", "null"}, func(g *sniff.Given, v *sql.Expr) {
		if g.Nulls = []string{v.Text}; v.Kind != sql.String {
			g.Nulls = textsOf(v)
		}
	}},
	{[]string{"columns"}, func(g *sniff.Given, v *sql.Expr) { g.Columns = columnsOf(v) }},
	{[]string{"types", "dtypes", "column_types"}, func(g *sniff.Given, v *sql.Expr) {
		if g.Types = nil; v.Kind == sql.List { // of the first columns
			g.Types = columnar.Each(v.Args, declared)
			return
		}
		g.Types = columnsOf(v)
	}},
	{[]string{"names", "column_names"}, func(g *sniff.Given, v *sql.Expr) { g.Names = textsOf(v) }},
	{[]string{"dateformat", "date_format"}, setDateForm},
	{[]string{"timestampformat", "timestamp_format"}, setDateForm},
	{[]string{"all_varchar"}, func(g *sniff.Given, v *sql.Expr) { g.AllText = truthOf(v) }},
	{[]string{FileName}, setFileName},
	{[]string{"union_by_name"}, func(g *sniff.Given, v *sql.Expr) {
		is := truthOf(v)
		g.UnionByName = &is
	}},
	{[]string{"null_padding"}, func(g *sniff.Given, v *sql.Expr) { g.Padded = truthOf(v) }},
	{[]string{"decimal_separator"}, setDecimal},
	{[]string{"thousands"}, setThousands},
}

// FileName names the column that holds the name of each row's file, and the option that adds
// it.
const FileName = "filename"

// maxSkip is how many lines of a file may be skipped.
const maxSkip = 10_000

// ReadOptions returns the options of a call in FROM that reads a file.
func ReadOptions(call *sql.Expr) (g sniff.Given, err error) {
	options, err := sql.FileOptions(call)
	if err != nil {
		return g, err
	}
	format := known.Called(call.Text)
	if format.Text {
		g.Format = format.Name
	}
	if format.Options != nil {
		options = slices.DeleteFunc(options, func(o sql.Option) bool { return slices.Contains(format.Detected, o.Name) })
	}
	for _, o := range options {
		if format.Options != nil && !slices.Contains(format.Options, o.Name) {
			hint := "There are " + strings.Join(slices.Concat(format.Options, format.Detected), ", ") + "."
			return g, sql.Wrong(o.At, hint, "%s has no option %q", strings.ToLower(call.Text), o.Name)
		}
	}
	if err := SetFileOptions(&g, options, call.At); err != nil {
		return g, err
	}
	if g.Undetected && format.Options == nil && len(g.Columns) == 0 {
		return g, sql.Wrong(call.At, "Next: add columns = {'name': 'TYPE', …}, or leave auto_detect out.", "without auto_detect all columns are stated")
	}
	return g, nil
}

// SetFileOptions sets options in g. It refuses unknown and repeated ones.
func SetFileOptions(g *sniff.Given, options []sql.Option, at sql.Span) error {
	err := setAll(g, slices.Concat(fileOptions, statedOptions), options, strings.ToLower, noFileOption)
	if err != nil {
		return err
	}
	if g.Strict && g.Quote == "" && !g.Unquoted && g.Widths == nil {
		g.Quote = `"`
	}
	if err := csv.CheckDialect(g.Dialect); err != nil {
		return sql.Wrong(at, "", "%s", err)
	}
	return nil
}

// noFileOption is the error of an option that there is not.
func noFileOption(o sql.Option) error {
	if instead := refusedOptions[o.Name]; instead != "" {
		return sql.Wrong(o.At, "Next: "+instead, "there is no option %s here", o.Name)
	}
	nameOf := func(o option[sniff.Given]) string { return o.names[0] }
	known := columnar.Each(fileOptions, nameOf)
	hint := "There are " + strings.Join(known, ", ") + "."
	if near := sql.Nearest(o.Name, append(known, columnar.Each(statedOptions, nameOf)...)); near != "" {
		hint = "Did you mean " + near + "?"
	}
	return sql.Wrong(o.At, hint, "there is no option %q of a CSV file", o.Name)
}

// truthOf returns a truth value, which may be written as a cast reads it: 1, 'yes'.
func truthOf(v *sql.Expr) bool {
	is, ok := number.ParseBoolWord([]byte(v.Text))
	if !ok || v.Kind != sql.Boolean && v.Kind != sql.Number && v.Kind != sql.String {
		panic(sql.Wrong(v.At, "", "true or false is expected"))
	}
	return is
}

func textsOf(v *sql.Expr) (all []string) {
	if v.Kind != sql.List && v.Kind != sql.Tuple {
		panic(sql.Wrong(v.At, "", "a list of texts is expected, such as ['a', 'b']"))
	}
	for _, a := range v.Args {
		all = append(all, sql.TextOf(a))
	}
	return all
}

// columnsOf reads the names and types of columns.
func columnsOf(v *sql.Expr) (all []sniff.Column) {
	if v.Kind != sql.Struct {
		panic(sql.Wrong(v.At, "", "columns are written as {'name': 'BIGINT', …}"))
	}
	for i, a := range v.Args {
		c := declared(a)
		c.Name = v.Path[i]
		if slices.ContainsFunc(all, func(c sniff.Column) bool { return strings.EqualFold(c.Name, v.Path[i]) }) {
			panic(sql.Wrong(v.At, "", "there are two columns of the name %q", v.Path[i]))
		}
		all = append(all, c)
	}
	return all
}

// fileTypes are the types that a column of a file may be declared to have.
func fileTypes() []string {
	var names []string
	for _, t := range columnar.Types() {
		if _, ok := sniff.FormatOf(t); ok && !t.IsWide() { // of which there are hundreds
			names = append(names, scalar.TypeName(t))
		}
	}
	return names
}
