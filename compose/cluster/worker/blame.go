package worker

import (
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"time"

	"analyzer/columnar/vfs"
	"analyzer/compose/cluster/protocol"
)

// A job is blamed for the death of a process when the process itself says that it
// died of its own fault, and the job's was the only step under way. Whoever kills
// workers, however often and wherever, blames nobody.
//
// A fault that Go lets us catch fails its job at once, and no process dies. Others,
// such as memory that cannot be had, the runtime writes down before it ends the
// process (CRASH). The next process finds that, and for a while does one step at a
// time, while a file has a name that says whose it is (STEP.JOB): should it die as well,
// the one after it knows. The file is empty, since the disk may be full.
const (
	crashName = "CRASH"
	lastCrash = "CRASH.last" // kept for a look
	stepName  = "STEP."      // and the job
)

// careful is how long a worker whose predecessor died of its own fault does one step
// at a time.
const careful = 10 * time.Minute

// maxDeaths is how many processes may die of a job before it fails.
const maxDeaths = 3

// restAfter is the pause before a job is tried again of which so many processes have
// died: what was short of memory then may not be.
func restAfter(deaths int) time.Duration { return time.Second << (2 * min(deaths, 4)) }

// blame is what a worker knows of the death of the process before it.
type blame struct {
	fs    vfs.FS
	dir   string
	cause string // "": it was not its own fault
	job   string // whose step was the only one under way; "": that is not known

	mu    sync.Mutex // held while a step is made alone
	until time.Time  // steps are made alone
}

// ownFault is what the Go runtime says when it ends a process by itself, and not when
// somebody asks for its goroutines (SIGQUIT).
const ownFault = `(?m)^(panic|fatal error): .*$`

// inquire finds out what the process before this one died of.
func inquire(fs vfs.FS, dir string, now time.Time, knobs Knobs) (*blame, error) {
	b := &blame{fs: fs, dir: dir}
	if knobs.BlameKills {
		b.cause = "it was killed"
	}
	if text, err := vfs.ReadFile(fs, b.path(crashName)); err == nil && b.cause == "" {
		b.cause = string(regexp.MustCompile(ownFault).Find(text))
	}
	job, err := b.takeStep()
	if err != nil {
		return nil, fmt.Errorf("find out whose step the worker died in: %w", err)
	}
	if b.cause == "" {
		return b, nil
	}
	b.until, b.job = now.Add(careful), job
	if err := fs.Rename(b.path(crashName), b.path(lastCrash)); err != nil && !knobs.BlameKills {
		return nil, fmt.Errorf("keep what the worker died of: %w", err)
	}
	return b, nil
}

// takeStep returns the job whose step was under way, if one was made alone. It removes what
// says so, which would be taken for that of another death.
func (b *blame) takeStep() (job string, err error) {
	names, err := b.fs.List(b.dir)
	for _, name := range names {
		if id, is := strings.CutPrefix(name, stepName); is {
			job, err = id, errors.Join(err, b.fs.Remove(b.path(name)))
		}
	}
	return job, err
}

func (b *blame) path(name string) string { return filepath.Join(b.dir, name) }

// alone makes a step of a job, while no other is made if one is to be blamed.
func (b *blame) alone(id protocol.JobID, now time.Time, step func()) {
	if !now.Before(b.until) {
		step()
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	// None of it has to survive the machine. Where it cannot be made, nobody will be
	// blamed.
	name := b.path(stepName + id.String())
	if f, err := b.fs.Create(name); err == nil {
		_ = f.Close()
	}
	step()
	_ = b.fs.Remove(name)
}

// suspect is what a job's state says of the processes that have died of it.
type suspect struct {
	Deaths int    `json:"deaths"`
	Cause  string `json:"cause"` // of the last
}
