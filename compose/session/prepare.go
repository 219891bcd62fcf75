package session

import (
	"cmp"
	"context"
	"embed"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"analyzer/columnar"
	"analyzer/columnar/vfs"
	"analyzer/compose/cluster/protocol"
	"analyzer/compose/engine"
	"analyzer/compose/session/fault"
	"analyzer/compose/session/inputs"
	"analyzer/datasets"
	"analyzer/operators/query/physical"
	"analyzer/operators/query/sql"
)

const (
	// StatementName is the name of a statement's source.
	StatementName = "sql"
	// NothingName is the one-row table that a query without FROM reads.
	NothingName = "nothing"
	// AnswerName is the name of a statement's query, and so of the file with its answer.
	AnswerName = "answer"
)

//go:embed nothing.csv
var nothing embed.FS

// Prepared is a statement, or some queries of a data set, whose files were found. Close it
// after use.
type Prepared struct {
	ses    *Session
	in     *inputs.Inputs
	fs     vfs.FS            // of the files, whose versions stay the same
	files  map[string]string // by the source's tables
	tables tables
	dataset
	statement
	local
	elsewhere
}

// dataset is what is to be run of a data set. A statement is bound anew with each guess.
type dataset struct {
	sel  datasets.Selection
	plan *physical.Plan
}

// statement is what somebody wrote, and how it is bound.
type statement struct {
	text   string
	st     *sql.Statement // nil: a data set
	params map[string]string
	now    time.Time // when the statement began, however often it is bound
	// largeSums means that sums of BIGINTs are HUGEINTs, largeResults that calculations with DECIMALs have more
	// digits (Outgrown).
	largeSums, largeResults bool
}

func begun(text string, st *sql.Statement, params map[string]string) statement {
	return statement{text: text, st: st, params: params, now: time.Now()}
}

// wrong is an error of the statement, with the place in its text.
func (s *statement) wrong(err error) error { return fault.InStatement(s.text, err) }

// badFile is an error of files that the statement names at a place.
func (s *statement) badFile(at sql.Span, hint, format string, args ...any) error {
	return fault.BadInput(hint, sql.Show(s.text, sql.Wrong(at, "", format, args...)))
}

// local is what a statement has whose files are read here.
type local struct {
	source *datasets.Source
	// nothing is what a query without FROM reads.
	nothing *columnar.Table
	kept    shelf                // of the rows of recursive queries
	lossy   []engine.TableReport // of the tables that these read
}

// elsewhere is what a statement has that gateways bind, and whose sources they read.
type elsewhere struct {
	there   *There              // nil: it is bound and read here
	bound   *datasets.Selection // nil: it has to be bound anew
	sources map[string]protocol.Source
	allRows bool // a gateway says that no row may be rejected
}

// Prepare reads a statement, finds the files of its tables, and looks at their beginnings.
// params are the values of its parameters.
func (s *Session) Prepare(ctx context.Context, text string, params map[string]string) (*Prepared, error) {
	st, err := sql.Parse(s.work(ctx), text)
	if err != nil {
		return nil, fault.InStatement(text, err)
	}
	return s.PrepareParsed(ctx, text, st, params)
}

// PrepareParsed is Prepare for a text that was parsed already.
func (s *Session) PrepareParsed(ctx context.Context, text string, st *sql.Statement, params map[string]string) (p *Prepared, err error) {
	p = &Prepared{
		ses: s, fs: vfs.Snapshot(s.cfg.FS, s.cfg.Memory), files: make(map[string]string),
		statement: begun(text, st, params),
		local:     local{source: SourceOf(nil), kept: shelf{fs: s.cfg.Own, in: s.cfg.SpillDir, closed: s.cfg.KeepNothing}},
	}
	kept := &p.kept
	defer func() {
		if err != nil {
			err = errors.Join(err, kept.close())
		}
	}()
	if err := p.expand(ctx); err != nil {
		return nil, err
	}
	mentions := p.st.Mentions(s.views)
	if err := p.findTables(ctx, mentions.Sources); err != nil {
		return nil, err
	}
	times := make(map[string]int)
	for _, table := range p.source.Tables {
		times[table.Name] = 2 // and perhaps more
	}
	p.in, err = inputs.Find(p.source, times, inputs.Options{Tables: p.files, FS: p.fs, Stdin: s.cfg.Stdin, Spool: s.cfg.SpillDir})
	if err != nil {
		return nil, err
	}
	for _, set := range p.tables.all {
		if set.in = p.in; len(set.files) > 1 {
			p.in.Group(set.table.Name, set.names)
		}
		set.bytes = p.in.Size(set.table.Name)
	}
	if err := p.tables.look(ctx, mentions); err != nil {
		return nil, errors.Join(err, p.in.Close())
	}
	for _, set := range p.tables.all {
		set.notices(s.notice)
	}
	return p, nil
}

