package session

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"analyzer/columnar"
	"analyzer/columnar/input/known"
	"analyzer/columnar/sniff"
	"analyzer/columnar/vfs"
	"analyzer/compose/session/inputs"
	"analyzer/operators/query/bind"
	"analyzer/operators/query/scalar"
	"analyzer/operators/query/sql"
)

// listings answers what in FROM is about files and tables and not rows of them: glob, which lists files, read_text
// and read_blob, which have a row for each, sniff_csv, which says how one is written, what Parquet files say of
// themselves, the names of tables and their columns, and DESCRIBE and SUMMARIZE of a query.
type listings struct {
	asking
	queries []string // the names of WITH
}

// withListings returns a query in which the answers stand.
func (p *Prepared) withListings(ctx context.Context, q *sql.Query) (*sql.Query, error) {
	l := &listings{asking: asking{of: p, ctx: ctx}}
	out := l.answered(q)
	return out, l.err
}

func (l *listings) answered(q *sql.Query) *sql.Query {
	return sql.Rewriter{Query: l.with, From: l.from}.Of(q)
}

// with notes the names of a query's WITH.
func (l *listings) with(q *sql.Query) *sql.Query {
	for _, c := range q.With {
		l.queries = append(l.queries, c.Name)
	}
	return q
}

// named reports whether FROM names a table that is none of the statement or the session but a file, without the quotes
// of a text.
func (l *listings) named(file string) bool {
	is := func(name string) bool { return strings.EqualFold(name, file) }
	return known.HasTable(file) && !slices.ContainsFunc(l.queries, is) && !slices.ContainsFunc(l.of.ses.names(), is)
}

// from returns the answer that stands in place of an item of FROM, nil for any other.
func (l *listings) from(f *sql.From) (in *sql.From) {
	out := *f
	switch {
	case l.err != nil:
		return nil
	case f.Verb != "":
		out.Verb = ""
		out.Query, l.err = l.about(f)
		return &out
	case l.named(strings.Join(f.Path, ".")):
		out.File, out.Path = strings.Join(f.Path, "."), nil
		return &out
	}
	call := f.Call
	if len(f.Path) == 2 {
		call = f.At.Call(strings.ToLower(strings.Join(f.Path, ".")))
	}
	answer := l.called(call)
	if answer == nil {
		return nil
	}
	out.Call, out.Path = nil, nil
	out.Query, l.err = answer(call)
	out.Alias = cmp.Or(f.Alias, call.Text[strings.LastIndexByte(call.Text, '.')+1:])
	return &out
}

// called returns what answers a call in FROM, nil if it is none of these.
func (l *listings) called(call *sql.Expr) func(call *sql.Expr) (*sql.Query, error) {
	switch {
	case call == nil:
	case call.Text == "glob":
		return l.glob
	case call.Text == "sniff_csv":
		return l.dialect
	case call.Text == "read_text", call.Text == "read_blob":
		return l.contents
	case aboutParquet[call.Text].rows != nil:
		return l.parquet
	case catalog[call.Text].text != "":
		return l.catalog
	}
	return nil
}

// glob lists the files that match a pattern.
func (l *listings) glob(call *sql.Expr) (*sql.Query, error) {
	if len(call.Args) != 1 || call.Args[0].Kind != sql.String {
		return nil, l.wrong(call.At, "", "it is glob('pattern')")
	}
	pattern, fs := call.Args[0].Text, vfs.With(l.ctx, l.of.fs)
	files := []string{pattern}
	if _, err := fs.Size(pattern); err != nil {
		if files, err = inputs.Matching(l.ctx, fs, pattern, maxParts); err != nil {
			return nil, l.of.badFile(call.At, "Next: check the pattern and the directory.", "%v", err)
		}
	}
	return rowsOf(call.At, []string{"file"}, [][]string{columnar.Each(files, inputs.TextOf)}), nil
}

