package session

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"time"

	"analyzer/columnar"
	"analyzer/columnar/vfs"
	"analyzer/compose/cluster/protocol"
	"analyzer/compose/engine"
	"analyzer/operators/query/physical"
)

// keepName is the file that says what rows a directory keeps.
const keepName = "kept.json"

// keptTable is a table whose rows are kept for other sessions: in a directory of Config.Keep that is named for all
// that the rows follow from.
type keptTable struct {
	Columns []string             `json:"columns"`
	File    string               `json:"file"`   // of the rows
	Tables  []engine.TableReport `json:"tables"` // what was read for them

	fs  vfs.FS
	in  string // Config.Keep
	dir string
}

// cause is all that the rows of a table follow from: the plan, which has all that the statement names, the moment
// included if it is asked for; the files; what may make a run fail; and the program.
type cause struct {
	Build          string
	Plan           *physical.Plan
	Tables         []*columnar.Table
	Files          map[string]protocol.Source
	MaxRejects     int64
	MaxRejectShare float64
}

// keptTableOf returns where the rows of a statement are kept, or are to be; nil: nowhere, since they are not to be kept, or
// follow from what nobody can read again: a pipe, a file that comes only as a whole, a table of this session alone.
func keptTableOf(ctx context.Context, p *Prepared) (*keptTable, error) {
	in := p.ses.cfg.Keep
	ofSession := func(set *tableFiles) bool { return slices.ContainsFunc(set.files, p.ses.kept.has) }
	if in == "" || p.kept.dir != "" || !p.in.Again() || slices.ContainsFunc(p.tables.all, ofSession) {
		return nil, nil
	}
	files, err := Identify(ctx, p.fs, p.files)
	if errors.Is(err, errWhole) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	name, err := causeOf(ctx, p, files)
	if err != nil {
		return nil, err
	}
	now := p.now
	p.now = now.AddDate(0, 0, 1).Add(time.Second)
	another, err := causeOf(ctx, p, files)
	if p.now = now; err != nil || another != name {
		return nil, err // nobody will ask for that moment again
	}
	return &keptTable{fs: p.ses.cfg.Own, in: in, dir: filepath.Join(in, name)}, nil
}

// causeOf returns a name for the cause of the rows of a statement.
func causeOf(ctx context.Context, p *Prepared, files map[string]protocol.Source) (string, error) {
	sel, err := p.bind(ctx, false, nil)
	if err != nil {
		return "", err
	}
	plan, err := p.planOf(ctx, sel)
	if err != nil {
		return "", err
	}
	text, err := json.Marshal(cause{p.ses.cfg.Build, plan, sel.Source.Tables, files, p.ses.cfg.MaxRejects, p.ses.cfg.MaxRejectShare})
	if err != nil {
		return "", fmt.Errorf("name what rows follow from: %w", err)
	}
	return fmt.Sprintf("%x", sha256.Sum256(text)), nil
}

// find returns the rows if they are there.
func (k *keptTable) find() (f *rowsFile, report *engine.Report, err error) {
	text, err := vfs.ReadFile(k.fs, filepath.Join(k.dir, keepName))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, nil
	}
	if err == nil {
		err = json.Unmarshal(text, k)
	}
	if err == nil {
		f = &rowsFile{path: filepath.Join(k.dir, filepath.Base(k.File))}
		_, err = k.fs.Size(f.path)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("use the rows kept in %s, which can be removed: %w", k.dir, err)
	}
	for _, name := range k.Columns {
		f.columns = append(f.columns, columnar.Field{Name: name})
	}
	report = &engine.Report{Tables: k.Tables}
	return f, report, nil
}

// keep has fill write rows, and keeps them: all of them and what is said of them, or nothing. It returns the file with them.
func (k *keptTable) keep(name string, fill func(f *rowsFile) (*engine.Report, error)) (f *rowsFile, report *engine.Report, err error) {
	if err := k.fs.MkdirAll(k.in); err != nil {
		return nil, nil, err
	}
	dir, err := k.fs.MkdirTemp(k.in, "new-*")
	if err != nil {
		return nil, nil, err
	}
	defer func() { err = errors.Join(err, k.fs.RemoveAll(dir)) }() // it has moved if all went well
	f = &rowsFile{path: filepath.Join(dir, fileOf(name))}
	if f.file, err = k.fs.Create(f.path); err != nil {
		return nil, nil, err
	}
	report, err = fill(f)
	if err = f.close(err); err != nil {
		return nil, report, err
	}
	k.Columns, k.File, k.Tables = f.names(), filepath.Base(f.path), report.Tables
	text, err := json.Marshal(k)
	if err == nil {
		err = vfs.Replace(k.fs, filepath.Join(dir, keepName), text)
	}
	if err == nil {
		err = k.fs.Rename(dir, k.dir)
	}
	f.path = filepath.Join(k.dir, k.File)
	if err != nil { // perhaps another session was first
		if theirs, _, failed := k.find(); failed == nil && theirs != nil {
			return theirs, report, nil
		}
		return nil, report, fmt.Errorf("keep the rows of %s: %w", name, err)
	}
	return f, report, k.fs.SyncDir(k.in)
}
