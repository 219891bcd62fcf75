package session

import (
	"context"
	"fmt"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"analyzer/columnar"
	"analyzer/columnar/scan"
	"analyzer/columnar/sniff"
	"analyzer/columnar/vfs"
	"analyzer/compose/session/fault"
	"analyzer/compose/session/inputs"
	"analyzer/operators/expr"
	"analyzer/operators/query/bind"
	"analyzer/operators/query/sql"
)

// tableFiles is one table of a statement.
type tableFiles struct {
	sql.Source
	given    sniff.Given
	files    []string
	parts    []*sniff.File     // what sniffing found in each
	tables   []*columnar.Table // the same as tables of the source
	read     []int             // indexes of the columns that the statement mentions
	mentions sql.Mentions
	watch    *sniff.Watch // nil if none of its types is a guess
	// partitions are the columns whose values come from the names of directories.
	partitions []bind.Constant
}

// maxParts bounds the number of files of one table.
const maxParts = 10_000

// filesOf returns the files of a table of a statement; nil if no table of that name is given.
func (p *Prepared) filesOf(ctx context.Context, m sql.Source) (*tableFiles, error) {
	names := m.Files
	for name, f := range p.ses.cfg.Tables {
		if len(m.Files) == 0 && strings.EqualFold(name, m.Name) {
			names = []string{f}
		}
	}
	if len(names) == 0 {
		return nil, nil
	}
	if p.st.Verb == sql.Create && slices.Contains(names, inputs.Stdin) {
		return nil, fault.InStatement(p.text, sql.Unsupported(m.At, "Next: read it in a query: a view reads its files anew in each.", "views of the standard input"))
	}
	set := &tableFiles{Source: m}
	if m.Call != nil {
		var err error
		if set.given, err = bind.ReadOptions(m.Call); err != nil {
			return nil, fault.InStatement(p.text, err)
		}
	}
	for _, name := range names {
		found, err := p.matching(ctx, m, name)
		if err != nil {
			return nil, err
		}
		set.files = append(set.files, found...)
	}
	if len(set.files) > maxParts {
		return nil, fault.InStatement(p.text, sql.Wrong(m.At, "Next: put files together, or name fewer of them.", "a table of more than %d files", maxParts))
	}
	return set, nil
}

// matching returns the files that have a name, or match it as a pattern.
func (p *Prepared) matching(ctx context.Context, m sql.Source, file string) ([]string, error) {
	if _, err := p.ses.cfg.FS.Size(file); err == nil || file == inputs.Stdin || !inputs.IsPattern(file) {
		return []string{file}, nil
	}
	found, err := inputs.Matching(ctx, file, maxParts)
	if ctx.Err() != nil {
		return nil, err
	}
	if err == nil && len(found) == 0 {
		err = fmt.Errorf("no file has a name like %q", file)
	}
	if err != nil {
		return nil, fault.BadInput("Next: check the pattern and the directory.", sql.Show(p.text, sql.Wrong(m.At, "", "%v", err)))
	}
	return found, nil
}

// look examines the files of a table, and guesses the types of its columns.
func (p *Prepared) look(ctx context.Context, set *tableFiles, mentions sql.Mentions) error {
	for i := range set.tables {
		f, err := sniff.Look(ctx, func() (vfs.File, error) { return p.open(ctx, set, i) }, set.given)
		if err != nil {
			return err
		}
		set.parts = append(set.parts, f)
	}
	sniff.Unite(set.parts)
	for _, f := range set.parts {
		if err := alike(f, set.parts[0]); err != nil {
			return err
		}
	}
	if err := set.partition(); err != nil {
		return err
	}
	sniff.Guess(set.parts)
	set.mentions = mentions
	set.begin()
	return nil
}