// about answers DESCRIBE or SUMMARIZE.
func (l *listings) about(f *sql.From) (q *sql.Query, err error) {
	of := l.answered(f.Query)
	if l.err != nil {
		return nil, l.err
	}
	columns, _, err := l.look(of)
	switch {
	case err != nil:
		return nil, err
	case f.Verb == sql.Summarize:
		return bind.Summary(l.of.ses.work(l.ctx), of, columns)
	}
	names, types := describe(columns)
	return rowsOf(f.At, []string{"column_name", "column_type"}, [][]string{names, types}), nil
}

// dialect says how the CSV file of a call is written. Its other arguments are options of read_csv.
func (l *listings) dialect(call *sql.Expr) (*sql.Query, error) {
	read := *call
	read.Text = "read_csv"
	columns, f, err := l.look(sql.StarOf(&sql.From{At: call.At, Call: &read}))
	switch {
	case err != nil:
		return nil, err
	case f == nil:
		return nil, l.wrong(call.At, "", "it is sniff_csv('file'[, option = value, …])")
	}
	names, types := describe(columns)
	var fields []string
	for i, name := range names {
		fields = append(fields, fmt.Sprintf("{'name': %s, 'type': %s}", sql.QuoteText(name), sql.QuoteText(types[i])))
	}
	quote := cmp.Or(f.Quote, `"`)
	return l.parsed(fmt.Sprintf(
		`SELECT %s AS "Delimiter", %s AS "Quote", %s AS "Escape", %s AS "Comment", %d AS "SkipRows", %t AS "HasHeader", [%s] AS "Columns"`,
		sql.QuoteText(cmp.Or(f.Delimiter, ",")), sql.QuoteText(quote), sql.QuoteText(cmp.Or(f.Escape, quote)), sql.QuoteText(f.Comment),
		f.Skip, !f.Headless, strings.Join(fields, ", ")))
}

// look returns the columns of a query, and what is known of the first file that it reads.
func (l *listings) look(q *sql.Query) (columns columnar.Schema, f *sniff.File, err error) {
	err = l.ask(q, func(asked *Prepared) (err error) {
		if columns, err = asked.Schema(l.ctx); err == nil && len(asked.tables.all) > 0 {
			f = asked.tables.all[0].first()
		}
		return err
	})
	return columns, f, err
}

// describe returns the names of columns and of their types, as DESCRIBE shows them.
func describe(columns columnar.Schema) (names, types []string) {
	for _, c := range columns {
		names, types = append(names, c.Name), append(types, scalar.TypeName(c.Type))
	}
	return names, types
}

// formed is the query of a text over the rows of another query, which it calls listed.
func (l *listings) formed(text string, rows *sql.Query) (*sql.Query, error) {
	return l.parsed(text, sql.CTE{At: rows.At, Name: "listed", Query: rows})
}

// rowsOf is a query of columns of texts, which are equally long. However many rows there are, a column is
// one literal, whose parts are taken from one another.
func rowsOf(at sql.Span, names []string, columns [][]string) *sql.Query {
	const place = "place" // their order
	s, out := &sql.Select{At: at}, &sql.Select{At: at}
	for i, values := range columns {
		between := absent(values)
		parts := at.Call("string_split", at.Text(strings.Join(values, between)), at.Text(between))
		s.Items = append(s.Items, sql.Item{Expr: at.Call("unnest", parts), Alias: names[i]})
		out.Items = append(out.Items, sql.Item{Expr: at.Column(names[i])})
	}
	rows := len(columns[0])
	s.Items = append(s.Items, sql.Item{Expr: at.Call("unnest", at.Call("range", at.Number(max(rows, 1)))), Alias: place})
	out.From = &sql.From{At: at, Query: &sql.Query{At: at, Select: s}, Alias: "listed"}
	if rows == 0 {
		out.Where = &sql.Expr{Kind: sql.Boolean, Text: "FALSE", At: at}
	}
	return &sql.Query{At: at, Select: out, Order: []sql.Order{{Expr: at.Column(place), At: at}}}
}

// absent returns a character that is in none of some texts, and may be in that of a statement.
func absent(texts []string) string {
	for c := rune(1); ; c++ {
		if !slices.ContainsFunc(texts, func(t string) bool { return strings.ContainsRune(t, c) }) {
			return string(c)
		}
	}
}
