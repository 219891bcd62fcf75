package main

import (
	"cmp"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"analyzer/cmd/analyzer/internal/settings"
	"analyzer/columnar/sniff"
	"analyzer/columnar/stored"
	"analyzer/compose/session/fault"
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
	var tables []sizedFile
	for _, file := range files {
		f, err := p.sniffFile(c, file)
		if err != nil {
			return err
		}
		size, err := p.fs.Size(file)
		if err != nil {
			return fault.BadInput("Next: name a file.", err)
		}
		tables = append(tables, sizedFile{f, size})
	}
	// The largest table comes last, since in a join the last table probes the others.
	slices.SortStableFunc(tables, func(a, b sizedFile) int { return cmp.Compare(a.size, b.size) })
	text, names := declarations(tables)
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

// sizedFile is a file that was sniffed, with its size.
type sizedFile struct {
	*sniff.File
	size int64
}

// declarations writes tables as SQL, and returns their names.
func declarations(tables []sizedFile) (text string, names []string) {
	var b strings.Builder
	b.WriteString("-- Your own tables\n")
	for _, t := range tables {
		file, _ := stored.CutExtension(filepath.Base(t.Name))
		name := strings.TrimSuffix(file, filepath.Ext(file))
		for n := 2; slices.Contains(names, name); n++ {
			name = fmt.Sprintf("%s_%d", strings.TrimSuffix(file, filepath.Ext(file)), n)
		}
		names = append(names, name)
		fmt.Fprintf(&b, "\nCREATE TABLE %s (\n", sql.QuoteName(name))
		width := 0
		for _, c := range t.Columns {
			width = max(width, len([]rune(sql.QuoteName(c.Name))))
		}
		for i, c := range t.Columns {
			comma := ","
			if i == len(t.Columns)-1 {
				comma = ""
			}
			fmt.Fprintf(&b, "  %-*s %s%s\n", width, sql.QuoteName(c.Name), typeOfCells(c), comma)
		}
		fmt.Fprintf(&b, ") FROM %s%s;\n", sql.QuoteText(file), tableOptions(t.File))
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
		if o.text != "" && (o.name != "delim" || o.text != ",") {
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
