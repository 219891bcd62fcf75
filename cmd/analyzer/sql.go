package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"analyzer/cmd/analyzer/internal/settings"
	"analyzer/columnar/vfs/stop"
	"analyzer/compose/answers"
	"analyzer/compose/engine"
	"analyzer/compose/session"
	"analyzer/compose/session/fault"
	"analyzer/compose/session/inputs"
	"analyzer/compose/session/plantext"
	"analyzer/datasets"
	"analyzer/operators/query/sql"
)

const (
	flagFile = "file"
)

func sqlCommand(p *program) *cli.Command {
	var file string
	return &cli.Command{
		Name: "sql", Usage: "answer statements over files, here or on a cluster", ArgsUsage: "[STATEMENT]",
		Description: "STATEMENT is a query in SQL, as DuckDB has it, such as\n\n" +
			"   SELECT language(text) l, avg(stars) FROM 'reviews-*.csv.gz' GROUP BY ALL ORDER BY 2 DESC\n\n" +
			"A table is a file in quotes (CSV, JSON or Parquet, plain or compressed), a pattern for several files, '-' for the standard\n" +
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
			p.blockSizeFlag(), p.atFlag(),
			settings.Text(&p.keepDir, flagKeep, "keep the rows of CREATE TABLE in `DIR`; while the files that they come from stay the same, the statement takes them from there", ""),
			settings.Into(&p.iterations, settings.Number("times", 1, 10_000_000), flagIterations, "compute a recursive query up to `N` times", "10000"),
		}, slices.Concat(p.followFlags(), p.accessFlags(), p.resourceFlags())...),
		Action: p.action(func(c *cli.Context, arguments []string) error { return p.sql(c, file, arguments[0]) }, 0, "STATEMENT"),
	}
}

// sql answers the statements in an argument, a file or the standard input.
func (p *program) sql(c *cli.Context, file, text string) (err error) {
	defer p.limitMemory()()
	ses := &asker{runner: runner{p}, Session: p.session()}
	defer func() { err = errors.Join(err, ses.close()) }()
	if p.at != "" && p.keepDir != "" {
		return fault.WrongUsage("Next: leave --keep out.", "--keep keeps rows of files that are read here, and with --at gateways read them")
	}
	if p.at != "" && len(p.gateways) == 0 {
		return fault.WrongUsage("Next: name the gateways with --gateway, or leave --at out.", "--at says where gateways find the files, and there are no gateways")
	}
	switch {
	case file != "" && text != "":
		return fault.WrongUsage("Next: leave one of them out.", "there is a statement, and --%s names another one", flagFile)
	case text == "" && file == "" && p.interactive():
		return ses.shell(c.Context)
	case text == "":
		if text, err = ses.statementsText(c.Context, file); err != nil {
			return err
		}
	default:
		if err := p.refuseFile(text); err != nil {
			return err
		}
	}
	return ses.statements(c.Context, text)
}

// refuseFile refuses the name of a file where a statement should be.
func (p *program) refuseFile(text string) error {
	_, err := p.fs.Size(text)
	switch {
	case err == nil && strings.HasSuffix(text, ".sql"):
		return fault.WrongUsage("Next: analyzer sql --"+flagFile+" "+text, "%q is the name of a file, and no statement", text)
	case err == nil:
		return fault.WrongUsage(fmt.Sprintf("Next: analyzer sql \"FROM %s\"", sql.QuoteText(text)), "%q is the name of a file, and no statement", text)
	}
	return nil
}

// asker has the statements of a command answered.
type asker struct {
	runner
	*session.Session
	there session.There // Client is nil before gateways are asked
	ended bool          // nothing more is to be answered

	reading []string // files whose statements are being answered, by commands in others
}

func (ses *asker) close() error {
	err := ses.Session.Close()
	if ses.there.Client != nil {
		err = errors.Join(err, ses.there.Client.Close())
	}
	return err
}

// prepare finds the files of a statement, or has gateways find them.
func (ses *asker) prepare(ctx context.Context, text string, st *sql.Statement) (asked *session.Prepared, err error) {
	if ses.at == "" {
		return ses.PrepareParsed(ctx, text, st, ses.params)
	}
	if ses.there.Client == nil {
		if ses.there.Client, err = ses.connect(); err != nil {
			return nil, err
		}
		ses.there.At = ses.at
	}
	asked, err = ses.PrepareThere(ctx, ses.there, text, st, ses.params)
	return asked, clusterFailure(err)
}

// session returns a session over the files that the flags name.
func (p *program) session() *session.Session {
	build := thisBuild()
	return session.New(session.Config{
		FS: p.fs, Own: p.own, Stdin: p.stdin, Tables: p.tables, SpillDir: p.spillDir, Memory: p.memory, Replicas: p.replicas,
		MaxRejects: p.maxRejects.rows, MaxRejectShare: p.maxRejects.share, MaxIterations: p.iterations, Keep: p.keepDir, Build: build.version + " " + build.commit,
		Advice: paramHint,
		Notice: func(n session.Notice) {
			if n.Loss {
				p.notef("%s", n.Text)
			} else {
				p.tellf("%s", n.Text)
			}
		},
	})
}

