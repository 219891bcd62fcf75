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

// A job is blamed for the death of a process when the Go runtime itself ended the
// process and a step of the job was the only one under way. Killing workers, however
// often and wherever, blames no job.
//
// A panic that can be recovered fails its job at once, and the process goes on. Before a
// fatal error, such as failing to allocate memory, the runtime writes the reason to a
// file (CRASH). The next process finds it, and for a while runs one step at a time, with
// a file whose name says which job the step is of (STEP.JOB). If it dies, too, the process
// after it knows the job. The file is empty, since the disk may be full.
const (
	crashName = "CRASH"
	lastCrash = "CRASH.last" // kept for inspection
	stepName  = "STEP."      // followed by the job's name
)

// careful is how long a worker runs one step at a time after the Go runtime has ended the
// previous process.
const careful = 10 * time.Minute

// maxDeaths is the number of processes dead of a job at which the job fails.
const maxDeaths = 3

// restAfter is the pause before a job is tried again after so many processes have died
// of it: a shortage of memory may have passed by then.
func restAfter(deaths int) time.Duration { return time.Second << (2 * min(deaths, 4)) }

// blame is what a worker knows about the death of the previous process.
type blame struct {
	fs    vfs.FS
	dir   string
	cause string // what the Go runtime reported; "": nothing
	job   string // whose step was the only one under way; "": unknown

	mu    sync.Mutex // held while a step runs alone
	until time.Time  // steps run alone until then
}

// ownFault matches what the Go runtime writes when it ends a process by itself, but not
// what it writes when somebody asks for a goroutine dump (SIGQUIT).
const ownFault = `(?m)^(panic|fatal error): .*$`

// inquire finds out why the previous process died.
func inquire(fs vfs.FS, dir string, now time.Time) (*blame, error) {
	b := &blame{fs: fs, dir: dir}
	if text, err := vfs.ReadFile(fs, b.path(crashName)); err == nil {
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
	if err := fs.Rename(b.path(crashName), b.path(lastCrash)); err != nil {
		return nil, fmt.Errorf("keep what the worker died of: %w", err)
	}
	return b, nil
}

// takeStep returns the job whose step was under way, if a step ran alone. It removes the
// file that says so, so that a later death is not blamed on that job.
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

// isCareful reports whether it is the careful time, which follows the death of a process of its own fault.
func (b *blame) isCareful(now time.Time) bool { return now.Before(b.until) }

// alone runs a step of a job. During the careful time no other step runs meanwhile.
func (b *blame) alone(id protocol.JobID, now time.Time, step func()) {
	if !b.isCareful(now) {
		step()
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	// The file need not survive a crash of the machine. If it cannot be created, no job
	// is blamed.
	name := b.path(stepName + id.String())
	if f, err := b.fs.Create(name); err == nil {
		_ = f.Close()
	}
	step()
	_ = b.fs.Remove(name)
}

// suspect records in a job's state the processes that have died of the job.
type suspect struct {
	Deaths int    `json:"deaths"`
	Cause  string `json:"cause"` // of the last
}
