package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"analyzer/columnar"
	"analyzer/columnar/vfs"
	"analyzer/columnar/vfs/remote"
	"analyzer/compose/cluster/client"
	"analyzer/compose/cluster/protocol"
	"analyzer/compose/session/inputs"
	"analyzer/datasets"
)

// commandLine is the part of a command line that a journal keeps so that the job can be
// resumed. It holds no secret.
type commandLine struct {
	Dataset  string            `json:"dataset"`
	Dir      string            `json:"dir,omitempty"` // absolute; "": the samples
	Tables   map[string]string `json:"tables,omitempty"`
	Queries  []string          `json:"queries"`
	Params   datasets.Settings `json:"params,omitempty"`
	Gateways []string          `json:"gateways"`
	Rejects  string            `json:"maxRejects,omitempty"`
	To       string            `json:"to,omitempty"` // absolute; "": the default
	Format   string            `json:"format,omitempty"`
	Writing  columnar.Writing  `json:"writing,omitzero"`
}

func newCommandLine(asked datasets.Selection, dir string, tables map[string]string, gateways []string) (line commandLine, err error) {
	absolute := func(path string) string {
		if path == "" || path == inputs.Stdin || remote.Is(path) {
			return path
		}
		full, failed := filepath.Abs(path)
		err = errors.Join(err, failed)
		return full
	}
	line = commandLine{
		Dataset: cmp.Or(absolute(asked.Source.Dir), asked.Source.Name), Dir: absolute(cmp.Or(dir, asked.Source.Dir)),
		Tables: make(map[string]string), Queries: asked.QueryNames(), Params: asked.Params, Gateways: gateways,
		To: absolute(asked.To), Format: asked.Format, Writing: asked.Writing,
	}
	for name, file := range tables {
		line.Tables[name] = absolute(file)
	}
	return line, err
}

// journals returns the directory with the journals of this user's jobs.
func journals() (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("find a place for the journal: %w", err)
	}
	return filepath.Join(cache, name, "jobs"), nil
}

// record is what this machine keeps of a job so that it can be resumed: its journal, in which the command line is, and
// a lock that has other processes of this machine leave the job alone.
type record struct {
	own     vfs.FS
	trouble func(error) // is told why the journal cannot be kept
	line    commandLine
	dir     string // of the journal
	journal *client.Journal
	held    *vfs.FileLock // on the journal; nil: none
}

func (p *program) newRecord() record {
	return record{own: p.own, trouble: func(err error) { p.notef("analyzer: if the job is cut off, it cannot be resumed: %v", err) }}
}

// begin begins the journal of a job.
func (r *record) begin(spec *protocol.Spec) (err error) {
	if r.dir, err = journals(); err == nil {
		r.journal, err = client.NewJournal(r.own, r.dir, spec, r.line, r.trouble)
	}
	if err == nil && !spec.Open {
		err = r.hold(spec.ID)
	}
	return err
}

// open reads the journal of a job that was submitted here.
func (r *record) open(id protocol.JobID) (err error) {
	if r.dir, err = journals(); err == nil {
		r.journal, err = client.OpenJournal(r.own, r.dir, id, &r.line, r.trouble)
	}
	return err
}

// errHeld means that another process of this machine goes on with the job.
var errHeld = errors.New("it goes on with the job")

// hold keeps other processes of this machine from going on with a job, until letGo. It does
// not wait for one that does. Of an open job, each append is held by itself, and waits.
func (r *record) hold(id protocol.JobID) error {
	dir, err := journals()
	if err != nil {
		return err
	}
	once, cancel := context.WithCancelCause(context.Background())
	cancel(errHeld)
	r.held, err = client.LockJournal(once, dir, id)
	return err
}

// letGo is the opposite of hold.
func (r *record) letGo() error {
	held := r.held
	if r.held = nil; held == nil {
		return nil
	}
	return held.Unlock()
}

// lock keeps other processes of this machine from appending to an open job, and reads its journal.
func (r *record) lock(ctx context.Context, id protocol.JobID) (unlock func() error, err error) {
	lock, err := client.LockJournal(ctx, r.dir, id)
	if err != nil {
		return nil, err
	}
	if err := r.open(id); err != nil {
		return nil, errors.Join(err, lock.Unlock())
	}
	return lock.Unlock, nil
}

// forget removes the local state of a job that nobody will resume.
func (p *program) forget(id protocol.JobID) {
	dir, err := journals()
	if err == nil {
		err = client.RemoveJournal(p.own, dir, id)
	}
	if err != nil {
		p.notef("analyzer: %v", err)
	}
}

// knownJobs returns the IDs of jobs that were submitted here and have not ended.
func knownJobs(files vfs.FS) (jobs []string) {
	dir, err := journals()
	if err != nil {
		return nil
	}
	names, _ := files.List(dir)
	for _, name := range names {
		if job, ok := strings.CutSuffix(name, ".json"); ok {
			jobs = append(jobs, job)
		}
	}
	return jobs
}