// statements answers the statements of a text in turn.
func (ses *asker) statements(ctx context.Context, text string) error {
	all, rest := sql.Split(text)
	if strings.TrimSpace(rest) != "" {
		all = append(all, rest)
	}
	if len(all) == 0 {
		return fault.WrongUsage("Try: analyzer sql --help", "there is no statement: give it as an argument in quotes, in a file with --file, or to the standard input")
	}
	above := false // whether an answer was written
	for _, one := range all {
		if ses.ended {
			break
		}
		if strings.HasPrefix(one, ".") {
			if err := ses.command(ctx, one); err != nil {
				return err
			}
			continue
		}
		st, err := sql.Parse(ses.work(ctx), one)
		if err != nil {
			return fault.InStatement(one, err)
		}
		silent := st.Verb.Defines()
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
func (ses *asker) statement(ctx context.Context, text string, st *sql.Statement) (err error) {
	if err := ses.checkFollow(); err != nil {
		return err
	}
	if ses.follow.on && st.Verb == sql.Copy {
		return fault.WrongUsage("Next: write the query alone, with --output DIR.", "COPY writes one answer, and --follow has several")
	}
	if ses.follow.on && ses.at != "" {
		return errAtFollowed
	}
	asked, err := ses.prepare(ctx, text, st)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, asked.Close()) }()
	there := len(ses.gateways) > 0
	switch {
	case st.Verb.Defines():
		report, err := asked.Define(ctx)
		if err == nil {
			ses.summariseTables(report)
		}
		return ses.tooManyRejects(err, report)
	case st.Verb == sql.Explain && !st.Analyze:
		return ses.explainStatement(ctx, asked, st.Rules)
	case !there && !ses.follow.on && st.Verb != sql.Explain && st.Verb != sql.Describe:
		return ses.answer(ctx, asked)
	}
	sel, err := asked.Selection(ctx)
	switch {
	case err != nil:
		return err
	case st.Verb == sql.Describe:
		return ses.describe(ctx, asked, sel)
	case st.Analyze && !there:
		return ses.analyzeStatement(ctx, asked)
	case there:
		return ses.answerThere(ctx, asked, sel, st.Analyze)
	}
	return ses.answer(ctx, asked)
}

// statementsText reads the file that --file names, or the standard input.
func (ses *asker) statementsText(ctx context.Context, file string) (text string, err error) {
	from := stop.Reader(ctx, ses.stdin)
	if file != "" && file != inputs.Stdin {
		f, err := stop.Open(ctx, ses.fs, file)
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
func (ses *asker) describe(ctx context.Context, asked *session.Prepared, sel datasets.Selection) (err error) {
	out, err := ses.openAnswers(answers.Options{}, sel)
	if err != nil {
		return err
	}
	defer discarding(&err, out)
	if err := asked.Describe(ctx, out); err != nil {
		return err
	}
	return out.Finish()
}

// explainStatement shows a plan.
func (ses *asker) explainStatement(ctx context.Context, asked *session.Prepared, rules bool) error {
	if rules {
		var made plantext.Rules
		if err := asked.Rewrites(ctx, made.Add); err != nil {
			return err
		}
		return made.Write(ses.stdout)
	}
	physical, err := asked.Plan(ctx)
	if err != nil {
		return err
	}
	return plantext.Tree(ses.stdout, physical, nil, nil)
}

// analyzeStatement runs a plan, discards its answer, and shows the statistics.
func (ses *asker) analyzeStatement(ctx context.Context, asked *session.Prepared) error {
	physical, report, err := ses.runOver(ctx, asked, engine.RowsTo(nil))
	if err != nil {
		return err
	}
	ses.summarise(report, "")
	return plantext.Tree(ses.stdout, physical, nil, report)
}

// answer runs a plan. Until it has read the files, the types of columns are guesses.
func (ses *asker) answer(ctx context.Context, asked *session.Prepared) error {
	report, sel, err := ses.answerHere(ctx, asked)
	if err != nil {
		return err
	}
	ses.summarise(report, ses.rejects)
	ses.sayWhere(sel)
	return nil
}

// sayWhere says in which file the answer of a COPY is.
func (c *console) sayWhere(sel datasets.Selection) {
	if sel.To != "" {
		c.tellf("The answer is in %s.", sel.To)
	}
}

// answerThere has a cluster answer, or show what it did to answer.
func (ses *asker) answerThere(ctx context.Context, asked *session.Prepared, sel datasets.Selection, analyze bool) error {
	if err := ses.trySummary(); err != nil {
		return err
	}
	var jobs session.Beginning
	for {
		u := &submission{
			runner: ses.runner, record: ses.newRecord(), asked: sel, changes: ses.follow.seen(), analyze: analyze, jobs: jobs,
			supply: supply{
				inputs: asked.Inputs(), sources: asked.Sources(), allRows: asked.AllRows(), files: asked.TableFiles, together: !asked.FilesApart(),
			},
		}
		again, err := u.once(ctx, func() error { return u.begin(ctx, "", asked.Files()) })
		if jobs = u.jobs; !again && !asked.Outgrown(err) {
			return session.Advise(err)
		}
		if sel, err = asked.Selection(ctx); err != nil {
			return err
		}
	}
}
