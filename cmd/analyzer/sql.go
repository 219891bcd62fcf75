package main

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"analyzer/cmd/analyzer/internal/exit"
	"analyzer/cmd/analyzer/internal/inputs"
	"analyzer/cmd/analyzer/internal/plantext"
	"analyzer/cmd/analyzer/internal/settings"
	"analyzer/columnar"
	"analyzer/columnar/scan"
	"analyzer/columnar/sniff"
	"analyzer/columnar/vfs"
	"analyzer/compose/answers"
	"analyzer/compose/cluster/client"
	"analyzer/compose/engine"
	"analyzer/datasets"
	"analyzer/operators/expr"
	"analyzer/operators/plan"
	"analyzer/operators/sql"
	"analyzer/operators/sql/bind"
)

const (
	flagFile = "file"

	// answerName is the query of a statement, and so of a file with its answer.
	answerName = "answer"
	// statementName is the source of what a statement asks.
	statementName = "sql"
	// nothingName is the table of one row that a query without FROM is over.
	nothingName = "nothing"
)

//go:embed nothing.csv
var nothing embed.FS

func (p *program) sqlCommand() *cli.Command {
	return &cli.Command{
		Name: "sql", Usage: "answer a statement over CSV files, here or on a cluster", ArgsUsage: "STATEMENT",
		Description: "STATEMENT is a query in SQL, as DuckDB has it, such as\n\n" +
			"   SELECT language(text) l, avg(stars) FROM 'reviews-*.csv.gz' GROUP BY ALL ORDER BY 2 DESC\n\n" +
			"A table is a file in quotes, plain, .gz or .zst, several files by a pattern, the standard input\n" +
			"as '-', or a name that --table gives. What separates the fields, whether there is a header, and\n" +
			"the types of the columns are found out from the whole file; “analyzer sniff FILE” shows them.\n" +
			"EXPLAIN before a query shows its plan, DESCRIBE the columns of its answer.\n\n" +
			"With --gateway a cluster answers, to which the rows and columns that it takes are streamed; its workers\n" +
			"have their own --memory and number.",
		Flags: append([]cli.Flag{
			&cli.StringFlag{Name: flagFile, Aliases: []string{"f"}, Usage: "read the statement from a `FILE`; the file - is the standard input"},
			&settings.PairsFlag{StringSliceFlag: cli.StringSliceFlag{
				Name: flagParam, Usage: "set the parameter $NAME by `NAME=VALUE`; repeat it for several",
			}},
			formatFlag(),
			&cli.StringFlag{Name: flagOutput, Usage: "write the answer to a file in `DIR`"},
			rejectsFlag(),
			&cli.StringSliceFlag{Name: flagGateway, Usage: "answer on the cluster of the gateways `ADDRS`, host:port,host:port", DefaultText: "in this process"},
			blockSizeFlag(),
		}, append(accessFlags(), resourceFlags()...)...),
		Action: p.sql,
	}
}

func (p *program) sql(c *cli.Context) (err error) {
	arguments, s, err := p.begin(c, 0, "STATEMENT")
	if err != nil {
		return err
	}
	text, err := p.statementText(arguments[0], s)
	if err != nil {
		return err
	}
	st, err := sql.Parse(text)
	if err != nil {
		return showMistake(text, err)
	}
	if st.Verb == sql.Summarize || st.Verb == sql.Copy || st.Analyze {
		return showMistake(text, sql.Unsupported(st.At, "", string(st.Verb)+map[bool]string{true: " ANALYZE"}[st.Analyze]+" statements"))
	}
	format, err := settings.Parse(s, flagFormat, p.usualFormat(s), answers.ParseFormat)
	if err != nil {
		return err
	}
	t, err := p.findTables(c.Context, text, st, s)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, t.close()) }()
	sel, err := t.bind(text, st, s)
	if err != nil {
		return err
	}
	if st.Verb == sql.Describe {
		return p.describe(sel, format, s)
	}
	if st.Verb != sql.Explain && len(s.List(flagGateway)) > 0 {
		return p.answerThere(c.Context, t, sel, s)
	}
	return p.answer(c.Context, st, sel, t.in, format, s)
}

// statementText returns the statement: the argument, or what --file names.
func (p *program) statementText(argument string, s *settings.Settings) (string, error) {
	file := s.Text(flagFile)
	switch {
	case file == "" && argument == "":
		return "", exit.WrongUsage("Try: analyzer sql --help", "there is no statement: give it as an argument in quotes, or in a file with --file")
	case file == "":
		return argument, nil
	case argument != "":
		return "", exit.WrongUsage("Next: leave one of them out.", "there is a statement, and --%s names another one", flagFile)
	}
	const most = 1 << 20 // bytes
	if file == inputs.Stdin {
		text, err := io.ReadAll(io.LimitReader(p.stdin, most))
		return string(text), err
	}
	f, err := p.fs.Open(file)
	if err != nil {
		return "", exit.BadInput("Next: check the name of the file.", s.Blame(flagFile, err))
	}
	text, err := io.ReadAll(io.LimitReader(f, most))
	return string(text), s.Blame(flagFile, errors.Join(err, f.Close()))
}

