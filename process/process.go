// Package process starts programs, watches them and ends them. It serves the broker and the
// processes of a cluster on one machine, measurements, and tests that kill what they started.
//
// Every process has its own process group, so a signal from the terminal reaches it only
// through its parent. On Linux it dies with its parent, even if the parent is killed, unless
// Outlive is set.
package process

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"time"
)

// Spec says what to run. Zero values mean the same as in exec.Cmd.
type Spec struct {
	Program string
	Args    []string // without the program
	Env     []string
	Dir     string
	// Log is a file that the output is appended to; it is created if necessary. Empty: the
	// output goes to Stdout and Stderr.
	Log            string
	Stdin          io.Reader
	Stdout, Stderr io.Writer

	// Outlive lets the process go on when its parent ends.
	Outlive bool

	inherit []*os.File
}

// Process is a started process. Its methods may be called concurrently.
type Process struct {
	cmd  *exec.Cmd
	done chan struct{} // closed when the process has ended
	err  error         // how it ended; valid once done is closed
}

// pipePatience is how long the output of a process is read after its end, if its children
// still hold the pipe open.
const pipePatience = time.Second

// Start starts a process. The caller waits for its end: see Done, Stop and Kill.
func Start(s Spec) (*Process, error) {
	cmd := exec.Command(s.Program, s.Args...)
	cmd.Env, cmd.Dir, cmd.Stdin, cmd.Stdout, cmd.Stderr = s.Env, s.Dir, s.Stdin, s.Stdout, s.Stderr
	cmd.WaitDelay = pipePatience
	if s.Log != "" {
		out, err := os.OpenFile(s.Log, os.O_WRONLY|os.O_CREATE|os.O_APPEND|noFollow, 0o600)
		if err != nil {
			return nil, err
		}
		defer func() { _ = out.Close() }() // the process holds it open
		cmd.Stdout, cmd.Stderr = out, out
	}
	cmd.SysProcAttr, cmd.ExtraFiles = ownGroup(), s.inherit
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

// run starts the process and waits for it, on a thread that lives as long as the process:
// Linux kills the process when the thread that started it ends.
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

// Err waits for the end of the process and returns how it ended: nil for exit status 0, an
// exec.ExitError for another status or a signal.
func (p *Process) Err() error {
	<-p.done
	return p.err
}

// State waits for the end of the process and returns its resource usage.
func (p *Process) State() *os.ProcessState {
	<-p.done
	return p.cmd.ProcessState
}

// PID is the ID of the process.
func (p *Process) PID() int { return p.cmd.Process.Pid }

// Signal sends a signal to the process only, not to its children; it does nothing after the
// process has ended.
func (p *Process) Signal(s os.Signal) error { return p.cmd.Process.Signal(s) }

// Kill kills the process and its process group at once, and waits for its end.
func (p *Process) Kill() {
	select {
	case <-p.done: // the ID may belong to another process by now
	default:
		p.killGroup()
	}
	<-p.done
}

// Ask asks the process to end. A paused process is continued, so that it can.
func (p *Process) Ask() { p.askToEnd() }

// Stop asks the process to end and waits for that. If it takes longer than grace, Stop kills
// it and returns true.
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

// Ending says in words how a process ended.
func Ending(err error) string {
	if err == nil {
		return "it ended by itself"
	}
	return err.Error()
}

// Run runs a process to its end. When ctx ends, it stops the process with grace. It returns
// the process in either case, unless the process did not start.
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

// Tail returns the last lines of a file, such as the log of a process, for people. If the
// file cannot be read, it returns the reason.
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
	text, _ := io.ReadAll(io.LimitReader(f, most)) // as much as can be read
	all := strings.Split(string(bytes.TrimSpace(text)), "\n")
	return strings.Join(all[max(0, len(all)-lines):], "\n")
}
