// Package directory reads a data set that a user has written: a directory with
// tables.sql, which declares tables, and an SQL file for each query.
//
// A query's file begins with comments: its title and its parameters.
//
//	-- Countries by sales since a year
//	-- $since BIGINT = 2020
//	-- $kind VARCHAR IN (all, new, old) = all
//	SELECT country, sum(amount) …
package directory

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"analyzer/columnar"
	"analyzer/columnar/budget"
	"analyzer/columnar/number"
	"analyzer/columnar/sniff"
	"analyzer/columnar/vfs"
	"analyzer/datasets"
	"analyzer/operators/query"
	"analyzer/operators/query/bind"
	"analyzer/operators/query/fileoptions"
	"analyzer/operators/query/plan"
	"analyzer/operators/query/scalar"
	"analyzer/operators/query/sql"
)

// Tables is the name of the file that makes a directory a data set.
const Tables = "tables.sql"

const extension = ".sql"

// File returns the name of the file of a query.
func File(query string) string { return query + extension }

// Is reports whether a directory is a data set.
func Is(fs vfs.FS, dir string) bool {
	_, err := fs.Size(filepath.Join(dir, Tables))
	return err == nil
}

// Mistake is something wrong in a file of a data set.
type Mistake struct {
	File string
	Hint string // what to do about it; may be empty
	Err  error  // shows the place in the file
}

// Error says in which file and what is wrong.
func (m *Mistake) Error() string { return fmt.Sprintf("%s: %v", m.File, m.Err) }

// Unwrap returns the error.
func (m *Mistake) Unwrap() error { return m.Err }

// Load reads the data set in a directory, and builds settings of parameters into the plans
// of its queries. An error in the content of a file is a *Mistake. An error in the settings
// of a query is in the source's Wrong; the query's plan then has the defaults.
func Load(work *budget.Work, fs vfs.FS, dir string, settings datasets.Settings) (*datasets.Source, error) {
	src := &datasets.Source{Name: dir, Title: "tables and queries in this directory", Dir: dir, Texts: make(map[string]string), Wrong: make(map[string]error)}
	text, err := read(fs, filepath.Join(dir, Tables))
	if err != nil {
		return nil, err
	}
	src.Texts[Tables] = text
	if title, _, _ := head(text); title != "" {
		src.Title = title
	}
	catalog := bind.Catalog{Tables: make(map[string]*bind.Table), Views: make(map[string]*sql.Query)}
	if src.Tables, err = tables(work, text, catalog); err != nil {
		return nil, mistake(filepath.Join(dir, Tables), text, err)
	}
	names, err := fs.List(dir)
	if err != nil {
		return nil, fmt.Errorf("look for queries: %w", err)
	}
	names = slices.DeleteFunc(names, func(name string) bool { return filepath.Ext(name) != extension || name == Tables })
	slices.SortFunc(names, byNumber)
	for _, name := range names {
		file := filepath.Join(dir, name)
		if text, err = read(fs, file); err != nil {
			return nil, err
		}
		src.Texts[name] = text
		name := strings.TrimSuffix(name, extension)
		q, err := planQuery(work, name, text, catalog, settings)
		if err != nil && len(settings) > 0 {
			if plain, failed := planQuery(work, name, text, catalog, nil); failed == nil {
				src.Wrong[name], q, err = mistake(file, text, err), plain, nil
			}
		}
		if err != nil {
			return nil, mistake(file, text, err)
		}
		src.Queries = append(src.Queries, q)
	}
	if len(src.Queries) == 0 {
		return nil, &Mistake{File: dir, Hint: "Next: write one into a file such as q1.sql.", Err: errors.New("there is no query")}
	}
	return src, nil
}

func mistake(file, text string, err error) error {
	if much, ok := errors.AsType[*budget.WorkError](err); ok {
		return &Mistake{File: file, Hint: much.Hint(), Err: much}
	}
	var wrong *sql.Error
	if !errors.As(err, &wrong) {
		return &Mistake{File: file, Err: err}
	}
	return &Mistake{File: file, Hint: wrong.Hint, Err: sql.Show(text, wrong)}
}

func read(fs vfs.FS, name string) (text string, err error) {
	f, err := fs.Open(name)
	if err != nil {
		return "", err
	}
	text, err = sql.ReadText(f)
	if err = errors.Join(err, f.Close()); err != nil {
		return "", &Mistake{File: name, Hint: "Next: make it shorter.", Err: err}
	}
	return text, nil
}

