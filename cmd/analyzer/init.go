package main

import (
	"cmp"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"unicode/utf8"

	"github.com/urfave/cli/v2"

	"analyzer/cmd/analyzer/internal/settings"
	"analyzer/columnar/sniff"
	"analyzer/compose/session/fault"
	"analyzer/compose/session/filetext"
	"analyzer/datasets/catalog"
	"analyzer/datasets/directory"
	"analyzer/operators/query/sql"
)

func initCommand(p *program) *cli.Command {
	return &cli.Command{
		Name: "init", Usage: "make your own data set from files", ArgsUsage: "DIR FILE…|DATASET",
		Description: "Writes DIR/tables.sql, with the columns of the files and their types, and a first query. Each\n" +
			"DIR/NAME.sql is a query. “analyzer run DIR FILES” answers the queries over the files in the directory\n" +
			"FILES; explain, queries, submit and verify take DIR as well. With DATASET, the name of a data set inside\n" +
			"the program, DIR becomes a copy of it for you to change.",
		Flags:  []cli.Flag{p.quietFlag(), settings.ConfigFlag()},
		Action: p.action(maker{p}.init, 0, "FILE…"),
	}
}

func (p maker) init(c *cli.Context, given []string) error {
	if len(given) < 2 {
		return fault.WrongUsage("Try: analyzer init --help", "DIR or FILE is missing: analyzer init DIR FILE…")
	}
	dir, files := given[0], given[1:]
	if directory.Is(p.fs, dir) {
		return fault.WrongUsage("Next: name another directory, or change the files in it.", "%s is a data set already", dir)
	}
	if len(files) == 1 && slices.Contains(catalog.Names(), files[0]) {
		d, err := findDataset(files[0], nil)
		if err != nil {
			return err
		}
		return p.writeDataset(dir, d.Texts, "DIR")
	}
	var tables []*sniff.File
	sizes := make(map[*sniff.File]int64)
	for _, file := range files {
		if name := filepath.Base(file); !utf8.ValidString(name) { // such a name stands in no statement
			return fault.BadInput("Next: rename the file.", fmt.Errorf("the name %q is not UTF-8, as the names of tables are", name))
		}
		f, err := p.session().Sniff(c.Context, file)
		if err != nil {
			return err
		}
		if sizes[f], err = p.fs.Size(file); err != nil {
			return fault.BadInput("Next: name a file.", err)
		}
		tables = append(tables, f)
	}
	// The largest table comes last, since in a join the last table probes the others.
	slices.SortStableFunc(tables, func(a, b *sniff.File) int { return cmp.Compare(sizes[a], sizes[b]) })
	text, names := filetext.Declarations(tables)
	first := "-- The first rows of " + names[0] + "\n-- $rows BIGINT = 10\nFROM " + sql.QuoteName(names[0]) + " LIMIT $rows;\n"
	return p.writeDataset(dir, map[string]string{"q1.sql": first, directory.Tables: text}, filepath.Dir(files[0]))
}

// writeDataset writes a data set as files of SQL, to be run over files in any directory.
func (p maker) writeDataset(dir string, texts map[string]string, over string) error {
	if err := p.fs.MkdirAll(dir); err != nil {
		return err
	}
	for _, file := range slices.Sorted(maps.Keys(texts)) { // tables.sql last
		if err := p.writeFile(filepath.Join(dir, file), []byte(texts[file])); err != nil {
			return err
		}
	}
	p.tellf("Next: analyzer run %s %s", dir, over)
	return nil
}
