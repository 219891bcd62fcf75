package main

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"analyzer/cmd/analyzer/internal/plantext"
	"analyzer/cmd/analyzer/internal/settings"
	"analyzer/columnar"
	"analyzer/columnar/vfs"
	"analyzer/compose/answers"
	"analyzer/compose/cluster/client"
	"analyzer/compose/engine"
	"analyzer/compose/session/fault"
	"analyzer/compose/session/inputs"
	"analyzer/datasets"
	"analyzer/operators/expr"
	"analyzer/operators/planner"
	"analyzer/operators/sql"
	"analyzer/operators/sql/bind"
)

const (
	flagFile = "file"

	// answerName is the name of a statement's query, and so of the file with its answer.
	answerName = "answer"
	// statementName is the name of a statement's source.
	statementName = "sql"
	// nothingName is the one-row table that a query without FROM reads.
	nothingName = "nothing"
)

//go:embed nothing.csv
var nothing embed.FS

func (p *program) sqlCommand() *cli.Command {
	var file string
	return &cli.Command{
		Name: "sql", Usage: "answer statements over CSV files, here or on a cluster", ArgsUsage: "[STATEMENT]",
		Description: "STATEMENT is a query in SQL, as DuckDB has it, such as\n\n" +
			"   SELECT language(text) l, avg(stars) FROM 'reviews-*.csv.gz' GROUP BY ALL ORDER BY 2 DESC\n\n" +
			"A table is a file in quotes (plain, .gz or .zst), a pattern for several files, '-' for the standard\n" +
			"input, or a name that --table gives. The separator of fields, the header and the types of the columns\n" +
			"are detected from the whole file; “analyzer sniff FILE” shows them. EXPLAIN before a query shows its\n" +
			"plan, EXPLAIN ANALYZE also runs it and shows rows and times; DESCRIBE shows the columns of its answer,\n" +
			"SUMMARIZE statistics of their values; COPY (QUERY) TO 'FILE' writes the answer to a file, and CREATE VIEW\n" +
			"NAME AS QUERY names the query for the statements after it. Without STATEMENT a shell starts; if the\n" +
			"standard input is not a terminal, statements are read from it.\n\n" +
			"With --gateway a cluster answers: only the rows and columns that it needs are streamed to it. Its\n" +
			"workers keep to limits of memory of their own.",
		Flags: append([]cli.Flag{
			settings.Text(&file, flagFile, "read statements from `FILE`; - is the standard input", "", "f"),
			settings.Pairs(&p.params, flagParam, "set the parameter $NAME: `NAME=VALUE`; can be repeated"),
			p.formatFlag(), p.limitFlag(),
			settings.Text(&p.output, flagOutput, "write the answer to a file in `DIR`", ""),
			p.rejectsFlag(),
			p.gatewayFlag("answer on the cluster of the gateways `ADDRS`", "in this process"),
			p.blockSizeFlag(),
		}, slices.Concat(p.followFlags(), p.accessFlags(), p.resourceFlags())...),
		Action: p.action(func(c *cli.Context, arguments []string) error { return p.sql(c, file, arguments[0]) }, 0, "STATEMENT"),
	}
}

// sql answers the statements in an argument, a file or the standard input.
func (p *program) sql(c *cli.Context, file, text string) (err error) {
	ses := &session{program: p, views: make(map[string]*sql.Query)}
	switch {
	case file != "" && text != "":
		return fault.WrongUsage("Next: leave one of them out.", "there is a statement, and --%s names another one", flagFile)
	case text == "" && file == "" && p.interactive():
		return ses.shell(c.Context)
	case text == "":
		if text, err = ses.statementsText(file); err != nil {
			return err
		}
	}
	return ses.statements(c.Context, text)
}

// session answers statements; each may read the views that earlier ones created.
type session struct {
	*program
	views map[string]*sql.Query // by name, in lower case
}

