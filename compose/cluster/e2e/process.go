package e2e

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"analyzer/compose/cluster/failpoint"
)

// Process is one process of a cluster with its supervisor: when it dies it is
// started again. Its methods may be called concurrently.
type Process struct {
	t       testing.TB
	name    string
	program string
	args    []string
	env     []string
	log     string // file
	mayEnd  bool

	gone chan struct{} // closed when it has ended for good

	mu       sync.Mutex
	changed  chan struct{} // closed and replaced when something below changes
	cmd      *exec.Cmd     // nil when there is none
	point    string        // at which the one that runs, or the next, ends itself
	killed   bool          // the one that runs was killed by the test
	away     bool          // is not to be started
	ending   bool          // for good
	starts   int
	failures int
	hit      string // the point at which one ended itself
}

// mostFailures is how often a process may end by itself before it is given up.
const mostFailures = 3

// restartAfter is the pause before a process that died is started again.
const restartAfter = 20 * time.Millisecond

// keep runs the process until end, on a thread of its own: Linux ends the process
// with the thread that started it.
func (p *Process) keep() {
	runtime.LockOSThread()
	defer close(p.gone)
	for {
		cmd := p.start()
		if cmd == nil {
			return
		}
		p.died(cmd.Wait())
		time.Sleep(restartAfter)
	}
}

// start starts the process as soon as it is to run; nil when it has ended for
// good.
func (p *Process) start() *exec.Cmd {
	p.mu.Lock()
	defer p.mu.Unlock()
	for p.away && !p.ending {
		p.waitLocked()
	}
	if p.ending {
		return nil
	}
	cmd, err := p.command()
	if err != nil {
		p.t.Errorf("start %s: %v", p.name, err)
		p.ending = true
		p.tellLocked()
		return nil
	}
	p.cmd, p.killed = cmd, false
	p.starts++
	p.tellLocked()
	return cmd
}

func (p *Process) command() (*exec.Cmd, error) {
	out, err := os.OpenFile(p.log, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return nil, err
	}
	defer func() { _ = out.Close() }() // the process has it
	cmd := exec.Command(p.program, p.args...)
	cmd.Env, cmd.Stdout, cmd.Stderr = p.env, out, out
	if p.point != "" {
		cmd.Env = append(cmd.Env[:len(cmd.Env):len(cmd.Env)], failpoint.Variable+"="+p.point)
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	dieWithParent(cmd.SysProcAttr)
	return cmd, cmd.Start()
}

// died notes how a process ended.
func (p *Process) died(err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case p.killed:
	case p.point != "" && bySignal(err, syscall.SIGKILL):
		p.hit, p.point = p.point, ""
	case p.ending && err == nil:
	case p.ending || !p.mayEnd:
		p.t.Errorf("%s ended by itself: %v; its last words:\n%s", p.name, err, p.lastWords(10))
		if p.failures++; p.failures == mostFailures {
			p.ending = true // it is hopeless
		}
	}
	p.cmd = nil
	p.tellLocked()
}

// bySignal reports whether a process was ended by a signal.
func bySignal(err error, s syscall.Signal) bool {
	var exit *exec.ExitError
	if !errors.As(err, &exit) {
		return false
	}
	status, ok := exit.Sys().(syscall.WaitStatus)
	return ok && status.Signaled() && status.Signal() == s
}

func (p *Process) tellLocked() {
	close(p.changed)
	p.changed = make(chan struct{})
}

// waitLocked waits until something has changed.
func (p *Process) waitLocked() {
	changed := p.changed
	p.mu.Unlock()
	<-changed
	p.mu.Lock()
}

// signalLocked sends a signal to the process, if there is one.
func (p *Process) signalLocked(s syscall.Signal) {
	if p.cmd != nil {
		_ = p.cmd.Process.Signal(s) // it may have ended
	}
}

// killLocked kills the process that runs, if one does, and waits until it has
// ended.
func (p *Process) killLocked() {
	cmd := p.cmd
	if cmd == nil {
		return
	}
	p.killed = true
	p.signalLocked(syscall.SIGKILL)
	for p.cmd == cmd {
		p.waitLocked()
	}
}

// awaitLocked waits until one runs that was started after so many.
func (p *Process) awaitLocked(starts int) {
	for p.starts <= starts && !p.ending {
		p.waitLocked()
	}
}

// endPatience is how long a process may take to end when it is asked to.
const endPatience = 20 * time.Second

// ask asks the process to end for good, once: asked again, it would end at once.
func (p *Process) ask() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.ending {
		return
	}
	p.ending = true
	p.tellLocked()
	p.signalLocked(syscall.SIGCONT)
	p.signalLocked(syscall.SIGTERM)
}

// end ends the process for good.
func (p *Process) end() {
	p.ask()
	select {
	case <-p.gone:
	case <-time.After(endPatience):
		p.t.Errorf("%s did not end within %v; it says:\n%s", p.name, endPatience, p.lastWords(20))
		p.mu.Lock()
		p.killed = true
		p.signalLocked(syscall.SIGKILL)
		p.mu.Unlock()
		<-p.gone
	}
}

// lastWords returns the last lines of the process's log.
func (p *Process) lastWords(lines int) string {
	text, err := os.ReadFile(p.log)
	if err != nil {
		return fmt.Sprint(err)
	}
	all := strings.Split(string(bytes.TrimSpace(text)), "\n")
	return strings.Join(all[max(0, len(all)-lines):], "\n")
}
