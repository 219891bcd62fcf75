package e2e

import (
	"sync"
	"syscall"
	"testing"
	"time"

	"analyzer/compose/cluster/failpoint"
	"analyzer/process"
	"analyzer/process/processtest"
)

// Process is one process of a cluster with its supervisor: when it dies it is
// started again. Its methods may be called concurrently.
type Process struct {
	t      testing.TB
	name   string
	spec   process.Spec
	mayEnd bool

	gone chan struct{} // closed when it has ended for good

	mu       sync.Mutex
	changed  chan struct{}    // closed and replaced when something below changes
	run      *process.Process // nil when there is none
	point    string           // at which the one that runs, or the next, ends itself
	killed   bool             // the one that runs was killed by the test
	away     bool             // is not to be started
	ending   bool             // for good
	starts   int
	failures int
	hit      string // the point at which one ended itself
}

// mostFailures is how often a process may end by itself before it is given up.
const mostFailures = 3

// restartAfter is the pause before a process that died is started again.
const restartAfter = 20 * time.Millisecond

// keep runs the process until end.
func (p *Process) keep() {
	defer close(p.gone)
	for {
		run := p.start()
		if run == nil {
			return
		}
		p.died(run.Err())
		time.Sleep(restartAfter)
	}
}

// start starts the process as soon as it is to run; nil when it has ended for
// good.
func (p *Process) start() *process.Process {
	p.mu.Lock()
	defer p.mu.Unlock()
	for p.away && !p.ending {
		p.waitLocked()
	}
	if p.ending {
		return nil
	}
	spec := p.spec
	if p.point != "" {
		spec.Env = append(spec.Env[:len(spec.Env):len(spec.Env)], failpoint.Variable+"="+p.point)
	}
	run, err := process.Start(spec)
	if err != nil {
		p.t.Errorf("start %s: %v", p.name, err)
		p.ending = true
		p.tellLocked()
		return nil
	}
	p.run, p.killed = run, false
	p.starts++
	p.tellLocked()
	return run
}

// died notes how a process ended.
func (p *Process) died(err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case p.killed:
	case p.point != "" && processtest.Killed(err):
		p.hit, p.point = p.point, ""
	case p.ending && err == nil:
	case p.ending || !p.mayEnd:
		p.t.Errorf("%s ended by itself: %v; its last words:\n%s", p.name, err, process.Tail(p.spec.Log, 10))
		if p.failures++; p.failures == mostFailures {
			p.ending = true // it is hopeless
		}
	}
	p.run = nil
	p.tellLocked()
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
	if p.run != nil {
		_ = p.run.Signal(s) // it may have ended
	}
}

// killLocked kills the process that runs, if one does, and waits until it has
// ended.
func (p *Process) killLocked() {
	run := p.run
	if run == nil {
		return
	}
	p.killed = true
	p.signalLocked(syscall.SIGKILL)
	for p.run == run {
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
	if p.run != nil {
		p.run.Ask()
	}
}

// end ends the process for good.
func (p *Process) end() {
	p.ask()
	select {
	case <-p.gone:
	case <-time.After(endPatience):
		p.t.Errorf("%s did not end within %v; it says:\n%s", p.name, endPatience, process.Tail(p.spec.Log, 20))
		p.mu.Lock()
		p.killed = true
		p.signalLocked(syscall.SIGKILL)
		p.mu.Unlock()
		<-p.gone
	}
}
