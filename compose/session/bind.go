package session

import (
	"cmp"
	"context"
	"errors"
	"strings"

	"analyzer/columnar"
	"analyzer/columnar/budget"
	"analyzer/columnar/vfs"
	"analyzer/columnar/vfs/remote"
	"analyzer/compose/answers"
	"analyzer/compose/session/inputs"
	"analyzer/datasets"
	"analyzer/operators/query"
	"analyzer/operators/query/bind"
	"analyzer/operators/query/fileoptions"
	"analyzer/operators/query/plan"
	"analyzer/operators/query/rules"
	"analyzer/operators/query/sql"
)

// bind makes the plan of a statement, and finds out where its answer goes. step is as in
// rules.Rewrite. apart makes each file a table.
func (p *Prepared) bind(ctx context.Context, apart bool, step rules.Step) (sel datasets.Selection, err error) {
	switch {
	case p.st == nil:
		return p.sel, nil
	case p.there != nil:
		if p.bound == nil {
			if err := p.bindThere(ctx); err != nil {
				return sel, err
			}
		}
		sel = *p.bound
	default:
		if sel, err = p.bindQuery(ctx, apart, step); err != nil {
			return sel, err
		}
	}
	return sel, p.wrong(copyTo(p.ses.cfg.FS, p.st, &sel))
}

func (p *Prepared) bindQuery(ctx context.Context, apart bool, step rules.Step) (sel datasets.Selection, err error) {
	catalog := bind.Catalog{
		Tables: make(map[string]*bind.Table), Files: make(map[string]*bind.Table), Views: p.ses.views,
		Nothing: &bind.Table{Parts: []*columnar.Table{p.nothing}}, Now: p.now, LargeSums: p.largeSums, LargeResults: p.largeResults,
	}
	p.source.Tables = nil
	for _, set := range p.tables.all {
		table := &bind.Table{Constants: set.partitions, Parts: []*columnar.Table{set.table}, Stats: set.stats(p.in.Compressed(set.table.Name)), Virtual: set.virtual}
		switch {
		case len(set.files) == 1:
		case apart:
			if table.Parts, err = set.partTables(ctx); err != nil {
				return sel, err
			}
		default:
			table.Constants = nil // they are columns of the table
		}
		p.source.Tables = append(p.source.Tables, table.Parts...)
		if len(set.Files) > 0 {
			catalog.Files[set.Key()] = table
		} else {
			catalog.Tables[strings.ToLower(set.Name)] = table
		}
	}
	p.source.Tables = append(p.source.Tables, p.nothing)
	work := p.ses.work(ctx)
	asked := p.st.Query
	if o, _ := fileoptions.CopyOptions(p.st); o.By != nil { // each directory is written at once
		asked = sql.OrderedBy(asked, o.By)
	}
	root, err := query.Plan(work, asked, catalog, p.params, step)
	if err == nil && p.st.Verb == sql.Summarize {
		root, err = summary(work, p.st.Query, root, p.source, catalog, p.params)
	}
	if err != nil {
		return sel, p.wrong(err)
	}
	p.source.Queries = []*plan.Query{{Name: AnswerName, Root: root}}
	return datasets.Selection{Source: p.source, Queries: p.source.Queries}, nil
}

// summary makes the plan that summarises the answer of a query.
func summary(work *budget.Work, q *sql.Query, root *plan.Node, src *datasets.Source, catalog bind.Catalog, params map[string]string) (*plan.Node, error) {
	columns, err := root.Schema(src.TableMap())
	if err != nil {
		return nil, err
	}
	if q, err = bind.Summary(work, q, columns); err != nil {
		return nil, err
	}
	return query.Plan(work, q, catalog, params, nil)
}

// copyTo completes the selection of a COPY by the file and how it is written.
func copyTo(fs vfs.FS, st *sql.Statement, sel *datasets.Selection) error {
	if st.Verb != sql.Copy {
		return nil
	}
	if st.To == inputs.Stdin {
		return sql.Wrong(st.At, "Next: TO '/dev/stdout' is the standard output.", "COPY writes to a file, and '-' is none")
	}
	o, err := fileoptions.CopyOptions(st)
	if err != nil {
		return err
	}
	format, err := copyFormat(fs, st, o.Format, &o.Writing)
	if err != nil {
		return err
	}
	if err := format.Check(o.Writing); err != nil {
		return sql.Wrong(st.At, "Next: leave it out, or choose another format.", "%s", err)
	}
	columns, err := schemaOf(*sel)
	if err != nil {
		return err
	}
	for _, c := range o.ForceQuote {
		if name := c.Path[0]; name != "*" && columns.IndexFold(name) < 0 {
			return sql.Wrong(c.At, "Next: name columns of the answer, or write FORCE_QUOTE *.", "the answer has no column %q to force quotes on", name)
		}
	}
	if err := checkDivision(columns, o.By); err != nil {
		return err
	}
	sel.Writing, sel.To, sel.Format = o.Writing, st.To, string(format)
	return nil
}

// checkDivision checks that files can be divided by the columns of PARTITION_BY, and hold others.
func checkDivision(columns columnar.Schema, by []*sql.Expr) error {
	seen := make(map[int]bool)
	for _, c := range by {
		name := c.Path[0]
		at := columns.IndexFold(name)
		if at < 0 || columns[at].Type.Kind() == columnar.KindList {
			return sql.Wrong(c.At, "", "%q is no column by which files can be divided", name)
		}
		if seen[at] {
			return sql.Wrong(c.At, "Next: name it once.", "PARTITION_BY has the column %q twice", name)
		}
		seen[at] = true
	}
	if len(by) > 0 && len(by) == len(columns) {
		return sql.Wrong(by[0].At, "Next: leave out one of PARTITION_BY, or select more columns.", "no column is left for the files")
	}
	return nil
}

// copyFormat returns the format of a COPY, which is said or follows from the name of the file, as the compression does.
// CSV is the format of devices and pipes, whose names say nothing, such as /dev/stdout. JSON is an object for each row.
func copyFormat(fs vfs.FS, st *sql.Statement, said string, writing *columnar.Writing) (format answers.Format, err error) {
	_, inPlace, err := fs.Target(st.To)
	switch {
	case remote.Is(st.To) && err != nil:
		return "", sql.Unsupported(st.At, "Next: COPY to a file here, or to a bucket (s3://…).", "COPY to a web server")
	case remote.Is(st.To) && writing.Partition != nil:
		return "", sql.Unsupported(st.At, "Next: COPY to a directory here, and put that there.", "PARTITION_BY into a bucket")
	}
	name, compression := answers.CutCompression(st.To)
	writing.Compression = cmp.Or(writing.Compression, compression)
	format, known := answers.FormatOf(name)
	switch {
	case said != "":
		format, err = answers.ParseFormat(said)
	case err == nil && inPlace && !known, !known && writing.Partition != nil:
		format, err = answers.CSV, nil
	case !known:
		err = errors.New("the name of the file does not say which format it is to have")
	default:
		err = nil // whoever writes the file says what is wrong with it
	}
	if err != nil {
		hint := "Next: write (FORMAT csv) behind it, or " + strings.Join(answers.Formats()[1:], ", ") + "."
		return "", sql.Wrong(st.At, hint, "%s", err)
	}
	if format == answers.JSON { // an object of answers, which is no table for those who read the file
		format = answers.JSONL
	}
	return format, nil
}