var digits = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\d+`) })

// byNumber orders q2 before q10.
func byNumber(a, b string) int {
	pad := func(name string) string {
		return digits().ReplaceAllStringFunc(name, func(d string) string { return fmt.Sprintf("%020s", d) })
	}
	return cmp.Or(strings.Compare(pad(a), pad(b)), strings.Compare(a, b))
}

// tables makes the tables that a text declares, and adds them and the text's views to a
// catalog.
func tables(work *budget.Work, text string, catalog bind.Catalog) ([]*columnar.Table, error) {
	declared, views, err := sql.ParseTables(work, text)
	if err != nil {
		return nil, err
	}
	for _, v := range views {
		key := strings.ToLower(v.Name)
		if catalog.Views[key] != nil {
			return nil, sql.Wrong(v.At, "", "there are two views of the name %q", v.Name)
		}
		catalog.Views[key] = v.Query
	}
	var all []*columnar.Table
	for i, d := range declared {
		key := strings.ToLower(d.Name)
		if catalog.Tables[key] != nil || catalog.Views[key] != nil {
			return nil, sql.Wrong(d.At, "", "there are two tables or views of the name %q", d.Name)
		}
		t, err := table(d)
		if err != nil {
			return nil, err
		}
		all = append(all, t)
		catalog.Tables[key] = &bind.Table{Parts: []*columnar.Table{t}, Stats: assumed(i)}
	}
	if len(all) == 0 {
		return nil, sql.Wrong(sql.Span{}, "Next: CREATE TABLE name (column BIGINT, …) FROM 'file.csv';", "no table is declared")
	}
	return all, nil
}

// assumed is what is assumed of the i-th table, whose file nobody has seen yet: that larger tables come
// later.
func assumed(i int) *plan.Stats { return &plan.Stats{Rows: 10_000 * math.Pow(10, float64(i))} }

func table(d *sql.Table) (*columnar.Table, error) {
	t := &columnar.Table{Name: d.Name, Files: d.Files}
	form, unnamed, err := options(t, d)
	if err != nil {
		return nil, err
	}
	seen := make(map[string]bool)
	for i, c := range d.Columns {
		format, strict, err := formatOf(c)
		if err != nil {
			return nil, err
		}
		if key := strings.ToLower(c.Name); seen[key] {
			return nil, sql.Wrong(c.At, "", "there are two columns of the name %q", c.Name)
		} else if seen[key] = true; c.Header == "" {
			c.Header = c.Name
		}
		column := columnar.TableColumn{Name: c.Name, Header: c.Header, Format: format, Required: c.Required, Strict: strict}
		if format == columnar.FormatStored || format == columnar.FormatWide {
			column.Stored, _ = scalar.TypeNamed(c.Type)
		}
		if sniff.IsNumber(format) {
			if column.Form, err = formOf(c, form); err != nil {
				return nil, err
			}
		}
		if t.Headless || unnamed {
			column.Field = i + 1
		}
		t.Columns = append(t.Columns, column)
	}
	for _, f := range d.Fixes {
		t.Fixes = append(t.Fixes, columnar.HeaderFix{Name: f.Name, Become: f.Become})
	}
	t.AddPosition()
	return keyed(t, d)
}

// options sets the dialect of a table's file. Options that are not given have their
// defaults; nothing is detected. It returns how numbers are written, and reports whether the
// names in the header do not matter.
func options(t *columnar.Table, d *sql.Table) (form number.Form, unnamed bool, err error) {
	var given sniff.Given
	var usual []sql.Option
	for _, o := range d.Options {
		switch {
		case o.Name == "header" && o.Value.Kind == sql.Column && strings.EqualFold(o.Value.Path[0], "ignored"):
			unnamed = true
		case slices.Contains([]string{"columns", "types", "dtypes", "column_types", "names", "column_names", "normalize_names", "all_varchar", "auto_type_candidates", fileoptions.FileName}, o.Name):
			return form, false, sql.Wrong(o.At, "Next: leave it out.", "columns and their types are declared in parentheses")
		default:
			usual = append(usual, o)
		}
	}
	if err := fileoptions.SetFileOptions(&given, usual, d.At); err != nil {
		return form, false, err
	}
	if given.AllRows {
		return form, false, sql.Wrong(d.At, "Next: leave it out, and add --max-rejects 0.", "ignore_errors is an option of read_csv alone")
	}
	t.Dialect, t.Nulls = given.Dialect, given.Nulls
	t.Headless = given.Header != nil && !*given.Header
	return given.Form(), unnamed, nil
}

// formOf returns how the numbers of a column are written: as in its example, or else as in the
// others of its table.
func formOf(c sql.TableColumn, usual number.Form) (number.Form, error) {
	if c.Example == "" {
		return usual, nil
	}
	form, err := number.FormOf(c.Example)
	if err != nil {
		return form, sql.Wrong(c.At, "", "%s", err)
	}
	return form, nil
}

// keyed returns a table with its declared key.
func keyed(t *columnar.Table, d *sql.Table) (*columnar.Table, error) {
	var key []string
	for _, k := range d.Key {
		name := k.Name
		for _, c := range t.Columns {
			if strings.EqualFold(c.Name, k.Name) {
				name = c.Name
			}
		}
		key = append(key, name)
		var err error
		if t, err = t.WithKey(key); err != nil {
			return nil, sql.Wrong(k.At, "", "%s", err)
		}
	}
	return t, nil
}

// formatOf returns how the cells of a column are read. strict is set if a cell that does not
// fit the type rejects its row.
func formatOf(c sql.TableColumn) (format columnar.Format, strict bool, err error) {
	t, known := scalar.TypeNamed(c.Type)
	if !known {
		return 0, false, sql.Unsupported(c.At, "There are BIGINT, DECIMAL, DOUBLE, BOOLEAN, VARCHAR, DATE, TIMESTAMP, TIME and VARCHAR[].", "columns of type "+c.Type)
	}
	if c.Format == "" {
		if c.Required && t == columnar.Text {
			return columnar.FormatText, false, nil // an empty one rejects its row
		}
		if format, known = sniff.FormatOf(t); known && (c.Example == "" || sniff.IsNumber(format)) {
			return format, !c.Required, nil
		}
		if t != columnar.TextList && (t.Kind() == columnar.KindList || t.IsNested()) {
			return columnar.FormatStored, false, nil
		}
		return 0, false, sql.Wrong(c.At, "Next: write FORMAT names, texts or commalist.", "how are cells of type %s written?", c.Type)
	}
	if err := format.UnmarshalText([]byte(strings.ToLower(c.Format))); err != nil || format == columnar.FormatPosition || format == columnar.FormatFile {
		return 0, false, sql.Wrong(c.At, "There are text, date, year, names, texts and commalist, and for dates ymd, mdy and dmy, for timestamps ymdtime, mdytime, dmytime and utc; for both named, and 2 behind an order for years of two digits.", "there is no format %q", c.Format)
	}
	if format == columnar.FormatStored && (t.Kind() == columnar.KindList || t.IsNested()) {
		return format, false, nil
	}
	if format.Type() != t && (format != columnar.FormatWide || !t.IsWide()) {
		return 0, false, sql.Wrong(c.At, "", "cells of the format %s are %s, not %s", format, scalar.TypeName(format.Type()), c.Type)
	}
	return format, !c.Required && slices.Contains(columnar.Times(), t), nil
}

// param is a parameter with the position of its declaration.
type param struct {
	plan.Param
	at sql.Span
}

// planQuery makes the plan of a query.
func planQuery(work *budget.Work, name, text string, catalog bind.Catalog, settings datasets.Settings) (*plan.Query, error) {
	title, params, err := head(text)
	if err != nil {
		return nil, err
	}
	st, err := sql.Parse(work, text)
	if err != nil {
		return nil, err
	}
	if st.Verb != sql.Answer {
		return nil, sql.Unsupported(st.At, "Next: write a query.", string(st.Verb)+" statements in a data set")
	}
	q := &plan.Query{Name: name, Title: title}
	values := make(bind.Params)
	catalog.Types = make(map[string]columnar.Type)
	for _, p := range params {
		value := settings.Of(name, p.Param)
		p.Value = value
		q.Params = append(q.Params, p.Param)
		if len(p.Values) > 0 && !slices.Contains(p.Values, value) {
			return nil, sql.Wrong(p.at, "Next: correct --param "+p.Name+"=VALUE.",
				"parameter %s.%s=%s: expected one of %s", name, p.Name, value, strings.Join(p.Values, ", "))
		}
		values[p.Name], catalog.Types[p.Name] = value, p.Type
	}
	q.Root, err = query.Plan(work, st.Query, catalog, values, nil)
	return q, err
}

var paramLine = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^\$(\w+)\s+([A-Za-z]+(?:\[\])?)(?:\s+IN\s*\(([^()]*)\))?\s*=\s*(.*)$`)
})

