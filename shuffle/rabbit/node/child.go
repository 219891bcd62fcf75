package node

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"syscall"
	"time"
)

// child is a process of ours, in a process group of its own.
type child struct {
	cmd  *exec.Cmd
	done chan struct{} // closed when it has ended
	err  error         // how, once done is closed
}

// start runs a program with its output going to a file.
func start(name string, args, env []string, dir, output string) (*child, error) {
	out, err := os.OpenFile(output, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return nil, err
	}
	defer func() { _ = out.Close() }() // the process has it
	c := &child{cmd: exec.Command(name, args...), done: make(chan struct{})}
	c.cmd.Env, c.cmd.Dir, c.cmd.Stdout, c.cmd.Stderr = env, dir, out, out
	c.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	dieWithParent(c.cmd.SysProcAttr)
	started := make(chan error)
	go c.run(started)
	if err := <-started; err != nil {
		return nil, fmt.Errorf("start %s: %w", name, err)
	}
	return c, nil
}

// run starts the process and waits for it, on a thread that lives as long as the
// process: Linux ends the process with the thread that started it.
func (c *child) run(started chan<- error) {
	runtime.LockOSThread()
	defer close(c.done)
	err := c.cmd.Start()
	started <- err
	if err == nil {
		c.err = c.cmd.Wait()
	}
}

// kill ends the process and what it started, at once, and waits for it.
func (c *child) kill() {
	select {
	case <-c.done: // the number may belong to another process by now
	default:
		_ = syscall.Kill(-c.cmd.Process.Pid, syscall.SIGKILL)
	}
	<-c.done
}

// stop asks the process to end, waits for it, and kills it when it takes longer
// than patience.
func (c *child) stop(patience time.Duration) {
	select {
	case <-c.done:
		return
	default:
		_ = c.cmd.Process.Signal(syscall.SIGTERM) // it fails when it has just ended
	}
	select {
	case <-c.done:
	case <-time.After(patience):
		c.kill()
	}
}

// signal sends a signal to the process alone.
func (c *child) signal(s syscall.Signal) error { return c.cmd.Process.Signal(s) }
