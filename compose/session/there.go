package session

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"golang.org/x/sync/errgroup"

	"analyzer/columnar/vfs"
	"analyzer/compose/cluster/client"
	"analyzer/compose/cluster/protocol"
	"analyzer/compose/session/fault"
	"analyzer/compose/session/inputs"
	"analyzer/datasets"
	"analyzer/operators/query/sql"
)

// There says which gateways read the files of statements.
type There struct {
	Client *client.Client
	// At is where relative names of files begin: a directory on the machines of gateways, or the
	// beginning of names of remote files.
	At string
}

// PrepareThere is PrepareParsed for a statement whose files gateways read, which also find and
// look at them. Its plan has the types that the columns have; it can be run on that cluster alone.
func (s *Session) PrepareThere(ctx context.Context, there There, text string, st *sql.Statement, params map[string]string) (*Prepared, error) {
	p := &Prepared{ses: s, tables: tables{settled: true}, statement: begun(text, st, params), elsewhere: elsewhere{there: &there}}
	switch st.Verb {
	case sql.CreateTable, sql.SetVariable:
		const hint = "Next: CREATE VIEW, or read the files here, without --at."
		return nil, fault.InStatement(text, sql.Unsupported(st.At, hint, "tables and variables that keep what gateways have read"))
	}
	if err := p.bindThere(ctx); err != nil {
		return nil, err
	}
	return p, nil
}

// bindThere has a gateway bind the statement.
func (p *Prepared) bindThere(ctx context.Context) error {
	s := p.ses
	bound, err := p.there.Client.Bind(ctx, protocol.BindRequest{
		At: p.there.At, Files: s.cfg.Tables, Statement: p.text, Before: s.there, Params: p.params, Iterations: s.cfg.MaxIterations, LargeSums: p.largeSums, LargeResults: p.largeResults,
	})
	if err != nil {
		return err
	}
	if p.in == nil {
		for _, n := range bound.Notices {
			s.notice(Notice(n))
		}
	}
	p.allRows = bound.AllRows
	src := SourceOf(bound.Tables)
	src.Queries = bound.Queries
	p.bound = &datasets.Selection{Source: src, Queries: bound.Queries}
	if len(bound.Sources) == 0 { // a query without FROM
		p.in, err = inputs.Find(src, map[string]int{NothingName: 1}, inputs.Options{})
		return err
	}
	p.sources, p.in = bound.Sources, inputs.Elsewhere(src, Sizes(bound.Sources))
	return nil
}

// Sources returns the files, by table, that gateways read; nil: they are read here.
func (p *Prepared) Sources() map[string]protocol.Source { return p.sources }

// Sizes returns the names and sizes of files that gateways read.
func Sizes(sources map[string]protocol.Source) map[string]inputs.File {
	files := make(map[string]inputs.File)
	for table, s := range sources {
		all := s.All()
		file := inputs.File{Name: all[0].Name}
		for _, f := range all {
			file.Size += f.Size
		}
		files[table] = file
	}
	return files
}

// BindFor answers a client's BindRequest about a statement, over the files of the session.
func (s *Session) BindFor(ctx context.Context, r *protocol.BindRequest) (b *protocol.Bound, err error) {
	for _, text := range append(r.Before[:len(r.Before):len(r.Before)], r.Statement) {
		b, err = s.bindFor(ctx, text, r)
		if err != nil {
			return nil, err
		}
	}
	return b, nil
}