// head reads the comments at the beginning of a file: the title in the first line, then
// parameters.
func head(text string) (title string, params []param, err error) {
	at := 0
	for line := range strings.Lines(text) {
		begin := at
		at += len(line)
		comment, ok := strings.CutPrefix(strings.TrimSpace(line), "--")
		if comment = strings.TrimSpace(comment); !ok {
			if strings.TrimSpace(line) == "" {
				continue
			}
			return title, params, nil
		}
		if !strings.HasPrefix(comment, "$") {
			title = cmp.Or(title, comment)
			continue
		}
		where := sql.Span{Begin: begin, End: begin + len(strings.TrimRight(line, "\r\n"))}
		m := paramLine().FindStringSubmatch(comment)
		if m == nil {
			return "", nil, sql.Wrong(where, "Next: write it as -- $name TYPE = default.", "a parameter has a type and a default")
		}
		t, ok := scalar.TypeNamed(strings.ToUpper(m[2]))
		if !ok {
			return "", nil, sql.Unsupported(where, "There are BIGINT, DECIMAL, DOUBLE, BOOLEAN, VARCHAR, DATE, TIMESTAMP, TIME and VARCHAR[].", "parameters of type "+m[2])
		}
		p := param{plan.Param{Name: m[1], Type: t, Default: unquoted(m[4])}, where}
		if m[3] != "" {
			for v := range strings.SplitSeq(m[3], ",") {
				p.Values = append(p.Values, unquoted(strings.TrimSpace(v)))
			}
		}
		params = append(params, p)
	}
	return title, params, nil
}

// unquoted returns a value without the quotes around it, if there are any.
func unquoted(value string) string {
	if n := len(value); n > 1 && value[0] == '\'' && value[n-1] == '\'' {
		return strings.ReplaceAll(value[1:n-1], "''", "'")
	}
	return value
}