// statements answers the statements of a text in turn.
func (ses *session) statements(ctx context.Context, text string) error {
	all, rest := sql.Split(text)
	if strings.TrimSpace(rest) != "" {
		all = append(all, rest)
	}
	if len(all) == 0 {
		return fault.WrongUsage("Try: analyzer sql --help", "there is no statement: give it as an argument in quotes, in a file with --file, or to the standard input")
	}
	above := false // whether an answer was written
	for _, one := range all {
		st, err := sql.Parse(ses.work(ctx), one)
		if err != nil {
			return fault.InStatement(one, err)
		}
		silent := st.Verb == sql.Create
		if above && !silent && ses.format == answers.Table {
			if err := ses.printf("\n"); err != nil {
				return err
			}
		}
		above = above || !silent
		if err := ses.statement(ctx, one, st); err != nil {
			return err
		}
		ses.began = time.Now()
	}
	return nil
}

// statement answers one statement. Errors show the place in its text.
func (ses *session) statement(ctx context.Context, text string, st *sql.Statement) (err error) {
	if err := ses.checkFollow(); err != nil {
		return err
	}
	if ses.follow.on && st.Verb == sql.Copy {
		return fault.WrongUsage("Next: write the query alone, with --output DIR.", "COPY writes one answer, and --follow has several")
	}
	t, err := ses.findTables(ctx, text, st)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, t.close()) }()
	if st.Verb == sql.Create {
		return t.createView(ctx)
	}
	there := len(ses.gateways) > 0
	if there && st.Analyze {
		return fault.InStatement(text, sql.Unsupported(st.At, "Next: leave out --gateway, or ANALYZE.", "EXPLAIN ANALYZE statements on a cluster"))
	}
	if there || ses.follow.on || st.Verb == sql.Explain || st.Verb == sql.Describe {
		if _, err := t.settle(ctx); err != nil {
			return err
		}
	}
	return t.try(ctx, func(sel datasets.Selection) error {
		switch {
		case st.Verb == sql.Describe:
			return ses.describe(sel)
		case st.Analyze:
			return ses.analyzeStatement(ctx, t, sel)
		case st.Verb == sql.Explain:
			return ses.explainStatement(ctx, sel)
		case there:
			return ses.answerThere(ctx, t, sel)
		}
		return ses.answer(ctx, t, sel)
	})
}

// copyTo returns the file and format of a COPY. CSV is the format of devices and pipes, whose
// names say nothing, such as /dev/stdout.
func copyTo(fs vfs.FS, text string, st *sql.Statement, sel *datasets.Selection) error {
	if st.Verb != sql.Copy {
		return nil
	}
	if st.To == inputs.Stdin {
		return fault.InStatement(text, sql.Wrong(st.At, "Next: TO '/dev/stdout' is the standard output.", "COPY writes to a file, and '-' is none"))
	}
	format, known := answers.FormatOf(st.To)
	_, inPlace, err := fs.Target(st.To)
	switch {
	case st.Format != "":
		format, err = answers.ParseFormat(st.Format)
	case err == nil && inPlace && !known:
		format = answers.CSV
	case !known:
		err = errors.New("the name of the file does not say which format it is to have")
	default:
		err = nil // whoever writes the file says what is wrong with it
	}
	if err != nil {
		hint := "Next: write (FORMAT csv) behind it, or " + strings.Join(answers.Formats()[1:], ", ") + "."
		return fault.InStatement(text, sql.Wrong(st.At, hint, "%s", err))
	}
	sel.To, sel.Format = st.To, string(format)
	return nil
}

// statementsText reads the file that --file names, or the standard input.
func (ses *session) statementsText(file string) (text string, err error) {
	from := ses.stdin
	if file != "" && file != inputs.Stdin {
		f, err := ses.fs.Open(file)
		if err != nil {
			return "", fault.BadInput("Next: check the name of the file.", ses.settings.Blame(flagFile, err))
		}
		defer func() { err = errors.Join(err, f.Close()) }()
		from = f
	}
	if text, err = sql.ReadText(from); err != nil {
		return "", fault.BadInput("Next: give fewer statements at a time.", ses.settings.Blame(flagFile, err))
	}
	return text, nil
}