func (s *Session) bindFor(ctx context.Context, text string, r *protocol.BindRequest) (b *protocol.Bound, err error) {
	p, err := s.Prepare(ctx, text, r.Params)
	if err != nil {
		return nil, err
	}
	p.largeSums, p.largeResults = r.LargeSums, r.LargeResults
	defer func() {
		if failed := p.Close(); failed != nil && err == nil {
			err = fmt.Errorf("close the files of the statement: %w", failed)
		}
	}()
	b = new(protocol.Bound)
	if p.st.Verb.Defines() {
		_, err := p.Define(ctx)
		return b, err
	}
	if err := p.settle(ctx); err != nil {
		return nil, err
	}
	sel, err := p.bindQuery(ctx, p.FilesApart(), nil)
	if err != nil {
		return nil, err
	}
	b.Tables, b.Queries, b.AllRows = sel.Source.Tables, sel.Queries, p.AllRows()
	names := make(map[string]string)
	for _, t := range b.Tables {
		if name, named := p.files[t.Name]; named {
			names[t.Name] = name
		}
	}
	if b.Sources, err = Identify(ctx, p.fs, names); err != nil || p.FilesApart() {
		return b, err
	}
	for _, set := range p.tables.all {
		if len(set.files) == 1 {
			continue
		}
		files, err := set.sourceFiles(ctx, p.fs)
		if err != nil {
			return nil, err
		}
		b.Sources[set.table.Name] = protocol.Source{Files: files}
	}
	return b, nil
}

// sourceFiles describes the files of a table to gateways. All of them are looked at.
func (set *tableFiles) sourceFiles(ctx context.Context, files vfs.FS) (*protocol.SourceFiles, error) {
	out := &protocol.SourceFiles{All: make([]protocol.PartFile, len(set.files))}
	if err := set.lookAt(ctx, spread(len(set.files), len(set.files))); err != nil {
		return nil, err
	}
	names := make(map[string]string)
	for i, file := range set.files {
		names[set.names[i]] = file
	}
	sources, err := Identify(ctx, files, names)
	if err != nil {
		return nil, err
	}
	forms := make(map[string]int)
	for i, name := range set.names {
		f, err := set.part(ctx, i)
		if err != nil {
			return nil, err
		}
		form := set.partTable(set.table.Name, f)
		text, err := json.Marshal(form)
		if err != nil {
			return nil, err
		}
		at, known := forms[string(text)]
		if !known {
			at = len(out.Forms)
			forms[string(text)], out.Forms = at, append(out.Forms, form)
		}
		out.All[i] = protocol.PartFile{SourceFile: sources[name].SourceFile, Form: at}
		for _, c := range set.partitions {
			out.All[i].Values = append(out.All[i].Values, c.Values[i].Fold())
		}
	}
	return out, nil
}

// Identify returns files, by table, with their full names and their fingerprints.
func Identify(ctx context.Context, files vfs.FS, names map[string]string) (map[string]protocol.Source, error) {
	tables := slices.Sorted(maps.Keys(names))
	found, errs := make([]protocol.SourceFile, len(tables)), make([]error, len(tables))
	var g errgroup.Group
	g.SetLimit(sideBySide)
	for i, table := range tables {
		g.Go(func() error {
			found[i], errs[i] = identify(ctx, vfs.With(ctx, files), names[table])
			return nil
		})
	}
	_ = g.Wait()
	if err := cmp.Or(errs...); err != nil { // what is wrong with the first one is told
		return nil, err
	}
	sources := make(map[string]protocol.Source)
	for i, table := range tables {
		sources[table] = protocol.Source{SourceFile: found[i]}
	}
	return sources, nil
}

// errWhole means that parts of a file cannot be read.
var errWhole = errors.New("its server sends it only as a whole")

func identify(ctx context.Context, files vfs.FS, name string) (s protocol.SourceFile, err error) {
	s.Name = inputs.Full(files, name)
	f, err := inputs.OpenFile(files, s.Name)
	if err != nil {
		return s, fault.BadInput(inputs.Hint(err, "Next: check the name of the file, and who may read it."), err)
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if !f.Seekable() {
		return s, fault.BadInput("Next: read it here, without --at.", fmt.Errorf("%s: %w, and gateways may have to read parts of it again", s.Name, errWhole))
	}
	s.Fingerprint, err = client.Identify(ctx, f)
	return s, err
}
