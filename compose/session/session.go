// Package session answers statements and the queries of data sets: over files in this
// process, or over a cluster. It finds the files of tables, guesses the types of columns from
// samples of them, and runs anew what a wrong guess has spoilt.
//
// What fails because of the statement or the files is a *fault.Error, or wraps a
// *scan.InputError.
package session

import (
	"context"
	"io"
	"maps"
	"slices"
	"strings"

	"analyzer/columnar/budget"
	"analyzer/columnar/vfs"
	"analyzer/compose/engine"
	"analyzer/datasets"
	"analyzer/operators/query/sql"
)

// Config says what a session reads, and within which bounds.
type Config struct {
	FS       vfs.FS            // for the files of tables
	Own      vfs.FS            // for what is spilled
	Stdin    io.Reader         // the table “-”
	Tables   map[string]string // files by the names that statements have for them
	SpillDir string            // "": the system's
	Memory   int64             // of the whole process, in bytes; 0: half of the machine's
	Replicas int               // tasks per stage; 0: one per core

	// A run fails if more rows of a table are rejected than MaxRejects, negative for any
	// number, or than this share of them; 0: no bound.
	MaxRejects     int64
	MaxRejectShare float64

	// KeepNothing refuses what only this process could read again: statements whose rows are kept
	// in files on the way, such as recursive queries, and the standard input.
	KeepNothing bool
	// Keep is a directory in Own for the rows of tables that statements create, where other sessions with the same statement
	// over the same files find them; "": they are removed with the session. Who may write there decides what they find.
	// Build says what the program was built from: rows that another build has kept are not used, since this one may have
	// mended how they are computed.
	Keep, Build string
	// MaxIterations is how often a recursive query is computed at most; 0: 10,000 times.
	MaxIterations int

	// Advice is the hint of errors of queries of a data set that cannot be planned, since a
	// parameter is out of its range.
	Advice string
	// Notice is told what a person should know of the files of a statement. It may be nil.
	Notice func(Notice)
}

// Notice is something that a person should know of a file.
type Notice struct {
	Text string
	Loss bool // columns of the file are left out
}

// Session answers statements in turn; each may read the views that earlier ones created. It
// has one user at a time, as has what it prepares.
type Session struct {
	cfg         Config
	views       map[string]*sql.Query // by name, in lower case
	definitions sql.Definitions
	kept        *shelf   // of the rows of tables that statements created
	there       []string // statements that define something over files that gateways read
}

// New returns a session without views.
func New(cfg Config) *Session {
	return &Session{
		cfg: cfg, views: make(map[string]*sql.Query), kept: &shelf{fs: cfg.Own, in: cfg.SpillDir, closed: cfg.KeepNothing},
		definitions: sql.Definitions{Macros: make(map[string]*sql.Macro), Variables: make(map[string]*sql.Expr)},
	}
}

// Close removes the rows of the tables that statements created.
func (s *Session) Close() error { return s.kept.close() }

// Views returns the names of the views in order, in lower case.
func (s *Session) Views() []string { return slices.Sorted(maps.Keys(s.views)) }

// HasView reports whether there is a view of that name.
func (s *Session) HasView(name string) bool { return s.views[strings.ToLower(name)] != nil }

// Columns returns the names of the columns that a statement's answer has. It looks at the
// beginnings of files only, and gives no notices.
func (s *Session) Columns(ctx context.Context, text string) (names []string, err error) {
	p, err := s.silent().Prepare(ctx, text, nil)
	if err != nil {
		return nil, err
	}
	defer func() { _ = p.Close() }() // nothing was written
	sel, err := p.bind(ctx, false, nil)
	if err != nil {
		return nil, err
	}
	columns, err := schemaOf(sel)
	return columns.Names(), err
}

func (s *Session) notice(n Notice) {
	if s.cfg.Notice != nil {
		s.cfg.Notice(n)
	}
}

// work returns the work that planning a request may be.
func (s *Session) work(ctx context.Context) *budget.Work { return budget.NewWork(ctx, s.cfg.Memory) }

// options returns the options of a run, except its plan and its files.
func (s *Session) options(sel datasets.Selection) engine.Options {
	return engine.Options{
		Tables: sel.Source.TableMap(), FS: s.cfg.Own, SpillDir: s.cfg.SpillDir, Memory: s.cfg.Memory, Replicas: s.cfg.Replicas,
		MaxRejects: s.cfg.MaxRejects, MaxRejectShare: s.cfg.MaxRejectShare,
	}
}
