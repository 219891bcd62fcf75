package worker

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"analyzer/columnar/segment"
	"analyzer/columnar/vfs"
	"analyzer/compose/cluster/protocol"
)

// jobs is the directory of all jobs.
func (c Config) jobs() string { return filepath.Join(c.State, jobsName) }

const jobsName = "jobs"

// HasJobs reports whether the worker whose state directory this is takes part in a job.
// The directory need not exist.
func HasJobs(files vfs.FS, state string) (bool, error) {
	jobs, err := files.List(Config{State: state}.jobs())
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	if err != nil {
		err = fmt.Errorf("look for jobs in %s: %w", state, err)
	}
	return len(jobs) > 0, err
}

// MakeState makes the state directory.
func (w *Worker) MakeState() error {
	if err := vfs.MakeState(w.FS, w.State, jobsName); err != nil {
		return fmt.Errorf("make the state directory: %w", err)
	}
	if err := errors.Join(w.FS.SyncDir(w.State), w.FS.SyncDir(filepath.Dir(w.State))); err != nil {
		return fmt.Errorf("sync the state directory: %w", err)
	}
	return nil
}

// scratch is the directory below which parts spill.
func (c Config) scratch() string { return cmp.Or(c.SpillDir, filepath.Join(c.State, "spill")) }

// makeScratch finds out early if parts cannot spill. It also removes what killed processes
// have left there.
func (w *Worker) makeScratch() error {
	var err error
	if w.SpillDir == "" {
		err = errors.Join(w.FS.RemoveAll(w.scratch()), w.FS.MkdirAll(w.scratch()))
	}
	if err == nil {
		var dir string
		if dir, err = w.FS.MkdirTemp(w.scratch(), segment.ScratchPattern); err == nil {
			err = w.FS.RemoveAll(dir)
		}
	}
	if err != nil {
		return fmt.Errorf("make the directory for what does not fit into memory: %w", err)
	}
	return nil
}

// absolute is the canonical path of the state directory.
func (c Config) absolute() string {
	state, err := filepath.Abs(c.State)
	if err != nil {
		return c.State
	}
	return state
}

// Recover finds the jobs in the state directory, and has each resumed by the first step of
// its part. So a worker with thousands of jobs listens at once, and whoever asks for a job
// waits for that one only.
func (w *Worker) Recover(ctx context.Context) (err error) {
	if err := w.identify(); err != nil {
		return err
	}
	if err := w.inquire(); err != nil {
		return err
	}
	if err := w.makeScratch(); err != nil {
		return err
	}
	w.Room = newReserve(w)
	if w.Tombstones, err = OpenTombstones(w.FS, filepath.Join(w.State, "ended"), w.Remember, w.Room, w.Now); err != nil {
		return err
	}
	dir := w.jobs()
	// A crash must not bring back what an earlier process has removed.
	if err := w.FS.SyncDir(dir); err != nil {
		return fmt.Errorf("sync the state directory: %w", err)
	}
	if err := w.findAside(); err != nil {
		return err
	}
	names, err := w.FS.List(dir)
	if err != nil {
		return err
	}
	for _, name := range names {
		id, err := protocol.ParseJobID(name)
		if err != nil {
			w.Log.Warn("this is not the state of a job", "path", filepath.Join(dir, name))
			continue
		}
		if _, _, ended := w.Tombstones.Ended(id); ended {
			// The queue is normally gone already. It is not if a tombstone that was swept has
			// come back, as it can when clocks are wrong.
			err := w.Broker.Delete(ctx, (&protocol.Spec{ID: id}).Queue(w.Replica))
			if err = errors.Join(err, segment.Remove(w.FS, filepath.Join(dir, name))); err != nil {
				return fmt.Errorf("remove what is left of job %s: %w", id, err)
			}
			continue
		}
		m := w.newMember(id)
		w.untaken.Add(1)
		m.box.post(func() { w.takeUp(id, m) })
		w.add(id, m)
	}
	return nil
}

// inquire finds out why the previous process died, and arranges for the next process to
// find out the same about this one.
func (w *Worker) inquire() (err error) {
	if w.blame, err = inquire(w.FS, w.State, w.Now()); err != nil {
		return err
	}
	if w.blame.cause != "" {
		w.Log.Error("the worker before this one died of its own fault; one step is made at a time",
			"cause", w.blame.cause, "job", w.blame.job, "see", filepath.Join(w.State, lastCrash), "for", careful)
	}
	if w.TellCrash == nil {
		return nil
	}
	return w.TellCrash(filepath.Join(w.State, crashName))
}

// mostTaking is how many parts read their state at once after a start of the worker, and
// mostStarting how many ask the broker for their subscriptions at once. If thousands asked, each
// would have the patience of one for the time that all of them take: those that gave up would ask
// again, behind all others.
const (
	mostTaking   = 8
	mostStarting = 32
)

// takeUp recovers a part from disk. If nobody was told that the job is open, or its state
// cannot be read, the worker has no part of it from then on.
func (w *Worker) takeUp(id protocol.JobID, m *member) {
	defer w.untaken.Add(-1)
	w.taking <- struct{}{}
	defer func() { <-w.taking }()
	if w.closing() {
		return
	}
	cause := ""
	if w.blame.job == id.String() {
		cause = w.blame.cause
	}
	p, err := w.recoverPart(id, cause, m.box.post)
	if err == nil {
		w.mu.Lock()
		m.owner, m.cut = p.spec.Owner, p.spec.Cut != nil
		w.mu.Unlock()
		m.part.Store(p)
		return
	}
	switch {
	case errors.Is(err, ErrNeverOpened):
		err = segment.Remove(w.FS, filepath.Join(w.jobs(), id.String()))
	case isUnreadable(err):
		err = w.setAside(id, err)
	}
	if err != nil {
		w.die(fmt.Errorf("recover job %s: %w", id, err))
		return
	}
	w.drop(id)
}