// showMistake says what is wrong with a statement, and shows where.
func showMistake(text string, err error) error {
	var mistake *sql.Error
	if !errors.As(err, &mistake) {
		return err
	}
	return exit.WrongUsage(mistake.Hint, "%w", sql.Show(text, mistake))
}

// describe answers with the columns of an answer and their types.
func (p *program) describe(sel datasets.Selection, format answers.Format, s *settings.Settings) (err error) {
	columns, err := sel.Queries[0].Root.Schema(sel.Source.TableMap())
	if err != nil {
		return err
	}
	schema := columnar.Schema{{Name: "column_name", Type: columnar.Text}, {Name: "column_type", Type: columnar.Text}}
	names, types := columnar.NewVector(columnar.Text), columnar.NewVector(columnar.Text)
	for _, c := range columns {
		names.AppendBytes([]byte(c.Name))
		types.AppendBytes([]byte(bind.TypeName(c.Type)))
	}
	out, err := p.openAnswers(answers.Options{Format: format}, sel, s)
	if err != nil {
		return err
	}
	defer discarding(&err, out)
	err = errors.Join(
		out.Begin(answerName, schema),
		out.Write(columnar.Rows{Len: len(columns), Cols: []*columnar.Vector{names, types}}),
		out.End(),
	)
	if err == nil {
		err = out.Finish()
	}
	return err
}

// answer runs a plan, or explains it.
func (p *program) answer(
	ctx context.Context, st *sql.Statement, sel datasets.Selection, in *inputs.Inputs, format answers.Format, s *settings.Settings,
) (err error) {
	o, err := p.resources(sel, s)
	if err != nil {
		return err
	}
	if o.Plan, err = engine.NewPlan(sel.Queries, sel.Params, o.Tables); err != nil {
		return exit.WrongUsage("Next: simplify the statement.", "plan the statement: %w", err)
	}
	if st.Verb == sql.Explain {
		return plantext.Tree(p.stdout, o.Plan, nil, nil)
	}
	in.Expect(readings(o.Plan))
	if err := p.trySpillDir(s); err != nil {
		return err
	}
	o.Open = func(table string) (vfs.File, error) { return in.Open(ctx, table) }
	report, err := p.answerAll(ctx, o, in, sel, format, s)
	if err != nil {
		return p.tooManyRejects(whatToCast(err), report, s)
	}
	p.summarise(report, s.Text(flagRejects))
	return nil
}

// answerThere has a cluster answer.
func (p *program) answerThere(ctx context.Context, t *sqlTables, sel datasets.Selection, s *settings.Settings) (err error) {
	if err := p.trySummary(s); err != nil {
		return err
	}
	u := &submission{program: p, settings: s, maxRejects: notAll(), asked: sel, inputs: t.in}
	t.in = nil // the submission closes it
	defer func() { err = errors.Join(err, u.close()) }()
	if err := s.Read(settings.Into(&u.maxRejects, flagMaxRejects, parseMaxRejects)); err != nil {
		return err
	}
	if err := u.begin(ctx, "", t.files); err != nil {
		return clusterFailure(err)
	}
	return whatToCast(u.run(ctx))
}

// whatToCast says what to do about values that do not fit a type.
func whatToCast(err error) error {
	is := func(target error) bool {
		var there *client.Error
		return errors.Is(err, target) || errors.As(err, &there) && strings.Contains(there.Text, target.Error())
	}
	switch {
	case is(expr.ErrCast):
		return &exit.Error{Status: exit.Failed, Hint: "Next: TRY_CAST is NULL where CAST is impossible.", Err: err}
	case is(expr.ErrOverflow):
		return &exit.Error{Status: exit.Failed, Hint: "Next: CAST(… AS DOUBLE) before the calculation.", Err: err}
	}
	return err
}

// sqlTables are the tables of a statement and their files.
type sqlTables struct {
	source *datasets.Source
	files  map[string]string // by the source's tables
	in     *inputs.Inputs
	sets   []*tableFiles
}

func (t *sqlTables) close() error {
	if t.in == nil {
		return nil
	}
	return t.in.Close()
}

// tableFiles is one table of a statement.
type tableFiles struct {
	sql.Source
	names []string // of its parts, as tables of the source
	files []string // of its parts
}

// findTables finds the files of a statement's tables, and out what they are.
func (p *program) findTables(ctx context.Context, text string, st *sql.Statement, s *settings.Settings) (t *sqlTables, err error) {
	given, err := s.Pairs(flagTable)
	if err != nil {
		return nil, err
	}
	mentions := st.Mentions()
	t = &sqlTables{source: &datasets.Source{Name: statementName, Samples: nothing}, files: make(map[string]string)}
	for _, m := range mentions.Sources {
		set, err := p.filesOf(text, m, given)
		if err != nil {
			return nil, err
		}
		if set == nil { // bind says that there is no such table
			continue
		}
		for _, file := range set.files {
			name := t.tableName(m, file)
			set.names, t.files[name] = append(set.names, name), file
			t.source.Tables = append(t.source.Tables, &columnar.Table{Name: name, Files: []string{file}})
		}
		t.sets = append(t.sets, set)
	}
	t.source.Tables = append(t.source.Tables, &columnar.Table{
		Name: nothingName, Files: []string{"nothing.csv"}, Columns: []columnar.TableColumn{{Name: "nothing", Header: "nothing", Format: columnar.FormatInt}},
	})
	times := make(map[string]int)
	for _, table := range t.source.Tables {
		times[table.Name] = 2 // and perhaps more
	}
	t.in, err = inputs.Find(t.source, times, inputs.Options{Tables: t.files, FS: p.fs, Stdin: p.stdin, Spool: s.Text(flagSpillDir)})
	if err != nil {
		return nil, err
	}
	for _, set := range t.sets {
		if err := t.settle(ctx, set, mentions); err != nil {
			return nil, errors.Join(err, t.in.Close())
		}
	}
	return t, nil
}