// describe answers with the columns of an answer and their types.
func (ses *session) describe(sel datasets.Selection) (err error) {
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
	out, err := ses.openAnswers(answers.Options{}, sel)
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

// explainStatement shows a plan.
func (ses *session) explainStatement(ctx context.Context, sel datasets.Selection) error {
	physical, err := ses.planStatement(ctx, sel)
	if err != nil {
		return err
	}
	return plantext.Tree(ses.stdout, physical, nil, nil)
}

// analyzeStatement runs a plan, discards its answer, and shows the statistics.
func (ses *session) analyzeStatement(ctx context.Context, t *sqlTables, sel datasets.Selection) error {
	o, err := ses.runOptions(ctx, t, sel)
	if err != nil {
		return err
	}
	report, err := ses.execute(ctx, o, t.in, nowhere{})
	if err != nil {
		return ses.tooManyRejects(whatToCast(err), report)
	}
	ses.summarise(report, "")
	return plantext.Tree(ses.stdout, o.Plan, nil, report)
}

func (p *program) planStatement(ctx context.Context, sel datasets.Selection) (*planner.Plan, error) {
	physical, err := planner.New(p.work(ctx), sel.Queries, sel.Source.TableMap())
	if err != nil {
		return nil, fault.Planning("Next: simplify the statement.", fmt.Errorf("plan the statement: %w", err))
	}
	return physical, nil
}

// runOptions returns the options for running a statement in this process.
func (ses *session) runOptions(ctx context.Context, t *sqlTables, sel datasets.Selection) (o engine.Options, err error) {
	o = ses.resources(sel)
	if o.Plan, err = ses.planStatement(ctx, sel); err != nil {
		return o, err
	}
	t.in.Expect(engine.Readings(o))
	o.Open = func(table string) (vfs.File, error) { return t.in.Open(ctx, table) }
	return o, ses.trySpillDir()
}

// answer runs a plan. It checks guessed types against the data that it reads.
func (ses *session) answer(ctx context.Context, t *sqlTables, sel datasets.Selection) error {
	o, err := ses.runOptions(ctx, t, sel)
	if err != nil {
		return err
	}
	answer := ses.answerParts
	if !ses.follow.on { // types are settled before following begins
		answer, o.Watch, o.Read = ses.answerAll, t.watch, t.check
	}
	report, err := answer(ctx, o, t.in, sel)
	if err != nil {
		return ses.tooManyRejects(whatToCast(err), report)
	}
	ses.summarise(report, ses.rejects)
	if sel.To != "" {
		ses.tellf("The answer is in %s.", sel.To)
	}
	return nil
}

// answerThere has a cluster answer.
func (ses *session) answerThere(ctx context.Context, t *sqlTables, sel datasets.Selection) (err error) {
	if err := ses.trySummary(); err != nil {
		return err
	}
	u := &submission{program: ses.program, asked: sel, inputs: t.in, changes: ses.follow.seen()}
	t.in = nil // the submission closes it
	defer func() { err = errors.Join(err, u.close()) }()
	if err := u.begin(ctx, "", t.files); err != nil {
		return clusterFailure(err)
	}
	return whatToCast(u.run(ctx))
}

// whatToCast adds a hint to errors about values that do not fit a type.
func whatToCast(err error) error {
	there, refused := errors.AsType[*client.Error](err)
	for target, hint := range map[error]string{
		expr.ErrCast:     "Next: TRY_CAST is NULL where CAST is impossible; strptime reads dates of other forms.",
		expr.ErrOverflow: "Next: CAST(… AS DOUBLE) before the calculation, or leave such numbers out by CASE or WHERE.",
		expr.ErrMuchText: "Next: shorten texts before they are put together, or leave rows out.",
		expr.ErrNoNumber: "Next: leave such numbers out by CASE or WHERE.",
	} {
		if errors.Is(err, target) || refused && strings.Contains(there.Text, target.Error()) {
			return fault.Failure(hint, err)
		}
	}
	return err
}
