package main

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"analyzer/cmd/analyzer/internal/settings"
	"analyzer/columnar"
	"analyzer/columnar/sniff"
	"analyzer/columnar/vfs"
	"analyzer/compose/session/inputs"
	"analyzer/datasets"
	"analyzer/operators/query/fileoptions"
	"analyzer/operators/query/scalar"
	"analyzer/operators/query/sql"
)

func sniffCommand(p *program) *cli.Command {
	format := "table"
	return &cli.Command{
		Name: "sniff", Usage: "show the columns of CSV files and their types", ArgsUsage: "FILE…",
		Description: "The type of a column is the narrowest one that holds every cell of the whole file without loss: so 007\n" +
			"is a text, as is an integer of more than 64 bits. “analyzer sql” uses these types.",
		Flags: []cli.Flag{
			settings.OneOf(&format, "format", []string{"table", "json"}, flagFormat, "write it as `FORMAT`: table or json", format),
			p.quietFlag(), settings.ConfigFlag(),
		},
		Action: p.action(func(c *cli.Context, files []string) error { return sniffer{p}.sniff(c, files, format == "json") }, 1, "FILE…"),
	}
}

// sniffer says how files are written.
type sniffer struct{ *program }

func (p sniffer) sniff(c *cli.Context, files []string, inJSON bool) error {
	for _, file := range files {
		f, err := p.sniffFile(c, file)
		if err != nil {
			return err
		}
		if inJSON {
			err = p.printSniffedJSON(f)
		} else {
			err = p.printSniffed(f)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (p *program) sniffFile(c *cli.Context, file string) (f *sniff.File, err error) {
	src := &datasets.Source{Name: "sniff", Tables: []*columnar.Table{{Name: "file", Files: []string{file}}}}
	in, err := inputs.Find(src, map[string]int{"file": 3}, inputs.Options{Tables: map[string]string{"file": file}, FS: p.fs, Stdin: p.stdin})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	open := func() (vfs.File, error) { return in.Open(c.Context, "file") }
	if f, err = sniff.Look(c.Context, open, sniff.Given{}); err != nil {
		return nil, err
	}
	part := func(int) (vfs.File, error) { return open() }
	if _, err := sniff.Complete(c.Context, []*sniff.File{f}, part); err != nil {
		return nil, err
	}
	all := make([]int, len(f.Columns))
	for i := range all {
		all[i] = i
	}
	if err := sniff.Settle(c.Context, []*sniff.File{f}, all, part); err != nil {
		return nil, err
	}
	return f, f.Misfits(c.Context, all, open)
}

func (p sniffer) printSniffed(f *sniff.File) error {
	what := shapeOf(f)
	if f.Format.Describe != nil {
		what = "a " + f.Format.Name + " file"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\n", f.Name, what)
	if f.Uniform < 1 {
		fmt.Fprintf(&b, "  %.1f%% of the records at its beginning have %d fields\n", 100*f.Uniform, len(f.Columns))
	}
	for _, note := range f.Notes() {
		fmt.Fprintf(&b, "  %s\n", note)
	}
	if f.Invalid {
		b.WriteString("  it is no UTF-8: read_csv(…, encoding = 'windows-1252') may be right\n")
	}
	width := 0
	for _, c := range f.Columns {
		width = max(width, len([]rune(c.Name)))
	}
	for _, c := range f.Columns {
		fmt.Fprintf(&b, "  %-*s  %s%s\n", width, c.Name, typeOfCells(c), whyText(c))
	}
	for _, c := range f.Unread {
		fmt.Fprintf(&b, "  %s is not read\n", c)
	}
	options := dialectOptions(f)
	if f.Captioned {
		var names []string
		for _, c := range f.Columns {
			names = append(names, sql.QuoteText(c.Name))
		}
		options = append(options, dialectOption{"names", "[" + strings.Join(names, ", ") + "]"})
	}
	if options != nil {
		fmt.Fprintf(&b, "  FROM read_csv(%s", sql.QuoteText(f.Name))
		for _, o := range options {
			b.WriteString(", " + o.name + " = " + o.value)
		}
		b.WriteString(")\n")
	}
	return p.printf("%s", b.String())
}

// whyText says why a column is text; "" if it is usual that it is.
func whyText(c sniff.Column) string {
	if why := fileoptions.WhyText(c); why != "" {
		return ", " + why
	}
	return ""
}

// typeOfCells returns a type as tables.sql declares it, with the cell format if it is not the
// type's usual one.
func typeOfCells(c sniff.Column) string {
	name := scalar.TypeName(c.Type())
	if form := c.Form.String(); form != "" {
		return name + " FORMAT " + sql.QuoteText(form)
	}
	if usual, ok := sniff.FormatOf(c.Type()); !ok || usual != c.Format {
		name += " FORMAT " + c.Format.String()
	}
	return name
}

// shapeOf describes the dialect of a file.
func shapeOf(f *sniff.File) string {
	lines := map[bool]string{true: "line", false: "lines"}[f.Skip == 1]
	var parts []string
	for _, part := range []struct {
		is   bool
		text string
	}{
		{f.Widths == nil, "fields separated by " + delimiterName(f.Delimiter)},
		{f.Widths != nil, "fields of fixed widths"},
		{f.Quote != "", "quotes are " + f.Quote},
		{f.Spaced, "spaces around quotes"},
		{f.LineQuotes, "lines quoted as a whole"},
		{f.Escape != "", "escaped by " + f.Escape},
		{f.Encoding != "", "encoded in " + f.Encoding},
		{f.Skip > 0, fmt.Sprintf("behind %d %s of something else", f.Skip, lines)},
		{f.Comment != "" && !f.Trailing, "with comments that begin with " + f.Comment},
		{f.Trailing, "with comments, also behind records, that begin with " + f.Comment},
		{f.Headless, "without a header"},
		{!f.Headless, "with a header"},
	} {
		if part.is {
			parts = append(parts, part.text)
		}
	}
	return strings.Join(parts, ", ")
}

func delimiterName(d string) string {
	known := map[string]string{
		"\t": "tabs", ",": "commas", ";": "semicolons", "|": "bars", " ": "spaces", columnar.Blanks: "any number of spaces or tabs",
		columnar.WideBlanks: "two or more spaces",
	}
	return cmp.Or(known[d], fmt.Sprintf("%q", d))
}

// sniffed is the JSON form of a result.
type sniffed struct {
	File       string          `json:"file"`
	Format     string          `json:"format"`
	Delimiter  string          `json:"delimiter"`
	Quote      string          `json:"quote"`
	Escape     string          `json:"escape"`
	Spaced     bool            `json:"spaced,omitempty"` // spaces around quotes are left out
	Encoding   string          `json:"encoding"`
	Header     bool            `json:"header"`
	Skip       int             `json:"skip"`
	Comment    string          `json:"comment"`
	Columns    []sniffedColumn `json:"columns"`
	Unnamed    int             `json:"unnamed"` // columns at the end that the header leaves out
	Confidence float64         `json:"confidence"`
	Notes      []sniff.Note    `json:"notes,omitempty"`
}

type sniffedColumn struct {
	Name   string         `json:"name"`
	Type   string         `json:"type"`
	Format string         `json:"format,omitempty"` // how its cells are written, as in tables.sql, if not as usual
	Misfit *sniffedMisfit `json:"misfit,omitempty"` // why it is text although nearly all cells have another type
}

type sniffedMisfit struct {
	Type  string   `json:"type"`
	Line  int64    `json:"line"`
	Cell  string   `json:"cell"`
	Count int64    `json:"count"`           // of cells that do not fit; 0: all might
	Doubt string   `json:"doubt,omitempty"` // why they are texts all the same
	Write []string `json:"write"`           // options of read_csv of which one gives the column the type, or an expression of it
}

func (p sniffer) printSniffedJSON(f *sniff.File) error {
	out := sniffed{
		File: f.Name, Format: f.Format.Name, Delimiter: cmp.Or(f.Delimiter, ","), Quote: cmp.Or(f.Quote, `"`), Escape: cmp.Or(f.Escape, f.Quote, `"`), Spaced: f.Spaced,
		Encoding: cmp.Or(f.Encoding, "utf-8"), Header: !f.Headless, Skip: f.Skip, Comment: f.Comment, Unnamed: f.Unnamed, Confidence: f.Uniform, Notes: f.Notes(),
	}
	for _, c := range f.Columns {
		column := sniffedColumn{Name: c.Name, Type: scalar.TypeName(c.Type())}
		_, column.Format, _ = strings.Cut(typeOfCells(c), " FORMAT ")
		if m := c.Misfit; m != nil {
			write := m.Advice(c.Name, scalar.TypeName(m.Format.Type()))
			if write == nil {
				write = []string{fileoptions.Advice(c)}
			}
			column.Misfit = &sniffedMisfit{scalar.TypeName(m.Format.Type()), m.Line, m.Cell, m.Count, m.Doubt(), write}
		}
		out.Columns = append(out.Columns, column)
	}
	return p.printJSON(out)
}
