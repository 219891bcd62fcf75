package worker

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"analyzer/columnar/segment"
	"analyzer/columnar/vfs"
	"analyzer/compose/cluster/protocol"
)

// A job whose state cannot be read, because it is damaged or of another version of
// the program, is set aside: its directory is kept for inspection, requests about the
// job are told that it has failed, and the worker serves the other jobs.

// errUnreadable is wrapped by the error of a state that this program cannot read.
var errUnreadable = errors.New("its state cannot be read")

const asideReason = "WHY" // file in the directory of a job set aside

func unreadable(err error) error { return fmt.Errorf("%w: %w", errUnreadable, err) }

// isUnreadable reports whether an error means that one job's state is bad, rather than
// that the disk or the broker failed.
func isUnreadable(err error) bool {
	return errors.Is(err, errUnreadable) || errors.Is(err, segment.ErrCorrupt)
}

func (w *Worker) asideDir() string { return filepath.Join(w.State, "aside") }

// setAside moves the state of a job out of the way.
func (w *Worker) setAside(id protocol.JobID, why error) error {
	reason := w.tellable(why)
	to := filepath.Join(w.asideDir(), id.String())
	w.Log.Error("a job's state cannot be read; it is set aside", "job", id, "see", to, "error", why)
	err := w.FS.MkdirAll(w.asideDir())
	if err == nil {
		err = w.FS.RemoveAll(to)
	}
	if err == nil {
		err = errors.Join(w.FS.SyncDir(w.State), w.FS.Rename(filepath.Join(w.jobs(), id.String()), to))
	}
	if err == nil {
		err = errors.Join(w.FS.SyncDir(w.asideDir()), w.FS.SyncDir(w.jobs()), vfs.Replace(w.FS, filepath.Join(to, asideReason), []byte(reason)))
	}
	if err != nil {
		return fmt.Errorf("set job %s aside: %w", id, err)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.aside[id] = reason
	return nil
}

// isAside returns why a job was set aside, if it was.
func (w *Worker) isAside(id protocol.JobID) (why string, aside bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	why, aside = w.aside[id]
	return why, aside
}

// findAside reads which jobs earlier processes have set aside.
func (w *Worker) findAside() error {
	names, err := w.FS.List(w.asideDir())
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("read which jobs were set aside: %w", err)
	}
	for _, name := range names {
		if id, err := protocol.ParseJobID(name); err == nil {
			reason, err := vfs.ReadFile(w.FS, filepath.Join(w.asideDir(), name, asideReason))
			if err != nil {
				reason = []byte(errUnreadable.Error())
			}
			w.aside[id] = string(reason)
		}
	}
	return nil
}

// tellable returns the text of an error for clients, who must not see this machine's paths.
func (w *Worker) tellable(err error) string { return vfs.Tellable(err, w.State, w.scratch()) }
