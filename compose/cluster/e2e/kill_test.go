package e2e

import (
	"slices"
	"syscall"
)

// Kind is “worker” or “gateway”.
func (p *Process) Kind() string { return p.spec.Args[0] }

// Name returns what the process is, such as “worker 1”.
func (p *Process) Name() string { return p.name }

// Give gives a flag of the command line another value, for the processes that are
// started from now on.
func (p *Process) Give(flag, value string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	args := slices.Clone(p.spec.Args)
	if i := slices.Index(args, flag); i >= 0 {
		args[i+1] = value
	} else {
		args = append(args, flag, value)
	}
	p.spec.Args = args
}

// Runs gives the process another program, from the next one on that is started.
func (p *Process) Runs(program string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.spec.Program = program
}

// Crash replaces the process by one that ends itself, as by kill -9, when it
// passes a point for the n-th time: “rename:3”, or “rename” for the first. The one
// after it runs without.
func (p *Process) Crash(at string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	starts := p.starts
	p.point, p.hit = at, ""
	p.killLocked()
	p.awaitLocked(starts)
}

// WasHit reports whether a process ended itself at the point of the last Crash:
// it died of SIGKILL, and not by the test's hand.
func (p *Process) WasHit() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.hit != ""
}

// Calm takes back a Crash whose point was not passed.
func (p *Process) Calm() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.point == "" {
		return
	}
	starts := p.starts
	p.point = ""
	p.killLocked()
	p.awaitLocked(starts)
}

// Kill ends the process by SIGKILL. The next one is started at once.
func (p *Process) Kill() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.point = ""
	p.killLocked()
}

// Down ends the process by SIGKILL, and none is started until Up.
func (p *Process) Down() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.away, p.point = true, ""
	p.killLocked()
}

// Up starts the process after Down.
func (p *Process) Up() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.away = false
	p.tellLocked()
}

// Stop stops the process from running without ending it (SIGSTOP), as a machine
// that hangs does.
func (p *Process) Stop() { p.signal(syscall.SIGSTOP) }

// Continue lets the process go on after Stop.
func (p *Process) Continue() { p.signal(syscall.SIGCONT) }

func (p *Process) signal(s syscall.Signal) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.signalLocked(s)
}

// Starts returns how often the process was started.
func (p *Process) Starts() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.starts
}