// findTables finds the files of the tables that a statement mentions. Each file is a table of the source, as is
// what queries without FROM read.
func (p *Prepared) findTables(ctx context.Context, mentioned []sql.Source) error {
	var names columnar.Names
	names.Take(NothingName)
	for _, m := range mentioned {
		set, err := p.filesOf(ctx, m)
		if err != nil {
			return err
		}
		if set == nil { // bind says that there is no such table
			continue
		}
		for _, file := range set.files {
			name := names.New(nameOfFile(m, file))
			p.files[name] = file
			set.names, p.source.Tables = append(set.names, name), append(p.source.Tables, &columnar.Table{Name: name, Files: []string{file}})
		}
		if set.table = p.source.Tables[len(p.source.Tables)-1]; len(set.files) > 1 {
			set.table = &columnar.Table{Name: names.New(nameOfAll(m))}
		}
		set.given.Several = len(set.files) > 1
		set.given.Count = len(mentioned) > 1 // joins are ordered by estimates
		p.tables.all = append(p.tables.all, set)
	}
	p.nothing = &columnar.Table{
		Name: NothingName, Files: []string{"nothing.csv"}, Columns: []columnar.TableColumn{{Name: "nothing", Header: "nothing", Format: columnar.FormatInt}},
	}
	p.source.Tables = append(p.source.Tables, p.nothing)
	return nil
}

// Ask prepares queries of a data set over the tables in a directory; "": over those that the
// data set has by default.
func (s *Session) Ask(ctx context.Context, sel datasets.Selection, dir string) (p *Prepared, err error) {
	p = &Prepared{ses: s, fs: vfs.Snapshot(s.cfg.FS, s.cfg.Memory), files: s.cfg.Tables, tables: tables{settled: true}, dataset: dataset{sel: sel}}
	if p.plan, err = s.Plan(ctx, sel); err != nil {
		return nil, err
	}
	o := s.options(sel)
	o.Plan = p.plan
	p.in, err = inputs.Find(sel.Source, engine.Readings(o), inputs.Options{Dir: cmp.Or(dir, sel.Source.Dir), Tables: p.files, FS: p.fs, Stdin: s.cfg.Stdin, Spool: s.cfg.SpillDir})
	if err != nil {
		return nil, err
	}
	return p, nil
}

// Plan plans queries of a data set, without a look at any file.
func (s *Session) Plan(ctx context.Context, sel datasets.Selection) (*physical.Plan, error) {
	physical, err := physical.New(s.work(ctx), sel.Queries, sel.Source.TableMap())
	if err != nil {
		return nil, fault.Planning(s.cfg.Advice, err)
	}
	return physical, nil
}

// SourceOf returns the source of a statement over tables.
func SourceOf(tables []*columnar.Table) *datasets.Source {
	return &datasets.Source{Name: StatementName, Tables: tables, Samples: nothing}
}

// Inputs returns where the tables are. It is closed with p.
func (p *Prepared) Inputs() *inputs.Inputs { return p.in }

// Files returns the files that were named for single tables.
func (p *Prepared) Files() map[string]string { return p.files }

// Close removes the copies of pipes, and rows of recursive queries.
func (p *Prepared) Close() error { return errors.Join(p.in.Close(), p.kept.close()) }

// expand replaces what a session defines, and recursive queries, by what they stand for.
func (p *Prepared) expand(ctx context.Context) error {
	st := *p.st
	if p.st = &st; st.Query == nil {
		return nil
	}
	var err error
	if st.Query, err = p.ses.definitions.Expand(p.ses.work(ctx), st.Query); err != nil {
		return p.wrong(err)
	}
	if st.Query, err = p.withListings(ctx, st.Query); err != nil {
		return err
	}
	st.Query, err = p.withoutRecursion(ctx, st.Query)
	return err
}

// notices tells what a person should know of the files.
func (set *tableFiles) notices(notice func(Notice)) {
	f := set.first()
	tell := func(loss bool, format string, args ...any) {
		notice(Notice{filepath.Base(f.Name) + ": " + fmt.Sprintf(format, args...), loss})
	}
	if len(f.Unread) > 0 {
		tell(true, "columns that cannot be read are left out: %s", strings.Join(f.Unread, ", "))
	}
	if given := set.given; f.Headless && !f.Captioned && !f.Lone && given.Header == nil && given.Columns == nil && given.Names == nil {
		tell(false, "without a header: its columns are column0, column1 …")
	}
	if set.united && set.given.UnionByName == nil {
		tell(false, "not all files have all columns, or in this order: what a file lacks is NULL, as by union_by_name = true")
	}
	for _, note := range f.Notes() {
		if !note.Counted {
			tell(false, "%s", note)
		}
	}
}

// nameOfAll returns a name for the table of several files.
func nameOfAll(m sql.Source) string {
	if m.Name != "" {
		return m.Name
	}
	return filepath.Base(m.Files[0])
}

// nameOfFile returns a name for the table of one file.
func nameOfFile(m sql.Source, file string) string {
	if m.Name == "" || inputs.IsPattern(file) {
		return filepath.Base(file)
	}
	return m.Name
}