// filesOf returns the files that a table of a statement is, nil if it is a name that
// is not given.
func (p *program) filesOf(text string, m sql.Source, given map[string]string) (*tableFiles, error) {
	file := m.File
	if file == "" {
		for name, f := range given {
			if strings.EqualFold(name, m.Name) {
				file = f
			}
		}
		if file == "" {
			return nil, nil
		}
	}
	set := &tableFiles{Source: m, files: []string{file}}
	if _, err := p.fs.Size(file); err == nil || file == inputs.Stdin || !strings.ContainsAny(file, "*?[") {
		return set, nil
	}
	var err error
	if set.files, err = filepath.Glob(file); err != nil || len(set.files) == 0 {
		return nil, &exit.Error{
			Status: exit.Input, Hint: "Next: check the pattern and the directory.",
			Err: sql.Show(text, sql.Wrong(m.At, "", "no file has a name like %q", file)),
		}
	}
	if n := len(set.files); n > maxParts {
		return nil, showMistake(text, sql.Wrong(m.At, "Next: put files together, or name fewer of them.", "%d files are more than %d", n, maxParts))
	}
	return set, nil
}

// maxParts is how many files one table may have.
const maxParts = 100

// tableName makes a name for a file that no other has.
func (t *sqlTables) tableName(m sql.Source, file string) string {
	name := m.Name
	if name == "" || strings.ContainsAny(file, "*?[") {
		name = filepath.Base(file)
	}
	given := name
	for n := 2; slices.Contains(append(t.source.TableNames(), nothingName), name); n++ {
		name = fmt.Sprintf("%s_%d", given, n)
	}
	return name
}

// settle finds out what the files of a table are.
func (t *sqlTables) settle(ctx context.Context, set *tableFiles, mentions sql.Mentions) error {
	open := func(i int) (vfs.File, error) { return t.in.Open(ctx, set.names[i]) }
	var parts []*sniff.File
	for i := range set.names {
		f, err := sniff.Look(ctx, func() (vfs.File, error) { return open(i) })
		if err != nil {
			return err
		}
		if i > 0 && !slices.Equal(namesOf(f), namesOf(parts[0])) {
			return &scan.InputError{
				File: f.Name, Line: 1, Reason: scan.ReasonMissingColumns,
				Detail: "the columns differ from those of " + parts[0].Name + ", which is part of the same table",
				Hint:   "name files with equal columns",
			}
		}
		parts = append(parts, f)
	}
	var read []int
	for i, c := range parts[0].Columns {
		if mentions.All || mentions.Columns[strings.ToLower(c.Name)] {
			read = append(read, i)
		}
	}
	if len(read) > 0 {
		if err := sniff.Settle(ctx, parts, read, open); err != nil {
			return err
		}
	}
	for i, name := range set.names {
		*t.table(name) = *parts[i].Table(name)
	}
	return nil
}

func namesOf(f *sniff.File) []string {
	var names []string
	for _, c := range f.Columns {
		names = append(names, c.Name)
	}
	return names
}

func (t *sqlTables) table(name string) *columnar.Table {
	table, err := t.source.Table(name)
	if err != nil {
		panic(err) // every name was made from a table
	}
	return table
}

// bind makes the plan of a statement.
func (t *sqlTables) bind(text string, st *sql.Statement, s *settings.Settings) (sel datasets.Selection, err error) {
	catalog := bind.Catalog{
		Tables: make(map[string]*bind.Table), Files: make(map[string]*bind.Table),
		Nothing: &bind.Table{Parts: []*columnar.Table{t.table(nothingName)}},
	}
	for _, set := range t.sets {
		table := &bind.Table{}
		for _, name := range set.names {
			table.Parts = append(table.Parts, t.table(name))
			table.Bytes += t.in.Size(name)
		}
		if set.File != "" {
			catalog.Files[set.File] = table
		} else {
			catalog.Tables[strings.ToLower(set.Name)] = table
		}
	}
	params, err := s.Pairs(flagParam)
	if err != nil {
		return sel, err
	}
	root, err := bind.Query(st.Query, catalog, params)
	if err != nil {
		return sel, showMistake(text, err)
	}
	t.source.Queries = []*plan.Query{{Name: answerName, Root: root}}
	return datasets.Selection{Source: t.source, Queries: t.source.Queries}, nil
}