// begin watches the columns that the statement mentions.
func (set *tableFiles) begin() {
	set.read = nil
	for i, c := range set.parts[0].Columns {
		if set.mentions.All || set.mentions.Columns[strings.ToLower(c.Name)] {
			set.read = append(set.read, i)
		}
	}
	if len(set.read) > 0 && !set.parts[0].Typed() {
		set.watch = sniff.NewWatch(set.parts, set.read)
		if set.mentions.All {
			set.watch.Whole()
		}
	}
	set.describe()
}

// complete finds all columns of a table, and reports whether there are more than before.
func (p *Prepared) complete(ctx context.Context, set *tableFiles) (more bool, err error) {
	more, err = sniff.Complete(ctx, set.parts, func(i int) (vfs.File, error) { return p.open(ctx, set, i) })
	if err == nil && more {
		set.begin()
	}
	return more, err
}

func (p *Prepared) open(ctx context.Context, set *tableFiles, part int) (vfs.File, error) {
	return p.in.Open(ctx, set.tables[part].Name)
}

// alike refuses a file that cannot belong to the same table as the first one.
func alike(f, first *sniff.File) error {
	wrong := &scan.InputError{File: f.Name, Hint: "name files with equal columns"}
	switch {
	case f.Typed() != first.Typed(), f.Typed() && !slices.Equal(f.Columns, first.Columns):
		wrong.Reason, wrong.Detail = scan.ReasonWrongType, "its columns have other types than those of "
	case !slices.Equal(namesOf(f), namesOf(first)):
		wrong.Line, wrong.Reason, wrong.Detail = 1, scan.ReasonMissingColumns, "the columns differ from those of "
	default:
		return nil
	}
	wrong.Detail += first.Name + ", which is part of the same table"
	return wrong
}

func namesOf(f *sniff.File) []string {
	var names []string
	for _, c := range f.Columns {
		names = append(names, c.Name)
	}
	return names
}

// partition finds the columns whose values are in the names of directories, as in
// year=2024/sales.csv. All files must have the same ones, in the same order, and none as a
// column of its own.
func (set *tableFiles) partition() error {
	values := make(map[string][]string)
	var names []string
	for i, file := range set.files {
		var found []string
		for _, dir := range strings.Split(filepath.ToSlash(filepath.Dir(file)), "/") {
			if name, value, ok := strings.Cut(dir, "="); ok && name != "" {
				found, values[name] = append(found, name), append(values[name], value)
			}
		}
		if i == 0 {
			names = found
		} else if !slices.Equal(found, names) {
			return nil
		}
	}
	for _, name := range names {
		if len(values[name]) != len(set.files) || slices.Contains(namesOf(set.parts[0]), name) {
			continue
		}
		c, err := partitionColumn(name, values[name])
		if err != nil {
			return err
		}
		set.partitions = append(set.partitions, c)
	}
	if set.given.FileName {
		c := bind.Constant{Name: bind.FileName, Type: columnar.Text}
		for _, file := range set.files {
			c.Values = append(c.Values, expr.Str(file))
		}
		set.partitions = append(set.partitions, c)
	}
	return nil
}

func partitionColumn(name string, texts []string) (bind.Constant, error) {
	for i, text := range texts {
		if plain, err := url.PathUnescape(text); err == nil {
			texts[i] = plain
		}
		if texts[i] == "__HIVE_DEFAULT_PARTITION__" {
			texts[i] = ""
		}
	}
	c := bind.Constant{Name: name, Type: sniff.TypeOf(texts)}
	for _, text := range texts {
		value := expr.Null(c.Type)
		if text != "" {
			var err error
			if value, err = expr.ParseValue(c.Type, text); err != nil {
				return c, fmt.Errorf("the directory %s=%s: %w", name, text, err)
			}
		}
		c.Values = append(c.Values, value)
	}
	return c, nil
}

// describe takes over what is known of the files of a table.
func (set *tableFiles) describe() {
	for i, table := range set.tables {
		*table = *set.parts[i].Table(table.Name)
	}
}
