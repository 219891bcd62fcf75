package session

import (
	"cmp"
	"fmt"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"analyzer/columnar"
	"analyzer/columnar/sniff"
	"analyzer/compose/session/fault"
	"analyzer/compose/session/inputs"
	"analyzer/operators/expr"
	"analyzer/operators/query/bind"
	"analyzer/operators/query/fileoptions"
)

// partition finds the columns whose values are in the names of directories, as in
// year=2024/sales.csv. All files must have the same ones, in the same order, and none as a
// column of its own.
func (set *tableFiles) partition() error {
	values := make(map[string][]string)
	var names []string
	directories := set.given.Directories
	for i, file := range set.files {
		var found []string
		for _, dir := range strings.Split(filepath.ToSlash(filepath.Dir(file)), "/") {
			if name, value, ok := strings.Cut(dir, "="); ok && name != "" && !directories.Ignored {
				name = unescaped(name)
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
		if len(values[name]) != len(set.files) || slices.Contains(namesOf(set.first()), name) {
			continue
		}
		c, err := partitionColumn(directories, name, values[name])
		if err != nil {
			return err
		}
		set.partitions = append(set.partitions, c)
	}
	asked := set.mentions.Columns[fileoptions.FileName] && !slices.ContainsFunc(set.first().Columns, func(c sniff.Column) bool { return strings.EqualFold(c.Name, fileoptions.FileName) })
	if set.given.FileName != "" || asked {
		if set.given.FileName == "" {
			set.virtual = fileoptions.FileName
		}
		c := bind.Constant{Name: cmp.Or(set.given.FileName, fileoptions.FileName), Type: columnar.Text}
		for _, file := range set.files {
			c.Values = append(c.Values, expr.Str(inputs.TextOf(file)))
		}
		set.partitions = append(set.partitions, c)
	}
	return nil
}

// unescaped returns a part of a name of a directory as it is meant.
func unescaped(part string) string {
	if plain, err := url.PathUnescape(part); err == nil {
		part = plain
	}
	return inputs.TextOf(part)
}

func partitionColumn(directories sniff.Directories, name string, texts []string) (bind.Constant, error) {
	for i, text := range texts {
		if texts[i] = unescaped(text); texts[i] == "__HIVE_DEFAULT_PARTITION__" {
			texts[i] = ""
		}
	}
	c := bind.Constant{Name: name, Type: columnar.Text}
	if i := slices.IndexFunc(directories.Types, func(c sniff.Column) bool { return strings.EqualFold(c.Name, name) }); i >= 0 {
		c.Type = directories.Types[i].Type()
	} else if !directories.Texts {
		c.Type = sniff.TypeOf(texts)
	}
	for _, text := range texts {
		value := expr.Null(c.Type)
		if text != "" {
			var err error
			if value, err = expr.ParseValue(c.Type, text); err != nil {
				return c, fault.BadInput("Next: rename the directory, or leave the column out of hive_types.", fmt.Errorf("the directory %s=%s: %w", name, text, err))
			}
		}
		c.Values = append(c.Values, value)
	}
	return c, nil
}
