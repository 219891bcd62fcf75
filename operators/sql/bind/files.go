package bind

import (
	"slices"
	"strconv"
	"strings"

	"analyzer/columnar"
	"analyzer/columnar/csv"
	"analyzer/columnar/sniff"
	"analyzer/operators/sql"
)

// fileOption is an option of read_csv, which a table of a data set has as well. Names are
// DuckDB's.
type fileOption struct {
	names []string
	set   func(g *sniff.Given, v *sql.Expr) error
}

var fileOptions = []fileOption{
	{[]string{"delim", "sep", "delimiter"}, func(g *sniff.Given, v *sql.Expr) (err error) {
		g.Delimiter, err = textOf(v)
		if err == nil && g.Delimiter == "" {
			err = sql.Wrong(v.At, "", "a delimiter is at least one character")
		}
		g.Delimiter = strings.ReplaceAll(g.Delimiter, `\t`, "\t")
		return err
	}},
	{[]string{"quote"}, func(g *sniff.Given, v *sql.Expr) (err error) {
		g.Quote, err = textOf(v)
		g.Unquoted = g.Quote == ""
		return err
	}},
	{[]string{"escape"}, func(g *sniff.Given, v *sql.Expr) (err error) {
		g.Escape, err = textOf(v)
		return err
	}},
	{[]string{"comment"}, func(g *sniff.Given, v *sql.Expr) (err error) {
		g.Comment, err = textOf(v)
		return err
	}},
	{[]string{"skip"}, func(g *sniff.Given, v *sql.Expr) (err error) {
		if v.Kind == sql.Number {
			g.Skip, err = strconv.Atoi(v.Text)
		}
		if v.Kind != sql.Number || err != nil || g.Skip > maxSkip {
			return sql.Wrong(v.At, "", "a number of lines is expected, at most %d", maxSkip)
		}
		g.Skipped = true
		return nil
	}},
	{[]string{"header"}, func(g *sniff.Given, v *sql.Expr) error {
		is, err := truthOf(v)
		g.Header = &is
		return err
	}},
	{[]string{"encoding"}, func(g *sniff.Given, v *sql.Expr) error {
		text, err := textOf(v)
		if err != nil {
			return err
		}
		name, ok := csv.EncodingNamed(text)
		if !ok {
			return sql.Wrong(v.At, "There are "+strings.Join(csv.Encodings(), ", ")+".", "there is no encoding %q", text)
		}
		g.Encoding = name
		if name == "" {
			g.Encoding = csv.Encodings()[0]
		}
		return nil
	}},
	{[]string{"nullstr", "null"}, func(g *sniff.Given, v *sql.Expr) (err error) {
		if v.Kind == sql.String {
			g.Nulls = []string{v.Text}
			return nil
		}
		g.Nulls, err = textsOf(v)
		return err
	}},
	{[]string{"columns"}, func(g *sniff.Given, v *sql.Expr) (err error) {
		g.Columns, err = columnsOf(v)
		return err
	}},
	{[]string{"types", "dtypes", "column_types"}, func(g *sniff.Given, v *sql.Expr) (err error) {
		g.Types, err = columnsOf(v)
		return err
	}},
	{[]string{"names", "column_names"}, func(g *sniff.Given, v *sql.Expr) (err error) {
		g.Names, err = textsOf(v)
		return err
	}},
	{[]string{"all_varchar"}, func(g *sniff.Given, v *sql.Expr) (err error) {
		g.AllText, err = truthOf(v)
		return err
	}},
}

// maxSkip is how many lines of a file may be left out.
const maxSkip = 10_000

// ReadOptions returns what a call in FROM says of the file that it reads.
func ReadOptions(call *sql.Expr) (g sniff.Given, err error) {
	options, err := sql.FileOptions(call)
	if err != nil {
		return g, err
	}
	if name := strings.ToLower(call.Text); len(options) > 0 && !strings.HasPrefix(name, "read_csv") {
		return g, sql.Unsupported(options[0].At, "", "options of "+name)
	}
	return g, SetFileOptions(&g, options, call.At)
}

