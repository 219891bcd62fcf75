// Package process starts programs, watches them and ends them: for the broker and
// the processes of a cluster on one machine, for measurements, and for tests that
// kill what they started.
//
// Every process has a group of its own, so that a signal of the terminal reaches
// it only through the one who started it. On Linux it dies with that one, even if
// that one is killed, unless it is to outlive it.
package process

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"syscall"
	"time"
)

// Spec is what to run. The zero values are those of exec.Cmd.
type Spec struct {
	Program string
	Args    []string // without the program
	Env     []string
	Dir     string
	// Log is a file to whose end the output goes, which is made if it is not
	// there; empty: Stdout and Stderr get it.
	Log            string
	Stdin          io.Reader
	Stdout, Stderr io.Writer

	// Outlive lets the process go on when the one that started it ends.
	Outlive bool

	inherit []*os.File
}

// Process is one that was started. Its methods may be called concurrently.
type Process struct {
	cmd  *exec.Cmd
	done chan struct{} // closed when it has ended
	err  error         // how, once done is closed
}

// pipePatience is how long the output of a process is read after its end, if what
// it has started still holds it.
const pipePatience = time.Second

// Start starts a process. The caller waits for its end: see Done, Stop and Kill.
func Start(s Spec) (*Process, error) {
	cmd := exec.Command(s.Program, s.Args...)
	cmd.Env, cmd.Dir, cmd.Stdin, cmd.Stdout, cmd.Stderr = s.Env, s.Dir, s.Stdin, s.Stdout, s.Stderr
	cmd.WaitDelay = pipePatience
	if s.Log != "" {
		out, err := os.OpenFile(s.Log, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
		if err != nil {
			return nil, err
		}
		defer func() { _ = out.Close() }() // the process has it
		cmd.Stdout, cmd.Stderr = out, out
	}
	cmd.SysProcAttr, cmd.ExtraFiles = &syscall.SysProcAttr{Setpgid: true}, s.inherit
	if !s.Outlive {
		dieWithParent(cmd.SysProcAttr)
	}
	p := &Process{cmd: cmd, done: make(chan struct{})}
	started := make(chan error)
	go p.run(started)
	if err := <-started; err != nil {
		return nil, fmt.Errorf("start %s: %w", s.Program, err)
	}
	return p, nil
}

// run starts the process and waits for it, on a thread that lives as long as the
// process: Linux ends the process with the thread that started it.
func (p *Process) run(started chan<- error) {
	runtime.LockOSThread()
	defer close(p.done)
	err := p.cmd.Start()
	started <- err
	if err == nil {
		p.err = p.cmd.Wait()
	}
}

// Done is closed when the process has ended.
func (p *Process) Done() <-chan struct{} { return p.done }

// Err waits for the end and says how it was: nil after exit status 0, an
// exec.ExitError after another one or a signal.
func (p *Process) Err() error {
	<-p.done
	return p.err
}

// State waits for the end and returns what the system counted.
func (p *Process) State() *os.ProcessState {
	<-p.done
	return p.cmd.ProcessState
}

// PID is the number of the process.
func (p *Process) PID() int { return p.cmd.Process.Pid }

// Signal sends a signal to the process alone; one that has ended gets none.
func (p *Process) Signal(s os.Signal) error { return p.cmd.Process.Signal(s) }

// Kill ends the process and what it started, at once, and waits for it.
func (p *Process) Kill() {
	select {
	case <-p.done: // the number may belong to another process by now
	default:
		_ = syscall.Kill(-p.PID(), syscall.SIGKILL)
	}
	<-p.done
}

// Ask asks the process to end; one that stands still (SIGSTOP) goes on first.
func (p *Process) Ask() {
	_ = p.Signal(syscall.SIGTERM) // it fails when the process has just ended
	_ = p.Signal(syscall.SIGCONT)
}

// Stop asks the process to end, waits for it, and kills it when it takes longer
// than grace, which it reports.
func (p *Process) Stop(grace time.Duration) (killed bool) {
	p.Ask()
	select {
	case <-p.done:
		return false
	case <-time.After(grace):
		p.Kill()
		return true
	}
}

// Killed reports whether err says that a process was ended by SIGKILL.
func Killed(err error) bool {
	exit, ok := errors.AsType[*exec.ExitError](err)
	if !ok {
		return false
	}
	status, ok := exit.Sys().(syscall.WaitStatus)
	return ok && status.Signaled() && status.Signal() == syscall.SIGKILL
}

// Ending says, for people, how a process ended.
func Ending(err error) string {
	if err == nil {
		return "it ended by itself"
	}
	return err.Error()
}

// Run runs a process to its end. When the context ends, the process is stopped
// with grace; the process is returned in either case, unless it did not start.
func Run(ctx context.Context, s Spec, grace time.Duration) (*Process, error) {
	p, err := Start(s)
	if err != nil {
		return nil, err
	}
	select {
	case <-p.done:
	case <-ctx.Done():
		p.Stop(grace)
	}
	return p, p.Err()
}

// Tail returns the last lines of a file, such as the log of a process, to be
// shown to people; of a file that cannot be read, why.
func Tail(name string, lines int) string {
	f, err := os.Open(name)
	if err != nil {
		return err.Error()
	}
	defer func() { _ = f.Close() }()
	const most = 16 << 10
	if size, err := f.Seek(0, io.SeekEnd); err == nil {
		_, _ = f.Seek(max(0, size-most), io.SeekStart)
	}
	text, _ := io.ReadAll(io.LimitReader(f, most)) // as much as there is
	all := strings.Split(string(bytes.TrimSpace(text)), "\n")
	return strings.Join(all[max(0, len(all)-lines):], "\n")
}