// SetFileOptions sets options, of which others than those of read_csv are refused.
func SetFileOptions(g *sniff.Given, options []sql.Option, at sql.Span) error {
	var known []string
	for _, o := range fileOptions {
		known = append(known, o.names[0])
	}
	seen := make(map[string]bool)
	for _, o := range options {
		i := slices.IndexFunc(fileOptions, func(f fileOption) bool { return slices.Contains(f.names, o.Name) })
		if i < 0 {
			return sql.Wrong(o.At, "There are "+strings.Join(known, ", ")+".", "there is no option %q of a CSV file", o.Name)
		}
		if seen[known[i]] {
			return sql.Wrong(o.At, "Next: leave one of them out.", "the option %s is given twice", known[i])
		}
		seen[known[i]] = true
		if err := fileOptions[i].set(g, o.Value); err != nil {
			return err
		}
	}
	if err := csv.CheckDialect(g.Dialect); err != nil {
		return sql.Wrong(at, "", "%s", err)
	}
	return nil
}

func textOf(v *sql.Expr) (string, error) {
	if v.Kind != sql.String {
		return "", sql.Wrong(v.At, "", "a text in quotes is expected")
	}
	return v.Text, nil
}

func truthOf(v *sql.Expr) (bool, error) {
	if v.Kind != sql.Boolean {
		return false, sql.Wrong(v.At, "", "true or false is expected")
	}
	return v.Text == "TRUE", nil
}

func textsOf(v *sql.Expr) (all []string, err error) {
	if v.Kind != sql.List && v.Kind != sql.Tuple {
		return nil, sql.Wrong(v.At, "", "a list of texts is expected, such as ['a', 'b']")
	}
	for _, a := range v.Args {
		text, err := textOf(a)
		if err != nil {
			return nil, err
		}
		all = append(all, text)
	}
	return all, nil
}

// columnType writes the places of a DECIMAL as casts have them.
var columnType = strings.NewReplacer(" ", "", ",", ", ")

// columnsOf reads names of columns with their types.
func columnsOf(v *sql.Expr) (all []sniff.Column, err error) {
	if v.Kind != sql.Struct {
		return nil, sql.Wrong(v.At, "", "columns are written as {'name': 'BIGINT', …}")
	}
	for i, a := range v.Args {
		name, err := textOf(a)
		if err != nil {
			return nil, err
		}
		t, ok := TypeNamed(columnType.Replace(strings.ToUpper(name)))
		format, readable := sniff.FormatOf(t)
		if !ok || !readable {
			return nil, sql.Unsupported(a.At, "There are "+strings.Join(fileTypes(), ", ")+".", "columns of type "+name)
		}
		if slices.ContainsFunc(all, func(c sniff.Column) bool { return strings.EqualFold(c.Name, v.Path[i]) }) {
			return nil, sql.Wrong(v.At, "", "there are two columns of the name %q", v.Path[i])
		}
		all = append(all, sniff.Column{Name: v.Path[i], Format: format})
	}
	return all, nil
}

// fileTypes are the types that a column of a file may be declared to have.
func fileTypes() []string {
	var names []string
	for _, t := range columnar.Types() {
		if _, ok := sniff.FormatOf(t); ok {
			names = append(names, TypeName(t))
		}
	}
	return names
}

// readFile binds a call that reads a file.
func (b *binder) readFile(f *sql.From) (*relation, error) {
	if _, err := ReadOptions(f.Call); err != nil {
		return nil, err
	}
	t := b.catalog.Files[sql.Source{Call: f.Call}.Key()]
	if t == nil {
		return nil, sql.Wrong(f.Call.At, "", "there is no file %s", f.Call.Args[0])
	}
	name := f.Alias
	if name == "" {
		name = strings.ToLower(f.Call.Text)
	}
	return b.table(name, t).renamed(name, f.Columns, f.At)
}
